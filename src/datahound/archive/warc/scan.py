"""Finding the complete records of a WARC or ARC file, compressed or plain.

Not fastwarc, which stops at the first damaged member, reports a torn last record as an empty one,
and does not read ARC files. `benchmarks/speed/warc_reading.py` has the figures.
"""

import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from datahound.archive.http_message import MAX_BODY
from datahound.archive.warc.records import RecordHead, parse_record_head
from datahound.errors import ArchiveError
from datahound.files import write_whole

_GZIP = b"\x1f\x8b"
# Most records are pages that compress to a few kilobytes: one small read fetches them.
_FIRST_READ = 16 << 10
_READ = 256 << 10
# Nearly every head fits; a longer one is read again up to _MAX_HEAD.
_HEAD_READ = 64 << 10
_MAX_HEAD = 1 << 20
_LINE_ENDS = b"\r\n"
# The line end before it keeps the text "WARC/1.0" inside a page from being taken for a record.
_NEXT_RECORD = re.compile(rb"\nWARC/[01]\.")


class Found(NamedTuple):
    """A complete record: its place in the file, and its block up to the memory limit."""

    offset: int
    length: int
    head: RecordHead
    block: bytes


class NotPerRecordError(Exception):
    """A gzip member that holds anything but one record: it can't be read by its offset."""


