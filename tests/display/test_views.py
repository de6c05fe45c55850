"""The views of crawls are true and fit any terminal, while crawls run and at their end."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from datahound.display.symbols import ASCII, BLOCKS
from datahound.display.views import (
    Attention,
    OneSite,
    TimeLeft,
    draw_many,
    judge_attention,
    measure_progress,
)
from datahound.events import Fetched
from datahound.model import Fetch, Kind, Purpose
from datahound.report.phrases import CAUSES, Cause
from datahound.report.status import Estimate
from datahound.runs.outcome import Ended
from datahound.runs.progress import Progress

SEED = "https://www.demo.example"


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("symbols", [ASCII, BLOCKS])
def test_no_line_is_wider_than_the_terminal(run, printed, width, symbols):
    """Requests of the budget, files, what it does; no jargon."""
    view = printed(OneSite(symbols, verbose=False).draw(run), width)
    assert max(map(len, view.splitlines())) <= width
    assert "found" in view
    assert "links waiting" not in view
    assert "early stopping" not in view
    if width >= 80:
        assert "150 of 150 requests" in view


def test_verbose_shows_what_it_decides_by(run, printed):
    view = printed(OneSite(BLOCKS, verbose=True).draw(run), 120)
    for words in ("hound", "links waiting", "early stopping", "targets per page", "because links"):
        assert words in view


def test_what_a_page_writes_does_nothing_to_the_terminal(run, printed, monkeypatch):
    """Escape sequences in ids and classes are shown as blanks."""
    evil = "\x1b]0;evil\x07\x1b[2J\x9b31m\u202e"
    actions = {
        number: replace(action, tag_path=f"html a.{evil}")
        for number, action in run.progress.actions.items()
    }
    assert actions
    monkeypatch.setattr(run.progress, "actions", actions)
    view = printed(OneSite(BLOCKS, verbose=True).draw(run), 200)
    assert "html a." in view
    assert not [part for part in ("\x1b]", "\x1b[2J", "\x9b", "\u202e") if part in view]


@pytest.fixture
def fetching(run, monkeypatch):
    """The progress of a crawl that waits for two hosts."""
    progress = Progress(run.crawl, now=lambda: 100.0)
    progress.begin_fetch(Fetch(f"{SEED}/1", Purpose.COLLECT), 0.0)
    progress.begin_fetch(Fetch("https://b.example/2", Purpose.VISIT), 0.0)
    monkeypatch.setattr(run, "progress", progress)
    return progress


def test_a_wait_shows_the_next_url(run, fetching, printed):
    """And why it waits, unless it is the usual pause."""
    draw = OneSite(BLOCKS, verbose=False).draw
    assert f"next      {SEED}/1" in printed(draw(run))
    fetching.wait("politeness", "www.demo.example", 7)
    assert f"next      in 7s: {SEED}/1" in printed(draw(run))
    fetching.wait("Retry-After", "www.demo.example", 30)
    assert f"next      in 30s (Retry-After): {SEED}/1" in printed(draw(run))


def test_paused_says_paused(run, fetching, printed):
    """Also while a fetch waits for its turn."""
    fetching.wait("politeness", "www.demo.example", 7)
    fetching.paused = True
    fetching.waiting = 9
    for number in range(3):
        fetching.observe([Fetched(number, Fetch(SEED), 200, Kind.PAGE, Kind.PAGE, 10)])
    view = printed(OneSite(BLOCKS, verbose=False).draw(run))
    assert "now       paused" in view
    assert "time left" not in view
    assert "left      too early to say" in view
    assert "in 7s" not in view


def test_progress_is_measured_by_the_estimate_where_there_is_no_budget(run, monkeypatch):
    found = run.progress.tally.targets
    settings = run.settings
    monkeypatch.setattr(run, "settings", type(settings)())
    assert measure_progress(run)[0] is None
    monkeypatch.setattr(run.progress, "remaining", Estimate(found, 0, 9 * found, "As many."))
    share, label = measure_progress(run)
    assert share == 0.5
    assert label.startswith("50% of the files")


def make(run, name, *, requests=0, ended=None, url=None, wait=None, **more):
    """A crawl in some state."""
    progress = Progress(run.crawl, now=lambda: 0.0)
    if url:
        progress.begin_fetch(Fetch(url), 0.0)
    if wait:
        progress.wait(wait, name, 60)
    for field, value in more.items():
        setattr(progress, field, value)
    progress.crawl = SimpleNamespace(
        tally=SimpleNamespace(requests=requests, targets=2, bytes=10), settings=run.settings.crawl
    )
    return SimpleNamespace(
        name=name,
        options=replace(run.options, output=Path(name)),
        settings=run.settings,
        progress=progress,
        ended=ended,
        files_under_way=0,
        remarks=[],
    )


def all_states(run):
    url = "https://{}/x".format
    return [
        make(run, "queued.example"),
        make(run, "done.example", requests=3, ended=Ended(Cause.EXHAUSTED, "done")),
        make(run, "runs.example", requests=3, url=url("runs.example")),
        make(run, "loses.example", requests=3, url=url("loses.example"), failed=1),
        make(run, "rests.example", requests=3, url=url("rests.example"), wait="Retry-After"),
        make(run, "paused.example", requests=3, paused=True),
        make(run, "failed.example", requests=3, ended=Ended(Cause.TROUBLE, "disk", 1)),
    ]


def test_trouble_is_on_top(run, printed):
    runs = all_states(run)
    judged = [judge_attention(one) for one in runs]
    assert judged == sorted(Attention, reverse=True)
    view = printed(draw_many(runs, 24, BLOCKS))
    names = [line.split(".example")[0].strip() for line in view.splitlines() if ".example" in line]
    assert names == ["failed", "paused", "rests", "loses", "runs", "done"]
    assert "7 sites: 1 failed, 4 crawled now, 1 waiting for their turn, 1 done" in view
    assert "14 files found in 18 requests" in view


@pytest.mark.parametrize("width", [60, 80, 200])
@pytest.mark.parametrize("symbols", [ASCII, BLOCKS])
def test_long_names_and_reasons_leave_figures_their_room(run, printed, width, symbols):
    """A row per site, one line each, with its requests and files, on any terminal."""
    failed = Ended(Cause.NO_START_PAGE, f"{CAUSES[Cause.NO_START_PAGE].phrase}: status 404", 1)
    name = "statistics-of-the-federal-states.and-more.example"
    runs = [make(run, name, requests=54_321, ended=failed), *all_states(run)]
    lines = printed(draw_many(runs, 24, symbols), width).splitlines()
    assert max(map(len, lines)) <= width
    assert len(lines) == 2 + 1 + 7
    assert lines[2].split() == ["site", "requests", "files", "left"]
    (row,) = [line for line in lines if line.startswith("stat")]
    assert "54,321        2" in row
    assert "start page" in row or width < 80


def test_it_fits_the_screen(run, printed):
    runs = [make(run, f"n{n}.example", requests=n + 1) for n in range(1000)]
    view = printed(draw_many(runs, 24, BLOCKS))
    assert len(view.splitlines()) <= 24
    assert max(map(len, view.splitlines())) <= 80
    assert "and 980 more sites" in view or "and 980 sites more" in view


def crawl(seconds, pace=1.0, cost=1.0, *, bounded=False):
    waiting = 0 if seconds is None else round(seconds / pace / cost)
    progress = SimpleNamespace(
        seconds_left=seconds, seconds_per_request=pace, requests_per_link=cost, waiting=waiting,
        is_bounded=bounded,
    )  # fmt: skip
    return SimpleNamespace(progress=progress)


KNOWN = "for the links known so far"


def test_it_counts_down_and_says_why_it_grows():
    clock = [0.0]
    left = TimeLeft(lambda: clock[0])
    assert left.describe(crawl(None)) == ""
    assert left.describe(crawl(600)) == f"10m 00s {KNOWN}"
    clock[0] = 60
    assert left.describe(crawl(545)) == f"9m 00s {KNOWN}"
    more = left.describe(crawl(900))
    assert more == f"15m 00s {KNOWN}; more than before: 300 more links to follow"
    clock[0] = 70
    assert "more links" in left.describe(crawl(890))
    clock[0] = 100
    assert left.describe(crawl(860)) == f"14m 20s {KNOWN}"


def test_a_slower_site_is_a_reason():
    left = TimeLeft(lambda: 0.0)
    left.describe(crawl(600))
    text = left.describe(crawl(1800, 3.0))
    assert text == f"30m 00s {KNOWN}; more than before: a request now takes 3.0s"


def test_pages_with_more_files_are_a_reason():
    left = TimeLeft(lambda: 0.0)
    left.describe(crawl(600))
    text = left.describe(crawl(1800, cost=3.0))
    assert text == f"30m 00s {KNOWN}; more than before: a link now takes 3.0 requests"


def test_a_budget_is_a_limit_that_more_links_do_not_move():
    left = TimeLeft(lambda: 0.0)
    assert left.describe(crawl(600, bounded=True)) == "at most 10m 00s"
    slower = crawl(900, 1.1, bounded=True)
    slower.progress.waiting = 5000
    text = left.describe(slower)
    assert text == "at most 15m 00s; more than before: a request now takes 1.1s"


def test_a_countdown_does_not_end_before_the_crawl():
    clock = [0.0]
    left = TimeLeft(lambda: clock[0])
    left.describe(crawl(12))
    clock[0] = 5
    assert "more than before" in left.describe(crawl(30))
    clock[0] = 29
    assert left.describe(crawl(5)) == "less than 10s"
