"""Parquet files."""

import io

import polars as pl
from catalog_files import looked

from datahound.catalog.table_reader import read_table


def body(frame):
    file = io.BytesIO()
    frame.write_parquet(file)
    return file.getvalue()


def test_rows_are_counted_to_the_end(tmp_path):
    """Types come from the first 5,000 rows."""
    frame = pl.DataFrame({"town": ["a", "b"] * 5000, "n": [n / 2 for n in range(10_000)]})
    (table,) = looked(tmp_path, "x.parquet", body(frame)).tables
    assert (table.rows, table.columns) == (10_000, 2)
    assert [field.type for field in table.fields] == ["string", "number"]
    with read_table(tmp_path / "x.parquet", table.address) as reader:
        assert sum(1 for _ in reader) == 10_000


def test_a_broken_file_is_one_line(tmp_path):
    """It begins well."""
    found = looked(tmp_path, "x.parquet", b"PAR1" + bytes(50))
    assert found.format == "parquet"
    assert found.error.startswith("broken Parquet")
    assert "\n" not in found.error


def test_columns_beyond_the_limit_are_not_listed(tmp_path):
    """A thousand are."""
    frame = pl.DataFrame({f"c{n}": [1, 2] for n in range(1100)})
    (table,) = looked(tmp_path, "x.parquet", body(frame)).tables
    assert len(table.fields) == 1000
