"""From a grid of cells to the profile of a table."""

from datetime import date, time

import pytest
from catalog_files import looked

from datahound.catalog.readers.task import Limits, Task, Unreadable, profile_grid
from datahound.catalog.tables.layout import find_layouts
from datahound.catalog.tables.profile import Grid, profile_table, to_plain

ROWS = [["Wages in France"], [], ["", "item", "2018", "2019"], ["", "Paris", "1,5", "2,5"],
        ["", "Lyon", "3,5", ""], [], ["Source"]]  # fmt: skip


def profile(rows, title="", **more):
    (layout,) = find_layouts(rows)
    return profile_table(Grid("here", {"k": 1}, title, rows), layout, **more)


def test_a_profile_has_all_that_the_catalogue_stores():
    """Counts, years of the names, places of the title, and an address to read it again."""
    found = profile(ROWS)
    assert (found.place, found.title, found.rows, found.columns) == (
        "here",
        "Wages in France",
        2,
        3,
    )
    assert [field.type for field in found.fields] == ["string", "number", "number"]
    assert found.number_share == 0.6
    assert (found.first_year, found.last_year, found.places) == (2018, 2019, ["France"])
    assert found.sample == [["Paris", "1,5", "2,5"], ["Lyon", "3,5", None]]
    assert found.terms == ["Paris", "Lyon"]
    assert found.address == {
        "k": 1, "first": 3, "last": 5, "left": 1, "decimal": ",",
        "names": ["item", "2018", "2019"], "types": ["string", "number", "number"],
    }  # fmt: skip


def test_the_title_of_the_grid_is_used_if_the_table_has_none():
    """And its years only if no column has any."""
    rows = [["a", "b"], ["x", 1.5], ["y", 2.5]]
    found = profile(rows, "Things of 2011")
    assert (found.title, found.first_year) == ("Things of 2011", 2011)
    assert profile([["a", "in 2019"], ["x", 1.5], ["y", 2.5]], "of 2011").first_year == 2019


def test_the_long_name_of_the_only_measure_is_the_title():
    """Where no line above says more."""
    name = "Index of consumer prices of all households"
    rows = [["month", name], ["2019-01", 1.5], ["2019-02", 2]]
    assert profile(rows).title == name
    assert profile([["month", "index"], *rows[1:]]).title == ""


def test_a_label_that_all_rows_share_is_the_title():
    """If its column says what the rows are about."""
    rows = [["code", "Statistic Label", "sex", "year", "value"],
            *(["P1", "Population estimates", sex, year, 90 + year % 7] for sex in ("men", "women")
              for year in range(2014, 2018))]  # fmt: skip
    assert profile(rows).title == "Population estimates"
    assert profile([["code", "Remark", *rows[0][2:]], *rows[1:]]).title == ""


def test_a_unit_is_a_line_that_says_little_else():
    """A title may have the word, too."""
    body = [["region", "2018"], ["a", 1.5], ["b", 2.5]]
    assert profile([["Population by region"], ["(in thousands)"], [], *body]).unit == "in thousands"
    assert profile([["New housing units by region and kind of building"], [], *body]).unit == ""


def test_years_below_labels_with_a_year():
    """Annual figures above the months of the last years."""
    body = [[2010, 5], [2011, 7], ["2012: January", 4], ["2012: May", 4], ["2013: May", 4]]
    found = profile([["Period", "n"], *body])
    assert (found.first_year, found.last_year) == (2010, 2013)


def test_what_a_region_was_called_as_of_a_year_comes_last():
    """The lines above a table say more of the time of its figures."""
    body = [["district (as of April 2021)", "rate"], ["a", 1.5], ["b", 2.5]]
    found = profile([["Survey of households"], ["date", "Jan 2018-Dec 2018"], [], *body])
    assert (found.first_year, found.last_year) == (2018, 2018)


def test_long_tables_are_counted_in_chunks():
    """The sample is the first twenty rows; short rows are filled."""
    rows = [["a", "b", "c"], *[[f"n{n}", n * 2 + 5, None][: 2 + n % 2] for n in range(10_000)]]
    found = profile(rows)
    assert (found.rows, len(found.sample)) == (10_000, 20)
    assert found.fields[2].nulls == 10_000


def test_columns_beyond_the_limit_are_left_out(tmp_path):
    """And noted by the task."""
    rows = [[f"c{n}" for n in range(9)], *[[n + 0.5] * 9 for n in range(3)]]
    assert profile(rows, most_columns=4).columns == 4
    task = Task(Limits(columns=4), tmp_path)
    (found,) = profile_grid(Grid("", {}, "", rows), task)
    assert found.columns == 4
    assert task.notes == ["only the first 4 columns of a table are listed"]


def test_a_named_grid_is_one_table(tmp_path):
    """Its first row holds the names, whatever they look like; without rows it is none."""
    task = Task(Limits(), tmp_path)
    (found,) = profile_grid(Grid("", {}, "", [["1", "1"], ["x", "y"]], named=True), task)
    assert [field.name for field in found.fields] == ["1", "1 (2)"]
    assert list(profile_grid(Grid("", {}, "", [["a"]], named=True), task)) == []
    assert list(profile_grid(Grid("", {}, "", [], named=True), task)) == []


@pytest.mark.parametrize(
    ("cell", "plain"),
    [("", None), (None, None), (True, "true"), (1.0, 1), (1.5, 1.5), (float("nan"), None),
     (1e20, 1e20), (2**60, str(2**60)), (7, 7), (date(2020, 1, 2), "2020-01-02"),
     (time(8, 30), "08:30:00"), ("x" * 300, "x" * 200), ("\ud800", "?")],
)  # fmt: skip
def test_cells_of_a_sample_fit_into_json(cell, plain):
    """And every program reads the same number."""
    assert to_plain(cell) == plain


def test_a_task_notes_once_and_refuses_large_files(tmp_path):
    """A file that must be in memory as a whole has a limit."""
    task = Task(Limits(whole_bytes=2 << 20), tmp_path)
    task.note("a")
    task.note("a")
    assert task.notes == ["a"]
    (tmp_path / "x").write_bytes(bytes(2 << 20))
    assert len(task.read_whole(tmp_path / "x")) == 2 << 20
    (tmp_path / "x").write_bytes(bytes((2 << 20) + 1))
    with pytest.raises(Unreadable, match="larger than 2 MiB"):
        task.read_whole(tmp_path / "x")


def test_years_across_come_before_dates_of_updates(tmp_path):
    """And a column of periods before years in the names of columns."""
    across = "region,Updated,2019,2020\n" + "".join(f"r{n},2024-03-28,{n},7\n" for n in range(5))
    (table,) = looked(tmp_path, "a.csv", across).tables
    assert (table.first_year, table.last_year) == (2019, 2020)
    down = "period,index (2015=100)\n" + "".join(f"{y},{y / 7}\n" for y in range(1990, 1999))
    (table,) = looked(tmp_path, "b.csv", down).tables
    assert (table.first_year, table.last_year) == (1990, 1998)


def test_years_in_coded_names_of_months():
    """`MO012020` is January 2020."""
    rows = [["H01", "MO122019", "MO012020"], ["a", 1, 2], ["b", 3, 4]]
    (layout,) = find_layouts(rows)
    table = profile_table(Grid("x", {}, "", rows), layout)
    assert (table.first_year, table.last_year) == (2019, 2020)
