"""Groups within groups: what one visit says about its neighbours, and what it costs to ask."""

import json
import time

import numpy as np
import pytest

from datahound.settings import GroupSettings
from datahound.strategies.hound.group_bandit import GroupBandit


def bandit(seed=1, **settings):
    return GroupBandit(seed, GroupSettings(**settings))


def awake(count):
    """The first so many leaves are awake."""
    return np.ones(count, dtype=np.bool_)


def choose(groups, count):
    """The best leaf of those awake, all of them with the same chance."""
    groups.draw()
    for leaf in range(len(groups.leaves)):
        groups.note_chance(leaf, 0.5)
    best = groups.best(awake(count), 1)
    return best[0][0] if best else None


def test_nothing_awake_nothing_chosen():
    groups = bandit()
    assert choose(groups, 0) is None
    leaf = groups.group(0, "a", "a/b")
    assert choose(groups, 0) is None
    assert choose(groups, 1) == leaf
    assert groups.best(~awake(1), 5) == []


def test_now_and_then_it_is_the_turn_of_groups_never_visited():
    groups = bandit(unvisited_every=4)
    rich, unvisited = groups.group(0, "a", "a"), groups.group(1, "b", "b")
    for _ in range(50):
        groups.learn(rich, 20)
    groups.note_chance(rich, 0.9)
    groups.note_chance(unvisited, 0.001)
    chosen = []
    for _ in range(12):
        groups.draw()
        chosen.append(groups.best(awake(2), 1)[0][0])
    assert chosen == [rich, rich, rich, unvisited] * 3
    groups.learn(unvisited, 0)
    for _ in range(8):
        groups.draw()
        assert groups.best(awake(2), 1)[0][0] == rich


def test_a_group_is_found_again():
    groups = bandit()
    assert groups.group(0, "a", "a/b") == groups.group(0, "a", "a/b") == 0
    others = [(1, "a", "a/b"), (0, "b", "a/b"), (0, "a", "a/c")]
    assert [groups.group(*other) for other in others] == [1, 2, 3]


def test_neighbours_learn_from_each_other():
    """Near a rich directory more is expected than in another section, or under another action."""
    groups = bandit()
    rich = groups.group(0, "data", "data/x")
    near, section, action = (
        groups.group(0, "data", "data/y"),
        groups.group(0, "news", "news/x"),
        groups.group(1, "news", "news/x"),
    )
    for _ in range(20):
        groups.learn(rich, 5)
    expected = [groups.expect(leaf, 0.5) for leaf in (rich, near, section, action)]
    assert expected[0] > expected[1] > expected[2] > expected[3] * 0.9


def test_a_rich_group_is_chosen_and_left_when_it_runs_dry():
    groups = bandit()
    rich, poor = groups.group(0, "data", "data"), groups.group(1, "news", "news")
    chosen = []
    for step in range(400):
        leaf = choose(groups, 2)
        chosen.append(leaf)
        groups.learn(leaf, 3 if leaf == rich and step < 200 else 0.5 if leaf == poor else 0)
    assert chosen[50:200].count(rich) > 140
    assert chosen[300:].count(poor) > 80


def test_a_credit_is_no_reward_of_the_site():
    groups = bandit()
    leaf = groups.group(0, "a", "a")
    for _ in range(500):
        groups.learn(leaf, 0, credit=2.0)
    assert groups.rate < 0.05
    assert groups.expect(leaf, 0.5) > 1


def test_a_credit_that_comes_later_counts_as_one_that_came_at_once():
    at_once, later = bandit(), bandit()
    for groups in (at_once, later):
        groups.group(0, "a", "a")
    at_once.learn(0, 1, credit=2.0)
    later.learn(0, 1, credit=0.5)
    later.add_credit(0, 1.5)
    assert later.outlook(0) == pytest.approx(at_once.outlook(0))
    assert later.rate == at_once.rate


def test_rewards_count_against_what_was_to_be_expected():
    """One target from a link without a chance says more than one from a sure link."""
    groups = bandit()
    surprising, sure = groups.group(0, "a", "a"), groups.group(1, "b", "b")
    for _ in range(20):
        groups.learn(surprising, 1, chance=0.1)
        groups.learn(sure, 1, chance=0.9)
    assert groups.outlook(surprising)[0] > 3 * groups.outlook(sure)[0]


