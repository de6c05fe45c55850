"""Reading a table of the catalogue again."""

from datetime import date, datetime

import pytest
from catalog_files import FIGURES, looked

from datahound.catalog.table_reader import convert_cell, read_table
from datahound.errors import UserError


@pytest.mark.parametrize(
    ("cell", "kind", "value"),
    [
        (None, "integer", None),
        ("", "string", None),
        ("n/a", "integer", None),
        ("n/a", "string", "n/a"),
        ("1,234", "integer", 1234),
        ("many", "integer", "many"),
        ("2019", "year", 2019),
        (2019.0, "year", 2019),
        (2.5, "integer", 2.5),
        (2.0, "number", 2.0),
        (float("nan"), "number", None),
        (float("inf"), "number", None),
        ("Oui", "boolean", True),
        ("no", "boolean", False),
        (True, "boolean", True),
        ("2020-01-02", "date", date(2020, 1, 2)),
        ("soon", "date", "soon"),
        (date(2020, 1, 2), "date", date(2020, 1, 2)),
        ("2020-01-02T03:04", "datetime", datetime(2020, 1, 2, 3, 4)),
        (b"x", "string", "b'x'"),
    ],
)
def test_cells_are_converted_to_the_type_of_their_column(cell, kind, value):
    """One that does not fit stays as it is."""
    converted = convert_cell(cell, kind)
    assert converted == value
    assert type(converted) is type(value)


def test_the_decimal_mark_of_the_table_is_used():
    """Not that of the cell."""
    assert convert_cell("1.234", "number", ",") == 1234
    assert convert_cell("1.234", "number", ".") == 1.234


@pytest.fixture
def table(tmp_path):
    (found,) = looked(tmp_path, "x.csv", FIGURES + "\n,,,\n").tables
    return found


def test_blank_rows_are_skipped_and_short_ones_filled(tmp_path, table):
    """A file may have changed its last rows."""
    address = {**table.address, "last": None}
    (tmp_path / "x.csv").write_text(FIGURES + ",,,\nEast\n")
    with read_table(tmp_path / "x.csv", address) as reader:
        assert list(reader)[-1] == ["East", None, None, None]
        assert len(list(reader)) == 4


def test_errors_are_one_line(tmp_path, table):
    """A file that is gone, a format without a reader, a file that is not what it was."""
    with pytest.raises(UserError, match="any more"):
        read_table(tmp_path / "gone", table.address)
    for changes, said in (
        ({"format": "doc"}, "tables in doc can't be read"),
        ({"format": "html"}, "is not what was catalogued"),
        ({"format": "parquet"}, "broken Parquet"),
    ):
        reader = read_table(tmp_path / "x.csv", {**table.address, **changes})
        with reader, pytest.raises(UserError, match=said):
            next(reader.rows)
    with pytest.raises(UserError, match="can't be unpacked"):
        read_table(tmp_path / "x.csv", {**table.address, "members": [["zip", "a.csv"]]})


def test_unpacked_files_are_removed(tmp_path, table, monkeypatch):
    """At the end, and also if the archive can't be opened."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(UserError):
        read_table(tmp_path / "x.csv", {**table.address, "members": [["gz", "a.csv"]]})
    assert not list(tmp_path.glob("datahound-*"))
