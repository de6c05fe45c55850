"""Several fetches at the same time, over HTTP: as many as a host may have, and no trouble twice."""

import asyncio
import contextlib
import socket
import time
from collections import Counter

import pytest
from manners import then_hang
from websites import (
    HOST,
    SEED,
    MemoryLedger,
    PretendTime,
    Website,
    data,
    error,
    page,
    send_response,
)

from datahound.downloads.downloads import Downloads
from datahound.errors import Unreachable
from datahound.http.adaptive_limit import LimitCause
from datahound.http.client import Web
from datahound.http.host_pace import Bound
from datahound.model import Failure, Fetch, Postponed, Purpose, Skip
from datahound.runs.online import pace_remark
from datahound.settings import DownloadSettings, WebSettings

BASE = {"delay_seconds": 0.0, "ignore_robots": True, "headers_seconds": 5.0}


class Busy:
    """Answers after some time, and knows how many requests of each host it had at once."""

    def __init__(self, answer=None, seconds=0.05):
        self.answer = answer or page()
        self.seconds = seconds
        self.now, self.most = Counter(), Counter()
        self.starts = []

    async def __call__(self, exchange):
        for name in (exchange.host, "all"):
            self.now[name] += 1
            self.most[name] = max(self.most[name], self.now[name])
        self.starts.append(time.monotonic())
        try:
            await asyncio.sleep(self.seconds)
            await send_response(exchange, self.answer)
        finally:
            self.now[exchange.host] -= 1
            self.now["all"] -= 1


@contextlib.asynccontextmanager
async def opened(site, downloads=None, clock=None, on_change=None, **settings):
    async with site.served() as address:
        chosen = WebSettings(**{**BASE, "connect_to": address, **settings})
        async with Web(SEED, chosen, downloads, clock=clock, on_change=on_change) as web:
            yield web


def get_all(site, fetches, **settings):
    """Answers to fetches that all come at once, with the web that gave them."""

    async def run():
        async with opened(site, **settings) as web:
            return await asyncio.gather(*map(web.get, fetches)), web

    return asyncio.run(run())


def pages(count, host=HOST):
    return [Fetch(f"http://{host}/{n}") for n in range(count)]


def everywhere(answer, count=100):
    return Website({f"/{n}": answer for n in range(count)})


@pytest.mark.parametrize("concurrency", [1, 3])
def test_a_host_gets_as_many_as_it_may(concurrency):
    """And no more, until the whole page is here."""
    busy = Busy()
    answers, _ = get_all(everywhere(busy), pages(9), concurrency=concurrency)
    assert {answer.status for answer in answers} == {200}
    assert busy.most[HOST] == concurrency


def test_hosts_are_asked_at_the_same_time_with_one_request_each():
    busy = Busy()
    hosts = [f"h{n}.site.example" for n in range(4)]
    fetches = [fetch for host in hosts for fetch in pages(3, host)]
    get_all(everywhere(busy), fetches)
    assert busy.most["all"] == 4
    assert {busy.most[host] for host in hosts} == {1}


def test_the_delay_holds_between_starts():
    """Latency does not add to it while there are places."""
    busy = Busy(seconds=0.3)
    get_all(everywhere(busy), pages(11), concurrency=8, delay_seconds=0.1)
    starts = busy.starts
    assert 0.9 < starts[-1] - starts[0] < 1.5


def test_a_slow_server_is_told_from_a_long_delay():
    """The remark names the option that helps, and ends once it is used."""
    fetches = pages(21)
    _, web = get_all(everywhere(Busy(seconds=0.11)), fetches, delay_seconds=0.04)
    pace = web.measured_paces[HOST]
    assert pace.bound_by is Bound.LATENCY
    assert "--concurrency" in pace_remark(HOST, pace)
    _, web = get_all(everywhere(Busy(seconds=0.11)), fetches, delay_seconds=0.08, concurrency=8)
    pace = web.measured_paces[HOST]
    assert pace.bound_by is Bound.DELAY
    assert pace_remark(HOST, pace) == ""


