"""What is written of a dataset, and what of it changes."""

from contextlib import closing
from dataclasses import replace

import pytest

from datahound.catalog import database, writer
from datahound.catalog.model import Source

SOURCE = Source(
    "https://e.org/files/pupils_2017.csv", "a.csv", "Pupils by school", "https://e.org/schools/x",
    "Schools", "text/csv", 10, "aa", "Fri, 16 Oct 2020 04:06:23 GMT", "2026-01-02T03:04:05Z",
)  # fmt: skip
TABLE = {
    "place": "the file", "address": {"first": 1}, "title": "Pupils\n1", "rows": 5, "columns": 1,
    "number_share": 0.5, "first_year": 2018, "last_year": 2020, "places": ["Köln"],
    "statistics": True, "sample": [["a"]], "terms": ["Bonn"],
    "fields": [{"name": n, "type": "string", "nulls": 0, "role": "dimension", "values": []}
               for n in ("Schule", "Ort", "Zahl")],
}  # fmt: skip
PROFILE = {"format": "csv", "encoding": "utf-8", "delimiter": ",", "title": "", "error": "",
           "tables": [TABLE]}  # fmt: skip


@pytest.fixture
def connection(tmp_path):
    with closing(database.open_to_write(tmp_path)) as opened:
        yield opened


def row(connection, columns, id_=1, table="dataset"):
    found = connection.execute(f"SELECT {columns} FROM {table} WHERE id = ?", (id_,)).fetchone()
    return found[0] if found and len(found) == 1 else found


def hits(connection, word):
    statement = "SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid"
    return [id_ for (id_,) in connection.execute(statement, (word,))]


def test_a_dataset_and_its_tables(connection):
    """Years, places and counts are those of all tables together."""
    other = {
        **TABLE,
        "first_year": 1999,
        "last_year": None,
        "statistics": False,
        "places": ["Bonn"],
    }
    assert writer.write_dataset(connection, SOURCE, {**PROFILE, "tables": [TABLE, other]}) == 1
    assert row(connection, "title, section, tables, statistics, rows, first_year, last_year") == (
        "Pupils by school", "schools", 2, 1, 10, 1999, 2020,
    )  # fmt: skip
    assert row(connection, "places") == '["Köln", "Bonn"]'
    assert row(connection, "modified, sort_title") == ("2020-10-16T04:06:23Z", "pupils by school")
    assert row(connection, "title, number, fields", 2, "data_table")[:2] == ("Pupils 1", 1)


def test_what_is_searched(connection):
    """Title, file name, columns, terms, places and page, without accents."""
    writer.write_dataset(connection, SOURCE, PROFILE)
    for word in ("pupils", "2017", "schule", "bonn", "koln", "schools", "example OR org"):
        assert hits(connection, word) == [1], word
    assert hits(connection, "nothing") == []


def test_years_of_names_are_used_where_no_table_has_any(connection):
    """The title before the file name."""
    bare = {**PROFILE, "tables": []}
    writer.write_dataset(connection, SOURCE, bare)
    assert row(connection, "first_year, last_year") == (2017, 2017)
    writer.write_dataset(connection, replace(SOURCE, title="Pupils by school, 1999-2001"), bare)
    assert row(connection, "first_year, last_year") == (1999, 2001)


def test_a_second_write_replaces_the_first(connection):
    """Nothing of it is found any more."""
    writer.write_dataset(connection, SOURCE, PROFILE)
    assert writer.write_dataset(connection, SOURCE, {**PROFILE, "tables": []}) == 1
    assert connection.execute("SELECT count(*) FROM data_table").fetchone() == (0,)
    assert hits(connection, "bonn") == []


def test_equal_bytes_are_copied(connection):
    """With the terms, which only the index has."""
    writer.write_dataset(connection, SOURCE, PROFILE)
    writer.copy_dataset(connection, 1, replace(SOURCE, url="https://e.org/b", title="Other words"))
    assert row(connection, "title, rows, statistics", 2) == ("Other words", 5, 1)
    assert hits(connection, "bonn") == [1, 2]
    assert hits(connection, "pupils") == [1, 2]
    assert hits(connection, "other") == [2]


def test_a_new_source_is_written_only_if_it_differs(connection):
    """Title, section and search follow it."""
    writer.write_dataset(connection, SOURCE, PROFILE)
    known = writer.read_known(connection)[SOURCE.url]
    assert not writer.refresh_source(connection, known, replace(SOURCE, found_at="later"))
    moved = replace(SOURCE, title="Scholars of towns", page="https://e.org/new/y")
    assert writer.refresh_source(connection, known, moved)
    assert row(connection, "title, section, rows") == ("Scholars of towns", "new", 5)
    assert hits(connection, "scholars") == [1]
    assert hits(connection, "bonn") == [1]
    assert row(connection, "section", 2, "facet") == "new"


def test_facets_are_shared_and_unused_ones_removed(connection):
    """Two datasets of one kind need one row."""
    writer.write_dataset(connection, SOURCE, PROFILE)
    writer.write_dataset(connection, replace(SOURCE, url="https://e.org/b"), PROFILE)
    assert connection.execute("SELECT count(*) FROM facet").fetchone() == (1,)
    writer.remove_dataset(connection, 1)
    writer.remove_dataset(connection, 2)
    connection.execute(writer.UNUSED_FACETS)
    for table in ("facet", "brief", "dataset", "data_table", "search"):
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,), table


def fail(connection):
    with writer.transaction(connection):
        writer.write_dataset(connection, SOURCE, PROFILE)
        raise ValueError("no")


def test_a_transaction_is_all_or_nothing(connection):
    """An error takes back what was written."""
    with pytest.raises(ValueError, match="no"):
        fail(connection)
    assert writer.read_known(connection) == {}


def test_an_odd_date_is_replaced_by_the_time_of_finding(connection):
    """Servers send anything."""
    writer.write_dataset(connection, replace(SOURCE, last_modified="last week"), PROFILE)
    assert row(connection, "modified") == "2026-01-02T03:04:05Z"
