"""Which centroid is nearest to a vector: exactly, or by a navigable small-world graph.

Centroids are kept as sums of their members: cosine similarity does not care about scale, and a
sum changes only where the new member is not zero.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from datahound.learn.tag_paths import Vector


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

    def snapshot(self) -> list[Any]: ...

    def restore(self, state: list[Any]) -> None: ...


class ExactNearest:
    """Compares with every centroid: one product over the few buckets that are not zero."""

    def __init__(self, dimension: int) -> None:
        self._sums: NDArray[np.float32] = np.zeros((dimension, 64), dtype=np.float32)
        self._squares = np.ones(64)
        self._count = 0

    def find(self, vector: Vector) -> tuple[int, float]:
        if not self._count:
            return -1, -1.0
        products = vector.values @ self._sums[vector.buckets, : self._count]
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

    def snapshot(self) -> list[Any]:
        columns = self._sums[:, : self._count].T
        return [[*_plain(column), self._squares[i]] for i, column in enumerate(columns)]

    def restore(self, state: list[Any]) -> None:
        for buckets, sums, square in state:
            self._add(Vector(np.array(buckets, dtype=np.intp), np.array(sums)), square)

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
        from usearch.index import Index

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

    def snapshot(self) -> list[Any]:
        return [_plain(sums) for sums in self._sums]

    def restore(self, state: list[Any]) -> None:
        for buckets, sums in state:
            self.found(Vector(np.array(buckets, dtype=np.intp), np.array(sums)))


def _norm(vector: Vector) -> float:
    return float(np.sqrt(vector.values @ vector.values))


def _dense(vector: Vector, dimension: int) -> NDArray[np.float32]:
    dense = np.zeros(dimension, dtype=np.float32)
    dense[vector.buckets] = vector.values
    return dense


def _plain(dense: NDArray[np.float32]) -> list[Any]:
    buckets = np.flatnonzero(dense)
    return [buckets.tolist(), dense[buckets].tolist()]
