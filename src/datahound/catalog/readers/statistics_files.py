"""Files of statistics programs: Stata, SAS and SPSS by pyreadstat, R by pyreadr."""

import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from datahound.catalog.formats import detect_format
from datahound.catalog.readers.parquet import HEAD_ROWS, profile_frame
from datahound.catalog.readers.task import Limits, Task, Unreadable
from datahound.catalog.tables.layout import Row, name_columns
from datahound.catalog.tables.profile import Grid, TableProfile

_EXTRA = "needs pyreadstat and pyreadr: pip install 'datahound[statistics]'"
_READERS = {"dta": "read_dta", "sas7bdat": "read_sas7bdat", "sav": "read_sav",
            "por": "read_por", "xpt": "read_xport"}  # fmt: skip
_LABELLED = frozenset({"dta", "sav", "por"})
_PIECE_ROWS = 20_000


def find_tables(path: Path, task: Task) -> Iterator[TableProfile]:
    """Profile the tables of the file from their first rows."""
    kind, _, _ = detect_format(path)
    if kind == "rdata":
        for number, (name, frame) in enumerate(_read_objects(path).items()):
            labels = name_columns(frame.columns)
            grid = Grid("the file", {"kind": kind, "object": number}, name)
            yield profile_frame(frame.head(HEAD_ROWS), grid, frame.height, labels)
        return
    frame, facts = _read_piece(path, kind, 0, HEAD_ROWS)
    # Labels are what people read; names of variables are often codes (`V203`).
    labels = [
        label or name for name, label in zip(facts.column_names, facts.column_labels, strict=False)
    ]
    task.title = task.title or str(facts.file_label or "")[:300]
    rows = facts.number_rows
    # Streamed files do not know their length, and give -1 or nothing.
    if rows is None or rows < frame.height:
        rows = sum(piece.height for piece in _iterate_pieces(path, kind))
    grid = Grid("the file", {"kind": kind})
    yield profile_frame(frame.head(HEAD_ROWS), grid, rows, name_columns(labels or frame.columns))


def read_rows(path: Path, address: Mapping[str, Any], _limits: Limits) -> Iterator[Row]:
    """Read the rows of a table."""
    if address["kind"] == "rdata":
        yield from list(_read_objects(path).values())[address["object"]].iter_rows()
        return
    for piece in _iterate_pieces(path, address["kind"]):
        yield from piece.iter_rows()


def _load(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Unreadable(_EXTRA) from None


def _read_piece(path: Path, kind: str, offset: int, limit: int) -> tuple[pl.DataFrame, Any]:
    """Rows of a file, with the labels of coded values, and what the file says of its columns."""
    read = getattr(_load("pyreadstat"), _READERS[kind])
    # Portable files can't be read from the middle.
    part: dict[str, Any] = {} if kind == "por" else {"row_offset": offset, "row_limit": limit}
    if kind in _LABELLED:
        part |= {"apply_value_formats": True, "formats_as_category": False}
    try:
        frame, facts = read(str(path), output_format="polars", **part)
    except Exception as error:  # noqa: BLE001 its errors have no common base
        raise Unreadable(f"broken {kind.upper()}: {error}") from None
    return frame, facts


def _iterate_pieces(path: Path, kind: str) -> Iterator[pl.DataFrame]:
    offset = 0
    while True:
        frame, _ = _read_piece(path, kind, offset, _PIECE_ROWS)
        if frame.height:
            yield frame
        if frame.height < _PIECE_ROWS or kind == "por":
            return
        offset += frame.height


def _read_objects(path: Path) -> dict[str, pl.DataFrame]:
    """The data frames of an R file."""
    read = _load("pyreadr").read_r
    try:
        found = read(str(path), output_format="polars")
    except Exception as error:  # noqa: BLE001 its errors have no common base
        raise Unreadable(f"broken R data: {error}") from None
    return {
        name or "": _drop_row_numbers(frame)
        for name, frame in found.items()
        if isinstance(frame, pl.DataFrame)
    }


def _drop_row_numbers(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame without the names 1, 2, 3 ... that R gives to rows without names."""
    if "rownames" not in frame.columns:
        return frame
    numbers = map(str, range(1, frame.height + 1))
    same = all(a == b for a, b in zip(frame.get_column("rownames"), numbers, strict=True))
    return frame.drop("rownames") if same else frame
