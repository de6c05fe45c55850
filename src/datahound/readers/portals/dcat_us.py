"""DCAT-US `data.json`: one document with the whole catalogue; the lists and searches of DKAN."""

from collections.abc import Iterator
from typing import Any

from datahound.model import Page
from datahound.readers.json_text import count_of, dicts_of, dig
from datahound.readers.linked_data import LinkedCatalogue, index_json, make_catalogue_page
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.paging import number_in, with_query
from datahound.readers.portals.platform import Platform, Sign

NAME = "dcat-us"
_OWN = ("accessURL", "downloadURL", "format")
_LISTED = {"accessLevel", "accessURL", "downloadURL"}
_KEYS = {"distribution", "accessLevel", "landingPage", "downloadURL", "accessURL"}


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    yield "catalogue", f"{base}/data.json"


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if (found := _read_search(url, data)) is not None:
        return found
    if isinstance(data, list):
        # DKAN lists its datasets without a catalogue around them.
        is_catalogue = any(_LISTED & d.keys() for d in map(_unwrap, dicts_of(data[:100])))
        is_catalogue = is_catalogue or "/metastore/" in url
        data = {"dataset": data} if is_catalogue else None
    if not isinstance(data, dict) or "dcat:dataset" in data:
        return None
    datasets = [_unwrap(dataset) for dataset in dicts_of(data.get("dataset"))]
    if not datasets:
        is_empty = data.get("dataset") == [] and "conformsTo" in data
        return ListingMaker(url, NAME, "catalogue").make_page("", 0) if is_empty else None
    if not any(_KEYS & d.keys() for d in datasets[:100]):
        return None
    # Whatever the catalogue calls itself, its entries are datasets.
    catalogue = {"@type": "dcat:Catalog", "title": data.get("title"), "dataset": datasets}
    return make_catalogue_page(url, NAME, index_json(catalogue))


def _unwrap(dataset: dict[str, Any]) -> dict[str, Any]:
    """A dataset as DCAT-US has it: DKAN may put it, and its parts, beside their identifiers."""
    if isinstance(dataset.get("data"), dict) and "identifier" in dataset:
        dataset = dataset["data"]
    parts = list(dicts_of(dataset.get("distribution")))
    if any(isinstance(part.get("data"), dict) for part in parts):
        return {**dataset, "distribution": [part.get("data") or part for part in parts]}
    own = {name: dataset[name] for name in _OWN if name in dataset}
    if own and "distribution" not in dataset:  # version 1.0 has one file per dataset
        return {**dataset, "distribution": [own]}
    return dataset


def _read_search(url: str, data: Any) -> Page | None:
    """A search of DKAN 2, whose results are an object with a key for each dataset."""
    results = dig(data, "results")
    if not isinstance(results, dict) or "total" not in data or "/search" not in url:
        return None
    datasets = [_unwrap(dataset) for dataset in results.values() if isinstance(dataset, dict)]
    maker = ListingMaker(url, NAME, "search")
    catalogue = {"@type": "dcat:Catalog", "dataset": datasets}
    LinkedCatalogue(index_json(catalogue)).read_into(maker)
    page, size = number_in(url, "page", 1), number_in(url, "page-size", len(datasets))
    total = count_of(data["total"])
    if datasets and total and page * size < total:
        maker.follow_with(with_query(url, page=page + 1))
    return maker.make_page("", total)


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
