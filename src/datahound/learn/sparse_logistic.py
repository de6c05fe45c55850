"""A logistic regression on hashed features, one example at a time."""

import math
from array import array
from collections.abc import Iterable
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from datahound.learn.plain import plain

_STEEPEST = 30.0
_SLOW = 16.0
"""Slopes that features believed slowly begin with, where others begin with 1."""

Features = bytes
"""The places of an example's features among the weights, as 32-bit numbers end to end.

Not an array: they are joined, and many are kept.
"""


class SparseLogistic:
    """Weights for so many places; their steps shrink as a feature has been met (AdaGrad).

    Tokens with a beginning that is among the `slow` share half of the places, and their first steps
    are a quarter as long.
    """

    def __init__(self, bits: int, rate: float, slow: tuple[str, ...] = ()) -> None:
        self._size = 1 << bits
        self._rate = rate
        self._slow = slow
        self._fast_size = self._size // 2 if slow else self._size
        self._weights = np.zeros(self._size + 1)
        """The last one stays 0."""
        self._slopes = np.ones(self._size)
        self._slopes[self._fast_size :] = _SLOW

    @property
    def nowhere(self) -> int:
        """A place that says nothing, to fill rows of features up with."""
        return self._size

    def place(self, token: str) -> int:
        """Where a feature has its weight."""
        place = crc32(token.encode()) & (self._fast_size - 1)
        return place + self._fast_size if token.startswith(self._slow) else place

    def places(self, tokens: Iterable[str]) -> Features:
        return array("I", [self.place(token) for token in tokens]).tobytes()

    def set(self, token: str, weight: float) -> None:
        """Say beforehand what a feature speaks for."""
        self._weights[self.place(token)] = weight

    def score(self, features: Features) -> float:
        """The logarithm of the odds."""
        return float(np.add.reduce(self._weights[_places_in(features)]))

    def scores(self, rows: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
        """The same for many, the places of each in a row."""
        scores: NDArray[np.float64] = np.add.reduce(self._weights.take(rows, mode="clip"), axis=1)
        return scores

    def step(self, features: Features, *, positive: bool) -> float:
        """Learn an example; gives the score that it had till then."""
        places = _places_in(features)
        weights = self._weights[places]
        sign = 1 if positive else -1
        score = float(np.add.reduce(weights))
        slope = -sign / (1 + math.exp(min(max(sign * score, -_STEEPEST), _STEEPEST)))
        slopes = self._slopes[places] + slope * slope
        self._slopes[places] = slopes
        self._weights[places] = weights - self._rate * slope / np.sqrt(slopes)
        return score

    def snapshot(self) -> dict[str, Any]:
        return {"weights": plain(self._weights[:-1]), "slopes": plain(self._slopes)}

    def restore(self, state: dict[str, Any]) -> None:
        self._weights[:-1] = state["weights"]
        self._slopes = np.array(state["slopes"])


def _places_in(features: Features) -> NDArray[np.intp]:
    # What numbers of another width select is converted at each use.
    return np.frombuffer(features, np.uint32).astype(np.intp)
