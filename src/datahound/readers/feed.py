"""Feeds: RSS, Atom, RDF, and OPML lists of feeds. Their enclosures are files."""

import re
from collections.abc import Iterator

from datahound.model import Page, Role
from datahound.readers.json_text import count_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.paging import with_query
from datahound.readers.xml_tree import Element
from datahound.settings import MAX_URL_LENGTH
from datahound.web.urls import join

PLATFORM = "feed"
FEED_LINK = "feed @feed"
"""The tag path of the pages that a feed names: such links wait behind those seen on pages."""
ROOTS = frozenset({"rss", "feed", "rdf", "opml"})
_PARTS = ("title", "link", "guid", "enclosure")
_FEED_TYPES = ("application/atom+xml", "application/rss+xml")
_PAGE_TYPE = re.compile(
    r"\A(?:text/(?:html|plain|xml)|application/(?:xhtml\+xml|xml)|image/|audio/|video/)"
)
_DATES = ("updated", "pubdate", "published", "date", "modified")


def read_feed(url: str, root: Element) -> Page | None:
    """The page of a feed; None if the element is not a feed."""
    if root.name == "opml":
        return _read_opml(url, root)
    channel = root if root.name == "feed" else root.first("channel")
    items = [item for item in root.find_all("item", "entry") if any(item.all(*_PARTS))]
    if root.name not in ROOTS or (channel is None and not items):
        return None
    maker = ListingMaker(url, PLATFORM, root.name)
    base = _base_of(root, url)
    for item in items:
        _read_item(maker, item, _base_of(item, base))
    top = channel if channel is not None else root
    _follow_next(maker, top, len(items), base)
    return maker.make_page(top.read("title"), len(items))


def _base_of(element: Element, base: str) -> str:
    """The address that references in an element are relative to."""
    # xml:base, RFC 4287, 2.
    own = element.get("base")
    return (own and join(base, own[:MAX_URL_LENGTH])) or base


def _read_item(maker: ListingMaker, item: Element, base: str) -> None:
    title = item.read("title")
    date = next((text for name in _DATES if (text := item.read(name))), "")
    for reference, format_, size in _enclosures(item):
        facts = {"size": size, "modified": date, "licence": item.read("rights")}
        if reference:
            maker.add_as(Role.FILE, _join(base, reference), title, format=format_, **facts)
    for link in item.all("link"):
        if link.get("rel") == "alternate" and link.get("type") in _FEED_TYPES:
            maker.add_endpoint(_join(base, link.get("href")), "feed", title)
    page = _page_of(item)
    if page:
        maker.add_page(_join(base, page), title, FEED_LINK, modified=date)


def _join(base: str, reference: str) -> str:
    return (len(reference) <= MAX_URL_LENGTH and join(base, reference)) or ""


def _enclosures(item: Element) -> Iterator[tuple[str, str, str]]:
    for enclosure in item.all("enclosure"):
        address = enclosure.get("url") or enclosure.get("resource")
        yield address, enclosure.get("type"), enclosure.get("length")
    for link in item.all("link"):
        relation = link.get("rel")
        # arXiv marks its papers so.
        is_paper = relation == "related" and link.get("title") == "pdf"
        # Download services of public bodies name their files so.
        is_file = relation in ("alternate", "section") and _is_file_type(link.get("type"))
        if relation == "enclosure" or is_paper or is_file:
            yield link.get("href"), link.get("type"), link.get("length")

    for content in item.find_all("content"):
        # Without a text of its own, the entry is what the address leads to; Media RSS has `url`.
        address = content.get("src") or content.get("url")
        if address and _is_file_type(content.get("type")):
            yield address, content.get("type"), content.get("filesize")


def _is_file_type(mime_type: str) -> bool:
    return bool(mime_type) and mime_type not in _FEED_TYPES and not _PAGE_TYPE.search(mime_type)


def _page_of(item: Element) -> str:
    """The address of the page that an item is about."""
    for link in item.all("link"):
        if link.text:
            return link.text
        is_page = not _is_file_type(link.get("type")) and link.get("type") not in _FEED_TYPES
        if link.get("rel") in ("", "alternate") and link.get("href") and is_page:
            return link.get("href")
    # RSS 2.0: a guid is the address of the item, unless it says that it is not.
    guid = item.first("guid")
    is_address = guid is not None and guid.get("ispermalink") != "false"
    return guid.text if guid is not None and is_address and "://" in guid.text else ""


def _follow_next(maker: ListingMaker, top: Element, items: int, base: str) -> None:
    """The next page, as the feed links to it or as OpenSearch counts it."""
    for link in top.all("link"):
        if link.get("rel") == "next" and link.get("href"):
            maker.follow_with(_join(base, link.get("href")))
            return
    total, start = count_of(top.read("totalresults")), count_of(top.read("startindex"))
    if total and items and start is not None and start + items < total and "start=" in maker.url:
        maker.follow_with(with_query(maker.url, start=start + items))


def _read_opml(url: str, root: Element) -> Page | None:
    maker = ListingMaker(url, PLATFORM, "opml")
    count = 0
    for outline in root.find_all("outline"):
        title = outline.get("title") or outline.get("text")
        if reference := outline.get("xmlurl"):
            maker.add_endpoint(reference, "rss", title)
            count += 1
        # OPML 2.0: a list of feeds that belongs here.
        elif outline.get("type").lower() == "include":
            maker.add_endpoint(outline.get("url"), "opml", title)
            count += 1
    return maker.make_page(root.read("head", "title"), count) if count else None
