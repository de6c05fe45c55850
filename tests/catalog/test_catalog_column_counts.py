"""Counts of a column, a chunk at a time."""

from datetime import date, datetime, time

from hypothesis import given
from hypothesis import strategies as st

from datahound.catalog.tables import column_counts
from datahound.catalog.tables.column_counts import ColumnCounts

NUMBERS = st.one_of(st.integers(-9, 9), st.floats(-9, 9))
CELLS = st.lists(
    st.one_of(st.none(), st.booleans(), NUMBERS, st.sampled_from(["a", "b", ""]), st.dates())
)


def count(*chunks):
    counts = ColumnCounts()
    for chunk in chunks:
        counts.add(chunk)
    return counts


@given(CELLS, CELLS)
def test_chunks_do_not_matter(one, two):
    """Two chunks count as one."""
    assert count(one, two) == count(one + two)


@given(CELLS)
def test_every_cell_is_counted_once(cells):
    """As a blank, a number, a truth, a date or a text."""
    found = count(cells)
    parts = found.blanks + found.numbers + found.booleans + found.dates + found.texts
    assert parts == found.rows == len(cells)


def test_kinds_of_values():
    """Truths are not numbers; times are texts; moments are dates."""
    found = count(
        [True, 1, 1.5, "", None, "x", time(8, 30), datetime(2020, 1, 2, 3), date(2019, 1, 1)]
    )
    assert (found.booleans, found.numbers, found.blanks, found.texts) == (1, 2, 2, 2)
    assert (found.dates, found.moments) == (2, 1)
    assert (found.first_date, found.last_date) == (date(2019, 1, 1), date(2020, 1, 2))
    assert found.distinct == {"x": 1, "08:30:00": 1}


def test_numbers_that_are_not_finite_are_blanks():
    """They must not reach a minimum or a maximum."""
    found = count([1, float("nan"), float("inf"), 3])
    assert (found.numbers, found.blanks, found.least, found.greatest) == (2, 2, 1, 3)
    assert count([float("nan")]).least is None


def test_integers_are_noticed():
    """A float without a fraction is one."""
    assert count([1, 2.0]).all_integers
    assert not count([1, 2.5]).all_integers


def test_memory_is_bounded(monkeypatch):
    """Texts beyond the limit are counted and not kept; known ones are still counted."""
    monkeypatch.setattr(column_counts, "_MAX_DISTINCT", 3)
    found = count(["a", "b"], ["c", "d", "a"])
    assert found.distinct == {"a": 2, "b": 1, "c": 1}
    assert (found.texts, found.overflow) == (5, 1)
    assert len(count(["x" * 999]).distinct.popitem()[0]) == 200
