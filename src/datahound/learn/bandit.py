"""A sleeping bandit: learn the reward of each arm, and choose among the arms that are awake.

Besides the paper's rule (`SleepingBandit`), four policies can score the arms:

    ucb1-tuned       mean + √(ln t / N · (s² + √(2 ln t / N))), s² the variance of the arm's rewards
    sliding-ucb      mean + α · √(ln min(t, w) / N), both over the latest w rewards of all arms
    thompson         drawn from Gamma(1 + N · mean, 1 / (1 + N)), as for Poisson rewards
    epsilon-greedy   mean, but in a share ε of the choices a random number

An arm that was never chosen scores infinity, except with thompson, whose prior covers it.
"""

import math
from collections import deque
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from datahound.learn.arrays import plain
from datahound.settings import BanditSettings

_Numbers = NDArray[np.float64]


class Policy(Protocol):
    """A rule that scores arms, and what it remembers of rewards beyond their mean."""

    def score(self, pulls: _Numbers, means: _Numbers, time: int) -> _Numbers:
        """The scores of all arms, asleep or not."""
        ...

    def learn(self, arm: int, reward: float) -> None: ...

    def snapshot(self) -> list[Any]: ...

    def restore(self, state: list[Any]) -> None: ...


class TunedBound:
    """UCB1-tuned, without its cap on variances, since rewards have no bound."""

    def __init__(self, settings: BanditSettings, rng: Random) -> None:  # noqa: ARG002
        self._squares: dict[int, float] = {}

    def score(self, pulls: _Numbers, means: _Numbers, time: int) -> _Numbers:
        squares = np.array([self._squares.get(arm, 0.0) for arm in range(len(pulls))])
        tried = np.maximum(pulls, 1)
        # Untried arms are divided by 1 here, and set to infinity below.
        doubt = math.log(max(time, 1)) / tried
        # Rounding can make a variance of 0 slightly negative.
        variances = np.maximum(squares / tried - means**2, 0) + np.sqrt(2 * doubt)
        return _prefer_untried(means + np.sqrt(doubt * variances), pulls)

    def learn(self, arm: int, reward: float) -> None:
        self._squares[arm] = self._squares.get(arm, 0.0) + reward * reward

    def snapshot(self) -> list[Any]:
        return [list(pair) for pair in self._squares.items()]

    def restore(self, state: list[Any]) -> None:
        self._squares = {int(arm): square for arm, square in state}


class SlidingBound:
    """UCB over the latest rewards: leaves a group sooner when its rewards decline."""

    def __init__(self, settings: BanditSettings, rng: Random) -> None:  # noqa: ARG002
        self._settings = settings
        self._latest: deque[tuple[int, float]] = deque(maxlen=settings.reward_window)

    def score(self, pulls: _Numbers, means: _Numbers, time: int) -> _Numbers:
        counts, sums = np.zeros_like(pulls), np.zeros_like(means)
        for arm, reward in self._latest:
            counts[arm] += 1
            sums[arm] += reward
        known = max(min(time, self._settings.reward_window), 1)
        seen = np.maximum(counts, 1)
        bonus = self._settings.exploration * np.sqrt(math.log(known) / seen)
        return _prefer_untried(sums / seen + bonus, pulls)

    def learn(self, arm: int, reward: float) -> None:
        self._latest.append((arm, reward))

    def snapshot(self) -> list[Any]:
        return [list(pair) for pair in self._latest]

    def restore(self, state: list[Any]) -> None:
        self._latest.extend((int(arm), reward) for arm, reward in state)


class Thompson:
    """Draws the mean reward of each arm from its posterior distribution."""

    def __init__(self, settings: BanditSettings, rng: Random) -> None:  # noqa: ARG002
        self._rng = rng

    def score(self, pulls: _Numbers, means: _Numbers, time: int) -> _Numbers:  # noqa: ARG002
        draw = self._rng.gammavariate
        pairs = zip(pulls.tolist(), means.tolist(), strict=True)
        # Gamma(1, 1) before the first reward, which conjugates to Poisson rewards.
        return np.array([draw(1 + n * mean, 1 / (1 + n)) for n, mean in pairs])

    def learn(self, arm: int, reward: float) -> None: ...

    def snapshot(self) -> list[Any]:
        return []

    def restore(self, state: list[Any]) -> None: ...


class EpsilonGreedy:
    """The highest mean, but now and then any arm."""

    def __init__(self, settings: BanditSettings, rng: Random) -> None:
        self._greed = settings.greed
        self._rng = rng

    def score(self, pulls: _Numbers, means: _Numbers, time: int) -> _Numbers:  # noqa: ARG002
        if self._rng.random() >= self._greed:
            return np.array([self._rng.random() for _ in pulls])
        # A copy, since `_prefer_untried` and the caller write into it.
        return _prefer_untried(means.copy(), pulls)

    def learn(self, arm: int, reward: float) -> None: ...

    def snapshot(self) -> list[Any]:
        return []

    def restore(self, state: list[Any]) -> None: ...


POLICIES: Mapping[str, Callable[[BanditSettings, Random], Policy]] = {
    "ucb1-tuned": TunedBound,
    "sliding-ucb": SlidingBound,
    "thompson": Thompson,
    "epsilon-greedy": EpsilonGreedy,
}
"""By the name of the setting; the paper's own rule is the bandit's."""


def _prefer_untried(scores: _Numbers, pulls: _Numbers) -> _Numbers:
    scores[pulls == 0] = math.inf
    return scores


# ε of the paper: keeps the division defined for an untried arm, whose score is replaced anyway.
_EPSILON = 1e-6


class Arm(NamedTuple):
    """How often an arm was chosen (N) and its mean reward (R_mean)."""

    pulls: int
    mean: float


class SleepingBandit:
    """Awake Upper-Estimated Reward (AUER).

    score(a) = R_mean(a) + α · √(ln t / (N(a) + ε)), infinite for an arm that was never chosen.
    The docstring of this module has the scores of the other policies.
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
        # All arms sleep.
        if scores[arm] == -math.inf:
            return None
        self.pull(arm)
        return arm

    def scores(self, awake: NDArray[np.bool_], time: int) -> NDArray[np.float64]:
        """The score of each arm: infinite for an untried arm, minus infinity for a sleeping one."""
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
        """Count the choice of an arm, unless only visited pages are counted."""
        self._grow(arm + 1)
        self._pulls[arm] += self._settings.counted == "choices"

    def learn(self, arm: int, reward: float) -> None:
        """Move the mean of an arm that was pulled towards its reward."""
        self._pulls[arm] += self._settings.counted == "pages"
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
