"""What sets the pace of a host, and the option that would make it faster."""

import math
from dataclasses import replace

import pytest

from datahound.http.failures import TIMED_OUT
from datahound.http.host_pace import Bound, HostPace, PaceMeter, Patience
from datahound.web.messages import NoAnswer

SLOW = HostPace(delay=0.5, latency=1.0, concurrency=1, most=1, answers=50)


@pytest.mark.parametrize(
    ("delay", "latency", "concurrency", "allowed", "bound"),
    [
        (1.0, 0.3, 1, 1.0, Bound.DELAY),
        (0.5, 1.0, 1, 1.0, Bound.LATENCY),
        (0.5, 1.0, 2, 2.0, Bound.DELAY),
        (0.0, 0.5, 8, 16.0, Bound.LATENCY),
        (0.0, 0.0, 1, math.inf, Bound.DELAY),
    ],
)
def test_the_slower_of_delay_and_latency_sets_the_pace(delay, latency, concurrency, allowed, bound):
    pace = replace(SLOW, delay=delay, latency=latency, concurrency=concurrency, most=concurrency)
    assert (pace.allowed_per_second, pace.bound_by) == (allowed, bound)


@pytest.mark.parametrize(
    ("change", "suggested"),
    [
        ({}, (2, 2)),
        ({"latency": 3.0}, (6, 6)),
        ({"delay": 0.0, "latency": 0.3}, (8, 8)),
        ({"delay": 0.01}, (8, 8)),
        ({"delay": 0.0, "concurrency": 4, "most": 4}, (8, 2)),
        ({"delay": 0.0, "concurrency": 8, "most": 8}, None),
        ({"delay": 0.9}, None),
        ({"delay": 2.0}, None),
        ({"answers": 19}, None),
        ({"refusals": 1}, None),
        ({"delay": 0.0, "concurrency": 2, "most": 4}, None),
        ({"delay": 0.0, "latency": 0.05}, None),
    ],
)
def test_a_higher_concurrency_is_named_where_it_helps(change, suggested):
    """Not for a host that found it too much, one that answers at once, or before it is clear."""
    assert replace(SLOW, **change).suggest() == pytest.approx(suggested)


def test_the_pace_is_that_of_the_last_requests():
    meter = PaceMeter()
    assert meter.read(1.0, 1, 1, 0) == HostPace(1.0, 0.0, 1, 1, 0)
    for second in range(100):
        meter.finish(5.0 if second < 60 else 0.25)
    assert meter.read(1.0, 2, 4, 3) == HostPace(1.0, 0.25, 2, 4, 100, 3)


def test_a_host_is_waited_for_as_long_as_its_answers_take():
    """Two late answers of a host that is quick otherwise are enough; a slow one keeps its time."""
    patience = Patience()
    for _ in range(3):
        # A host that never answered in time may just be slow.
        assert patience.judge(NoAnswer(TIMED_OUT)).again
    assert patience.limit(80.0) == 80.0
    for seconds in (0.1, 0.2, 0.3):
        patience.note(seconds)
    assert patience.limit(80.0) == 10.0
    assert patience.limit(3.0) == 3.0
    assert not patience.judge(NoAnswer(TIMED_OUT)).again
    assert patience.judge(NoAnswer("connection lost")).again
    for _ in range(9):
        patience.note(2.0)
    assert patience.limit(80.0) == 40.0


def test_late_answers_of_long_ago_are_forgiven():
    """Two hiccups of a network must not cost a site its slow pages for the rest of a crawl."""
    patience = Patience()
    for _ in range(2):
        patience.note(0.1)
        patience.judge(NoAnswer(TIMED_OUT))
    assert patience.limit(60.0) == 10.0
    for _ in range(501):
        patience.note(0.1)
    assert patience.limit(60.0) == 60.0
    assert patience.judge(NoAnswer(TIMED_OUT)).again
