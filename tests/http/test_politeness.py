"""Each host has its own clock."""

import asyncio
import itertools

import pytest
from websites import PretendTime, skipping_time

from datahound.http.adaptive_limit import LimitCause, LimitChange
from datahound.http.host_pace import Bound
from datahound.http.politeness import HostClocks, Politeness, seconds_in
from datahound.settings import WebSettings


def polite(**settings):
    time, waits = PretendTime(), []
    return Politeness(WebSettings(**settings), time.clock, waits.append), time, waits


async def turns(politeness, time, *hosts):
    """When each host in turn could be asked."""
    starts = []
    for host in hosts:
        turn = await politeness.turn(host)
        starts.append(time.now - 1000.0)
        turn.end()
    return starts


def test_requests_to_one_host_are_a_second_apart():
    """And those to another host do not wait for it."""
    politeness, time, waits = polite()
    assert asyncio.run(turns(politeness, time, "a", "b", "a", "a", "b")) == [0, 0, 1, 2, 2]
    assert [(w.host, w.seconds, w.reason) for w in waits] == [("a", 1, "politeness")] * 2


def test_many_at_once_take_turns():
    """Whoever asks at the same time gets a turn of their own."""
    politeness, time, _ = polite()

    async def run():
        async def one():
            turn = await politeness.turn("a")
            turn.end()
            return time.now

        return await asyncio.gather(one(), one(), one())

    assert asyncio.run(run())[0] == 1000.0
    assert politeness._hosts["a"].free_at == 1003.0


def test_no_delay_means_no_waiting():
    politeness, time, waits = polite(delay_seconds=0)
    assert asyncio.run(turns(politeness, time, "a", "a", "a")) == [0, 0, 0]
    assert not waits


def test_too_many_requests_slow_a_host_down_and_success_eases_it():
    """The pause doubles up to its cap, and comes back to what it was."""
    politeness, _, _ = polite(max_delay_seconds=5)
    for expected in (2, 4, 5, 5):
        politeness.slow_down("a")
        assert politeness.pace_of("a").delay == expected
    for _ in range(20):
        politeness.ease("a")
    assert politeness.pace_of("a").delay == 1


def test_a_host_without_delay_is_slowed_down_too():
    politeness, _, _ = polite(delay_seconds=0, retry_seconds=0.5)
    politeness.slow_down("a")
    assert politeness.pace_of("a").delay == 0.5


def test_retry_after_is_kept_up_to_its_cap():
    """A host rests as long as it asks for, and others go on."""
    politeness, time, waits = polite(retry_after_cap=100)
    politeness.slow_down("a", "30")
    assert politeness.rest_of("a") == 30
    assert politeness.rest_of("b") == 0
    assert asyncio.run(turns(politeness, time, "b", "a")) == [0, 30]
    assert waits[-1].reason == "Retry-After"
    politeness.slow_down("a", "99999")
    assert politeness.rest_of("a") == 100


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("120", 120),
        (" 0 ", 0),
        ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
        ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
        ("Sun Nov  6 08:50:37 1994", 60),
        ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
        ("999999999999999999999999", 999999999),
        ("soon", None),
        ("-5", None),
        ("", None),
        ("Sun, 99 Nov 1994", None),
        ("Sun, 06 Nov 999999 08:50:37 GMT", None),
        ("٣", None),
    ],
)
def test_retry_after_is_read_in_both_forms(text, seconds):
    """Seconds or a date; anything else says nothing and does no harm."""
    assert seconds_in(text, 784111777.0) == seconds


def test_crawl_delay_is_applied_up_to_its_cap():
    """The longer of ours and theirs; the cap keeps a site from stopping us for good."""
    politeness, time, _ = polite(crawl_delay_cap=20)
    assert politeness.set_crawl_delay("a", 10) == 10
    assert politeness.set_crawl_delay("b", 0.1) == 1
    assert politeness.set_crawl_delay("c", 3600) == 20
    assert asyncio.run(turns(politeness, time, "a", "a")) == [10, 20]


def test_a_rest_that_grows_while_it_is_waited_for_is_kept():
    """A second refusal, from a body in the background, holds up the turn that was promised."""
    politeness, time, _ = polite()
    politeness.rest("a", 5, "retry")

    async def run():
        waiting = asyncio.create_task(politeness.turn("a"))
        await asyncio.sleep(0)
        politeness.rest("a", 50, "retry")
        await waiting
        return time.now

    assert asyncio.run(run()) >= 1050


class Requests:
    """Requests that are made as the politeness allows: when each began, and how it went."""

    def __init__(self, clock, **settings):
        self.clock = clock
        self.changes = []
        self.politeness = Politeness(WebSettings(**settings), clock, None, self.changes.append)
        self.begun = []
        self.under_way = self.most = 0

    async def make(self, name="", host="a", seconds=1.0, status=200, retry_after=None, rest=1e9):
        turn = await self.politeness.turn(host, rest)
        if turn is None:
            return "postponed"
        self.begun.append((self.clock.now() - 1000.0, name))
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await self.clock.sleep(seconds)
            turn.answer(status, retry_after)
            turn.measure()
        finally:
            self.under_way -= 1
            turn.end()
        return status

    async def make_all(self, count, **how):
        return await asyncio.gather(*(self.make(n, **how) for n in range(count)))

    @property
    def starts(self):
        return [when for when, _ in self.begun]


