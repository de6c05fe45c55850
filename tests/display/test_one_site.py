"""What is seen of one crawl is true, whatever the width of the terminal."""

import pytest

from datahound.display.one_site import OneSite, measure_progress
from datahound.display.symbols import ASCII, BLOCKS
from datahound.model import Fetch, Purpose
from datahound.report.status import Estimate
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
    view = printed(OneSite(BLOCKS, verbose=False).draw(run))
    assert "now       paused" in view
    assert "in 7s" not in view


def test_progress_is_measured_by_the_estimate_where_there_is_no_budget(run, monkeypatch):
    found = run.crawl.tally.targets
    settings = run.settings
    monkeypatch.setattr(run, "settings", type(settings)())
    assert measure_progress(run)[0] is None
    monkeypatch.setattr(run.progress, "remaining", Estimate(found, 0, 9 * found, "As many."))
    share, label = measure_progress(run)
    assert share == 0.5
    assert label.startswith("50% of the files")
