"""Numbers, dates, periods and missing values as people write them into cells."""

from datetime import UTC, date, datetime

import pytest

from datahound.catalog.tables.cells import (
    detect_decimal_mark,
    find_years,
    is_missing,
    is_period,
    parse_date,
    parse_datetime,
    parse_number,
    parse_year,
)


@pytest.mark.parametrize(
    ("text", "decimal", "number"),
    [
        ("1 234 567", ".", 1234567),
        ("1.234,5", ",", 1234.5),
        ("1,234", ".", 1234),
        ("1,234", ",", 1.234),
        ("−5", ".", -5),
        ("$1,200.50", ".", 1200.5),
        ("12,5 %", ",", 12.5),
        ("3.2e5", ".", 320000.0),
        ("5*", ".", 5),
        ("12/05/2020", ".", None),
        ("1-2", ".", None),
        ("", ".", None),
        ("-", ".", None),
        ("9" * 50, ".", None),
    ],
)
def test_numbers_as_people_write_them(text, decimal, number):
    """Signs, groups, marks and currencies do not hide a number; what is none stays none."""
    assert parse_number(text, decimal) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1'234'567", 1234567),
        ("1’234", 1234),
        ("1\u202f234", 1234),
        ("1.23", 1.23),
        ("1,23", 1.23),
        ("1,234,5", None),
        ("€ 12", 12),
        ("12 €", 12),
        ("+7", 7),
        ("–7", -7),
        ("(7)", -7),
        ("( 7 )", -7),
        ("(0)", 0),
        ("()", None),
        ("( )", None),
        ("(-)", None),
        ("5 ‰", 5),
        ("12 (p)", 12),
        ("12 p", 12),
        ("12 prov", None),
        ("12³", 12),
        ("5e3", 5000.0),
        ("٣", 3),
        ("²", None),
        ("$", None),
        ("12 34", None),
        ("1 234 56", None),
        ("0x10", None),
        ("12abc", None),
        ("true", None),
    ],
)
def test_signs_groups_flags_and_currencies(text, number):
    """A mark after a figure is dropped; what is not one figure is not a number."""
    assert parse_number(text) == number


def test_integers_stay_integers():
    """A decimal point makes a float, also before a zero."""
    assert type(parse_number("12")) is int
    assert type(parse_number("12.0")) is float
    assert type(parse_number("1,234")) is int
    assert parse_number("123456789012345678901234567890") == 123456789012345678901234567890


@pytest.mark.parametrize(
    "text", ["", " ", "-", "–", "..", "n/a", "NA", " Null ", "#REF!", "x", "*"]
)
def test_missing_values(text):
    """Marks of missing values, in any case and between blanks."""
    assert is_missing(text)


@pytest.mark.parametrize("text", ["0", "no", "xx", "-1", "n", "…a"])
def test_short_values_are_not_missing(text):
    """A zero is a value."""
    assert not is_missing(text)


@pytest.mark.parametrize(
    ("texts", "mark"),
    [
        (["1,5", "2,25", "name"], ","),
        (["1.5", "1,000"], "."),
        (["1,000", "2,000"], "."),
        (["1.000,5"], ","),
        (["1,000.5"], "."),
        (["0,123"], ","),
        (["12,5 %"], ","),
        ([], "."),
        (["1,5", "1.5"], "."),
    ],
)
def test_the_decimal_mark_of_a_table(texts, mark):
    """Three digits after a mark are a group and no evidence; a tie is a point."""
    assert detect_decimal_mark(texts) == mark


@pytest.mark.parametrize(
    ("value", "year"),
    [("2019", 2019), (" 1850 ", 1850), (2019, 2019), (2019.0, 2019), (1499, None), (2101, None),
     (2019.5, None), ("2019-20", None), (True, None), (None, None), ("3019", None), (1e300, None)],
)  # fmt: skip
def test_years(value, year):
    """Whole numbers from 1500 to 2100."""
    assert parse_year(value) == year


@pytest.mark.parametrize(
    "text",
    ["2019", "2019-Q1", "Q1 2019", "2019/20", "2019-2020", "Jan 2020", "1. Jan 2020", "Mai 2019",
     "2020-Jan", "janvier 2019", "2019 年 5 月", "2019年度", "12/05/2020", "05.2019", "FY 2019",
     "2019M05", "2019-05-17", "17.05.2019", "2020-01-02T10:00", "2019W12"],
)  # fmt: skip
def test_periods(text):
    """Years, quarters, months, weeks and days, in several languages."""
    assert is_period(text)


@pytest.mark.parametrize(
    "text",
    ["Jan to Mar 2019", "enero de 2019 a marzo de 2020", "Year ending Dec 2019", "2019 r",
     "IV 2018", "mid-2019", "2018 (Q1 to Q3)", "4. Vj. 2019", "2019年 平均"],
)  # fmt: skip
def test_periods_of_several_words(text):
    """Words of periods in any order, beside one or two years."""
    assert is_period(text)


@pytest.mark.parametrize(
    "text", ["Berlin", "12", "1.5", "Jan", "0049 30 2019", "x2019", "", "2" * 50]
)
def test_what_is_not_a_period(text):
    """Words, plain numbers and phone numbers."""
    assert not is_period(text)


def test_years_in_texts():
    """Not within longer numbers or decimals, and not after 2100."""
    assert find_years("Pupils 2015-2019, by school") == [2015, 2019]
    assert find_years("tel. 030 20191, 12.2019, 2019.5, 2,019") == []
    assert find_years("in 2101 and 1499") == []


def test_dates():
    """Only where day and month can't be mistaken for each other."""
    assert parse_date("2020-02-29") == date(2020, 2, 29)
    assert parse_date(" 2020/2/9 ") == date(2020, 2, 9)
    assert parse_date("29.02.2020") == date(2020, 2, 29)
    assert parse_date("2019-02-29") is None
    assert parse_date("02/03/2020") is None


def test_datetimes():
    """ISO 8601, with a date."""
    assert parse_datetime("2020-01-02T03:04:05Z") == datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert parse_datetime("2020-01-02 03:04") == datetime(2020, 1, 2, 3, 4)
    assert parse_datetime("2020-01-02") is None
    assert parse_datetime("2020-13-02T03:04:05") is None
