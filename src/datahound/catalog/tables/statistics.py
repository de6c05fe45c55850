"""Whether a table is a statistics table.

A statistics table has at least two rows, and its cells are mostly quantities (not codes, phone
numbers, dates or coordinates) over at least one dimension: a place, a period, a category or another
label, in a column or as the name of the column.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from math import prod

from datahound.catalog.tables.cells import find_years
from datahound.catalog.tables.columns import Column, is_coordinate, is_identifier

# Two rows of two figures are the smallest table of statistics.
_MIN_FIGURES = 4
_MIN_FIGURE_SHARE = 0.4
_MAX_PROSE_SHARE = 0.34
_MAX_DISTINCT_SHARE = 0.5
_MAX_CODE_LENGTH = 8
_MAX_FLAG, _MAX_FLAGS = 2, 12
_PERIOD_WEIGHT = 0.5
_MIN_PAGES = 5
_MIN_BESIDE = 2
_MIN_CUBE = 20
_MAX_SPARSENESS = 1.5
_MAX_EMPTINESS = 20
_UNNAMED = re.compile(r"column \d+")


def is_statistics(columns: Sequence[Column], rows: int) -> bool:
    """Whether these columns over `rows` rows are a statistics table."""
    columns = [column for column in columns if column.filled]
    measures = [c for c in columns if c.role == "measure" and not _is_page_number(c, columns)]
    figures = sum(column.filled for column in measures)
    if rows < 2 or figures < _MIN_FIGURES:
        return False
    dimensions = [c for c in columns if c.role == "dimension" or _is_ordinal(c)]
    dimensions = dimensions or _find_long_labels(columns, measures)
    # Years as column names are a dimension without a column of its own.
    if not dimensions and sum(1 for c in measures if find_years(c.name)) < 2:
        return False
    relevant = _find_relevant(columns, dimensions, rows)
    cells = sum(column.filled for column in relevant)
    prose = sum(column.filled for column in relevant if column.prose)
    # Catalogues of books or events have figures, too, but they are about texts.
    if prose > _MAX_PROSE_SHARE * cells:
        return False
    weighed = sum(column.filled * _weigh_column(column) for column in relevant)
    if figures >= _MIN_FIGURE_SHARE * weighed:
        return True
    # In long format there is one figure per row beside several dimensions: a small share is normal.
    long_format = _is_long_format(dimensions, rows) and not _is_register(columns, dimensions, rows)
    return not prose and (long_format or _is_full_cube(columns, rows))


def _find_relevant(
    columns: Sequence[Column], dimensions: Sequence[Column], rows: int
) -> list[Column]:
    """The columns that count against the figures."""
    # Constants, codes beside labels and coordinates of named places add no dimension: they must
    # not lower the share of figures.
    named = any(c.type == "string" and not c.period for c in dimensions)
    return [
        c
        for c in columns
        if c.role == "measure"
        or not (_is_redundant(c, rows) or _holds_flags(c) or (named and is_coordinate(c.name)))
    ]


def _weigh_column(column: Column) -> float:
    """What a column counts against figures: a period says little of what a table is about."""
    return _PERIOD_WEIGHT if column.period and column.role == "dimension" else 1.0


def has_measure(columns: Sequence[Column], rows: int) -> bool:
    """Whether the last column of a cube has figures: its format says that they are quantities."""
    return rows > 1 and bool(columns) and columns[-1].numbers >= _MIN_FIGURES


def _is_ordinal(column: Column) -> bool:
    """Whether integers label the rows, such as district numbers, and are not identifiers."""
    numbered = column.role == "other" and column.type == "integer" and column.numbers > 0
    unnamed = _UNNAMED.fullmatch(column.name) or not any(map(str.isalpha, column.name))
    return numbered and not (unnamed or is_identifier(column.name) or is_coordinate(column.name))


def _is_redundant(column: Column, rows: int) -> bool:
    """Whether a column is constant, or holds a different short code in every row."""
    if column.type == "string" and column.distinct <= 1 and column.filled == rows:
        return True
    short = all(len(str(v)) <= _MAX_CODE_LENGTH and " " not in str(v) for v in column.values)
    code = column.type == "string" and not column.period and short
    return code and column.distinct >= column.filled and all(
        str(v).isupper() or str(v).isdecimal() for v in column.values
    )  # fmt: skip


def _holds_flags(column: Column) -> bool:
    """Whether a column holds a few marks for the quality of figures, such as p, b or [x]."""
    short = all(len(str(value).strip("[]() ")) <= _MAX_FLAG for value in column.values)
    return column.type == "string" and short and 0 < column.distinct <= _MAX_FLAGS


def _find_long_labels(columns: Sequence[Column], measures: Sequence[Column]) -> list[Column]:
    """The first column, if it has long texts, and all others have figures."""
    first = columns[:1]
    beside = len(measures) >= _MIN_BESIDE and len(measures) == len(columns) - 1
    return list(first) if beside and first[0].type == "string" and first[0].prose else []


def _is_page_number(column: Column, columns: Sequence[Column]) -> bool:
    """Whether a column beside labels holds the page numbers of a table of contents."""
    labels = [c for c in columns if c is not column]
    numbers = [n for n in column.values if isinstance(n, int | float)]
    return (
        len(labels) == 1
        and labels[0].type == "string"
        and not labels[0].period
        and column.type == "integer"
        and len(numbers) >= _MIN_PAGES
        and bool(_UNNAMED.fullmatch(column.name))
        and all(a <= b for a, b in pairwise(numbers))
    )


def _is_full_cube(columns: Sequence[Column], rows: int) -> bool:
    """Whether there is about one row for each combination of the dimensions, which may be codes."""
    others = [c for c in columns if c.role != "measure"]
    cells = prod(max(1, c.distinct) for c in others)
    periods = any(c.period for c in others)
    return periods and rows >= _MIN_CUBE and rows <= cells <= _MAX_SPARSENESS * rows


def _is_register(columns: Sequence[Column], dimensions: Sequence[Column], rows: int) -> bool:
    """Whether rows are numbered and few of the combinations of their dimensions occur.

    So it is with payments and contracts; the observations of a cube fill it.
    """
    numbered = any(
        c.role == "other" and c.distinct >= rows and is_identifier(c.name) for c in columns
    )
    return numbered and prod(max(1, c.distinct) for c in dimensions) > _MAX_EMPTINESS * rows


def _is_long_format(dimensions: Sequence[Column], rows: int) -> bool:
    """Whether each row has one figure over dimensions whose values repeat."""
    kinds = [c for c in dimensions if not c.period]
    words = [c for c in kinds if c.type in ("string", "boolean")]
    repeated = all(c.distinct <= max(2, _MAX_DISTINCT_SHARE * rows) for c in words)
    periods = any(c.period for c in dimensions)
    return repeated and bool(words) and (periods or len(kinds) > 1)
