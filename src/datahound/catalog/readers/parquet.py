"""Parquet files, read by Polars."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from datahound.catalog.readers.task import Limits, Task, Unreadable
from datahound.catalog.tables.column_counts import count_values
from datahound.catalog.tables.columns import describe_columns
from datahound.catalog.tables.layout import Row, name_columns
from datahound.catalog.tables.profile import SAMPLE_ROWS, Grid, TableProfile, make_profile, to_plain

# Files with frames state types and the number of rows: the values come from a sample.
HEAD_ROWS = 5000


def find_tables(path: Path, task: Task) -> Iterator[TableProfile]:
    """Profile the one table of the file from its first rows."""
    try:
        frame = pl.scan_parquet(path)
        total = frame.select(pl.len()).collect().item()
        head = frame.head(HEAD_ROWS).collect()
    except (pl.exceptions.PolarsError, OSError, ValueError) as error:
        raise Unreadable(f"broken Parquet: {str(error).splitlines()[0]}") from None
    names = name_columns(head.columns[: task.limits.columns])
    yield profile_frame(head, Grid("the file", {}), total, names)


def profile_frame(head: pl.DataFrame, grid: Grid, rows: int, names: list[str]) -> TableProfile:
    """Profile a table of typed columns from its first rows; `rows` is the number of all rows."""
    counts = [count_values(series.to_list()) for series in head[:, : len(names)].iter_columns()]
    grid.address |= {"first": 0, "last": None, "left": 0, "decimal": "."}
    sample = [[to_plain(cell) for cell in row] for row in head.head(SAMPLE_ROWS).rows()]
    return make_profile(grid, describe_columns(names, counts), rows, sample)


def read_rows(path: Path, _address: Mapping[str, Any], _limits: Limits) -> Iterator[Row]:
    """Read the rows of the file."""
    try:
        for batch in pl.scan_parquet(path).collect_batches():
            yield from batch.iter_rows()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise Unreadable(f"broken Parquet: {str(error).splitlines()[0]}") from None
