"""Tables of PDF files, with and without drawn lines."""

import io

import pytest
from catalog_files import looked
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Table

from datahound.catalog.readers import pdf_columns, pdf_text
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
    line, span = pdf_text.Line, pdf_text.Span
    run = [
        line(30, 20, [span(0, 10, "a"), span(20, 30, "1"), span(40, 50, "2")]),
        line(20, 10, [span(0, 10, "b"), span(22, 30, "3"), span(41, 50, "4")]),
        line(10, 0, [span(21, 29, "5")]),
    ]
    assert pdf_columns.align_cells(run) == [["a", "1", "2"], ["b", "3", "4"], ["", "5", ""]]
    assert pdf_columns.align_cells(run[2:]) == []


def line(top, *cells):
    return pdf_text.Line(top, top - 8, [pdf_text.Span(a, b, words) for a, b, words in cells])


def figures(top, name):
    return line(top, (0, 40, name), (70, 80, "12"), (110, 120, "13"), (150, 160, "14"))


def test_headings_at_the_left_of_their_columns():
    """Figures at the right of a column, and its name at the left, are one column."""
    names = line(30, (0, 40, "region"), (45, 60, "2019"), (85, 100, "2020"), (125, 140, "2021"))
    grid = pdf_columns.align_cells([names, *(figures(20 - 10 * n, f"r{n}") for n in range(3))])
    assert grid[0] == ["region", "2019", "2020", "2021"]


def test_a_heading_over_several_columns():
    """It is put over the first of them."""
    groups = line(40, (105, 125, "persons"))
    names = line(30, (0, 40, "region"), (65, 80, "2019"), (105, 120, "2020"), (145, 160, "2021"))
    body = [figures(20 - 10 * n, f"r{n}") for n in range(4)]
    assert pdf_columns.align_cells([groups, names, *body])[0] == ["", "persons", "", ""]


def test_a_label_over_two_lines_is_one():
    """Its first line ends with a comma, or its second begins with a small letter."""
    run = [figures(60, "a"), figures(50, "b"), line(40, (0, 40, "Agriculture,")),
           figures(31, "forestry"), figures(20, "d")]  # fmt: skip
    assert [row[0] for row in pdf_columns.align_cells(run)] == [
        "a", "b", "Agriculture, forestry", "d",
    ]  # fmt: skip


def test_unit_and_notes_around_a_table_are_kept(tmp_path):
    """The text that goes on below is none of them."""
    parts = [text("Pupils by town, 2019"), text("(in thousands)"), Table([HEADER, *rows(8)]),
             text("1) Provisional."), text("Source: school census"),
             text("Words go on here.")]  # fmt: skip
    (table,) = looked(tmp_path, "x.pdf", document(*parts)).tables
    assert (table.title, table.unit) == ("Pupils by town, 2019", "in thousands")
    assert table.notes == "1) Provisional. Source: school census"


def test_small_raised_digits_are_marks_of_footnotes(tmp_path):
    """They are no digits of the figure before them."""
    body = [[f"r{n}", Paragraph(f"{n}12<super size=5>1</super>"), f"{n}3"] for n in range(5)]
    head = ["region", Paragraph("2020<super size=5>2</super>"), "2021"]
    (table,) = looked(tmp_path, "x.pdf", document(Table([head, *body]))).tables
    assert [field.name for field in table.fields] == ["region", "2020²", "2021"]
    assert table.fields[1].values[:2] == [12, 112]


def test_dense_columns_are_split_where_all_lines_leave_a_gap(tmp_path):
    """Their gaps are hardly wider than those between words; leaders are no part of a label."""
    body = [[f"Canton {n} {'.' * (16 - n)}", *(str(n * 37 % 900 + 99 * k) for k in range(1, 9))]
            for n in range(9)]  # fmt: skip
    names = ["", *(f"{y}" for y in range(2010, 2018))]
    tight = [("LEFTPADDING", (0, 0), (-1, -1), 1.5), ("RIGHTPADDING", (0, 0), (-1, -1), 1.5),
             ("FONTSIZE", (0, 0), (-1, -1), 6), ("ALIGN", (1, 0), (-1, -1), "RIGHT")]  # fmt: skip
    found = looked(tmp_path, "x.pdf", document(Table([names, *body], style=tight)))
    (table,) = found.tables
    assert (table.rows, table.columns) == (9, 9)
    assert [field.name for field in table.fields][1:] == names[1:]
    assert table.sample[3][:2] == ["Canton 3", "210"]


def test_text_beside_a_table_is_set_apart():
    """The lines of a column of text are no labels of the table at their right, nor its title."""
    line, span = pdf_text.Line, pdf_text.Span
    prose = "Output rose in most branches, while orders from"
    lines = [line(800, 792, [span(60, 255, prose), span(320, 500, "Table 1. Orders by month")])]
    for n in range(1, 14):
        lines.append(line(800 - 11 * n, 792 - 11 * n, [span(60, 255, prose)]))
        cells = [("Month", "Home", "Total"), *((f"M {k}", f"{k}.5", f"{k}7.5") for k in range(12))]
        places = ((320, 345), (396, 420), (446, 475))
        table = [span(a, b, text) for (a, b), text in zip(places, cells[n - 1], strict=True)]
        lines.append(line(795 - 11 * n, 787 - 11 * n, table))
    (found,) = pdf_columns.find_grids(lines)
    above, grid = "\n".join(found.above), found.cells
    assert (above, len(grid), grid[0]) == (
        "Table 1. Orders by month",
        13,
        ["Month", "Home", "Total"],
    )
