"""Open `catalog.db`; a database of another version, or a broken one, is replaced."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from datahound.errors import StorageError, UserError
from datahound.sqlite_files import open_read_only

# "DHNC" in ASCII.
_APPLICATION_ID = 0x44484E43
# Raised with every change of a table: an older catalogue is made again from the files, so no
# upgrades are needed.
_VERSION = 3
_BUSY_SECONDS = 30
_MARK = f"PRAGMA application_id = {_APPLICATION_ID}; PRAGMA user_version = {_VERSION};"
_SUFFIXES = ("", "-wal", "-shm", "-journal")

# `brief` repeats the few columns of `dataset` that searches filter and count by, so that 100,000
# datasets are scanned in some ten milliseconds. `facet` holds each combination of filters once.
# Indexed text is folded already (see `search`), so the tokenizer must not remove diacritics.
_TABLES = """
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE dataset (
    id INTEGER PRIMARY KEY, url TEXT UNIQUE, path TEXT, title TEXT, link_title TEXT, page TEXT,
    page_title TEXT, section TEXT, mime_type TEXT, format TEXT, encoding TEXT, delimiter TEXT,
    bytes INTEGER, sha256 TEXT, found_at TEXT, last_modified TEXT, first_year INTEGER,
    last_year INTEGER, places TEXT, tables INTEGER, statistics INTEGER, rows INTEGER,
    family INTEGER, error TEXT, file_title TEXT, sort_title TEXT, modified TEXT,
    columns_mark TEXT, dataset_title TEXT, description TEXT, licence TEXT, publisher TEXT,
    source_modified TEXT
);
CREATE INDEX dataset_sha256 ON dataset (sha256);
CREATE INDEX dataset_family ON dataset (family);
CREATE INDEX dataset_title ON dataset (sort_title, id);
CREATE INDEX dataset_modified ON dataset (modified, id);
CREATE INDEX dataset_bytes ON dataset (bytes, id);
CREATE INDEX dataset_sorting ON dataset (id, sort_title, modified, bytes);
CREATE TABLE facet (
    id INTEGER PRIMARY KEY, format TEXT, section TEXT, first_year INTEGER, last_year INTEGER,
    statistics INTEGER
);
CREATE UNIQUE INDEX facet_all ON facet
    (format, section, coalesce(first_year, 0), coalesce(last_year, 0), statistics);
CREATE TABLE brief (
    id INTEGER PRIMARY KEY, facet INTEGER, family INTEGER, tables INTEGER, statistics INTEGER,
    rows INTEGER, bytes INTEGER, error INTEGER
);
CREATE TABLE data_table (
    id INTEGER PRIMARY KEY, dataset INTEGER, number INTEGER, place TEXT, address TEXT, title TEXT,
    rows INTEGER, columns INTEGER, number_share REAL, first_year INTEGER, last_year INTEGER,
    places TEXT, statistics INTEGER, fields TEXT, sample TEXT, unit TEXT,
    notes TEXT
);
CREATE UNIQUE INDEX data_table_dataset ON data_table (dataset, number);
CREATE VIRTUAL TABLE search USING fts5 (
    title, columns, dimensions, page,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'", prefix = '2 3 4 5 6'
);
"""


def locate_catalog(folder: Path) -> Path:
    """The path of the catalogue of a crawl folder."""
    return folder / "catalog.db"


def open_to_write(folder: Path) -> sqlite3.Connection:
    """Open the catalogue to write; one that is broken or of another version is replaced."""
    path = locate_catalog(folder)
    with report_errors(path):
        if path.exists() and not _is_current(path):
            remove_catalog(folder)
        connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version == 0:
                connection.executescript(f"BEGIN IMMEDIATE; {_MARK} {_TABLES} COMMIT;")
        except BaseException:
            connection.close()
            raise
    return connection


def open_to_read(folder: Path) -> sqlite3.Connection:
    """Open the catalogue to read, also while another process writes it."""
    path = locate_catalog(folder)
    if not path.is_file():
        raise UserError(f"{folder}: has no catalogue: run datahound catalog {folder}")
    with report_errors(path):
        connection = open_read_only(
            path, timeout=_BUSY_SECONDS, check_same_thread=False, isolation_level=None
        )
        try:
            found = _read_marks(connection)
        except BaseException:
            connection.close()
            raise
    if found != (_APPLICATION_ID, _VERSION):
        connection.close()
        raise UserError(f"{path}: is of another version: run datahound catalog {folder}")
    return connection


def is_ready(folder: Path) -> bool:
    """Whether there is a catalogue that this version can read."""
    path = locate_catalog(folder)
    try:
        return path.is_file() and _is_current(path)
    except sqlite3.Error:
        return False


def remove_catalog(folder: Path) -> None:
    """Remove the catalogue; it can be made again from the files."""
    path = locate_catalog(folder)
    for suffix in _SUFFIXES:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


@contextmanager
def report_errors(path: Path) -> Iterator[None]:
    """Raise errors of SQLite and of the file system as a `StorageError` that names `path`."""
    try:
        yield
    except sqlite3.Error as error:
        raise StorageError(f"{path}: can't be used: {error}") from None
    except OSError as error:
        raise StorageError(f"{path}: can't be used: {error.strerror or error}") from None


def _is_current(path: Path) -> bool:
    try:
        connection = open_read_only(path)
    except sqlite3.DatabaseError:
        return False
    try:
        marks = _read_marks(connection)
    # The database is locked or unreadable, which says nothing about its version: it must not be
    # removed.
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        return False
    finally:
        connection.close()
    # Somebody else's database under our name is never removed.
    if marks[0] not in (0, _APPLICATION_ID):
        raise UserError(f"{path}: is not a catalogue of Datahound")
    return marks == (_APPLICATION_ID, _VERSION)


def _read_marks(connection: sqlite3.Connection) -> tuple[int, int]:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return application, version
