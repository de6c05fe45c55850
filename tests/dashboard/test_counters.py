"""The counts of the dashboard are those of the database, however they were reached."""

from contextlib import closing

from crawled import crawl, demo_site

from datahound.dashboard import counters as counters_module
from datahound.dashboard.counters import Counters
from datahound.store.sqlite import open_to_read

_ENOUGH = 30.0
"""Seconds to count everything, however slow the machine is."""


def test_rows_that_are_written_again_are_counted_once(tmp_path):
    """A crawl that resumes deletes rows and writes them again."""
    site = demo_site()
    crawl(site, tmp_path, budget=60)
    counters = Counters()
    with closing(open_to_read(tmp_path / "crawl.db")) as connection:
        counters.update(connection, _ENOUGH)
        before = counters.counts.requests
    crawl(site, tmp_path, budget=120)
    with closing(open_to_read(tmp_path / "crawl.db")) as connection:
        counts = counters.update(connection, _ENOUGH)
        fresh = Counters().update(connection, _ENOUGH)
    assert counts.requests > before
    assert counts.requests == fresh.requests
    assert counts.groups == fresh.groups
    assert counters.is_complete


def test_another_crawl_in_the_same_folder_is_counted_from_zero(tmp_path):
    """A folder that was removed and crawled into again is not mixed up with the one before."""
    counters = Counters()
    for folder, budget in (("first", 120), ("second", 40)):
        crawl(demo_site(), tmp_path / folder, budget=budget)
        with closing(open_to_read(tmp_path / folder / "crawl.db")) as connection:
            counts = counters.update(connection, _ENOUGH)
            assert counts.requests == Counters().update(connection, _ENOUGH).requests


def test_steps_count_every_row_once(tmp_path, monkeypatch):
    """An update that runs out of time goes on where it stopped: no row is lost or counted twice."""
    crawl(demo_site(), tmp_path, budget=120)
    with closing(open_to_read(tmp_path / "crawl.db")) as connection:
        whole = Counters().update(connection, 60)
        monkeypatch.setattr(counters_module, "_STEP", 7)
        stepwise = Counters()
        updates = 0
        while not stepwise.is_complete:
            stepwise.update(connection, -1)
            updates += 1
        (requests,) = connection.execute("SELECT count(*) FROM request").fetchone()
        url, number = connection.execute("SELECT url, number FROM link LIMIT 1").fetchone()
    assert updates > 10
    assert whole.requests == stepwise.counts.requests == requests
    assert whole.groups == stepwise.counts.groups
    assert whole.found == stepwise.counts.found
    assert whole.skips == stepwise.counts.skips
    assert number in stepwise.urls.find("link", url).keys
