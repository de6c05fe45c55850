"""Writing down what was seen of a dataset."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from hashlib import sha256
from typing import Any

from datahound.catalog.families import stem_of_columns
from datahound.catalog.inspect import one_line
from datahound.catalog.model import Source
from datahound.catalog.search import indexed
from datahound.catalog.tables.cells import years_in
from datahound.catalog.titles import best_title, file_words, section_of, tidy
from datahound.text import fold_text

_KNOWN = """SELECT id, url, path, link_title, page, page_title, mime_type, sha256, last_modified,
    found_at, error FROM dataset"""
_REMOVE = (
    "DELETE FROM data_table WHERE dataset = ?",
    "DELETE FROM search WHERE rowid = ?",
    "DELETE FROM brief WHERE id = ?",
    "DELETE FROM dataset WHERE id = ?",
)
_COLUMNS = """url, path, title, link_title, page, page_title, section, mime_type, format, encoding,
    delimiter, bytes, sha256, found_at, last_modified, first_year, last_year, places, tables,
    statistics, rows, error, file_title, sort_title, modified,
    columns_mark"""
_NAMES = [name.strip() for name in _COLUMNS.split(",")]
_INSERT = f"""INSERT INTO dataset ({_COLUMNS}) VALUES ({", ".join("?" * len(_NAMES))})
    ON CONFLICT (url) DO UPDATE SET {", ".join(f"{n} = excluded.{n}" for n in _NAMES)}
    RETURNING id"""
_TABLE = f"INSERT INTO data_table VALUES (NULL{', ?' * 14})"
_SEARCH = "INSERT INTO search (rowid, title, columns, dimensions, page) VALUES (?, ?, ?, ?, ?)"
_RETITLE = """UPDATE dataset SET path = ?, title = ?, link_title = ?, page = ?, page_title = ?,
    section = ?, mime_type = ?, last_modified = ?, found_at = ?, sort_title = ?, modified = ?
    WHERE id = ?"""
_OWN = "SELECT file_title FROM dataset WHERE id = ?"
_TABLE_TITLES = "SELECT title FROM data_table WHERE dataset = ? ORDER BY number"
_RESEARCH = "UPDATE search SET title = ?, page = ? WHERE rowid = ?"
_LOOKED = ("format", "encoding", "delimiter", "title", "error")
_LOOK = "SELECT format, encoding, delimiter, file_title, error FROM dataset WHERE id = ?"
_TABLE_NAMES = ("place", "address", "title", "rows", "columns", "number_share", "first_year",
                "last_year", "places", "statistics", "fields", "sample")  # fmt: skip
_IN_JSON = ("address", "places", "fields", "sample")
_TABLES_OF = f"SELECT {', '.join(_TABLE_NAMES)} FROM data_table WHERE dataset = ? ORDER BY number"
_SAME_TERMS = """UPDATE search SET dimensions =
    (SELECT s.dimensions FROM search s WHERE s.rowid = ?)
    WHERE rowid = ?"""
_BRIEFLY = ("format", "first_year", "last_year", "tables", "statistics", "rows", "bytes", "error")
_FACET = """SELECT id FROM facet WHERE format = ? AND section = ? AND coalesce(first_year, 0) = ?
    AND coalesce(last_year, 0) = ? AND statistics = ?"""
_NEW_FACET = "INSERT INTO facet VALUES (NULL, ?, ?, ?, ?, ?) RETURNING id"
_BRIEF = """INSERT INTO brief VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
    facet = excluded.facet, tables = excluded.tables, statistics = excluded.statistics,
    rows = excluded.rows, bytes = excluded.bytes, error = excluded.error"""
UNUSED_FACETS = "DELETE FROM facet WHERE id NOT IN (SELECT facet FROM brief)"
_MOST_INDEXED = 20_000
_MOST_PLACES = 40
_SORTED_BY = 120


@dataclass(frozen=True, slots=True)
class Known:
    """What the catalogue knows of where a dataset comes from."""

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


def known(connection: sqlite3.Connection) -> dict[str, Known]:
    """All datasets by URL."""
    return {row[1]: Known(*row) for row in connection.execute(_KNOWN)}


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def nothing(reason: str) -> dict[str, Any]:
    """What is known of a file that was not read."""
    return {"format": "unknown", "tables": [], "error": reason}


def remove(connection: sqlite3.Connection, id_: int) -> None:
    """Forget a dataset."""
    for statement in _REMOVE:
        connection.execute(statement, (id_,))


def refresh(connection: sqlite3.Connection, row: Known, source: Source) -> bool:
    """Say anew where an unchanged dataset comes from; whether that has changed."""
    before = (row.path, row.title, row.page, row.page_title, row.mime_type, row.last_modified)
    after = (source.path, source.title, source.page, source.page_title, source.mime_type,
             source.last_modified)  # fmt: skip
    if before == after:
        return False
    (own,) = connection.execute(_OWN, (row.id,)).fetchone()
    titles = [title for (title,) in connection.execute(_TABLE_TITLES, (row.id,))]
    title = best_title(source.title, own or "", titles, source.page_title, source.url)
    section = section_of(source.page, source.url)
    connection.execute(
        _RETITLE,
        (source.path, title, source.title, source.page, source.page_title, section,
         source.mime_type, source.last_modified, source.found_at,
         fold_text(title)[:_SORTED_BY], _modified(source), row.id),
    )  # fmt: skip
    names = ("section", *_BRIEFLY)
    found = connection.execute(f"SELECT {', '.join(names)} FROM dataset WHERE id = ?", (row.id,))
    _write_brief(connection, row.id, dict(zip(names, found.fetchone(), strict=True)))
    connection.execute(_RESEARCH, (*_searched_source(source, title, own or "", titles), row.id))
    return True


def write(connection: sqlite3.Connection, source: Source, look: dict[str, Any]) -> int:
    """Write down what was seen of a dataset; its number."""
    tables: list[dict[str, Any]] = look["tables"]
    own = tidy(look.get("title", ""))
    titles = [str(table["title"]) for table in tables]
    title = best_title(source.title, own, titles, source.page_title, source.url)
    years = _years(tables) or _said_years(source, title)
    places = list(dict.fromkeys(place for table in tables for place in table["places"]))
    values = (
        source.url, source.path, title, source.title, source.page, source.page_title,
        section_of(source.page, source.url), source.mime_type, look["format"],
        look.get("encoding", ""), look.get("delimiter", ""), source.bytes, source.sha256,
        source.found_at, source.last_modified, min(years, default=None), max(years, default=None),
        json.dumps(places[:_MOST_PLACES], ensure_ascii=False), len(tables),
        sum(1 for table in tables if table["statistics"]),
        sum(int(table["rows"]) for table in tables), one_line(look.get("error", "")), own,
        fold_text(title)[:_SORTED_BY], _modified(source), _columns_mark(tables),
    )  # fmt: skip
    (id_,) = connection.execute(_INSERT, values).fetchone()
    _write_brief(connection, id_, dict(zip(_NAMES, values, strict=True)))
    connection.execute("DELETE FROM data_table WHERE dataset = ?", (id_,))
    connection.executemany(_TABLE, (_table(id_, n, table) for n, table in enumerate(tables)))
    connection.execute("DELETE FROM search WHERE rowid = ?", (id_,))
    first, last = _searched_source(source, title, own, titles)
    names = _searched(field["name"] for table in tables for field in table["fields"])
    terms = _searched([*(term for table in tables for term in table["terms"]), *places])
    connection.execute(_SEARCH, (id_, first, names, terms, last))
    return int(id_)


def copy(connection: sqlite3.Connection, id_: int, source: Source) -> None:
    """Write down a dataset whose bytes are those of another that was looked into."""
    kept = dict(zip(_LOOKED, connection.execute(_LOOK, (id_,)).fetchone(), strict=True))
    tables = []
    for row in connection.execute(_TABLES_OF, (id_,)):
        table = dict(zip(_TABLE_NAMES, row, strict=True))
        tables.append(table | {name: json.loads(table[name]) for name in _IN_JSON} | {"terms": []})
    copied = write(connection, source, {**kept, "tables": tables})
    connection.execute(_SAME_TERMS, (id_, copied))


def _write_brief(connection: sqlite3.Connection, id_: int, row: dict[str, Any]) -> None:
    """Keep what is filtered by and counted."""
    first, last = row["first_year"], row["last_year"]
    has = int(row["statistics"] > 0)
    kind = (row["format"], row["section"])
    known_ = connection.execute(_FACET, (*kind, first or 0, last or 0, has)).fetchone()
    (facet,) = known_ or connection.execute(_NEW_FACET, (*kind, first, last, has)).fetchone()
    figures = (row["tables"], row["statistics"], row["rows"], row["bytes"], int(row["error"] != ""))
    connection.execute(_BRIEF, (id_, facet, id_, *figures))


def _columns_mark(tables: list[dict[str, Any]]) -> str:
    """By what the columns of the first table are known among near-duplicates."""
    names = [str(field["name"]) for field in tables[0]["fields"]] if tables else []
    stem = stem_of_columns(names)
    return sha256(stem.encode("utf-8", "replace")).hexdigest()[:16] if stem else ""


def _table(dataset: int, number: int, table: dict[str, Any]) -> tuple[Any, ...]:
    def written(name: str) -> str:
        return json.dumps(table[name], ensure_ascii=False)

    return (
        dataset, number, table["place"], written("address"), tidy(table["title"]), table["rows"],
        table["columns"], table["number_share"], table["first_year"], table["last_year"],
        written("places"), int(table["statistics"]), written("fields"), written("sample"),
    )  # fmt: skip


def _years(tables: list[dict[str, Any]]) -> list[int]:
    pairs = ((table["first_year"], table["last_year"]) for table in tables)
    return [year for pair in pairs for year in pair if year is not None]


def _said_years(source: Source, title: str) -> list[int]:
    """The years that a title or a file's name speaks of, where no table does."""
    return years_in(title) or years_in(source.title) or years_in(file_words(source.url))


def _modified(source: Source) -> str:
    """When a file was made, as near as can be told, in a form that sorts."""
    try:
        return parsedate_to_datetime(source.last_modified).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, TypeError, IndexError, OverflowError):
        return source.found_at


def _searched_source(source: Source, title: str, own: str, titles: list[str]) -> tuple[str, str]:
    name = file_words(source.url)
    first = _searched(dict.fromkeys([title, source.title, own, name]))
    last = _searched([source.page_title, section_of(source.page, source.url), *titles, source.url])
    return first, last


def _searched(texts: Iterable[str]) -> str:
    """Texts as they stand in the index, each once, and not without end."""
    found: dict[str, None] = {}
    room = _MOST_INDEXED
    for text in map(str, texts):
        if text and text not in found:
            found[text] = None
            room -= len(text)
            if room < 0:
                break
    return indexed(" \n".join(found))
