"""WordPress: its library of media, of which pictures and films are left out."""

import re
from collections.abc import Iterator
from typing import Any

from datahound.model import Page, Role
from datahound.readers.json_text import dicts_of, dig, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.paging import number_in, with_query
from datahound.readers.portals.platform import Found, PageView, Platform

NAME = "wordpress"
PAGE_SIZE = 100


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    # CSV is text to WordPress; neither kind has pictures, sound or film.
    for kind in ("application", "text"):
        query = f"media_type={kind}&per_page={PAGE_SIZE}&page=1"
        yield "media", f"{base}/wp-json/wp/v2/media?{query}"


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if "wp/v2/media" not in url:
        return None
    # A page behind the last one is the error `rest_post_invalid_page_number`: the list has ended.
    if isinstance(data, dict) and "code" in data:
        remark = text_of(data["code"]) if "page_number" not in str(data["code"]) else ""
        return ListingMaker(url, NAME, "error" if remark else "media").make_page(remark=remark)
    if not isinstance(data, list):
        return None
    maker = ListingMaker(url, NAME, "media")
    entries = [entry for entry in dicts_of(data) if "source_url" in entry]
    for entry in entries:
        # Our request leaves pictures out; requests that pages name may not.
        if text_of(entry.get("media_type")) != "image":
            _add_file(maker, entry)
    # The total is in a header (X-WP-Total), which readers of JSON do not get.
    if len(entries) >= number_in(url, "per_page", 10):
        maker.follow_with(with_query(url, page=number_in(url, "page", 1) + 1))
    return maker.make_page("", len(entries))


def _add_file(maker: ListingMaker, entry: dict[str, Any]) -> None:
    maker.add_as(
        Role.FILE,
        text_of(entry["source_url"]),
        text_of(dig(entry, "title", "rendered")),
        format=text_of(entry.get("mime_type")),
        size=dig(entry, "media_details", "filesize"),
        modified=text_of(entry.get("modified_gmt")) or text_of(entry.get("modified")),
    )
    if parent := text_of(entry.get("link")):
        maker.add_page(parent, "", "wordpress @landing")


_LINK = re.compile(
    rb"""<link[^<>]{0,200}?rel=["']https://api\.w\.org/["'][^<>]{0,200}?href=["']([^"'<>]{1,1000})""",
    re.IGNORECASE,
)
_HEADER = re.compile(r'<([^<>]{1,1000})>;\s{0,9}rel="?https://api\.w\.org/')


def find(view: PageView) -> Iterator[Found]:
    """The API that the head of every page links to."""
    match = _LINK.search(view.head) if b"api.w.org" in view.lower else None
    header = _HEADER.search(view.headers.get("link", ""))
    base = view.join(match[1] if match else header[1].encode() if header else b"")
    if "/wp-json" in base:
        root = base.partition("/wp-json")[0]
        yield from ((request, url, "link") for request, url in endpoints(root))


PLATFORM = Platform(NAME, "WordPress", read_json=read, endpoints=endpoints, find=find)
