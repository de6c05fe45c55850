"""InvenioRDM and Zenodo: records with their files."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from datahound.model import Page, Role
from datahound.readers.json_text import count_of, dicts_of, dig, text_of
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.paging import base_before, number_in, with_query
from datahound.readers.portals.platform import Platform, Sign

NAME = "invenio"
PAGE_SIZE = 100
"""What most installations give; Zenodo gives 25 without a login, and says so."""
_LIMIT = re.compile(r"\bgreater than (\d{1,4})\b")
_LONGEST_REMARK = 200
_CLOSED = ("closed", "restricted", "embargoed")
"""Rights of access in the words of older versions."""
_MAX_ENTRIES = 10_000
"""The software answers no page beyond this many records."""


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    yield "records", f"{base}/api/records?q=&size={PAGE_SIZE}&page=1"


def read(url: str, data: Any) -> Page | None:
    """The page of an answer, if it is one of this platform."""
    if not isinstance(data, dict):
        return None
    if data.get("status") == 400 and "/records" in url:
        return _read_refusal(url, data)
    hits = dig(data, "hits", "hits")
    if isinstance(hits, list) and not any("_source" in hit for hit in dicts_of(hits[:3])):
        return _read_search(url, data, list(dicts_of(hits)))
    if isinstance(data.get("entries"), list) and "/files" in url:
        return _read_files(url, data)
    if isinstance(data.get("metadata"), dict) and "/records/" in url:
        maker = ListingMaker(url, NAME, "record")
        _read_record(maker, data)
        return maker.make_page(text_of(dig(data, "metadata", "title")), 1)
    return None


def _read_refusal(url: str, data: dict[str, Any]) -> Page:
    """An error: where the page was too large, the same request with a page as the server has it."""
    maker = ListingMaker(url, NAME, "error")
    messages = [text_of(error.get("messages")) for error in dicts_of(data.get("errors"))]
    remark = " ".join(filter(None, messages)) or text_of(data.get("message"))
    most, asked = _LIMIT.search(remark), number_in(url, "size", 0)
    if most and 0 < int(most[1]) < asked:
        maker.add_endpoint(with_query(url, size=int(most[1])), "records")
    return maker.make_page(remark=remark[:_LONGEST_REMARK])


def _read_search(url: str, data: dict[str, Any], records: list[dict[str, Any]]) -> Page:
    maker = ListingMaker(url, NAME, "records")
    for record in records:
        _read_record(maker, record)
    counted = dig(data, "hits", "total")
    # Elasticsearch 7 made an object of the number.
    total = count_of(dig(counted, "value") if isinstance(counted, dict) else counted)
    page = number_in(url, "page", 1)
    following = text_of(dig(data, "links", "next"))
    size = number_in(url, "size", len(records) or 1)
    if following:
        maker.follow_with(following)
    elif (
        "links" in data
        and records
        and total
        and "page=" in url
        and page * size < min(total, _MAX_ENTRIES)
    ):
        maker.follow_with(with_query(url, page=page + 1))
    return maker.make_page("", total)


def _read_record(maker: ListingMaker, record: dict[str, Any]) -> None:
    name, about = text_of(record.get("id")), record.get("metadata")
    licence = text_of(dig(about, "license")) or text_of(dig(about, "rights"))
    maker.begin_dataset(
        text_of(record.get("doi")) or name,
        text_of(dig(about, "title")),
        description=text_of(dig(about, "description")),
        licence=licence,
        modified=text_of(record.get("modified")) or text_of(record.get("updated")),
        publisher=text_of(dig(about, "publisher")),
        page=text_of(dig(record, "links", "self_html")) or text_of(dig(record, "links", "html")),
    )
    files = record.get("files")
    found = list(dicts_of(files)) if isinstance(files, list) else _entries_of(files)
    base = f"{base_before(maker.url, '/api/')}/api/records/{name}/files"
    for file in found:
        _add_file(maker, file, base)
    # Answers of a search name no files since version 12; records without files say so.
    is_empty = dig(files, "enabled") is False or _is_closed(record)
    if not found and not is_empty and text_of(dig(record, "links", "files")):
        maker.add_endpoint(text_of(dig(record, "links", "files")), "files")


def _is_closed(record: dict[str, Any]) -> bool:
    """Whether the list of a record's files answers 403, which would end the use of the API."""
    rights = text_of(dig(record, "metadata", "access_right"))
    return text_of(dig(record, "access", "files")) == "restricted" or rights in _CLOSED


def _entries_of(files: Any) -> list[dict[str, Any]]:
    """The files of a record, by name or as a list."""
    entries = dig(files, "entries")
    if isinstance(entries, dict):
        return [value for value in entries.values() if isinstance(value, dict)]
    return list(dicts_of(entries))


def _read_files(url: str, data: dict[str, Any]) -> Page:
    maker = ListingMaker(url, NAME, "files")
    for file in dicts_of(data["entries"]):
        _add_file(maker, file, url.partition("?")[0])
    return maker.make_page("", len(data["entries"]))


def _add_file(maker: ListingMaker, file: dict[str, Any], base: str) -> None:
    name = text_of(file.get("key")) or text_of(file.get("filename"))
    address = text_of(dig(file, "links", "content")) or text_of(dig(file, "links", "download"))
    own = text_of(dig(file, "links", "self"))
    if not address:
        # Old answers have the bytes under `self`, new ones a description of them.
        is_content = own.endswith("/content") or "/api/files/" in own
        address = own if is_content else f"{base}/{quote(name)}/content"
    size = file.get("size") if "size" in file else file.get("filesize")
    maker.add_as(Role.FILE, address, name, format=text_of(file.get("mimetype")), size=size)


PLATFORM = Platform(
    NAME, "Invenio", read_json=read, endpoints=endpoints, signs=(Sign(b"invenio-"),)
)
