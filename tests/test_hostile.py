"""Hostile answers by seed: read within limits, and crawled without a crash or a stall."""

import asyncio
import importlib.util
import os
import shutil
from contextlib import closing
from pathlib import Path

import pytest
from hostile import Hostile
from watchdog import LoopWatch
from websites import SEED, Website, data, page

from datahound.report.phrases import Cause
from datahound.runs.options import make_options
from datahound.runs.run import Run
from datahound.store.writer import Store

ROOT = Path(__file__).parents[1]
ANSWERS = int(os.environ.get("DATAHOUND_HOSTILE", "200"))
CRAWLED = 60
LONGEST_BLOCK = 0.3
"""Seconds of CPU time; 0.1 is the aim, and machines that test may be three times as slow."""
QUICK = [
    *("web.headers_seconds=3", "web.idle_seconds=3", "web.page_seconds=10", "web.max_retries=0"),
    *("web.retry_seconds=0.01", "web.long_rest_seconds=1", "downloads.retry_seconds=0.01"),
]
GOOD = {f"/good-{number}.csv": data(b"a,b\n1,%d\n" % number) for number in range(5)}


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_hostile_answers_are_read_within_limits():
    """No answer takes two seconds or 300 MB, and none ends its process."""
    hostile = load("hostile")
    rows = list(hostile.read_all(0, ANSWERS))
    assert [row["seed"] for row in rows] == list(range(ANSWERS))
    assert not [row for row in rows if hostile.is_beyond(row)]
    assert sum(row["links"] > 0 for row in rows) > ANSWERS / 8


def test_the_same_seed_makes_the_same_answer():
    assert Hostile(5).answer() == Hostile(5).answer()
    assert Hostile(5).answer() != Hostile(6).answer()


def hostile_site(count=CRAWLED, first=0):
    """A site whose pages are hostile answers as they are on the wire, with good files between."""
    paths = {f"/hostile-{number}": raw_answer(number) for number in range(first, first + count)}
    return Website({"/": page(*paths, *GOOD), **paths, **GOOD})


def raw_answer(seed):
    answer = Hostile(seed).answer()
    fields = b"".join(b"%s: %s\r\n" % field for field in answer.fields)

    async def manner(exchange):
        head = b"HTTP/1.1 %d OK\r\n%s\r\n" % (answer.status, fields)
        await exchange.send(head, answer.payload)

    return manner


def crawl(folder, site, **given):
    """How a crawl ended, the run, and what kept the event loop."""

    async def run():
        async with site.served() as address:
            options = {"output": str(folder), "delay": 0, "connect-to": address, "seed": 1}
            options |= {"set": QUICK, **given}
            one = Run(make_options(SEED, options), checkpoint_seconds=0.0)
            with LoopWatch() as watch:
                return await one.go(), one, watch

    return asyncio.run(run())


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile") / "crawl"
    return folder, *crawl(folder, hostile_site(), budget=300)


def test_a_hostile_site_is_crawled_to_its_end(crawled):
    """Every good file of it is kept."""
    folder, ended, _run, _watch = crawled
    assert ended.cause in (Cause.EXHAUSTED, Cause.SPENT_REQUESTS), ended
    kept = {path.name for path in (folder / "files").rglob("good-*")}
    assert kept == {name[1:] for name in GOOD}


def test_hostile_pages_never_block_the_event_loop(crawled):
    *_, watch = crawled
    assert watch.longest < LONGEST_BLOCK, watch.culprit


def test_a_journal_of_hostile_answers_tells_the_same_story_again(crawled, tmp_path):
    """Without its database, the crawl is told again by the journal, and asks for little more."""
    folder, _ended, run, _watch = crawled
    copy = tmp_path / "again"
    shutil.copytree(folder, copy)
    for part in copy.glob("crawl.db*"):
        part.unlink()
    with closing(Store(copy / "crawl.db")) as store:
        store.note("identity", run.options.identity())
    _, again, watch = crawl(copy, hostile_site(), budget=300)
    assert again.crawl.tally.requests == run.crawl.tally.requests
    assert list(again.crawl.known) == list(run.crawl.known)
    assert watch.longest < LONGEST_BLOCK, watch.culprit
