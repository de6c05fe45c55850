"""STAC: catalogues and collections, static or by an API, and the assets of their items."""

import re
from collections.abc import Iterator
from typing import Any

from datahound.model import Page, Role
from datahound.readers.json_text import count_of, dicts_of, dig, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.paging import query_of, with_query
from datahound.readers.portals.platform import Found, PageView, Platform

NAME = "stac"
PAGE_SIZE = 100
"""Items have up to a hundred kB each: a larger page may be more than a server gives at once."""
_MANY = 100_000
"""A collection with more items is not listed: some have millions."""


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if not isinstance(data, dict):
        return None
    if isinstance(data.get("collections"), list) and isinstance(data.get("links"), list):
        maker = ListingMaker(url, NAME, "collections")
        for collection in dicts_of(data["collections"]):
            _read_collection(maker, collection)
        _follow(maker, data)
        return maker.make_page("", count_of(data.get("numberMatched")) or len(data["collections"]))
    features = data.get("features")
    is_empty = features == [] and ("stac_version" in data or "/stac" in url)
    if data.get("type") == "FeatureCollection" and (is_empty or _are_items(features)):
        return _read_items(url, data)
    if "stac_version" not in data:
        return None
    if data.get("type") == "Feature" or isinstance(data.get("properties"), dict):
        maker = ListingMaker(url, NAME, "item")
        _read_item(maker, data)
        return maker.make_page(text_of(data.get("id")))
    maker = ListingMaker(url, NAME, "catalog")
    _read_collection(maker, data)
    return maker.make_page(text_of(data.get("title")) or text_of(data.get("id")))


def _are_items(features: Any) -> bool:
    return any("assets" in feature for feature in list(dicts_of(features))[:3])


def _read_collection(maker: ListingMaker, collection: dict[str, Any]) -> None:
    if "extent" in collection or collection.get("type") == "Collection":
        maker.begin_dataset(
            text_of(collection.get("id")),
            text_of(collection.get("title")) or text_of(collection.get("id")),
            description=text_of(collection.get("description")),
            licence=text_of(collection.get("license")),
        )
    _add_assets(maker, collection)
    links = list(dicts_of(collection.get("links")))
    # The list of all collections of an API describes each of them as its own answer does.
    lists = tuple(f"{text_of(x.get('href'))}/" for x in links if x.get("rel") == "data")
    for link in links:
        relation, address = link.get("rel"), text_of(link.get("href"))
        if link.get("type") == "text/html" or (text_of(link.get("method")) or "GET") != "GET":
            continue
        if relation == "data" or (relation == "child" and not address.startswith(lists)):
            maker.add_endpoint(address, "collection", text_of(link.get("title")))
        elif relation == "item":
            maker.add_endpoint(address, "item", text_of(link.get("title")))
        elif relation == "items":
            maker.add_endpoint(_enlarge_page(address), "items", text_of(collection.get("title")))


def _enlarge_page(address: str) -> str:
    """The address of items, with more of them per answer than the ten that are common."""
    has_limit = "limit" in query_of(address)
    return address if has_limit else with_query(address, limit=PAGE_SIZE)


def _read_items(url: str, data: dict[str, Any]) -> Page:
    maker = ListingMaker(url, NAME, "items")
    for item in dicts_of(data["features"]):
        _read_item(maker, item)
    total = count_of(data.get("numberMatched"))
    # The context extension, before OGC API's `numberMatched` replaced it.
    total = count_of(dig(data, "context", "matched")) if total is None else total
    if total is None or total <= _MANY:
        _follow(maker, data)
    remark = "" if total is None or total <= _MANY else f"{total:,} items are too many to list"
    return maker.make_page("", total, remark)


def _follow(maker: ListingMaker, data: dict[str, Any]) -> None:
    for link in dicts_of(data.get("links")):
        if link.get("rel") == "next":
            maker.follow_with(_as_get(link))


def _as_get(link: dict[str, Any]) -> str:
    """The address of a next page; one that is asked for by a POST, with its body as a query."""
    address, body = text_of(link.get("href")), link.get("body")
    if text_of(link.get("method")).upper() != "POST" or not isinstance(body, dict):
        return address
    values = {
        name: ",".join(map(text_of, value)) if isinstance(value, list) else text_of(value)
        for name, value in body.items()
        if not isinstance(value, dict)
    }
    return with_query(address, **{name: value for name, value in values.items() if value})


def _read_item(maker: ListingMaker, item: dict[str, Any]) -> None:
    about = item.get("properties")
    maker.begin_dataset(
        text_of(item.get("id")),
        text_of(dig(about, "title")) or text_of(item.get("id")),
        description=text_of(dig(about, "description")),
        licence=text_of(dig(about, "license")),
        modified=text_of(dig(about, "updated")) or text_of(dig(about, "datetime")),
    )
    _add_assets(maker, item)


def _add_assets(maker: ListingMaker, thing: dict[str, Any]) -> None:
    assets = thing.get("assets")
    for name, asset in assets.items() if isinstance(assets, dict) else ():
        if isinstance(asset, dict):
            maker.add_as(
                Role.FILE,
                _address_of(asset),
                text_of(asset.get("title")) or text_of(name),
                format=text_of(asset.get("type")).partition(";")[0],
                size=asset.get("file:size"),
            )


def _address_of(asset: dict[str, Any]) -> str:
    """The address of an asset; if it is in object storage, an alternate address on the web."""
    address, others = text_of(asset.get("href")), asset.get("alternate")
    if "://" in address and not address.startswith(_WEB):
        named = (
            text_of(dig(x, "href")) for x in (others.values() if isinstance(others, dict) else ())
        )
        return next((other for other in named if other.startswith(_WEB)), address)
    return address


_WEB = ("http://", "https://")
_LINK = re.compile(
    rb"""["']([^"'<>\s]{0,500}?/stac(?:/v\d)?(?:/catalog\.json)?/?)["']""", re.IGNORECASE
)


def find(view: PageView) -> Iterator[Found]:
    """A catalogue that the page links to."""
    if b"/stac" in view.lower and (match := _LINK.search(view.head)):
        yield "catalog", view.join(match[1]), "link"


PLATFORM = Platform(NAME, "STAC", read_json=read, find=find)
