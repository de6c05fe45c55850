"""Turning the records of a WARC file into rows of its index."""

from collections.abc import Iterable
from typing import TypeVar

from datahound.archive.archive import key
from datahound.archive.warc.exchange import read_extension, read_message, read_round, read_url
from datahound.archive.warc.index import NewRow, WarcIndex
from datahound.archive.warc.records import RecordHead, strip_brackets
from datahound.archive.warc.scan import Found
from datahound.web.messages import decode_header, parse_fields
from datahound.web.urls import canonical

_Known = TypeVar("_Known")
_ANSWERS = ("response", "resource", "revisit")
# Records that are remembered by id, since a file may hold millions.
_MAX_REMEMBERED = 4096
# Rows are added many at a time, since a call of SQLite costs more than a row.
_BATCH = 500


class RowMaker:
    """Adds what a scan finds to an index, in the order of the recording.

    Responses to requests other than GET and HEAD are left out, unless they are recordings of our
    own queries.
    """

    def __init__(self, index: WarcIndex) -> None:
        self._index = index
        self._number = index.last_number()
        self._rows: list[NewRow] = []
        self._methods: dict[str, str] = {}
        self._recent: dict[str, tuple[int, int]] = {}

    def add(self, found: Found, file: int) -> None:
        head = found.head
        if head.type == "request":
            self._note_method(head, found.block)
        elif head.type == "warcinfo":
            seed = parse_fields(decode_header(found.block)).get("datahound-seed")
            if seed:
                self._index.note_seed(seed)
        elif head.type in _ANSWERS or read_extension(head) is not None:
            self._add_answer(found, file)
        if len(self._rows) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        self._index.add(self._rows)
        self._rows.clear()

    def _add_answer(self, found: Found, file: int) -> None:
        head = found.head
        noted = read_extension(head)
        url = read_url(head)
        method = self._take_method(head)
        # Records such as dns: or urn: answer no fetch; a noted exchange is always one.
        if noted is None and (canonical(url) is None or method not in ("GET", "HEAD")):
            return
        self._number += 1
        probed = method == "HEAD" if noted is None else noted.get("purpose") == "probe"
        row, head_size = _make_row(self._number, url, found, file, probed=probed)
        row = row._replace(round=read_round(noted))
        if noted is not None:
            # Our own revisits say what the server answered: the file is unchanged.
            row = row._replace(refers=None, original=None)
        if noted is not None and "answer" in noted:
            row = row._replace(status=0, content_type="", size=0, location="")
        elif noted is not None:
            row = row._replace(size=int(noted.get("size", row.size)))
        self._rows.append(row)
        _remember(self._recent, head.record_id, (self._number, head_size))

    def _take_method(self, head: RecordHead) -> str:
        for record_id in (head.record_id, *_read_concurrent_ids(head)):
            if record_id in self._methods:
                return self._methods.pop(record_id)
        return "GET"

    def _note_method(self, head: RecordHead, block: bytes) -> None:
        method = decode_header(block[:32].split(b" ", 1)[0]).upper()
        if method == "GET":
            return
        _remember(self._methods, head.record_id, method)
        for record_id in _read_concurrent_ids(head):
            _remember(self._methods, record_id, method)
            # Some tools write the response before its request.
            if record_id in self._recent:
                self._correct_method(record_id, method)

    def _correct_method(self, record_id: str, method: str) -> None:
        """Correct the row of a response whose request record follows it: it was taken for a GET."""
        self.flush()
        # The row may still be waiting in the batch, hence the flush before.
        number, head_size = self._recent[record_id]
        if method == "HEAD":
            self._index.mark_probed(number, head_size)
        else:
            self._index.forget(number)


def _remember(known: dict[str, _Known], record_id: str, value: _Known) -> None:
    """Remember a value for a while: requests and responses lie near each other in a file."""
    known[record_id] = value
    if len(known) > _MAX_REMEMBERED:
        del known[next(iter(known))]


def _read_concurrent_ids(head: RecordHead) -> Iterable[str]:
    named = head.fields.get("warc-concurrent-to", "").split(",")
    return filter(None, (record_id.strip() for record_id in named))


def _make_row(
    number: int, url: str, found: Found, file: int, *, probed: bool
) -> tuple[NewRow, int]:
    head = found.head
    message = read_message(head, found.block)
    row = NewRow(
        number,
        url,
        probed,
        file,
        found.offset,
        found.length,
        message.status,
        _replace_surrogates(message.headers.get("content-type", "")),
        message.head_size if probed else message.size,
        _replace_surrogates(message.headers.get("location", "")),
        head.fields.get("warc-payload-digest", ""),
        None,
        None,
    )
    return (_mark_revisit(row, head) if head.type == "revisit" else row), message.head_size


def _mark_revisit(row: NewRow, head: RecordHead) -> NewRow:
    """A row that waits for its original: for the payload, or (status 304) for everything."""
    refers = key(strip_brackets(head.fields.get("warc-refers-to-target-uri", "")) or row.url)
    return row._replace(refers=refers, original=-1)


def _replace_surrogates(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
