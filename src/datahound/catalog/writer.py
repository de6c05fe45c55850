"""Write datasets into the catalogue."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from hashlib import sha256
from typing import Any

from datahound.catalog.families import stem_columns
from datahound.catalog.inspect import shorten_error
from datahound.catalog.model import Source
from datahound.catalog.search import index_text
from datahound.catalog.tables.cells import find_years
from datahound.catalog.titles import (
    choose_title,
    find_section,
    is_meaningful,
    order_table_titles,
    split_file_name,
    tidy_text,
)
from datahound.text import fold_text

_KNOWN = """SELECT id, url, path, link_title, page, page_title, mime_type, sha256, last_modified,
    found_at, error, dataset_title, description, licence, publisher, source_modified
    FROM dataset"""
_REMOVE = (
    "DELETE FROM data_table WHERE dataset = ?",
    "DELETE FROM search WHERE rowid = ?",
    "DELETE FROM brief WHERE id = ?",
    "DELETE FROM dataset WHERE id = ?",
)
_COLUMNS = """url, path, title, link_title, page, page_title, section, mime_type, format, encoding,
    delimiter, bytes, sha256, found_at, last_modified, first_year, last_year, places, tables,
    statistics, rows, error, file_title, sort_title, modified,
    columns_mark, dataset_title, description, licence, publisher, source_modified"""
_NAMES = [name.strip() for name in _COLUMNS.split(",")]
_INSERT = f"""INSERT INTO dataset ({_COLUMNS}) VALUES ({", ".join("?" * len(_NAMES))})
    ON CONFLICT (url) DO UPDATE SET {", ".join(f"{n} = excluded.{n}" for n in _NAMES)}
    RETURNING id"""
_TABLE = f"INSERT INTO data_table VALUES (NULL{', ?' * 16})"
_SEARCH = "INSERT INTO search (rowid, title, columns, dimensions, page) VALUES (?, ?, ?, ?, ?)"
_UPDATE_SOURCE = """UPDATE dataset SET path = ?, title = ?, link_title = ?, page = ?,
    page_title = ?, section = ?, mime_type = ?, last_modified = ?, found_at = ?, sort_title = ?,
    modified = ?, dataset_title = ?,
    description = ?, licence = ?, publisher = ?, source_modified = ?
    WHERE id = ?"""
_FILE_TITLE = "SELECT file_title FROM dataset WHERE id = ?"
_TABLE_TITLES = "SELECT title FROM data_table WHERE dataset = ? ORDER BY statistics DESC, number"
_UPDATE_SEARCH = "UPDATE search SET title = ?, page = ? WHERE rowid = ?"
_PROFILE_NAMES = ("format", "encoding", "delimiter", "title", "error")
_SELECT_PROFILE = "SELECT format, encoding, delimiter, file_title, error FROM dataset WHERE id = ?"
_TABLE_NAMES = ("place", "address", "title", "rows", "columns", "number_share", "first_year",
                "last_year", "places", "statistics", "fields", "sample", "unit",
                "notes")  # fmt: skip
_IN_JSON = ("address", "places", "fields", "sample")
_TABLES_OF = f"SELECT {', '.join(_TABLE_NAMES)} FROM data_table WHERE dataset = ? ORDER BY number"
_SAME_TERMS = """UPDATE search SET dimensions =
    (SELECT s.dimensions FROM search s WHERE s.rowid = ?)
    WHERE rowid = ?"""
_BRIEF_NAMES = (
    "format",
    "first_year",
    "last_year",
    "tables",
    "statistics",
    "rows",
    "bytes",
    "error",
)
_FACET = """SELECT id FROM facet WHERE format = ? AND section = ? AND coalesce(first_year, 0) = ?
    AND coalesce(last_year, 0) = ? AND statistics = ?"""
_NEW_FACET = "INSERT INTO facet VALUES (NULL, ?, ?, ?, ?, ?) RETURNING id"
_BRIEF = """INSERT INTO brief VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
    facet = excluded.facet, tables = excluded.tables, statistics = excluded.statistics,
    rows = excluded.rows, bytes = excluded.bytes, error = excluded.error"""
UNUSED_FACETS = "DELETE FROM facet WHERE id NOT IN (SELECT facet FROM brief)"
# A wide table may have thousands of values; the first ones are enough to be found by.
_MAX_INDEXED = 60_000
_MAX_PLACES = 40
_MAX_SORT_KEY = 120


@dataclass(frozen=True, slots=True)
class Known:
    """The source of a dataset as the catalogue has it."""

    id: int
    url: str
    path: str
    title: str
    page: str
    page_title: str
    mime_type: str
    sha256: str
    last_modified: str
    found_at: str
    error: str
    dataset_title: str
    description: str
    licence: str
    publisher: str
    source_modified: str


def read_known(connection: sqlite3.Connection) -> dict[str, Known]:
    """The sources of all datasets, by URL."""
    return {row[1]: Known(*row) for row in connection.execute(_KNOWN)}


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit the block as a whole, or roll it back."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def remove_dataset(connection: sqlite3.Connection, id_: int) -> None:
    """Remove a dataset and its tables."""
    for statement in _REMOVE:
        connection.execute(statement, (id_,))


def refresh_source(connection: sqlite3.Connection, row: Known, source: Source) -> bool:
    """Update the source of a dataset whose bytes are unchanged; True if it differed."""
    before = (row.path, row.title, row.page, row.page_title, row.mime_type, row.last_modified,
              *_list_stated(row))  # fmt: skip
    after = (source.path, source.title, source.page, source.page_title, source.mime_type,
             source.last_modified, *_list_stated(source))  # fmt: skip
    if before == after:
        return False
    (own,) = connection.execute(_FILE_TITLE, (row.id,)).fetchone()
    titles = [title for (title,) in connection.execute(_TABLE_TITLES, (row.id,))]
    link = _link_title(source)
    title = choose_title(link, own or "", titles, source.page_title, source.url)
    section = find_section(source.page, source.url)
    connection.execute(
        _UPDATE_SOURCE,
        (source.path, title, source.title, source.page, source.page_title, section,
         source.mime_type, source.last_modified, source.found_at,
         fold_text(title)[:_MAX_SORT_KEY], _choose_modified(source), *_list_stated(source),
         row.id),
    )  # fmt: skip
    names = ("section", *_BRIEF_NAMES)
    found = connection.execute(f"SELECT {', '.join(names)} FROM dataset WHERE id = ?", (row.id,))
    _write_brief(connection, row.id, dict(zip(names, found.fetchone(), strict=True)))
    connection.execute(_UPDATE_SEARCH, (*_index_source(source, title, own or "", titles), row.id))
    return True


def write_dataset(connection: sqlite3.Connection, source: Source, profile: dict[str, Any]) -> int:
    """Insert or replace a dataset, given the profile of its file as plain data; returns its id."""
    tables: list[dict[str, Any]] = profile["tables"]
    own = tidy_text(profile.get("title", ""))
    titles = order_table_titles(tables)
    title = choose_title(_link_title(source), own, titles, source.page_title, source.url)
    years = _collect_years(tables) or _guess_years(source, title)
    places = list(dict.fromkeys(place for table in tables for place in table["places"]))
    values = (
        source.url, source.path, title, source.title, source.page, source.page_title,
        find_section(source.page, source.url), source.mime_type, profile["format"],
        profile.get("encoding", ""), profile.get("delimiter", ""), source.bytes, source.sha256,
        source.found_at, source.last_modified, min(years, default=None), max(years, default=None),
        json.dumps(places[:_MAX_PLACES], ensure_ascii=False), len(tables),
        sum(1 for table in tables if table["statistics"]),
        sum(int(table["rows"]) for table in tables), shorten_error(profile.get("error", "")), own,
        fold_text(title)[:_MAX_SORT_KEY], _choose_modified(source), _hash_columns(tables),
        *_list_stated(source),
    )  # fmt: skip
    (id_,) = connection.execute(_INSERT, values).fetchone()
    _write_brief(connection, id_, dict(zip(_NAMES, values, strict=True)))
    _write_tables(connection, id_, tables)
    first, last = _index_source(source, title, own, titles)
    names = _join_indexed(field["name"] for table in tables for field in table["fields"])
    terms = _join_indexed([*(term for table in tables for term in table["terms"]), *places])
    # FTS5 has no upsert: the row is replaced.
    connection.execute("DELETE FROM search WHERE rowid = ?", (id_,))
    connection.execute(_SEARCH, (id_, first, names, terms, last))
    return int(id_)


def _write_tables(
    connection: sqlite3.Connection, dataset: int, tables: list[dict[str, Any]]
) -> None:
    connection.execute("DELETE FROM data_table WHERE dataset = ?", (dataset,))
    rows = (_make_table_row(dataset, number, table) for number, table in enumerate(tables))
    connection.executemany(_TABLE, rows)


def _list_stated(about: Source | Known) -> tuple[str, ...]:
    """What a portal says of the file and its dataset."""
    what = (about.dataset_title, about.description, about.licence)
    return (*what, about.publisher, about.source_modified)


def _link_title(source: Source) -> str:
    """The text of the link; where that names no content, the title of the dataset."""
    return source.title if is_meaningful(tidy_text(source.title)) else source.dataset_title


def copy_dataset(connection: sqlite3.Connection, id_: int, source: Source) -> None:
    """Write a dataset that has the same bytes as dataset `id_`."""
    kept = dict(
        zip(_PROFILE_NAMES, connection.execute(_SELECT_PROFILE, (id_,)).fetchone(), strict=True)
    )
    tables = []
    for row in connection.execute(_TABLES_OF, (id_,)):
        table = dict(zip(_TABLE_NAMES, row, strict=True))
        tables.append(table | {name: json.loads(table[name]) for name in _IN_JSON} | {"terms": []})
    # The terms are stored only in the index: copy them there.
    copied = write_dataset(connection, source, {**kept, "tables": tables})
    connection.execute(_SAME_TERMS, (id_, copied))


def _write_brief(connection: sqlite3.Connection, id_: int, row: dict[str, Any]) -> None:
    """Write the row of `brief`, and of `facet` if it is new."""
    first, last = row["first_year"], row["last_year"]
    has = int(row["statistics"] > 0)
    kind = (row["format"], row["section"])
    known = connection.execute(_FACET, (*kind, first or 0, last or 0, has)).fetchone()
    # `facet` is shared: a new row only for a new combination.
    (facet,) = known or connection.execute(_NEW_FACET, (*kind, first, last, has)).fetchone()
    figures = (row["tables"], row["statistics"], row["rows"], row["bytes"], int(row["error"] != ""))
    connection.execute(_BRIEF, (id_, facet, id_, *figures))


def _hash_columns(tables: list[dict[str, Any]]) -> str:
    """A hash of the column names of the first table, which families compare."""
    names = [str(field["name"]) for field in tables[0]["fields"]] if tables else []
    stem = stem_columns(names)
    return sha256(stem.encode("utf-8", "replace")).hexdigest()[:16] if stem else ""


def _make_table_row(dataset: int, number: int, table: dict[str, Any]) -> tuple[Any, ...]:
    def dump(name: str) -> str:
        return json.dumps(table[name], ensure_ascii=False)

    return (
        dataset, number, table["place"], dump("address"), tidy_text(table["title"]), table["rows"],
        table["columns"], table["number_share"], table["first_year"], table["last_year"],
        dump("places"), int(table["statistics"]), dump("fields"), dump("sample"),
        table.get("unit", ""), table.get("notes", ""),
    )  # fmt: skip


def _collect_years(tables: list[dict[str, Any]]) -> list[int]:
    pairs = ((table["first_year"], table["last_year"]) for table in tables)
    return [year for pair in pairs for year in pair if year is not None]


def _guess_years(source: Source, title: str) -> list[int]:
    """The years in the title or the file name, for files whose tables have none."""
    return find_years(title) or find_years(source.title) or find_years(split_file_name(source.url))


def _choose_modified(source: Source) -> str:
    """Last-Modified, or else the time of finding, in a form that sorts."""
    try:
        return parsedate_to_datetime(source.last_modified).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, TypeError, IndexError, OverflowError):
        return source.found_at


def _index_source(source: Source, title: str, own: str, titles: list[str]) -> tuple[str, str]:
    name = split_file_name(source.url)
    first = _join_indexed(dict.fromkeys([title, source.title, own, name]))
    places = [source.page_title, find_section(source.page, source.url), *titles, source.url]
    stated = (source.dataset_title, source.description, source.publisher)
    last = _join_indexed([*places, *stated])
    return first, last


def _join_indexed(texts: Iterable[str]) -> str:
    """Distinct texts for the search index, up to 60,000 characters."""
    found: dict[str, None] = {}
    room = _MAX_INDEXED
    for text in map(str, texts):
        if text and text not in found:
            found[text] = None
            room -= len(text)
            if room < 0:
                break
    return index_text(" \n".join(found))
