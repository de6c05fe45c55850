"""Export every table as Parquet with its origin as metadata, and an index of all tables."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl
from polars.io.plugins import register_io_source

from datahound.catalog.exports.column_types import (
    Misfit,
    convert_values,
    get_dtype,
    normalize_type,
    widen_type,
)
from datahound.catalog.exports.crawled import Job, Outcome
from datahound.catalog.exports.folder import ExportFolder
from datahound.catalog.exports.tables import Exported, TableWorker, write_tables
from datahound.catalog.readers.task import Unreadable
from datahound.catalog.tables.cells import Value
from datahound.errors import StorageError
from datahound.files import storage_errors
from datahound.text import replace_surrogates, show_text

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
