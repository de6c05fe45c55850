"""Export every table as Parquet with its origin as metadata, and an index of all tables.

Each column gets the narrowest Parquet type that loses nothing.
"""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, time
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl
from polars.io.plugins import register_io_source

from datahound.catalog.exports.crawled import Job, Outcome
from datahound.catalog.exports.folder import ExportFolder
from datahound.catalog.exports.tables import Exported, TableWorker, write_tables
from datahound.catalog.readers.task import Unreadable
from datahound.catalog.tables.cells import (
    Value,
    is_missing,
    parse_date,
    parse_datetime,
    parse_number,
)
from datahound.errors import StorageError
from datahound.files import storage_errors
from datahound.text import replace_surrogates, show_text

Values = list[Any]

# The next wider type of each.
_WIDER = {
    "year": "integer",
    "integer": "number",
    "number": "string",
    "boolean": "string",
    "date": "datetime",
    "datetime": "string",
}
_DTYPES: dict[str, pl.DataType] = {
    "year": pl.Int32(),
    "integer": pl.Int64(),
    "number": pl.Float64(),
    "boolean": pl.Boolean(),
    "date": pl.Date(),
    "datetime": pl.Datetime("us"),
    "string": pl.String(),
}
# The ranges of Int32 and Int64.
_LIMITS = {"year": 1 << 31, "integer": 1 << 63}
# Up to here a 64-bit float holds every integer.
_MAX_EXACT = 1 << 53
_NONE = type(None)
# Columns of only these Python types need no conversion of each value.
_EXACT_TYPES = {
    "year": frozenset({int, _NONE}),
    "integer": frozenset({int, _NONE}),
    "boolean": frozenset({bool, _NONE}),
    "date": frozenset({date, _NONE}),
}
_BOOLEANS = {"true": True, "false": False}


class Misfit(ValueError):
    """A value that a column type can't hold."""


def get_dtype(kind: str) -> pl.DataType:
    return _DTYPES[kind]


def normalize_type(kind: str) -> str:
    """The name of a type; an unknown one becomes `string`."""
    return kind if kind in _DTYPES else "string"


def widen_type(kind: str, values: Iterable[Any], decimal: str) -> str:
    """The narrowest type, from `kind` on, that holds all values."""
    values = list(values)
    while kind in _WIDER:
        try:
            convert_values(kind, values, decimal)
        except Misfit:
            kind = _WIDER[kind]
        else:
            return kind
    return "string"


def convert_values(kind: str, values: Sequence[Any], decimal: str) -> Values:
    """Convert values to a column type; raises `Misfit` if one does not fit."""
    if set(map(type, values)) <= _EXACT_TYPES.get(kind, frozenset()) and _is_in_range(kind, values):
        return list(values)
    to_type = _CONVERSIONS[kind]
    return [None if value is None else to_type(value, decimal) for value in values]


def _is_in_range(kind: str, values: Sequence[Any]) -> bool:
    if kind not in _LIMITS:
        return True
    limit = _LIMITS[kind]
    return all(-limit <= value < limit for value in values if value is not None)


def _to_year(value: Any, decimal: str) -> int | None:
    return _to_integer(value, decimal, _LIMITS["year"])


def _to_integer(value: Any, decimal: str, limit: int = _LIMITS["integer"]) -> int | None:
    number = _to_number(value, decimal)
    if number is None:
        return None
    if number != number // 1 or not -limit <= number < limit:
        raise Misfit(value)
    # Larger floats skip integers: the text may not be the number.
    if isinstance(number, float) and abs(number) > _MAX_EXACT:
        raise Misfit(value)
    return int(number)


def _to_float(value: Any, decimal: str) -> float | None:
    if type(value) is float:
        return value if value - value == 0 else None
    number = _to_number(value, decimal)
    if number is None:
        return None
    if isinstance(number, int) and abs(number) > _MAX_EXACT:
        raise Misfit(value)
    return float(number)


