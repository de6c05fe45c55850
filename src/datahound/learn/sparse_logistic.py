"""A logistic regression on hashed features, one example at a time."""

import math
from array import array
from collections.abc import Iterable
from random import Random
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from datahound.learn.plain import plain

_STEEPEST = 30.0

Features = NDArray[np.intp]
"""The places of an example's features among the weights."""


class SparseLogistic:
    """Weights for so many places; their steps shrink as a feature has been met (AdaGrad).

    With rehearsals, a few examples of the other class are gone through again with each, drawn from
    a reservoir, so that the rarer class is not forgotten.
    """

    def __init__(
        self,
        bits: int,
        *,
        rate: float,
        rng: Random | None = None,
        rehearsals: int = 0,
        reservoir: int = 0,
    ) -> None:
        self._size = 1 << bits
        self._rng = rng or Random(0)
        self._rate = rate
        self._rehearsals = rehearsals
        self._reservoir = reservoir
        self._weights = np.zeros(self._size)
        self._slopes = np.ones(self._size)
        self._examples: dict[int, list[Features]] = {1: [], -1: []}
        self._seen = {1: 0, -1: 0}

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

    def learn(self, features: Features, *, positive: bool) -> None:
        """Learn an example, and some of the other class again."""
        sign = 1 if positive else -1
        self._step(features, sign)
        others = self._examples[-sign]
        if others:
            for _ in range(self._rehearsals):
                self._step(others[self._rng.randrange(len(others))], -sign)
        self._keep(features, sign)

    def snapshot(self) -> dict[str, Any]:
        return {
            "weights": plain(self._weights),
            "slopes": plain(self._slopes),
            "positive": _packed(self._examples[1]),
            "negative": _packed(self._examples[-1]),
            "seen": [self._seen[1], self._seen[-1]],
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._weights = np.array(state["weights"])
        self._slopes = np.array(state["slopes"])
        self._examples = {1: _unpacked(state["positive"]), -1: _unpacked(state["negative"])}
        self._seen = {1: state["seen"][0], -1: state["seen"][1]}

    def _step(self, features: Features, sign: int) -> None:
        margin = sign * self.score(features)
        slope = -sign / (1 + math.exp(min(max(margin, -_STEEPEST), _STEEPEST)))
        slopes = self._slopes[features] + slope * slope
        self._slopes[features] = slopes
        self._weights[features] -= self._rate * slope / np.sqrt(slopes)

    def _keep(self, features: Features, sign: int) -> None:
        """Every example of a class is as likely as the others to be in its reservoir."""
        if not self._reservoir:
            return
        examples = self._examples[sign]
        self._seen[sign] += 1
        if len(examples) < self._reservoir:
            examples.append(features)
            return
        place = self._rng.randrange(self._seen[sign])
        if place < len(examples):
            examples[place] = features


def _packed(examples: list[Features]) -> dict[str, Any]:
    """Examples end to end, and how long each is."""
    lengths = array("q", [len(features) for features in examples])
    joined = np.concatenate(examples) if examples else np.zeros(0, dtype=np.intp)
    return {"lengths": lengths, "features": array("q", joined.tolist())}


def _unpacked(state: dict[str, Any]) -> list[Features]:
    ends = np.cumsum(np.array(state["lengths"], dtype=np.intp))
    return (
        list(np.split(np.array(state["features"], dtype=np.intp), ends[:-1])) if len(ends) else []
    )
