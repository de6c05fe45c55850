"""Lists in pages, and the rows of one URL, from a database made for it."""

from contextlib import closing

import pytest

from datahound.store import queries_rows
from datahound.store.queries_rows import LIST_LENGTH, Candidates, Search
from datahound.store.sqlite import create_or_open

REQUESTS = 180


@pytest.fixture
def connection(tmp_path):
    """Requests of which every tenth failed, and skips for two reasons."""
    with closing(create_or_open(tmp_path / "crawl.db")) as connection:
        connection.executemany(
            """INSERT INTO request (number, at, url, purpose, status, kind, expected, size, failure)
            VALUES (?, ?, ?, 'visit', ?, 'page', 'page', 10, '')""",
            [
                (n, float(n), f"https://a.example/{n}%_x", 404 if n % 10 == 0 else 200)
                for n in range(1, REQUESTS + 1)
            ],
        )
        connection.executemany(
            "INSERT INTO skip (url, reason, anchor) VALUES (?, ?, '')",
            [(f"https://b.example/{n}", ("other site", "excluded")[n % 2]) for n in range(20)],
        )
        yield connection


def read_all(connection, read, search_text=""):
    before, rows = None, []
    while True:
        listed = read(connection, Search(search_text, before))
        rows += listed.rows
        if listed.next is None:
            return rows
        assert len(listed.rows) == LIST_LENGTH
        before = listed.next


def test_pages_of_a_list_join_without_gap_or_overlap(connection):
    rows = read_all(connection, queries_rows.list_requests)
    assert [row.number for row in rows] == list(range(REQUESTS, 0, -1))
    assert queries_rows.list_requests(connection, Search()).total == REQUESTS


def test_a_filter_lists_its_rows_only(connection):
    errors = queries_rows.list_requests(connection, Search(), "errors")
    assert [row.number for row in errors.rows] == list(range(REQUESTS, 0, -10))
    assert not queries_rows.list_requests(connection, Search(), "probes").rows
    excluded = queries_rows.list_skips(connection, Search(), "excluded")
    assert {row.reason for row in excluded.rows} == {"excluded"}
    assert len(excluded.rows) == 10


def test_a_search_takes_wildcards_literally(connection):
    assert len(read_all(connection, queries_rows.list_requests, "%_x")) == REQUESTS
    assert not queries_rows.list_requests(connection, Search("%x")).rows
    assert len(queries_rows.list_requests(connection, Search("/17%")).rows) == 1


def test_rare_rows_are_found_in_windows(connection, monkeypatch):
    """A window that has no row leads to the next one."""
    monkeypatch.setattr(queries_rows, "_WINDOW", 8)
    monkeypatch.setattr(queries_rows, "_MAX_SECONDS", 60)
    assert [row.number for row in read_all(connection, queries_rows.list_requests, "/3%")] == [3]


def test_a_search_that_takes_long_can_be_continued(connection, monkeypatch):
    """It gives the key to continue before, though it found nothing yet."""
    monkeypatch.setattr(queries_rows, "_WINDOW", 8)
    monkeypatch.setattr(queries_rows, "_MAX_SECONDS", -1)
    listed = queries_rows.list_requests(connection, Search("/3%"))
    assert not listed.rows
    assert listed.next == REQUESTS + 1 - 8


def test_candidates_are_checked_and_newer_rows_searched(connection):
    """A hash may collide: a candidate with another URL is not returned."""
    url = "https://a.example/5%_x"
    found = queries_rows.find_requests(connection, url, Candidates([4, 5, 6], REQUESTS))
    assert [row.number for row in found] == [5]
    assert [r.number for r in queries_rows.find_requests(connection, url, Candidates([], 4))] == [5]
    assert not queries_rows.find_requests(connection, url, Candidates([], 5))
