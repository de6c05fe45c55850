"""Reading in worker processes: the same pages, and hostile ones cost one answer each."""

import asyncio
import gzip
import os
import time

import pytest
from websites import SEED, Website, data, page

from datahound.archive import MemoryArchive, record_warc
from datahound.crawl.crawl import Crawl
from datahound.engines import reading_pool
from datahound.engines.live import live
from datahound.engines.reading_pool import ReadingPool, read_recorded
from datahound.engines.replay import replay
from datahound.events import Fetched, TargetFound, Visited, VisitOutcome
from datahound.http.client import Web
from datahound.model import Fetch, ReadingFailure, Response
from datahound.readers import Readers
from datahound.readers.job import ReadingJob
from datahound.settings import PageSettings, WebSettings
from datahound.strategies import make_strategy

HTML = {"content-type": "text/html"}
LIMIT = 16 << 20
BODY = b"<title>t</title><form></form>" + b"".join(
    b"<p><a href=%d>%d</a>" % (n, n) for n in range(999)
)
PAGES = PageSettings()
MOST_SECONDS_AT_THE_END = 0.6
"""The strategy learns from all 50,000 links of a page in one step, when the page is done."""


def read_in_pool(*jobs, **limits):
    """The results of some jobs, one after the other."""

    async def run():
        async with ReadingPool(1, **limits) as pool:
            return [await pool.read(job) for job in jobs]

    return asyncio.run(run())


def job(body=BODY, settings=PAGES, **headers):
    return ReadingJob(SEED, {**HTML, **headers}, body, LIMIT, settings)


async def watch_loop(gaps):
    """Note how long the event loop computes at a time; other processes share the machine."""
    while True:
        begun = time.thread_time()
        await asyncio.sleep(0.005)
        gaps.append(time.thread_time() - begun)


def test_pages_are_the_same_as_those_read_inline():
    expected = Readers(PageSettings()).read(Response(SEED, 200, HTML, BODY))
    packed = job(gzip.compress(BODY), **{"content-encoding": "gzip"})
    plain, unpacked, undecoded = read_in_pool(job(), packed, job(settings=None))
    assert plain.page == unpacked.page == expected
    assert plain.body == unpacked.body == BODY
    assert undecoded.page is None


def test_the_problem_of_an_encoding_is_said():
    (result,) = read_in_pool(job(b"no gzip", **{"content-encoding": "gzip"}))
    assert result.problem
    assert not result.body
    assert not result.whole


@pytest.fixture
def broken_reader(tmp_path, monkeypatch):
    """A worker whose reader does something terrible for pages that ask for it."""
    (tmp_path / "terrible.py").write_text(
        "import os, time, ctypes\n"
        "from datahound.engines import reading_pool\n"
        "from datahound.readers import Readers\n"
        "honest = Readers.read\n"
        "def read(self, response):\n"
        "    if b'spin!' in response.body:\n"
        "        while True: pass\n"
        "    if b'exhaust' in response.body:\n"
        "        [bytes(1 << 20) for _ in range(1 << 20)]\n"
        "    if b'crash' in response.body: ctypes.string_at(0)\n"
        "    if b'leave' in response.body: os._exit(3)\n"
        "    if b'stall' in response.body: ctypes.CDLL(None).sleep(60)\n"
        "    return honest(self, response)\n"
        "Readers.read = read\n"
        "handle_job = reading_pool.handle_job\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(reading_pool, "_HANDLER", "terrible:handle_job")


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        (b"spin!", ReadingFailure.TOO_SLOW),
        (b"stall", ReadingFailure.TOO_SLOW),
        (b"exhaust", ReadingFailure.TOO_LARGE),
        (b"crash", ReadingFailure.BREAKS_READER),
        (b"leave", ReadingFailure.BREAKS_READER),
    ],
)
@pytest.mark.usefixtures("broken_reader")
def test_a_terrible_page_costs_one_answer(word, reason):
    """The next page is read by another worker."""
    begun = time.perf_counter()
    terrible, good = read_in_pool(job(word), job(), seconds=1.0, memory_bytes=512 << 20)
    assert terrible.unreadable is reason
    assert not terrible.body
    assert len(good.page.links) == 999
    assert time.perf_counter() - begun < 5


