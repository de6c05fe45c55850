"""Differences of two versions of a table: columns, rows by their dimensions, cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datahound.catalog.tables.columns import Field
from datahound.catalog.tables.difference import (
    TableDifference,
    TableVersion,
    compare_columns,
    compare_rows,
    load_rows,
)

FIELDS = [
    Field("year", "year", 0, "dimension", [2023]),
    Field("quarter", "string", 0, "dimension", ["Q1"]),
    Field("region", "string", 0, "dimension", ["Nord"]),
    Field("rate", "number", 0, "measure", [1.5]),
    Field("cases", "integer", 0, "measure", [3]),
]
NAMES = [field.name for field in FIELDS]
ROWS = [
    [year, quarter, region, float(number), number]
    for number, (year, quarter, region) in enumerate(
        (y, q, r) for y in (2023, 2024) for q in ("Q1", "Q2", "Q3") for r in ("Nord", "Ost")
    )
]


def compare(before, now, names=NAMES, fields=FIELDS):
    found = TableDifference()
    versions = [TableVersion(fields, load_rows(names, rows)) for rows in (before, now)]
    compare_rows(*versions, found)
    return found


def test_equal_tables_differ_in_nothing():
    """Neither another order of rows nor another way to write a number is a difference."""
    written = [[str(y), q, r, rate, float(cases)] for y, q, r, rate, cases in reversed(ROWS)]
    assert compare(ROWS, written) == TableDifference()


def test_a_changed_figure_is_named_by_its_dimensions():
    """Year and quarter make a period; the column is named where there are several."""
    changed = [[*row] for row in ROWS]
    changed[10][3] = 12.4
    found = compare(ROWS, changed)
    assert (found.rows_changed, found.cells_changed) == (1, 1)
    assert found.lines == ["1 cell changed in 1 row", "2024 Q3, Nord, rate: 10 -> 12.4"]


def test_one_column_of_figures_needs_no_name():
    """The form that statisticians write corrections in."""
    before = [row[:4] for row in ROWS]
    now = [[*row[:3], 12.4] if row[:3] == [2024, "Q3", "Nord"] else row for row in before]
    assert compare(before, now, NAMES[:4], FIELDS[:4]).lines[1:] == ["2024 Q3, Nord: 10 -> 12.4"]


def test_new_and_lost_rows_are_named_by_what_they_share():
    """A quarter that was added, and a region of one quarter that is gone."""
    found = compare(ROWS[:-2], ROWS[1:])
    assert (found.rows_added, found.rows_removed, found.rows_changed) == (2, 1, 0)
    assert found.lines == ["2 rows added (2024 Q3)", "1 row removed (2023 Q1, Nord)"]


def test_many_changes_are_counted_and_few_are_shown():
    """Five examples, and the number of the rest."""
    found = compare(ROWS, [[*row[:3], row[3] + 1, row[4] + 1] for row in ROWS])
    assert (found.rows_changed, found.cells_changed) == (12, 24)
    assert len(found.lines) == 7
    assert found.lines[-1] == "and 19 more"


def test_columns_and_types_are_compared():
    """A column more, one less, and one whose figures became texts; an empty one has no type."""
    now = [
        *FIELDS[:3],
        Field("rate", "string", 0, "other", ["n.a."]),
        Field("sex", "string", 5, "other", []),
    ]
    found = compare_columns((NAMES, [field.name for field in now]), (FIELDS, now))
    assert (found.columns_added, found.columns_lost) == (["sex"], ["cases"])
    assert found.types_changed == ["rate: number -> string"]
    assert found.changes_schema
    assert found.lines[0] == "1 column added: sex"


@pytest.mark.parametrize("names", [["a", "a"], ["", ""], ["\0copy", "\0new"]])
def test_any_names_of_columns_will_do(names):
    """Equal names, none, and those that the comparison uses itself."""
    fields = [Field(name, "integer", 0, "measure", [1]) for name in names]
    found = compare([[1, 2], [3, 4]], [[1, 2], [5, 4]], names, fields)
    assert found.rows_added == found.rows_removed == 1


_CELLS = st.one_of(st.none(), st.integers(-5, 5), st.sampled_from(["x", "y", "12.5", ""]))
_TABLES = st.lists(st.lists(_CELLS, min_size=5, max_size=5), max_size=12)


@given(_TABLES, _TABLES)
def test_counts_agree_with_the_rows(before, now):
    """Rows that were there, less those removed, plus those added, are those that are there now."""
    found = compare(before, now)
    assert len(before) - found.rows_removed + found.rows_added == len(now)
    assert found.rows_changed <= min(len(before), len(now))
    assert compare(before, before) == TableDifference()
