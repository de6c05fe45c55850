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
_WIDTH = 4

Features = bytes
"""The places of an example's features among the weights, as 32-bit numbers end to end.

Not an array: many are kept, and many are joined at a time.
"""


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
        return array("I", [self.place(token) for token in tokens]).tobytes()

    def set(self, token: str, weight: float) -> None:
        """Say beforehand what a feature speaks for."""
        self._weights[self.place(token)] = weight

    def score(self, features: Features) -> float:
        """The logarithm of the odds."""
        return float(np.add.reduce(self._weights[_places_in(features)]))

    def scores(self, examples: list[Features]) -> NDArray[np.float64]:
        """The same for many, none of which may be without a feature."""
        lengths = np.fromiter(map(len, examples), np.intp, len(examples)) // _WIDTH
        weights = self._weights[_places_in(b"".join(examples))]
        scores: NDArray[np.float64] = np.add.reduceat(weights, np.cumsum(lengths) - lengths)
        return scores

    def step(self, features: Features, *, positive: bool) -> None:
        """Learn an example."""
        places = _places_in(features)
        weights = self._weights[places]
        sign = 1 if positive else -1
        margin = sign * float(np.add.reduce(weights))
        slope = -sign / (1 + math.exp(min(max(margin, -_STEEPEST), _STEEPEST)))
        slopes = self._slopes[places] + slope * slope
        self._slopes[places] = slopes
        self._weights[places] = weights - self._rate * slope / np.sqrt(slopes)

    def snapshot(self) -> dict[str, Any]:
        return {"weights": plain(self._weights), "slopes": plain(self._slopes)}

    def restore(self, state: dict[str, Any]) -> None:
        self._weights = np.array(state["weights"])
        self._slopes = np.array(state["slopes"])


def _places_in(features: Features) -> NDArray[np.intp]:
    # What numbers of another width select is converted at each use.
    return np.frombuffer(features, np.uint32).astype(np.intp)
