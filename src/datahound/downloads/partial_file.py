"""A file on its way: what has come of a body so far, on disk beside a note of whose it is."""

import hashlib
import json
import os
from collections.abc import Mapping
from io import FileIO
from pathlib import Path

from datahound.web.content_encoding import read_step, unpacking

BEGINNING = 4096
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


class Part:
    """The bytes of one body, growing; made on disk when the first of them is written.

    Its methods block: they are for threads.
    """

    def __init__(self, path: Path, url: str) -> None:
        self.path = path
        self.url = url
        self.headers: dict[str, str] = {}
        self.size = 0
        self.beginning = b""
        self.sha256 = hashlib.sha256()
        self.result = path
        """Where the bytes are that the file will have."""
        # Without a buffer: closing must have nothing left to write on a disk that is full.
        self._file: FileIO | None = None

    def begin(self, headers: Mapping[str, str]) -> None:
        """Start from nothing, with the headers of the body that comes now."""
        self.close()
        self.headers = {name: headers[name] for name in _KEPT_HEADERS if name in headers}
        self.result = self.path
        self._forget()

    def recover(self) -> None:
        """Take up what an earlier process left, if it is of the same URL."""
        try:
            note = json.loads(self._note.read_text("utf-8"))
            # With two names, it is a finished file that a crash left here too.
            if note["url"] == self.url and self.path.stat().st_nlink == 1:
                self._file = self.path.open("r+b", buffering=0)
                self.headers = {name: str(note["headers"][name]) for name in note["headers"]}
                self._read_again(self._file)
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            self.close()
            self._forget()

    def append(self, data: bytes) -> None:
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            note = {"url": self.url, "headers": self.headers}
            self._note.write_text(json.dumps(note), "utf-8")
            self.path.unlink(missing_ok=True)
            self._file = self.path.open("wb", buffering=0)
        rest = memoryview(data)
        while rest:
            rest = rest[self._file.write(rest) :]
        self._count(data)

    def seal(self) -> None:
        """Nothing more will come: see to it that what came is on the disk."""
        if self._file is None:
            self.append(b"")
        if self._file is not None:
            os.fsync(self._file.fileno())
        self.close()

    def unpack(self, encodings: str, limit: int | None) -> None:
        """Unpack the bytes into a file beside them; size and sum are then of that."""
        self.result = self.path.with_suffix(".unpacked")
        self._forget()
        with self.path.open("rb") as source, self.result.open("wb") as target:
            stream = unpacking(source, encodings)
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
        """Leave nothing behind but what was moved elsewhere."""
        self.close()
        for path in (self.path, self.path.with_suffix(".unpacked"), self._note):
            path.unlink(missing_ok=True)

    @property
    def _note(self) -> Path:
        return self.path.with_suffix(".json")

    def _forget(self) -> None:
        self.size, self.beginning, self.sha256 = 0, b"", hashlib.sha256()

    def _count(self, data: bytes) -> None:
        self.size += len(data)
        self.sha256.update(data)
        if len(self.beginning) < BEGINNING:
            self.beginning += data[: BEGINNING - len(self.beginning)]

    def _read_again(self, file: FileIO) -> None:
        while data := file.read(_STEP):
            self._count(data)
