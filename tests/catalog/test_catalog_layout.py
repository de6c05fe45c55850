import pytest

from datahound.catalog.tables.cells import parse_number
from datahound.catalog.tables.layout import find_layouts


def cells(text: str) -> list[list[str]]:
    return [line.split("|") if line else [] for line in text.strip("\n").split("\n")]


def test_titles_headers_and_notes():
    """What is above and below a table is not part of it."""
    (table,) = find_layouts(
        cells("""
Population by region, 2020
In thousands

Region|Men|Women
North|1|2
South|3|4

Source: census""")
    )
    assert table.names == ["Region", "Men", "Women"]
    assert (table.first, table.last) == (4, 6)
    assert table.title == "Population by region, 2020 In thousands"


def test_a_header_of_two_rows():
    """Headings above several columns are said of each."""
    (table,) = find_layouts(
        cells("""
Region|Men||Women|
|2019|2020|2019|2020
North|11|12|13|14
South|21|22|23|24""")
    )
    assert table.names == ["Region", "Men / 2019", "Men / 2020", "Women / 2019", "Women / 2020"]
    assert table.last - table.first == 2


def test_years_are_names():
    """A row of years above figures is a header, though it is all numbers."""
    (table,) = find_layouts([["Region", 2019, 2020], ["North", 5, 6], ["South", 7, 8]])
    assert table.names == ["Region", "2019", "2020"]


def test_two_tables_on_a_sheet():
    """A new header below a blank row begins a new table; figures without one go on with the old."""
    text = "Name|Value\na|1\nb|2\n\nc|3\n\nTown|Rate|Year\nx|1.5|2019\ny|2.5|2020"
    first, second = find_layouts(cells(text))
    assert (first.names, first.last - first.first) == (["Name", "Value"], 4)
    assert second.names == ["Town", "Rate", "Year"]


def test_no_header_at_all():
    """Figures from the first row on have columns without names."""
    (table,) = find_layouts(cells("a|1|2\nb|3|4\nc|5|6"))
    assert table.names == ["column 1", "column 2", "column 3"]
    assert table.last - table.first == 3


@pytest.mark.parametrize("rows", [[], [[]], [[None]], [["", ""]], [["x"]], [[0]], [[False, False]]])
def test_nothing_is_no_table(rows):
    """Empty grids and lonely cells are no tables, and no trouble."""
    assert find_layouts(rows) == []


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