def made(count, how=None, **settings):
    """Requests that all come at the same moment."""

    async def main(clock):
        requests = Requests(clock, **settings)
        await requests.make_all(count, **(how or {}))
        return requests

    return skipping_time(main)


def test_a_host_has_so_many_places():
    """In the order in which they came; each one that ends makes room for the next."""
    requests = made(5, delay_seconds=0, concurrency=2)
    assert requests.begun == [(0, 0), (0, 1), (1, 2), (1, 3), (2, 4)]
    assert requests.most == 2


@pytest.mark.parametrize(
    ("concurrency", "starts"), [(1, [0, 1, 2, 3]), (2, [0, 0.5, 1, 1.5]), (8, [0, 0.5, 1, 1.5])]
)
def test_the_delay_is_from_start_to_start(concurrency, starts):
    """With answers after 1 s and a delay of 0.5 s, two at a time make two requests per second."""
    assert made(4, delay_seconds=0.5, concurrency=concurrency).starts == pytest.approx(starts)


def test_hosts_do_not_wait_for_one_another():
    """Several are asked at the same time, with one request each."""

    async def main(clock):
        requests = Requests(clock, delay_seconds=1)
        await asyncio.gather(*(requests.make(host=host) for host in "abcabc"))
        return requests

    requests = skipping_time(main)
    assert requests.starts == [0, 0, 0, 1, 1, 1]
    assert requests.most == 3


def test_one_that_gives_up_in_line_makes_way():
    """The first in line, one behind it, and one under way: the others lose nothing."""

    async def main(clock):
        requests = Requests(clock, delay_seconds=0, concurrency=1)
        tasks = [asyncio.create_task(requests.make(n)) for n in range(6)]
        await clock.sleep(0.5)
        tasks[1].cancel()
        tasks[3].cancel()
        await clock.sleep(1)
        tasks[2].cancel()
        await asyncio.wait(tasks)
        return requests

    assert skipping_time(main).begun == [(0, 0), (1, 2), (1.5, 4), (2.5, 5)]


def test_one_that_gives_up_while_it_waits_for_the_delay_uses_no_turn():
    async def main(clock):
        requests = Requests(clock, delay_seconds=10)
        tasks = [asyncio.create_task(requests.make(n)) for n in range(3)]
        await clock.sleep(5)
        tasks[1].cancel()
        await asyncio.wait(tasks)
        return requests

    assert skipping_time(main).begun == [(0, 0), (10, 2)]


def test_a_burst_of_refusals_is_one_refusal():
    """Eight answers of 429 to eight requests at once halve the limit and double the delay once."""

    async def main(clock):
        requests = Requests(clock, delay_seconds=0, concurrency=8, retry_seconds=0.5)
        await requests.make_all(8, status=429)
        return requests

    requests = skipping_time(main)
    assert requests.changes == [LimitChange("a", 8, 4, LimitCause.TOO_MANY)]
    assert str(requests.changes[0]) == "a: 4 requests at a time, was 8: it answered 429"
    assert requests.politeness.pace_of("a").delay == 0.5


def test_a_refused_host_recovers_slowly():
    """Twenty good answers for each further request at a time, and each step is told."""

    async def main(clock):
        requests = Requests(clock, delay_seconds=0, concurrency=4, retry_seconds=0.01)
        await requests.make_all(4, status=503)
        requests.most = 0
        await requests.make_all(19)
        before = requests.most
        await requests.make_all(40)
        return requests, before

    requests, before = skipping_time(main)
    assert before == 2
    assert requests.most == 4
    assert [(c.before, c.now, c.cause) for c in requests.changes] == [
        (4, 2, LimitCause.UNAVAILABLE),
        (2, 3, LimitCause.RECOVERED),
        (3, 4, LimitCause.RECOVERED),
    ]


def test_refusals_in_a_row_lead_to_one_at_a_time():
    """And the pause grows as it does with one at a time from the start."""

    async def main(clock):
        requests = Requests(clock, delay_seconds=1, concurrency=8)
        for _ in range(5):
            await requests.make(status=429)
        return requests

    requests = skipping_time(main)
    assert [change.now for change in requests.changes] == [4, 2, 1]
    assert requests.politeness.pace_of("a").delay == 32


def test_every_retry_after_is_kept():
    """Also that of a request whose refusal lowers nothing any more."""

    async def main(clock):
        requests = Requests(clock, delay_seconds=0, concurrency=2)
        first = requests.make(seconds=1, status=429, retry_after="5")
        second = requests.make(seconds=2, status=429, retry_after="50")
        await asyncio.gather(first, second)
        return requests.politeness.rest_of("a"), requests

    rest, requests = skipping_time(main)
    assert rest == 50
    assert len(requests.changes) == 1


