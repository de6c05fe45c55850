"""ArcGIS: searches of Hub and of a portal, service folders, and layers, whose features are rows.

A server limits the features in one answer. The count of a layer, or the list of its object
ids where the server has no paging, says how many queries it takes to get all of them.
"""

import re
from collections.abc import Iterator
from typing import Any

from datahound.model import Page, QueriedTable, Role
from datahound.readers.json_text import count_of, dicts_of, dig, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.paging import base_before, number_in, query_of, with_query
from datahound.readers.portals.platform import Found, PageView, Platform, Sign, TableQuery

NAME = "arcgis"
_LAYER = re.compile(r"/(?:Feature|Map)Server/\d+(?=$|[/?])", re.IGNORECASE)
_SERVICE = re.compile(r"/(?:Feature|Map)Server(?:/layers)?/?(?=$|\?)", re.IGNORECASE)
_ITEM_DATA = "https://www.arcgis.com/sharing/rest/content/items"
_EXTENTS = {"count": "returnCountOnly", "ids": "returnIdsOnly"}
_OLD_LIMIT = 500
"""Features in an answer of servers that do not say their limit: the lowest of any version."""
# A layer of ten million features is left to its own export.
_MAX_PARTS = 5000
# In milliseconds; the last moment is in the year 4199.
_DAY, _LAST_MOMENT = 86_400_000, 1 << 46
_DOCUMENTS = frozenset(
    {
        "csv", "csv collection", "microsoft excel", "microsoft word", "microsoft powerpoint", "pdf",
        "geojson", "kml", "shapefile", "file geodatabase", "geopackage",
    }
)  # fmt: skip
_ITEM = re.compile(r"[0-9a-f]{32}", re.IGNORECASE)


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    yield "feed", f"{base}/api/feed/dcat-us/1.1.json"


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if not isinstance(data, dict):
        return None
    # Errors come with the status 200.
    if isinstance(data.get("error"), dict) and "code" in data["error"]:
        error = text_of(data["error"].get("message")) or "an error"
        return ListingMaker(url, NAME, "error").make_page(remark=error)
    if _is_hub(data):
        return _read_hub(url, data)
    if "nextStart" in data and isinstance(data.get("results"), list):
        return _read_portal_search(url, data)
    if isinstance(data.get("features"), list) and "/collections/" in url:
        return _read_records(url, data)
    if "/rest/services" in url.lower():
        return _read_extent(url, data) or _read_services(url, data)
    return None


def _is_hub(data: dict[str, Any]) -> bool:
    entries = list(dicts_of(data.get("data")))
    first = entries[0] if entries else {}
    # An empty search is still one; without a total, it may be any API's.
    if data.get("data") == []:
        return count_of(dig(data, "meta", "stats", "totalCount")) is not None
    return bool(first) and isinstance(dig(first, "attributes"), dict) and "type" in first


def _read_hub(url: str, data: dict[str, Any]) -> Page:
    maker = ListingMaker(url, NAME, "datasets")
    entries = list(dicts_of(data["data"]))
    for entry in entries:
        _read_item(maker, text_of(entry.get("id")), entry["attributes"])
    total = count_of(dig(data, "meta", "stats", "totalCount"))
    following = text_of(dig(data, "meta", "next")) or text_of(dig(data, "links", "next"))
    shown = count_of(dig(data, "meta", "stats", "count")) or len(entries)
    page = number_in(url, "page[number]", 1)
    if following:
        maker.follow_with(following)
    elif total and entries and page * shown < total:
        maker.follow_with(with_query(url, **{"page[number]": page + 1}))
    return maker.make_page("", len(entries) if total is None else total)


def _read_records(url: str, data: dict[str, Any]) -> Page:
    """Hub's catalogue by the standard for records of OGC."""
    maker = ListingMaker(url, NAME, "search")
    for entry in dicts_of(data["features"]):
        about = entry.get("properties")
        if isinstance(about, dict):
            _read_item(maker, text_of(entry.get("id")), about)
    for link in dicts_of(data.get("links")):
        if link.get("rel") == "next":
            maker.follow_with(text_of(link.get("href")))
    return maker.make_page("", data.get("numberMatched"))


