"""Files that appear under their names only when they are whole, and never over somebody else's."""

import fcntl
import json
import os
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from datahound.errors import UserError
from datahound.files import storage_errors, write_whole

MADE_BY = "made by datahound"
"""Stands in the first or last bytes of every file that an export writes, but for a WARC file."""

_MARK = ".datahound-export"
_SNIFFED = 4096
_OURS = (b"software: datahound", MADE_BY.encode())


def claim_file(path: Path, *, force: bool) -> None:
    """Refuse a place that holds anything but an export of ours, unless forced."""
    if path.is_dir():
        raise UserError(f"{path}: is a folder; give the name of a file")
    if path.exists() and not force and not _is_ours(path):
        raise UserError(f"{path}: is there already and is no export; --force replaces it")


class ExportFolder:
    """A folder of exported files that remembers what each was made of, so that a run goes on."""

    def __init__(self, path: Path, form: str, *, force: bool) -> None:
        self.path = path
        self._form = form
        with storage_errors(path):
            self._refuse_foreign(force=force)
            path.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(path / _MARK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            self._lock()
            self._made = self._recall()
        except BaseException:
            os.close(self._fd)
            raise
        self._still: set[str] = set()

    @property
    def scratch(self) -> Path:
        """A folder for what lives only as long as the export."""
        return self.path / ".scratch"

    def has(self, name: str, made_of: str) -> bool:
        """Whether an earlier run wrote this very file; it then stays."""
        if self._made.get(name) != made_of or not (self.path / name).is_file():
            return False
        self._still.add(name)
        return True

    @contextmanager
    def making(self, name: str, made_of: str) -> Iterator[Path]:
        """A draft of a file; once it is whole, a run that comes later knows it."""
        with write_whole(self.path / name) as draft:
            yield draft
        self._still.add(name)
        self._made[name] = made_of
        with storage_errors(self.path):
            os.write(self._fd, _line({"file": name, "made_of": made_of}))

    def close(self, *, finished: bool) -> None:
        """Let go; after a finished export, remove what earlier ones wrote and this did not."""
        try:
            shutil.rmtree(self.scratch, ignore_errors=True)
            if finished:
                self._clear()
        finally:
            os.close(self._fd)

    def _clear(self) -> None:
        with storage_errors(self.path):
            for name in self._made.keys() - self._still:
                if _is_inside(name):
                    (self.path / name).unlink(missing_ok=True)
            kept = [{"file": name, "made_of": self._made[name]} for name in sorted(self._still)]
            lines = b"".join(map(_line, [{MADE_BY: self._form}, *kept]))
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

    def _recall(self) -> dict[str, str]:
        lines = os.pread(self._fd, os.fstat(self._fd).st_size, 0).splitlines()
        noted = [_read(line) for line in lines]
        forms = {note[MADE_BY] for note in noted if MADE_BY in note}
        if forms - {self._form}:
            raise UserError(f"{self.path}: holds an export of another kind; give another folder")
        os.lseek(self._fd, 0, os.SEEK_END)
        # After a newline, for a crash may have cut the last line short.
        os.write(self._fd, b"\n" + _line({MADE_BY: self._form}))
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
        last = file.read(_SNIFFED)
    if first.startswith(b"\x1f\x8b"):
        first = _inflated(first)
    return any(mark in first or mark in last for mark in _OURS)


def _inflated(data: bytes) -> bytes:
    try:
        return zlib.decompressobj(wbits=31).decompress(data, _SNIFFED)
    except zlib.error:
        return b""


def _is_inside(name: str) -> bool:
    return not name.startswith(("/", "\\")) and ".." not in name.split("/")


def _line(note: dict[str, str]) -> bytes:
    return json.dumps(note).encode() + b"\n"


def _read(line: bytes) -> dict[str, Any]:
    try:
        note = json.loads(line)
    except ValueError:
        return {}
    return note if isinstance(note, dict) else {}
