"""What is seen of a crawl is true, whatever the width of the terminal."""

import asyncio

import pytest
from pretend import PretendWeb, small_site
from rich.console import Console

from datahound.cli.display import Terminal, line, many_sites, one_site
from datahound.runs.options import make_options
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
