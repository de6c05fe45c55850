"""Named queries about a crawl as a whole, and its counts."""

import json
from contextlib import closing

import pytest

from datahound.errors import UserError
from datahound.store import queries, queries_counts
from datahound.store.sqlite import create_or_open


@pytest.fixture
def database(tmp_path):
    """A crawl of four requests: a page, a target, a redirect and a host that did not answer."""
    path = tmp_path / "crawl.db"
    requests = [
        (1, 10.0, "https://a.example/", "visit", 200, "page", 100, ""),
        (2, 11.0, "https://a.example/t.csv", "collect", 200, "target", 50, ""),
        (3, 12.0, "https://a.example/old", "visit", 301, "other", 5, ""),
        (4, 14.0, "https://b.example:8080/x", "visit", None, "other", 0, "timed out"),
    ]
    with closing(create_or_open(path)) as connection:
        connection.executemany(
            """INSERT INTO request (number, at, url, purpose, status, kind, size, failure)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
            requests,
        )
        connection.execute("INSERT INTO text VALUES (1, 'https://a.example/')")
        connection.execute(
            """INSERT INTO target (number, at, url, anchor, found_on, depth, mime_type, size)
            VALUES (2, 11.0, 'https://a.example/t.csv', 'Prices', 1, 1, 'text/csv', 50)"""
        )
        connection.execute(
            """INSERT INTO file (url, state, path, size, sha256)
            VALUES ('https://a.example/t.csv', 'broken', 'a/t.csv', 20, 'abc')"""
        )
        facts = {"identity": {"URL": "https://a.example/"}, "ended": None}
        connection.executemany(
            "INSERT INTO fact VALUES (?, ?)", [(n, json.dumps(v)) for n, v in facts.items()]
        )
    return path


def test_facts_are_those_that_are_stored(database):
    with queries.open_snapshot(database) as connection:
        facts = queries.read_facts(connection, ("identity", "ended", "now"))
    assert facts == {"identity": {"URL": "https://a.example/"}}


def test_totals(database):
    with queries.open_snapshot(database) as connection:
        assert queries.read_totals(connection) == (4, 1, 10.0, 14.0)


def test_requests_are_counted_by_outcome_and_host(database):
    with queries.open_snapshot(database) as connection:
        outcomes = queries_counts.count_request_outcomes(connection)
        (error,) = queries_counts.count_errors(connection)
        hosts = queries_counts.count_requests(connection, 0, 4)
    assert outcomes[3:] == (155, 4, 1, 1, 0, 1, 1)
    assert error == ("b.example:8080", None, "timed out", 1, "https://b.example:8080/x")
    assert sum(row.requests for row in hosts if row.host == "a.example") == 3


def test_ranges_leave_out_their_first_row(database):
    with queries.open_snapshot(database) as connection:
        later = queries_counts.count_requests(connection, 2, 4)
        assert queries_counts.last_key(connection, "request") == 4
        assert queries_counts.last_key(connection, "skip") == -1
    assert sum(row.requests for row in later) == 2


def test_kept_files_have_their_state_and_a_path_below_files(database):
    """A file that is not complete is listed too, for those who take what there is."""
    (kept,) = queries.iterate_kept_files(database)
    assert (kept.path, kept.state, kept.title, kept.bytes) == ("a/t.csv", "broken", "Prices", 20)
    assert kept.page == "https://a.example/"


def test_a_snapshot_shows_one_moment(database):
    """Rows that a running crawl writes meanwhile are not seen."""
    with closing(create_or_open(database)) as writer, queries.open_snapshot(database) as connection:
        assert queries.read_totals(connection).targets == 1
        writer.execute("DELETE FROM target")
        assert queries.read_totals(connection).targets == 1


def test_no_crawl_no_snapshot(tmp_path):
    with pytest.raises(UserError, match="no crawl in this folder"), queries.open_snapshot(tmp_path):
        pass
