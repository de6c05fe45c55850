"""SQLite databases and GeoPackages."""

import sqlite3
from contextlib import closing

from catalog_files import looked

from datahound.catalog.table_reader import read_table


def database(path, *statements):
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.executemany(
            "INSERT INTO towns (name, shape, year, pupils, share) VALUES (?, ?, ?, ?, ?)",
            [(f"town {n}", b"\0shape", 2019 + n % 2, n * 1.5, n / 7) for n in range(9)],
        )
        connection.commit()
    return path.read_bytes()


TOWNS = "CREATE TABLE towns (id INT, name TEXT, shape BLOB, year INT, pupils REAL, share REAL)"


def test_tables_without_shapes(tmp_path):
    """Binary columns are left out; rows are read again."""
    found = looked(tmp_path, "x.sqlite", database(tmp_path / "made", TOWNS))
    (table,) = found.tables
    assert (found.format, found.error, table.title) == ("sqlite", "", "towns")
    assert [f.name for f in table.fields] == ["id", "name", "year", "pupils", "share"]
    assert (table.rows, table.first_year, table.last_year, table.statistics) == (
        9,
        2019,
        2020,
        True,
    )
    with read_table(tmp_path / "x.sqlite", table.address) as reader:
        assert list(reader.rows)[7] == [None, "town 7", 2020, 10.5, 1.0]


def test_a_geopackage(tmp_path):
    """Its own tables are left out, and its titles are used."""
    body = database(
        tmp_path / "made",
        TOWNS,
        "CREATE TABLE gpkg_contents (table_name TEXT, identifier TEXT)",
        "INSERT INTO gpkg_contents VALUES ('towns', 'Pupils by town')",
        "CREATE TABLE rtree_towns_geom (id INT)",
    )
    (table,) = looked(tmp_path, "x.gpkg", body).tables
    assert table.title == "Pupils by town"


def test_a_schema_cannot_run_anything(tmp_path):
    """Views and virtual tables are not read; a damaged page costs a line."""
    endless = (
        "CREATE VIEW v AS WITH RECURSIVE c(n) AS "
        "(SELECT 1 UNION ALL SELECT n FROM c) SELECT n FROM c"
    )
    body = database(tmp_path / "made", TOWNS, endless)
    assert [t.title for t in looked(tmp_path, "x.sqlite", body).tables] == ["towns"]
    broken = body[:4096] + b"\xff" * 4096 + body[8192:]
    assert looked(tmp_path, "y.sqlite", broken).error
