"""A user's own questions: what may be asked, what is refused, and what nothing can change."""

import hashlib
import sqlite3
from contextlib import closing

import pytest

from datahound.errors import DatahoundError, UserError
from datahound.store.sqlite import create_or_open
from datahound.store.user_query import ask_crawl, list_views

_LOST = b"caf\xe9"


@pytest.fixture
def folder(tmp_path):
    """The folder of a crawl with three requests, one of them of a URL that is not UTF-8."""
    with closing(create_or_open(tmp_path / "crawl.db")) as connection:
        connection.executemany(
            "INSERT INTO request (number, at, url, purpose, status, kind, size, failure)"
            " VALUES (?, ?, CAST(? AS TEXT), 'visit', 200, 'page', ?, '')",
            [(1, 1.0, "https://a.example/", 10), (2, 2.0, "https://a.example/b", 20),
             (3, 3.0, _LOST, 30)],
        )  # fmt: skip
        connection.commit()
    return tmp_path


@pytest.fixture
def catalog(folder):
    """A catalogue beside it, as far as questions see one."""
    path = folder / "catalog.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE dataset (id INTEGER PRIMARY KEY, url TEXT, title TEXT)")
        connection.execute("INSERT INTO dataset VALUES (1, 'https://a.example/b', 'Prices')")
        connection.execute("CREATE TABLE hidden (secret TEXT)")
        connection.commit()
    return path


def answer(folder, question, catalog=None):
    with ask_crawl(folder, question, catalog) as answered:
        return answered.columns, list(answered.rows)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_columns_have_the_names_that_the_question_gives(folder):
    columns, rows = answer(folder, "SELECT number AS n, size FROM request ORDER BY n LIMIT 2")
    assert columns == ("n", "size")
    assert rows == [(1, 10), (2, 20)]


def test_a_text_that_is_not_utf_8_is_shown_with_a_broken_letter(folder):
    _, rows = answer(folder, "SELECT url FROM request WHERE number = 3")
    assert rows == [("caf\N{REPLACEMENT CHARACTER}",)]


def test_what_can_be_asked_for_is_listed_with_its_columns(folder, catalog):
    with list_views(folder, catalog) as listed:
        assert listed.columns == ("name", "columns")
        found = dict(listed.rows)
    assert "sha256" in found["targets"].split(", ")
    assert found["catalog.dataset"] == "id, url, title"
    assert "catalog.hidden" not in found
    assert "request" not in found, "tables of crawl.db may change; its views are for users"


@pytest.mark.usefixtures("catalog")
def test_without_a_catalogue_only_the_views_of_the_crawl_are_listed(folder):
    """Even if there is one in the folder: who asks says which."""
    with list_views(folder) as listed:
        assert not [name for name, _ in listed.rows if name.startswith("catalog.")]


def test_questions_go_over_both_databases(folder, catalog):
    question = "SELECT d.title FROM request r JOIN catalog.dataset d ON d.url = r.url"
    assert answer(folder, question, catalog) == (("title",), [("Prices",)])


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM request",
        "UPDATE request SET size = 0",
        "INSERT INTO request (number) VALUES (9)",
        "DROP TABLE request",
        "CREATE TABLE mine (x)",
        "DELETE FROM catalog.dataset",
        "ATTACH 'other.db' AS other",
        "DETACH catalog",
        "VACUUM INTO 'copy.db'",
    ],
)
def test_nothing_can_be_changed(folder, catalog, statement, monkeypatch):
    """Neither the databases nor any other file."""
    monkeypatch.chdir(folder)
    before = digest(folder / "crawl.db"), digest(catalog)
    with pytest.raises(UserError, match="sql: only queries"):
        answer(folder, statement, catalog)
    assert (digest(folder / "crawl.db"), digest(catalog)) == before
    assert not (folder / "copy.db").exists()
    assert not (folder / "other.db").exists()


@pytest.mark.parametrize(
    ("question", "complaint"),
    [
        ("SELECT * FROM nowhere", "no such table: nowhere"),
        ("SELEKT 1", "syntax error"),
        ("SELECT 1; SELECT 2", "one statement"),
        ("", "this returns no rows"),
        ("-- a remark", "this returns no rows"),
    ],
)
def test_a_wrong_question_is_one_line(folder, question, complaint):
    with pytest.raises(UserError, match=f"^sql: .*{complaint}"):
        answer(folder, question)


def test_an_error_amid_the_rows_is_one_line_too(folder):
    """The first rows are read before SQLite meets the wrong one."""
    question = "SELECT json_extract(v, '$') FROM (SELECT '1' AS v UNION ALL SELECT 'no JSON')"
    with pytest.raises(UserError, match="sql: malformed JSON"):
        answer(folder, question)


def test_a_folder_without_a_crawl_is_one_line(tmp_path):
    with pytest.raises(DatahoundError, match="nowhere"):
        answer(tmp_path / "nowhere", "SELECT 1")


def test_a_catalogue_that_is_damaged_is_one_line(folder):
    damaged = folder / "catalog.db"
    damaged.write_bytes(b"no database" * 100)
    with pytest.raises(UserError, match="sql: file is not a database"):
        answer(folder, "SELECT * FROM catalog.dataset", damaged)


def test_a_crawl_that_writes_meanwhile_is_not_held_up(folder):
    """A question is answered from one moment, and the writer waits for nobody."""
    with ask_crawl(folder, "SELECT number FROM request ORDER BY number") as answered:
        first = next(answered.rows)
        with closing(sqlite3.connect(folder / "crawl.db", timeout=0)) as writer:
            writer.execute("DELETE FROM request WHERE number > 1")
            writer.commit()
        rest = list(answered.rows)
    assert [first, *rest] == [(1,), (2,), (3,)]
    assert answer(folder, "SELECT count(*) FROM request")[1] == [(1,)]
