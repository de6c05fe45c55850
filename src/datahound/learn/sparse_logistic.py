"""Logistic regression on hashed features, one example at a time."""

import math
from array import array
from collections.abc import Iterable
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from datahound.learn.arrays import plain

PADDING = -1
"""Fills rows of features up to one width; its weight is always 0."""
_MAX_EXPONENT = 30.0
"""So that `exp` cannot overflow."""
_SLOW_START = 16.0
"""First value of `s` for slow tokens: their first steps are a quarter as long."""
# A small site needs no more, and a small table stays in the processor's cache.
_FIRST_BITS = 12
_PLACES_PER_FEATURE = 16
"""The table doubles when it has fewer places than this per feature, so collisions stay rare."""

Features = bytes
"""The 32-bit hashes of an example's features, concatenated.

Not an array: bytes are smaller, and cheaper to concatenate.
"""


class SparseLogistic:
    """Logistic regression with AdaGrad steps.

    score(x) = Σ w_i over the features i of x, and P(positive | x) = 1 / (1 + e^-score).
    An example with the label y in {0, 1} has the slope g = P - y; each of its features gets
    s_i += g², then w_i -= rate · g / √s_i. At first w_i = 0 and s_i = 1 (16 for a slow token).

    A feature's place in the table of weights is its hash modulo the size of the table. When the
    table doubles, both halves begin as a copy of the table before, so every feature keeps its
    weight. Tokens with a prefix in `slow` have odd hashes, all others even ones.
    """

    def __init__(self, bits: int, rate: float, slow: tuple[str, ...] = ()) -> None:
        self._max_size = 1 << bits
        self._rate = rate
        self._slow = slow
        self._features = 0
        """How many different features were learned, approximately."""
        self._weights = np.zeros(1 << _FIRST_BITS)
        self._squares = np.ones(1 << _FIRST_BITS)
        if slow:
            self._squares[1::2] = _SLOW_START

    def hash_tokens(self, tokens: Iterable[str]) -> Features:
        return array("I", [self._hash_token(token) for token in tokens]).tobytes()

    def set_weight(self, token: str, weight: float) -> None:
        """Give a feature a weight before anything is learned."""
        self._weights[self._hash_token(token) & self._mask] = weight

    def score(self, features: Features) -> float:
        """The logarithm of the odds that an example is positive."""
        return float(np.add.reduce(self._weights[self._find_places(features)]))

    def score_rows(self, rows: NDArray[np.int32]) -> NDArray[np.float64]:
        """The scores of many examples: a row of hashes each, padded to one width."""
        # The padding -1 falls on the last place, whose weight is kept at 0. The mask keeps indices
        # in range, and `clip` skips numpy's check of them.
        weights = self._weights.take(rows & np.int32(self._mask), mode="clip")
        scores: NDArray[np.float64] = np.add.reduce(weights, axis=1)
        return scores

    def learn(self, features: Features, *, positive: bool) -> float:
        """Learn an example; returns the score that it had before."""
        places = self._find_places(features)
        weights = self._weights[places]
        sign = 1 if positive else -1
        score = float(np.add.reduce(weights))
        exponent = min(max(sign * score, -_MAX_EXPONENT), _MAX_EXPONENT)
        slope = -sign / (1 + math.exp(exponent))
        squares = self._squares[places] + slope * slope
        self._squares[places] = squares
        self._weights[places] = weights - self._rate * slope / np.sqrt(squares)
        self._weights[-1] = 0.0  # the place of the padding
        # A weight of exactly 0 nearly always belongs to a new feature.
        self._features += len(places) - int(np.count_nonzero(weights))
        if self._features * _PLACES_PER_FEATURE > len(self._weights) < self._max_size:
            self._weights = np.concatenate([self._weights, self._weights])
            self._squares = np.concatenate([self._squares, self._squares])
        return score

    def snapshot(self) -> dict[str, Any]:
        return {
            "weights": plain(self._weights),
            "squares": plain(self._squares),
            "features": self._features,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._weights = np.array(state["weights"])
        self._squares = np.array(state["squares"])
        self._features = state["features"]

    @property
    def _mask(self) -> int:
        return len(self._weights) - 1

    def _hash_token(self, token: str) -> int:
        number = crc32(token.encode())
        if not self._slow:
            return number
        # The lowest bit of the place says whether the feature is slow.
        return (number << 1 | token.startswith(self._slow)) & 0xFFFFFFFF

    def _find_places(self, features: Features) -> NDArray[np.intp]:
        # numpy converts indices of any other type at each use.
        return np.frombuffer(features, np.uint32).astype(np.intp) & self._mask
