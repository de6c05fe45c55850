"""Types and roles of columns."""

from datetime import date, datetime

import pytest

from datahound.catalog.tables.column_counts import ColumnCounts, count_values
from datahound.catalog.tables.columns import (
    describe_column,
    describe_columns,
    is_coordinate,
    is_identifier,
)


def describe(name, values, decimal="."):
    counts = ColumnCounts()
    counts.add(values)
    return describe_column(name, counts, decimal)


def cycle(values, count=40):
    return [values[n % len(values)] for n in range(count)]


@pytest.mark.parametrize(
    ("name", "values", "kind", "role"),
    [
        ("pupils", [120, 340, 99], "integer", "measure"),
        ("pupils", ["120", "340", "99"], "integer", "measure"),
        ("share", ["1.5", "2"], "number", "measure"),
        ("share", ["1,5", "2,25"], "number", "measure"),
        ("year", [2019, 2020], "year", "dimension"),
        ("year", ["2019", "2020"], "year", "dimension"),
        ("x", cycle([2018, 2019, 2020]), "year", "dimension"),
        ("pupils", [1650, 1790, 1801], "integer", "measure"),
        ("region", ["North", "South"], "string", "dimension"),
        ("open", [True, False, True], "boolean", "dimension"),
        ("open", ["yes", "no", "yes"], "boolean", "dimension"),
        ("day", [date(2020, 1, 1), date(2021, 5, 2)], "date", "dimension"),
        ("at", [datetime(2020, 1, 1, 5), datetime(2021, 1, 1)], "datetime", "dimension"),
        ("day", ["2020-01-01", "2020-01-02"], "date", "dimension"),
        ("at", ["2020-01-01T10:00", "2020-01-02T10:00"], "datetime", "dimension"),
        ("month", ["Jan 2020", "Feb 2020"], "string", "dimension"),
        ("code", [17, 23, 99], "integer", "other"),
        ("number of pupils", [17, 23, 99], "integer", "measure"),
        ("latitude", [52.5, 48.1], "number", "other"),
        ("age", [17, 23, 99], "integer", "dimension"),
        ("age", [17, 23, 1999], "integer", "measure"),
        ("n", list(range(1, 9)), "integer", "other"),
        ("n", [1, 2, 3], "integer", "measure"),
        ("flag", cycle([0, 1]), "integer", "other"),
        ("plz", ["01067", "10115", "80331"], "string", "dimension"),
        ("note", ["A long sentence that says a lot about one row of the table, and more"] * 3,
         "string", "other"),
        ("site", ["https://a.org", "www.b.org"], "string", "other"),
        ("phone", ["+49 30 123456", "030/99 88 77"], "string", "other"),
        ("opens", ["8:30", "9h00", "10 am"], "string", "other"),
        ("empty", [None, "", "n/a"], "string", "other"),
        ("mixed", [1, 2, 3, "a", "b"], "string", "other"),
    ],
)  # fmt: skip
def test_types_and_roles(name, values, kind, role):
    """Measures are counted; dimensions are what is counted by; the rest is neither."""
    decimal = "," if "1,5" in values else "."
    column = describe(name, values, decimal)
    assert (column.type, column.role) == (kind, role)


def test_missing_marks_count_as_nulls():
    """In columns of texts and of numbers."""
    column = describe("pupils", ["1", "..", "", None, "3"])
    assert (column.nulls, column.filled, column.type) == (3, 2, "integer")
    column = describe("pupils", [1, 2, 3, "n/a"])
    assert (column.nulls, column.filled, column.type) == (1, 3, "integer")


def test_four_of_five_values_decide_the_type():
    """Footnotes and labels of sections do not make a text column."""
    assert describe("x", ["5"] * 4 + [str(n) for n in range(20, 36)] + ["a", "b"]).type == "integer"
    assert describe("x", ["5", "6", "7", "a"]).type == "string"


def test_years_of_periods():
    """The first and the last year that a column names."""
    column = describe("period", ["2018-Q1", "2019-Q4", "2020-Q1"])
    assert (column.first_year, column.last_year, column.period) == (2018, 2020, True)
    column = describe("day", [date(2001, 1, 1), date(2003, 1, 1)])
    assert (column.first_year, column.last_year) == (2001, 2003)


def test_years_too_far_apart_are_not_years():
    """Unless the column is called so, and not even then over four centuries."""
    assert describe("year", [1500, 2100]).type == "integer"
    assert describe("x", [1801, 1990]).type == "year"
    assert describe("x", [1650, 1700]).type == "integer"


@pytest.mark.parametrize(
    "name", ["id", "Postal code", "geoCode", "INSEE", "コード", "No", "page_no"]
)
def test_identifiers(name):
    """By a word of the name."""
    assert is_identifier(name)


@pytest.mark.parametrize(
    "name", ["number of pupils", "nombre de cas", "ideas", "population", "notes"]
)
def test_measures_are_not_identifiers(name):
    """A word within a word does not count, nor a number of something."""
    assert not is_identifier(name)


def test_coordinates():
    """By the name."""
    assert is_coordinate("geo_lon")
    assert is_coordinate("Latitude (WGS84)")
    assert not is_coordinate("longest")


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("Code", ["01.1", "01.2", "02.1", "12.7"], "dimension"),
        ("Code", [1.1, 1.2, 2.1, 12.7], "other"),
        ("Group", ["01", "02", "01.1", "12.7"], "dimension"),
        ("Index", [101.1, 102.5, 99.8], "measure"),
    ],
)
def test_codes_of_a_hierarchy_measure_nothing(name, values, role):
    """Although they look like fractions; those with a zero in front are texts."""
    assert describe(name, values).role == role


def test_rising_integers_left_of_labels_are_their_codes():
    """Whatever they are called; figures right of the labels, and ages, are not."""
    labels, numbers = [f"Place {n}" for n in range(12)], [n * n + 3 for n in range(12)]

    def roles(*columns):
        counts = [count_values(values) for values in columns]
        return [c.role for c in describe_columns(["a", "b"], counts)]

    assert roles(numbers, labels) == ["other", "dimension"]
    assert roles(labels, numbers) == ["dimension", "measure"]
    assert roles(numbers[::-1], labels) == ["measure", "dimension"]


@pytest.mark.parametrize(
    ("values", "years"),
    [
        (["201819", "201920", "202021"], (2018, 2020)),
        (["2019. I. negyedév", "2019. II. negyedév", "2020. I. negyedév"], (2019, 2020)),
        (["kipindi 2019", "kipindi 2020", "kipindi 2021"], (2019, 2021)),
        (["2021.01", "2021.02", "2021.03"], (2021, 2021)),
        (["x 2021", "Pro 95466", "Pro 12345"], (None, None)),
        (["Pro 45", "2021", "Pro 95466", "17", "12345", "Pro 81", "88", "Pro 7"], (None, None)),
        (["Firma 1999 GmbH", "Bau 2000 AG", "Hotel 2001"], (None, None)),
    ],
)
def test_years_of_periods_in_any_language(values, years):
    """A year with few other words is a period, also in a language that is in no list."""
    column = describe("period", values)
    assert (column.first_year, column.last_year) == years
