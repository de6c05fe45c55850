"""A frontier in the leaves of a tree that is grown on rewards."""

import json
from random import Random

import pytest

from datahound.settings import TresSettings
from datahound.strategies.tres.tree_frontier import FEATURES, TreeFrontier


def features(last, first=0.0):
    return (first, *([0.0] * (FEATURES - 2)), last)


def grow(count, cost="reduced", seed=1, **settings):
    """A tree with experience whose reward depends on two features, and as many links."""
    rng, tree = Random(seed), TreeFrontier(TresSettings(cost=cost, **settings))
    splits = []
    for number in range(count):
        x = features(round(rng.random(), 2), float(rng.random() < 0.5))
        tree.add(number, tuple(x))
        reward = int(rng.random() < (0.9 if x[-1] > 0.6 and x[0] else 0.1))
        splits.append(tree.learn(tuple(x), reward))
    return tree, [split for split in splits if split]


@pytest.mark.parametrize("cost", ["reduced", "published"])
def test_a_leaf_is_split_where_the_variance_falls_most(cost):
    """Rewards 0 0 1 1 1 at .1 .2 .7 .8 .9: the test is `x7 <= .2`, and takes 0.24 away."""
    tree = TreeFrontier(TresSettings(cost=cost))
    samples = [(0.1, 0), (0.2, 0), (0.7, 1), (0.8, 1), (0.9, 1)]
    splits = [tree.learn(features(value), reward) for value, reward in samples]
    assert splits[:4] == [None] * 4, "fewer than five samples are not split"
    assert splits[4].feature == FEATURES - 1
    assert splits[4].value == 0.2
    assert splits[4].gain == pytest.approx(0.24)


def test_equal_rewards_are_never_split():
    """There is no variance to take away."""
    tree = TreeFrontier(TresSettings())
    assert not any(tree.learn(features(i / 50), 1) for i in range(50))


@pytest.mark.parametrize("settings", [{}, {"min_side": 0.2}, {"max_depth": 3}])
def test_both_ways_to_split_choose_alike(settings):
    """Prefix sums find the place that trying every value finds, gain and all."""
    _, fast = grow(300, **settings)
    _, slow = grow(300, "published", **settings)
    assert fast == slow
    assert fast
    assert all(split.gain > 0 for split in fast)


def test_every_link_is_in_one_leaf():
    """Splits divide waiting links, routing agrees, and what was taken is gone."""
    tree, _ = grow(400)
    rng = Random(3)
    for _ in range(150):
        tree.take(rng.choice(tree.draw(rng)))
    leaves = [node[0] for node in tree.snapshot()["nodes"] if len(node) == 2]
    links = [link for leaf in leaves for link in leaf]
    assert sorted(links) == sorted(tree)
    assert len(tree) == 250
    assert len(tree.draw(rng)) == sum(map(bool, leaves))


def test_a_snapshot_goes_on_alike():
    """Restored from plain data, a tree draws and splits as the original does."""
    one, _ = grow(200)
    two = TreeFrontier(TresSettings())
    two.restore(json.loads(json.dumps(one.snapshot(), default=list)))
    for number in range(60):
        drawn = one.draw(Random(number))
        assert drawn == two.draw(Random(number))
        assert one.take(drawn[0]) == two.take(drawn[0])
        x = features(number / 60, 1.0)
        assert one.learn(x, number % 2) == two.learn(x, number % 2)
