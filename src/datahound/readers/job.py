"""Decode and read one body, and send the result from a worker process as plain data.

The result is a list of short records, so that reading one of them does not block an event loop.
"""

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, fields, replace
from sys import intern
from typing import Any, Protocol

from datahound.model import (
    Entry,
    Link,
    ListedDataset,
    Listing,
    Page,
    QueriedTable,
    ReadingFailure,
    Response,
    Role,
)
from datahound.readers import Readers, may_name_files, read_listing
from datahound.settings import PageSettings
from datahound.web.messages import unpack

_AT_ONCE = 500
"""Rows per record: some milliseconds of work for the event loop that takes it."""


def pack_listing(
    listing: Listing | None, tables: Iterable[QueriedTable] = ()
) -> list[dict[str, Any]]:
    """A listing as records; no records for None."""
    if listing is None:
        return []
    head = {"listing": [listing.platform, listing.request, listing.total, listing.remark]}
    datasets = [list(astuple(dataset)) for dataset in listing.datasets]
    entries = [_entry_row(entry) for entry in listing.entries]
    named = (("datasets", datasets), ("entries", entries))
    rows = [{name: some} for name, all_rows in named for some in _cut(all_rows, _AT_ONCE)]
    return [head, *rows, *(record for table in tables for record in _pack_table(table))]


class ListingReader:
    """Takes the records of a listing, one after the other."""

    def __init__(self) -> None:
        self._head: list[Any] | None = None
        self._datasets: list[ListedDataset] = []
        self._entries: list[Entry] = []
        self._tables: list[QueriedTable] = []

    def take(self, record: dict[str, Any]) -> None:
        """Take a record; parts that do not belong to a listing are ignored."""
        self._head = record.get("listing", self._head)
        self._datasets.extend(ListedDataset(*row) for row in record.get("datasets", ()))
        self._entries.extend(_make_entry(*row) for row in record.get("entries", ()))
        if "table" in record:
            self._tables.append(_make_table(*record["table"]))
        if "values" in record:
            self._tables[-1] = _add_values(self._tables[-1], *record["values"])

    @property
    def tables(self) -> tuple[QueriedTable, ...]:
        """The tables that came with the listing."""
        return tuple(self._tables)

    @property
    def listing(self) -> Listing | None:
        """The listing, if there was one."""
        if self._head is None:
            return None
        platform, request, total, remark = self._head
        what = (tuple(self._datasets), tuple(self._entries))
        return Listing(platform, request, total, *what, remark)


def _entry_row(entry: Entry) -> list[Any]:
    return [
        entry.url,
        entry.role.value,
        entry.title,
        entry.format,
        entry.size,
        entry.modified,
        entry.licence,
        entry.dataset,
    ]


def _make_entry(url: str, role: str, *rest: Any) -> Entry:
    return Entry(url, Role(role), *rest)


def _pack_table(table: QueriedTable) -> Iterator[dict[str, Any]]:
    names = [name for name, _ in table.axes]
    yield {"table": [table.url, table.title, table.size, names, table.dataset, table.most]}
    for place, (_, values) in enumerate(table.axes):
        yield from ({"values": [place, list(some)]} for some in _cut(values, _AT_ONCE))


def _make_table(url: str, title: str, size: int, names: list[str], *rest: Any) -> QueriedTable:
    return QueriedTable(url, title, size, tuple((name, ()) for name in names), *rest)


def _add_values(table: QueriedTable, place: int, values: list[str]) -> QueriedTable:
    axes = list(table.axes)
    name, before = axes[place]
    axes[place] = (name, (*before, *values))
    return replace(table, axes=tuple(axes))


def _cut(items: Sequence[Any], size: int) -> Iterator[Any]:
    """Cut a sequence into parts of this size."""
    return (items[start : start + size] for start in range(0, len(items), size))


Record = dict[str, Any]
_LINK_FIELDS = ("links", "declared", "further", "endpoints", "next_pages", "form_links")
_OWN_RECORDS = (*_LINK_FIELDS, "listing", "tables", "url")
_OTHER_FIELDS = [f.name for f in fields(Page) if f.name not in _OWN_RECORDS]
_BYTES_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class ReadingJob:
    """A payload as a server sent it, and how to read it."""

    url: str
    headers: Mapping[str, str]
    payload: bytes
    limit: int
    """Bytes that it may have when its Content-Encoding is undone."""
    settings: PageSettings | None = None
    """How to read it as a page; None to decode it only."""
    is_list: bool = False
    """Whether it is read for what it lists, whatever its type."""


@dataclass(slots=True)
class ReadBody:
    """A body that was decoded and read, as far as that was possible."""

    body: bytes
    whole: bool = True
    problem: str = ""
    page: Page | None = None
    unreadable: ReadingFailure | None = None

    def add_to(self, response: Response, size: int, *, whole: bool) -> Response:
        """A response with this body, if the payload of this size was received as a whole."""
        return replace(
            response,
            body=self.body,
            size=size,
            truncated=not (self.whole and whole),
            unreadable=self.unreadable,
            page=self.page,
        )


