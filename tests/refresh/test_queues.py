"""What a round may still ask for, and which of it comes first."""

import json

import numpy as np
import pytest

from datahound.crawl.strategy import CompleteStrategy
from datahound.model import Choice, Link
from datahound.refresh.pages import FirstVisits
from datahound.refresh.queues import HeldLinks, PlaceQueue
from datahound.settings import RefreshSettings


class Offering:
    """A strategy that offers what it was given, one after the other."""

    def __init__(self, *urls):
        self.urls = list(urls)

    def add(self, link):
        pass

    def choose(self, gets, under_way):  # noqa: ARG002
        return Choice(Link(self.urls.pop(0)), 0) if self.urls else None


def values(*numbers):
    return lambda: np.array(numbers, float)


def take_all(queue, numbers):
    order = []
    while (place := queue.best(values(*numbers))[0]) is not None:
        order.append(place)
        queue.close([place])
    return order


def test_the_best_comes_first_and_each_once():
    queue = PlaceQueue()
    queue.open(4)
    assert take_all(queue, (0.1, 0.4, 0.0, 0.2)) == [1, 3, 0, 2]


def test_of_equal_values_the_oldest_comes_first():
    queue = PlaceQueue()
    queue.open(3)
    assert take_all(queue, (0.5, 0.5, 0.5)) == [0, 1, 2]


def test_nothing_is_best_where_nothing_is_open():
    queue = PlaceQueue()
    assert queue.best(values()) == (None, -1.0)
    queue.open(2)
    queue.close([0, 1])
    assert queue.best(values(1, 1)) == (None, -1.0)


def test_what_was_asked_for_meanwhile_is_passed_over():
    queue = PlaceQueue()
    queue.open(3)
    assert queue.best(values(3, 2, 1)) == (0, 3.0)
    queue.close([0, 1])
    assert queue.best(values(3, 2, 1)) == (2, 1.0)


def test_a_few_values_are_compared_again_after_each_choice():
    """What was learned from one answer counts for the next choice."""
    queue = PlaceQueue()
    queue.open(2)
    assert queue.best(values(1, 2))[0] == 1
    assert queue.best(values(3, 2))[0] == 0


def test_many_values_are_not_compared_for_each_choice():
    """With 50,000 places, three choices follow from one comparison."""
    queue, asked = PlaceQueue(), []

    def count():
        asked.append(1)
        return np.arange(50_000, dtype=float)

    queue.open(50_000)
    for expected in (49_999, 49_998, 49_997, 49_996):
        place, _ = queue.best(count)
        assert place == expected
        queue.close([place])
    assert len(asked) == 2


def test_what_is_left_has_its_values():
    queue = PlaceQueue()
    queue.open(3)
    queue.close([1])
    # Pages found in this round have values, and no place in the queue.
    assert queue.left(np.array([1.0, 2.0, 3.0, 9.0])).tolist() == [1.0, 3.0]


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 1000])
def test_a_queue_survives_a_snapshot(count):
    queue = PlaceQueue()
    queue.open(count)
    queue.close([place for place in range(count) if place % 3 == 0])
    back = PlaceQueue()
    back.restore(json.loads(json.dumps(queue.snapshot())))
    numbers = range(count)
    assert take_all(back, numbers) == take_all(queue, numbers)


def held(*urls):
    links = HeldLinks(CompleteStrategy(Offering(*urls)), FirstVisits(RefreshSettings()))
    links.fill(0, {})
    return links


def test_choices_are_held_up_to_a_number():
    """The strategy's other links stay with it, so that it can go on learning."""
    strategy = Offering(*(f"http://e.org/{n}" for n in range(100)))
    links = HeldLinks(CompleteStrategy(strategy), FirstVisits(RefreshSettings()))
    links.fill(0, {})
    assert len(links) == 64
    assert len(strategy.urls) == 36
    links.take(0)
    links.fill(0, {})
    assert len(links) == 64


def test_without_choices_there_is_none():
    assert held().best() == (None, -1.0)


def test_a_held_choice_is_taken_once():
    links = held("http://e.org/a", "http://e.org/b")
    choice, _ = links.take(1)
    assert choice.link.url == "http://e.org/b"
    assert len(links) == 1
    assert links.best()[0] == 0


def test_held_choices_survive_a_snapshot():
    links, back = held("http://e.org/a", "http://e.org/b"), held()
    back.restore(json.loads(json.dumps(links.snapshot())))
    assert back.values() == links.values()
    assert [back.take(0)[0].link.url for _ in range(2)] == ["http://e.org/a", "http://e.org/b"]
