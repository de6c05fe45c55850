"""Opening `crawl.db`: ours and of this version, or refused clearly."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from datahound.errors import StorageError, UserError
from datahound.runs.schema import APPLICATION_ID, TABLES, UPGRADES, VERSION, VIEWS

_BUSY_SECONDS = 30
_MADE = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"


def create_or_open(path: Path) -> sqlite3.Connection:
    """The database of a crawl, for its one writer; made if it isn't there."""
    with trouble(path):
        connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    """The database of a crawl that may be running, for looking at."""
    if not path.is_file():
        raise UserError(f"{path.parent}: no crawl in this folder (there is no crawl.db)")
    with trouble(path):
        uri = f"{path.absolute().as_uri()}?mode=ro"
        connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS)
        try:
            version = _version(connection, path)
        except BaseException:
            connection.close()
            raise
    if version == 0:
        connection.close()
        raise UserError(f"{path.parent}: no crawl has begun in this folder")
    return connection


@contextmanager
def trouble(path: Path) -> Iterator[None]:
    """SQLite's complaints as one line for the user: a full disk, a folder that can't be written."""
    try:
        yield
    except sqlite3.Error as error:
        raise StorageError(f"{path}: can't be used: {error}") from None


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    version = _version(connection, path)
    connection.execute("PRAGMA journal_mode = WAL")
    # A commit then outlives the process at once, and the machine's power at the next checkpoint.
    connection.execute("PRAGMA synchronous = NORMAL")
    # Copying the log back waits for the disk: a thread does it, see `Store.tidy`.
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    if version == 0:
        connection.executescript(f"BEGIN; {_MADE} {TABLES} {VIEWS} COMMIT;")
    elif version < VERSION:
        steps = "".join(UPGRADES[older] for older in range(version, VERSION))
        connection.executescript(f"BEGIN IMMEDIATE; {_MADE} {steps} COMMIT;")


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """The format's version, one that can be read; 0 for a database that holds nothing yet."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application == 0 and version == 0 and tables == 0:
        return 0
    if application != APPLICATION_ID:
        raise UserError(f"{path}: is not a crawl of Datahound's")
    if version not in (*UPGRADES, VERSION):
        age = "a newer" if version > VERSION else "an older"
        raise UserError(
            f"{path}: was written by {age} version of Datahound (format {version}, this one "
            f"reads {VERSION}); use that version, or another folder"
        )
    return int(version)
