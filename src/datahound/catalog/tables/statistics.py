"""Whether a table is a statistics table: mostly numbers, over dimensions."""

import re
from collections.abc import Sequence

from datahound.catalog.tables.cells import years_in
from datahound.catalog.tables.columns import Column, is_identifier, is_place_point

MEANING = """A table of at least two rows whose cells are mostly quantities (not codes, phone
numbers, dates or coordinates), each of them said by at least one dimension: a place, a period, a
category or another label, in a column or as the name of the column."""

_FEWEST_FIGURES = 4
_WIDE_SHARE = 0.4
_PROSE_SHARE = 0.34
_REPEATED = 0.5
_CODE_LENGTH = 8
_NAMELESS = re.compile(r"column \d+")


def is_statistics(columns: Sequence[Column], rows: int) -> bool:
    """Whether these columns, over so many rows, make a statistics table."""
    columns = [column for column in columns if column.filled]
    measures = [column for column in columns if column.role == "measure"]
    figures = sum(column.filled for column in measures)
    if rows < 2 or figures < _FEWEST_FIGURES:
        return False
    dimensions = [c for c in columns if c.role == "dimension" or _is_ordinal(c)]
    if not dimensions and sum(1 for c in measures if years_in(c.name)) < 2:
        return False
    # What says the same in every row, says again what another column says, or where a place that
    # has a name is on the map, is no dimension.
    named = any(c.type == "string" and not c.period for c in dimensions)
    telling = [
        c
        for c in columns
        if c.role == "measure" or not (_says_little(c, rows) or (named and is_place_point(c.name)))
    ]
    cells = sum(column.filled for column in telling)
    prose = sum(column.filled for column in telling if column.prose)
    if prose > _PROSE_SHARE * cells:
        return False
    if figures >= _WIDE_SHARE * cells:
        return True
    return not prose and _is_long(dimensions, rows)


def _is_ordinal(column: Column) -> bool:
    """A number that names what a row is about, such as that of a district; no identifier."""
    numbered = column.role == "other" and column.type == "integer" and column.numbers > 0
    unnamed = _NAMELESS.fullmatch(column.name) or not any(map(str.isalpha, column.name))
    return numbered and not (unnamed or is_identifier(column.name) or is_place_point(column.name))


def _says_little(column: Column, rows: int) -> bool:
    if column.type == "string" and column.distinct <= 1 and column.filled == rows:
        return True
    short = all(len(str(v)) <= _CODE_LENGTH and " " not in str(v) for v in column.values)
    code = column.type == "string" and not column.period and short
    return code and column.distinct >= column.filled and all(
        str(v).isupper() or str(v).isdecimal() for v in column.values
    )  # fmt: skip


def _is_long(dimensions: Sequence[Column], rows: int) -> bool:
    """One figure a row, said by dimensions whose values come again and again."""
    kinds = [c for c in dimensions if not c.period]
    words = [c for c in kinds if c.type in ("string", "boolean")]
    repeated = all(c.distinct <= max(2, _REPEATED * rows) for c in words)
    periods = any(c.period for c in dimensions)
    return repeated and bool(words) and (periods or len(kinds) > 1)
