"""Read the catalogue: search, list and count datasets."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from datahound.catalog import database
from datahound.catalog.model import Entry, Facets, Field, Hits, Query, Summary, Table
from datahound.catalog.search import split_query

__all__ = ["Catalog", "Entry", "Facets", "Field", "Hits", "Query", "Summary", "Table"]

_ENTRY = """d.id, d.url, d.path, d.title, d.link_title, d.page, d.page_title, d.section,
    d.mime_type, d.format, d.encoding, d.delimiter, d.bytes, d.sha256, d.found_at,
    d.last_modified, d.first_year, d.last_year, d.places, d.tables, d.statistics, d.rows,
    d.family, d.error, d.dataset_title, d.description, d.licence, d.publisher, d.source_modified"""
_TABLE = """id, dataset, number, place, address, title, rows, columns, number_share, first_year,
    last_year, places, statistics, fields, sample, unit, notes"""
# Weights of title, column names, values of dimensions, and page.
_RANK = "bm25(search, 10.0, 4.0, 2.0, 1.0)"
_MAX_RANKED = 5000
"""Ranking more hits than this takes too long: those with all words in the title come first."""
_ORDER = {
    "title": "d.sort_title, d.id",
    "newest": "d.modified DESC, d.id DESC",
    "size": "d.bytes DESC, d.id DESC",
}
_SUMMARY = """SELECT count(*), coalesce(sum(tables), 0), coalesce(sum(statistics), 0),
    count(CASE WHEN statistics > 0 THEN 1 END), coalesce(sum(error), 0), coalesce(sum(rows), 0),
    coalesce(sum(bytes), 0), count(DISTINCT family),
    (SELECT min(first_year) FROM facet),
    (SELECT max(last_year) FROM facet) FROM brief"""
_FORMATS = """SELECT f.format, sum(b.count) FROM (SELECT facet, count(*) AS count FROM brief
    GROUP BY facet) b JOIN facet f ON f.id = b.facet GROUP BY f.format ORDER BY 2 DESC, 1"""
_BRIEF = "brief b"
# CROSS JOIN makes SQLite begin with the index of words, which finds few rows.
_SEARCHED = "search CROSS JOIN brief b ON b.id = search.rowid"


class Catalog:
    """The catalogue of a crawl folder; can be read while another process writes it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._connection = database.open_to_read(folder)

    @staticmethod
    def exists(folder: Path) -> bool:
        """Whether a folder has a catalogue that can be read."""
        return database.is_ready(folder)

    @staticmethod
    def locate(folder: Path) -> Path:
        """The path of the database in a crawl folder."""
        return database.locate_catalog(folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def search(self, query: Query, offset: int = 0, limit: int = 50) -> Hits:
        """One page of the datasets that match a query, the best first."""
        expression, missing, partial = self._build_expression(query)
        # A query of signs alone matches nothing, not everything.
        if query.text.strip() and not expression:
            return Hits(0, [], missing)
        total = self._count_hits(query, expression)
        ids = self._find_page(query, expression, total, max(0, offset), limit)
        by_id = {entry.id: entry for entry in self._select_entries(ids)}
        return Hits(total, [by_id[id_] for id_ in ids if id_ in by_id], missing, partial)

    def facets(self, query: Query) -> Facets:
        """Count the datasets that match a query by format, section and year."""
        formats: dict[str, int] = {}
        sections: dict[str, int] = {}
        years: dict[int, int] = {}
        statistics = 0
        tables, where, values = _build_conditions(query, self._build_expression(query)[0])
        counted = f"""SELECT f.format, f.section, f.first_year, f.last_year, f.statistics, c.count
            FROM (SELECT b.facet, count(*) AS count FROM {tables} WHERE {where} GROUP BY b.facet) c
            JOIN facet f ON f.id = c.facet"""
        for format_, section, first, last, has, count in self._select(counted, values):
            formats[format_] = formats.get(format_, 0) + count
            sections[section] = sections.get(section, 0) + count
            statistics += count if has else 0
            for year in range(first, last + 1) if first is not None else ():
                years[year] = years.get(year, 0) + count
        return Facets(
            _sort_counts(formats), _sort_counts(sections), dict(sorted(years.items())), statistics
        )

    def entry(self, id_: int) -> Entry | None:
        """The dataset with this id, or None."""
        return next(self._select_entries([id_]), None)

    def entry_of(self, url: str) -> Entry | None:
        """The dataset with this URL, or None."""
        rows = self._select(f"SELECT {_ENTRY} FROM dataset d WHERE d.url = ?", [url])
        return next((_make_entry(row) for row in rows), None)

    def entries(self) -> Iterator[Entry]:
        """All datasets, by id."""
        for row in self._select(f"SELECT {_ENTRY} FROM dataset d ORDER BY d.id", []):
            yield _make_entry(row)

    def tables(self, dataset: int) -> list[Table]:
        """The tables of a dataset."""
        found = f"SELECT {_TABLE} FROM data_table WHERE dataset = ? ORDER BY number"
        return [_make_table(row) for row in self._select(found, [dataset])]

    def table(self, id_: int) -> Table | None:
        """The table with this id, or None."""
        rows = self._select(f"SELECT {_TABLE} FROM data_table WHERE id = ?", [id_])
        return next((_make_table(row) for row in rows), None)

    def summary(self) -> Summary:
        """Totals of the catalogue."""
        figures: list[Any] = [*self._select_one(_SUMMARY, []), dict(self._select(_FORMATS, []))]
        return Summary(*figures)

    def _build_expression(self, query: Query) -> tuple[str, list[str], bool]:
        """The FTS5 expression, the words that are nowhere, and whether some words are enough."""
        terms = split_query(query.text)
        found = {word: term for word, term in terms.items() if self._occurs(term)}
        missing = [word for word in terms if word not in found]
        every = " AND ".join(found.values())
        # Only if no dataset has all words: a query that matches is not widened.
        if len(found) < 2 or self._count_hits(query, every):
            return every, missing, False
        return " OR ".join(found.values()), missing, True

    def _occurs(self, term: str) -> bool:
        found = "SELECT EXISTS (SELECT 1 FROM search WHERE search MATCH ?)"
        return bool(self._select_one(found, [term])[0])

    def _find_page(
        self, query: Query, expression: str, total: int, offset: int, limit: int
    ) -> list[int]:
        """The ids of the datasets on a page of hits."""
        if query.sort in _ORDER:
            return self._select_ids(query, expression, _ORDER[query.sort], offset, limit)
        if not expression:
            return self._select_ids(query, "", "b.id", offset, limit)
        if total <= _MAX_RANKED:
            return self._select_ids(query, expression, f"{_RANK}, b.id", offset, limit)
        # bm25 of all hits would take seconds: rank those with the words in the title.
        titled = f"{{title}} : ({expression})"
        first = self._count_hits(query, titled)
        order = f"{_RANK}, b.id" if first <= _MAX_RANKED else "b.id"
        ids = self._select_ids(query, titled, order, offset, limit) if offset < first else []
        rest = f"({expression}) NOT ({titled})"
        left = limit - len(ids)
        return ids + (
            self._select_ids(query, rest, "b.id", max(0, offset - first), left) if left else []
        )

    def _count_hits(self, query: Query, expression: str) -> int:
        tables, where, values = _build_conditions(query, expression)
        return int(self._select_one(f"SELECT count(*) FROM {tables} WHERE {where}", values)[0])

    def _select_ids(
        self, query: Query, expression: str, order: str, offset: int, limit: int
    ) -> list[int]:
        tables, where, values = _build_conditions(query, expression)
        if order.startswith("d."):
            # Joined only to sort by its columns: rows of `dataset` are wide, those of `brief`
            # small.
            tables += " JOIN dataset d ON d.id = b.id"
        found = f"SELECT b.id FROM {tables} WHERE {where} ORDER BY {order} LIMIT ? OFFSET ?"
        return [row[0] for row in self._select(found, [*values, limit, offset])]

    def _select_entries(self, ids: list[int]) -> Iterator[Entry]:
        marks = ", ".join("?" * len(ids))
        rows = self._select(f"SELECT {_ENTRY} FROM dataset d WHERE d.id IN ({marks})", ids)
        return (_make_entry(row) for row in rows)

    def _select_one(self, statement: str, values: list[Any]) -> Any:
        with database.report_errors(self.folder):
            return self._connection.execute(statement, values).fetchone()

    def _select(self, statement: str, values: list[Any]) -> sqlite3.Cursor:
        with database.report_errors(self.folder):
            return self._connection.execute(statement, values)


def _build_conditions(query: Query, expression: str) -> tuple[str, str, list[Any]]:
    """The tables, the condition and the values of a SELECT."""
    tables, conditions, values = _BRIEF, ["1"], list[Any]()
    if expression:
        tables = _SEARCHED
        conditions.append("search MATCH ?")
        values.append(expression)
    elif query.text.strip():
        conditions.append("0")
    filters, filtered = _build_filters(query)
    if filters:
        kinds = " AND ".join(filters)
        conditions.append(f"b.facet IN (SELECT id FROM facet WHERE {kinds})")
        values += filtered
    if query.family is not None:
        conditions.append("b.family = ?")
        values.append(query.family)
    return tables, " AND ".join(conditions), values


def _build_filters(query: Query) -> tuple[list[str], list[Any]]:
    """The conditions on `facet`, and their values."""
    filters, values = list[str](), list[Any]()
    if query.formats:
        filters.append(f"format IN ({', '.join('?' * len(query.formats))})")
        values += query.formats
    if query.section is not None:
        filters.append("section = ?")
        values.append(query.section)
    if query.first_year is not None:
        filters.append("last_year >= ?")
        values.append(query.first_year)
    if query.last_year is not None:
        filters.append("first_year <= ?")
        values.append(query.last_year)
    if query.statistics_only:
        filters.append("statistics > 0")
    return filters, values


def _sort_counts(counts: dict[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _make_entry(row: tuple[Any, ...]) -> Entry:
    values: list[Any] = list(row)
    values[18] = json.loads(row[18] or "[]")
    return Entry(*values)


def _make_table(row: tuple[Any, ...]) -> Table:
    values: list[Any] = list(row)
    for place in (4, 11, 13, 14):
        values[place] = json.loads(row[place])
    values[12] = bool(row[12])
    values[13] = [Field(**field) for field in values[13]]
    return Table(*values)
