"""Build the catalogue and bring it up to date; only new and changed files are read."""

import fcntl
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datahound.catalog import database, writer
from datahound.catalog.families import write_families
from datahound.catalog.inspect import FileProfile, inspect_all
from datahound.catalog.model import Source
from datahound.catalog.readers.task import Limits
from datahound.errors import UserError

__all__ = ["Source", "Updated", "update"]

_MISSING = "the file is not there"
_COMMIT_SECONDS = 1.0
_SCRATCH = ".catalog"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Updated:
    """What an update did."""

    read: int
    """Files that were read."""
    unchanged: int
    """Datasets that needed no reading."""
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
    """Make the catalogue of a crawl folder describe exactly these files.

    An interrupted update resumes where it stopped. With `again`, every file is read again.
    """
    with (
        _claim_scratch(folder) as scratch,
        database.report_errors(database.locate_catalog(folder)),
        closing(database.open_to_write(folder)) as connection,
    ):
        job = _Update(folder, connection, {source.url: source for source in files})
        job.plan(again=again)
        with closing(job.inspect(scratch, limits or Limits(), workers)) as profiles:
            job.store(profiles, progress)
        job.finish()
        return job.result


class _Update:
    """One update: the sources, and those of them that must be read."""

    def __init__(
        self, folder: Path, connection: sqlite3.Connection, sources: dict[str, Source]
    ) -> None:
        self._files = (folder / "files").absolute()
        self._connection = connection
        self._sources = sources
        self._waiting: dict[str, list[Source]] = {}
        """Sources to be read, by content: equal bytes are read once."""
        self._read = self._removed = 0
        self._changed = False

    @property
    def result(self) -> Updated:
        unread = len(self._sources) - sum(map(len, self._waiting.values()))
        return Updated(self._read, unread, self._removed)

    def plan(self, *, again: bool) -> None:
        """Keep unchanged datasets, list the files to read, remove datasets that are gone."""
        known = writer.read_known(self._connection)
        # A dataset whose file was missing has nothing to copy.
        read = {row.sha256: row.id for row in known.values() if row.error != _MISSING and not again}
        with writer.transaction(self._connection):
            for source in self._sources.values():
                row = known.get(source.url)
                if row is not None and not again and self._is_current(row, source):
                    # The bytes are known, but a link may have got another title or page.
                    self._changed |= writer.refresh_source(self._connection, row, source)
                elif source.sha256 and source.sha256 in read:
                    writer.copy_dataset(self._connection, read[source.sha256], source)
                    self._changed = True
                else:
                    self._waiting.setdefault(source.sha256 or source.url, []).append(source)
            for url in known.keys() - self._sources.keys():
                writer.remove_dataset(self._connection, known[url].id)
                self._removed += 1
        self._changed |= bool(self._removed)

    def inspect(
        self, scratch: Path, limits: Limits, workers: int | None
    ) -> Generator[tuple[list[Source], dict[str, Any]]]:
        """Inspect what waits; yields the sources of each content and its profile."""
        groups = list(self._waiting.values())
        files = []
        for number, group in enumerate(groups):
            path = self._locate(group[0])
            if path.is_file():
                files.append((number, path, Path(group[0].path).name))
            else:
                yield group, FileProfile(error=_MISSING).to_dict()
        with closing(inspect_all(files, scratch, limits, workers)) as profiles:
            for number, profile in profiles:
                yield groups[number], profile

    def store(
        self,
        profiles: Iterable[tuple[list[Source], dict[str, Any]]],
        progress: Progress | None,
    ) -> None:
        """Write profiles as they come, and commit every second."""
        begun, total = time.monotonic(), len(self._waiting)
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            for group, profile in profiles:
                for source in group:
                    writer.write_dataset(self._connection, source, profile)
                self._read += 1
                # A kill costs one second of work; a commit per file would cost more.
                if time.monotonic() - begun > _COMMIT_SECONDS:
                    self._connection.execute("COMMIT")
                    self._connection.execute("BEGIN IMMEDIATE")
                    begun = time.monotonic()
                if progress:
                    progress(self._read, total)
        finally:
            self._connection.execute("COMMIT")

    def finish(self) -> None:
        """Update what depends on all datasets together, if any of them changed."""
        if self._changed or self._waiting:
            self._connection.execute(writer.UNUSED_FACETS)
            write_families(self._connection)
            self._connection.execute("PRAGMA optimize")
            # Leaves one file, which can be copied as it is.
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _is_current(self, row: writer.Known, source: Source) -> bool:
        """Whether a dataset need not be read again."""
        if row.sha256 != source.sha256 or not source.sha256:
            return False
        return row.error != _MISSING or not self._locate(source).is_file()

    def _locate(self, source: Source) -> Path:
        path = self._files / source.path
        inside = Path(os.path.normpath(path)).is_relative_to(self._files)
        # A path that leads out of the folder is treated as missing: no file has a NUL in its name.
        return path if inside and source.path else self._files / "\0"


@contextmanager
def _claim_scratch(folder: Path) -> Iterator[Path]:
    """The scratch folder, locked against other processes; removed after the block."""
    scratch = folder / _SCRATCH
    with database.report_errors(folder):
        scratch.mkdir(exist_ok=True)
        fd = os.open(scratch, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            # On the folder itself: the lock ends with the process, and needs no file of its own.
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"{folder}: another process is cataloguing it") from None
        # A process that was killed leaves its workers' folders behind.
        for entry in scratch.iterdir():
            shutil.rmtree(entry, ignore_errors=True)
        yield scratch
        shutil.rmtree(scratch, ignore_errors=True)
    finally:
        os.close(fd)