def _to_number(value: Any, decimal: str) -> int | float | None:
    kind = type(value)
    # `type(...) is` and not `isinstance`: a bool is an int, but its column does not hold numbers.
    if kind is int or kind is float:
        return value if value == value and abs(value) != float("inf") else None
    if kind is not str:
        raise Misfit(value)
    if is_missing(value):
        return None
    number = parse_number(value, decimal)
    if number is None:
        raise Misfit(value)
    return number


def _to_boolean(value: Any, _decimal: str) -> bool | None:
    if _is_mark(value):
        return None
    if isinstance(value, bool):
        return value
    found = _BOOLEANS.get(value.strip().lower()) if isinstance(value, str) else None
    if found is None:
        raise Misfit(value)
    return found


def _to_date(value: Any, _decimal: str) -> date | None:
    if _is_mark(value):
        return None
    if isinstance(value, datetime):
        if value.time() != time():
            raise Misfit(value)
        return value.date()
    found = value if isinstance(value, date) else _parse(parse_date, value)
    if found is None:
        raise Misfit(value)
    return found


def _to_datetime(value: Any, _decimal: str) -> datetime | None:
    if _is_mark(value):
        return None
    moment: datetime | None = value if isinstance(value, datetime) else None
    if moment is None:
        day = value if isinstance(value, date) else _parse(parse_date, value)
        moment = datetime.combine(day, time()) if day else _parse(parse_datetime, value)
    if moment is None:
        raise Misfit(value)
    # Columns have no time zone: times of different zones become comparable in UTC.
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment


def _parse(read: Callable[[str], Any], value: Any) -> Any:
    return read(value) if isinstance(value, str) else None


def _to_string(value: Any, _decimal: str) -> str:
    if isinstance(value, str):
        return replace_surrogates(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)


def _is_mark(value: Any) -> bool:
    return isinstance(value, str) and is_missing(value)


_CONVERSIONS: dict[str, Callable[[Any, str], Any]] = {
    "year": _to_year,
    "integer": _to_integer,
    "number": _to_float,
    "boolean": _to_boolean,
    "date": _to_date,
    "datetime": _to_datetime,
    "string": _to_string,
}


# Bounds on the memory of a batch: by cells, by rows and by bytes of text, whichever comes first.
_BATCH_CELLS, _BATCH_ROWS, _BATCH_TEXT = 300_000, 20_000, 16 << 20
_GROUP_ROWS = 100_000
_INDEX_BATCH = 5000
_PREFIX = "datahound."
_INDEX = "index.parquet"
_INDEX_TEXTS = """file url page page_title title table_title place section format sha256 found_at
    last_modified""".split()
_INDEX_SCHEMA: dict[str, Any] = {
    **dict.fromkeys(_INDEX_TEXTS, pl.String()),
    "rows": pl.Int64(),
    "columns": pl.Int64(),
    "column_names": pl.List(pl.String()),
    "first_year": pl.Int64(),
    "last_year": pl.Int64(),
    "places": pl.List(pl.String()),
    "statistics": pl.Boolean(),
}

Batch = list[list[Value]]


def export_parquet(job: Job) -> Outcome:
    """Write every table and `index.parquet` into a folder."""
    outcome = Outcome(job.output)
    with (
        ExportFolder(job.output, "parquet", force=job.force) as folder,
        folder.write_file(_INDEX, "") as draft,
        TableWorker(__name__, folder.scratch) as worker,
    ):
        written = write_tables(job, folder, ".parquet", worker.write, outcome)
        frames = list(_make_index_frames(written, folder.path))
        with _defer_interrupt():
            _write_frames(draft, _INDEX_SCHEMA, lambda: iter(frames), {})
    return outcome


def write_table(exported: Exported, draft: Path) -> None:
    """Write a table with the column types of the catalogue, or wider ones.

    If a value does not fit its type, the remaining rows are only checked, and the table is written
    again with types that hold all values.
    """
    kinds = [normalize_type(field.type) for field in exported.table.fields]
    metadata = {_PREFIX + name: text for name, text in exported.provenance().items() if text}
    decimal = str(exported.table.address.get("decimal") or ".")
    while True:
        with exported.open_rows() as (names, rows):
            if not names:
                raise Unreadable("has no columns")
            kinds = (kinds + ["string"] * len(names))[: len(names)]
            attempt = _Attempt(names, kinds, decimal)
            _write_frames(draft, attempt.schema(), lambda: attempt.frames(rows), metadata)  # noqa: B023
        # The second attempt fits: its types were checked against every row.
        if attempt.wanted == kinds:
            return
        kinds = attempt.wanted


