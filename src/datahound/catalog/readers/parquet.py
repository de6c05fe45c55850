"""Parquet, by Polars."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from datahound.catalog.readers.limits import Limits
from datahound.catalog.readers.task import Task, Unreadable
from datahound.catalog.tables.column_counts import Tally
from datahound.catalog.tables.columns import describe
from datahound.catalog.tables.layout import Row, unique_names
from datahound.catalog.tables.profile import SAMPLE_ROWS, Found, TableLook, shown, table_look

_HEAD = 5000


def tables(path: Path, task: Task) -> Iterator[TableLook]:
    """The one table of the file; its beginning stands for the rest."""
    try:
        frame = pl.scan_parquet(path)
        total = frame.select(pl.len()).collect().item()
        head = frame.head(_HEAD).collect()
    except (pl.exceptions.PolarsError, OSError, ValueError) as error:
        raise Unreadable(f"broken Parquet: {str(error).splitlines()[0]}") from None
    names = unique_names(head.columns[: task.limits.columns])
    columns = []
    for name, series in zip(names, head.iter_columns(), strict=False):
        tally = Tally()
        tally.add(series.to_list())
        columns.append(describe(name, tally))
    address = {"first": 0, "last": None, "left": 0, "decimal": "."}
    sample = [[shown(cell) for cell in row] for row in head.head(SAMPLE_ROWS).rows()]
    yield table_look(Found("the file", address), columns, total, sample)


def rows(path: Path, _address: Mapping[str, Any], _limits: Limits) -> Iterator[Row]:
    """The rows of the file."""
    try:
        for batch in pl.scan_parquet(path).collect_batches():
            yield from batch.iter_rows()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise Unreadable(f"broken Parquet: {str(error).splitlines()[0]}") from None
