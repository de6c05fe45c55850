"""Ship a crawl folder to object storage: what is new since the last time, the manifest last.

A crawl folder can be resumed from what it holds at any moment, so it can be copied at any moment:
first a snapshot of the databases, then the journal, then the files, which are all at least as new.
A crash between any two uploads leaves the folder as the last manifest describes it.
"""

import hashlib
import os
import shutil
import time
import uuid
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from datahound.files import storage_errors
from datahound.remote.manifest import (
    Manifest,
    Piece,
    Shipped,
    TakenOver,
    read_manifest,
    write_manifest,
)
from datahound.remote.objects import Objects, RemoteError
from datahound.store.folder import Folder
from datahound.store.writer import copy_database, settle_database

FILES = "files"
_JOURNALS = "pages"
_DATABASES = ("crawl.db", "catalog.db")
_PASSING = (".part", "-wal", "-shm", "-journal", ".lock", ".control", ".remote", ".index")
"""Endings of what belongs to a running process, or can be made again."""
_TAIL = 4096
_CHUNK = 1 << 20
_MOST_PART = 64 << 20
"""Bytes of a part of a journal: parts are read into memory."""
_MOST_TRIES = 5
_DATABASE_SHARE = 0.1
"""Databases are copied whole: at most this share of the time goes into it while a crawl runs."""


