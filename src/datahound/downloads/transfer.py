"""Receive one body into a partial file: from the start, or from the byte where it broke off.

A note beside the bytes names their URL, so that a later run can resume.
"""

import asyncio
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from functools import partial
from io import FileIO
from pathlib import Path
from typing import TypeVar

from datahound.errors import StorageError
from datahound.files import make_folder
from datahound.settings import DownloadSettings
from datahound.web.messages import Body, NoAnswer, OpenBody, content_length, read_step, unpacking

T = TypeVar("T")

# Enough to tell the type of a file by its leading bytes.
_BEGINNING_BYTES = 4096
# What naming, resuming and the ledger need; cookies and the like are not written to the disk.
_KEPT_HEADERS = (
    "content-disposition",
    "content-encoding",
    "content-length",
    "content-type",
    "etag",
    "last-modified",
)
_VALIDATORS = ("etag", "last-modified")
_LONGEST_VALIDATOR = 1000
_STEP = 256 << 10


class TooLarge(Exception):
    """A file is larger than the user allows."""


class PartialFile:
    """The bytes of one body, received in pieces; the file is created with the first piece.

    Its methods block: call them with `run_in_thread`.
    """

    def __init__(self, path: Path, url: str) -> None:
        self.path = path
        self.url = url
        self.headers: dict[str, str] = {}
        self.size = 0
        self.beginning = b""
        self.sha256 = hashlib.sha256()
        self.result = path
        """The path of the decoded bytes, once they are decoded."""
        # Unbuffered: on a full disk, closing must not have anything left to write.
        self._file: FileIO | None = None

    def begin(self, headers: Mapping[str, str]) -> None:
        """Discard all bytes and start again with the headers of a new body."""
        self.close()
        self.headers = {name: headers[name] for name in _KEPT_HEADERS if name in headers}
        for name in _VALIDATORS:
            # Sent back with a request, so that servers would refuse the headers as too large.
            if len(self.headers.get(name, "")) > _LONGEST_VALIDATOR:
                del self.headers[name]
        self.result = self.path
        self._reset()

    def recover(self) -> None:
        """Continue with the bytes of an earlier process, if they belong to the same URL."""
        try:
            note = json.loads(self._note.read_text("utf-8"))
            # With two links, it is a finished file whose removal a crash prevented.
            is_whole = self.path.lstat().st_nlink == 1 and not self.path.is_symlink()
            # The name is a hash cut short: the note says whether the bytes are really of this URL.
            if note["url"] == self.url and is_whole:
                self._file = self.path.open("r+b", buffering=0)
                self.headers = {name: str(note["headers"][name]) for name in note["headers"]}
                self._hash_file(self._file)
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            self.close()
            self._reset()

    def append(self, data: bytes) -> None:
        if self._file is None:
            # Not with all parents: a crawl folder that was deleted must not come back.
            make_folder(self.path.parent.parent)
            make_folder(self.path.parent)
            note = {"url": self.url, "headers": self.headers}
            # A link that somebody put here must not be followed.
            self._note.unlink(missing_ok=True)
            self._note.write_text(json.dumps(note), "utf-8")
            self.path.unlink(missing_ok=True)
            self._file = self.path.open("wb", buffering=0)
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]
        self._count(data)

    def seal(self) -> None:
        """End the file and flush it to the disk."""
        # An empty body is a file, too, and was never opened.
        if self._file is None:
            self.append(b"")
        if self._file is not None:
            os.fsync(self._file.fileno())
        self.close()

    def unpack(self, encodings: str, limit: int | None) -> None:
        """Decode the bytes into a second file; size and hash are of that file from now on."""
        self.result = self.path.with_suffix(".unpacked")
        self._reset()
        with self.path.open("rb") as source, self.result.open("wb") as target:
            stream = unpacking(source, encodings, limit)
            while data := read_step(stream):
                target.write(data)
                self._count(data)
                if limit is not None and self.size > limit:
                    raise TooLarge
            target.flush()
            os.fsync(target.fileno())

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def remove(self) -> None:
        """Remove every file of this body that was not moved."""
        self.close()
        for path in (self.path, self.path.with_suffix(".unpacked"), self._note):
            path.unlink(missing_ok=True)

    @property
    def _note(self) -> Path:
        return self.path.with_suffix(".json")

    def _reset(self) -> None:
        self.size, self.beginning, self.sha256 = 0, b"", hashlib.sha256()

    def _count(self, data: bytes) -> None:
        self.size += len(data)
        self.sha256.update(data)
        if len(self.beginning) < _BEGINNING_BYTES:
            self.beginning += data[: _BEGINNING_BYTES - len(self.beginning)]

    def _hash_file(self, file: FileIO) -> None:
        while data := file.read(_STEP):
            self._count(data)


async def run_in_thread(work: Callable[..., T], *arguments: object) -> T:
    """Run disk work in a thread, to its end even if the caller is cancelled meanwhile."""
    loop = asyncio.get_running_loop()
    done = loop.run_in_executor(None, partial(work, *arguments))
    try:
        return await asyncio.shield(done)
    except asyncio.CancelledError:
        # A thread cannot be cancelled: leaving it behind would write into a file that is reused.
        await asyncio.wait([done])
        done.exception()
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise StorageError(f"{where}files can't be kept: {error.strerror or error}") from None


_PARTIAL = 206
_NO_SUCH_RANGE = 416
_FLUSH = 256 << 10


