"""Writing WARC records of any size one after the other, in little memory."""

import hashlib
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

from datahound.archive.warc.records import format_digest, format_head, new_record_id, write_record
from datahound.archive.warc.scan import Found
from datahound.errors import StorageError

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
