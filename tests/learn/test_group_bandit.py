"""Groups within groups: what one visit says about its neighbours, and what it costs to ask."""

import json
import time

import numpy as np
import pytest

from datahound.learn.group_bandit import GroupBandit
from datahound.settings import GroupSettings


def bandit(seed=1, **settings):
    return GroupBandit(seed, GroupSettings(**settings))


def awake(count):
    """The first so many leaves are awake."""
    return np.ones(count, dtype=np.bool_)


def test_nothing_awake_nothing_chosen():
    groups = bandit()
    assert groups.choose(awake(0)) is None
    leaf = groups.group(0, "a", "a/b")
    assert groups.choose(awake(0)) is None
    assert groups.choose(awake(1)) == leaf
    assert groups.choose(~awake(1)) is None


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
    assert groups.expect(rich) > groups.expect(near) > groups.expect(section)
    assert groups.expect(section) > groups.expect(action) * 0.9


def test_a_rich_group_is_chosen_and_left_when_it_runs_dry():
    groups = bandit()
    rich, poor = groups.group(0, "data", "data"), groups.group(1, "news", "news")
    chosen = []
    for step in range(400):
        leaf = groups.choose(awake(2))
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
    assert groups.expect(leaf) > 1


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
            leaf = groups.choose(awake(300))
            groups.learn(leaf, leaf % 3)
            told.append((leaf, groups.drawn(leaf)))
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
                groups.choose(awake(count))
            best = min(best, time.perf_counter() - begun)
        return best

    assert seconds(8000) < 10 * seconds(80)