class BodyReading:
    """Does jobs; keeps a reader for each way to read pages."""

    def __init__(self) -> None:
        self._readers: dict[PageSettings, Readers] = {}

    def read(self, job: ReadingJob) -> ReadBody:
        """Decode the payload, and read it as a page if that is asked for."""
        encodings = job.headers.get("content-encoding", "")
        body, whole, problem = unpack(job.payload, encodings, job.limit)
        page = None
        if job.settings is not None and body:
            page = self._read_page(job, body, job.settings, whole=whole)
        return ReadBody(body, whole, problem, page)

    def _read_page(
        self, job: ReadingJob, body: bytes, settings: PageSettings, *, whole: bool
    ) -> Page | None:
        response = Response(job.url, 200, job.headers, body, truncated=not whole)
        if job.is_list:
            return read_listing(response)
        return self._reader(settings).read(response)

    def _reader(self, settings: PageSettings) -> Readers:
        if settings not in self._readers:
            self._readers[settings] = Readers(settings)
        return self._readers[settings]


class BodyReader(Protocol):
    """Decodes and reads bodies, perhaps in a process of its own."""

    async def read(self, job: ReadingJob) -> ReadBody: ...


class InlineReader:
    """Decodes bodies at once and leaves pages to the crawl: for tests and small tools."""

    async def read(self, job: ReadingJob) -> ReadBody:
        # Files that may name others are read here: the client drops the bodies of those that don't.
        is_file = not job.is_list and may_name_files(Response(job.url, 200, job.headers, b""))
        return BodyReading().read(job if is_file else replace(job, settings=None))


def pack_result(job: ReadingJob, result: ReadBody) -> list[Record]:
    """The result as records, mostly one; a body that equals the payload is not sent back."""
    records: list[Record] = []
    if result.body != job.payload:
        parts = [*_cut(result.body, _BYTES_AT_ONCE)] or [b""]
        records += [{"body": base64.b64encode(part).decode()} for part in parts]
    last: Record = {"whole": result.whole, "problem": result.problem, "end": True}
    if (page := result.page) is not None:
        for name in _LINK_FIELDS:
            records += [{name: _pack_links(some)} for some in _cut(getattr(page, name), _AT_ONCE)]
        records += pack_listing(page.listing, page.tables)
        last["page"] = {name: getattr(page, name) for name in _OTHER_FIELDS}
    if len(records) == 1:
        return [{**records[0], **last}]
    return [*records, last]


def _pack_links(links: Sequence[Link]) -> list[object]:
    """Links as plain data; the few tag paths of a page are written once."""
    paths: dict[str, int] = {}
    rows = [
        (
            link.url,
            paths.setdefault(link.tag_path, len(paths)),
            link.anchor,
            link.surrounding,
            link.hint,
        )
        for link in links
    ]
    return [list(paths), rows]


@dataclass(slots=True)
class ResultReader:
    """Takes the records of one job's result, one after the other."""

    job: ReadingJob
    result: ReadBody | None = None
    _body: bytearray | None = None
    _links: dict[str, list[Link]] = field(
        default_factory=lambda: {name: [] for name in _LINK_FIELDS}
    )
    _listing: ListingReader = field(default_factory=ListingReader)
    _whole: tuple[bool, str] = (True, "")
    _page: Page | None = None
    _unreadable: ReadingFailure | None = None

    def take(self, record: Record) -> bool:
        """Take a record; returns whether it was the last one."""
        if "whole" in record:
            self._whole = (bool(record["whole"]), str(record["problem"]))
        if "body" in record:
            self._body = (self._body or bytearray()) + base64.b64decode(record["body"])
        for name, links in self._links.items():
            if name in record:
                links.extend(self._make_links(*record[name]))
        self._listing.take(record)
        if "page" in record:
            found: dict[str, Any] = {name: tuple(some) for name, some in self._links.items()}
            found |= {"listing": self._listing.listing, "tables": self._listing.tables}
            rest = record["page"] | {"unfetchable": tuple(record["page"]["unfetchable"])}
            self._page = Page(self.job.url, **found, **rest)
        if "unreadable" in record:
            self._unreadable = ReadingFailure(record["unreadable"])
        if "end" in record:
            self._finish()
        return self.result is not None

    def _make_links(self, paths: list[str], rows: list[list[Any]]) -> list[Link]:
        # Menus repeat on every page: interned, their texts are kept once.
        paths, page = [intern(path) for path in paths], self.job.url
        return [
            Link(url, paths[path], intern(anchor), surrounding, page, hint=intern(hint))
            for url, path, anchor, surrounding, hint in rows
        ]

    def _finish(self) -> None:
        if self._unreadable:
            self.result = unreadable(self._unreadable)
            return
        body = self.job.payload if self._body is None else bytes(self._body)
        self.result = ReadBody(body, *self._whole, self._page)


def unreadable(reason: ReadingFailure) -> ReadBody:
    """The result of a job that failed: without the body, so that it is not read again."""
    return ReadBody(b"", whole=False, unreadable=reason)
