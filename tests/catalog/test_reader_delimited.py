"""Delimited files: small ones cell by cell, large ones by Polars."""

import csv

import pytest
from catalog_files import FIGURES, looked

from datahound.catalog.readers import delimited
from datahound.catalog.table_reader import read_table


def test_a_large_file_is_counted_to_its_end(tmp_path):
    """Rows, nulls, years and types are those of the whole file, not of its beginning."""
    lines = [f"Town {n % 50},{1990 + n // 2000},{n},{n}\n" for n in range(40_000)]
    lines[39_000] = "Far Away,2020,,7.5\n"
    body = "# Towns, all of them\ntown,year,count,late\n" + "".join(lines) + "Source: the towns\n"
    (table,) = looked(tmp_path, "large.csv", body).tables
    assert (table.rows, table.first_year, table.last_year) == (40_000, 1990, 2020)
    assert [field.type for field in table.fields] == ["string", "year", "integer", "number"]
    assert table.fields[2].nulls == 1
    assert table.title == "# Towns all of them"
    with read_table(tmp_path / "large.csv", table.address) as reader:
        assert sum(1 for _ in reader.rows) == 40_001  # the note is a row of the file


@pytest.fixture
def all_large(monkeypatch):
    """Polars reads every file."""
    monkeypatch.setattr(delimited, "_SMALL_BYTES", 0)


def kinds(found):
    return [(f.name, f.type, f.nulls, f.role, f.values[:2]) for f in found.tables[0].fields]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_large_and_small_files_are_described_alike(tmp_path, monkeypatch, encoding, delimiter):
    """In every encoding, with every delimiter, with a quoted delimiter in a cell."""
    text = FIGURES.replace("North", "No,r;t\th|").replace(",", delimiter)
    text = text.replace(f"No{delimiter}r;t\th|", f'"North{delimiter}East"')
    body = text.encode(encoding)
    small = looked(tmp_path, "a.csv", body)
    monkeypatch.setattr(delimited, "_SMALL_BYTES", 0)
    large = looked(tmp_path, "a.csv", body)
    assert kinds(small) == kinds(large)
    assert small.tables[0].sample == large.tables[0].sample
    assert small.tables[0].rows == large.tables[0].rows == 3


@pytest.mark.usefixtures("all_large")
def test_values_of_a_large_file_are_in_the_order_of_the_file(tmp_path):
    """Every time."""
    rows = "".join(f"Town{n * 7 % 30},{n}.5\n" for n in range(2500))
    seen = [looked(tmp_path, "a.csv", "town,rate\n" + rows).tables[0].terms for _ in range(3)]
    assert seen[0] == [f"Town{n * 7 % 30}" for n in range(30)]
    assert seen[1] == seen[2] == seen[0]


@pytest.mark.usefixtures("all_large")
def test_later_rows_widen_an_integer_column(tmp_path):
    """And add years and values that the first rows do not have."""
    rows = [f"a,2010,{n}\n" for n in range(2100)] + ["b,2020,1.5\n", "c,2021,\n"]
    (table,) = looked(tmp_path, "a.csv", "name,year,value\n" + "".join(rows)).tables
    assert [field.type for field in table.fields] == ["string", "year", "number"]
    assert (table.first_year, table.last_year) == (2010, 2021)
    assert table.fields[2].nulls == 1
    assert table.terms[:3] == ["a", "b", "c"]


@pytest.mark.usefixtures("all_large")
def test_the_largest_table_of_the_beginning_is_chosen(tmp_path):
    """The rest of the file belongs to it."""
    text = "town,rate,kind\nx,1,u\ny,2,v\n\n" + FIGURES
    (table,) = looked(tmp_path, "a.csv", text).tables
    assert [field.name for field in table.fields] == ["region", "year", "pupils", "share"]


@pytest.fixture
def field_limit():
    """The limit of the csv module is that of the whole process, and other libraries raise it."""
    before = csv.field_size_limit(1 << 20)
    yield
    csv.field_size_limit(before)


@pytest.mark.usefixtures("field_limit")
def test_a_row_that_the_csv_module_refuses_is_skipped(tmp_path):
    """A field that never ends must not end the file."""
    body = FIGURES + "East,2021," + "9" * (2 << 20) + ",1.5\nFar,2022,5,2.5\n"
    path = tmp_path / "a.csv"
    path.write_text(body)
    address = {"encoding": "utf-8", "delimiter": ","}
    rows = list(delimited.read_rows(path, address, None))
    assert [row[0] for row in rows] == ["region", "North", "South", "West", "Far"]


def test_a_table_is_read_again_as_it_was_counted(tmp_path):
    """With types, without the rows around it."""
    text = "Pupils\n\n" + FIGURES.replace(",", ";").replace(".", ",") + "\nSource: x\n"
    (table,) = looked(tmp_path, "a.csv", text).tables
    with read_table(tmp_path / "a.csv", table.address) as reader:
        assert next(reader.rows) == ["North", 2019, 120, 4.5]
        assert len(list(reader)) == table.rows == 3
