"""The ledger of files in `crawl.db`: the result of each target; and the list `datasets.csv`."""

import csv
import hashlib
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol
from zlib import crc32

from datahound.files import storage_errors, write_whole
from datahound.model import FileRecord, Unfinished
from datahound.store.facts import read_fact, write_fact
from datahound.text import guard_formula
from datahound.web.urls import host_of

_UNCONDITIONAL = 20
"""One check in this many asks for the bytes, to test whether a host's validators are right."""

_DISTRUSTED = "distrusted"
_STARTED = """INSERT INTO file (url, state, part, at) VALUES (?, 'started', ?, ?)
    ON CONFLICT (url) DO UPDATE SET state = 'started', part = excluded.part, at = excluded.at"""
_FINISHED = """INSERT OR REPLACE INTO file
    (url, state, path, size, sha256, mime_type, last_modified, note, at, etag)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
# What the file was before, where it has other bytes now.
_KEEP_VERSION = """INSERT INTO version (url, round, at, path, size, sha256, etag, last_modified)
    SELECT url, ?, ?, path, size, sha256, etag, last_modified FROM file
    WHERE url = ? AND sha256 IS NOT NULL AND sha256 != ?"""
_CONDITIONS = "SELECT etag, last_modified FROM file WHERE url = ? AND path IS NOT NULL"
_SAME_VALIDATOR = """SELECT 1 FROM file WHERE url = ? AND sha256 IS NOT NULL AND sha256 != ?
    AND ((etag != '' AND etag = ?) OR (etag = '' AND ? = '' AND last_modified != ''
        AND last_modified = ?))"""
# An earlier version is kept where the newer one can't be fetched.
_FAILED_AGAIN = """UPDATE file SET state = 'complete', note = ?, at = ?, part = NULL
    WHERE url = ? AND path IS NOT NULL"""
_FAILED = "UPDATE file SET state = ?, note = ?, at = ? WHERE url = ?"
# A file that looks wrong is on the disk all the same.
_SAME_BYTES = """SELECT path FROM file WHERE sha256 = :sha AND path IS NOT NULL
    UNION ALL SELECT path FROM version WHERE sha256 = :sha AND path IS NOT NULL LIMIT 1"""
_KEPT_BYTES = "SELECT coalesce(sum(size), 0) FROM file WHERE state IN ('complete', 'suspicious')"
_UNFINISHED = "SELECT url, part FROM file WHERE state IN ('started', 'broken', 'failed')"
# Neither a file nor a reason why not: this process has not tried them.
_UNTRIED = """SELECT t.url, coalesce(f.part, '') FROM target t LEFT JOIN file f ON f.url = t.url
    WHERE f.url IS NULL OR f.state = 'started' ORDER BY t.id"""
_KEPT = "SELECT url, path, size, sha256 FROM file WHERE path IS NOT NULL ORDER BY path"
_LOSE = """UPDATE file SET state = 'broken', path = NULL, sha256 = NULL, part = NULL, note = ?
    WHERE url = ?"""
# A target may be in the journal before its body is in the ledger: a crash can fall between.
_MISSING = """SELECT t.url, coalesce(f.part, '') FROM target t LEFT JOIN file f ON f.url = t.url
    WHERE f.url IS NULL OR f.state IN ('started', 'broken', 'failed') ORDER BY t.id"""


class LedgerDatabase(Protocol):
    """The database of a crawl, as far as the ledger needs it."""

    clock: Callable[[], float]
    round: int
    connection: sqlite3.Connection

    def transaction(self) -> AbstractContextManager[None]: ...

    def reading(self) -> AbstractContextManager[None]: ...


class LedgerFile(NamedTuple):
    """A file as it was kept."""

    url: str
    path: str
    size: int
    sha256: str | None


def find_size_change(files: Path, file: LedgerFile) -> str:
    """Whether a file is missing or has another size: quick enough for every start."""
    try:
        found = (files / file.path).lstat()
    except OSError:
        return "the file was missing"
    # Not followed if it is a link: somebody else may have put it here.
    if not stat.S_ISREG(found.st_mode) or found.st_size != file.size:
        return "the file was changed"
    return ""


def find_any_change(files: Path, file: LedgerFile) -> str:
    """Whether a file is missing or holds other bytes: all of it is read."""
    change = find_size_change(files, file)
    if change or not file.sha256:
        return change
    with (files / file.path).open("rb") as opened:
        # Read in pieces by the library: a file may be larger than the memory.
        same = hashlib.file_digest(opened, "sha256").hexdigest() == file.sha256
    return "" if same else "the file was changed"


class FileLedger:
    """Records each step before it returns, so that no file is downloaded twice."""

    def __init__(
        self, store: LedgerDatabase, on_end: Callable[[FileRecord], None] | None = None
    ) -> None:
        self._store = store
        self._on_end = on_end

    def started(self, url: str, part: str) -> None:
        self._write(_STARTED, url, part, self._store.clock())

    def finished(self, record: FileRecord) -> None:
        if not record.file and self.has_file(record.url):
            self._stay_with_older(record.url, f"is {record.status}")
            return
        now = self._store.clock()
        with self._store.transaction():
            run = self._store.connection.execute
            same = (record.url, record.sha256, record.etag, record.etag, record.last_modified)
            # Before the row is replaced: it is compared with the bytes that were kept under this
            # ETag or date.
            if run(_SAME_VALIDATOR, same).fetchone():
                self.distrust(host_of(record.url))
            run(_KEEP_VERSION, (self._store.round, now, record.url, record.sha256))
            row = (record.bytes, record.sha256 or None, record.mime_type, record.last_modified)
            status = (record.url, record.status, record.file or None)
            run(_FINISHED, (*status, *row, record.note, now, record.etag))
        if self._on_end:
            self._on_end(record)

    def failed(self, url: str, reason: str, final: bool) -> None:  # noqa: FBT001 as agreed
        state = "failed" if final else "broken"
        if final and self.has_file(url):
            self._stay_with_older(url, f"could not be fetched: {reason}")
            return
        self._write(_FAILED, state, reason, self._store.clock(), url)
        if final and self._on_end:
            self._on_end(FileRecord(url, "", 0, "", "", "", state, reason))

    def _stay_with_older(self, url: str, why: str) -> None:
        """The version that is kept stays in use: a failed refresh must not lose a file."""
        self._write(_FAILED_AGAIN, f"a newer version {why}", self._store.clock(), url)

    def has_file(self, url: str) -> bool:
        return bool(self._select(_CONDITIONS, url))

    def conditions(self, url: str) -> dict[str, str]:
        """The headers that ask for a file only if it has changed; one time in 20 none, to test."""
        found = self._select(_CONDITIONS, url)
        if not found or host_of(url) in self._distrusted():
            return {}
        # By a hash and not by chance: a crawl that is resumed asks the same hosts in the same way.
        if crc32(f"{self._store.round} {url}".encode()) % _UNCONDITIONAL == 0:
            return {}
        names = ("If-None-Match", "If-Modified-Since")
        return {name: value for name, value in zip(names, found[0], strict=True) if value}

    def distrust(self, host: str) -> None:
        """A host gave the validator of other bytes: from now on, it is asked for the bytes."""
        write_fact(self._store.connection, _DISTRUSTED, sorted({*self._distrusted(), host}))

    def _distrusted(self) -> list[str]:
        with self._store.reading():
            hosts: list[str] = read_fact(self._store.connection, _DISTRUSTED) or []
        return hosts

    def file_with(self, sha256: str) -> str | None:
        found = self._select(_SAME_BYTES.replace(":sha", "?1"), sha256)
        return str(found[0][0]) if found else None

    def kept_bytes(self) -> int:
        """Bytes of all files on the disk."""
        return int(self._select(_KEPT_BYTES)[0][0])

    def unfinished(self) -> list[Unfinished]:
        """Bodies that were begun and not ended."""
        return [Unfinished(url, part or "") for url, part in self._select(_UNFINISHED)]

    def missing(self) -> list[Unfinished]:
        """Every target without a file, whether its download has begun or not."""
        return [Unfinished(url, part) for url, part in self._select(_MISSING)]

    def untried(self) -> list[Unfinished]:
        """Targets that have neither a file nor a reason why not."""
        return [Unfinished(url, part) for url, part in self._select(_UNTRIED)]

    def tried(self) -> list[str]:
        """Every URL whose body was requested."""
        return [url for (url,) in self._select("SELECT url FROM file")]

    def kept(self) -> list[LedgerFile]:
        """Every file that should be on the disk."""
        return [LedgerFile(*row) for row in self._select(_KEPT)]

    def find_changes(self, files: Path) -> list[tuple[LedgerFile, str]]:
        """The files that hold other bytes than were kept, and how they differ; all are read."""
        changes = ((file, find_any_change(files, file)) for file in self.kept())
        return [(file, change) for file, change in changes if change]

    def lose_changed(self, files: Path) -> int:
        """Count files that are missing or have another size as lost; how many there are."""
        changes = ((file, find_size_change(files, file)) for file in self.kept())
        lost = [(file, change) for file, change in changes if change]
        if lost:
            self.lose(lost)
        return len(lost)

    def lose(self, lost: list[tuple[LedgerFile, str]]) -> None:
        """Record these files as missing: they are not on the disk as they were stored."""
        with self._store.transaction():
            rows = [(change, file.url) for file, change in lost]
            self._store.connection.executemany(_LOSE, rows)

    def adopt(self, record: FileRecord, files: Path) -> None:
        """Enter a file that is on the disk as the record says."""
        kept = LedgerFile(record.url, record.file, record.bytes, record.sha256)
        if not find_any_change(files, kept):
            self.finished(record)

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
    "first_seen",
    "last_seen",
    "last_changed",
    "versions",
    "gone",
    "dataset_title",
    "description",
    "licence",
    "publisher",
    "source_modified",
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
