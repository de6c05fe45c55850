"""From a grid's rows to what the catalogue says about a table."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from itertools import islice
from typing import Any

from datahound.catalog.model import Cell, Field
from datahound.catalog.tables.cells import Value, decimal_mark, years_in
from datahound.catalog.tables.column_counts import Tally
from datahound.catalog.tables.columns import Column, describe
from datahound.catalog.tables.layout import Layout, Row
from datahound.catalog.tables.places import places_of
from datahound.catalog.tables.statistics import is_statistics

SAMPLE_ROWS = 20
_SAMPLE_TEXT = 200
_FIELD_VALUES = 12
_CHUNK = 4000
_FIRST_CHUNK = 300


@dataclass(slots=True)
class TableLook:
    """What was seen of a table: the columns of `data_table`, and its address."""

    place: str
    address: dict[str, Any]
    title: str
    rows: int
    columns: int
    number_share: float
    first_year: int | None
    last_year: int | None
    places: list[str]
    statistics: bool
    fields: list[Field]
    sample: list[list[Cell]]
    terms: list[str]
    """Values of dimensions, to be searched for."""

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


@dataclass(slots=True)
class Found:
    """A table that a reader found, before it is looked into."""

    place: str
    address: dict[str, Any]
    title: str = ""
    rows: Sequence[Row] = field(default_factory=list)
    """Of the grid that it stands in."""
    named: bool = False
    """The grid is one table, and its first row holds the names."""


def profile(found: Found, layout: Layout, most_columns: int = 1000) -> TableLook:
    """Count through a table of a grid that is in memory."""
    names = layout.names[:most_columns]
    left, right = layout.left, layout.left + len(names)
    body = islice(found.rows, layout.first, layout.last)
    head = _square(list(islice(body, _FIRST_CHUNK)), left, right)
    decimal = decimal_of(head)
    tallies = [Tally() for _ in names]
    sample = [[shown(cell) for cell in row] for row in head[:SAMPLE_ROWS]]
    while head:
        for tally, values in zip(tallies, zip(*head, strict=True), strict=True):
            tally.add(values)
        head = _square(list(islice(body, _CHUNK)), left, right)
    columns = [describe(n, t, decimal) for n, t in zip(names, tallies, strict=True)]
    address = found.address | {
        "first": layout.first,
        "last": layout.last,
        "left": left,
        "decimal": decimal,
    }
    rows = layout.last - layout.first
    return table_look(
        Found(found.place, address, layout.title or found.title), columns, rows, sample
    )


def table_look(
    found: Found,
    columns: Sequence[Column],
    rows: int,
    sample: list[list[Cell]],
    *,
    judged: bool | None = None,
) -> TableLook:
    """What there is to say about a table whose columns are known."""
    names = [column.name for column in columns]
    filled = sum(column.filled for column in columns)
    numbers = sum(column.numbers for column in columns)
    years = _years(columns, names, found.title)
    address = found.address | {"names": names, "types": [column.type for column in columns]}
    fields = [Field(c.name, c.type, c.nulls, c.role, c.values[:_FIELD_VALUES]) for c in columns]
    return TableLook(
        found.place,
        address,
        found.title,
        rows,
        len(columns),
        round(numbers / filled, 4) if filled else 0.0,
        min(years, default=None),
        max(years, default=None),
        places_of(columns, names, found.title),
        is_statistics(columns, rows) if judged is None else judged,
        fields,
        sample,
        [str(v) for c in columns if c.role == "dimension" for v in c.values if v is not None],
    )


def decimal_of(head: Iterable[Sequence[Value]]) -> str:
    """The decimal mark that a table's texts write."""
    return decimal_mark([cell for row in head for cell in row if isinstance(cell, str)])


def shown(cell: Value) -> Cell:
    """A cell as it can be written down in JSON."""
    if cell is None or cell == "":
        return None
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float):
        if cell - cell != 0:
            return None
        return int(cell) if cell.is_integer() and abs(cell) < 1e15 else cell
    if isinstance(cell, int):
        return cell if abs(cell) < 1 << 53 else str(cell)[:_SAMPLE_TEXT]
    if isinstance(cell, date):
        return cell.isoformat()
    return str(cell)[:_SAMPLE_TEXT].encode("utf-8", "replace").decode()


def _years(columns: Sequence[Column], names: Sequence[str], title: str) -> list[int]:
    """The years that a table covers: its columns say, or their names, or else its title."""
    found = [
        y for c in columns if c.first_year and c.last_year for y in (c.first_year, c.last_year)
    ]
    found += [year for name in names for year in years_in(name)]
    return found or years_in(title)


def _square(rows: list[Row], left: int, right: int) -> list[Row]:
    """Rows cut to the table's columns, all of the same length."""
    width = right - left
    if not left and set(map(len, rows)) <= {width}:
        return rows
    cut = [row[left:right] for row in rows]
    if set(map(len, cut)) <= {width}:
        return cut
    return [[*row, *[None] * (width - len(row))] for row in cut]
