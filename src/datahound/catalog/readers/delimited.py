"""Delimited text: small files cell by cell, large files in batches by Polars."""

import csv
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from datahound.catalog.readers.encoding import read_lines
from datahound.catalog.readers.task import Limits, Task, Unreadable, profile_grid
from datahound.catalog.tables.cells import find_years
from datahound.catalog.tables.column_counts import count_values
from datahound.catalog.tables.columns import Column, describe_columns
from datahound.catalog.tables.layout import Layout, Row, find_layouts
from datahound.catalog.tables.profile import (
    SAMPLE_ROWS,
    Grid,
    TableProfile,
    detect_decimal,
    make_profile,
    to_plain,
)
from datahound.catalog.tables.statistics import is_statistics

# Small files are read cell by cell, which finds several tables, notes and titles; it would take
# minutes for large ones.
_SMALL_BYTES = 256 << 10
_HEAD_ROWS = 2000
_BATCH_ROWS = 50_000
# Values that are shown of a dimension, and values that it is found by.
_MAX_VALUES, _MAX_TERMS = 40, 2000
_YEAR = r"(?:^|[^0-9])((?:1[5-9]|20)[0-9]{2})(?:[^0-9]|$)"
# Such periods sort as text, so their first and last are found without parsing.
_YEAR_FIRST = re.compile(r"(?:1[5-9]|20)[0-9]{2}(?![0-9])")
_UTF8 = frozenset({"utf-8", "utf-8-sig", "ascii"})


def find_tables(path: Path, task: Task) -> Iterator[TableProfile]:
    """Profile all tables of a small file, and the largest one at the beginning of a large file."""
    address = {"encoding": task.encoding, "delimiter": task.delimiter}
    if path.stat().st_size <= _SMALL_BYTES:
        grid = list(read_rows(path, address, task.limits))
        yield from profile_grid(Grid("the file", address, "", grid), task)
        return
    # Python reads some 10 MB/s, Polars hundreds: only the first rows are parsed here.
    head = list(islice(read_rows(path, address, task.limits), _HEAD_ROWS))
    layouts = find_layouts(head, task.limits.tables)
    large = max(layouts, key=lambda layout: layout.last - layout.first, default=None)
    if large is None:
        return
    yield _profile_large(path, task, Grid("the file", address, "", head), large)


def read_rows(path: Path, address: Mapping[str, Any], _limits: Limits) -> Iterator[Row]:
    """Read the rows of the file as texts; rows that the csv module refuses are skipped."""
    lines = read_lines(path, address["encoding"])
    reader = csv.reader(_strip_mark(lines), delimiter=address["delimiter"])
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:
            continue
        yield row


