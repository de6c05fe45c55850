"""A crawl's journal as one WARC file, with the body of each kept file in its response."""

import hashlib
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import quote

from datahound.archive.archive import key
from datahound.archive.export.source import CrawlSource, ExportTask, KeptFile, Written
from datahound.archive.http_message import parse_head
from datahound.archive.warc.archive import warc_files
from datahound.archive.warc.exchange import URI_CHARACTERS, read_extension, read_url
from datahound.archive.warc.records import format_digest, format_head, new_record_id, write_record
from datahound.archive.warc.scan import Found, NotPerRecordError, open_file, scan
from datahound.errors import ArchiveError, StorageError
from datahound.model import split_query
from datahound.text import show_text
from datahound.web.urls import host_of

# Files may be larger than the memory.
_READ = 1 << 20
_GZIP = b"\x1f\x8b"
_END = b"\r\n\r\n"


class Place(NamedTuple):
    """The place of a record in the WARC file."""

    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Payload:
    """A file as the payload of a record, with what the record says of it."""

    file: Path
    size: int
    sha256: str
    payload_digest: str
    block_digest: str


def digest_file(file: Path, before: bytes) -> Payload:
    """The digests of a file, alone and after the bytes that precede it in the record's block."""
    size = 0
    sha256 = hashlib.sha256()
    # SHA-1 is what WARC tools compare; the SHA-256 is that of our ledger.
    payload = hashlib.sha1(usedforsecurity=False)
    block = hashlib.sha1(before, usedforsecurity=False)
    for data in _parts(file):
        size += len(data)
        for digest in (sha256, payload, block):
            digest.update(data)
    named = [format_digest(digest.digest()) for digest in (payload, block)]
    return Payload(file, size, sha256.hexdigest(), *named)


class WarcWriter:
    """Appends records, each a gzip member of its own."""

    def __init__(self, to: BinaryIO) -> None:
        self._to = to
        self._offset = 0

    def copy(self, fd: int, found: Found) -> Place:
        """Copy a record of another file unchanged."""
        at, end = found.offset, found.offset + found.length
        if os.pread(fd, 2, at) != _GZIP:
            # A plain file: its records are followed by blank lines that the scan does not count.
            return self._put(_packed(_bytes(fd, at, end), _END))
        return self._put(_bytes(fd, at, end))

    def put(self, fields: dict[str, str], block: bytes) -> Place:
        """Write a record from memory."""
        return self._put(_packed([write_record(fields, block)]))

    def put_file(self, fields: dict[str, str], before: bytes, payload: Payload) -> Place:
        """Write a record whose block is a few bytes followed by a file."""
        named = {
            "WARC-Record-ID": new_record_id(),
            **fields,
            "WARC-Payload-Digest": payload.payload_digest,
            "WARC-Block-Digest": payload.block_digest,
            "Content-Length": str(len(before) + payload.size),
        }
        return self._put(_packed(_whole(format_head(named) + before, payload), _END))

    def _put(self, parts: Iterator[bytes]) -> Place:
        begin = self._offset
        for data in parts:
            self._to.write(data)
            self._offset += len(data)
        return Place(begin, self._offset - begin)


def _whole(head: bytes, payload: Payload) -> Iterator[bytes]:
    """The bytes of a record; raises an error if the file changed since it was digested."""
    yield head
    digest, size = hashlib.sha256(), 0
    for data in _parts(payload.file):
        digest.update(data)
        size += len(data)
        yield data
    # The head with the digests is written by now, so the record would be wrong.
    if size != payload.size or digest.hexdigest() != payload.sha256:
        raise StorageError(f"{payload.file}: changed while it was exported; try again")


def _packed(parts: "list[bytes] | Iterator[bytes]", end: bytes = b"") -> Iterator[bytes]:
    packer = zlib.compressobj(wbits=31)
    for data in parts:
        yield packer.compress(data)
    yield packer.compress(end) + packer.flush()


def _bytes(fd: int, at: int, end: int) -> Iterator[bytes]:
    while at < end and (data := os.pread(fd, min(_READ, end - at), at)):
        at += len(data)
        yield data


