"""Groups within groups: what one visit says about its neighbours, and what it costs to ask."""

import json
import time

import numpy as np
import pytest

from datahound.settings import HoundSettings
from datahound.strategies.hound.bandit import GroupBandit


def bandit(seed=1, **settings):
    return GroupBandit(seed, HoundSettings(**settings))


def awake(count):
    return np.ones(count, dtype=np.bool_)


def choose(groups, count):
    """The best group of those awake, all of them with the same chance."""
    for group in range(len(groups)):
        groups.note_chance(group, 0.5)
    ranked = groups.rank_groups(awake(count), 1)
    return ranked[0].group if ranked else None


def expected(groups, group, chance=0.5):
    return groups.expect(group).score(chance)


def test_nothing_awake_nothing_chosen():
    groups = bandit()
    assert choose(groups, 0) is None
    group = groups.find_group("0", "a", "a/b")
    assert choose(groups, 0) is None
    assert choose(groups, 1) == group
    assert groups.rank_groups(~awake(1), 5) == []


def test_a_group_is_found_again():
    groups = bandit()
    assert groups.find_group("0", "a", "a/b") == groups.find_group("0", "a", "a/b") == 0
    others = [("1", "a", "a/b"), ("0", "b", "a/b"), ("0", "a", "a/c")]
    assert [groups.find_group(*other) for other in others] == [1, 2, 3]


def test_neighbours_learn_from_each_other():
    """Near a rich directory more is expected than in another section, or under another action."""
    groups = bandit()
    rich = groups.find_group("0", "data", "data/x")
    near, section, action = (
        groups.find_group("0", "data", "data/y"),
        groups.find_group("0", "news", "news/x"),
        groups.find_group("1", "news", "news/x"),
    )
    for _ in range(20):
        groups.learn(rich, 5)
    means = [expected(groups, group) for group in (rich, near, section, action)]
    assert means[0] > means[1] > means[2] > means[3] * 0.9


def test_a_rich_group_is_chosen_and_left_when_it_runs_dry():
    groups = bandit()
    rich, poor = groups.find_group("0", "data", "data"), groups.find_group("1", "news", "news")
    for _ in range(20):
        groups.learn(rich, 3)
        groups.learn(poor, 0.5)
    assert [choose(groups, 2) for _ in range(50)].count(rich) > 45
    chosen = []
    for _ in range(400):
        chosen.append(choose(groups, 2))
        groups.learn(chosen[-1], 0.5 if chosen[-1] == poor else 0)
    assert chosen[:20].count(rich) > 15
    assert chosen[350:].count(poor) > 40


@pytest.mark.parametrize("rewards", [1, 40])
def test_samples_are_spread_around_the_mean(rewards):
    """They have the mean of the posterior; the more visits, the closer to it."""
    groups = bandit()
    group = groups.find_group("0", "a", "a")
    for _ in range(40):
        groups.learn(group, rewards / 40)
    mean = groups.expect(group).per_chance
    samples = [groups.rank_groups(awake(1), 1)[0].per_chance for _ in range(4 * 400)][::4]
    assert len(set(samples)) == 400
    assert np.mean(samples) == pytest.approx(mean, rel=0.25)
    assert np.std(samples) / mean < (0.4 if rewards == 40 else 4)


def test_a_group_keeps_its_sample_until_all_are_sampled_again():
    groups = bandit()
    for number in range(5):
        groups.find_group("0", "a", f"a/{number}")
    ranked = [tuple(sorted(groups.rank_groups(awake(5), 5))) for _ in range(15)]
    assert [len(set(ranked[n : n + 4])) for n in (3, 7, 11)] == [1, 1, 1]
    assert len(set(ranked)) == 4


def test_a_credit_is_no_reward_of_the_site():
    groups = bandit()
    leaf = groups.find_group("0", "a", "a")
    for _ in range(500):
        groups.learn(leaf, 0, credit=2.0)
    assert groups.rate < 0.05
    assert expected(groups, leaf) > 1


def test_a_credit_that_comes_later_counts_as_one_that_came_at_once():
    at_once, later = bandit(), bandit()
    for groups in (at_once, later):
        groups.find_group("0", "a", "a")
    at_once.learn(0, 1, credit=2.0)
    later.learn(0, 1, credit=0.5)
    later.add_credit(0, 1.5)
    assert later.expect(0) == pytest.approx(at_once.expect(0))
    assert later.rate == at_once.rate


def test_rewards_count_against_what_was_to_be_expected():
    """One target from a link without a chance says more than one from a sure link."""
    groups = bandit()
    surprising, sure = groups.find_group("0", "a", "a"), groups.find_group("1", "b", "b")
    for _ in range(20):
        groups.learn(surprising, 1, chance=0.1)
        groups.learn(sure, 1, chance=0.9)
    assert groups.expect(surprising).per_chance > 3 * groups.expect(sure).per_chance


def test_the_better_chance_is_the_better_link():
    groups = bandit()
    leaves = [groups.find_group("0", "a", f"a/{n}") for n in range(20)]
    for _ in range(50):
        for leaf in leaves:
            groups.learn(leaf, 1)
    for leaf in leaves:
        groups.note_chance(leaf, 0.9 if leaf == 7 else 0.1)
    groups.raise_chance(7, 0.2)
    first, *others = groups.rank_groups(awake(20), 5)
    assert (first.group, len(others)) == (7, 4)
    assert all(first.score(0.9) > other.score(0.1) for other in others)