class Transfer:
    """A partial file, and the open body that fills it, if any."""

    def __init__(self, part: PartialFile, body: Body | None) -> None:
        self.part = part
        self.body = body
        self.may_continue = True
        """Whether all ranges that the server has sent so far were what it said."""
        if body is not None and body.status == _PARTIAL:
            # No range was requested, so the range is arbitrary: request the whole body again.
            self.close_body()

    @property
    def expected(self) -> int | None:
        """The promised length of the whole body."""
        return content_length(self.part.headers)

    def close_body(self) -> None:
        if self.body is not None:
            self.body.close()
            self.body = None


class LeastSpeed:
    """Raises `NoAnswer` when a body comes in slower than a file may."""

    def __init__(self, settings: DownloadSettings, now: Callable[[], float]) -> None:
        self._least = settings.min_bytes_per_second
        self._seconds = settings.slow_seconds
        self._now = now
        self._since = now()
        self._received = 0

    def count(self, received: int) -> None:
        """Judge the speed each time that the measured seconds are over."""
        self._received += received
        elapsed = self._now() - self._since
        if elapsed < self._seconds:
            return
        if self._received < self._least * elapsed:
            raise NoAnswer(f"slower than {self._least:g} bytes per second")
        self._since, self._received = self._now(), 0


async def receive_body(
    transfer: Transfer, open_body: OpenBody, limit: int | None, on_bytes: Callable[[int], None]
) -> None:
    """Stream the rest of a body into its partial file; raises `NoAnswer` if it is cut short."""
    part = transfer.part
    body = transfer.body or await _reopen(transfer, open_body)
    if body is None:
        return
    before = part.size
    waiting = bytearray()
    try:
        async for chunk in body.chunks():
            waiting += chunk
            on_bytes(len(chunk))
            if limit is not None and part.size + len(waiting) > limit:
                raise TooLarge
            # Chunks of the network are small, and each append costs a thread.
            if len(waiting) >= _FLUSH:
                # Taken first: a write that is cancelled is done all the same, and must not be
                # done again below.
                data, waiting = bytes(waiting), bytearray()
                await run_in_thread(part.append, data)
    finally:
        # Also when cancelled or cut short: a resumed download continues from here.
        if waiting:
            await run_in_thread(part.append, bytes(waiting))
    await _check_length(transfer, body, part.size - before)


async def _check_length(transfer: Transfer, body: Body, received: int) -> None:
    """Raise `NoAnswer` if a body that came whole does not make the file whole."""
    part, expected = transfer.part, transfer.expected
    size = part.size
    promised = _range_length(body.headers) if body.status == _PARTIAL else None
    is_too_long = expected is not None and size > expected
    if body.status == _PARTIAL and (is_too_long or promised not in (None, received)):
        # What came may be any part of the file, so that nothing of it can be used.
        transfer.may_continue = False
        await run_in_thread(part.begin, part.headers)
        raise NoAnswer("its range has other bytes than it says")
    if expected is not None and size != expected:
        raise NoAnswer(f"cut short: {size} of {expected} bytes")


async def _reopen(transfer: Transfer, open_body: OpenBody) -> Body | None:
    """Open the rest of the body, or all of it without range support; None if it is complete."""
    part = transfer.part
    if part.size and part.size == transfer.expected:
        return None
    # Without a validator a range may be of a newer file, and the result of both.
    validator = _choose_validator(part.headers) if transfer.may_continue else ""
    transfer.body = body = await open_body(part.url, part.size if validator else 0, validator)
    if body.status == _PARTIAL and part.size and _continues(body.headers, part):
        return body
    # The range would begin at the end: all bytes are here, only the length was never announced.
    if body.status == _NO_SUCH_RANGE and _range_total(body.headers) == part.size:
        return None
    await run_in_thread(part.begin, body.headers)
    if body.status in (_PARTIAL, _NO_SUCH_RANGE):
        raise NoAnswer("can't be continued")
    return body


def _choose_validator(headers: Mapping[str, str]) -> str:
    """The validator for If-Range, or ''; a weak ETag is not allowed there."""
    tag = headers.get("etag", "")
    return tag if tag.startswith('"') else headers.get("last-modified", "")


def _continues(headers: Mapping[str, str], part: PartialFile) -> bool:
    """Whether a range begins where the partial file ends, and belongs to the same file."""
    begins = _range_of(headers).startswith(f"{part.size}-")
    total, expected = _range_total(headers), content_length(part.headers)
    same_length = total is None or expected in (None, total)
    same_encoding = headers.get("content-encoding", "") == part.headers.get("content-encoding", "")
    return begins and same_length and same_encoding and _is_same_version(headers, part.headers)


def _is_same_version(headers: Mapping[str, str], known: Mapping[str, str]) -> bool:
    """Whether a range is of the version that is known; some servers don't heed `If-Range`."""
    tag = headers.get("etag", "")
    if tag not in ("", known.get("etag", "")):
        return False
    dates = headers.get("last-modified", ""), known.get("last-modified", "")
    # A strong tag says enough: machines that share a site may have different dates.
    return tag.startswith('"') or "" in dates or dates[0] == dates[1]


def _range_of(headers: Mapping[str, str]) -> str:
    return headers.get("content-range", "").removeprefix("bytes ")


def _range_length(headers: Mapping[str, str]) -> int | None:
    """The bytes from the first to the last of a range; None if it does not say."""
    first, _, last = _range_of(headers).partition("/")[0].partition("-")
    begin, end = _parse_length(first), _parse_length(last)
    return None if begin is None or end is None else end - begin + 1


def _range_total(headers: Mapping[str, str]) -> int | None:
    return _parse_length(headers.get("content-range", "").rpartition("/")[2])


def _parse_length(text: str) -> int | None:
    # By the rules of any length: `int` refuses thousands of digits.
    return content_length({"content-length": text})
