"""Each host has its own clock."""

import asyncio

import pytest
from websites import PretendTime

from datahound.engines.politeness import Politeness, seconds_in
from datahound.settings import WebSettings


def polite(**settings):
    time, waits = PretendTime(), []
    return Politeness(WebSettings(**settings), time.clock, waits.append), time, waits


async def turns(politeness, time, *hosts):
    """When each host in turn could be asked."""
    starts = []
    for host in hosts:
        await politeness.turn(host)
        starts.append(time.now - 1000.0)
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
            await politeness.turn("a")
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
        assert politeness.delay_of("a") == expected
    for _ in range(20):
        politeness.ease("a")
    assert politeness.delay_of("a") == 1


def test_a_host_without_delay_is_slowed_down_too():
    politeness, _, _ = polite(delay_seconds=0, retry_seconds=0.5)
    politeness.slow_down("a")
    assert politeness.delay_of("a") == 0.5


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
