"""Read the rows of a table that the catalogue describes."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any, Self

from datahound.catalog.archives import trim_zip, unpack_member
from datahound.catalog.inspect import find_reader
from datahound.catalog.readers.task import Limits, Task, Unreadable
from datahound.catalog.tables.cells import (
    Value,
    is_missing,
    parse_date,
    parse_datetime,
    parse_number,
)
from datahound.catalog.tables.layout import Row
from datahound.errors import UserError

_ZIP_FORMATS = frozenset({"xlsx", "xlsb", "ods"})
_TRUE = frozenset({"true", "yes", "oui", "ja", "si"})


class TableReader:
    """The header, types and rows of a table; close it, or use it as a context."""

    def __init__(self, file: Path, address: Mapping[str, Any], limits: Limits) -> None:
        self.header: list[str] = list(address["names"])
        self.types: list[str] = list(address["types"])
        self._address = address
        self._limits = limits
        self._stack = ExitStack()
        try:
            self._file = self._unpack(file)
        except BaseException:
            self.close()
            raise

    @property
    def rows(self) -> Iterator[list[Value]]:
        """The rows; a cell that does not fit the type of its column stays as it is."""
        address, width = self._address, len(self.header)
        left, decimal = address.get("left", 0), address.get("decimal", ".")
        first, last = address.get("first", 0), address.get("last")
        for row in islice(self._read_raw(), first, last):
            cells = row[left : left + width]
            if not any(cell is not None and cell != "" for cell in cells):
                continue
            values = [
                convert_cell(cell, kind, decimal)
                for cell, kind in zip(cells, self.types, strict=False)
            ]
            # Text files leave out empty cells at the end of a row.
            yield [*values, *[None] * (width - len(values))]

    def __iter__(self) -> Iterator[list[Value]]:
        return self.rows

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove unpacked files."""
        self._stack.close()

    def _read_raw(self) -> Iterator[Row]:
        reader = find_reader(self._address["format"])
        if reader is None:
            raise UserError(f"tables in {self._address['format']} can't be read")
        try:
            yield from reader.read_rows(self._file, self._address, self._limits)
        except Unreadable as error:
            raise UserError(f"{self._file.name}: {error}") from None
        except (KeyError, IndexError, OSError) as error:
            raise UserError(f"{self._file.name}: is not what was catalogued: {error}") from None

    def _unpack(self, file: Path) -> Path:
        """The file itself, or the archive member that holds the table."""
        # Only these need a scratch folder: to be unpacked or mended in.
        if not self._address.get("members") and self._address["format"] not in _ZIP_FORMATS:
            return file
        scratch = Path(tempfile.mkdtemp(prefix="datahound-"))
        self._stack.callback(shutil.rmtree, scratch, ignore_errors=True)
        file = trim_zip(file, scratch)
        task = Task(self._limits, scratch, name=file.name)
        for kind, member in self._address.get("members", []):
            try:
                file = self._stack.enter_context(unpack_member(file, kind, member, task))
            except Unreadable as error:
                raise UserError(f"{file.name}: {error}") from None
        return file


def read_table(file: Path, address: Mapping[str, Any], limits: Limits | None = None) -> TableReader:
    """Open a table at an address of the catalogue.

    Files may be hostile, and libraries crash on some: use a process of its own where that matters.
    """
    if not file.is_file():
        raise UserError(f"{file}: is not there any more")
    return TableReader(file, address, limits or Limits())


def convert_cell(cell: Value, kind: str, decimal: str = ".") -> Value:
    """A cell as a value of a column type; a cell that does not fit stays as it is."""
    if cell is None or cell == "":
        return None
    if isinstance(cell, str):
        return _convert_text(cell, kind, decimal)
    if isinstance(cell, float) and not isinstance(cell, bool):
        # True of NaN and the infinities alone.
        if cell - cell != 0:
            return None
        return int(cell) if kind in ("integer", "year") and cell.is_integer() else cell
    if isinstance(cell, int | float | date):
        return cell
    return str(cell)


def _convert_text(text: str, kind: str, decimal: str) -> Value:
    if kind == "string":
        return text
    if is_missing(text):
        return None
    if kind in ("integer", "number", "year"):
        number = parse_number(text, decimal)
        return text if number is None else number
    if kind == "boolean":
        return text.strip().lower() in _TRUE
    if kind == "date":
        return parse_date(text) or text
    if kind == "datetime":
        return parse_datetime(text) or text
    return text
