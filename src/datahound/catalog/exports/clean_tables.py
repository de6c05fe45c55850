"""Check whether a delimited file is one clean table to its last byte, and make its schema."""

import codecs
import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

MAX_BYTES = 256 << 20
"""Larger files get no schema: all rows must be read to know that it is true."""

_MAX_CELL = 1 << 20
_MAX_COLUMNS = 2000
_COMMENT = "#"
_MISSING = (
    "",
    "..",
    "...",
    "-",
    "--",
    ":",
    "n/a",
    "N/A",
    "NA",
    "na",
    "x",
    "*",
    ".",
    "null",
    "NULL",
)
"""Marks of missing values; a column of numbers may contain some."""

_INTEGER = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,17})")
_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,18})?(?:[eE][+-]?[0-9]{1,2})?")
_COMMA_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,17})(?:,[0-9]{1,18})?")
_YEAR = re.compile(r"(?:1[5-9]|20)[0-9]{2}")
_DATE = re.compile(r"(?:1[5-9]|2[0-9])[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])")
_DATETIME = re.compile(_DATE.pattern + r"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z?")
_BOOLEAN = re.compile(r"true|True|TRUE|false|False|FALSE")
# A column has the first type that fits all of its cells.
_TYPES: tuple[tuple[re.Pattern[str], dict[str, str]], ...] = (
    (_YEAR, {"type": "year"}),
    (_INTEGER, {"type": "integer"}),
    (_NUMBER, {"type": "number"}),
    (_COMMA_NUMBER, {"type": "number", "decimalChar": ","}),
    (_DATE, {"type": "date"}),
    (_DATETIME, {"type": "datetime"}),
    (_BOOLEAN, {"type": "boolean"}),
)


@dataclass(slots=True)
class _Column:
    """The types that fit all cells of a column so far."""

    fitting: list[int] = field(default_factory=lambda: list(range(len(_TYPES))))
    marks: set[str] = field(default_factory=set)
    filled: bool = False

    def add(self, cell: str) -> None:
        if cell in _MISSING:
            self.marks.add(cell)
            return
        self.filled = True
        if self.fitting and not _TYPES[self.fitting[0]][0].fullmatch(cell):
            self.fitting = [n for n in self.fitting if _TYPES[n][0].fullmatch(cell)]


@dataclass(frozen=True, slots=True)
class CleanTable:
    """How to read a clean file."""

    encoding: str
    dialect: dict[str, Any]
    schema: dict[str, Any]
    rows: int

    @property
    def names(self) -> list[str]:
        return [field["name"] for field in self.schema["fields"]]


def find_clean_table(
    file: Path, encoding: str, delimiter: str, header_row: int = 1
) -> CleanTable | None:
    """The table that fills a file from its header row on; None if the file is not clean."""
    if len(delimiter) != 1 or file.stat().st_size > MAX_BYTES:
        return None
    try:
        named = codecs.lookup(encoding or "utf-8").name
        with file.open(encoding=named, newline="") as opened:
            return _check_table(opened, _name_encoding(named), delimiter, header_row)
    except (OSError, ValueError, LookupError, csv.Error):
        return None


def _check_table(
    opened: TextIO, encoding: str, delimiter: str, header_row: int
) -> CleanTable | None:
    rows = _read_rows(opened, delimiter)
    header = next(islice(rows, max(0, header_row - 1), None), [])
    if not _is_header(header):
        return None
    columns = [_Column() for _ in header]
    width, count, comments = len(header), 0, 0
    for row in rows:
        if row and row[0].startswith(_COMMENT):
            comments += 1
            continue
        # Readers stop at a ragged or blank row: one is enough to be unclean.
        if len(row) != width or not any(row):
            return None
        for column, cell in zip(columns, row, strict=True):
            column.add(cell)
        count += 1
    if not count:
        return None
    dialect: dict[str, Any] = {"delimiter": delimiter, "quoteChar": '"', "doubleQuote": True}
    dialect |= {"headerRows": [header_row]} if header_row > 1 else {}
    dialect |= {"commentChar": _COMMENT} if comments else {}
    return CleanTable(encoding, dialect, _make_schema(header, columns), count)


def _read_rows(opened: TextIO, delimiter: str) -> Iterator[list[str]]:
    if opened.read(1) != "\ufeff":
        opened.seek(0)
    reader = csv.reader(opened, delimiter=delimiter, strict=True)
    for row in reader:
        if any(len(cell) > _MAX_CELL or "\0" in cell for cell in row):
            raise ValueError("not a cell of a clean table")
        yield row


def _is_header(cells: list[str]) -> bool:
    names = {cell.strip() for cell in cells}
    plain = bool(cells) and all(
        cell and cell == cell.strip() and cell.isprintable() for cell in cells
    )
    plain = plain and not cells[0].startswith(_COMMENT)
    return plain and len(names) == len(cells) <= _MAX_COLUMNS


def _make_schema(header: list[str], columns: list[_Column]) -> dict[str, Any]:
    fields = []
    marks = {""}
    for name, column in zip(header, columns, strict=True):
        found = dict(_TYPES[column.fitting[0]][1]) if column.filled and column.fitting else None
        if found:
            marks |= column.marks
        fields.append({"name": name, **(found or {"type": "string"})})
    return {"fields": fields, "missingValues": sorted(marks)}


def _name_encoding(codec: str) -> str:
    return {"utf_8_sig": "utf-8", "utf-8-sig": "utf-8"}.get(codec, codec)
