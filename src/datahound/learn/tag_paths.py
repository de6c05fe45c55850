"""Tag paths as vectors: bags of n-grams, projected to a fixed number of buckets."""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from datahound.settings import ActionSettings

_BEGIN, _END = "<", ">"
_REMEMBERED = 50_000
# Π of the paper. Any large odd number scatters positions as well, so it is not a setting.
_HASH_PRIME = 766_245_317


class Vector(NamedTuple):
    """A sparse vector: the buckets that are not zero, ascending, and their values."""

    buckets: NDArray[np.intp]
    values: NDArray[np.float64]


class TagPathEmbedding:
    """Projects tag paths, over a vocabulary that grows with each new n-gram."""

    def __init__(self, settings: ActionSettings) -> None:
        self._settings = settings
        self._positions: dict[str, int] = {}
        self._positions_in = np.zeros(1 << settings.dimension_bits)
        self._sums: dict[str, Vector] = {}

    def embed(self, tag_path: str) -> Vector:
        """The projection: each bucket holds the mean of the positions that fall into it."""
        buckets, sums = self._sums.get(tag_path) or self._learn(tag_path)
        return Vector(buckets, sums / self._positions_in[buckets])

    def bucket(self, position: int) -> int:
        """h(x), where a position of the vocabulary falls."""
        s = self._settings
        scattered = (_HASH_PRIME * position) % (1 << s.hash_bits)
        return scattered >> (s.hash_bits - s.dimension_bits)

    def snapshot(self) -> list[str]:
        return list(self._positions)

    def restore(self, state: list[Any]) -> None:
        for ngram in state:
            self._position(ngram)

    def _learn(self, tag_path: str) -> Vector:
        ngrams = _ngrams(tag_path.split(), self._settings.ngram)
        weight = 1 / len(ngrams) if self._settings.normalize else 1.0
        sums: Counter[int] = Counter()
        for ngram in ngrams:
            sums[self.bucket(self._position(ngram))] += 1
        buckets = sorted(sums)
        counts = np.array([sums[bucket] for bucket in buckets], dtype=np.float64)
        if len(self._sums) >= _REMEMBERED:
            self._sums.clear()
        vector = self._sums[tag_path] = Vector(np.array(buckets, dtype=np.intp), counts * weight)
        return vector

    def _position(self, ngram: str) -> int:
        position = self._positions.get(ngram)
        if position is None:
            position = self._positions[ngram] = len(self._positions)
            self._positions_in[self.bucket(position)] += 1
        return position


def _ngrams(elements: list[str], n: int) -> list[str]:
    marked = [_BEGIN, *elements, _END]
    return [" ".join(marked[i : i + n]) for i in range(max(len(marked) - n + 1, 1))]
