"""Spreadsheets (XLS, XLSX, XLSB, ODS), read by calamine."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from datahound.catalog.readers.task import Limits, Task, Unreadable, profile_grid
from datahound.catalog.tables.layout import Row
from datahound.catalog.tables.profile import Grid, TableProfile

_MAX_SHEETS = 300


def find_tables(path: Path, task: Task) -> Iterator[TableProfile]:
    """Profile the tables of all sheets, of hidden ones only if they are statistics."""
    book = _open_book(path)
    metadata = [m for m in book.sheets_metadata if m.typ == SheetTypeEnum.WorkSheet]
    if len(metadata) > _MAX_SHEETS:
        task.note(f"only {_MAX_SHEETS} of {len(metadata)} sheets were looked into")
    shown = [m for m in metadata if m.visible == SheetVisibleEnum.Visible]
    hidden = [m for m in metadata if m.visible != SheetVisibleEnum.Visible]
    for number, sheet in enumerate([*shown, *hidden][:_MAX_SHEETS]):
        try:
            grid = _read_sheet(book, sheet.name)
        # One broken sheet must not cost the others.
        except Unreadable as error:
            task.note(f'sheet "{sheet.name}": {error}')
            continue
        address = {"sheet": sheet.name}
        found = Grid(f'sheet "{sheet.name}"', address, choose_sheet_title(sheet.name), grid)
        if number < len(shown) or not shown:
            yield from profile_grid(found, task)
            continue
        # What people hide are mostly lists of codes.
        found.place = f"hidden {found.place}"
        yield from (table for table in profile_grid(found, task) if table.statistics)


def read_rows(path: Path, address: Mapping[str, Any], _limits: Limits) -> Iterator[Row]:
    """Read the rows of a sheet."""
    return iter(_read_sheet(_open_book(path), address["sheet"]))


def _open_book(path: Path) -> CalamineWorkbook:
    try:
        return CalamineWorkbook.from_path(str(path))
    except (CalamineError, OSError, ValueError) as error:
        raise Unreadable(f"broken spreadsheet: {error}") from None


def _read_sheet(book: CalamineWorkbook, name: str) -> list[Row]:
    try:
        return book.get_sheet_by_name(name).to_python()  # type: ignore[return-value]
    except (CalamineError, OSError, ValueError) as error:
        raise Unreadable(str(error)) from None


def choose_sheet_title(name: str) -> str:
    """The name of a sheet, unless it is the default name of an office program."""
    stem = name.rstrip("0123456789 ").lower()
    return "" if stem in ("sheet", "tabelle", "feuil", "hoja", "foglio", "data", "") else name
