"""Find the centroid nearest to a vector: exactly, or by a navigable small-world graph.

Centroids are kept as sums of their members: cosine similarity does not care about scale, and a
sum changes only where the new member is not zero.
"""

from array import array
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from datahound.learn.plain import plain
from datahound.learn.tag_paths import Vector

_BLOCK = 256
_FIRST = 8
"""Initial capacity in centroids; most sites have few."""


class Nearest(Protocol):
    """An index of centroids, numbered in the order in which they were founded."""

    def find(self, vector: Vector) -> tuple[int, float]:
        """The nearest centroid and its cosine similarity; (-1, -1.0) where there is none."""
        ...

    def found(self, vector: Vector) -> int:
        """A new centroid, with one member."""
        ...

    def join(self, centroid: int, vector: Vector) -> None:
        """One more member of a centroid."""
        ...

    def snapshot(self) -> dict[str, Any]:
        """Each centroid under its number, so that checkpoints store changed ones only."""
        ...

    def restore(self, state: dict[str, Any]) -> None: ...


class ExactNearest:
    """Compares with every centroid: one product over the few buckets that are not zero."""

    def __init__(self, dimension: int) -> None:
        self._sums: NDArray[np.float32] = np.zeros((dimension, _FIRST), dtype=np.float32)
        self._squares = np.ones(_FIRST)
        self._count = 0
        self._as_plain: dict[int, array[float]] = {}

    def find(self, vector: Vector) -> tuple[int, float]:
        if not self._count:
            return -1, -1.0
        values = vector.values.astype(np.float32)
        products = values @ self._sums[vector.buckets, : self._count]
        products /= np.sqrt(self._squares[: self._count])
        best = int(products.argmax())
        return best, float(products[best]) / _norm(vector)

    def found(self, vector: Vector) -> int:
        self._add(vector, float(vector.values @ vector.values))
        return self._count - 1

    def join(self, centroid: int, vector: Vector) -> None:
        sums = self._sums[vector.buckets, centroid]
        self._squares[centroid] += float(vector.values @ (2 * sums + vector.values))
        self._sums[vector.buckets, centroid] = sums + vector.values
        self._as_plain.pop(centroid, None)

    def snapshot(self) -> dict[str, Any]:
        for start in range(0, self._count, _BLOCK):
            block = range(start, min(start + _BLOCK, self._count))
            changed = [centroid for centroid in block if centroid not in self._as_plain]
            if changed:
                self._make_plain(start, changed)
        return {str(i): self._as_plain[i] for i in range(self._count)}

    def restore(self, state: dict[str, Any]) -> None:
        for centroid in range(len(state)):
            self._add(*_from_plain(state[str(centroid)]))

    def _make_plain(self, start: int, changed: list[int]) -> None:
        """Write down those of a block that changed; a block is read as it lies in memory."""
        block = self._sums[:, start : start + _BLOCK]
        buckets, columns = np.divmod(np.flatnonzero(block != 0), block.shape[1])
        order = np.argsort(columns, kind="stable")
        buckets, columns = buckets[order], columns[order]
        sums = block[buckets, columns]
        ends = np.searchsorted(columns, np.arange(_BLOCK + 1))
        for centroid in changed:
            own = slice(ends[centroid - start], ends[centroid - start + 1])
            square = self._squares[centroid]
            self._as_plain[centroid] = _plain(buckets[own], sums[own], square)

    def _add(self, vector: Vector, square: float) -> None:
        if self._count == len(self._squares):
            self._sums = np.hstack([self._sums, np.zeros_like(self._sums)])
            self._squares = np.concatenate([self._squares, np.ones_like(self._squares)])
        self._sums[vector.buckets, self._count] = vector.values
        self._squares[self._count] = square
        self._count += 1


class HnswNearest:
    """The paper's choice: a graph that finds a near centroid without looking at them all."""

    def __init__(self, dimension: int) -> None:
        from usearch.index import Index  # noqa: PLC0415 heavy, and only for those who ask

        self._index = Index(ndim=dimension, metric="cos", dtype="f32")
        self._dimension = dimension
        self._sums: list[NDArray[np.float32]] = []

    def find(self, vector: Vector) -> tuple[int, float]:
        if not self._sums:
            return -1, -1.0
        matches = self._index.search(_dense(vector, self._dimension), 1)
        return int(matches.keys[0]), 1.0 - float(matches.distances[0])

    def found(self, vector: Vector) -> int:
        self._sums.append(_dense(vector, self._dimension))
        self._index.add(len(self._sums) - 1, self._sums[-1])
        return len(self._sums) - 1

    def join(self, centroid: int, vector: Vector) -> None:
        self._sums[centroid][vector.buckets] += vector.values
        self._index.remove(centroid)
        self._index.add(centroid, self._sums[centroid])

    def snapshot(self) -> dict[str, Any]:
        found = ((sums, np.flatnonzero(sums)) for sums in self._sums)
        return {str(i): _plain(at, sums[at], 0) for i, (sums, at) in enumerate(found)}

    def restore(self, state: dict[str, Any]) -> None:
        for centroid in range(len(state)):
            vector, _ = _from_plain(state[str(centroid)])
            self.found(vector)


def _norm(vector: Vector) -> float:
    return float(np.sqrt(vector.values @ vector.values))


def _dense(vector: Vector, dimension: int) -> NDArray[np.float32]:
    dense = np.zeros(dimension, dtype=np.float32)
    dense[vector.buckets] = vector.values
    return dense


def _plain(buckets: NDArray[np.intp], sums: NDArray[np.float32], square: float) -> "array[float]":
    """A centroid in one array: its square, its buckets, their sums."""
    return plain(np.concatenate([[square], buckets, sums]))


def _from_plain(numbers: "array[float]") -> tuple[Vector, float]:
    square, rest = numbers[0], np.array(numbers[1:])
    buckets, sums = np.split(rest, 2)
    return Vector(buckets.astype(np.intp), sums), square