def test_the_better_chance_is_the_better_link():
    groups = bandit()
    leaves = [groups.group(0, "a", f"a/{n}") for n in range(20)]
    for _ in range(50):
        for leaf in leaves:
            groups.learn(leaf, 1)
    groups.draw()
    for leaf in leaves:
        groups.note_chance(leaf, 0.9 if leaf == 7 else 0.1)
    groups.note_chance(7, 0.2, at_least=True)
    (first, rate), *others = groups.best(awake(20), 5)
    assert (first, len(others)) == (7, 4)
    assert rate == pytest.approx(groups.drawn(7, 0.9))
    assert all(rate > other for _, other in others)


def test_groups_met_late_share_one():
    groups = bandit(max_groups=10)
    leaves = {groups.group(0, "a", f"a/{n}") for n in range(100)}
    assert len(leaves) == 11
    endless = {groups.group(0, f"s{n}", "d") for n in range(20_000)}
    assert len(endless) < 10_000


@pytest.mark.parametrize("steps", [0, 1, 57])
def test_it_goes_on_as_if_nothing_had_happened(steps):
    def go(groups, count):
        told = []
        for _ in range(count):
            leaf = choose(groups, 300)
            groups.learn(leaf, leaf % 3, chance=0.3, credit=leaf % 2)
            told.append((leaf, groups.drawn(leaf, 0.5)))
        return told

    first = bandit()
    for n in range(300):
        first.group(n % 7, f"s{n % 11}", f"d{n}")
    go(first, steps)
    second = bandit(seed=2)
    second.restore(json.loads(json.dumps(first.snapshot(), default=list)))
    assert go(second, 100) == go(first, 100)


def test_the_cost_of_a_choice_hardly_grows():
    """With a hundred times the groups, a choice takes less than ten times as long."""

    def seconds(count):
        groups = bandit()
        for n in range(count):
            groups.group(n % 50, f"s{n % 200}", f"d{n}")
        best = 1.0
        for _ in range(5):
            begun = time.perf_counter()
            for _ in range(100):
                groups.draw()
                groups.best(awake(count), 16)
            best = min(best, time.perf_counter() - begun)
        return best

    assert seconds(8000) < 10 * seconds(80)


def test_extensions_that_are_no_pages_are_known_everywhere():
    """Four images in one place: an image elsewhere promises a fifth of what a page would."""
    groups = bandit()
    image, page = groups.group(0, "a", "a/b", ".png"), groups.group(0, "a", "a/b")
    elsewhere, beside = groups.group(1, "c", "c/d", ".png"), groups.group(1, "c", "c/d")
    for _ in range(4):
        groups.learn(image, 0, is_page=False)
        groups.learn(page, 1)
    groups.draw()
    assert groups.expect(elsewhere, 0.5) == pytest.approx(groups.expect(beside, 0.5) / 5)
    for leaf in (image, page, elsewhere):
        groups.note_chance(leaf, 0.5)
    rates = dict(groups.best(awake(4), 4))
    assert rates[page] > rates[elsewhere] > 0
    assert groups.drawn(elsewhere, 0.5) == pytest.approx(rates[elsewhere])


def test_a_directory_that_is_told_apart_stays_so():
    """When no more are, new links of a known directory still belong to it."""
    groups = bandit(max_groups=10)
    known = groups.group(0, "a", "a/0", ".html")
    others = {groups.group(0, "a", f"a/{n}", ".html") for n in range(1, 50)}
    assert len(others) == 10
    assert groups.group(0, "a", "a/0", ".html") == known
    assert known not in others


def test_endless_extensions():
    """Those met late count as none; no site can make choices slow with them."""
    groups = bandit()
    for n in range(3000):
        groups.group(0, "a", "a", f".x{n}")
    assert len(groups.leaves) == 1024
    assert groups.group(0, "a", "a", ".late") == groups.group(0, "a", "a")


def test_a_host_that_has_no_pages_is_known_for_it():
    """Three dead links of a host: another one there, of any kind, promises a quarter."""
    groups = bandit()
    dead = groups.group(0, "wiki.example/a", "wiki.example/a/b")
    elsewhere = groups.group(1, "wiki.example/x", "wiki.example/x/y", ".html")
    other_host = groups.group(1, "www.example/x", "www.example/x/y", ".html")
    for _ in range(3):
        groups.learn(dead, 0, is_page=False)
    assert groups.expect(elsewhere, 0.5) == pytest.approx(groups.expect(other_host, 0.5) / 4)


def test_endless_hosts():
    groups = bandit()
    for n in range(3000):
        groups.learn(groups.group(0, f"h{n}/a", f"h{n}/a/b"), 0, is_page=False)
    late = groups.group(0, "late/a", "late/a/b")
    assert 0 < groups.expect(late, 0.5) < 0.001
