"""Opening `catalog.db`: ours and of this version, or made anew."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from datahound.catalog.schema import APPLICATION_ID, FILE_NAME, TABLES, VERSION
from datahound.errors import StorageError, UserError

_BUSY_SECONDS = 30
_MADE = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
_SUFFIXES = ("", "-wal", "-shm", "-journal")


def path_of(folder: Path) -> Path:
    """Where the catalogue of a crawl's folder is."""
    return folder / FILE_NAME


def open_to_write(folder: Path) -> sqlite3.Connection:
    """The catalogue of a folder; one of another version, or broken, is made anew."""
    path = path_of(folder)
    with trouble(path):
        if path.exists() and not _is_current(path):
            remove(folder)
        connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version == 0:
                connection.executescript(f"BEGIN IMMEDIATE; {_MADE} {TABLES} COMMIT;")
        except BaseException:
            connection.close()
            raise
    return connection


def open_to_read(folder: Path) -> sqlite3.Connection:
    """The catalogue of a folder, for looking at, while somebody may be writing it."""
    path = path_of(folder)
    if not path.is_file():
        raise UserError(f"{folder}: has no catalogue: run datahound catalog {folder}")
    with trouble(path):
        uri = f"{path.absolute().as_uri()}?mode=ro"
        connection = sqlite3.connect(
            uri, uri=True, timeout=_BUSY_SECONDS, check_same_thread=False, isolation_level=None
        )
        try:
            found = _marks(connection)
        except BaseException:
            connection.close()
            raise
    if found != (APPLICATION_ID, VERSION):
        connection.close()
        raise UserError(f"{path}: is of another version: run datahound catalog {folder}")
    return connection


def is_ready(folder: Path) -> bool:
    """Whether there is a catalogue that this version reads."""
    path = path_of(folder)
    try:
        return path.is_file() and _is_current(path)
    except sqlite3.Error:
        return False


def remove(folder: Path) -> None:
    """Forget the catalogue, if it is ours; it can be made again."""
    path = path_of(folder)
    for suffix in _SUFFIXES:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


@contextmanager
def trouble(path: Path) -> Iterator[None]:
    """Complaints of SQLite and of the file system as one line for the user."""
    try:
        yield
    except sqlite3.Error as error:
        raise StorageError(f"{path}: can't be used: {error}") from None
    except OSError as error:
        raise StorageError(f"{path}: can't be used: {error.strerror or error}") from None


def _is_current(path: Path) -> bool:
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    except sqlite3.DatabaseError:
        return False
    try:
        marks = _marks(connection)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        return False
    finally:
        connection.close()
    if marks[0] not in (0, APPLICATION_ID):
        raise UserError(f"{path}: is not a catalogue of Datahound's")
    return marks == (APPLICATION_ID, VERSION)


def _marks(connection: sqlite3.Connection) -> tuple[int, int]:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return application, version
