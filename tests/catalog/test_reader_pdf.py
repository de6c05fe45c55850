"""Tables of PDF files, with and without drawn lines."""

import io

import pytest
from catalog_files import looked
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Table

from datahound.catalog.readers import pdf
from datahound.catalog.table_reader import read_table

HEADER = ["Region", "Year", "Pupils"]
RULED = [("GRID", (0, 0), (-1, -1), 1, "black")]


def rows(count):
    return [[f"Town {n}", str(2000 + n % 20), str(n * 7 + 100)] for n in range(count)]


def document(*parts, title=""):
    file = io.BytesIO()
    SimpleDocTemplate(file, title=title).build(list(parts))
    return file.getvalue()


def text(words):
    return Paragraph(words, getSampleStyleSheet()["Normal"])


@pytest.mark.parametrize("style", [RULED, []], ids=["ruled", "bare"])
def test_a_table_over_several_pages_is_one(tmp_path, style):
    """Its repeated header is left out; it is read again the same."""
    body = document(Table([HEADER, *rows(90)], style=style, repeatRows=1), title="The title")
    found = looked(tmp_path, "x.pdf", body)
    (table,) = found.tables
    assert found.title == "The title"
    assert table.place == "pages 1 to 3"
    assert table.rows == 90
    with read_table(tmp_path / "x.pdf", table.address) as reader:
        assert reader.header == HEADER
        read = list(reader)
    assert read[0] == ["Town 0", 2000, 100]
    assert read[-1] == ["Town 89", 2009, 723]


def test_two_tables_on_two_pages(tmp_path):
    """Other columns are another table."""
    other = [["Kind", "Rate"], *[[f"k{n}", str(n * 1.5)] for n in range(6)]]
    body = document(Table([HEADER, *rows(5)], style=RULED), PageBreak(), Table(other, style=RULED))
    found = looked(tmp_path, "x.pdf", body)
    assert [(table.place, table.columns) for table in found.tables] == [
        ("page 1", 3),
        ("page 2", 2),
    ]


def test_prose_is_not_a_table(tmp_path):
    """Lines of words have one cell each."""
    assert (
        looked(tmp_path, "x.pdf", document(text("Some words about nothing. " * 200))).tables == []
    )


def test_the_line_above_a_bare_table_is_its_title(tmp_path):
    """If there is one."""
    body = document(text("Pupils by town"), Table([HEADER, *rows(8)]))
    (table,) = looked(tmp_path, "x.pdf", body).tables
    assert table.title == "Pupils by town"


def test_pages_beyond_the_limit_are_noted(tmp_path):
    """They are not read."""
    body = document(*[part for _ in range(62) for part in (text("x"), PageBreak())])
    assert looked(tmp_path, "x.pdf", body).error == "only 60 of 62 pages were looked into"


def test_columns_are_where_the_cells_of_full_lines_are():
    """A cell is put where it overlaps most; two texts in one column are joined."""
    line = pdf._Line
    span = pdf._Span
    run = [
        line(30, 20, [span(0, 10, "a"), span(20, 30, "1"), span(40, 50, "2")]),
        line(20, 10, [span(0, 10, "b"), span(22, 30, "3"), span(41, 50, "4")]),
        line(10, 0, [span(21, 29, "5")]),
    ]
    assert pdf._align_cells(run) == [["a", "1", "2"], ["b", "3", "4"], ["", "5", ""]]
    assert pdf._align_cells(run[2:]) == []
