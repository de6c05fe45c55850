"""SpreadsheetML: the XML that Excel 2003 and many reporting servers write."""

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from datahound.catalog.readers.markup import parse_xml
from datahound.catalog.readers.sheets import choose_sheet_title
from datahound.catalog.readers.task import Limits, Task, Unreadable, profile_grid
from datahound.catalog.tables.cells import Value, parse_date, parse_datetime
from datahound.catalog.tables.layout import Row
from datahound.catalog.tables.profile import Grid, TableProfile

_SPACE = "{urn:schemas-microsoft-com:office:spreadsheet}"
_MAX_CELLS = 5_000_000
_MAX_GAP = 10_000
"""Rows or columns that an index may skip."""


def find_tables(path: Path, task: Task) -> Iterator[TableProfile]:
    """Profile the tables of all sheets."""
    for number, sheet in enumerate(_list_sheets(parse_xml(path, task))):
        name = sheet.get(f"{_SPACE}Name") or f"sheet {number + 1}"
        grid = Grid(f'sheet "{name}"', {"sheet": number}, choose_sheet_title(name))
        grid.rows = _read_cells(sheet)
        yield from profile_grid(grid, task)


def read_rows(path: Path, address: Mapping[str, Any], limits: Limits) -> Iterator[Row]:
    """Read the rows of a sheet."""
    sheets = _list_sheets(parse_xml(path, Task(limits, path.parent)))
    return iter(_read_cells(sheets[address["sheet"]]))


def _list_sheets(root: ET.Element) -> list[ET.Element]:
    return root.findall(f"{_SPACE}Worksheet")


def _read_cells(sheet: ET.Element) -> list[Row]:
    """The cells of a sheet; the text of a merged cell is in its first."""
    grid: list[Row] = []
    cells = 0
    for row in sheet.iterfind(f"{_SPACE}Table/{_SPACE}Row"):
        grid += [[] for _ in range(_count_skipped(row, len(grid)))]
        line: list[Value] = []
        for cell in row.iterfind(f"{_SPACE}Cell"):
            line += [None] * _count_skipped(cell, len(line))
            line.append(_read_cell(cell.find(f"{_SPACE}Data")))
            line += [None] * min(_MAX_GAP, _read_count(cell, "MergeAcross"))
        cells += len(line) + 1
        if cells > _MAX_CELLS:
            raise Unreadable("broken spreadsheet: too many cells")
        grid.append(line)
    return grid


def _count_skipped(element: ET.Element, place: int) -> int:
    """How many empty rows or cells come before one that gives its index."""
    skipped = _read_count(element, "Index") - 1 - place
    return skipped if 0 < skipped <= _MAX_GAP else 0


def _read_count(element: ET.Element, name: str) -> int:
    text = element.get(f"{_SPACE}{name}") or ""
    return int(text) if text.isdecimal() and len(text) < 9 else 0


def _read_cell(data: ET.Element | None) -> Value:
    if data is None:
        return None
    # Rich text has the letters of a cell in several elements.
    text = "".join(data.itertext()).strip()
    kind = data.get(f"{_SPACE}Type")
    if kind == "Number":
        return _read_number(text)
    if kind == "DateTime":
        moment = parse_datetime(text)
        return moment.date() if moment and text.endswith("T00:00:00.000") else moment or text
    if kind == "Boolean":
        return text == "1"
    return (parse_date(text) if kind == "Date" else None) or text or None


def _read_number(text: str) -> Value:
    try:
        number = float(text)
    except ValueError:
        return text or None
    # Excel stores 15 digits: beyond, an integer would claim more than was written.
    return int(number) if number.is_integer() and abs(number) < 1e15 else number
