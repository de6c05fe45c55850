"""Delimited text: small files cell by cell, large ones by Polars, a batch at a time."""

import csv
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from datahound.catalog.readers.encoding import lines_of
from datahound.catalog.readers.limits import Limits
from datahound.catalog.readers.task import Task, Unreadable, in_grid
from datahound.catalog.tables.cells import years_in
from datahound.catalog.tables.column_counts import Tally
from datahound.catalog.tables.columns import Column, describe
from datahound.catalog.tables.layout import Layout, Row, find_tables
from datahound.catalog.tables.profile import (
    SAMPLE_ROWS,
    Found,
    TableLook,
    decimal_of,
    shown,
    table_look,
)
from datahound.catalog.tables.statistics import is_statistics

_SMALL = 256 << 10
_HEAD_ROWS = 2000
_BATCH = 50_000
_MOST_VALUES = 40
_YEAR = r"(?:^|[^0-9])((?:1[5-9]|20)[0-9]{2})(?:[^0-9]|$)"
_YEAR_FIRST = re.compile(r"(?:1[5-9]|20)[0-9]{2}(?![0-9])")
_UTF8 = frozenset({"utf-8", "utf-8-sig", "ascii"})


def tables(path: Path, task: Task) -> Iterator[TableLook]:
    """The tables of a delimited file; of a large one, the first."""
    address = {"encoding": task.encoding, "delimiter": task.delimiter}
    if path.stat().st_size <= _SMALL:
        grid = list(rows(path, address, task.limits))
        yield from in_grid(Found("the file", address, "", grid), task)
        return
    head = list(islice(rows(path, address, task.limits), _HEAD_ROWS))
    layouts = find_tables(head, task.limits.tables)
    large = max(layouts, key=lambda layout: layout.last - layout.first, default=None)
    if large is None:
        return
    yield _large(path, task, Found("the file", address, "", head), large)


def rows(path: Path, address: Mapping[str, Any], _limits: Limits) -> Iterator[Row]:
    """The rows of the file, as texts."""
    lines = lines_of(path, address["encoding"])
    reader = csv.reader(_unmarked(lines), delimiter=address["delimiter"])
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:
            continue
        yield row


