"""Dataverse: the search for files, and the files of a dataset."""

from collections.abc import Iterator
from typing import Any

from datahound.model import Page, Role
from datahound.readers.json_text import count_of, dicts_of, dig, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.paging import base_before, number_in, with_query
from datahound.readers.portals.platform import Platform, Sign

NAME = "dataverse"
PAGE_SIZE = 1000
_DEFAULT_SIZE = 10


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    yield "search", f"{base}/api/search?q=*&type=file&per_page={PAGE_SIZE}&start=0"


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if not isinstance(data, dict) or data.get("status") not in ("OK", "ERROR"):
        return None
    if data["status"] == "ERROR":
        remark = text_of(data.get("message")) or "an error"
        return ListingMaker(url, NAME, "error").make_page(remark=remark)
    inner = data.get("data")
    if isinstance(dig(inner, "items"), list):
        return _read_search(url, inner)
    if isinstance(inner, list):
        return _read_files(url, list(dicts_of(inner)))
    # A dataset wraps its newest version; a version has no wrapper.
    version = dig(inner, "latestVersion") or inner
    if isinstance(version, dict) and isinstance(version.get("files"), list):
        return _read_dataset(url, inner, version)
    return None


def _read_search(url: str, data: Any) -> Page:
    maker = ListingMaker(url, NAME, "search")
    items = list(dicts_of(data["items"]))
    for item in items:
        _read_item(maker, item)
    start, total = number_in(url, "start", 0), count_of(data.get("total_count"))
    if items and total is not None and start + len(items) < total:
        maker.follow_with(with_query(url, start=start + len(items)))
    return maker.make_page("", total)


def _read_item(maker: ListingMaker, item: dict[str, Any]) -> None:
    title = text_of(item.get("name"))
    if item.get("type") == "dataset":
        name = text_of(item.get("global_id"))
        maker.begin_dataset(
            name,
            title,
            description=text_of(item.get("description")),
            modified=text_of(item.get("updatedAt")) or text_of(item.get("published_at")),
            publisher=text_of(item.get("publisher")) or text_of(item.get("name_of_dataverse")),
        )
        base = base_before(maker.url, "/api/")
        maker.add_endpoint(
            f"{base}/api/datasets/:persistentId/?persistentId={name}", "dataset", title
        )
    elif item.get("type") == "file":
        _read_file_item(maker, item, title)


def _read_file_item(maker: ListingMaker, item: dict[str, Any], title: str) -> None:
    name = text_of(item.get("dataset_persistent_id")) or text_of(item.get("dataset_id"))
    maker.begin_dataset(name, text_of(item.get("dataset_name")))
    if _is_closed(item):
        return
    address = text_of(item.get("url"))
    if not address and (number := text_of(item.get("file_id"))):
        address = f"{base_before(maker.url, '/api/')}/api/access/datafile/{number}"
    maker.add_as(
        Role.FILE,
        address,
        title,
        format=text_of(item.get("file_content_type")),
        size=item.get("size_in_bytes"),
        modified=text_of(item.get("published_at")),
    )


def _is_closed(file: dict[str, Any]) -> bool:
    """Whether a file answers 403 to all but those who may have it."""
    # The search of newer versions says so, descriptions of datasets always do.
    can_download = file.get("canDownloadFile")
    return can_download is False or (file.get("restricted") is True and can_download is not True)


def _read_dataset(url: str, data: Any, version: dict[str, Any]) -> Page:
    maker = ListingMaker(url, NAME, "dataset")
    fields = dicts_of(dig(version, "metadataBlocks", "citation", "fields"))
    title = next((text_of(f.get("value")) for f in fields if f.get("typeName") == "title"), "")
    licence = text_of(dig(version, "license")) or text_of(dig(version, "termsOfUse"))
    maker.begin_dataset(
        text_of(version.get("datasetPersistentId")) or text_of(dig(data, "identifier")),
        title,
        licence=licence,
        modified=text_of(version.get("lastUpdateTime")),
        page=text_of(dig(data, "persistentUrl")),
        publisher=text_of(dig(data, "publisher")),
    )
    _add_files(maker, list(dicts_of(version["files"])))
    return maker.make_page(title, len(version["files"]))


def _read_files(url: str, entries: list[dict[str, Any]]) -> Page | None:
    """The files of a version, or all versions, the newest first."""
    versions = [entry for entry in entries if isinstance(entry.get("files"), list)]
    if versions:
        # The API lists the newest first.
        return _read_dataset(url, versions[0], versions[0])
    if not any(isinstance(entry.get("dataFile"), dict) for entry in entries):
        return None
    maker = ListingMaker(url, NAME, "files")
    _add_files(maker, entries)
    return maker.make_page("", len(entries))


def _add_files(maker: ListingMaker, files: list[dict[str, Any]]) -> None:
    base = base_before(maker.url, "/api/")
    for file in files:
        about = file.get("dataFile") if isinstance(file.get("dataFile"), dict) else {}
        number = text_of(dig(about, "id"))
        if not number or _is_closed(file):
            continue
        maker.add_as(
            Role.FILE,
            f"{base}/api/access/datafile/{number}",
            text_of(file.get("label")) or text_of(dig(about, "filename")),
            format=text_of(dig(about, "contentType")),
            size=dig(about, "filesize"),
            modified=text_of(dig(about, "creationDate")),
        )


PLATFORM = Platform(
    NAME,
    "Dataverse",
    read_json=read,
    endpoints=endpoints,
    signs=(
        Sign(b"dataset.xhtml?persistentid="),
        Sign(b"dataverse_footer"),
    ),
)