@contextmanager
def open_file(path: Path) -> Iterator[int]:
    """A file descriptor for reading."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise ArchiveError(f"{path}: can't be read: {error.strerror or error}") from None
    try:
        yield fd
    finally:
        os.close(fd)


def is_gzip(fd: int) -> bool:
    return os.pread(fd, 2, 0) == _GZIP


def scan(fd: int, start: int = 0) -> Iterator[Found]:
    """Every complete record from an offset on; torn and damaged records are skipped.

    The last record of an ARC file may be shorter than it says: old tools counted inexactly.
    """
    return _scan_gzip(fd, start) if is_gzip(fd) else _scan_plain(fd, start)


def count_damage(path: Path) -> int:
    """Count the places in a WARC file that do not hold a whole record."""
    places, end = 0, 0
    with open_file(path) as fd:
        for found in scan(fd):
            between = os.pread(fd, min(found.offset - end, _READ), end)
            # Line breaks between records are part of the format, anything else is damage.
            places += bool(between.strip(_LINE_ENDS))
            end = found.offset + found.length
        places += bool(os.pread(fd, _READ, end).strip(_LINE_ENDS))
    return places


def cut_damage(path: Path) -> None:
    """Replace a WARC file by its whole records, in their order."""
    with open_file(path) as fd, write_whole(path) as draft, draft.open("wb") as target:
        for found in scan(fd):
            target.write(os.pread(fd, found.length, found.offset))
        target.flush()
        os.fsync(target.fileno())


def read_record(fd: int, offset: int, length: int) -> tuple[RecordHead, bytes]:
    """Head and block of the record that a scan found there."""
    # pread: readers in several threads share the descriptor and no position.
    data = os.pread(fd, min(length, MAX_BODY), offset)
    if data.startswith(_GZIP):
        inflater = zlib.decompressobj(wbits=31)
        data = inflater.decompress(data, MAX_BODY)
        if not inflater.eof and len(data) < MAX_BODY:
            raise ValueError(f"half a record at byte {offset}")
    head = parse_record_head(data)
    if head is None:
        raise ValueError(f"no record at byte {offset}")
    return head, data[head.start : head.end]


def is_foreign_gzip(fd: int) -> bool:
    """Whether a gzip file holds something other than records."""
    first = next(iter(_MemberReader(fd, 0)), b"").lstrip(_LINE_ENDS)
    return bool(first) and not first.startswith(b"WARC/") and parse_record_head(first) is None


def unpack(fd: int, to: BinaryIO) -> None:
    """Write what a gzip file holds, as far as it can be read."""
    at, end = 0, os.fstat(fd).st_size
    while at < end:
        member = _MemberReader(fd, at)
        to.writelines(member)
        if not member.whole:
            return
        at = member.end


class _MemberReader:
    """The content of a gzip member, in bounded parts; then its end, if it is whole."""

    def __init__(self, fd: int, at: int) -> None:
        self.whole = False
        self.end = at
        self._fd = fd

    def __iter__(self) -> Iterator[bytes]:
        inflater = zlib.decompressobj(wbits=31)
        step = _FIRST_READ
        try:
            while not inflater.eof and (raw := os.pread(self._fd, step, self.end)):
                self.end += len(raw)
                # Small records end within the first read; long ones are then read in large steps.
                step = _READ
                yield from _inflate_parts(inflater, raw)
        except zlib.error:
            return
        self.end -= len(inflater.unused_data)
        self.whole = inflater.eof


def _inflate_parts(inflater: "zlib._Decompress", raw: bytes) -> Iterator[bytes]:
    while not inflater.eof:
        data = inflater.decompress(raw, _READ)
        raw = inflater.unconsumed_tail
        yield data
        if not data and not raw:
            return


class _Member(NamedTuple):
    data: bytes
    size: int
    end: int


def _scan_gzip(fd: int, at: int) -> Iterator[Found]:
    end = os.fstat(fd).st_size
    while at < end:
        member = _read_member(fd, at)
        if member is None:
            at = _next_member(fd, at + 1, end)
            continue
        found = _record_in(member, at)
        if found is not None:
            yield found
        at = member.end


def _record_in(member: _Member, at: int) -> Found | None:
    head = parse_record_head(member.data)
    if head is None:
        if member.data.strip(_LINE_ENDS):
            raise NotPerRecordError
        return None
    if head.end > member.size or member.data[head.end : head.end + 64].strip(_LINE_ENDS):
        raise NotPerRecordError
    return Found(at, member.end - at, head, member.data[head.start : head.end])


def _read_member(fd: int, at: int) -> _Member | None:
    """The gzip member at an offset, or None where it is torn or damaged."""
    inflation = _MemberReader(fd, at)
    parts, size = [], 0
    for data in inflation:
        # A bomb is read to its end, which proves the member whole, but not kept.
        if size < MAX_BODY:
            parts.append(data)
        size += len(data)
    return _Member(b"".join(parts), size, inflation.end) if inflation.whole else None


def _next_member(fd: int, at: int, end: int) -> int:
    while at < end:
        data = os.pread(fd, _READ, at)
        # A false match inside compressed data fails to inflate and is skipped in turn.
        found = data.find(b"\x1f\x8b\x08")
        if found >= 0:
            return at + found
        # The magic number may lie across two reads.
        at += max(1, len(data) - 2)
    return end


def _scan_plain(fd: int, at: int) -> Iterator[Found]:
    end = os.fstat(fd).st_size
    while (at := _skip_line_ends(fd, at)) < end:
        head = _head_at(fd, at)
        if head is None or (at + head.end > end and not head.is_arc):
            at = _next_record(fd, at, end)
            continue
        block = os.pread(fd, min(head.length, MAX_BODY), at + head.start)
        length = min(head.end, end - at)
        yield Found(at, length, head, block)
        at += length


def _head_at(fd: int, at: int) -> RecordHead | None:
    data = os.pread(fd, _HEAD_READ, at)
    head = parse_record_head(data)
    if head is None and data.startswith(b"WARC/"):
        return parse_record_head(os.pread(fd, _MAX_HEAD, at))
    return head


def _skip_line_ends(fd: int, at: int) -> int:
    while (data := os.pread(fd, 16, at)) and data[:1] in (b"\r", b"\n"):
        at += len(data) - len(data.lstrip(_LINE_ENDS))
    return at


def _next_record(fd: int, at: int, end: int) -> int:
    while at < end:
        data = os.pread(fd, _READ, at)
        found = _NEXT_RECORD.search(data)
        if found is not None:
            return at + found.start() + 1
        # The version line may lie across two reads.
        at += max(1, len(data) - 8)
    return end
