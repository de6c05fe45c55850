"""Tables of HTML pages."""

import pytest
from catalog_files import looked

from datahound.catalog.table_reader import read_table


def look(tmp_path, body, head="<title> The  page </title>"):
    return looked(tmp_path, "x.html", f"<!doctype html>{head}{body}")


ROWS = "<tr><th>town<th>n<tr><td>a<td>1<tr><td>b<td>2"


def test_a_table_is_read_and_read_again(tmp_path):
    """With its caption as the title."""
    found = look(tmp_path, f"<table><caption>Towns  2019</caption>{ROWS}</table>")
    (table,) = found.tables
    assert found.title == "The page"
    assert (table.title, table.place, table.rows) == ("Towns 2019", "table 1 of the page", 2)
    with read_table(tmp_path / "x.html", table.address) as reader:
        assert list(reader) == [["a", 1], ["b", 2]]


def test_the_heading_before_a_table_is_its_title(tmp_path):
    """The nearest one among its siblings."""
    found = look(tmp_path, f"<h1>Far</h1><h2>Near</h2><p>text</p><table>{ROWS}</table>")
    assert found.tables[0].title == "Near"


def test_raised_digits_are_marks_of_footnotes(tmp_path):
    """They are no figures of their own."""
    rows = "<tr><th>town<th>2020<sup>1</sup><tr><td>a<td>12<sup>2</sup><tr><td>b<td>13"
    (table,) = look(tmp_path, f"<table>{rows}</table>").tables
    assert [(field.name, field.type) for field in table.fields] == [
        ("town", "string"), ("2020¹", "integer"),
    ]  # fmt: skip
    assert (table.first_year, table.fields[1].values) == (2020, [12, 13])


def test_tables_for_layout_are_left_out(tmp_path):
    """Only the innermost is data."""
    found = look(tmp_path, f"<table><tr><td><table>{ROWS}</table><td>x</table>")
    assert [table.rows for table in found.tables] == [2]


@pytest.mark.parametrize(
    ("rows", "grid"),
    [
        ("<tr><td rowspan=2>a<td>1<tr><td>2", [["a", 1], ["a", 2]]),
        ("<tr><td colspan=2>a<td>1<tr><td>b<td>c<td>2", [["a", None, 1], ["b", "c", 2]]),
        ("<tr><td>a<td rowspan=3>1<tr><td>b<tr><td>c", [["a", 1], ["b", 1], ["c", 1]]),
        ("<tr><td rowspan=x>a<td>1<tr><td>b<td>2", [["a", 1], ["b", 2]]),
    ],
)
def test_merged_cells(tmp_path, rows, grid):
    """A text spans down, not to the right."""
    width = len(grid[0])
    header = "<tr>" + "".join(f"<th>name{n}" for n in range(width - 1)) + "<th>value"
    found = look(tmp_path, f"<table>{header}{rows}</table>")
    (table,) = found.tables
    with read_table(tmp_path / "x.html", table.address) as reader:
        assert list(reader) == [[None if c is None else c for c in row] for row in grid]


def test_huge_spans_are_cut(tmp_path):
    """A page must not ask for a billion cells."""
    found = look(tmp_path, "<table><tr><td colspan=999999999>a<td rowspan=99999>1<tr><td>2</table>")
    assert found.error == ""
    assert all(table.columns <= 201 for table in found.tables)


def test_the_encoding_of_the_page_is_used(tmp_path):
    """As a browser would."""
    rows = "<tr><th>город<th>n<tr><td>Москва<td>1<tr><td>Омск<td>2"
    body = f"<meta charset=windows-1251><table>{rows}</table>"
    (table,) = looked(tmp_path, "x.html", body.encode("windows-1251")).tables
    assert table.sample[0] == ["Москва", "1"]


def test_a_table_of_names_and_values_names_the_page(tmp_path):
    """Pages of databases call themselves a viewer."""
    facts = "<table><tr><td>Title:<td>Area and population<tr><td>Source:<td>census</table>"
    found = look(tmp_path, f"{facts}<table>{ROWS}</table>", "<title>Dataset viewer v1.1</title>")
    assert found.title == "Area and population"
