"""A crawl to look at."""

import asyncio

import pytest
from pretend import PretendWeb, small_site
from rich.console import Console

from datahound.runs.options import make_options
from datahound.runs.run import Run


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """A crawl that has ended."""
    site = small_site()
    web = PretendWeb(site)
    given = {"output": str(tmp_path_factory.mktemp("crawl")), "budget": 150}
    run = Run(make_options(site.seed, given), going_online=web.going_online)
    run.ended = asyncio.run(run.go())
    return run


@pytest.fixture
def printed():
    """What a terminal of this width shows of a view."""

    def draw(view, width=80):
        console = Console(width=width, record=True, file=None, quiet=False)
        with console.capture() as capture:
            console.print(view)
        return capture.get()

    return draw
