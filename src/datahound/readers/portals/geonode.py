"""GeoNode: layers with one export of each, documents, and the next page as an address."""

from collections.abc import Iterator
from typing import Any

from datahound.model import Page, Role
from datahound.readers.json_text import dicts_of, dig, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.platform import Platform, Sign

NAME = "geonode"
PAGE_SIZE = 100
_LISTS = ("datasets", "documents", "resources")
# A layer has the same data in a dozen formats: one is enough.
_PREFERRED = ("geojson", "json", "csv", "zip", "gpkg", "geotiff", "tiff", "gml", "xlsx", "excel")


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    for name in ("datasets", "documents"):
        yield name, f"{base}/api/v2/{name}?page=1&page_size={PAGE_SIZE}"


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if not isinstance(data, dict) or not {"total", "page_size", "links"} <= data.keys():
        return None
    name = next((name for name in _LISTS if isinstance(data.get(name), list)), None)
    if name is None:
        return None
    maker = ListingMaker(url, NAME, name)
    for resource in dicts_of(data[name]):
        _read_resource(maker, resource)
    maker.follow_with(text_of(dig(data, "links", "next")))
    return maker.make_page("", data["total"])


def _read_resource(maker: ListingMaker, resource: dict[str, Any]) -> None:
    maker.begin_dataset(
        text_of(resource.get("uuid")) or text_of(resource.get("pk")),
        text_of(resource.get("title")),
        description=text_of(resource.get("raw_abstract")) or text_of(resource.get("abstract")),
        licence=text_of(dig(resource, "license", "identifier")),
        modified=text_of(resource.get("last_updated")) or text_of(resource.get("date")),
    )
    offered = [link for link in dicts_of(resource.get("links")) if link.get("link_type") == "data"]
    if offered:
        link = min(offered, key=_rank)
        maker.add_as(Role.FILE, text_of(link.get("url")), format=text_of(link.get("extension")))
    elif address := text_of(resource.get("download_url")):
        maker.add_as(Role.FILE, address, format=text_of(resource.get("extension")))


def _rank(link: dict[str, Any]) -> int:
    extension = text_of(link.get("extension")).lower()
    return _PREFERRED.index(extension) if extension in _PREFERRED else len(_PREFERRED)


PLATFORM = Platform(
    NAME,
    "GeoNode",
    read_json=read,
    endpoints=endpoints,
    signs=(
        Sign(b"/static/geonode/"),
        Sign(b"__geonode_config__"),
    ),
)
