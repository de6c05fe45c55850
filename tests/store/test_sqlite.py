"""Opening `crawl.db`: what is ours is opened, anything else is refused and left as it is."""

import sqlite3
import stat
from contextlib import closing

import pytest

from datahound.errors import StorageError, UserError
from datahound.store.schema import APPLICATION_ID, VERSION
from datahound.store.sqlite import create_or_open, open_to_read, sqlite_errors


@pytest.fixture
def path(tmp_path):
    return tmp_path / "crawl.db"


def make(
    path, application=APPLICATION_ID, version=VERSION, tables="CREATE TABLE fact (name, value)"
):
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            f"{tables}; PRAGMA application_id = {application}; PRAGMA user_version = {version};"
        )


def pragma(connection, name):
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def test_a_new_database_is_marked_as_ours(path):
    with closing(create_or_open(path)) as connection:
        assert pragma(connection, "application_id") == APPLICATION_ID
        assert pragma(connection, "user_version") == VERSION
        assert pragma(connection, "journal_mode") == "wal"
        assert connection.execute("SELECT count(*) FROM targets").fetchone() == (0,)


def test_it_is_opened_again_with_what_it_holds(path):
    with closing(create_or_open(path)) as connection:
        connection.execute("INSERT INTO fact VALUES ('a', '1')")
    with closing(create_or_open(path)) as connection:
        assert connection.execute("SELECT value FROM fact").fetchall() == [("1",)]
    with closing(open_to_read(path)) as connection:
        assert connection.execute("SELECT value FROM fact").fetchall() == [("1",)]


def test_who_reads_can_change_nothing(path):
    create_or_open(path).close()
    with (
        closing(open_to_read(path)) as connection,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        connection.execute("DELETE FROM fact")


def test_who_reads_makes_no_database(path):
    with pytest.raises(UserError, match=r"no crawl in this folder"):
        open_to_read(path)
    assert not path.exists()


def test_an_empty_file_is_a_crawl_that_has_not_begun(path):
    """A power cut at the very beginning leaves one."""
    path.touch()
    with pytest.raises(UserError, match="no crawl has begun"):
        open_to_read(path)
    with closing(create_or_open(path)) as connection:
        assert pragma(connection, "user_version") == VERSION


@pytest.mark.parametrize("open_it", [create_or_open, open_to_read])
@pytest.mark.parametrize(
    ("made", "words"),
    [
        ({"application": 0, "version": 0}, "is not the database of a Datahound crawl"),
        ({"application": 77}, "is not the database of a Datahound crawl"),
        ({"version": VERSION + 1}, "a newer version of Datahound"),
        ({"version": 0}, "an older version of Datahound"),
        ({"version": -5}, "an older version of Datahound"),
    ],
)
def test_what_is_not_ours_or_of_now_is_refused(path, open_it, made, words):
    make(path, **made)
    before = path.read_bytes()
    with pytest.raises(UserError, match=words):
        open_it(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("open_it", [create_or_open, open_to_read])
def test_a_damaged_file_is_one_line(path, open_it):
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    with pytest.raises(StorageError, match=r"crawl\.db: can't be used: "):
        open_it(path)
    path.write_text("url,bytes\n" * 1000)
    with pytest.raises(StorageError, match=r"crawl\.db: can't be used: "):
        open_it(path)


@pytest.mark.parametrize("open_it", [create_or_open, open_to_read])
def test_no_connection_stays_open_after_a_refusal(path, open_it):
    """Warnings of open databases are errors in these tests; the file can be replaced, too."""
    make(path, application=77)
    with pytest.raises(UserError):
        open_it(path)
    path.unlink()
    create_or_open(path).close()


def test_a_folder_in_place_of_the_file(path):
    path.mkdir()
    with pytest.raises(UserError, match="no crawl in this folder"):
        open_to_read(path)
    with pytest.raises(StorageError, match="can't be used"):
        create_or_open(path)


def test_reading_a_crawl_that_is_being_written(path):
    """Neither waits for the other, and the reader sees what was committed."""
    with closing(create_or_open(path)) as writer:
        writer.execute("INSERT INTO fact VALUES ('a', '1')")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO fact VALUES ('b', '2')")
        with closing(open_to_read(path)) as reader:
            assert reader.execute("SELECT count(*) FROM fact").fetchone() == (1,)
            writer.execute("COMMIT")
            assert reader.execute("SELECT count(*) FROM fact").fetchone() == (2,)


def test_odd_names_of_folders(tmp_path):
    """They are part of a URI, in which some letters have a meaning."""
    folder = tmp_path / "a ?mode=rwc&x=1#%41 é"
    folder.mkdir()
    create_or_open(folder / "crawl.db").close()
    with closing(open_to_read(folder / "crawl.db")) as connection:
        assert pragma(connection, "user_version") == VERSION
    assert sorted(p.name for p in tmp_path.iterdir()) == [folder.name]


def test_complaints_of_sqlite_name_the_file(path):
    with (
        closing(create_or_open(path)) as connection,
        pytest.raises(StorageError, match=r"crawl\.db: can't be used: no such table: missing"),
        sqlite_errors(path),
    ):
        connection.execute("SELECT * FROM missing")


def test_a_folder_that_cant_be_written_can_be_read(path):
    create_or_open(path).close()
    path.chmod(stat.S_IRUSR)
    try:
        with closing(open_to_read(path)) as connection:
            assert pragma(connection, "user_version") == VERSION
    finally:
        path.chmod(stat.S_IRUSR | stat.S_IWUSR)