def _parts(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        while data := opened.read(_READ):
            yield data


_HTTP = "application/http; msgtype=response"
_REVISIT = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_INDEXED = ("response", "revisit", "resource")


class Indexed(NamedTuple):
    """A record as an index has it."""

    url: str
    date: str
    mime: str
    status: int
    digest: str
    place: Place


class _FirstCopy(NamedTuple):
    """The record that holds a payload, for the revisit records of equal ones."""

    url: str
    date: str
    digest: str


Listen = Callable[[Indexed], None]


def write_warc(
    task: ExportTask, to: BinaryIO, name: str, listen: Listen = lambda _: None
) -> Written:
    """Write the journal as a WARC file of this name; `listen` gets the row of each answer."""
    copy = _JournalCopy(task, listen)
    copy.write(to, name)
    return copy.written


class _JournalCopy:
    """Copies a journal, putting the body of every kept file into its response."""

    def __init__(self, task: ExportTask, listen: Listen) -> None:
        self.written = Written({"records": 0, "whole files": 0})
        self._task = task
        self._crawled = task.crawled
        self._listen = listen
        self._kept = {key(kept.url): kept for kept in task.crawled.kept()}
        self._missing = dict.fromkeys(self._kept)
        self._payloads: dict[str, _FirstCopy] = {}

    def write(self, to: BinaryIO, name: str) -> None:
        writer = WarcWriter(to)
        writer.put(_info_fields(name, self._crawled), _info(self._crawled))
        for fd, found in _journal(self._crawled.folder / "pages"):
            self._copy(writer, fd, found)
        # Files that were fetched later are not in the journal: they have no headers.
        for url in list(self._missing):
            self._put_resource(writer, self._kept[url])

    def _copy(self, writer: WarcWriter, fd: int, found: Found) -> None:
        # The export has a warcinfo of its own.
        if found.head.type == "warcinfo" or _is_no_get(found):
            return
        kept = self._kept.get(read_url(found.head)) if _is_cut(found) else None
        if kept is not None and self._put_response(writer, found, kept):
            return
        self._count(_index_row(found, writer.copy(fd, found)))

    def _put_response(self, writer: WarcWriter, found: Found, kept: KeptFile) -> bool:
        """Write the complete response; False if its file is missing or changed."""
        file = self._crawled.file(kept.path)
        if file is None:
            return False
        before = _whole_head(found.block, file.stat().st_size)
        payload = self._verified(file, before, kept)
        if payload is None:
            return False
        uri = found.head.fields["warc-target-uri"]
        self._put(writer, uri, found.head.fields.get("warc-date", ""), before, payload)
        self._missing.pop(key(kept.url), None)
        return True

    def _put_resource(self, writer: WarcWriter, kept: KeptFile) -> None:
        file = self._crawled.file(kept.path)
        payload = self._verified(file, b"", kept) if file else None
        if payload is None:
            self.written.left_out += 1
            self._task.tell(f"{show_text(kept.url)}: its file is missing or was changed since")
            return
        fields = {
            "WARC-Type": "resource",
            "WARC-Target-URI": quote(kept.url, safe=URI_CHARACTERS, errors="replace"),
            "WARC-Date": kept.found_at,
            "Content-Type": show_text(kept.mime_type) or "application/octet-stream",
        }
        place = writer.put_file(fields, b"", payload)
        self.written.counts["whole files"] += 1
        mime = fields["Content-Type"]
        uri, digest = fields["WARC-Target-URI"], payload.payload_digest
        self._count(Indexed(uri, kept.found_at, mime, 200, digest, place))

    def _verified(self, file: Path, before: bytes, kept: KeptFile) -> Payload | None:
        """The file as a payload; None unless it still has the digest it was kept with."""
        try:
            payload = digest_file(file, before)
        except OSError:
            return None
        return payload if kept.sha256 in ("", payload.sha256) else None

    def _put(
        self, writer: WarcWriter, uri: str, date: str, before: bytes, payload: Payload
    ) -> None:
        fields = {"WARC-Type": "response", "WARC-Target-URI": uri, "WARC-Date": date}
        fields["Content-Type"] = _HTTP
        mime, digest = _mime(before), payload.payload_digest
        # Equal files are stored once; the others are revisit records that refer to the first.
        first = self._payloads.get(payload.sha256)
        if first is None:
            place = writer.put_file(fields, before, payload)
            self._payloads[payload.sha256] = _FirstCopy(uri, date, digest)
        else:
            place = writer.put(_revisit_fields(fields, first), before)
            mime = "warc/revisit"
        self.written.counts["whole files"] += 1
        head = parse_head(before)
        self._count(Indexed(uri, date, mime, head.status if head else 200, digest, place))

    def _count(self, row: Indexed | None) -> None:
        self.written.counts["records"] += 1
        self._task.progress("writing records", self.written.counts["records"], 0)
        if row is not None:
            self._listen(row)


def _journal(folder: Path) -> Iterator[tuple[int, Found]]:
    """The whole records of the journal in their order, each with its open file."""
    for path in warc_files(folder) if folder.is_dir() else ():
        with _opened(path) as fd:
            for found in scan(fd):
                yield fd, found


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    try:
        with open_file(path) as fd:
            yield fd
    except (NotPerRecordError, zlib.error):
        raise ArchiveError(f"{path}: is not the recording of a crawl") from None


def _is_no_get(found: Found) -> bool:
    """Whether a record is about a HEAD or a POST: in a replay, its answer would hide the page's.

    The file that a POST has brought is written under its own name.
    """
    if found.head.type == "request":
        return found.block.startswith((b"HEAD ", b"POST "))
    noted = read_extension(found.head)
    if noted is None:
        return False
    return noted.get("purpose") == "probe" or bool(split_query(noted.get("target", ""))[1])


def _is_cut(found: Found) -> bool:
    """Whether a response stops at its headers, because its body went into a file."""
    if found.head.type != "response" or "warc-truncated" not in found.head.fields:
        return False
    head = parse_head(found.block)
    return head is not None and 200 <= head.status < 300 and head.length >= len(found.block)


def _whole_head(block: bytes, size: int) -> bytes:
    """The head of a cut response, with the length of its decoded body."""
    length = b"%d" % size
    lines = []
    for line in block.rstrip(b"\r\n").split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() != b"content-length":
            lines.append(line)
        elif value.strip() != length:
            # What the server sent is kept, under a name that no reader acts on.
            lines.append(b"x-archive-orig-" + line)
    return b"\r\n".join([*lines, b"content-length: " + length, b"", b""])


def _revisit_fields(fields: dict[str, str], first: _FirstCopy) -> dict[str, str]:
    return {
        **fields,
        "WARC-Type": "revisit",
        "WARC-Profile": _REVISIT,
        "WARC-Refers-To-Target-URI": first.url,
        "WARC-Refers-To-Date": first.date,
        "WARC-Payload-Digest": first.digest,
    }


def _index_row(found: Found, place: Place) -> Indexed | None:
    """The index row of a copied record; None unless it is an answer with something to show."""
    head = found.head
    http = parse_head(found.block)
    if head.type not in _INDEXED or http is None or _is_cut(found):
        return None
    digest = head.fields.get("warc-payload-digest", "")
    date = head.fields.get("warc-date", "")
    uri = head.fields.get("warc-target-uri", "")
    return Indexed(uri, date, _mime(found.block), http.status, digest, place)


def _mime(block: bytes) -> str:
    head = parse_head(block)
    named = head.headers.get("content-type", "") if head else ""
    return named.split(";")[0].split(",")[0].strip()


def _info_fields(name: str, crawled: CrawlSource) -> dict[str, str]:
    return {
        "WARC-Type": "warcinfo",
        "WARC-Date": crawled.last_at or crawled.began_at or "1970-01-01T00:00:00Z",
        "WARC-Filename": show_text(name),
        "Content-Type": "application/warc-fields",
    }


def _info(crawled: CrawlSource) -> bytes:
    lines = (
        f"software: {crawled.software}",
        "format: WARC File Format 1.1",
        "conformsTo: https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
        f"isPartOf: {show_text(host_of(crawled.seed))}",
        f"datahound-seed: {show_text(crawled.seed, 5000)}",
    )
    return "".join(f"{line}\r\n" for line in lines).encode()
