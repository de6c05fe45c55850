"""The places that a table covers."""

import pytest

from datahound.catalog.tables.column_counts import ColumnCounts
from datahound.catalog.tables.columns import describe_column
from datahound.catalog.tables.profile import find_places


def places(name, values, title=""):
    counts = ColumnCounts()
    counts.add(values)
    return find_places([describe_column(name, counts)], [name], title)


@pytest.mark.parametrize(
    ("name", "values", "found"),
    [
        ("x", ["Germany", "France", "Italy"], ["Germany", "France", "Italy"]),
        ("x", ["Allemagne", "Deutschland"], ["Germany"]),
        ("country", ["DE", "FR"], ["Germany", "France"]),
        ("x", ["DE", "FR", "IT"], ["Germany", "France", "Italy"]),
        ("x", ["DE", "FR"], []),
        ("Gemeinde", ["Köln", "Bonn", "Total"], ["Köln", "Bonn"]),
        ("Köln", ["Köln", "Bonn"], []),
        ("region", ["101", "102"], []),
        ("x", ["Germany", "apples", "pears"], ["Germany"]),
        ("year", [2019, 2020], []),
    ],
)
def test_places_of_columns(name, values, found):
    """Names and codes of countries; other places only in a column that is named so."""
    assert places(name, values) == found


def test_places_in_titles_and_column_names():
    """A country in the title must be written as a name."""
    assert places("Japan", [1, 2], "Wages in New Zealand and Chad") == [
        "Japan",
        "New Zealand",
        "Chad",
    ]
    assert places("x", [1, 2], "the chad of a punched card") == []
    assert places("x", [1, 2], "日本の人口") == places("x", [1, 2], "")


def test_prose_and_periods_hold_no_places():
    """A sentence is not a place."""
    long = "We went to a place that is far away from here, and further, and came back again"
    assert places("place", [long + str(n) for n in range(3)]) == []
    assert places("location", ["Jan 2020", "Feb 2020"]) == []


def test_no_more_than_forty():
    """A list of all towns is not kept."""
    assert len(places("town", [f"Town {chr(65 + n % 26)}{n}" for n in range(90)])) == 40
