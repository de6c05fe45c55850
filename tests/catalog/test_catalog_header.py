"""The header of a table by scored rows, on layouts that statistics offices publish."""

import pytest

from datahound.catalog.tables.header import count_header_rows, find_region
from datahound.catalog.tables.layout import find_layouts

BODY = [["North", 51234, 5210], ["South", 61234, 5310], ["West", 71234, 5410]]


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ([["Region", 2019, 2020], []], ["Region", "2019", "2020"]),
        ([["Region", "2019 [r]", "2020 (p)"]], ["Region", "2019 [r]", "2020 (p)"]),
        ([["TIME", "2019", "2020"], ["GEO"]], ["TIME / GEO", "2019", "2020"]),
        ([[None, "Men"], ["Region", 2019, 2020], []], ["Region", "Men / 2019", "Men / 2020"]),
        (
            [["Region", "Men", "Women"], [None, "%", "thousands"]],
            ["Region", "Men / %", "Women / thousands"],
        ),
    ],
)
def test_headers_of_all_kinds(header, names):
    """Blank rows, flags, a label below the years, units."""
    (table,) = find_layouts([*header, *BODY])
    assert table.names == names
    assert table.rows == len(BODY)


def test_counts_that_could_be_years_are_figures():
    """A row of small counts below a period is data."""
    rows = [["Date", "Men", "Women"], ["31.12.2015", 1712, 1999], ["31.12.2016", 1650, 2001]]
    assert count_header_rows(rows, find_region(rows, 0, 3)) == 1


def test_one_year_above_one_column_is_a_header():
    """Although the row could be data."""
    rows = [["Region", 2019], ["North", 51234], ["South", 61234], ["West", 71234]]
    assert count_header_rows(rows, find_region(rows, 0, 2)) == 1


def test_names_and_values_above_a_table_are_not_a_table():
    """They give its title."""
    rows = [
        ["Dataset:", "Pupils by region"],
        ["Updated:", "2024"],
        [],
        ["Region", 2019, 2020],
        *BODY,
    ]
    (table,) = find_layouts(rows)
    assert (table.title, table.rows) == ("Pupils by region", 3)


def test_blank_rows_inside_a_table_do_not_count():
    """They separate blocks of rows."""
    (table,) = find_layouts([["Region", "Men", "Women"], *BODY, [], *BODY])
    assert (table.rows, table.blank_rows) == (6, 1)


def test_missing_marks_do_not_hide_figures():
    """Half of the cells may be missing."""
    rows = [["Region", "Men"], *(["North", ":"], ["South", 51234]) * 4]
    assert find_region(rows, 0, 2).numeric == [1]


@pytest.mark.parametrize(
    "header",
    [["Model", "Unit", "2080", "2090", "2100"], ["Name", "STATE_FIPS", "1929", "1930", "1931"]],
)
def test_years_up_to_2100_and_beside_a_code(header):
    """A column of codes among the years, and the last year of projections."""
    body = [[f"m{n}", str(n), str(n + 310), str(n + 411), str(n + 512)] for n in range(20)]
    (table,) = find_layouts([header, *body])
    assert (table.names, table.rows) == (header, 20)


def test_a_total_that_heads_the_rows_below_it_is_no_name():
    """A label alone below the header names the labels, unless the rows below are its parts."""
    header = [[None, "2020", "2021"]]
    body = [["  North", 11, 12], ["  South", 21, 22], ["  West", 31, 32]]
    (parts,) = find_layouts([*header, ["Whole country", None, None], *body])
    (total,) = find_layouts(
        [*header, ["Total", None, None], *[[r[0].strip(), *r[1:]] for r in body]]
    )
    assert (parts.rows, parts.names[0]) == (total.rows, total.names[0]) == (4, "column 1")
    (named,) = find_layouts(
        [*header, ["Region", None, None], *[[r[0].strip(), *r[1:]] for r in body]]
    )
    assert (named.rows, named.names[0]) == (3, "Region")


def test_months_that_could_be_decimal_numbers_are_names():
    """`2021.01` in a row of such months is no figure; a figure alone is one."""
    rows = [
        ["Region", "2021.01", "2021.02"],
        ["North", "2013.05", "12.25"],
        ["South", "7.5", "9.25"],
    ]
    (table,) = find_layouts(rows)
    assert (table.names, table.rows) == (["Region", "2021.01", "2021.02"], 2)


def count(rows):
    return count_header_rows(rows, find_region(rows, 0, max(map(len, rows))))


def test_ages_and_classes_name_columns():
    """Numbers at equal steps over figures are no figures, unless the next row has such numbers."""
    ages = [["Code", "All ages", *range(12)], *([f"E{n}", 900 + n, *(n * k % 7 for k in range(12))]
            for n in range(2, 9))]  # fmt: skip
    assert count(ages) == 1
    assert count([["Code", "All ages", *range(0, 60, 5)], *ages[1:]]) == 1
    assert count([row for n in range(8) for row in [[f"x{n}", 5, *range(12)]]]) == 0


def test_a_first_column_of_years_has_labels():
    """A heading of the rows below it is no name of columns."""
    body = [[year, 10 + year % 7, 5.5] for year in range(2010, 2016)]
    rows = [
        ["Race", "Number", "Income"],
        ["and year", "current", "dollars"],
        ["ALL"],
        *body,
        ["WHITE"],
        *body,
    ]
    assert count(rows) == 2
