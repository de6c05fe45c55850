"""Files of Stata, SAS, SPSS and R."""

import sys

import polars as pl
import pytest
from catalog_files import looked

from datahound.catalog.readers import statistics_files
from datahound.catalog.table_reader import read_table

pyreadstat = pytest.importorskip("pyreadstat", reason="the extra `statistics` is not installed")
pyreadr = pytest.importorskip("pyreadr", reason="the extra `statistics` is not installed")

FRAME = pl.DataFrame(
    {"region": ["Nord", "Süd", "West"] * 3, "year": [2017] * 3 + [2018] * 3 + [2019] * 3,
     "pupils": [1.5 * n for n in range(9)]}
)  # fmt: skip


def write_r(path):
    pyreadr.write_rds(str(path), FRAME, compress="gzip")


WRITERS = {
    "dta": lambda path: pyreadstat.write_dta(FRAME, str(path), column_labels=["", "", "Pupils"]),
    "sav": lambda path: pyreadstat.write_sav(FRAME, str(path), column_labels=["", "", "Pupils"]),
    "por": lambda path: pyreadstat.write_por(FRAME.with_columns(region=pl.lit("Sud")), str(path)),
    "xpt": lambda path: pyreadstat.write_xport(FRAME, str(path)),
    "rdata": write_r,
}


@pytest.mark.parametrize("kind", WRITERS)
def test_tables_are_read(tmp_path, kind):
    """With labels as names, types and years; the rows are read again."""
    made = tmp_path / "made"
    WRITERS[kind](made)
    found = looked(tmp_path, "x.dat", made.read_bytes())
    (table,) = found.tables
    assert (found.format, found.error, table.rows, table.statistics) == (kind, "", 9, True)
    assert (table.first_year, table.last_year) == (2017, 2019)
    if kind in ("dta", "sav"):
        assert [f.name for f in table.fields] == ["region", "year", "Pupils"]
    with read_table(tmp_path / "x.dat", table.address) as reader:
        assert list(reader.rows)[4][1:] == [2018, 6.0]


def test_rows_in_pieces(tmp_path, monkeypatch):
    """A large file is not read as a whole."""
    monkeypatch.setattr(statistics_files, "_PIECE_ROWS", 4)
    WRITERS["dta"](tmp_path / "x.dta")
    found = statistics_files.read_rows(tmp_path / "x.dta", {"kind": "dta"}, None)
    assert [row[2] for row in found] == FRAME["pupils"].to_list()


@pytest.mark.parametrize("kind", WRITERS)
def test_broken_files_cost_a_line(tmp_path, kind):
    """A file cut off."""
    made = tmp_path / "made"
    WRITERS[kind](made)
    found = looked(tmp_path, "x.dat", made.read_bytes()[:90])
    assert not found.tables
    assert found.error or found.format in ("unknown", "gz", "text")


def test_without_the_extra(tmp_path, monkeypatch):
    """One line says what to install."""
    WRITERS["dta"](tmp_path / "made")
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    found = looked(tmp_path, "x.dta", (tmp_path / "made").read_bytes())
    assert found.error == "needs pyreadstat and pyreadr: pip install 'datahound[statistics]'"
