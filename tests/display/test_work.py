"""Plain words for what a crawl does."""

from dataclasses import replace

import pytest

from datahound.display.work import describe_work
from datahound.events import Chosen
from datahound.model import Choice, Fetch, Link, Purpose
from datahound.runs.progress import ActionProgress, Progress


@pytest.fixture
def progress(run, monkeypatch):
    progress = Progress(run.crawl)
    monkeypatch.setattr(run, "progress", progress)
    return progress


def choose(progress, url, rate):
    progress.actions[1] = ActionProgress("ul li a", 5, round(5 * rate), rate)
    progress.chosen = Chosen(Choice(Link(url), 1))
    progress.begin_fetch(Fetch(url), 0.0)


def test_it_says_what_pages_it_reads(run, progress):
    choose(progress, "https://www.demo.example/publications/x", 3.0)
    text = describe_work(run)
    assert text == "reading list pages under /publications/, 3 files per page lately"
    choose(progress, "https://www.demo.example/x", 0.1)
    text = describe_work(run)
    assert text == "reading pages at the top of the site, 1 file in 10 pages lately"


def test_it_says_when_it_only_asks(run, progress):
    progress.begin_fetch(Fetch("https://www.demo.example/1", Purpose.PROBE), 0.0)
    assert describe_work(run) == "asking the server what links lead to"


def test_a_phase_and_a_pause_come_first(run, progress):
    choose(progress, "https://www.demo.example/x", 1.0)
    progress.phase = "waiting for the last files"
    assert describe_work(run) == "waiting for the last files"
    progress.paused = True
    assert describe_work(run).startswith("paused")


def test_the_rate_is_that_of_the_latest_visits():
    """A group that has run dry says so soon."""
    group = ActionProgress("ul li a")
    for reward in [10] * 20 + [0] * 30:
        group.credit(reward)
    assert group.mean == 4
    assert group.lately < 0.05
    assert replace(group).visits == 50
