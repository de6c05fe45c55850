"""dBase files, which also hold the attributes of shapefiles; read by pyshp."""

import struct
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any

import shapefile  # type: ignore[import-untyped]

from datahound.catalog.readers.task import Limits, Task, Unreadable, profile_grid
from datahound.catalog.tables.layout import Row, name_columns
from datahound.catalog.tables.profile import Grid, TableProfile

_MAX_CELLS = 20_000_000
_BROKEN = (shapefile.ShapefileException, OSError, ValueError, struct.error, IndexError, KeyError,
           TypeError, AssertionError, ArithmeticError)  # fmt: skip
_SAMPLE_BYTES = 1 << 20


def find_tables(path: Path, task: Task) -> Iterator[TableProfile]:
    """Profile the one table of the file."""
    task.encoding = _detect_encoding(path)
    rows = list(_read_records(path, task.encoding))
    grid = Grid("the file", {"encoding": task.encoding}, "", rows, named=True)
    yield from profile_grid(grid, task)


def read_rows(path: Path, address: Mapping[str, Any], _limits: Limits) -> Iterator[Row]:
    """Read the rows of the file."""
    return _read_records(path, address["encoding"])


def _read_records(path: Path, encoding: str) -> Iterator[Row]:
    """The names of the fields, then one row per record."""
    try:
        with (
            path.open("rb") as file,
            shapefile.Reader(dbf=file, encoding=encoding, encodingErrors="replace") as reader,
        ):
            names = [str(field[0]) for field in reader.fields if field[0] != "DeletionFlag"]
            yield name_columns(names)
            most = _MAX_CELLS // max(1, len(names))
            for record in islice(reader.iterRecords(), most):
                yield [_to_value(cell) for cell in record]
    except _BROKEN as error:
        raise Unreadable(f"broken DBF: {type(error).__name__}: {error}") from None


def _to_value(cell: Any) -> Any:
    if cell is None or isinstance(cell, int | float | date):
        return cell
    # Fields have a fixed width, filled with blanks or NUL.
    return str(cell).strip("\0 ") or None


def _detect_encoding(path: Path) -> str:
    """UTF-8 if the texts are valid in it; else the usual encoding of Windows."""
    with path.open("rb") as file:
        head = file.read(_SAMPLE_BYTES)
    # The header is binary: only the records behind it are text.
    begin = int.from_bytes(head[8:10], "little")
    try:
        # The last character may be cut off.
        head[begin:].rstrip(bytes(range(128, 256))).decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
