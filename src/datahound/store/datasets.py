"""`datasets.csv`: the list of what was found, for a spreadsheet."""

import csv
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from datahound.errors import StorageError

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
_ACTIVE = ("=", "+", "-", "@", "\t", "\r")


def write_datasets(connection: sqlite3.Connection, path: Path) -> int:
    """Write the list anew, all of it or nothing; how many there are."""
    try:
        return _write(connection, path)
    except OSError as error:
        raise StorageError(f"{path}: can't be written: {error.strerror or error}") from None


def _write(connection: sqlite3.Connection, path: Path) -> int:
    draft = path.with_name(f".{path.name}.part")
    count = 0
    # With a mark at its beginning: without it, Excel takes UTF-8 for something older.
    with draft.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for row in rows(connection):
            writer.writerow([harmless(value) for value in row])
            count += 1
    draft.replace(path)
    return count


def rows(connection: sqlite3.Connection) -> Iterator[tuple[object, ...]]:
    """A row for each target, in the order of finding."""
    return iter(connection.execute(_ROWS))


def harmless(value: object) -> object:
    """A value that no spreadsheet takes for a formula.

    >>> harmless("=HYPERLINK(...)"), harmless("-5 degrees"), harmless("Prices"), harmless(-5)
    ("'=HYPERLINK(...)", "'-5 degrees", 'Prices', -5)
    """
    if isinstance(value, str) and value.startswith(_ACTIVE):
        return f"'{value}"
    return value
