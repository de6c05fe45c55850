"""SQLite databases, and the attributes of GeoPackages."""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any

from datahound.catalog.readers.task import Limits, Task, Unreadable
from datahound.catalog.tables.column_counts import ColumnCounts
from datahound.catalog.tables.columns import describe_columns
from datahound.catalog.tables.layout import Row, name_columns
from datahound.catalog.tables.profile import SAMPLE_ROWS, Grid, TableProfile, make_profile, to_plain
from datahound.sqlite_files import open_read_only

_TABLES = """SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY rowid"""
_SYSTEM = re.compile(r"sqlite_|gpkg_|rtree_|idx_|geometry_columns|spatial_ref_sys|android_metadata")
_CHUNK = 4000
_MAX_COUNTED = 200_000
_STEPS = 10_000
_GPKG_TITLES = "SELECT table_name, identifier FROM gpkg_contents"


def find_tables(path: Path, task: Task) -> Iterator[TableProfile]:
    """Profile every table that is not the system's, without shapes and other binary columns."""
    with closing(_connect(path, task.limits.seconds / 2)) as connection:
        try:
            names = [str(row[0]) for row in connection.execute(_TABLES)]
            titles = _read_titles(connection) if "gpkg_contents" in names else {}
        except sqlite3.Error as error:
            raise Unreadable(f"broken SQLite: {error}") from None
        for name in names:
            if _SYSTEM.match(name.lower()):
                continue
            try:
                yield _profile(connection, name, titles.get(name) or name, task)
            except sqlite3.Error as error:
                task.note(f'table "{name}": {error}')


def read_rows(path: Path, address: Mapping[str, Any], limits: Limits) -> Iterator[Row]:
    """Read the rows of a table."""
    with closing(_connect(path, limits.seconds * 10)) as connection:
        try:
            yield from connection.execute(_select(address["fields"], address["table"]))
        except sqlite3.Error as error:
            raise Unreadable(f"broken SQLite: {error}") from None


def _connect(path: Path, seconds: float) -> sqlite3.Connection:
    """Open a database that may be hostile: no writes, no functions of its schema, a time limit."""
    try:
        # Final: SQLite would look for a journal beside the file, and make one.
        connection = open_read_only(path, is_final=True)
        # Views and triggers of a hostile file must not call functions.
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
    except sqlite3.Error as error:
        raise Unreadable(f"broken SQLite: {error}") from None
    connection.text_factory = lambda body: body.decode("utf-8", "replace")
    end = monotonic() + seconds
    connection.set_progress_handler(lambda: monotonic() > end, _STEPS)
    return connection


def _profile(connection: sqlite3.Connection, table: str, title: str, task: Task) -> TableProfile:
    fields = _list_fields(connection, table)[: task.limits.columns]
    if not fields:
        raise sqlite3.OperationalError("no columns that can be read")
    counts = [ColumnCounts() for _ in fields]
    sample: list[list[Any]] = []
    rows = 0
    found = connection.execute(_select(fields, table))
    while rows < _MAX_COUNTED and (chunk := found.fetchmany(_CHUNK)):
        plain = [[None if isinstance(c, bytes) else c for c in row] for row in chunk]
        sample = sample or [[to_plain(c) for c in row] for row in plain[:SAMPLE_ROWS]]
        for count, values in zip(counts, zip(*plain, strict=True), strict=True):
            count.add(values)
        rows += len(chunk)
    if rows >= _MAX_COUNTED:
        # Types and values come from the first rows.
        rows = connection.execute(f"SELECT count(*) FROM {_quote(table)}").fetchone()[0]
    columns = describe_columns(name_columns(fields), counts)
    address = {"table": table, "fields": fields, "first": 0, "last": None, "left": 0}
    return make_profile(Grid(f'table "{table}"', address, title), columns, rows, sample)


def _list_fields(connection: sqlite3.Connection, table: str) -> list[str]:
    """The columns without those of binary data, such as the shapes of a GeoPackage."""
    found = connection.execute(f"PRAGMA table_info({_quote(table)})").fetchall()
    # By values and not by declared types, which SQLite does not enforce.
    head = connection.execute(_select([row[1] for row in found], table) + " LIMIT 20").fetchall()
    binary = {n for row in head for n, cell in enumerate(row) if isinstance(cell, bytes)}
    return [str(row[1]) for n, row in enumerate(found) if n not in binary]


def _read_titles(connection: sqlite3.Connection) -> dict[str, str]:
    return {str(name): str(title or "") for name, title in connection.execute(_GPKG_TITLES)}


def _select(fields: list[str], table: str) -> str:
    return f"SELECT {', '.join(map(_quote, fields))} FROM {_quote(table)}"


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
