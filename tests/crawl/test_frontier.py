"""Links that wait: a snapshot copies what has changed since the last one, and nothing else."""

from random import Random

from datahound.crawl.frontier import Frontier
from datahound.model import Link


def link(number):
    return Link(f"https://a.example/{number}", "html body a", "a", number=number)


def filled():
    frontier = Frontier(Random(1))
    for number, action in enumerate([0, 0, 2, 2, 2]):
        frontier.add(link(number), action)
    return frontier


def numbers(snapshot):
    return {action: list(waiting) for action, waiting in snapshot.items()}


def test_a_snapshot_stays_as_it_was():
    frontier = filled()
    before = frontier.snapshot()
    frontier.add(link(5), 0)
    frontier.take(2, 0)
    assert numbers(before) == {"0": [0, 1], "1": [], "2": [2, 3, 4]}
    assert numbers(frontier.snapshot()) == {"0": [0, 1, 5], "1": [], "2": [4, 3]}


def test_what_has_not_changed_is_the_same_object():
    frontier = filled()
    before = frontier.snapshot()
    frontier.take(2)
    after = frontier.snapshot()
    assert after["0"] is before["0"]
    assert after["2"] is not before["2"]


def test_restored_it_is_the_same():
    frontier = filled()
    again = Frontier(Random(1))
    again.restore(frontier.snapshot(), {number: link(number) for number in range(5)})
    assert numbers(again.snapshot()) == numbers(frontier.snapshot())
    assert again.awake.tolist() == [True, False, True]
    assert [one.number for one in again] == [one.number for one in frontier]


def test_each_link_of_an_action_is_as_likely_as_the_others():
    """Each of ten is taken first in about a tenth of 5,000 times: six deviations are 127."""
    first, chance = [0] * 10, Random(3)
    for _ in range(5000):
        frontier = Frontier(chance)
        for number in range(10):
            frontier.add(link(number), 0)
        first[frontier.take(0).number] += 1
    assert all(abs(count - 500) < 127 for count in first)


def test_a_look_shows_some_links_in_a_row_and_over_time_all():
    frontier = Frontier(Random(1))
    for number in range(20):
        frontier.add(link(number), 0)
    met = set()
    for _ in range(100):
        begin, links, numbers = frontier.look(0, 4)
        assert [one.number for one in links] == list(numbers) == list(range(begin, begin + 4))
        met.update(numbers)
    assert met == set(range(20))


def test_a_look_at_few_links_shows_them_all_each_at_its_place():
    frontier = filled()
    begin, links, numbers = frontier.look(2, 8)
    assert (begin, [one.number for one in links], list(numbers)) == (0, [2, 3, 4], [2, 3, 4])
    begin, links, _ = frontier.look(2, 2)
    assert frontier.take(2, begin + 1) is links[1]
