"""What became of every target: the ledger of files in `crawl.db`, and the list `datasets.csv`."""

import csv
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from datahound.files import storage_errors, write_whole
from datahound.model import FileRecord, Unfinished
from datahound.text import guard_formula

_STARTED = """INSERT INTO file (url, state, part, at) VALUES (?, 'started', ?, ?)
    ON CONFLICT (url) DO UPDATE SET state = 'started', part = excluded.part, at = excluded.at"""
_FINISHED = "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)"
_FAILED = "UPDATE file SET state = ?, note = ?, at = ? WHERE url = ?"
# A file that looks wrong is on the disk all the same.
_SAME_BYTES = "SELECT path FROM file WHERE sha256 = ? AND path IS NOT NULL LIMIT 1"
_KEPT_BYTES = "SELECT coalesce(sum(bytes), 0) FROM file WHERE state IN ('complete', 'suspicious')"
_UNFINISHED = "SELECT url, part FROM file WHERE state IN ('started', 'broken', 'failed')"
# A target may be in the journal before its body is in the ledger: a crash can fall between.
_MISSING = """SELECT t.url, coalesce(f.part, '') FROM target t LEFT JOIN file f ON f.url = t.url
    WHERE f.url IS NULL OR f.state IN ('started', 'broken', 'failed') ORDER BY t.id"""


class LedgerDatabase(Protocol):
    """The database of a crawl, as far as the ledger needs it."""

    clock: Callable[[], float]
    connection: sqlite3.Connection

    def transaction(self) -> AbstractContextManager[None]: ...

    def reading(self) -> AbstractContextManager[None]: ...


class FileLedger:
    """Writes each step down before it returns, so that no file is fetched twice."""

    def __init__(
        self, store: LedgerDatabase, on_end: Callable[[FileRecord], None] | None = None
    ) -> None:
        self._store = store
        self._on_end = on_end

    def started(self, url: str, part: str) -> None:
        self._write(_STARTED, url, part, self._store.clock())

    def finished(self, record: FileRecord) -> None:
        self._write(
            _FINISHED,
            record.url,
            record.status,
            record.file or None,
            record.bytes,
            record.sha256 or None,
            record.mime_type,
            record.last_modified,
            record.note,
            self._store.clock(),
        )
        if self._on_end:
            self._on_end(record)

    def failed(self, url: str, reason: str, final: bool) -> None:  # noqa: FBT001 as agreed
        state = "failed" if final else "broken"
        self._write(_FAILED, state, reason, self._store.clock(), url)
        if final and self._on_end:
            self._on_end(FileRecord(url, "", 0, "", "", "", state, reason))

    def file_with(self, sha256: str) -> str | None:
        found = self._select(_SAME_BYTES, sha256)
        return str(found[0][0]) if found else None

    def kept_bytes(self) -> int:
        """Bytes of all files on the disk."""
        return int(self._select(_KEPT_BYTES)[0][0])

    def unfinished(self) -> list[Unfinished]:
        """Bodies that were begun and not ended."""
        return [Unfinished(url, part or "") for url, part in self._select(_UNFINISHED)]

    def missing(self) -> list[Unfinished]:
        """Every target that is no file yet, whether its body was begun or not."""
        return [Unfinished(url, part) for url, part in self._select(_MISSING)]

    def _write(self, statement: str, *values: object) -> None:
        with self._store.transaction():
            self._store.connection.execute(statement, values)

    def _select(self, statement: str, *values: object) -> list[sqlite3.Row]:
        with self._store.reading():
            return self._store.connection.execute(statement, values).fetchall()


COLUMNS = (
    "url",
    "file",
    "title",
    "page",
    "page_title",
    "mime_type",
    "bytes",
    "sha256",
    "last_modified",
    "found_at",
    "state",
    "note",
)
_ROWS = f"SELECT {', '.join(COLUMNS)} FROM targets"


def write_datasets(connection: sqlite3.Connection, path: Path) -> int:
    """Replace the list by the current one; returns the number of its rows."""
    with write_whole(path) as draft, storage_errors(path):
        return _write_rows(connection, draft)


def rows(connection: sqlite3.Connection) -> Iterator[tuple[object, ...]]:
    """A row for each target, in the order of finding."""
    return iter(connection.execute(_ROWS))


def _write_rows(connection: sqlite3.Connection, draft: Path) -> int:
    count = 0
    # With a byte order mark: without it, Excel reads UTF-8 as an older encoding.
    with draft.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for row in rows(connection):
            writer.writerow([guard_formula(value) for value in row])
            count += 1
    return count
