"""The sleeping bandit."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datahound.learn.bandit import Arm, SleepingBandit
from datahound.settings import BanditSettings


def awake(*arms, count=None):
    mask = np.zeros(count or max(arms, default=-1) + 1, dtype=bool)
    mask[list(arms)] = True
    return mask


def test_the_score_is_the_papers():
    """R_mean + α·sqrt(log t / (N + ε)), with α = 2·sqrt(2) and ε = 1e-6."""
    bandit = SleepingBandit()
    for reward in (3, 0):
        bandit.pull(0)
        bandit.learn(0, reward)
    assert bandit.arm(0) == Arm(2, 1.5)
    score = bandit.scores(awake(0), 50)[0]
    assert score == pytest.approx(1.5 + 2 * math.sqrt(2) * math.sqrt(math.log(50) / (2 + 1e-6)))


@pytest.mark.parametrize("time", [0, 1, 2, 1000])
def test_an_untried_arm_comes_first(time):
    """Whatever t is, even where its logarithm is 0; the oldest of several."""
    bandit = SleepingBandit()
    bandit.pull(0)
    bandit.learn(0, 1_000_000)
    assert bandit.choose(awake(0, 1, 2), time) == 1
    assert bandit.choose(awake(0, 1, 2), time) == 2
    assert bandit.choose(awake(0, 1, 2), time) == 0


def test_sleepers_are_never_chosen():
    """An arm that sleeps is left out, however good it is; with none awake there is no choice."""
    bandit = SleepingBandit()
    for arm in (0, 1):
        bandit.pull(arm)
    bandit.learn(0, 100)
    assert bandit.choose(awake(1), 10) == 1
    assert bandit.choose(awake(count=2), 10) is None
    assert bandit.choose(awake(), 10) is None


def test_ties_go_to_the_oldest():
    """Equal scores: the arm that was founded first."""
    bandit = SleepingBandit()
    for arm in (0, 1, 2):
        bandit.pull(arm)
    assert bandit.choose(awake(1, 2), 100) == 1


def test_a_pull_without_a_lesson_leaves_the_mean():
    """A chosen link that brings nothing to learn counts as a pull, and the mean stays."""
    bandit = SleepingBandit()
    bandit.pull(0)
    bandit.learn(0, 4)
    bandit.pull(0)
    assert bandit.arm(0) == Arm(2, 4.0)


def test_without_exploration_the_best_mean_wins():
    """α = 0 exploits only."""
    bandit = SleepingBandit(BanditSettings(exploration=0))
    for arm, reward in enumerate((1, 5, 2)):
        bandit.pull(arm)
        bandit.learn(arm, reward)
    assert [bandit.choose(awake(0, 1, 2), 9) for _ in range(3)] == [1, 1, 1]


@given(st.lists(st.tuples(st.integers(0, 90), st.integers(0, 50)), max_size=60))
def test_a_snapshot_keeps_everything(lessons):
    """A restored bandit has the same scores."""
    one, two = SleepingBandit(), SleepingBandit()
    for arm, reward in lessons:
        one.pull(arm)
        one.learn(arm, reward)
    two.restore(one.snapshot())
    mask = np.ones(100, dtype=bool)
    assert one.scores(mask, 77).tolist() == two.scores(mask, 77).tolist()
