"""Databases that are only read: never made, never changed, whatever their names are."""

import os
import sqlite3
from contextlib import closing

import pytest

from datahound.sqlite_files import open_read_only


def make_database(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE one (a)")
        connection.execute("INSERT INTO one VALUES (7)")
        connection.commit()
    return path


@pytest.mark.parametrize("name", ["a.db", "what?mode=rwc.db", "50%20 off#1.db", "Ü ber.db"])
def test_names_are_quoted(tmp_path, name):
    with closing(open_read_only(make_database(tmp_path / name))) as connection:
        assert connection.execute("SELECT a FROM one").fetchone() == (7,)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_missing_database_is_not_made(tmp_path):
    with pytest.raises(sqlite3.OperationalError):
        open_read_only(tmp_path / "none.db").execute("SELECT 1 FROM sqlite_master")
    assert not list(tmp_path.iterdir())


def test_nothing_can_be_written(tmp_path):
    with (
        closing(open_read_only(make_database(tmp_path / "a.db"))) as connection,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        connection.execute("DELETE FROM one")


def test_a_relative_path_is_of_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make_database(tmp_path / "a.db")
    with closing(open_read_only((tmp_path / "a.db").relative_to(tmp_path))) as connection:
        assert connection.execute("SELECT a FROM one").fetchone() == (7,)


def test_the_log_of_a_writer_is_read_unless_the_file_is_final(tmp_path):
    path = make_database(tmp_path / "a.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("INSERT INTO one VALUES (8)")
        with closing(open_read_only(path)) as connection:
            assert connection.execute("SELECT count(*) FROM one").fetchone() == (2,)
        with closing(open_read_only(path, is_final=True)) as connection:
            assert connection.execute("SELECT count(*) FROM one").fetchone() == (1,)


def test_options_are_those_of_sqlite(tmp_path):
    path = make_database(tmp_path / "a.db")
    with closing(open_read_only(path, isolation_level=None)) as connection:
        assert connection.isolation_level is None


def test_what_is_no_file_is_refused_at_once(tmp_path):
    """Opening a FIFO to read would wait for ever."""
    os.mkfifo(tmp_path / "a.db")
    with pytest.raises(sqlite3.OperationalError, match="not a file"):
        open_read_only(tmp_path / "a.db")
