"""A sleeping bandit: learn the reward of each arm, and choose among the arms that are awake."""

import math
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from datahound.learn.arrays import plain
from datahound.learn.policies import POLICIES
from datahound.settings import BanditSettings

# ε of the paper: keeps the division defined for an untried arm, whose score is replaced anyway.
_EPSILON = 1e-6


class Arm(NamedTuple):
    """How often an arm was chosen (N) and its mean reward (R_mean)."""

    pulls: int
    mean: float


class SleepingBandit:
    """Awake Upper-Estimated Reward (AUER).

    score(a) = R_mean(a) + α · √(ln t / (N(a) + ε)), infinite for an arm that was never chosen.
    Other policies score in their own way (`learn/policies.py`).
    """

    def __init__(self, settings: BanditSettings | None = None, rng: Random | None = None) -> None:
        self._settings = settings or BanditSettings()
        make = POLICIES.get(self._settings.policy)
        self._policy = make(self._settings, rng or Random(0)) if make else None
        self._pulls = np.zeros(64)
        self._means = np.zeros(64)
        self.last_scores: NDArray[np.float64] = np.zeros(0)
        """The scores at the last choice."""

    def choose(self, awake: NDArray[np.bool_], time: int) -> int | None:
        """Choose the awake arm with the highest score, the oldest of equals, and count the pull."""
        scores = self.last_scores = self.scores(awake, time)
        if not scores.size:
            return None
        arm = int(scores.argmax())
        if scores[arm] == -math.inf:
            return None
        self.pull(arm)
        return arm

    def scores(self, awake: NDArray[np.bool_], time: int) -> NDArray[np.float64]:
        """Mean and bonus of each arm, infinite for an untried one; minus infinity for a sleeper."""
        count = len(awake)
        self._grow(count)
        pulls = self._pulls[:count]
        if self._policy is not None:
            scores = self._policy.score(pulls, self._means[:count], time)
            scores[~awake] = -math.inf
            return scores
        weight = self._settings.exploration * math.sqrt(math.log(max(time, 1)))
        scores = self._means[:count] + weight / np.sqrt(pulls + _EPSILON)
        # As in the paper: an arm that was never pulled comes first, whatever the bonus of others.
        scores[pulls == 0] = math.inf
        scores[~awake] = -math.inf
        return scores

    def pull(self, arm: int) -> None:
        """Count an arm as chosen."""
        self._grow(arm + 1)
        self._pulls[arm] += 1

    def learn(self, arm: int, reward: float) -> None:
        """Move the mean of an arm that was pulled towards its reward."""
        self._means[arm] += (reward - self._means[arm]) / self._pulls[arm]
        if self._policy is not None:
            self._policy.learn(arm, reward)

    def arm(self, arm: int) -> Arm:
        self._grow(arm + 1)
        return Arm(int(self._pulls[arm]), float(self._means[arm]))

    def snapshot(self) -> dict[str, Any]:
        kept = {} if self._policy is None else {"policy": self._policy.snapshot()}
        return {"pulls": plain(self._pulls), "means": plain(self._means), **kept}

    def restore(self, state: dict[str, Any]) -> None:
        self._pulls = np.array(state["pulls"])
        self._means = np.array(state["means"])
        if self._policy is not None:
            self._policy.restore(state.get("policy", []))

    def _grow(self, count: int) -> None:
        while count > len(self._pulls):
            # Doubled, so that a new arm costs O(1) on average; a site may have thousands.
            self._pulls = np.concatenate([self._pulls, np.zeros_like(self._pulls)])
            self._means = np.concatenate([self._means, np.zeros_like(self._means)])