def test_robots_txt_is_asked_for_once():
    """By all who wait for it, and before anything else."""
    site = everywhere(Busy())
    site.paths["/robots.txt"] = Busy(data(b"User-agent: *\nDisallow: /3\n", "text/plain"))
    answers, web = get_all(site, pages(6), concurrency=6, ignore_robots=False)
    assert [e.path for e in site.asked].count("/robots.txt") == 1
    assert web.stats.robots_requests == 1
    assert site.asked[0].path == "/robots.txt"
    assert answers[3] == Failure(
        f"{SEED}3", "forbidden by robots.txt", requests=0, refusal=Skip.ROBOTS
    )
    assert [a.status for n, a in enumerate(answers) if n != 3] == [200] * 5


def test_robots_txt_outlives_the_fetch_that_asked_for_it_first():
    """Others wait for it too; with the last of them, the request ends."""
    site = everywhere(page())
    site.paths["/robots.txt"] = Busy(data(b"", "text/plain"), 0.3)

    async def run():
        async with opened(site, concurrency=2, ignore_robots=False) as web:
            first, second = (asyncio.create_task(web.get(fetch)) for fetch in pages(2))
            await asyncio.sleep(0.1)
            first.cancel()
            answer = await second
            site.paths["other.example/robots.txt"] = then_hang()
            alone = asyncio.create_task(web.get(Fetch("http://other.example/0")))
            await asyncio.sleep(0.1)
            alone.cancel()
            await asyncio.wait([alone])
            again = asyncio.create_task(web.get(Fetch("http://other.example/1")))
            await asyncio.sleep(0.1)
            done = again.done()
            again.cancel()
            return answer, done

    answer, done = asyncio.run(run())
    assert answer.status == 200
    assert not done
    assert [e.path for e in site.asked if e.host == HOST].count("/robots.txt") == 1


def test_a_host_that_is_not_there_fails_for_all_who_wait_for_its_robots_txt():
    """With one connection for all of them, and not one after the other."""

    async def run():
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            settings = WebSettings(delay_seconds=0, concurrency=4, connect_to=address)
            async with Web(SEED, settings, clock=PretendTime().clock) as web:
                answers = await asyncio.gather(*map(web.get, pages(4)))
                return answers, web.stats.robots_requests

    answers, asked = asyncio.run(run())
    assert all(answer.reason.startswith("can't connect") for answer in answers)
    assert asked == 3, "one for each of the three tries"


