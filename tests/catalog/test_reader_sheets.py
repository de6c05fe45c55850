"""Spreadsheets."""

import io

from catalog_files import looked
from openpyxl import Workbook

from datahound.catalog.readers import sheets
from datahound.catalog.table_reader import read_table


def book(**pages):
    made = Workbook()
    made.remove(made.active)
    for name, rows in pages.items():
        page = made.create_sheet(name)
        for row in rows:
            page.append(row)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


ROWS = [["town", "n"], ["a", 1.5], ["b", 2.5]]


def test_every_sheet_is_read(tmp_path):
    """Its name is the title, unless it is the default name of a program."""
    found = looked(tmp_path, "x.xlsx", book(Wages=ROWS, Sheet2=ROWS, Empty=[]))
    assert [(t.place, t.title) for t in found.tables] == [
        ('sheet "Wages"', "Wages"),
        ('sheet "Sheet2"', ""),
    ]
    with read_table(tmp_path / "x.xlsx", found.tables[1].address) as reader:
        assert list(reader) == [["a", 1.5], ["b", 2.5]]


def test_two_tables_on_a_sheet(tmp_path):
    """Each has an address of its own."""
    rows = [*ROWS, [], ["kind", "rate", "year"], ["x", 1, 2019], ["y", 2, 2020]]
    one, two = looked(tmp_path, "x.xlsx", book(A=rows)).tables
    with read_table(tmp_path / "x.xlsx", two.address) as reader:
        assert reader.header == ["kind", "rate", "year"]
        assert list(reader) == [["x", 1, 2019], ["y", 2, 2020]]
    assert one.rows == 2


def test_too_many_sheets_are_noted(tmp_path, monkeypatch):
    """The first ones are read."""
    monkeypatch.setattr(sheets, "_MAX_SHEETS", 1)
    found = looked(tmp_path, "x.xlsx", book(A=ROWS, B=ROWS))
    assert len(found.tables) == 1
    assert found.error == "only 1 of 2 sheets were looked into"


def test_a_broken_book_is_one_line(tmp_path):
    """And so is a book with bytes after its end, which is read all the same."""
    body = book(A=ROWS)
    assert "broken spreadsheet" in looked(tmp_path, "x.xls", b"\x09\x08\x10\x00\x00\x06" * 9).error
    found = looked(tmp_path, "x.xlsx", body + b"<!-- served by x -->" * 4000)
    assert found.format == "xlsx"
    assert len(found.tables) == 1
