"""DCAT-US `data.json`: one document with the whole catalogue."""

from collections.abc import Iterator
from typing import Any

from datahound.model import Page
from datahound.readers.json_text import dicts_of
from datahound.readers.linked_data import index_json, make_catalogue_page
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.platform import Platform, Sign

NAME = "dcat-us"


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    yield "catalogue", f"{base}/data.json"


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if isinstance(data, list):
        # DKAN lists its datasets without a catalogue around them.
        data = {"dataset": data} if any("accessLevel" in d for d in dicts_of(data[:100])) else None
    if not isinstance(data, dict) or "dcat:dataset" in data:
        return None
    datasets = list(dicts_of(data.get("dataset")))
    if not datasets:
        is_empty = data.get("dataset") == [] and "conformsTo" in data
        return ListingMaker(url, NAME, "catalogue").make_page("", 0) if is_empty else None
    if not any({"distribution", "accessLevel", "landingPage"} & d.keys() for d in datasets[:100]):
        return None
    # Whatever the catalogue calls itself, its entries are datasets.
    catalogue = {"@type": "dcat:Catalog", "title": data.get("title"), "dataset": datasets}
    return make_catalogue_page(url, NAME, index_json(catalogue))


PLATFORM = Platform(
    NAME,
    "DCAT-US",
    read_json=read,
    endpoints=endpoints,
    signs=(
        Sign(b"/profiles/dkan"),
        Sign(b"dkan/"),
    ),
    is_general=True,
)
