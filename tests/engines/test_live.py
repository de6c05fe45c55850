"""The live loop: recorded answers first, then the web; it ends when told to."""

import asyncio
import time
from dataclasses import replace

import pytest
from manners import then_hang
from websites import SEED, Website, data, page

from datahound.archive import MemoryArchive
from datahound.crawl.crawl import Crawl
from datahound.engines.live import live
from datahound.events import Stopped, TargetFound
from datahound.http.client import Web
from datahound.model import Failure, Fetch, Postponed, Purpose
from datahound.settings import WebSettings
from datahound.strategies import make_strategy

SITE = {"/": page("/a", "/b"), "/a": page("/1.csv"), "/b": page("/2.csv"),
        "/1.csv": data(b"1"), "/2.csv": data(b"2")}  # fmt: skip


def crawl_live(paths, archive, web=None, **more):
    """A crawl of the site over HTTP; its events and the site."""
    site, events = Website(paths), []
    crawl = Crawl(SEED, make_strategy("bfs"))

    async def run():
        async with site.served() as address:
            settings = WebSettings(delay_seconds=0, ignore_robots=True, connect_to=address)
            async with Web(SEED, settings) as over_http:
                await live(crawl, archive, web or over_http, events.extend, **more)

    asyncio.run(run())
    return events, site, crawl


def test_everything_is_recorded():
    """A second crawl over the recording makes no request and tells the same story."""
    archive = MemoryArchive(SEED)
    first, site, _ = crawl_live(SITE, archive)
    assert len(site.asked) == 5
    assert isinstance(first[-1], Stopped)
    second, site, _ = crawl_live(SITE, archive)
    assert second == first
    assert not site.asked


class Confused:
    """A client with a fault of its own, for one URL."""

    async def get(self, fetch):
        if fetch.url.endswith("/b"):
            raise IndexError("nobody thought of that")
        answer = SITE[fetch.url.removeprefix(SEED.rstrip("/"))]
        return replace(answer, url=fetch.url)


def test_what_nobody_has_foreseen_is_one_failure():
    """A fault in reading an answer costs that answer, and is journalled: no crawl ends by it."""
    archive = MemoryArchive(SEED)
    events, _, crawl = crawl_live(SITE, archive, Confused())
    assert isinstance(events[-1], Stopped)
    assert [e.link.url for e in events if isinstance(e, TargetFound)] == [f"{SEED}1.csv"]
    assert archive.get(Fetch(f"{SEED}b")) == Failure(f"{SEED}b", "internal error: IndexError")
    assert crawl.tally.requests == 4


def test_a_part_filled_recording_is_filled():
    """The paper's semi-online mode: only what is missing is asked for."""
    archive = MemoryArchive(SEED)
    _, first, _ = crawl_live(SITE, archive)
    partial = MemoryArchive(SEED, list(archive)[:2])
    _, second, _ = crawl_live(SITE, partial)
    assert [e.path for e in second.asked] == [e.path for e in first.asked][2:]


def test_boundaries_are_told():
    """Between two visits, and at no other time."""
    seen = []
    archive = MemoryArchive(SEED)
    crawl = Crawl(SEED, make_strategy("bfs"))

    async def see():
        seen.append(crawl.snapshot())

    async def run():
        await live(crawl, archive, Forgetful(), lambda _: None, see)

    asyncio.run(run())
    assert len(seen) == 1


class Forgetful:
    """A web that has nothing."""

    async def get(self, fetch):
        return Failure(fetch.url, "nothing here")


@pytest.mark.parametrize("where", ["/", "/a", "/robots.txt"])
def test_it_stops_within_a_second_whatever_the_server_does(where):
    """The fetch under way stays unanswered and unrecorded."""
    site = Website({**SITE, where: then_hang()})
    archive, crawl = MemoryArchive(SEED), Crawl(SEED, make_strategy("bfs"))

    async def run():
        stop = asyncio.Event()
        async with (
            site.served() as address,
            Web(SEED, WebSettings(delay_seconds=0, connect_to=address)) as web,
        ):
            running = asyncio.create_task(live(crawl, archive, web, lambda _: None, None, stop))
            await asyncio.sleep(0.3)
            begun = time.monotonic()
            stop.set()
            await running
            return time.monotonic() - begun

    assert asyncio.run(run()) < 1
    assert crawl.stopped is None
    assert len(list(archive)) == (1 if where == "/a" else 0)


def test_it_stops_while_it_waits_its_turn():
    """A long delay is no reason to keep anybody waiting."""
    site = Website(SITE)
    crawl = Crawl(SEED, make_strategy("bfs"))

    async def run():
        stop = asyncio.Event()
        async with site.served() as address:
            settings = WebSettings(delay_seconds=100, connect_to=address)
            async with Web(SEED, settings) as web:
                asyncio.get_running_loop().call_later(0.2, stop.set)
                await live(crawl, MemoryArchive(SEED), web, lambda _: None, None, stop)

    begun = time.monotonic()
    asyncio.run(run())
    assert time.monotonic() - begun < 2


def test_being_cancelled_is_not_being_stopped():
    """Whoever cancels the task sees it cancelled."""

    class Slow:
        async def get(self, _):
            await asyncio.sleep(60)

    async def run():
        crawl = Crawl(SEED, make_strategy("bfs"))
        running = asyncio.create_task(
            live(crawl, MemoryArchive(SEED), Slow(), lambda _: None, None, asyncio.Event())
        )
        await asyncio.sleep(0.05)
        running.cancel()
        await asyncio.wait([running])
        return running.cancelled()

    assert asyncio.run(run())


def test_a_recording_does_not_hold_up_others():
    """While a long recording is gone through, other tasks of the loop get their turns."""
    paths = {"/": page(*(f"/{n}" for n in range(300))), **{f"/{n}": page() for n in range(300)}}
    archive, turns = Website(paths).archive(), 0

    async def run():
        nonlocal turns
        crawl = Crawl(SEED, make_strategy("bfs"))
        running = asyncio.create_task(live(crawl, archive, Forgetful(), lambda _: None))
        while not running.done():
            turns += 1
            await asyncio.sleep(0)

    asyncio.run(run())
    assert turns >= 30


def test_a_postponed_link_is_asked_for_again():
    """What was recorded of its rest answers nothing: the host may well have recovered."""
    archive = MemoryArchive(SEED)
    real = Website(SITE).archive()

    class Resting:
        def __init__(self):
            self.times = 0

        async def get(self, fetch):
            self.times += fetch.url.endswith("/a")
            first = fetch.url.endswith("/a") and self.times == 1
            return Postponed(fetch.url) if first else real.get(fetch)

    events, _, crawl = crawl_live(SITE, archive, Resting())
    assert crawl.tally.targets == 2
    assert sum(isinstance(event, TargetFound) for event in events) == 2
    assert [r.fetch.url for r in archive if isinstance(r.answer, Postponed)] == [SEED + "a"]
    assert archive.get(Fetch(SEED + "a", Purpose.VISIT)).status == 200