def _read_item(maker: ListingMaker, name: str, about: dict[str, Any]) -> None:
    kind = text_of(about.get("type")) or text_of(about.get("hubType"))
    title = text_of(about.get("name")) or text_of(about.get("title"))
    # The id of a layer's entry is that of its item with "_0", "_1" ... behind.
    item = text_of(about.get("itemId")) or name.partition("_")[0]
    slug = text_of(about.get("slug"))
    maker.begin_dataset(
        name or item,
        title,
        description=text_of(about.get("description")) or text_of(about.get("snippet")),
        licence=text_of(about.get("license")) or text_of(about.get("licenseInfo")),
        modified=_format_time(about.get("modified")),
        publisher=text_of(about.get("source")) or text_of(about.get("owner")),
        page=f"{base_before(maker.url, '/api/')}/datasets/{slug}" if slug else "",
    )
    _add_addresses(maker, about, title, kind, item)


def _add_addresses(
    maker: ListingMaker, about: dict[str, Any], title: str, kind: str, item: str
) -> None:
    """Where an entry leads: to a layer, to a service of several, to a document, or elsewhere."""
    address = text_of(about.get("url"))
    if _LAYER.search(address):
        maker.add_as(Role.SERVICE, address, title, format=kind)
        _add_layer(maker, address, title, about)
    elif "/rest/services" in address.lower():
        maker.add_as(Role.SERVICE, address, title, format=kind)
        if _SERVICE.search(address):
            maker.add_endpoint(with_query(address, f="json"), "service", title)
    elif kind.lower() in _DOCUMENTS and _ITEM.fullmatch(item):
        maker.add_as(
            Role.FILE,
            f"{_items_of(maker.url)}/{item}/data",
            title,
            format=kind,
            size=about.get("size"),
        )
    elif address:
        maker.add(address, title, format=kind)


