"""Rules beside the paper's for the choice of an arm."""

import json
from random import Random

import numpy as np
import pytest

from datahound.learn.bandit import SleepingBandit
from datahound.learn.policies import POLICIES
from datahound.settings import BanditSettings

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
