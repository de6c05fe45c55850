"""A partial file: the bytes of a body received so far, with a note that names its URL."""

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
from datahound.web.messages import read_step, unpacking

T = TypeVar("T")

_BEGINNING_BYTES = 4096
_KEPT_HEADERS = (
    "content-disposition",
    "content-encoding",
    "content-length",
    "content-type",
    "etag",
    "last-modified",
)
_STEP = 256 << 10


class TooLarge(Exception):
    """A file is larger than the user wants any to be."""


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