class FolderShipper:
    """Ships one crawl folder; the process that has taken its manifest over."""

    def __init__(
        self,
        folder: Path,
        objects: Objects,
        shipped: Shipped,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = folder
        self._objects = objects
        self._shipped = shipped
        self._now = now
        self._databases_due = 0.0
        # Only what was here then: a process that was replaced may still add files of its own.
        self._files = {
            key: size for key, size in objects.list(f"{FILES}/") if _size_of(folder / key) == size
        }
        self._documents: dict[str, tuple[int, int]] = {}

    @property
    def shipped(self) -> Shipped:
        return self._shipped

    def ship(self, *, ended: bool = False) -> None:
        """Ship what is new; all of it when the crawl has `ended`."""
        with storage_errors(self._folder):
            self._ship(ended=ended)

    def _ship(self, *, ended: bool) -> None:
        before = self._shipped.manifest
        documents = dict(before.documents)
        if ended or self._now() >= self._databases_due:
            begun = self._now()
            documents.update(self._ship_databases(ended=ended))
            took = self._now() - begun
            self._databases_due = begun + took / _DATABASE_SHARE
        journals = dict(self._ship_journals(before))
        self._ship_files()
        documents.update(self._ship_documents(before))
        manifest = replace(before, documents=documents, journals={**before.journals, **journals})
        if manifest != before:
            self._shipped = write_manifest(self._objects, self._shipped, manifest)
            # After the new manifest: until then a reader may follow the old one.
            for key in before.keys() - manifest.keys():
                self._objects.delete(key)

    def _ship_databases(self, *, ended: bool) -> Iterator[tuple[str, Piece]]:
        for name in _DATABASES:
            source = self._folder / name
            if not source.exists():
                continue
            if ended and not Folder(self._folder).is_claimed():
                # Nobody writes: the file itself is shipped, so that the copy equals it.
                settle_database(source)
                yield name, self._put_document(name, source)
                continue
            with self._draft(name) as draft:
                copy_database(source, draft)
                yield name, self._put_document(name, draft)

    def _ship_journals(self, before: Manifest) -> Iterator[tuple[str, tuple[Piece, ...]]]:
        for path in sorted((self._folder / _JOURNALS).glob("*.warc.gz")):
            name = f"{_JOURNALS}/{path.name}"
            parts = list(before.journals.get(name, ()))
            if parts and not _continues(path, parts):
                parts = []  # a journal that was begun again
            with path.open("rb") as journal:
                journal.seek(sum(part.size for part in parts))
                while data := _read_whole_members(journal.read(_MOST_PART)):
                    # Cut at a member, so that each part is a WARC of its own.
                    parts.append(self._put_part(path.name, data))
                    journal.seek(sum(part.size for part in parts))
            yield name, tuple(parts)

    def _put_part(self, name: str, data: bytes) -> Piece:
        # A new name for each attempt: no process ever writes over the part of another.
        stem = name.removesuffix(".warc.gz")
        key = f"{_JOURNALS}/{stem}-{uuid.uuid4().hex[:12]}.warc.gz"
        self._objects.put(key, data)
        return Piece(key, len(data), hashlib.sha256(data).hexdigest())

    def _ship_files(self) -> None:
        """Ship data files; what is kept under a name does not change, so it is shipped once."""
        for path in _walk(self._folder / FILES):
            key = path.relative_to(self._folder).as_posix()
            size = path.stat().st_size
            if self._files.get(key) == size:
                continue
            if self._objects.create(key, path) is None:
                self._replace_file(key, path)
            self._files[key] = size

    def _replace_file(self, key: str, path: Path) -> None:
        """Replace a file that an earlier process left, perhaps with other bytes."""
        for _ in range(_MOST_TRIES):
            # In this order: a process that takes over after the check may have replaced the file.
            mark = self._objects.find_mark(key)
            self._ensure_own()
            written = (
                self._objects.create(key, path)
                if mark is None
                else self._objects.replace(key, path, mark)
            )
            if written is not None:
                return
        raise RemoteError(f"{key}: was changed by others again and again")

    def _ensure_own(self) -> None:
        """Raise `TakenOver` if another process ships the folder by now."""
        there = read_manifest(self._objects)
        if there.manifest.epoch != self._shipped.manifest.epoch:
            raise TakenOver(f"{self._folder.name}: another process has taken this crawl over")

    def _ship_documents(self, before: Manifest) -> Iterator[tuple[str, Piece]]:
        for path in _walk(self._folder):
            name = path.relative_to(self._folder).as_posix()
            # Data files, journals and databases are shipped by the methods above.
            if name.split("/")[0] in (FILES, _JOURNALS) or name in _DATABASES:
                continue
            found = path.stat()
            seen = (found.st_size, found.st_mtime_ns)
            if self._documents.get(name) == seen and name in before.documents:
                continue
            with self._draft(path.name) as draft:
                # A copy: the crawl may write on between the hash and the upload.
                shutil.copyfile(path, draft)
                yield name, self._put_document(name, draft)
            self._documents[name] = seen

    @contextmanager
    def _draft(self, name: str) -> Iterator[Path]:
        """A path for a copy that is shipped, which is removed afterwards."""
        draft = self._folder / f".{name}.{uuid.uuid4().hex}.part"
        try:
            yield draft
        finally:
            draft.unlink(missing_ok=True)

    def _put_document(self, name: str, path: Path) -> Piece:
        """Ship a document under a name made of its content: older manifests keep theirs."""
        sha256, size = hash_file(path)
        known = self._shipped.manifest.documents.get(name)
        if known and known.sha256 == sha256:
            return known
        # With the epoch: a process that was replaced may still remove what its own shipments need
        # no longer, and the same bytes may be needed again.
        key = f"state/{self._shipped.manifest.epoch}-{sha256[:16]}/{name}"
        self._objects.put(key, path)
        return Piece(key, size, sha256)


def hash_file(path: Path) -> tuple[str, int]:
    """Return the SHA-256 and the size of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return digest, file.tell()


def _walk(folder: Path) -> Iterator[Path]:
    """Every file of a folder, but those that only a running process needs."""
    for parent, folders, names in os.walk(folder):
        # In place: `os.walk` goes into what is left in the list.
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(parent, name)
            if not name.startswith(".") and not name.endswith(_PASSING) and path.is_file():
                yield path


def _size_of(path: Path) -> int | None:
    return path.stat().st_size if path.is_file() else None


def _continues(path: Path, parts: list[Piece]) -> bool:
    """Whether a journal begins with what was shipped of it: its last shipped part is compared."""
    last = parts[-1]
    start = sum(part.size for part in parts[:-1])
    digest = hashlib.sha256()
    with path.open("rb") as journal:
        journal.seek(start)
        left = last.size
        while left > 0 and (data := journal.read(min(left, _CHUNK))):
            digest.update(data)
            left -= len(data)
    return left == 0 and digest.hexdigest() == last.sha256


def _read_whole_members(data: bytes) -> bytes:
    """The gzip members at the beginning of `data` that are complete: whole WARC records."""
    end = 0
    while end < len(data):
        # 31: gzip, with its header, and the largest window.
        unpacker = zlib.decompressobj(wbits=31)
        position = end
        while not unpacker.eof and position < len(data):
            try:
                # In pieces that are thrown away: a member may unpack to gigabytes.
                unpacker.decompress(data[position : position + _CHUNK], _CHUNK)
                while unpacker.unconsumed_tail and not unpacker.eof:
                    unpacker.decompress(unpacker.unconsumed_tail, _CHUNK)
            except zlib.error:
                return data[:end]
            position += _CHUNK
        if not unpacker.eof:
            break
        end = min(position, len(data)) - len(unpacker.unused_data)
    return data[:end]
