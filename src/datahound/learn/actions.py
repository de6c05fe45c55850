"""Groups of links with similar tag paths: each path is a vector, and joins the nearest centroid."""

from array import array
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from datahound.errors import needs_extra
from datahound.learn.arrays import add_products, plain
from datahound.settings import ActionSettings

_BEGIN, _END = "<", ">"
# Tag paths repeat, so their vectors are cached; a site with more paths has nearly one per link.
_CACHE_SIZE = 50_000
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
        # Not cached: a growing vocabulary has more positions in each bucket.
        return Vector(buckets, sums / self._positions_in[buckets])

    def bucket(self, position: int) -> int:
        """h(x): the bucket that a position of the vocabulary falls into."""
        s = self._settings
        scattered = (_HASH_PRIME * position) % (1 << s.hash_bits)
        # Multiplicative hashing: the highest bits of the product depend on all bits of the
        # position.
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
        if len(self._sums) >= _CACHE_SIZE:
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


# Centroids are columns of a matrix in row order: to read a block of them costs no more than one.
_BLOCK = 256
_INITIAL_CAPACITY = 2
"""In centroids; most sites have few."""


class Nearest(Protocol):
    """An index of centroids, numbered in the order in which they were created."""

    def find(self, vector: Vector) -> tuple[int, float]:
        """The nearest centroid and its cosine similarity; (-1, -1.0) where there is none."""
        ...

    def create(self, vector: Vector) -> int:
        """Make a new centroid with one member, and return its number."""
        ...

    def join(self, centroid: int, vector: Vector) -> None:
        """Add a member to a centroid."""
        ...

    def snapshot(self) -> dict[str, Any]:
        """Each centroid under its number, so that checkpoints store changed ones only."""
        ...

    def restore(self, state: dict[str, Any]) -> None: ...


class ExactNearest:
    """Compares with every centroid: one product over the few buckets that are not zero."""

    def __init__(self, dimension: int) -> None:
        self._sums: NDArray[np.float32] = np.zeros((dimension, _INITIAL_CAPACITY), dtype=np.float32)
        self._squares = np.ones(_INITIAL_CAPACITY)
        self._count = 0
        self._as_plain: dict[int, array[float]] = {}

    def find(self, vector: Vector) -> tuple[int, float]:
        if not self._count:
            return -1, -1.0
        values = vector.values.astype(np.float32)
        products = add_products(values[:, None] * self._sums[vector.buckets, : self._count])
        # Divided by the norm of the vector only at the end: it is the same for all centroids.
        products /= np.sqrt(self._squares[: self._count])
        best = int(products.argmax())
        return best, float(products[best]) / _norm(vector)

    def create(self, vector: Vector) -> int:
        self._add(vector, float(add_products(vector.values**2)))
        return self._count - 1

    def join(self, centroid: int, vector: Vector) -> None:
        sums = self._sums[vector.buckets, centroid]
        # |s + v|² = |s|² + v · (2s + v): only the buckets of the vector are touched.
        self._squares[centroid] += float(add_products(vector.values * (2 * sums + vector.values)))
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
        """Convert the changed centroids of a block; the block is read once, in memory order."""
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
            # Doubled, so that a new centroid costs O(dimension) on average.
            self._sums = np.hstack([self._sums, np.zeros_like(self._sums)])
            self._squares = np.concatenate([self._squares, np.ones_like(self._squares)])
        self._sums[vector.buckets, self._count] = vector.values
        self._squares[self._count] = square
        self._count += 1


class HnswNearest:
    """The paper's choice: a graph in which a search compares with few of the centroids."""

    def __init__(self, dimension: int) -> None:
        with needs_extra("lab"):
            from usearch.index import Index  # noqa: PLC0415 an optional dependency

        self._index = Index(ndim=dimension, metric="cos", dtype="f32")
        self._dimension = dimension
        self._sums: list[NDArray[np.float32]] = []

    def find(self, vector: Vector) -> tuple[int, float]:
        if not self._sums:
            return -1, -1.0
        matches = self._index.search(_dense(vector, self._dimension), 1)
        return int(matches.keys[0]), 1.0 - float(matches.distances[0])

    def create(self, vector: Vector) -> int:
        self._sums.append(_dense(vector, self._dimension))
        self._index.add(len(self._sums) - 1, self._sums[-1])
        return len(self._sums) - 1

    def join(self, centroid: int, vector: Vector) -> None:
        self._sums[centroid][vector.buckets] += vector.values
        # An index of usearch can't change a vector in place.
        self._index.remove(centroid)
        self._index.add(centroid, self._sums[centroid])

    def snapshot(self) -> dict[str, Any]:
        found = ((sums, np.flatnonzero(sums)) for sums in self._sums)
        return {str(i): _plain(at, sums[at], 0) for i, (sums, at) in enumerate(found)}

    def restore(self, state: dict[str, Any]) -> None:
        for centroid in range(len(state)):
            vector, _ = _from_plain(state[str(centroid)])
            self.create(vector)


def _norm(vector: Vector) -> float:
    return float(np.sqrt(add_products(vector.values**2)))


def _dense(vector: Vector, dimension: int) -> NDArray[np.float32]:
    dense = np.zeros(dimension, dtype=np.float32)
    dense[vector.buckets] = vector.values
    return dense


def _plain(buckets: NDArray[np.intp], sums: NDArray[np.float32], square: float) -> "array[float]":
    """A centroid in one array: its square norm, its buckets, their sums."""
    return plain(np.concatenate([[square], buckets, sums]))


def _from_plain(numbers: "array[float]") -> tuple[Vector, float]:
    square, rest = numbers[0], np.array(numbers[1:])
    buckets, sums = np.split(rest, 2)
    return Vector(buckets.astype(np.intp), sums), square


_SEARCHES: dict[str, Callable[[int], Nearest]] = {"exact": ExactNearest, "hnsw": HnswNearest}


class ActionSpace:
    """Assigns a tag path to the action with the nearest centroid.

    If the cosine similarity is below `min_similarity` (θ), the tag path founds a new action.
    """

    def __init__(self, settings: ActionSettings | None = None) -> None:
        self._settings = settings or ActionSettings()
        self._embedding = TagPathEmbedding(self._settings)
        self._nearest = _SEARCHES[self._settings.search](1 << self._settings.dimension_bits)
        self._founders: list[str] = []

    def __len__(self) -> int:
        return len(self._founders)

    def assign(self, tag_path: str) -> int:
        """The action of a link with this tag path."""
        vector = self._embedding.embed(tag_path)
        action, similarity = self._nearest.find(vector)
        # The tolerance keeps a path at exactly θ in its group, whatever the rounding.
        if similarity >= self._settings.min_similarity - self._settings.tolerance:
            self._nearest.join(action, vector)
            return action
        self._founders.append(tag_path)
        return self._nearest.create(vector)

    def snapshot(self) -> dict[str, Any]:
        return {
            "vocabulary": self._embedding.snapshot(),
            "centroids": self._nearest.snapshot(),
            "founders": list(self._founders),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._embedding.restore(state["vocabulary"])
        self._nearest.restore(state["centroids"])
        self._founders = list(state["founders"])