def test_a_long_rest_sends_the_impatient_away():
    """Wherever they are in line: nobody asks meanwhile, and the patient waits for its end."""

    async def main(clock):
        requests = Requests(clock, delay_seconds=0, concurrency=1)
        refused = asyncio.create_task(requests.make(status=429, retry_after="600"))
        await clock.sleep(0)
        patient = asyncio.create_task(requests.make("patient"))
        hurried = [asyncio.create_task(requests.make(rest=30)) for _ in range(3)]
        answers = await asyncio.gather(*hurried)
        when = clock.now() - 1000.0
        await asyncio.gather(refused, patient)
        return answers, when, requests

    answers, when, requests = skipping_time(main)
    assert answers == ["postponed"] * 3
    assert when == 1
    assert requests.begun == [(0, ""), (601, "patient")]


def test_a_host_out_of_reach_is_tried_by_one_at_a_time():
    """After the pause; once it can be reached, by as many as before."""

    async def main(clock):
        requests = Requests(clock, delay_seconds=0, concurrency=4)
        requests.politeness.shut("a", 8)
        making = asyncio.create_task(requests.make_all(6))
        await clock.sleep(9.5)
        requests.politeness.reopen("a")
        await making
        return requests

    assert skipping_time(main).starts == [8, 9, 9.5, 9.5, 9.5, 10]


def test_the_pace_says_what_sets_it():
    requests = made(40, delay_seconds=0.5, concurrency=1)
    pace = requests.politeness.pace_of("a")
    assert (pace.bound_by, pace.latency, pace.allowed_per_second) == (Bound.LATENCY, 1, 1)
    assert pace.suggest() == (2, 2)
    pace = made(40, delay_seconds=0.5, concurrency=8).politeness.pace_of("a")
    assert (pace.bound_by, pace.allowed_per_second) == (Bound.DELAY, 2)
    assert pace.suggest() is None


@pytest.mark.parametrize(("late", "last"), [([0.1] * 10, 10.1), ([0.1] * 4 + [100, 0], 110)])
def test_a_slow_wake_up_neither_adds_up_nor_bunches(late, last):
    """Sleeps that last 0.1 s too long do not lower the rate; after a long stop none catches up."""
    too_long = iter(late)

    async def main(clock):
        async def oversleep(seconds):
            await asyncio.sleep(seconds + (next(too_long, 0) if seconds else 0))

        slow = type(clock)(clock.now, oversleep)
        requests = Requests(slow, delay_seconds=1, concurrency=4)
        await requests.make_all(11, seconds=0)
        return requests.starts

    starts = skipping_time(main)
    assert starts[-1] == pytest.approx(last, abs=0.6)
    assert all(late - soon >= 0.5 for soon, late in itertools.pairwise(starts))


def test_crawls_of_one_process_share_the_clock_of_a_host():
    """Six crawls of one host, each with its own client: one pace for all of them."""
    clocks, starts = HostClocks(), []

    async def main(clock):
        async def crawl(number):
            settings = WebSettings(delay_seconds=0.5 if number else 0.1)
            politeness = Politeness(settings, clock, clocks=clocks)
            if number == 5:
                politeness.set_crawl_delay("a.example", 2.0)
            for _ in range(2):
                turn = await politeness.turn("a.example")
                starts.append(clock.now())
                turn.end()

        await asyncio.gather(*(crawl(number) for number in range(6)))

    skipping_time(main)
    assert len(starts) == 12
    assert all(after - before >= 1.9 for before, after in itertools.pairwise(starts[1:]))


def test_sites_at_one_address_share_its_pace():
    """Two sites on one server: together they ask as often as one; a third one has its own."""
    clocks, starts = HostClocks(), {"192.0.2.1": [], "192.0.2.2": []}
    address_of = {"a.example": "192.0.2.1", "b.example": "192.0.2.1", "c.example": "192.0.2.2"}

    async def main(clock):
        async def crawl(host):
            politeness = Politeness(WebSettings(delay_seconds=1.0), clock, clocks=clocks)
            politeness.note_addresses(host, [address_of[host]])
            for _ in range(4):
                turn = await politeness.turn(host)
                starts[address_of[host]].append(clock.now())
                turn.end()

        await asyncio.gather(*map(crawl, address_of))

    skipping_time(main)
    shared, own = starts["192.0.2.1"], starts["192.0.2.2"]
    assert len(shared) == 8
    assert all(after - before >= 0.99 for before, after in itertools.pairwise(shared))
    assert own[-1] - own[0] == pytest.approx(3.0)


def test_hosts_of_one_site_at_one_address_do_not_wait_for_one_another():
    clocks, starts = HostClocks(), []

    async def main(clock):
        politeness = Politeness(WebSettings(delay_seconds=1.0), clock, clocks=clocks)
        for host in ("a.example", "b.example"):
            politeness.note_addresses(host, ["192.0.2.1"])
            (await politeness.turn(host)).end()
            starts.append(clock.now())

    skipping_time(main)
    assert starts[0] == starts[1]
