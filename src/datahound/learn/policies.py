"""Rules beside the paper's for a bandit's choice: each gives every awake arm a score.

    ucb1-tuned       mean + √(ln t / N · (s² + √(2 ln t / N))), s² the variance of the arm's rewards
    sliding-ucb      mean + α · √(ln min(t, w) / N), both over the latest w rewards of all arms
    thompson         drawn from Gamma(1 + N · mean, 1 / (1 + N)), as for Poisson rewards
    epsilon-greedy   mean, but in a share ε of the choices a number by chance

An arm that was never chosen scores infinity, but for thompson, whose prior speaks for it.
"""

import math
from collections import deque
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

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
        doubt = math.log(max(time, 1)) / tried
        variances = np.maximum(squares / tried - means**2, 0) + np.sqrt(2 * doubt)
        return _prefer_untried(means + np.sqrt(doubt * variances), pulls)

    def learn(self, arm: int, reward: float) -> None:
        self._squares[arm] = self._squares.get(arm, 0.0) + reward * reward

    def snapshot(self) -> list[Any]:
        return [list(pair) for pair in self._squares.items()]

    def restore(self, state: list[Any]) -> None:
        self._squares = {int(arm): square for arm, square in state}


class SlidingBound:
    """UCB over the latest rewards: groups that have run dry are left sooner."""

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
    """Draws the mean reward of each arm from what is known of it."""

    def __init__(self, settings: BanditSettings, rng: Random) -> None:  # noqa: ARG002
        self._rng = rng

    def score(self, pulls: _Numbers, means: _Numbers, time: int) -> _Numbers:  # noqa: ARG002
        draw = self._rng.gammavariate
        pairs = zip(pulls.tolist(), means.tolist(), strict=True)
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
