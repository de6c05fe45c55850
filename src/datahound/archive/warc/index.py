"""The index of recorded WARC files: where the records of each URL lie, and what they are.

An index is an SQLite file that is never changed once it is published: it is built under another
name and renamed. So readers need no locks, and two that build it at once do no harm.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from datahound.archive.archive import Glance
from datahound.errors import ArchiveError
from datahound.sqlite_files import open_read_only

VERSION = 2
"""An index of another version is not upgraded but built again from the recording."""

_SCHEMA = f"""
PRAGMA user_version = {VERSION};
CREATE TABLE IF NOT EXISTS file (
    number INTEGER PRIMARY KEY, name TEXT, size INTEGER, modified_ns INTEGER,
    end INTEGER, fingerprint INTEGER, unpacked TEXT
);
CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS record (
    number INTEGER PRIMARY KEY, url TEXT, probed INTEGER, file INTEGER, offset INTEGER,
    length INTEGER, status INTEGER, content_type TEXT, size INTEGER, location TEXT,
    digest TEXT, refers TEXT, original INTEGER, round INTEGER
);
"""

# Made after a build, when all rows are there: several times faster than row by row.
_LOOKUP = "CREATE INDEX IF NOT EXISTS record_url ON record (url, probed, number)"

_COLUMNS = "number, url, probed, file, offset, length, original"
# Of one round, or of all rounds where it is NULL.
_OF_ROUND = "round = coalesce(?, round)"
_FIND = f"""SELECT {_COLUMNS} FROM record WHERE url = ? AND probed = ? AND {_OF_ROUND}
    ORDER BY number DESC LIMIT 1"""
_ROW = f"SELECT {_COLUMNS} FROM record WHERE number = ?"
# Pages of rows instead of one long query: rows may be added during an iteration.
_ROWS = f"""SELECT {_COLUMNS} FROM record WHERE number > ? AND {_OF_ROUND}
    ORDER BY number LIMIT 1000"""
_ADD = "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_GLANCE = f"""SELECT url, status, content_type, size, location FROM record
    WHERE url = ? AND probed = 0 AND {_OF_ROUND} ORDER BY number DESC LIMIT 1"""
# A revisit has the payload of an earlier record: of the same digest, or else of the same URL.
_RESOLVE = """
CREATE INDEX record_digest ON record (digest) WHERE digest != '' AND original IS NULL;
UPDATE record SET original = coalesce((
    SELECT min(o.number) FROM record AS o
    WHERE o.digest = record.digest AND o.digest != '' AND o.original IS NULL
), (
    SELECT max(o.number) FROM record AS o WHERE o.url = record.refers AND o.probed = 0
    AND o.number < record.number AND o.original IS NULL
), -1) WHERE original = -1;
DROP INDEX record_digest;
UPDATE record SET size = (SELECT o.size FROM record AS o WHERE o.number = record.original)
    WHERE original > 0;
UPDATE record SET (status, content_type, location) = (
    SELECT o.status, o.content_type, o.location FROM record AS o WHERE o.number = record.original
) WHERE original > 0 AND status = 304;
DELETE FROM record WHERE original = -1 AND status = 304;
"""
# The start page is the first that was fetched, but for the robots.txt that some tools begin with.
_FIRST_PAGE = """SELECT url FROM record WHERE probed = 0 AND url NOT LIKE '%://%/robots.txt'
    ORDER BY number LIMIT 1"""
_FIRST = "SELECT url FROM record ORDER BY number LIMIT 1"
_NOTED_SEED = "SELECT value FROM fact WHERE name = 'seed'"
_UNRESOLVED = "SELECT 1 FROM record WHERE original = -1 LIMIT 1"

_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_CORRUPT_INDEX, sqlite3.SQLITE_NOTADB)


class Row(NamedTuple):
    """Where a record lies; `original` is the record that holds a revisit's payload, or -1."""

    number: int
    url: str
    probed: int
    file: int
    offset: int
    length: int
    original: int | None


class NewRow(NamedTuple):
    """A record as it enters the index."""

    number: int
    url: str
    probed: bool
    file: int
    offset: int
    length: int
    status: int
    content_type: str
    size: int
    location: str
    digest: str
    refers: str | None
    original: int | None
    round: int = 0


class IndexedFile(NamedTuple):
    """A file as it was when it was indexed, up to its `end`."""

    number: int
    name: str
    size: int
    modified_ns: int
    end: int
    fingerprint: int
    unpacked: str | None


@dataclass(slots=True)
class Database:
    """The database of an index, which may move from memory to a file."""

    connection: sqlite3.Connection
    in_memory: bool = False


