"""Fewer requests at a time for a host that refuses or slows down, and more again later."""

import random
import statistics

from datahound.http.adaptive_limit import AdaptiveLimit, LimitCause


def feed(limit, seconds_at, answers):
    """Answers one after the other, each as slow as the host is with that many under way."""
    changes, levels = [], []
    for _ in range(answers):
        change = limit.measure(seconds_at(limit.now), limit.now, limit.generation)
        changes += [change] if change else []
        change = limit.accept(limit.generation)
        changes += [change] if change else []
        levels.append(limit.now)
    return changes, levels


def started(most, alone):
    """A limit that has seen answers to requests that were under way alone."""
    limit = AdaptiveLimit("a", most)
    for seconds in alone:
        assert limit.measure(seconds, 1, 0) is None
    return limit


def test_a_host_that_answers_one_after_the_other_gets_few():
    """Its latency grows with what is under way: 0.2 s each."""
    changes, levels = feed(started(8, [0.2]), lambda n: 0.2 * n, 2000)
    assert [change.cause for change in changes[:2]] == [LimitCause.SLOWER] * 2
    assert [change.now for change in changes[:2]] == [4, 2]
    assert statistics.mean(levels) < 4
    assert len(changes) < 40, "each further fall makes it more careful"


def test_a_host_that_stays_as_fast_keeps_its_limit():
    rng = random.Random(0)
    changes, _ = feed(started(8, [1.0]), lambda _: rng.lognormvariate(0, 0.3), 2000)
    assert not changes


def test_noise_at_low_latency_means_nothing():
    """Ten milliseconds that become a hundred are the crawler's own work, or chance."""
    rng = random.Random(0)
    changes, _ = feed(started(64, [0.01]), lambda _: rng.uniform(0.001, 0.2), 2000)
    assert not changes


def test_pages_that_take_longer_by_themselves_do_not_lower_it_for_long():
    """The start page came from a cache: fewer at a time do not help, and that is noticed."""
    limit = started(8, [0.05])
    changes, levels = feed(limit, lambda _: 1.0, 200)
    assert [(c.before, c.now, c.cause) for c in changes] == [
        (8, 4, LimitCause.SLOWER),
        (4, 8, LimitCause.NOT_THE_CAUSE),
    ]
    assert levels.count(4) == 12


def test_without_an_answer_to_one_alone_the_first_answers_are_the_measure():
    """As in a crawl that goes on."""
    limit = AdaptiveLimit("a", 8)
    changes, _ = feed(limit, lambda _: 0.5, 100)
    assert not changes
    changes, _ = feed(limit, lambda n: 1.1 if n == 8 else 0.5, 20)
    assert [change.cause for change in changes] == [LimitCause.SLOWER]


def test_what_was_asked_before_a_fall_changes_nothing_after_it():
    limit = AdaptiveLimit("a", 8)
    assert limit.refuse(LimitCause.TOO_MANY, 0).now == 4
    assert limit.refuse(LimitCause.TOO_MANY, 0) is None
    assert all(limit.accept(0) is None for _ in range(100))
    assert all(limit.measure(9.0, 8, 0) is None for _ in range(100))
    assert limit.now == 4


def test_each_fall_makes_recovery_slower():
    """20 good answers for the first further one, 40 after the second fall."""
    limit = AdaptiveLimit("a", 8)
    needed = []
    for _ in range(3):
        limit.refuse(LimitCause.UNAVAILABLE, limit.generation)
        good = 1
        while limit.accept(limit.generation) is None:
            good += 1
        needed.append(good)
    assert needed == [20, 40, 80]


def test_one_at_a_time_stays_one_at_a_time():
    limit = AdaptiveLimit("a", 1)
    assert limit.refuse(LimitCause.TOO_MANY, 0) is None
    assert all(limit.measure(n, 1, 0) is None for n in range(100))
    assert all(limit.accept(0) is None for _ in range(100))
    assert (limit.now, limit.generation) == (1, 0)