class _Attempt:
    """One attempt to write a table with types that may be too narrow."""

    def __init__(self, names: list[str], kinds: list[str], decimal: str) -> None:
        self.wanted = kinds
        self._names = names
        self._kinds = kinds
        self._decimal = decimal

    def schema(self) -> dict[str, pl.DataType]:
        return {name: get_dtype(kind) for name, kind in zip(self._names, self._kinds, strict=True)}

    def frames(self, rows: Iterator[list[Value]]) -> Iterator[pl.DataFrame]:
        for batch in split_batches(rows, len(self._names)):
            columns = list(zip(*batch, strict=True))
            if self.wanted == self._kinds:
                try:
                    yield self._frame(columns)
                    continue
                except Misfit:
                    pass
            self.wanted = [
                widen_type(kind, column, self._decimal)
                for kind, column in zip(self.wanted, columns, strict=True)
            ]

    def _frame(self, columns: list[tuple[Value, ...]]) -> pl.DataFrame:
        return pl.DataFrame(
            [
                pl.Series(
                    name, convert_values(kind, column, self._decimal), get_dtype(kind), strict=True
                )
                for name, kind, column in zip(self._names, self._kinds, columns, strict=True)
            ]
        )


def split_batches(rows: Iterator[list[Value]], width: int) -> Iterator[Batch]:
    """Split rows into batches of bounded memory."""
    most = max(1, min(_BATCH_ROWS, _BATCH_CELLS // max(1, width)))
    batch: Batch = []
    text = 0
    for row in rows:
        batch.append(row)
        text += sum(len(cell) for cell in row if type(cell) is str)
        if len(batch) >= most or text > _BATCH_TEXT:
            yield batch
            batch, text = [], 0
    if batch:
        yield batch


def _write_frames(
    draft: Path,
    schema: dict[str, Any],
    frames: Callable[[], Iterator[pl.DataFrame]],
    metadata: dict[str, str],
) -> None:
    """Write frames as they come; Polars asks for them from a thread of its own."""
    trouble: list[BaseException] = []

    def source(*_: object) -> Iterator[pl.DataFrame]:
        try:
            yield from frames()
        except BaseException as error:  # noqa: BLE001 raised below, in the right thread
            trouble.append(error)

    try:
        with storage_errors(draft):
            register_io_source(source, schema=schema).sink_parquet(
                draft, metadata=metadata, row_group_size=_GROUP_ROWS
            )
    except pl.exceptions.PolarsError as error:
        raise StorageError(f"{draft}: can't be written: {show_text(error, 200)}") from None
    if trouble:
        raise trouble[0]


@contextmanager
def _defer_interrupt() -> Iterator[None]:
    """Defer Ctrl-C to the end of the block: Polars panics if it is raised in a callback."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Python delivers signals to the main thread only
        return
    met: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: met.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if met:
            signal.raise_signal(signal.SIGINT)


def _make_index_frames(written: Iterator[Exported], folder: Path) -> Iterator[pl.DataFrame]:
    while rows := [_make_index_row(exported, folder) for exported in islice(written, _INDEX_BATCH)]:
        with _defer_interrupt():
            frame = pl.DataFrame(rows, schema=_INDEX_SCHEMA)
        yield frame


def _make_index_row(exported: Exported, folder: Path) -> dict[str, object]:
    entry, table = exported.entry, exported.table
    with _defer_interrupt():
        rows = pl.scan_parquet(folder / exported.name).select(pl.len()).collect().item()
    return {
        **exported.provenance(),
        "file": exported.name,
        "section": show_text(entry.section or ""),
        "format": entry.format,
        "rows": rows,
        "columns": table.columns,
        "column_names": [replace_surrogates(field.name) for field in table.fields],
        "first_year": table.first_year,
        "last_year": table.last_year,
        "places": [show_text(place) for place in table.places],
        "statistics": table.statistics,
    }
