"""CKAN and DKAN: `package_search` lists datasets with all their files."""

from collections.abc import Iterator
from typing import Any

from datahound.model import Page
from datahound.readers.json_text import count_of, dicts_of, dig, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.paging import base_before, number_in, with_query
from datahound.readers.portals.platform import Platform, Sign

NAME = "ckan"
PAGE_SIZE = 1000
"""What the software allows at most; a portal may give fewer."""
_DEFAULT_SIZE = 10


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    yield "package_search", f"{base}/api/3/action/package_search?rows={PAGE_SIZE}&start=0"


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    result = dig(data, "result")
    if not isinstance(data, dict) or "success" not in data:
        return None
    if data["success"] is not True:
        error = text_of(dig(data, "error", "message")) or text_of(dig(data, "error", "__type"))
        return ListingMaker(url, NAME, "error").make_page(remark=error or "an error")
    if isinstance(dig(result, "results"), list):
        return _read_search(url, result)
    if isinstance(dig(result, "resources"), list):
        maker = ListingMaker(url, NAME, "package_show")
        _read_dataset(maker, result)
        return maker.make_page(text_of(result.get("title")), 1)
    return None


def _read_search(url: str, result: dict[str, Any]) -> Page:
    maker = ListingMaker(url, NAME, "package_search")
    datasets = list(dicts_of(result["results"]))
    for dataset in datasets:
        _read_dataset(maker, dataset)
    start, total = number_in(url, "start", 0), count_of(result.get("count"))
    # A portal may give fewer than were asked for.
    shown = len(datasets) or number_in(url, "rows", _DEFAULT_SIZE)
    if datasets and total is not None and start + shown < total:
        asked = number_in(url, "rows", _DEFAULT_SIZE)
        step = shown if shown < asked and "rows=" in url else max(shown, min(asked, PAGE_SIZE))
        maker.follow_with(with_query(url, start=start + step))
    return maker.make_page("", total)


def _read_dataset(maker: ListingMaker, dataset: dict[str, Any]) -> None:
    name = text_of(dataset.get("name")) or text_of(dataset.get("id"))
    maker.begin_dataset(
        name,
        text_of(dataset.get("title")) or name,
        description=text_of(dataset.get("notes")),
        licence=text_of(dataset.get("license_title")) or text_of(dataset.get("license_id")),
        modified=text_of(dataset.get("metadata_modified")),
        page=f"{base_before(maker.url, '/api/')}/dataset/{name}" if name else "",
    )
    for resource in dicts_of(dataset.get("resources")):
        maker.add(
            text_of(resource.get("url")),
            text_of(resource.get("name")) or text_of(resource.get("title")),
            format=text_of(resource.get("format")) or text_of(resource.get("mimetype")),
            size=resource.get("size") or resource.get("byte_size"),
            modified=text_of(resource.get("last_modified")) or text_of(resource.get("modified")),
            licence=text_of(resource.get("license")),
        )


PLATFORM = Platform(
    NAME,
    "CKAN",
    read_json=read,
    endpoints=endpoints,
    signs=(
        Sign(b'content="ckan ', "data-site-root"),
        Sign(b"/api/3/action/package_"),
    ),
    headers=(
        ("x-generator", "ckan"),
        ("set-cookie", "ckan="),
    ),
)
