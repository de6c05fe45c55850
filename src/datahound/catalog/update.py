"""Building the catalogue, and bringing it up to date: only what is new or changed is read."""

import fcntl
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datahound.catalog import database, writer
from datahound.catalog.families import write_families
from datahound.catalog.model import Source
from datahound.catalog.readers.limits import Limits
from datahound.catalog.workers import Job, Workers
from datahound.errors import UserError

__all__ = ["Source", "Updated", "update"]

GONE = "the file is not there"
_COMMIT_SECONDS = 1.0
_SCRATCH = ".catalog"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Updated:
    """What an update did."""

    read: int
    """Files that were looked into."""
    unchanged: int
    """Datasets that were there already."""
    removed: int
    """Datasets whose targets are gone."""


def update(
    folder: Path,
    files: Iterable[Source],
    *,
    again: bool = False,
    limits: Limits | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Updated:
    """Make the catalogue of a crawl's folder say what these files are, and nothing else.

    Stopped in the middle, it goes on where it was. With `again`, every file is read again.
    """
    path = database.path_of(folder)
    with (
        _claimed(folder) as scratch,
        database.trouble(path),
        closing(database.open_to_write(folder)) as connection,
    ):
        job = _Update(folder, connection, {source.url: source for source in files})
        job.plan(again=again)
        with Workers(scratch, limits or Limits(), workers) as pool:
            job.read(pool, progress)
        job.finish()
        return job.result


class _Update:
    """One update: what is there, what is to be read."""

    def __init__(
        self, folder: Path, connection: sqlite3.Connection, sources: dict[str, Source]
    ) -> None:
        self._files = (folder / "files").absolute()
        self._connection = connection
        self._sources = sources
        self._waiting: dict[str, list[Source]] = {}
        self._read = self._removed = 0
        self._changed = False

    @property
    def result(self) -> Updated:
        unread = len(self._sources) - sum(map(len, self._waiting.values()))
        return Updated(self._read, unread, self._removed)

    def plan(self, *, again: bool) -> None:
        """Keep what is the same, list what must be read, forget what is gone."""
        known = writer.known(self._connection)
        looked = {row.sha256: row.id for row in known.values() if row.error != GONE and not again}
        with writer.transaction(self._connection):
            for source in self._sources.values():
                row = known.get(source.url)
                if row is not None and not again and self._is_same(row, source):
                    self._changed |= writer.refresh(self._connection, row, source)
                elif source.sha256 and source.sha256 in looked:
                    writer.copy(self._connection, looked[source.sha256], source)
                    self._changed = True
                else:
                    self._waiting.setdefault(source.sha256 or source.url, []).append(source)
            for url in known.keys() - self._sources.keys():
                writer.remove(self._connection, known[url].id)
                self._removed += 1
        self._changed |= bool(self._removed)

    def read(self, pool: Workers, progress: Progress | None) -> None:
        """Look into what waits, and write down each answer."""
        groups = list(self._waiting.values())
        begun, total = time.monotonic(), len(groups)
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for job, answer in self._answers(pool, groups):
                for source in groups[job.key]:
                    writer.write(self._connection, source, answer)
                self._read += 1
                if time.monotonic() - begun > _COMMIT_SECONDS:
                    self._connection.execute("COMMIT")
                    self._connection.execute("BEGIN IMMEDIATE")
                    begun = time.monotonic()
                if progress:
                    progress(self._read, total)
        finally:
            self._connection.execute("COMMIT")

    def finish(self) -> None:
        """What can only be said about all datasets together."""
        if self._changed or self._waiting:
            self._connection.execute(writer.UNUSED_FACETS)
            write_families(self._connection)
            self._connection.execute("PRAGMA optimize")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _answers(
        self, pool: Workers, groups: list[list[Source]]
    ) -> Iterator[tuple[Job, dict[str, Any]]]:
        jobs = []
        for number, group in enumerate(groups):
            job = Job(number, self._path_of(group[0]), Path(group[0].path).name)
            if job.path.is_file():
                jobs.append(job)
            else:
                yield job, writer.nothing(GONE)
        yield from pool.look_all(jobs)

    def _is_same(self, row: writer.Known, source: Source) -> bool:
        """Whether a dataset need not be read again."""
        if row.sha256 != source.sha256 or not source.sha256:
            return False
        return row.error != GONE or not self._path_of(source).is_file()

    def _path_of(self, source: Source) -> Path:
        path = self._files / source.path
        inside = Path(os.path.normpath(path)).is_relative_to(self._files)
        return path if inside and source.path else self._files / "\0"


@contextmanager
def _claimed(folder: Path) -> Iterator[Path]:
    """A folder for what is unpacked, held by one process at a time; gone at the end."""
    scratch = folder / _SCRATCH
    with database.trouble(folder):
        scratch.mkdir(exist_ok=True)
        fd = os.open(scratch, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"{folder}: another process is cataloguing it") from None
        _empty(scratch)
        yield scratch
        shutil.rmtree(scratch, ignore_errors=True)
    finally:
        os.close(fd)


def _empty(scratch: Path) -> None:
    """Remove what a process that was killed left behind."""
    for entry in scratch.iterdir():
        shutil.rmtree(entry, ignore_errors=True)
