"""Crawlers that learn nothing: their orders, and that they go on as they were."""

from random import Random

import pytest

from datahound.errors import InternalError
from datahound.model import Link
from datahound.strategies import simple
from datahound.strategies.simple import OmniscientStrategy, SimpleStrategy

ORDERS = ["bfs", "dfs", "random"]


def link(number):
    return Link(f"https://a.example/{number}", number=number)


def take(strategy):
    choice = strategy.choose(0, {})
    return None if choice is None else choice.link.number


def drain(strategy):
    numbers = []
    while (number := take(strategy)) is not None:
        numbers.append(number)
    return numbers


@pytest.mark.parametrize(
    ("order", "expected"), [("bfs", [0, 1, 2, 3, 4, 5]), ("dfs", [2, 5, 4, 3, 1, 0])]
)
def test_the_order_with_links_that_come_later(order, expected):
    strategy = SimpleStrategy(order, Random(1))
    for number in range(3):
        strategy.add(link(number))
    first = take(strategy)
    for number in range(3, 6):
        strategy.add(link(number))
    assert [first, *drain(strategy)] == expected


def test_random_takes_each_once_and_in_another_order():
    runs = []
    for seed in (1, 1, 2):
        strategy = SimpleStrategy("random", Random(seed))
        for number in range(200):
            strategy.add(link(number))
        runs.append(drain(strategy))
    assert runs[0] == runs[1] != runs[2]
    assert sorted(runs[0]) == list(range(200)) != runs[0]


def test_random_is_uniform():
    """Each of ten links is first in about a tenth of 5,000 runs: six deviations are 127."""
    first = [0] * 10
    rng = Random(3)
    for _ in range(5000):
        strategy = SimpleStrategy("random", rng)
        for number in range(10):
            strategy.add(link(number))
        first[take(strategy)] += 1
    assert all(abs(count - 500) < 127 for count in first)


@pytest.mark.parametrize("order", ORDERS)
def test_nothing_waits_at_the_end(order):
    strategy = SimpleStrategy(order, Random(1))
    assert take(strategy) is None
    strategy.add(link(1))
    assert [waiting.number for waiting in strategy.waiting()] == [1]
    assert take(strategy) == 1
    assert not list(strategy.waiting())
    assert take(strategy) is None


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("taken", [0, 1, 7, 20])
def test_it_goes_on_as_it_was(order, taken):
    links = {number: link(number) for number in range(40)}
    strategy = SimpleStrategy(order, Random(5))
    for number in range(20):
        strategy.add(links[number])
    for _ in range(taken):
        take(strategy)
    saved = strategy.snapshot()
    restored = SimpleStrategy(order, Random(99))
    restored.restore(saved, links)
    for number in range(20, 40):
        strategy.add(links[number])
        restored.add(links[number])
    waiting = [w.number for w in strategy.waiting()]
    assert [w.number for w in restored.waiting()] == waiting
    assert drain(restored) == drain(strategy)


def test_a_snapshot_does_not_change_afterwards():
    strategy = SimpleStrategy("bfs", Random(1))
    strategy.add(link(1))
    saved = strategy.snapshot()
    strategy.add(link(2))
    assert list(saved["links"]) == [1]


def test_links_that_were_taken_are_forgotten_now_and_then(monkeypatch):
    """Else the queue of a long crawl would hold all links ever met."""
    monkeypatch.setattr(simple, "_FORGET_AT", 10)
    strategy = SimpleStrategy("bfs", Random(1))
    for number in range(1000):
        strategy.add(link(number))
        assert take(strategy) == number
        assert len(strategy.snapshot()["links"]) <= 11


def test_a_broken_queue_is_our_mistake():
    strategy = SimpleStrategy("bfs", Random(1))
    strategy.add(link(1))
    strategy._links[0] = None
    with pytest.raises(InternalError, match="taken twice"):
        take(strategy)


class Known:
    """An oracle of three targets."""

    def __init__(self):
        self.asked = 0

    def targets(self):
        self.asked += 1
        return iter(
            ["https://a.example/1.csv", "https://a.example/2.csv", "https://a.example/3.csv"]
        )


def test_omniscient_takes_the_targets_and_nothing_else():
    oracle = Known()
    strategy = OmniscientStrategy(oracle)
    strategy.add(link(7))
    urls, numbers = [], set()
    while (choice := strategy.choose(0, {})) is not None:
        urls.append(choice.link.url)
        numbers.add(choice.link.number)
    assert urls == list(Known().targets())
    assert len(numbers) == 3
    assert all(number < 0 for number in numbers), "apart from the numbers of links that were met"
    assert not list(strategy.waiting())
    assert oracle.asked == 1


def test_omniscient_goes_on_as_it_was():
    strategy = OmniscientStrategy(Known())
    first = strategy.choose(0, {}).link
    restored = OmniscientStrategy(Known())
    restored.restore(strategy.snapshot(), {})
    second = restored.choose(0, {}).link
    assert (first.url[-5:], second.url[-5:]) == ("1.csv", "2.csv")
    assert second == strategy.choose(0, {}).link
