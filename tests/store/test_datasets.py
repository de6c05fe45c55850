"""datasets.csv opens in a spreadsheet, and does nothing there."""

import csv
import sqlite3
from contextlib import closing

import pytest

from datahound.errors import StorageError
from datahound.store.files import COLUMNS, write_datasets
from datahound.store.writer import Store


def test_the_list_is_whole_and_harmless(tmp_path):
    """Formulas in titles are text, accents survive, and the file appears at one stroke."""
    store = Store(tmp_path / "crawl.db")
    with store.transaction():
        for number, title in enumerate(["=1+1", "@x", 'Été, "cité"\nline', "plain"]):
            store.connection.execute(
                "INSERT INTO target VALUES (NULL, ?, 0, ?, ?, NULL, 1, 'text/csv', 5, 0)",
                (number, f"https://a.org/{number}", title),
            )
    assert write_datasets(store.connection, tmp_path / "datasets.csv") == 4
    assert (tmp_path / "datasets.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    with (tmp_path / "datasets.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == COLUMNS
    assert [row["title"] for row in rows] == ["'=1+1", "'@x", 'Été, "cité"\nline', "plain"]
    assert not list(tmp_path.glob(".*"))
    store.close()


@pytest.mark.parametrize(
    ("title", "written"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        (" =1+1", "' =1+1"),
        ("\t=1+1", "'\t=1+1"),
        ("＝1+1", "'＝1+1"),
        ("\u202e=1", "'=1"),
        ("-5 degrees", "'-5 degrees"),
        ("-5,3", "-5,3"),
        ("Prices", "Prices"),
    ],
)
def test_titles_are_never_formulas(tmp_path, title, written):
    """Leading blanks, full-width signs and hidden characters do not get a formula through."""
    store = Store(tmp_path / "crawl.db")
    with store.transaction():
        store.connection.execute(
            "INSERT INTO target (number, at, url, anchor, mime_type, size) "
            "VALUES (1, 0, 'https://a.org/', ?, 'text/csv', 5)",
            (title,),
        )
    write_datasets(store.connection, tmp_path / "datasets.csv")
    store.close()
    with (tmp_path / "datasets.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [row["title"] for row in csv.DictReader(file)] == [written]


def test_a_failed_write_leaves_the_old_list(tmp_path):
    """A list that can't be replaced is reported in one line, and no draft is left behind."""
    store = Store(tmp_path / "crawl.db")
    (tmp_path / "datasets.csv" / "in the way").mkdir(parents=True)
    with pytest.raises(StorageError, match=r"datasets\.csv: can't be written"):
        write_datasets(store.connection, tmp_path / "datasets.csv")
    assert not list(tmp_path.glob(".*"))
    store.close()


def test_rows_that_were_never_asked_for_are_listed(tmp_path):
    """A target without a file is in the list all the same."""
    store = Store(tmp_path / "crawl.db")
    with store.transaction():
        store.connection.execute(
            "INSERT INTO target (number, at, url, mime_type, size) "
            "VALUES (1, 0, 'https://a.org/', 'text/csv', 5)"
        )
    write_datasets(store.connection, tmp_path / "datasets.csv")
    assert "listed" in (tmp_path / "datasets.csv").read_text("utf-8")
    store.close()
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as connection:
        assert connection.execute("SELECT * FROM targets").fetchall()
