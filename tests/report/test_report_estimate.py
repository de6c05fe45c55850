"""Estimates in sentences."""

from contextlib import closing

import pytest

from datahound.report.estimate import (
    describe_next,
    describe_remaining,
    read_history,
    round_roughly,
)
from datahound.report.remaining import Remaining
from datahound.store.sqlite import create_or_open


@pytest.mark.parametrize(
    ("remaining", "said"),
    [
        (Remaining(40, 5, 160, 30), "Probably about 40 more files (between 5 and 160)."),
        (Remaining(1, 0, 3, 30), "Probably about 1 more file (between 0 and 3)."),
        (Remaining(0, 0, 1, 30), "Probably none, at most about 1 file."),
        (Remaining(0, 0, 0, None), "Probably none."),
    ],
)
def test_what_is_left_in_words(remaining, said):
    """One sentence that everybody understands."""
    assert describe_remaining(remaining) == said


@pytest.mark.parametrize(
    ("cost", "seconds", "said"),
    [
        (30.2, 1.0, "about 30 requests, half a minute."),
        (1.0, 1.0, "about 1 request, a second."),
        (240.0, 1.0, "about 240 requests, 4 minutes."),
        (8000.0, 1.0, "about 8,000 requests, 2h 13m."),
        (30.0, None, "about 30 requests."),
    ],
)
def test_the_next_one_in_words(cost, seconds, said):
    """Requests, and the time that they take at the pace of late."""
    assert describe_next(Remaining(5, 1, 9, cost), seconds).endswith(said)
    assert describe_next(Remaining(0, 0, 0, cost), seconds) == ""


def test_estimates_have_two_figures():
    assert round_roughly(7) == "7"
    assert round_roughly(1283) == "1,300"
    assert round_roughly(99_999) == "100,000"


def test_files_that_were_read_take_no_place_among_the_links_that_wait(tmp_path):
    """A file that names others is read, but it was no link to a page."""
    with closing(create_or_open(tmp_path / "crawl.db")) as connection:
        pages = [(f"https://a.example/{n}", "page") for n in range(5)]
        connection.executemany("INSERT INTO link (url, expected) VALUES (?, ?)", pages)
        files = [(f"https://a.example/{n}.csv",) for n in range(4)]
        connection.executemany("INSERT INTO target (url) VALUES (?)", files)
        visits = [("https://a.example/",), pages[0][:1], *files]
        connection.executemany(
            "INSERT INTO visit (url, outcome, reward, new_links) VALUES (?, 'read', 0, 0)", visits
        )
        history = read_history(connection)
    assert len(history.rewards) == 2
    assert history.waiting == 4