def test_a_cancelled_fetch_frees_its_place():
    """Whether it waits for its turn, for headers or for a body."""
    hanging = then_hang("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    site = Website({"/0": then_hang(), "/1": hanging, "/2": page(), "/3": page()})

    async def run():
        async with opened(site, concurrency=2) as web:
            tasks = [asyncio.create_task(web.get(fetch)) for fetch in pages(4)]
            await asyncio.sleep(0.2)
            waiting = [task.done() for task in tasks]
            for number in (2, 0, 1):
                tasks[number].cancel()
            return waiting, await asyncio.wait_for(tasks[3], 2)

    waiting, answer = asyncio.run(run())
    assert waiting == [False] * 4
    assert answer.status == 200
    assert [e.path for e in site.asked] == ["/0", "/1", "/3"]


def test_those_in_line_are_postponed_when_their_host_must_rest():
    """Two were under way when it refused; none of the others is sent."""
    site = everywhere(Busy(error(429, retry_after="600")))
    fetches = [Fetch(fetch.url) for fetch in pages(10)]
    answers, web = get_all(site, fetches, concurrency=2, clock=PretendTime().clock)
    assert answers == [Postponed(fetch.url) for fetch in fetches]
    assert len(site.asked) == 2
    assert web.limit_changes[HOST].cause is LimitCause.TOO_MANY


def test_the_requests_of_a_postponed_url_are_counted_later():
    site = everywhere(Busy(error(503, retry_after="600")))

    async def run():
        pretend = PretendTime()
        async with opened(site, concurrency=3, clock=pretend.clock) as web:
            first = await asyncio.gather(*map(web.get, pages(3)))
            pretend.now += 1000
            for n in range(3):
                site.paths[f"/{n}"] = page()
            return first, await asyncio.gather(*map(web.get, pages(3)))

    first, second = asyncio.run(run())
    assert all(isinstance(answer, Postponed) for answer in first)
    assert [answer.requests for answer in second] == [2, 2, 2]


def test_a_refused_host_gets_half_as_many_and_says_so():
    """A server that takes four at a time and answers 429 to more."""
    busy, changes = Busy(), []

    async def picky(exchange):
        if busy.now[HOST] >= 4:
            await send_response(exchange, error(429))
        else:
            await busy(exchange)

    site = everywhere(picky)
    settings = {"retry_seconds": 0.01, "max_delay_seconds": 0.02, "max_retries": 10}
    answers, _ = get_all(site, pages(60), concurrency=8, on_change=changes.append, **settings)
    assert {answer.status for answer in answers} == {200}
    assert (changes[0].before, changes[0].now, changes[0].cause) == (8, 4, LimitCause.TOO_MANY)
    assert len(site.asked) - 60 <= 12, "the refused and not many more"


def test_a_host_that_answers_one_after_the_other_gets_fewer():
    """Its latency grows with the requests under way; the first one alone is the measure."""
    line, changes = asyncio.Lock(), []

    async def serial(exchange):
        async with line:
            await asyncio.sleep(0.1)
        await send_response(exchange, page())

    async def run():
        async with opened(everywhere(serial), concurrency=8, on_change=changes.append) as web:
            await web.get(pages(1)[0])
            await asyncio.gather(*map(web.get, pages(30)))

    asyncio.run(run())
    assert (changes[0].before, changes[0].now, changes[0].cause) == (8, 4, LimitCause.SLOWER)


def test_an_outage_is_one_outage_however_many_wait():
    """One clock that doubles, one try after each pause, and all are answered in the end."""
    site, waits = everywhere(page()), []

    async def run():
        pretend = PretendTime()
        async with site.served() as address:
            settings = WebSettings(**BASE, connect_to=address, concurrency=4)
            web = Web(SEED, settings, None, waits.append, clock=pretend.clock)
            await web.__aenter__()
            await web.get(Fetch(f"{SEED}0"))
        before = web.stats.requests
        again = asyncio.gather(*map(web.get, pages(6)))
        while len(waits) < 5:
            await asyncio.sleep(0.001)
        tries = web.stats.requests - before - len(waits)
        port = int(address.rpartition(":")[2])
        server = await asyncio.start_server(site._talk, "127.0.0.1", port)
        answers = await again
        await web.__aexit__()
        server.close()
        return answers, tries

    answers, tries = asyncio.run(run())
    assert [(a.status, a.requests) for a in answers] == [(200, 1)] * 6
    assert [wait.seconds for wait in waits[:5]] == pytest.approx([2, 4, 8, 16, 32])
    assert {wait.reason for wait in waits} == {"network"}
    assert tries <= 4, "those that were under way; the others one after each pause"


def test_an_outage_that_lasts_ends_the_crawl_for_one_and_all():
    site = everywhere(page())

    async def run():
        async with site.served() as address:
            settings = WebSettings(**BASE, connect_to=address, concurrency=4)
            pretend = PretendTime()
            web = Web(SEED, settings, clock=pretend.clock)
            await web.__aenter__()
            await web.get(Fetch(f"{SEED}0"))
        begun = pretend.now
        try:
            answers = await asyncio.gather(*map(web.get, pages(6)), return_exceptions=True)
        finally:
            await web.__aexit__()
        return answers, pretend.now - begun

    answers, lasted = asyncio.run(run())
    assert {type(answer) for answer in answers} == {Unreachable}
    assert 7200 <= lasted < 7200 + 7 * 60


def test_a_file_that_waits_for_room_holds_no_place(tmp_path):
    """Else a file that broke off could not be opened again, and all would wait for ever."""
    body = b"1,2\n" * 1000

    async def breaks_once(exchange):
        if exchange.times > 1:
            await send_response(exchange, data(body))
            return
        await asyncio.sleep(0.05)
        await exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\n")
        await exchange.send(f"Content-Length: {len(body)}\r\n\r\n", body[:100])

    site, ledger = everywhere(breaks_once), MemoryLedger()
    settings = DownloadSettings(at_once=1, max_waiting=0, retry_seconds=0.01)

    async def run():
        downloads = Downloads(tmp_path, ledger, settings)
        async with opened(site, downloads) as web:
            fetches = [Fetch(fetch.url, Purpose.COLLECT) for fetch in pages(4)]
            answers = await asyncio.wait_for(asyncio.gather(*map(web.get, fetches)), 20)
            await downloads.close(wait=True)
            return answers

    answers = asyncio.run(run())
    assert [answer.status for answer in answers] == [200] * 4
    assert [record.bytes for record in ledger.files.values()] == [len(body)] * 4
