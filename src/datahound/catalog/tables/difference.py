"""What differs between two versions of a table: columns, rows by their dimensions, and cells.

A row is named by its dimension columns: those that its profile calls dimensions in both versions
and, where these do not tell all rows apart, the columns without figures as well. Rows of one name
are numbered in their order.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from datahound.catalog.tables.cells import Value, is_month, parse_year
from datahound.catalog.tables.columns import Field
from datahound.catalog.tables.profile import to_plain
from datahound.text import show_text
from datahound.units import show_count

_EXAMPLES = 5
_NAMED_ROWS = 3
_MAX_NAME = 60
_CHUNK = 20_000
_COPY = "\0copy"
"""The column that numbers rows of one name; no header can have this name."""
_NEW = "\0new"
_GROUPS = {"integer": "number", "year": "number", "datetime": "date"}


@dataclass(frozen=True, slots=True)
class TableVersion:
    """One version of a table: its columns, and its rows as texts."""

    fields: Sequence[Field]
    rows: pl.DataFrame

    @property
    def names(self) -> list[str]:
        return self.rows.columns

    def find_names(self, role: str) -> list[str]:
        """The columns of a role, by their names."""
        named = zip(self.names, self.fields, strict=False)
        return [name for name, column in named if column.role == role]


@dataclass(slots=True)
class TableDifference:
    """How a table has changed."""

    table: str = ""
    columns_added: list[str] = field(default_factory=list)
    columns_lost: list[str] = field(default_factory=list)
    types_changed: list[str] = field(default_factory=list)
    rows_added: int = 0
    rows_removed: int = 0
    rows_changed: int = 0
    cells_changed: int = 0
    lines: list[str] = field(default_factory=list)
    """The difference in words, the columns first."""

    @property
    def changes_schema(self) -> bool:
        return bool(self.columns_added or self.columns_lost or self.types_changed)


def load_rows(names: Sequence[str], rows: Iterable[Sequence[Value]]) -> pl.DataFrame:
    """Rows as texts: equal values have equal texts, and an empty cell is ''."""
    unique = _make_unique(names)
    schema = dict.fromkeys(unique, pl.String)
    frames, chunk = [pl.DataFrame(schema=schema)], list[list[str]]()
    for row in rows:
        chunk.append([_to_text(cell) for cell in row])
        if len(chunk) >= _CHUNK:
            # As Python's texts, a large table would take ten times the memory.
            frames.append(pl.DataFrame(chunk, schema=schema, orient="row"))
            chunk = []
    if chunk:
        frames.append(pl.DataFrame(chunk, schema=schema, orient="row"))
    return pl.concat(frames)


def compare_columns(
    names: tuple[Sequence[str], Sequence[str]], fields: tuple[Sequence[Field], Sequence[Field]]
) -> TableDifference:
    """The columns that a table has gained and lost, and those that hold other things now."""
    before, now = (_make_unique(one) for one in names)
    found = TableDifference()
    found.columns_added = [show_text(name, _MAX_NAME) for name in now if name not in set(before)]
    found.columns_lost = [show_text(name, _MAX_NAME) for name in before if name not in set(now)]
    old = dict(zip(before, fields[0], strict=False))
    for name, column in zip(now, fields[1], strict=False):
        if name in old and _holds_other_things(old[name], column):
            types = f"{old[name].type} -> {column.type}"
            found.types_changed.append(f"{show_text(name, _MAX_NAME)}: {types}")
    for what, columns in (
        ("added", found.columns_added),
        ("lost", found.columns_lost),
        ("with another type", found.types_changed),
    ):
        if columns:
            found.lines.append(f"{show_count(len(columns), 'column')} {what}: {_list(columns)}")
    return found


def compare_rows(before: TableVersion, now: TableVersion, found: TableDifference) -> None:
    """Count and name the rows that were added, removed and changed."""
    key = _choose_key(before, now)
    # Without numbers, two rows of one name would be joined four times.
    old, new = _number_copies(before.rows, key), _number_copies(now.rows, key)
    on = [*key, _COPY]
    added = new.join(old, on=on, how="anti", maintain_order="left")
    removed = old.join(new, on=on, how="anti", maintain_order="left")
    found.rows_added, found.rows_removed = len(added), len(removed)
    for what, rows, table in (("added", added, new), ("removed", removed, old)):
        if len(rows):
            named = _name_rows(rows, key, table)
            found.lines.append(f"{show_count(len(rows), 'row')} {what}{named}")
    values = [name for name in now.names if name in set(before.names) - set(key)]
    if values:
        _compare_cells(old.join(new, on=on, how="inner", suffix=_NEW), key, values, found)


def _compare_cells(
    both: pl.DataFrame, key: list[str], values: list[str], found: TableDifference
) -> None:
    differs = [pl.col(name) != pl.col(name + _NEW) for name in values]
    changed = both.filter(pl.any_horizontal(differs))
    counts = changed.select(each.sum() for each in differs).row(0)
    found.rows_changed, found.cells_changed = len(changed), sum(counts)
    if not found.rows_changed:
        return
    cells, rows = show_count(sum(counts), "cell"), show_count(len(changed), "row")
    found.lines.append(f"{cells} changed in {rows}")
    found.lines += _show_cells(changed, _drop_constant(key, both), values)
    if sum(counts) > _EXAMPLES:
        found.lines.append(f"and {sum(counts) - _EXAMPLES:,} more")


def _show_cells(changed: pl.DataFrame, key: list[str], values: list[str]) -> list[str]:
    """The first cells that have changed: `2024 Q3, Nord: 12.1 -> 12.4`."""
    lines: list[str] = []
    for row in changed.head(_EXAMPLES).iter_rows(named=True):
        label = [row[name] for name in key if row[name]]
        for name in values:
            if row[name] != row[name + _NEW] and len(lines) < _EXAMPLES:
                shown = [*label, name] if len(values) > 1 or not label else label
                change = f"{_show_cell(row[name])} -> {_show_cell(row[name + _NEW])}"
                lines.append(f"{_join_label(shown)}: {change}")
    return lines


def _choose_key(before: TableVersion, now: TableVersion) -> list[str]:
    """The columns that name a row in both versions."""
    shared = set(before.names)
    key = [n for n in now.find_names("dimension") if n in set(before.find_names("dimension"))]
    if key and _tells_apart(before.rows, key) and _tells_apart(now.rows, key):
        return key
    figures = {*before.find_names("measure"), *now.find_names("measure")}
    wider = [name for name in now.names if name in shared and name not in figures]
    if wider and (_tells_apart(now.rows, wider) or not key):
        return wider
    return key or [name for name in now.names if name in shared]


def _tells_apart(rows: pl.DataFrame, key: list[str]) -> bool:
    distinct: int = rows.select(pl.struct(key).n_unique()).item()
    return distinct == len(rows)


def _number_copies(rows: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    if not key:
        return rows.with_row_index(_COPY)
    return rows.with_columns(pl.int_range(pl.len()).over(key).alias(_COPY))


def _name_rows(rows: pl.DataFrame, key: list[str], table: pl.DataFrame) -> str:
    """What all of these rows have in common, or else the names of the first: ` (2024 Q4)`."""
    shown = _drop_constant(key, table)
    if not shown:
        return ""
    common = [n for n in shown if rows[n][0] and rows[n].n_unique() == 1]
    if common and len(rows) > 1:
        return f" ({_join_label([rows[name][0] for name in common])})"
    names = [_join_label(row) for row in rows.select(shown).head(_NAMED_ROWS).rows()]
    more = ["..."] if len(rows) > len(names) else []
    return f" ({'; '.join([*filter(None, names), *more])})"


def _join_label(parts: Sequence[str]) -> str:
    """The name of a row: `2024 Q3, Nord`, where a column has the year and one the quarter."""
    label = ""
    named = [part for part in parts if part]
    for before, part in zip(["", *named], named, strict=False):
        mark = " " if parse_year(before) and is_month(part) else ", "
        label += (mark if label else "") + show_text(part, _MAX_NAME)
    return label


def _drop_constant(key: list[str], rows: pl.DataFrame) -> list[str]:
    """The columns of a key without those that have one value in all rows."""
    return [name for name in key if rows[name].n_unique() > 1] or key[:1]


def _holds_other_things(before: Field, now: Field) -> bool:
    # A column without values has no type of its own.
    if not before.values or not now.values:
        return False
    return _GROUPS.get(before.type, before.type) != _GROUPS.get(now.type, now.type)


def _list(names: list[str]) -> str:
    more = ", ..." if len(names) > _EXAMPLES else ""
    return ", ".join(names[:_EXAMPLES]) + more


def _show_cell(text: str) -> str:
    return show_text(text, _MAX_NAME) or "empty"


def _to_text(cell: Any) -> str:
    plain = to_plain(cell)
    return "" if plain is None else str(plain).strip()


def _make_unique(names: Sequence[str]) -> list[str]:
    """Names of columns, of which several of one name are numbered."""
    return list(_number_names(names))


def _number_names(names: Sequence[str]) -> Iterator[str]:
    seen: dict[str, int] = {}
    for name in names:
        # NUL marks our own columns, so that no header can be one of them.
        plain = name.replace("\0", "")
        seen[plain] = seen.get(plain, 0) + 1
        yield plain if seen[plain] == 1 else f"{plain}\0{seen[plain]}"
