"""What is seen of a crawl is true, whatever the width of the terminal."""

import asyncio

import pytest
from pretend import PretendWeb, small_site
from rich.console import Console

from datahound.cli.display import Terminal, line, many_sites, one_site
from datahound.cli.tables import shorten_path
from datahound.model import Fetch, Purpose
from datahound.runs.options import make_options
from datahound.runs.progress import Progress
from datahound.runs.run import Run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A crawl that has ended."""
    site = small_site()
    web = PretendWeb(site)
    given = {"output": str(tmp_path_factory.mktemp("crawl")), "budget": 150}
    run = Run(make_options(site.seed, given), going_online=web.going_online)
    run.ended = asyncio.run(run.go())
    return run


def shown(view, width):
    console = Console(width=width, record=True, file=None, quiet=False)
    with console.capture() as capture:
        console.print(view)
    return capture.get()


@pytest.mark.parametrize("width", [40, 80, 200])
def test_one_site_shows_all_there_is_to_see(run, width):
    """Requests of the budget, targets, files, links waiting, best actions, early stopping."""
    view = shown(one_site(run), width)
    for word in ("150 of 150", "targets", "files", "links waiting", "early stopping"):
        assert word in view
    if width >= 80:
        assert "because links by" in view
        assert "targets a page" in view


def test_many_sites_have_a_row_each(run):
    """One display for all."""
    view = shown(many_sites([run, run]), 120)
    assert view.count("www.demo.example") == 2


def test_a_line_is_one_line(run):
    """For logs."""
    assert "\n" not in line(run)
    assert "150 of 150 requests" in line(run)


def test_a_terminal_ends_with_the_reason(run):
    """The last line says why it ended, and how to go on."""
    console = Console(width=100, force_terminal=True)
    with console.capture() as capture:
        display = Terminal(console)
        display.show([run])
        display.end([run])
    assert "larger --budget" in capture.get().rstrip().splitlines()[-1]


def test_every_fetch_under_way_is_shown(run, monkeypatch):
    """With what its host waits for; a log has one line for all of them."""
    progress = Progress(run.crawl, now=lambda: 100.0)
    urls = [f"https://{host}.example/{n}" for n in range(4) for host in ("a", "b")]
    for url in urls:
        progress.begin_fetch(Fetch(url, Purpose.COLLECT), 0.0)
    progress.wait("Retry-After", "b.example", 30)
    progress.wait("politeness", "a.example", 0.5)
    monkeypatch.setattr(run, "progress", progress)
    view = shown(one_site(run), 120)
    assert "collect https://a.example/0, waiting: politeness\n" in view.replace(" \n", "\n")
    assert "collect https://b.example/0, waiting: Retry-After (30s)" in view
    assert "and 3 more" in view
    assert line(run).endswith("collect https://a.example/0, waiting: politeness and 7 more")
    for url in urls[1:]:
        progress.end_fetch(Fetch(url, Purpose.COLLECT))
    assert line(run).endswith("collect https://a.example/0, waiting: politeness")
    assert list(progress.waits) == ["a.example"]


def test_a_wait_that_is_over_is_not_shown(run):
    """Nobody says when a wait ends: its time does."""
    clock = [100.0]
    progress = Progress(run.crawl, now=lambda: clock[0])
    progress.wait("politeness", "a.example", 2)
    assert progress.waiting_for("a.example") == "politeness (2s)"
    assert progress.waiting_for("b.example") == ""
    clock[0] = 102.0
    assert progress.waiting_for("a.example") == ""


def test_tag_paths_are_printed_without_control_characters():
    """An escape sequence in an id could rewrite the terminal."""
    assert shorten_path("div#\x1b[2Ja.\x9bb a") == "div# [2Ja. b a"
