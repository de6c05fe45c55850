"""Every recognised table as Parquet, with where it comes from, and an index of them all."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl
from polars.io.plugins import register_io_source

from datahound.catalog.exports.column_types import Misfit, convert, dtype_of, known, wide_enough
from datahound.catalog.exports.crawled import Job, Outcome
from datahound.catalog.exports.folder import ExportFolder
from datahound.catalog.exports.table_worker import TableWorker
from datahound.catalog.exports.tables import Exported, Unreadable, Value, write_tables
from datahound.errors import StorageError
from datahound.files import storage_errors
from datahound.text import replace_surrogates, show_text

_BATCH_CELLS, _BATCH_ROWS, _BATCH_TEXT = 300_000, 20_000, 16 << 20
_GROUP_ROWS = 100_000
_INDEX_BATCH = 5000
_PREFIX = "datahound."
_INDEX = "index.parquet"
_INDEX_SCHEMA: dict[str, Any] = {
    "file": pl.String(),
    "url": pl.String(),
    "page": pl.String(),
    "page_title": pl.String(),
    "title": pl.String(),
    "table_title": pl.String(),
    "place": pl.String(),
    "section": pl.String(),
    "format": pl.String(),
    "sha256": pl.String(),
    "found_at": pl.String(),
    "last_modified": pl.String(),
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
    folder = ExportFolder(job.output, "parquet", force=job.force)
    finished = False
    try:
        with (
            folder.making(_INDEX, "") as draft,
            TableWorker(__name__, folder.scratch) as worker,
        ):
            written = write_tables(job, folder, ".parquet", worker.write, outcome)
            frames = list(_index_frames(written, folder.path))
            with _interrupted_later():
                _sink(draft, _INDEX_SCHEMA, lambda: iter(frames), {})
        finished = True
    finally:
        folder.close(finished=finished)
    return outcome


def write_table(exported: Exported, draft: Path) -> None:
    """Write a table with the types that the catalogue gives its columns, or wider ones.

    A value that does not fit is met while writing: the rest is then only looked at, and the
    table is written again with types that hold all of it.
    """
    kinds = [known(field.type) for field in exported.table.fields]
    metadata = {_PREFIX + name: text for name, text in exported.provenance().items() if text}
    decimal = str(exported.table.address.get("decimal") or ".")
    while True:
        with exported.reading() as (names, rows):
            if not names:
                raise Unreadable("has no columns")
            kinds = (kinds + ["string"] * len(names))[: len(names)]
            attempt = _Attempt(names, kinds, decimal)
            _sink(draft, attempt.schema(), lambda: attempt.frames(rows), metadata)  # noqa: B023
        if attempt.wanted == kinds:
            return
        kinds = attempt.wanted


class _Attempt:
    """A table on its way into a file, with types that may turn out to be too narrow."""

    def __init__(self, names: list[str], kinds: list[str], decimal: str) -> None:
        self.wanted = kinds
        self._names = names
        self._kinds = kinds
        self._decimal = decimal

    def schema(self) -> dict[str, pl.DataType]:
        return {name: dtype_of(kind) for name, kind in zip(self._names, self._kinds, strict=True)}

    def frames(self, rows: Iterator[list[Value]]) -> Iterator[pl.DataFrame]:
        for batch in batches(rows, len(self._names)):
            columns = list(zip(*batch, strict=True))
            if self.wanted == self._kinds:
                try:
                    yield self._frame(columns)
                    continue
                except Misfit:
                    pass
            self.wanted = [
                wide_enough(kind, column, self._decimal)
                for kind, column in zip(self.wanted, columns, strict=True)
            ]

    def _frame(self, columns: list[tuple[Value, ...]]) -> pl.DataFrame:
        return pl.DataFrame(
            [
                pl.Series(name, convert(kind, column, self._decimal), dtype_of(kind), strict=True)
                for name, kind, column in zip(self._names, self._kinds, columns, strict=True)
            ]
        )


def batches(rows: Iterator[list[Value]], width: int) -> Iterator[Batch]:
    """Rows, as many at a time as fit into little memory."""
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


def _sink(
    draft: Path,
    schema: dict[str, Any],
    frames: Callable[[], Iterator[pl.DataFrame]],
    metadata: dict[str, str],
) -> None:
    """Write frames as they come; polars calls for them from a thread of its own."""
    trouble: list[BaseException] = []

    def source(*_: object) -> Iterator[pl.DataFrame]:
        try:
            yield from frames()
        except BaseException as error:  # noqa: BLE001 told below, as it was
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
def _interrupted_later() -> Iterator[None]:
    """Let Ctrl-C wait for the end of a block: polars panics if it comes while it calls Python."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is ever interrupted
        return
    met: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: met.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if met:
            signal.raise_signal(signal.SIGINT)


def _index_frames(written: Iterator[Exported], folder: Path) -> Iterator[pl.DataFrame]:
    while rows := [_index_row(exported, folder) for exported in islice(written, _INDEX_BATCH)]:
        with _interrupted_later():
            frame = pl.DataFrame(rows, schema=_INDEX_SCHEMA)
        yield frame


def _index_row(exported: Exported, folder: Path) -> dict[str, object]:
    entry, table = exported.entry, exported.table
    with _interrupted_later():
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
