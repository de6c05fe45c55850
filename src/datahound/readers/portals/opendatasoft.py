"""Opendatasoft: the catalogue in versions 1, 2.0 and 2.1 of its API; exports and attachments."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from datahound.model import Page, Role
from datahound.readers.json_text import count_of, dicts_of, dig, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.paging import number_in, with_query
from datahound.readers.portals.platform import Platform, Sign

NAME = "opendatasoft"
PAGE_SIZE = 100
_MAX_ENTRIES = 10_000
"""The service answers no page beyond this many entries."""


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    yield "datasets", f"{base}/api/explore/v2.1/catalog/datasets?limit={PAGE_SIZE}&offset=0"


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if isinstance(data, list):
        return _read_export(url, data)
    if isinstance(data, dict) and "/api/datasets/1.0" in url:
        return _read_first_version(url, data)
    if not isinstance(data, dict) or "/catalog/" not in url:
        return None
    total = count_of(data.get("total_count"))
    if isinstance(data.get("attachments"), list) and "/attachments" in url:
        return _read_attachments(url, data["attachments"])
    if isinstance(data.get("records"), list):
        maker = ListingMaker(url, NAME, "records")
        _follow(maker, data, len(data["records"]), total)
        return maker.make_page("", total)
    entries = data.get("datasets") if "datasets" in data else data.get("results")
    if isinstance(entries, list) and total is not None:
        maker = ListingMaker(url, NAME, "datasets")
        for entry in dicts_of(entries):
            _read_dataset(maker, next(dicts_of(entry.get("dataset")), entry))
        _follow(maker, data, len(entries), total)
        return maker.make_page("", total)
    dataset = data.get("dataset") if isinstance(data.get("dataset"), dict) else data
    if isinstance(dataset, dict) and "dataset_id" in dataset:
        maker = ListingMaker(url, NAME, "dataset")
        _read_dataset(maker, dataset)
        return maker.make_page("", 1)
    return None


def _read_export(url: str, entries: list[Any]) -> Page | None:
    """The catalogue as one list, without a count."""
    if "/catalog/exports/json" not in url:
        return None
    maker = ListingMaker(url, NAME, "export")
    for entry in dicts_of(entries):
        _read_dataset(maker, entry)
    return maker.make_page("", len(entries))


def _read_first_version(url: str, data: dict[str, Any]) -> Page | None:
    """A search by version 1 of the API, or one dataset; their addresses are other ones."""
    is_search = "nhits" in data
    if not (is_search or "datasetid" in data):
        return None
    maker = ListingMaker(url, NAME, "search" if is_search else "dataset")
    datasets = list(dicts_of(data.get("datasets") if is_search else data))
    root = url.partition("/api/")[0]
    for dataset in datasets:
        name = quote(text_of(dataset.get("datasetid")))
        page = f"{root}/explore/dataset/{name}/"
        _begin(maker, text_of(dataset.get("datasetid")), dig(dataset, "metas"), page)
        rows = count_of(dig(dataset, "metas", "records_count"))
        if name and dataset.get("has_records") and rows != 0:
            maker.add_as(Role.FILE, f"{page}download/?format=csv", format="CSV")
        for attachment in dicts_of(dataset.get("attachments")):
            if place := text_of(attachment.get("id")):
                address = f"{root}/api/datasets/1.0/{name}/attachments/{quote(place)}/"
                _add_attachment(maker, address, attachment)
    total = count_of(data["nhits"]) if is_search else 1
    start = number_in(url, "start", 0)
    if datasets and total is not None and start + len(datasets) < min(total, _MAX_ENTRIES):
        maker.follow_with(with_query(url, start=start + len(datasets)))
    return maker.make_page("", total)


def _begin(maker: ListingMaker, name: str, about: Any, page: str) -> None:
    maker.begin_dataset(
        name,
        text_of(dig(about, "title")) or name,
        description=text_of(dig(about, "description")),
        licence=text_of(dig(about, "license")),
        modified=text_of(dig(about, "modified")),
        page=page,
        publisher=text_of(dig(about, "publisher")),
    )


def _follow(maker: ListingMaker, data: dict[str, Any], count: int, total: int | None) -> None:
    for link in dicts_of(data.get("links")):
        # Version 2.0 has links; 2.1 has none, so that pages are counted.
        if link.get("rel") == "next":
            maker.follow_with(text_of(link.get("href")))
            return
    start = number_in(maker.url, "offset", 0)
    if (
        count
        and total is not None
        and start + count < min(total, _MAX_ENTRIES)
        and "links" not in data
    ):
        maker.follow_with(with_query(maker.url, offset=start + count))


def _read_dataset(maker: ListingMaker, dataset: dict[str, Any]) -> None:
    name = text_of(dataset.get("dataset_id"))
    about = dig(dataset, "metas", "default")
    if not name:
        return
    root, _, rest = maker.url.partition("/api/")
    _begin(maker, name, about, f"{root}/explore/dataset/{quote(name)}/")
    version = rest.partition("/catalog/")[0]
    own = f"{root}/api/{version}/catalog/datasets/{quote(name)}"
    rows = count_of(dig(about, "records_count"))
    # The export of an empty dataset is a file with a header line alone.
    if dataset.get("has_records") and rows != 0:
        maker.add_as(Role.FILE, f"{own}/exports/csv", format="CSV")
    for attachment in dicts_of(dataset.get("attachments")):
        place, about = text_of(attachment.get("id")), attachment.get("metas") or attachment
        reference = text_of(attachment.get("href")) or text_of(attachment.get("url"))
        if place:
            _add_attachment(maker, f"{own}/attachments/{quote(place)}", about)
        elif reference.startswith(("http://", "https://", "/")):
            _add_attachment(maker, reference, about)
    for export in dicts_of(dataset.get("alternative_exports")):
        if "://" in (reference := text_of(export.get("url"))):
            _add_attachment(maker, reference, export)


def _read_attachments(url: str, attachments: list[Any]) -> Page:
    maker = ListingMaker(url, NAME, "attachments")
    for attachment in dicts_of(attachments):
        about = dig(attachment, "metas") or attachment
        _add_attachment(maker, text_of(attachment.get("href")), about)
    return maker.make_page("", len(attachments))


def _add_attachment(maker: ListingMaker, reference: str, about: Any) -> None:
    title, format_ = text_of(dig(about, "title")), text_of(dig(about, "mimetype"))
    format_ = format_ or text_of(dig(about, "mime-type"))
    maker.add_as(Role.FILE, reference, title, format=format_)


PLATFORM = Platform(
    NAME,
    "Opendatasoft",
    read_json=read,
    endpoints=endpoints,
    signs=(
        Sign(b"static.opendatasoft.com"),
        Sign(b"ods-widgets"),
    ),
)