def _unmarked(lines: Iterator[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield line.removeprefix("\ufeff") if not number else line


@dataclass(slots=True)
class _Count:
    """What the batches of a column add up to."""

    filled: int = 0
    broken: int = 0
    """Numbers that are not whole, in a column that began with whole ones."""
    first_year: int | None = None
    last_year: int | None = None
    values: dict[str, None] = field(default_factory=dict)


def _large(path: Path, task: Task, found: Found, layout: Layout) -> TableLook:
    """A table that goes on to the end of a large file: its beginning in full, the rest counted."""
    width = min(layout.right, task.limits.columns)
    names = layout.names[: width - layout.left]
    head = [[*row[layout.left : width], *[None] * (width - len(row))] for row in
            found.rows[layout.first : layout.last] if any(row)]  # fmt: skip
    decimal = decimal_of(head)
    columns = []
    for name, values in zip(names, zip(*head, strict=True), strict=True):
        tally = Tally()
        tally.add(values)
        columns.append(describe(name, tally, decimal))
    judged = is_statistics(columns, len(head))
    frames = _batches(_as_utf8(path, task), task.delimiter, layout, width)
    rows_, counted = _count(frames, columns, decimal)
    columns = [_recounted(c, n, rows_) for c, n in zip(columns, counted, strict=True)]
    address = found.address | {
        "first": layout.first, "last": None, "left": layout.left, "decimal": decimal
    }  # fmt: skip
    sample = [[shown(cell) for cell in row] for row in head[:SAMPLE_ROWS]]
    whole = Found(found.place, address, layout.title)
    return table_look(whole, columns, rows_, sample, judged=judged)


def _as_utf8(path: Path, task: Task) -> Path:
    """The file, or a copy of it in UTF-8, which is all that Polars reads."""
    if task.encoding in _UTF8:
        return path
    copy = task.scratch / "as-utf-8"
    with copy.open("w", encoding="utf-8", newline="") as file:
        for line in lines_of(path, task.encoding):
            file.write(line)
    return copy


def _batches(path: Path, delimiter: str, layout: Layout, width: int) -> Iterator[pl.DataFrame]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frame = pl.scan_csv(
                path,
                has_header=False,
                separator=delimiter,
                skip_rows=layout.first,
                schema={f"c{number}": pl.String for number in range(width)},
                truncate_ragged_lines=True,
                missing_columns="insert",
                ignore_errors=True,
                encoding="utf8-lossy",
                low_memory=True,
            )
            chosen = frame.select(pl.nth(range(layout.left, width)))
            yield from chosen.collect_batches(chunk_size=_BATCH)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise Unreadable(f"can't be read to its end: {str(error).splitlines()[0]}") from None


def _count(
    frames: Iterator[pl.DataFrame], columns: list[Column], decimal: str
) -> tuple[int, list[_Count]]:
    counts = [_Count() for _ in columns]
    total = notes = 0
    for frame in frames:
        if frame.width != len(columns):
            raise Unreadable("its rows change their width")
        asked = [_questions(f, c) for f, c in zip(frame.columns, columns, strict=True)]
        figures = frame.select([q for questions in asked for q in questions]).row(0)
        for number, count in enumerate(counts):
            column = columns[number]
            if _add(count, figures[number * 4 : number * 4 + 4]) and column.type == "integer":
                count.broken += _fractions(frame.get_column(frame.columns[number]), decimal)
            if column.role == "dimension" and len(count.values) < _MOST_VALUES:
                unique = frame.get_column(frame.columns[number]).head(_BATCH).unique()
                count.values.update(dict.fromkeys(v for v in unique.head(200) if v and v[0] != "#"))
        notes = notes + frame.height if _is_notes(frame) else _trailing(frame)
        total += frame.height
    return max(0, total - notes), counts


def _questions(name: str, column: Column) -> list[pl.Expr]:
    """Per column: filled cells, those that are no whole numbers, the first and the last."""
    cells = pl.col(name)
    filled = cells.count()
    whole, first, last = filled, pl.lit(None), pl.lit(None)
    if column.type in ("integer", "year"):
        numbers = cells.cast(pl.Int64, strict=False)
        whole = numbers.count()
        if column.type == "year":
            first, last = numbers.min(), numbers.max()
    elif column.period:
        first, last = cells.min(), cells.max()
        if not all(_YEAR_FIRST.match(str(value)) for value in column.values):
            years = cells.str.extract(_YEAR)
            first, last = years.min(), years.max()
    asked = {"filled": filled, "broken": filled - whole, "first": first, "last": last}
    return [question.alias(f"{name} {what}") for what, question in asked.items()]


def _add(count: _Count, figures: tuple[Any, ...]) -> bool:
    """Add what a batch says; whether some numbers in it are not whole."""
    filled, broken, first, last = figures
    count.filled += filled or 0
    for found in (first, last):
        for year in years_in(str(found))[:1] if found is not None else ():
            count.first_year = _least(count.first_year, year)
            count.last_year = _most(count.last_year, year)
    return bool(broken)


def _fractions(cells: pl.Series, decimal: str) -> int:
    """How many numbers are not whole."""
    plain = cells.str.strip_chars()
    if decimal == ",":
        plain = plain.str.replace_all(".", "", literal=True).str.replace(",", ".", literal=True)
    numbers = plain.cast(pl.Float64, strict=False)
    return int((numbers != numbers.floor()).sum() or 0)


def _recounted(column: Column, count: _Count, rows_: int) -> Column:
    """A column of the file's beginning, with what the whole file adds."""
    values = list(column.values)
    values += [v for v in count.values if v not in values]
    share = column.numbers / column.filled if column.filled else 0.0
    return replace(
        column,
        type="number" if column.type == "integer" and count.broken else column.type,
        nulls=max(0, rows_ - count.filled),
        filled=count.filled,
        numbers=round(share * count.filled),
        values=values[:_MOST_VALUES] if column.role == "dimension" else values,
        first_year=_least(column.first_year, count.first_year),
        last_year=_most(column.last_year, count.last_year),
    )


def _least(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else min(one, other)


def _most(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else max(one, other)


def _is_notes(frame: pl.DataFrame) -> bool:
    return _trailing(frame) == frame.height


def _trailing(frame: pl.DataFrame) -> int:
    """Rows at a batch's end in which only the first cell says something."""
    if frame.width < 2:
        return 0
    count = 0
    for row in reversed(frame.tail(50).rows()):
        if any(row[1:]):
            break
        count += 1
    return count
