"""Reading a table again, from where the catalogue says that it is."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from datetime import date
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from datahound.catalog.archives import mended, unpacked
from datahound.catalog.inspect import reader_of
from datahound.catalog.readers.limits import Limits
from datahound.catalog.readers.task import Task, Unreadable
from datahound.catalog.tables.cells import Value, date_of, datetime_of, is_missing, number_of
from datahound.catalog.tables.layout import Row
from datahound.errors import UserError

_ZIPPED = frozenset({"xlsx", "xlsb", "ods"})
_TRUE = frozenset({"true", "yes", "oui", "ja", "si"})


class TableReader:
    """A table's header, types and rows; close it, or use it as a context."""

    def __init__(self, file: Path, address: Mapping[str, Any], limits: Limits) -> None:
        self.header: list[str] = list(address["names"])
        self.types: list[str] = list(address["types"])
        self._address = address
        self._limits = limits
        self._stack = ExitStack()
        try:
            self._file = self._unpacked(file)
        except BaseException:
            self.close()
            raise

    @property
    def rows(self) -> Iterator[list[Value]]:
        """The rows, with values of the columns' types where they can be read so."""
        address, width = self._address, len(self.header)
        left, decimal = address.get("left", 0), address.get("decimal", ".")
        first, last = address.get("first", 0), address.get("last")
        for row in islice(self._raw(), first, last):
            cells = row[left : left + width]
            if not any(cell is not None and cell != "" for cell in cells):
                continue
            values = [
                typed(cell, kind, decimal) for cell, kind in zip(cells, self.types, strict=False)
            ]
            yield [*values, *[None] * (width - len(values))]

    def __iter__(self) -> Iterator[list[Value]]:
        return self.rows

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Remove what was unpacked."""
        self._stack.close()

    def _raw(self) -> Iterator[Row]:
        reader = reader_of(self._address["format"])
        if reader is None:
            raise UserError(f"tables in {self._address['format']} can't be read")
        try:
            yield from reader.rows(self._file, self._address, self._limits)
        except Unreadable as error:
            raise UserError(f"{self._file.name}: {error}") from None
        except (KeyError, IndexError, OSError) as error:
            raise UserError(f"{self._file.name}: is not what was catalogued: {error}") from None

    def _unpacked(self, file: Path) -> Path:
        """The file itself, or the member of the archive that it is."""
        if not self._address.get("members") and self._address["format"] not in _ZIPPED:
            return file
        scratch = Path(tempfile.mkdtemp(prefix="datahound-"))
        self._stack.callback(shutil.rmtree, scratch, ignore_errors=True)
        file = mended(file, scratch)
        task = Task(self._limits, scratch, name=file.name)
        for kind, member in self._address.get("members", []):
            try:
                file = self._stack.enter_context(unpacked(file, kind, member, task))
            except Unreadable as error:
                raise UserError(f"{file.name}: {error}") from None
        return file


def read_table(file: Path, address: Mapping[str, Any], limits: Limits | None = None) -> TableReader:
    """Open a table of a file, by the address that the catalogue keeps.

    Wrap it in a worker of your own where the file may be hostile: a library can crash on it.
    """
    if not file.is_file():
        raise UserError(f"{file}: is not there any more")
    return TableReader(file, address, limits or Limits())


def typed(cell: Value, kind: str, decimal: str = ".") -> Value:
    """A cell as a value of its column's type; what does not fit stays what it is."""
    if cell is None or cell == "":
        return None
    if isinstance(cell, str):
        return _of_text(cell, kind, decimal)
    if isinstance(cell, float) and not isinstance(cell, bool):
        if cell - cell != 0:
            return None
        return int(cell) if kind in ("integer", "year") and cell.is_integer() else cell
    if isinstance(cell, int | float | date):
        return cell
    return str(cell)


def _of_text(text: str, kind: str, decimal: str) -> Value:
    if kind == "string":
        return text
    if is_missing(text):
        return None
    if kind in ("integer", "number", "year"):
        number = number_of(text, decimal)
        return text if number is None else number
    if kind == "boolean":
        return text.strip().lower() in _TRUE
    if kind == "date":
        return date_of(text) or text
    if kind == "datetime":
        return datetime_of(text) or text
    return text
