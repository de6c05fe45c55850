"""The years that a column covers, by its integers or its labels."""

import pytest

from datahound.catalog.tables.column_counts import ColumnCounts
from datahound.catalog.tables.column_years import (
    are_months,
    find_compact_years,
    find_label_years,
)


def count(numbers):
    """The counts of a column of integers."""
    counts = ColumnCounts()
    counts.least, counts.greatest = min(numbers), max(numbers)
    counts.distinct_numbers = set(numbers)
    return counts


@pytest.mark.parametrize(
    ("numbers", "years"),
    [
        ([202001, 202002, 202112], (2020, 2021)),
        ([20200131, 20200228, 20211231], (2020, 2021)),
        # School years: the second one follows the first.
        ([201819, 201920, 202021], (2018, 2020)),
        ([199899, 199900, 200001], (1998, 2000)),
    ],
)
def test_integers_that_are_all_months_days_or_school_years(numbers, years):
    assert find_compact_years(count(numbers)) == years


@pytest.mark.parametrize(
    "numbers",
    [
        # One is no month, no day, no year after the one before it.
        [202001, 202002, 202113],
        [20200131, 20200228, 20211301],
        [201819, 201920, 202025],
        # Months and school years do not mix.
        [202001, 202002, 202021],
        # Too few to tell, or numbers of another length.
        [202001, 202002],
        [2020, 2021, 2022],
        [99912, 202001, 202002],
        # Codes: no year is so early, and no series so long.
        [100101, 100102, 100103],
        [100001, 100002, 100003],
        [150001, 150002, 209912],
    ],
)
def test_integers_that_only_look_alike(numbers):
    assert find_compact_years(count(numbers)) is None


def test_decimal_numbers_that_are_years_with_months():
    assert are_months(["2021.01", "2021.02", "2021.12"])
    assert not are_months(["2021.01", "2021.02"]), "two may be a chance"
    assert not are_months(["2021.01", "2021.02", "2021.13"])
    assert not are_months(["2021.01", "2021.02", "1.5"])


def test_periods_have_the_years_of_all():
    texts = ["2001/02", "2002/03", "first half of 2003"]
    assert set(find_label_years(texts, 0.0, period=True)) >= {2001, 2002, 2003}


def test_most_labels_decide_and_the_others_are_looked_at_for_a_plain_year():
    """A column where half are periods has the years of these, and of years alone."""
    texts = ["Q1 2019", "Q2 2019", "Q3 2020", "2021", "Total"]
    assert set(find_label_years(texts, 0.0, period=False)) == {2019, 2020, 2021}


def test_a_year_with_words_that_repeat_is_a_date_in_any_language():
    texts = ["xyz 2018", "abc 2018", "xyz 2019", "abc 2019"]
    assert sorted(set(find_label_years(texts, 9.0, period=False))) == [2018, 2019]


@pytest.mark.parametrize(
    "texts",
    [
        # As many words as labels: titles, which may be of anything.
        ["Report 2018", "Survey 2019", "Census 2020"],
        # One year alone is no series.
        ["xyz 2018", "abc 2018", "xyz 2018", "abc 2018"],
        # Two years in one label.
        ["xyz 2018 2019", "xyz 2019 2020", "xyz 2020 2021", "xyz 2021 2022"],
    ],
)
def test_labels_that_are_no_dates(texts):
    assert find_label_years(texts, 9.0, period=False) == []


def test_years_that_head_the_rows_below_them_count_unless_figures_look_like_years():
    """Beside few figures a year alone is a heading; beside many, one of them by chance."""
    texts = ["2018", "wheat", "barley", "2019", "wheat", "barley"]
    assert find_label_years(texts, 0.5, period=False) == [2018, 2019]
    assert find_label_years(texts, 5.0, period=False) == []
