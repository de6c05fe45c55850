"""The figures of a running crawl: what waits, what is under way, and how long it may take."""

from dataclasses import replace

import pytest

from datahound.crawl.crawl import Crawl
from datahound.events import (
    Chosen,
    Discovered,
    Fetched,
    GroupCreated,
    Skipped,
    TargetFound,
    Visited,
    VisitOutcome,
)
from datahound.model import Choice, Fetch, FileRecord, Kind, Link, Skip
from datahound.runs.progress import Progress
from datahound.settings import CrawlSettings
from datahound.strategies import make_strategy

SEED = "https://a.example/"
LINK = Link(f"{SEED}x")


class Clock:
    seconds = 0.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def progress(clock):
    settings = CrawlSettings(max_requests=50)
    return Progress(Crawl(SEED, make_strategy("bfs"), settings=settings), clock)


def fetched(number):
    return Fetched(number, Fetch(LINK.url), 200, Kind.PAGE, Kind.PAGE, 10)


def test_links_wait_from_discovery_to_choice(progress):
    """Targets are collected at once: they never wait."""
    pages = [Discovered(LINK, Kind.PAGE, 0), Discovered(LINK, Kind.PAGE, 0)]
    progress.observe([*pages, Discovered(LINK, Kind.TARGET), Chosen(Choice(LINK, 0))])
    assert progress.waiting == 1


def test_targets_are_counted_per_request(progress):
    """A target belongs to the request before it."""
    assert progress.targets_per_100 == 0
    found = TargetFound(2, LINK, "text/csv", 5)
    progress.observe([fetched(1), fetched(2), found, fetched(3), fetched(4)])
    assert progress.targets_per_100 == 25


def test_the_time_left_is_that_of_the_nearer_end(progress, clock):
    """The links that wait, or the rest of the budget; nothing before the second request."""
    assert progress.seconds_left is None
    progress.observe([fetched(1)])
    clock.seconds = 10.0
    progress.observe([fetched(2)])
    progress.waiting = 8
    assert progress.seconds_left == 40.0
    progress.waiting = 1000
    assert progress.seconds_left == 250.0


def test_the_files_behind_links_take_time_too(progress, clock):
    """Each page costs three requests; one whose files are known by then costs one."""
    progress.observe([fetched(1), Chosen(Choice(LINK)), fetched(2), fetched(3)])
    other = Link(f"{SEED}y", number=7)
    progress.observe([fetched(4), Chosen(Choice(other)), fetched(5), fetched(6)])
    clock.seconds = 12.0
    progress.waiting = 4
    assert progress.requests_per_link == 3
    assert progress.seconds_left == 24.0
    again = Discovered(replace(other, number=8), Kind.PAGE)
    progress.observe([Visited(6, Choice(other), VisitOutcome.FORESEEN_ONLY, 2), again])
    assert progress.waiting == 5
    assert progress.seconds_left == 26.0
    progress.observe([Chosen(Choice(again.link))])
    assert progress.requests_per_link == 3
    assert progress.seconds_left == 24.0


def test_what_a_host_waits_for_is_forgotten_in_time(progress, clock):
    progress.wait("the server asked to wait", "a.example", 5.0)
    assert progress.waiting_for("a.example") == "the server asked to wait (5s)"
    clock.seconds = 4.5
    assert progress.waiting_for("a.example") == "the server asked to wait"
    clock.seconds = 5.0
    assert progress.waiting_for("a.example") == ""
    assert progress.waiting_for("b.example") == ""


def test_a_wait_ends_with_the_last_fetch_of_its_host(progress):
    first, second = Fetch(f"{SEED}1"), Fetch(f"{SEED}2")
    progress.begin_fetch(first, 0.0)
    progress.begin_fetch(second, 1.0)
    progress.wait("delay", "a.example", 60.0)
    progress.end_fetch(first)
    assert "a.example" in progress.waits
    progress.end_fetch(second)
    assert not progress.waits
    assert not progress.fetching


def test_files_are_kept_or_failed(progress):
    """What was too large is neither: it was refused, as the user asked for."""
    progress.keep(FileRecord(LINK.url, "x.csv", 7, "", "", "", "complete"))
    progress.keep(FileRecord(LINK.url, "", 0, "", "", "", "failed"))
    progress.keep(FileRecord(LINK.url, "", 900, "", "", "", "too large"))
    assert (progress.files, progress.file_bytes, progress.failed) == (1, 7, 1)


def test_remarks_count_traps_and_nothing_else(progress):
    progress.observe([Skipped(LINK, Skip.OTHER_SITE), GroupCreated(0, "html a")])
    assert progress.remarks == []
    progress.observe([Skipped(LINK, Skip.TRAP_CALENDAR), Skipped(LINK, Skip.TRAP_SESSION)])
    (remark,) = progress.remarks
    assert remark.startswith("2 links were left out as traps")
