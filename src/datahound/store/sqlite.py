"""Opening `crawl.db`: ours and of this version, or refused clearly."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from datahound.errors import StorageError, UserError
from datahound.sqlite_files import open_read_only
from datahound.store.folder import Folder
from datahound.store.schema import APPLICATION_ID, TABLES, UPGRADES, VERSION, VIEWS

# A checkpoint of a large log can hold the database for seconds on a slow disk.
_BUSY_SECONDS = 30
_MADE = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"


def create_or_open(path: Path) -> sqlite3.Connection:
    """The database of a crawl, for its one writer; made if it isn't there."""
    with sqlite_errors(path):
        # Opened and closed in a thread, since that waits for the disk; used in another one.
        connection = sqlite3.connect(
            path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    """The database of a crawl that may be running, to read, in the present format.

    An older format is upgraded in place. Where the folder can't be written, or a process of an
    older version works in it, a copy in memory is upgraded instead.
    """
    if not path.is_file():
        raise UserError(f"{path.parent}: no crawl in this folder (there is no crawl.db)")
    with sqlite_errors(path):
        connection = open_read_only(path, timeout=_BUSY_SECONDS)
        try:
            version = _version(connection, path)
            if version in (0, VERSION):
                upgraded = connection
            elif _upgrade_in_place(path):
                upgraded = open_read_only(path, timeout=_BUSY_SECONDS)
            else:
                upgraded = _copy(connection)
        except BaseException:
            connection.close()
            raise
    if upgraded is not connection or version == 0:
        connection.close()
    if version == 0:
        raise UserError(f"{path.parent}: no crawl has begun in this folder")
    return upgraded


def _upgrade_in_place(path: Path) -> bool:
    """Upgrade the file; False if another process works in the folder, or it can't be written."""
    folder = Folder(path.parent)
    if folder.is_claimed():
        return False
    try:
        with folder.claimed():
            create_or_open(path).close()
    except (UserError, StorageError):
        return False
    return True


def _copy(connection: sqlite3.Connection) -> sqlite3.Connection:
    """An upgraded copy in memory."""
    copy = sqlite3.connect(":memory:")
    # The backup sees one moment, even while the older process writes.
    connection.backup(copy)
    _upgrade(copy)
    return copy


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite inside the block into a `StorageError`, which is one line for users."""
    try:
        yield
    except sqlite3.Error as error:
        raise StorageError(f"{path}: can't be used: {error}") from None


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    version = _version(connection, path)
    # Readers (dashboard, status) do not block the crawl, nor it them.
    connection.execute("PRAGMA journal_mode = WAL")
    # A commit then outlives the process at once, and the machine's power at the next checkpoint.
    connection.execute("PRAGMA synchronous = NORMAL")
    # Copying the log back waits for the disk: a thread does it, see `Store.tidy`.
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    if version == 0:
        connection.executescript(f"BEGIN; {_MADE} {TABLES} {VIEWS} COMMIT;")
    elif version < VERSION:
        _upgrade(connection)


def _upgrade(connection: sqlite3.Connection) -> None:
    """Bring an older format to the present one, all of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Asked inside the transaction: another process may have been faster.
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        steps = "".join(UPGRADES[older] for older in range(version, VERSION))
        for statement in _statements(f"{_MADE} {steps}"):
            connection.execute(statement)
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def _statements(script: str) -> Iterator[str]:
    """The statements of a script: `executescript` would commit what was begun before."""
    begun = ""
    for piece in script.split(";"):
        begun += f"{piece};"
        if sqlite3.complete_statement(begun):
            yield begun
            begun = ""


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """The format's version, one that can be read; 0 for a database that holds nothing yet."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    # A crash between creating the file and the first commit leaves an empty database, which is ours
    # to fill.
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application == 0 and version == 0 and tables == 0:
        return 0
    if application != APPLICATION_ID:
        raise UserError(f"{path}: is not the database of a Datahound crawl")
    if version not in (*UPGRADES, VERSION):
        age = "a newer" if version > VERSION else "an older"
        raise UserError(
            f"{path}: was written by {age} version of Datahound (format {version}, this one "
            f"reads {VERSION}); use that version, or another folder"
        )
    return int(version)
