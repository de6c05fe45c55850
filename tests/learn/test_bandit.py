"""The sleeping bandit, and the policies beside the paper's rule."""

import json
import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datahound.learn.bandit import POLICIES, Arm, SleepingBandit
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


def test_choices_without_a_page_can_go_uncounted():
    """With `counted=pages`, an arm is as good as untried until a page came of it."""
    bandit = SleepingBandit(BanditSettings(counted="pages"))
    assert [bandit.choose(awake(0, 1), 9) for _ in range(2)] == [0, 0]
    assert bandit.arm(0) == Arm(0, 0.0)
    bandit.learn(0, 4)
    bandit.learn(0, 1)
    assert bandit.arm(0) == Arm(2, 2.5)
    assert bandit.choose(awake(0, 1), 9) == 1


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


def test_the_mean_is_that_of_all_rewards():
    """It is kept without the rewards themselves: mean += (reward - mean) / N."""
    bandit = SleepingBandit()
    for reward in (3, 0, 6, 7):
        bandit.pull(0)
        bandit.learn(0, reward)
    assert bandit.arm(0) == Arm(4, 4.0)


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


MEANS = (0.5, 4.0, 1.0)


def play(policy, steps=600, awake=(True, True, True), seed=1):
    """How often each arm is chosen, where rewards scatter around their means."""
    chance, bandit = Random(7), SleepingBandit(BanditSettings(policy=policy), Random(seed))
    pulls = [0, 0, 0]
    for time in range(1, steps + 1):
        arm = bandit.choose(np.array(awake), time)
        pulls[arm] += 1
        bandit.learn(arm, chance.randint(0, round(2 * MEANS[arm])))
    return pulls, bandit


@pytest.mark.parametrize("policy", ["auer", *POLICIES])
def test_the_best_arm_is_chosen_most(policy):
    """And every arm that is awake is tried."""
    pulls, _ = play(policy)
    assert pulls[1] > 0.6 * sum(pulls)
    assert min(pulls) > 0


@pytest.mark.parametrize("policy", POLICIES)
def test_a_sleeping_arm_is_never_chosen(policy):
    """However good it is."""
    pulls, _ = play(policy, awake=(True, False, True))
    assert pulls[1] == 0
    assert SleepingBandit(BanditSettings(policy=policy)).choose(np.zeros(3, bool), 1) is None


def test_sliding_ucb_leaves_what_has_run_dry():
    """Of the latest rewards only: a group that gave much and gives nothing now is left."""
    settings = BanditSettings(policy="sliding-ucb", reward_window=50, exploration=0.1)
    bandit, awake = SleepingBandit(settings), np.array([True, True])
    for arm, reward, times in ((0, 9.0, 200), (1, 1.0, 40), (0, 0.0, 30)):
        for _ in range(times):
            bandit.pull(arm)
            bandit.learn(arm, reward)
    assert bandit.choose(awake, 270) == 1


@pytest.mark.parametrize("policy", POLICIES)
def test_a_snapshot_goes_on_alike(policy):
    """With the state of chance restored, the same arms are chosen."""
    _, one = play(policy, 60)
    two = SleepingBandit(BanditSettings(policy=policy), Random(5))
    two.restore(json.loads(json.dumps(one.snapshot(), default=list)))
    scores = []
    for bandit in (one, two):
        if bandit._policy and hasattr(bandit._policy, "_rng"):
            bandit._policy._rng = Random(3)
        scores.append(bandit.scores(np.array([True] * 3), 61).tolist())
    assert scores[0] == scores[1]
