"""OGC API: records of a catalogue with their links, and the collections that have them."""

import re
from collections.abc import Iterator
from typing import Any

from datahound.model import Page, Role
from datahound.readers.json_text import dicts_of, dig, text_of
from datahound.readers.listing import ListingMaker, guess_role
from datahound.readers.portals.paging import query_of, with_query
from datahound.readers.portals.platform import Found, PageView, Platform
from datahound.web.types import extension_of_format
from datahound.web.urls import extension_of

NAME = "ogc"
PAGE_SIZE = 100
_DATA = frozenset({"enclosure", "download", "data", "item"})
_OWN = frozenset({"self", "collection", "root", "parent", "prev", "next", "canonical", "license"})
_RECORD = frozenset({"themes", "contacts", "externalIds", "recordUpdated", "record-updated"})


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if not isinstance(data, dict) or "stac_version" in data:
        return None
    if isinstance(data.get("collections"), list):
        return _read_collections(url, data)
    features = list(dicts_of(data.get("features")))
    if data.get("type") == "FeatureCollection" and features and all(map(_is_record, features[:3])):
        maker = ListingMaker(url, NAME, "records")
        for feature in features:
            _read_record(maker, feature)
        for link in dicts_of(data.get("links")):
            if link.get("rel") == "next":
                maker.follow_with(text_of(link.get("href")))
        return maker.make_page("", data.get("numberMatched"))
    if data.get("type") == "Feature" and "/collections/" in url and _is_record(data):
        maker = ListingMaker(url, NAME, "record")
        _read_record(maker, data)
        return maker.make_page(text_of(dig(data, "properties", "title")), 1)
    return None


def _is_record(feature: dict[str, Any]) -> bool:
    """Whether a feature describes something, rather than being it."""
    about = feature.get("properties")
    if feature.get("assets") or not isinstance(about, dict) or "stac_version" in feature:
        return False
    relations = {text_of(link.get("rel")) for link in dicts_of(feature.get("links"))}
    is_described = bool(about.get("title")) and (
        "type" in about or bool(_RECORD & (about.keys() | feature.keys()))
    )
    return is_described and bool(relations - _OWN)


def _read_collections(url: str, data: dict[str, Any]) -> Page | None:
    collections = [c for c in dicts_of(data["collections"]) if "stac_version" not in c]
    records = [c for c in collections if c.get("itemType") == "record"]
    if not records:
        return None
    maker = ListingMaker(url, NAME, "collections")
    for collection in records:
        for link in dicts_of(collection.get("links")):
            address = text_of(link.get("href"))
            if link.get("rel") == "items" and link.get("type") != "text/html":
                more = {} if "limit" in query_of(address) else {"limit": PAGE_SIZE}
                maker.add_endpoint(with_query(address, **more), "records")
                break
    return maker.make_page("", len(records))


def _read_record(maker: ListingMaker, feature: dict[str, Any]) -> None:
    about = feature.get("properties") or {}
    maker.begin_dataset(
        text_of(feature.get("id")),
        text_of(about.get("title")),
        description=text_of(about.get("description")),
        licence=text_of(about.get("license")),
        modified=text_of(about.get("updated")) or text_of(about.get("recordUpdated")),
        publisher=text_of(dig(next(dicts_of(about.get("contacts")), {}), "organization")),
    )
    for link in dicts_of(feature.get("links")):
        relation, kind = text_of(link.get("rel")), text_of(link.get("type"))
        if relation not in _OWN:
            _add_link(maker, text_of(link.get("href")), relation, kind, text_of(link.get("title")))


def _add_link(maker: ListingMaker, address: str, relation: str, kind: str, title: str) -> None:
    """A link of a record: a file where its relation, its type or its name says so."""
    url = maker.join(address)
    if url is None:
        return
    role = guess_role(address, kind)
    is_named = bool(extension_of(url) or extension_of_format(kind))
    if role is Role.FILE and not (relation in _DATA or is_named):
        role = Role.PAGE
    maker.add_as(role, address, title, format=kind, size=None)


_COLLECTIONS = re.compile(
    rb"""(?:href|content)=["']([^"'<>\s]{0,500}/collections)(?:[?/][^"'<>\s]{0,500})?["']"""
)


def find(view: PageView) -> Iterator[Found]:
    """The collections that the pages of a server link to."""
    if b"ogcapi" not in view.lower and b"pygeoapi" not in view.lower and b"pycsw" not in view.lower:
        return
    if match := _COLLECTIONS.search(view.head):
        base = view.join(match[1])
        yield "collections", f"{base}?f=json" if base else "", "/collections"


PLATFORM = Platform(NAME, "OGC API", read_json=read, find=find)