def _strip_mark(lines: Iterator[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield line.removeprefix("\ufeff") if not number else line


@dataclass(slots=True)
class _Count:
    """Totals of a column over all batches."""

    filled: int = 0
    fractions: int = 0
    """Numbers with a fraction, in a column that began with integers."""
    first_year: int | None = None
    last_year: int | None = None
    values: dict[str, None] = field(default_factory=dict)


def _profile_large(path: Path, task: Task, found: Grid, layout: Layout) -> TableProfile:
    """Profile a table that continues to the end of a large file.

    Types and roles come from its first rows; Polars counts the rest.
    """
    width = min(layout.right, task.limits.columns)
    names = layout.names[: width - layout.left]
    head = [[*row[layout.left : width], *[None] * (width - len(row))] for row in
            found.rows[layout.first : layout.last] if any(row)]  # fmt: skip
    decimal = detect_decimal(head)
    counts = [count_values(values) for values in zip(*head, strict=True)]
    columns = describe_columns(names, counts, decimal)
    # The counts of later batches do not reach roles: judge by the rows that were described.
    judged = is_statistics(columns, len(head))
    frames = _read_batches(_copy_as_utf8(path, task), task.delimiter, layout, width)
    rows_, counted = _count_batches(frames, columns, decimal)
    columns = [_update_column(c, n, rows_) for c, n in zip(columns, counted, strict=True)]
    address = found.address | {
        "first": layout.first, "last": None, "left": layout.left, "decimal": decimal
    }  # fmt: skip
    sample = [[to_plain(cell) for cell in row] for row in head[:SAMPLE_ROWS]]
    whole = Grid(found.place, address, layout.title)
    return make_profile(whole, columns, rows_, sample, judged=judged)


def _copy_as_utf8(path: Path, task: Task) -> Path:
    """The file itself if it is UTF-8, which is all that Polars reads; else a copy in UTF-8."""
    if task.encoding in _UTF8:
        return path
    copy = task.scratch / "as-utf-8"
    with copy.open("w", encoding="utf-8", newline="") as file:
        for line in read_lines(path, task.encoding):
            file.write(line)
    return copy


def _read_batches(path: Path, delimiter: str, layout: Layout, width: int) -> Iterator[pl.DataFrame]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frame = pl.scan_csv(
                path,
                has_header=False,
                separator=delimiter,
                skip_rows=layout.first,
                schema={f"c{number}": pl.String for number in range(width)},
                # Every row must be counted, however it is broken.
                truncate_ragged_lines=True,
                missing_columns="insert",
                ignore_errors=True,
                encoding="utf8-lossy",
                low_memory=True,
            )
            chosen = frame.select(pl.nth(range(layout.left, width)))
            yield from chosen.collect_batches(chunk_size=_BATCH_ROWS)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise Unreadable(f"can't be read to its end: {str(error).splitlines()[0]}") from None


def _count_batches(
    frames: Iterator[pl.DataFrame], columns: list[Column], decimal: str
) -> tuple[int, list[_Count]]:
    counts = [_Count() for _ in columns]
    total = notes = 0
    for frame in frames:
        _count_batch(frame, columns, counts, decimal)
        # Notes at the end may fill a whole batch.
        trailing = _count_trailing_notes(frame)
        notes = notes + trailing if trailing == frame.height else trailing
        total += frame.height
    return max(0, total - notes), counts


def _count_batch(
    frame: pl.DataFrame, columns: list[Column], counts: list[_Count], decimal: str
) -> None:
    if frame.width != len(columns):
        raise Unreadable("its rows change their width")
    aggregates = [_make_aggregates(f, c) for f, c in zip(frame.columns, columns, strict=True)]
    figures = frame.select([a for column in aggregates for a in column]).row(0)
    for number, (name, column, count) in enumerate(
        zip(frame.columns, columns, counts, strict=True)
    ):
        # Parsing fractions is slow: only where a cell was not an integer.
        if _add_batch(count, figures[number * 4 : number * 4 + 4]) and column.type == "integer":
            count.fractions += _count_fractions(frame.get_column(name), decimal)
        if column.role == "dimension" and len(count.values) < _MAX_TERMS:
            unique = frame.get_column(name).head(_BATCH_ROWS).unique(maintain_order=True)
            terms = (v for v in unique.head(_MAX_TERMS) if v and v[0] != "#")
            count.values.update(dict.fromkeys(terms))


def _make_aggregates(name: str, column: Column) -> list[pl.Expr]:
    """Four aggregates: filled cells, cells that are not integers, first and last period."""
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
    aggregates = {"filled": filled, "fractional": filled - whole, "first": first, "last": last}
    return [aggregate.alias(f"{name} {what}") for what, aggregate in aggregates.items()]


def _add_batch(count: _Count, figures: tuple[Any, ...]) -> bool:
    """Add the aggregates of a batch; True if some cells in it are not integers."""
    filled, fractional, first, last = figures
    count.filled += filled or 0
    for found in (first, last):
        for year in find_years(str(found))[:1] if found is not None else ():
            count.first_year = _min_year(count.first_year, year)
            count.last_year = _max_year(count.last_year, year)
    return bool(fractional)


def _count_fractions(cells: pl.Series, decimal: str) -> int:
    """Count the numbers that have a fraction."""
    plain = cells.str.strip_chars()
    if decimal == ",":
        plain = plain.str.replace_all(".", "", literal=True).str.replace(",", ".", literal=True)
    numbers = plain.cast(pl.Float64, strict=False)
    return int((numbers != numbers.floor()).sum() or 0)


def _update_column(column: Column, count: _Count, rows_: int) -> Column:
    """A column as described from the first rows, with the totals of the whole file."""
    values = list(column.values)
    values += [v for v in count.values if v not in values]
    share = column.numbers / column.filled if column.filled else 0.0
    return replace(
        column,
        type="number" if column.type == "integer" and count.fractions else column.type,
        nulls=max(0, rows_ - count.filled),
        filled=count.filled,
        numbers=round(share * count.filled),
        values=values[:_MAX_VALUES] if column.role == "dimension" else values,
        terms=[str(value) for value in values] if column.role == "dimension" else (),
        first_year=_min_year(column.first_year, count.first_year),
        last_year=_max_year(column.last_year, count.last_year),
    )


def _min_year(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else min(one, other)


def _max_year(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else max(one, other)


def _count_trailing_notes(frame: pl.DataFrame) -> int:
    """Count the last rows of a batch in which only the first cell is filled."""
    if frame.width < 2:
        return 0
    count = 0
    for row in reversed(frame.tail(50).rows()):
        if any(row[1:]):
            break
        count += 1
    return count
