"""`datasets.csv`: the list of what was found, for a spreadsheet."""

import csv
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from datahound.files import storage_errors, write_whole
from datahound.text import guard_formula

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
