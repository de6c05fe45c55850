"""A short version of benchmarks/soak.py: what grows in a crawl of a faulty site, and what leaks."""

import importlib.util
from pathlib import Path

import pytest

PAGES = 600


@pytest.fixture(scope="module")
def moments(tmp_path_factory):
    """How the crawl stood before, during and after."""
    path = Path(__file__).parents[1] / "benchmarks" / "soak.py"
    spec = importlib.util.spec_from_file_location("soak", path)
    soak = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(soak)
    noted = []
    soak.soak(PAGES, str(tmp_path_factory.mktemp("soak")), noted.append)
    return noted


def test_faults_cost_no_page_and_no_file(moments):
    """Pages that a server drops once are had the second time, and every target is a file."""
    after = moments[-1]
    assert after.failures
    assert after.pages > 0.98 * PAGES
    assert after.files == after.targets == PAGES // 50


def test_the_event_loop_is_never_kept_for_long(moments):
    """A tenth of a second is the aim; machines that test may be three times as slow."""
    assert 0 < moments[-1].longest_block_ms < 300


def test_nothing_leaks(moments):
    """No socket and no task is left, and none piles up meanwhile."""
    before, *during, after = moments
    assert (after.sockets, after.tasks) == (before.sockets, before.tasks)
    assert max(moment.sockets for moment in during) < before.sockets + 10
    assert max(moment.tasks for moment in during) < before.tasks + 20