class WarcIndex:
    """Look-ups in an index, and additions to one that is being built.

    Look-ups by URL and listings are of one round of the crawl, or of all rounds (None).
    """

    def __init__(self, database: Database, round_number: int | None = None) -> None:
        self._database = database
        self._round = round_number

    def limit_to_round(self, round_number: int) -> "WarcIndex":
        """The same index, seen from one round."""
        return WarcIndex(self._database, round_number)

    @property
    def in_memory(self) -> bool:
        return self._database.in_memory

    def move_to(self, path: Path) -> None:
        """Move an index from memory into a new file, also for views of it by round."""
        with _wrap_errors():
            connection = _connect_growing(path)
            try:
                self.copy_to(connection)
            except BaseException:
                connection.close()
                raise
        self.close()
        self._database.connection, self._database.in_memory = connection, False

    def copy_to(self, connection: sqlite3.Connection) -> None:
        """Copy all of the index into an empty database."""
        with _wrap_errors():
            self._connection.backup(connection)

    @property
    def _connection(self) -> sqlite3.Connection:
        return self._database.connection

    def find(self, url: str, *, probed: bool) -> Row | None:
        return next(map(Row._make, self._select(_FIND, url, probed, self._round)), None)

    def row(self, number: int) -> Row | None:
        return next(map(Row._make, self._select(_ROW, number)), None)

    def rows(self, after: int = 0) -> Iterator[Row]:
        last = after
        while page := self._select(_ROWS, last, self._round):
            yield from map(Row._make, page)
            last = page[-1][0]

    def glance(self, url: str) -> Glance | None:
        return next(map(Glance._make, self._select(_GLANCE, url, self._round)), None)

    def files(self) -> list[IndexedFile]:
        return list(map(IndexedFile._make, self._select("SELECT * FROM file ORDER BY number")))

    def seed(self) -> str:
        """The start page: as noted, or the first page; '' where nothing was recorded."""
        for statement in (_NOTED_SEED, _FIRST_PAGE, _FIRST):
            for (url,) in self._select(statement):
                return str(url)
        return ""

    def last_number(self) -> int:
        return int(self._select("SELECT coalesce(max(number), 0) FROM record")[0][0])

    def add(self, rows: Iterable[NewRow]) -> None:
        with _wrap_errors():
            self._connection.executemany(_ADD, rows)

    def note_file(self, file: IndexedFile) -> None:
        self._select("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?)", *file)

    def note_seed(self, url: str) -> None:
        """Note the start page, unless one is noted already."""
        self._select("INSERT OR IGNORE INTO fact VALUES ('seed', ?)", url)

    def forget(self, number: int) -> None:
        self._select("DELETE FROM record WHERE number = ?", number)

    def forget_file(self, number: int) -> None:
        self._select("DELETE FROM record WHERE file = ?", number)

    def mark_probed(self, number: int, size: int) -> None:
        self._select("UPDATE record SET probed = 1, size = ? WHERE number = ?", size, number)

    def commit(self) -> None:
        """Make look-ups fast and additions lasting."""
        # Revisits are resolved last: their originals may follow them in another file.
        with _wrap_errors():
            self._connection.execute(_LOOKUP)
            if self._connection.execute(_UNRESOLVED).fetchone():
                self._connection.executescript(_RESOLVE)
            self._connection.commit()

    def close(self) -> None:
        self._connection.close()

    def _select(self, statement: str, *parameters: object) -> list[Any]:
        with _wrap_errors():
            return self._connection.execute(statement, parameters).fetchall()


class DamagedIndex(ArchiveError):
    """An index that can't be read; the recording has all that is needed for a new one."""


@contextlib.contextmanager
def _wrap_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        # Not a full disk: an index must not be thrown away for that.
        is_damaged = getattr(error, "sqlite_errorcode", None) in _DAMAGE
        kind = DamagedIndex if is_damaged else ArchiveError
        raise kind(f"the index of a recorded site can't be used: {error}") from None


def open_published(path: Path) -> WarcIndex | None:
    """The index at a path, for reading; None unless it is one of this version."""
    if not path.is_file():
        return None
    # A published index never changes.
    connection = open_read_only(path, is_final=True, check_same_thread=False)
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        # The version alone does not prove that the file is a complete index.
        connection.execute("SELECT count(*) FROM file").fetchone()
    except sqlite3.DatabaseError:
        version = None
    if version == VERSION:
        return WarcIndex(Database(connection))
    connection.close()
    return None


def open_growing(path: Path) -> WarcIndex:
    """The index at a path, for additions; created unless it is one of this version."""
    known = open_published(path)
    if known is not None:
        known.close()
    else:
        path.unlink(missing_ok=True)
    with _wrap_errors():
        connection = _connect_growing(path)
        try:
            return _create_tables(Database(connection))
        except BaseException:
            connection.close()
            raise


def open_in_memory(copied: WarcIndex | None = None) -> WarcIndex:
    """An index in memory: while it is small, or where no file can be written."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    if copied is not None:
        copied.copy_to(connection)
    return _create_tables(Database(connection, in_memory=True))


def _connect_growing(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False)
    # An index can be made again: it need not be safe on the disk at each step.
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def publish_index(draft: Path, place: Path) -> None:
    """Give a finished index its name, once all of it is on the disk."""
    # Without fsync a power cut could leave the new name on an empty file.
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    draft.replace(place)


def is_sound(path: Path) -> bool:
    """Whether an index that was never published can be trusted after a crash."""
    try:
        connection = sqlite3.connect(path)
        try:
            return bool(connection.execute("PRAGMA integrity_check").fetchone() == ("ok",))
        finally:
            connection.close()
    except sqlite3.DatabaseError:
        return False


def _create_tables(database: Database) -> WarcIndex:
    database.connection.executescript(_SCHEMA)
    return WarcIndex(database)
