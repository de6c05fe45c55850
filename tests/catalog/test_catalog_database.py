"""Opening `catalog.db`."""

import sqlite3
from contextlib import closing

import pytest

from datahound.catalog import database
from datahound.errors import StorageError, UserError


def test_a_new_catalogue_is_made_and_opened_again(tmp_path):
    """What is in it stays."""
    with closing(database.open_to_write(tmp_path)) as connection:
        connection.execute("INSERT INTO fact VALUES ('a', 'b')")
    with closing(database.open_to_write(tmp_path)) as connection:
        assert connection.execute("SELECT value FROM fact").fetchone() == ("b",)
    assert database.is_ready(tmp_path)


@pytest.mark.parametrize("version", [0, 1, 99])
def test_another_version_is_replaced(tmp_path, version):
    """Nothing of it can be read, and all of it can be made again."""
    with closing(database.open_to_write(tmp_path)) as connection:
        connection.execute("INSERT INTO fact VALUES ('a', 'b')")
        connection.execute(f"PRAGMA user_version = {version}")
    assert not database.is_ready(tmp_path)
    with pytest.raises(UserError, match="another version"):
        database.open_to_read(tmp_path)
    with closing(database.open_to_write(tmp_path)) as connection:
        assert connection.execute("SELECT count(*) FROM fact").fetchone() == (0,)


def test_the_database_of_another_program_is_not_touched(tmp_path):
    """Even under our name."""
    path = database.locate_catalog(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id = 7")
        connection.execute("CREATE TABLE mine (x)")
    before = path.read_bytes()
    with pytest.raises(UserError, match="not a catalogue of Datahound"):
        database.open_to_write(tmp_path)
    assert path.read_bytes() == before


def test_readers_do_not_write(tmp_path):
    """A connection to read refuses changes."""
    database.open_to_write(tmp_path).close()
    connection = database.open_to_read(tmp_path)
    with closing(connection), pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute("INSERT INTO fact VALUES ('a', 'b')")


def fail(path, error):
    with database.report_errors(path):
        raise error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (sqlite3.OperationalError("disk I/O error"), "disk I/O error"),
        (OSError(28, "No space"), "No space"),
    ],
)
def test_errors_of_storage_are_one_line(tmp_path, error, said):
    """With the path."""
    with pytest.raises(StorageError, match=f"can't be used: {said}"):
        fail(tmp_path, error)


def test_removing_takes_all_files(tmp_path):
    """Journals as well."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        (tmp_path / f"catalog.db{suffix}").write_text("x")
    (tmp_path / "crawl.db").write_text("x")
    database.remove_catalog(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["crawl.db"]
