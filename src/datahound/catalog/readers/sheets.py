"""Spreadsheets (XLS, XLSX, XLSB, ODS), by calamine."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum

from datahound.catalog.readers.limits import Limits
from datahound.catalog.readers.task import Task, Unreadable, in_grid
from datahound.catalog.tables.layout import Row
from datahound.catalog.tables.profile import Found, TableLook

_MOST_SHEETS = 300


def tables(path: Path, task: Task) -> Iterator[TableLook]:
    """The tables of all sheets, one or several in each."""
    book = _open(path)
    metadata = [m for m in book.sheets_metadata if m.typ == SheetTypeEnum.WorkSheet]
    if len(metadata) > _MOST_SHEETS:
        task.note(f"only {_MOST_SHEETS} of {len(metadata)} sheets were looked into")
    for sheet in metadata[:_MOST_SHEETS]:
        try:
            grid = _grid(book, sheet.name)
        except Unreadable as error:
            task.note(f'sheet "{sheet.name}": {error}')
            continue
        address = {"sheet": sheet.name}
        yield from in_grid(Found(f'sheet "{sheet.name}"', address, _title(sheet.name), grid), task)


def rows(path: Path, address: Mapping[str, Any], _limits: Limits) -> Iterator[Row]:
    """The rows of a sheet."""
    return iter(_grid(_open(path), address["sheet"]))


def _open(path: Path) -> CalamineWorkbook:
    try:
        return CalamineWorkbook.from_path(str(path))
    except (CalamineError, OSError, ValueError) as error:
        raise Unreadable(f"broken spreadsheet: {error}") from None


def _grid(book: CalamineWorkbook, name: str) -> list[Row]:
    try:
        return book.get_sheet_by_name(name).to_python()  # type: ignore[return-value]
    except (CalamineError, OSError, ValueError) as error:
        raise Unreadable(str(error)) from None


def _title(name: str) -> str:
    """A sheet's name, unless it is what every sheet is called."""
    stem = name.rstrip("0123456789 ").lower()
    return "" if stem in ("sheet", "tabelle", "feuil", "hoja", "foglio", "data", "") else name