def _format_time(value: Any) -> str:
    """A date; a number counts the milliseconds since 1970."""
    if not isinstance(value, int) or not 0 < value < _LAST_MOMENT:
        return text_of(value)
    # In cycles of 400 years that begin with March, so that a leap day is the last of its year.
    cycle, day = divmod(value // _DAY + 719_468, 146_097)
    # The readers use no clock and no calendar of the system, so the date is computed here.
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5 - 1
    year += 400 * cycle + (month >= 10)
    return f"{year:04}-{month + 3 if month < 10 else month - 9:02}-{day:02}"


def _items_of(url: str) -> str:
    """Where a portal keeps its documents: at its own address, or for a Hub at the company's."""
    mark = "/sharing/rest"
    return f"{base_before(url, mark)}{mark}/content/items" if mark in url else _ITEM_DATA


def _read_portal_search(url: str, data: dict[str, Any]) -> Page:
    maker = ListingMaker(url, NAME, "items")
    for item in dicts_of(data["results"]):
        _read_item(maker, text_of(item.get("id")), item)
    following = data.get("nextStart")
    if isinstance(following, int) and following > number_in(url, "start", 1):
        maker.follow_with(with_query(url, start=following))
    return maker.make_page("", data.get("total"))


def _read_services(url: str, data: dict[str, Any]) -> Page | None:
    """A folder of services, a service with its layers, or a layer."""
    address = url.partition("?")[0].rstrip("/")
    if _LAYER.search(url) and "name" in data:
        maker = ListingMaker(url, NAME, "layer")
        maker.begin_dataset(
            address,
            text_of(data["name"]),
            description=text_of(data.get("description")),
            licence=text_of(data.get("copyrightText")),
        )
        if query := _add_layer(maker, address, text_of(data["name"]), data):
            _ask_for_extent(maker, address, query, data)
        return maker.make_page(text_of(data["name"]), 1)
    if isinstance(data.get("layers"), list) and _SERVICE.search(url):
        maker = ListingMaker(url, NAME, "service")
        address = address.removesuffix("/layers")
        for layer in [*dicts_of(data["layers"]), *dicts_of(data.get("tables"))]:
            # A group layer has no features of its own.
            if not layer.get("subLayerIds"):
                name = text_of(layer.get("name"))
                maker.add_endpoint(f"{address}/{text_of(layer.get('id'))}?f=json", "layer", name)
        return maker.make_page(text_of(data.get("mapName")), len(data["layers"]))
    if isinstance(data.get("services"), list) and "currentVersion" in data:
        return _read_folder(url, data)
    return None


def _read_folder(url: str, data: dict[str, Any]) -> Page:
    maker = ListingMaker(url, NAME, "folder")
    root = base_before(url, "/rest/services") + "/rest/services"
    folders = data.get("folders")
    for folder in folders if isinstance(folders, list) else []:
        maker.add_endpoint(f"{root}/{text_of(folder)}?f=json", "folder", text_of(folder))
    for service in dicts_of(data["services"]):
        name, kind = text_of(service.get("name")), text_of(service.get("type"))
        if kind in ("FeatureServer", "MapServer"):
            maker.add_endpoint(f"{root}/{name}/{kind}?f=json", "service", name)
    return maker.make_page("", len(data["services"]))


def _add_layer(maker: ListingMaker, address: str, title: str, about: dict[str, Any]) -> str:
    """The features of a layer, as one query: all of them, or the first as the server has it."""
    can_query = text_of(about.get("capabilities")) or text_of(about.get("serverCapabilities"))
    is_group = text_of(about.get("type")) == "Group Layer" or bool(about.get("subLayers"))
    # Old servers do not list capabilities, and answer queries.
    if is_group or (can_query and "query" not in can_query.lower()):
        return ""
    formats = text_of(about.get("supportedQueryFormats")).lower()
    has_shapes = "geojson" in formats and about.get("geometryType")
    name, declared = ("geojson", "GeoJSON") if has_shapes else ("json", "JSON")
    address = address.partition("?")[0].rstrip("/")
    query = f"{address}/query?where=1%3D1&outFields=*&f={name}"
    maker.add_as(Role.FILE, query, title, format=declared)
    return query


def _ask_for_extent(maker: ListingMaker, address: str, query: str, about: dict[str, Any]) -> None:
    """The request that says how many features a layer has; servers ignore what they don't know."""
    capabilities = about.get("advancedQueryCapabilities")
    can_page = dig(capabilities, "supportsPagination") or about.get("supportsPagination")
    most = count_of(about.get("maxRecordCount")) or _OLD_LIMIT
    name = "count" if can_page else "ids"
    form = query.rpartition("f=")[2]
    # `most` and `as` are for the reader of the answer: it sees the URL and the answer only.
    asked = f"where=1%3D1&{_EXTENTS[name]}=true&f=json&most={most}&as={form}"
    maker.add_endpoint(f"{address}/query?{asked}", name, text_of(about.get("name")))


def _read_extent(url: str, data: dict[str, Any]) -> Page | None:
    """How many features a layer has: where one answer can't have all, the queries for the rest."""
    asked, most = query_of(url), number_in(url, "most", 0)
    ids, count = data.get("objectIds"), count_of(data.get("count"))
    if not most or not (isinstance(ids, list) or count is not None):
        return None
    address = url.partition("/query")[0]
    maker = ListingMaker(url, NAME, "count")
    maker.begin_dataset(address)
    query = f"{address}/query?where=1%3D1&outFields=*&f={asked.get('as', 'json')}"
    if isinstance(ids, list):
        numbers = sorted(i for i in ids if isinstance(i, int))
        field = text_of(data.get("objectIdFieldName")) or "OBJECTID"
        starts = range(0, len(numbers), most) if len(numbers) > most else ()
        ranges = [
            # By ranges and not by lists of ids, which make URLs too long for many servers.
            f"{field}>={numbers[start]} AND {field}<={numbers[start : start + most][-1]}"
            for start in starts
        ]
        maker.add_table(query, "", len(numbers) if ranges else 0, [("where", ranges)], most)
    elif count and count > most:
        query += f"&resultRecordCount={most}"
        # The query without an offset gives the first of them.
        offsets = [str(start) for start in range(most, min(count, most * _MAX_PARTS), most)]
        maker.add_table(query, "", count, [("resultOffset", offsets)], most)
    return maker.make_page("", 1)


def write_queries(table: QueriedTable, most: int) -> Iterator[TableQuery]:
    """The queries for the features of a layer that one answer can't have."""
    ((name, values),) = table.axes
    for number, value in enumerate(values, 1 if name == "where" else 2):
        first = (number - 1) * most + 1
        shown = f"features {first:,} to {min(first + most - 1, table.size):,}"
        form = "GeoJSON" if "f=geojson" in table.url else "JSON"
        yield TableQuery(with_query(table.url, **{name: value}), form, shown)


_ROOT = re.compile(rb"""href=["']?([^"'<>\s?]{0,500}/rest/services)(?:["'/?\s>])""", re.IGNORECASE)


def find(view: PageView) -> Iterator[Found]:
    """The folders of a server that a page links to, or that it is a page of."""
    if b"/rest/services" in view.lower and (match := _ROOT.search(view.head)):
        yield "folder", f"{view.join(match[1])}?f=json", "/rest/services"


PLATFORM = Platform(
    NAME,
    "ArcGIS",
    read_json=read,
    write_queries=write_queries,
    endpoints=endpoints,
    find=find,
    signs=(
        Sign(b"hubcdn.arcgis.com"),
        Sign(b"opendata-ui"),
    ),
    is_general=True,
)