def test_a_new_link_raises_the_chance_of_its_group_and_a_look_sets_it():
    groups = bandit()
    good, other = groups.find_group("0", "a", "a/good"), groups.find_group("0", "a", "a/other")
    for _ in range(300):
        groups.learn(good, 1)
        groups.learn(other, 1)
    groups.note_chance(other, 0.3)
    groups.raise_chance(good, 0.9)
    assert groups.rank_groups(awake(2), 1)[0].group == good
    groups.note_chance(good, 0.1)
    assert groups.rank_groups(awake(2), 1)[0].group == other


def test_groups_met_late_share_one():
    groups = bandit(max_groups=10)
    leaves = {groups.find_group("0", "a", f"a/{n}") for n in range(100)}
    assert len(leaves) == 11
    endless = {groups.find_group("0", f"s{n}", "d") for n in range(20_000)}
    assert len(endless) < 10_000


@pytest.mark.parametrize("steps", [0, 1, 57])
def test_it_goes_on_as_if_nothing_had_happened(steps):
    def go(groups, count):
        told = []
        for _ in range(count):
            leaf = choose(groups, 300)
            groups.learn(leaf, leaf % 3, chance=0.3, credit=leaf % 2)
            told.append((leaf, groups.expect(leaf)))
        return told

    first = bandit()
    for n in range(300):
        first.find_group(str(n % 7), f"s{n % 11}", f"d{n}")
    go(first, steps)
    second = bandit(seed=2)
    second.restore(json.loads(json.dumps(first.snapshot(), default=list)))
    assert go(second, 100) == go(first, 100)


def test_the_cost_of_a_choice_hardly_grows():
    """With a hundred times the groups, a choice takes less than ten times as long."""

    def seconds(count):
        groups = bandit()
        for n in range(count):
            groups.find_group(str(n % 50), f"s{n % 200}", f"d{n}")
        best = 1.0
        for _ in range(5):
            begun = time.perf_counter()
            for _ in range(100):
                groups.rank_groups(awake(count), 16)
            best = min(best, time.perf_counter() - begun)
        return best

    assert seconds(8000) < 10 * seconds(80)


def test_extensions_that_are_no_pages_are_known_everywhere():
    """Four images in one place: an image elsewhere promises a fifth of what a page would."""
    groups = bandit()
    image, page = groups.find_group("0", "a", "a/b", ".png"), groups.find_group("0", "a", "a/b")
    elsewhere, beside = (
        groups.find_group("1", "c", "c/d", ".png"),
        groups.find_group("1", "c", "c/d"),
    )
    for _ in range(4):
        groups.learn(image, 0, is_page=False)
        groups.learn(page, 1)
    assert expected(groups, elsewhere) == pytest.approx(expected(groups, beside) / 5)
    for leaf in (image, page, elsewhere):
        groups.note_chance(leaf, 0.5)
    scores = {sample.group: sample.score(0.5) for sample in groups.rank_groups(awake(4), 4)}
    assert scores[page] > scores[elsewhere] > 0


def test_a_directory_that_is_told_apart_stays_so():
    """When no more are, new links of a known directory still belong to it."""
    groups = bandit(max_groups=10)
    known = groups.find_group("0", "a", "a/0", ".html")
    others = {groups.find_group("0", "a", f"a/{n}", ".html") for n in range(1, 50)}
    assert len(others) == 10
    assert groups.find_group("0", "a", "a/0", ".html") == known
    assert known not in others


def test_outsiders_change_nothing():
    """With numbers for requests of an API among them, groups get the same samples and turns."""
    alone, mixed = bandit(), bandit()
    numbers = []
    for place in range(9):
        alone.find_group("a", "s", str(place))
        if place % 3 == 1:
            mixed.add_outsider("@api ckan package_search")
        numbers.append(mixed.find_group("a", "s", str(place)))
    for groups, group in ((alone, 4), (mixed, numbers[4])):
        groups.learn(group, 3.0)
    turns = [take_turns(alone), [[numbers.index(n) for n in t] for t in take_turns(mixed)]]
    assert turns[0] == turns[1] == [[0, 1, 2, 3], [4, 5, 6, 7], [8], [0, 1, 2, 3]]
    assert alone.expect(4)[1:] == mixed.expect(numbers[4])[1:]
    again = bandit()
    again.restore(json.loads(json.dumps(mixed.snapshot(), default=list)))
    assert take_turns(again) == take_turns(mixed)


def take_turns(groups):
    turns, place = [], 0
    for _ in range(4):
        turn, place = groups.take_turn(place, 4)
        turns.append(turn)
    return turns


def test_endless_extensions():
    """Those met late count as none; no site can make choices slow with them."""
    groups = bandit()
    for n in range(3000):
        groups.find_group("0", "a", "a", f".x{n}")
    assert len(groups) == 1024
    assert groups.find_group("0", "a", "a", ".late") == groups.find_group("0", "a", "a")


def test_a_host_that_has_no_pages_is_known_for_it():
    """Three dead links of a host: another one there, of any kind, promises a quarter."""
    groups = bandit()
    dead = groups.find_group("0", "wiki.example/a", "wiki.example/a/b")
    elsewhere = groups.find_group("1", "wiki.example/x", "wiki.example/x/y", ".html")
    other_host = groups.find_group("1", "www.example/x", "www.example/x/y", ".html")
    for _ in range(3):
        groups.learn(dead, 0, is_page=False)
    assert expected(groups, elsewhere) == pytest.approx(expected(groups, other_host) / 4)


def test_endless_hosts():
    groups = bandit()
    for n in range(3000):
        groups.learn(groups.find_group("0", f"h{n}/a", f"h{n}/a/b"), 0, is_page=False)
    late = groups.find_group("0", "late/a", "late/a/b")
    assert 0 < expected(groups, late) < 0.001
