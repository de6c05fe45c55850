"""A logistic regression on hashed features, one example at a time."""

import math
from collections.abc import Iterable
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from datahound.learn.plain import plain

_STEEPEST = 30.0

Features = NDArray[np.intp]
"""The places of an example's features among the weights."""


class SparseLogistic:
    """Weights for so many places; their steps shrink as a feature has been met (AdaGrad)."""

    def __init__(self, bits: int, rate: float) -> None:
        self._size = 1 << bits
        self._rate = rate
        self._weights = np.zeros(self._size)
        self._slopes = np.ones(self._size)

    def place(self, token: str) -> int:
        """Where a feature has its weight."""
        return crc32(token.encode()) & (self._size - 1)

    def places(self, tokens: Iterable[str]) -> Features:
        return np.array([self.place(token) for token in tokens], dtype=np.intp)

    def set(self, token: str, weight: float) -> None:
        """Say beforehand what a feature speaks for."""
        self._weights[self.place(token)] = weight

    def score(self, features: Features) -> float:
        """The logarithm of the odds."""
        return float(self._weights[features].sum())

    def scores(self, examples: list[Features]) -> NDArray[np.float64]:
        """The same for many, none of which may be without a feature."""
        lengths = [len(features) for features in examples]
        starts = np.cumsum([0, *lengths[:-1]])
        scores: NDArray[np.float64] = np.add.reduceat(
            self._weights[np.concatenate(examples)], starts
        )
        return scores

    def step(self, features: Features, *, positive: bool) -> None:
        """Learn an example."""
        sign = 1 if positive else -1
        margin = sign * self.score(features)
        slope = -sign / (1 + math.exp(min(max(margin, -_STEEPEST), _STEEPEST)))
        slopes = self._slopes[features] + slope * slope
        self._slopes[features] = slopes
        self._weights[features] -= self._rate * slope / np.sqrt(slopes)

    def snapshot(self) -> dict[str, Any]:
        return {"weights": plain(self._weights), "slopes": plain(self._slopes)}

    def restore(self, state: dict[str, Any]) -> None:
        self._weights = np.array(state["weights"])
        self._slopes = np.array(state["slopes"])
