"""Export folders and files: resumable, and never written over foreign files."""

import fcntl
import json
import os
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from datahound.errors import UserError
from datahound.files import storage_errors, write_whole

MADE_BY = "made by datahound"
"""In the first or last bytes of every exported file except WARC files."""

_MARK = ".datahound-export"
_SNIFFED = 4096
_OURS = (b"software: datahound", MADE_BY.encode())


def claim_file(path: Path, *, force: bool) -> None:
    """Refuse a path that holds anything but an export, unless forced."""
    if path.is_dir():
        raise UserError(f"{path}: is a folder; give the name of a file")
    if path.exists() and not force and not _is_ours(path):
        raise UserError(f"{path}: exists and is not an export; --force replaces it")


class ExportFolder:
    """A folder of exported files that records what each was made of, so that a run can resume.

    Use it as a context; it is locked against other exports.
    """

    def __init__(self, path: Path, form: str, *, force: bool) -> None:
        self.path = path
        self._form = form
        with storage_errors(path):
            self._refuse_foreign(force=force)
            path.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(path / _MARK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            self._lock()
            self._made = self._read_records()
        except BaseException:
            os.close(self._fd)
            raise
        self._current: set[str] = set()

    @property
    def scratch(self) -> Path:
        """A folder that is removed after the export."""
        return self.path / ".scratch"

    def has(self, name: str, made_of: str) -> bool:
        """Whether an earlier run wrote the same file; if so, it is kept."""
        if self._made.get(name) != made_of or not (self.path / name).is_file():
            return False
        self._current.add(name)
        return True

    @contextmanager
    def write_file(self, name: str, made_of: str) -> Iterator[Path]:
        """Yield a draft of a file; once it is complete, later runs keep it."""
        with write_whole(self.path / name) as draft:
            yield draft
        self._current.add(name)
        self._made[name] = made_of
        with storage_errors(self.path):
            # Recorded after the file is whole: a crash in between costs one file made again.
            os.write(self._fd, _encode_record({"file": name, "made_of": made_of}))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Unlock; after a block without an error, remove the stale files of earlier runs."""
        try:
            shutil.rmtree(self.scratch, ignore_errors=True)
            if kind is None:
                self._remove_stale()
        finally:
            os.close(self._fd)

    def _remove_stale(self) -> None:
        with storage_errors(self.path):
            for name in self._made.keys() - self._current:
                # The record is a file that anybody may have edited.
                if _is_inside(name):
                    (self.path / name).unlink(missing_ok=True)
            kept = [{"file": name, "made_of": self._made[name]} for name in sorted(self._current)]
            lines = b"".join(map(_encode_record, [{MADE_BY: self._form}, *kept]))
            # In place: the lock is on this file.
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, lines, 0)

    def _refuse_foreign(self, *, force: bool) -> None:
        if not self.path.exists():
            return
        if not self.path.is_dir():
            raise UserError(f"{self.path}: is a file; give the name of a folder")
        if force or (self.path / _MARK).is_file() or not any(self.path.iterdir()):
            return
        raise UserError(f"{self.path}: holds other things; give an empty folder, or --force")

    def _lock(self) -> None:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"{self.path}: another export is writing into it") from None

    def _read_records(self) -> dict[str, str]:
        lines = os.pread(self._fd, os.fstat(self._fd).st_size, 0).splitlines()
        noted = [_decode_record(line) for line in lines]
        forms = {note[MADE_BY] for note in noted if MADE_BY in note}
        if forms - {self._form}:
            raise UserError(f"{self.path}: holds an export of another kind; give another folder")
        os.lseek(self._fd, 0, os.SEEK_END)
        # A newline first: a crash may have cut the last line short.
        os.write(self._fd, b"\n" + _encode_record({MADE_BY: self._form}))
        return {
            note["file"]: note["made_of"]
            for note in noted
            if isinstance(note.get("file"), str) and isinstance(note.get("made_of"), str)
        }


def _is_ours(path: Path) -> bool:
    if not path.is_file():
        return False
    with storage_errors(path), path.open("rb") as file:
        first = file.read(_SNIFFED)
        file.seek(max(0, path.stat().st_size - _SNIFFED))
        # Parquet has its metadata at the end, ZIP its comment.
        last = file.read(_SNIFFED)
    if first.startswith(b"\x1f\x8b"):
        first = _inflate(first)
    return any(mark in first or mark in last for mark in _OURS)


def _inflate(data: bytes) -> bytes:
    try:
        return zlib.decompressobj(wbits=31).decompress(data, _SNIFFED)
    except zlib.error:
        return b""


def _is_inside(name: str) -> bool:
    return not name.startswith(("/", "\\")) and ".." not in name.split("/")


def _encode_record(note: dict[str, str]) -> bytes:
    return json.dumps(note).encode() + b"\n"


def _decode_record(line: bytes) -> dict[str, Any]:
    try:
        note = json.loads(line)
    except ValueError:
        return {}
    return note if isinstance(note, dict) else {}