def test_a_worker_may_take_its_time_to_start(tmp_path, monkeypatch):
    """As on a machine with much else to do: only the reading itself is timed."""
    (tmp_path / "tired.py").write_text(
        "import time\ntime.sleep(6)\nfrom datahound.engines.reading_pool import handle_job\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(reading_pool, "_HANDLER", "tired:handle_job")
    (read,) = read_in_pool(job(), seconds=0.9)
    assert len(read.page.links) == 999


SITE = {
    "/": page("/a", "/spin", "/b"),
    "/a": page("/1.csv"),
    "/spin": data(b"<a href=/never>spin!</a>", "text/html"),
    "/b": page("/2.csv"),
    "/1.csv": data(b"1"),
    "/2.csv": data(b"2"),
}


@pytest.mark.usefixtures("broken_reader")
def test_a_failed_reading_is_journalled_and_resuming_tells_the_same_story(tmp_path):
    """The journal says that reading failed, so nobody reads the page again."""
    site, events = Website(SITE), []

    async def run():
        archive = record_warc(tmp_path / "j.warc.gz", SEED)
        async with site.served() as address, ReadingPool(seconds=0.5) as pool:
            settings = WebSettings(delay_seconds=0, ignore_robots=True, connect_to=address)
            async with Web(SEED, settings, reader=pool) as web:
                await live(Crawl(SEED, make_strategy("bfs")), archive, web, events.extend)
        archive.close()

    asyncio.run(run())
    failed = [event for event in events if isinstance(event, Fetched) and event.failure]
    assert [event.failure for event in failed] == ["takes too long to read"]
    assert sum(isinstance(event, TargetFound) for event in events) == 2
    visited = [event for event in events if isinstance(event, Visited)]
    assert [event.choice.link.url for event in visited if event.outcome is VisitOutcome.NOT_A_PAGE]

    again = []
    archive = record_warc(tmp_path / "j.warc.gz", SEED)
    replay(Crawl(SEED, make_strategy("bfs")), archive, again.extend)
    answer = archive.get(Fetch(SEED + "spin"))
    archive.close()
    assert again == events
    assert answer.unreadable is ReadingFailure.TOO_SLOW


@pytest.mark.usefixtures("young_heap")
def test_a_page_of_many_links_blocks_the_event_loop_for_moments_only():
    """600,000 links: the loop is free for others while they are read and looked at."""
    links = b"".join(b"<a href=/p%d>x</a>" % n for n in range(600_000))
    site, gaps, events = Website({"/": data(links, "text/html")}), [], []

    async def run():
        async with site.served() as address, ReadingPool(1) as pool:
            settings = WebSettings(delay_seconds=0, ignore_robots=True, connect_to=address)
            async with Web(SEED, settings, reader=pool) as web:
                watching = asyncio.create_task(watch_loop(gaps))
                stop = asyncio.Event()
                crawl = Crawl(SEED, make_strategy("bfs"))

                def observe(some):
                    events.extend(some)
                    if any(isinstance(event, Visited) for event in some):
                        stop.set()

                await live(crawl, MemoryArchive(SEED), web, observe, stop=stop)
                watching.cancel()

    asyncio.run(run())
    first = next(event for event in events if isinstance(event, Visited))
    assert first.new_links + first.not_followed.links_left_out == 600_000
    assert max(gaps) < MOST_SECONDS_AT_THE_END


def test_stopping_does_not_wait_for_a_reading(tmp_path, broken_reader):  # noqa: ARG001
    """A crawl that is told to stop ends within two seconds, whatever is being read."""
    site = Website(SITE)

    async def run():
        async with site.served() as address, ReadingPool(seconds=60) as pool:
            settings = WebSettings(delay_seconds=0, ignore_robots=True, connect_to=address)
            async with Web(SEED, settings, reader=pool) as web:
                stop = asyncio.Event()
                asyncio.get_running_loop().call_later(1.0, stop.set)
                crawl = Crawl(SEED, make_strategy("bfs"))
                await live(crawl, MemoryArchive(SEED), web, lambda _: None, stop=stop)

    begun = time.perf_counter()
    asyncio.run(run())
    assert time.perf_counter() - begun < 3


def test_large_recorded_pages_are_read_in_the_pool():
    body = BODY * 10
    large = Response(SEED, 200, {**HTML, "content-encoding": "gzip"}, body)
    small = Response(SEED, 200, HTML, b"<a href=x>")

    async def run():
        async with ReadingPool(1) as pool:
            settings = PageSettings()
            return [
                await read_recorded(pool, Fetch(answer.url), answer, settings)
                for answer in (large, small)
            ]

    read, left = asyncio.run(run())
    assert read == large
    assert len(read.page.links) == 9990
    assert left.page is None


def test_workers_end_with_the_pool():
    async def run():
        async with ReadingPool(2) as pool:
            await asyncio.gather(pool.read(job()), pool.read(job()))
            return [worker.process.pid for worker in pool._all]

    for pid in asyncio.run(run()):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
