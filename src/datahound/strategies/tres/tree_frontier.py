"""A frontier in the leaves of a regression tree that is grown on rewards.

Each leaf has waiting links and experience: the features of links that were visited, with a reward
of 0 or 1. A leaf is split where this reduces the variance most:

    gain = Var(n) - |L|/n · Var(L) - |R|/n · Var(R)

Sorted experience and prefix sums find that place in O(7 n) instead of O(7 n · distinct values), and
a leaf whose rewards are all equal has none. Both ways choose the same place.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from datahound.settings import TresSettings

FEATURES = 7
Features = tuple[float, ...]
_FIRST_CAPACITY = 8


class Split(NamedTuple):
    """A test `x[feature] <= value`, and by how much it reduces the variance."""

    feature: int
    value: float
    gain: float


class _Experience:
    """Samples of a leaf, sorted by each feature."""

    def __init__(self) -> None:
        self.count = 0
        self.rewarded = 0
        self.samples: list[tuple[Features, int]] = []
        self._values = np.zeros((FEATURES, _FIRST_CAPACITY))
        self._rewards = np.zeros((FEATURES, _FIRST_CAPACITY), dtype=np.int64)

    def add(self, features: Features, reward: int) -> None:
        if self.count == self._values.shape[1]:
            self._values = np.hstack([self._values, np.zeros_like(self._values)])
            self._rewards = np.hstack([self._rewards, np.zeros_like(self._rewards)])
        for feature, value in enumerate(features):
            values, rewards = self._values[feature], self._rewards[feature]
            at = int(np.searchsorted(values[: self.count], value))
            values[at + 1 : self.count + 1] = values[at : self.count]
            rewards[at + 1 : self.count + 1] = rewards[at : self.count]
            values[at], rewards[at] = value, reward
        self.samples.append((features, reward))
        self.count += 1
        self.rewarded += reward

    def find_split(self, min_side: float) -> Split | None:
        """The best split, by prefix sums over each sorted feature."""
        n, total = self.count, self.rewarded
        # All rewards are equal: no split reduces the variance.
        if total in (0, n):
            return None
        best = None
        for feature in range(FEATURES):
            values = self._values[feature, :n]
            # A split lies between two different values only.
            ends = np.flatnonzero(values[1:] != values[:-1])
            left = ends + 1
            allowed = np.minimum(left, n - left) >= min_side * n
            ends, left = ends[allowed], left[allowed]
            if not ends.size:
                continue
            sums = np.cumsum(self._rewards[feature, :n])[ends]
            gains = _gain(n, total, left, sums)
            at = int(gains.argmax())
            if gains[at] > (best.gain if best else 0):
                best = Split(feature, float(values[ends[at]]), float(gains[at]))
        return best

    def find_split_as_published(self, min_side: float) -> Split | None:
        """The best split, by dividing all samples at every distinct value of each feature."""
        n, total = self.count, self.rewarded
        rewards = np.array([reward for _, reward in self.samples])
        best = None
        for feature in range(FEATURES):
            column = np.array([features[feature] for features, _ in self.samples])
            for value in np.unique(column)[:-1]:
                is_left = column <= value
                left, rewarded = int(is_left.sum()), int(rewards[is_left].sum())
                if min(left, n - left) < min_side * n:
                    continue
                gain = float(_gain(n, total, left, rewarded))
                if gain > (best.gain if best else 0):
                    best = Split(feature, float(value), gain)
        return best


class _Node:
    """An inner node with a split and two children, or a leaf with experience and links."""

    __slots__ = ("depth", "experience", "left", "links", "right", "split")

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.split: Split | None = None
        self.left: _Node | None = None
        self.right: _Node | None = None
        self.experience = _Experience()
        self.links: list[int] = []


class TreeFrontier:
    """Links that wait, by number, each in one leaf."""

    def __init__(self, settings: TresSettings) -> None:
        self._settings = settings
        self._root = _Node(0)
        self._features: dict[int, Features] = {}
        # A dict as a set in the order in which leaves got links.
        self._with_links: dict[_Node, None] = {}

    def __len__(self) -> int:
        return len(self._features)

    def __iter__(self) -> Iterator[int]:
        return iter(self._features)

    def features(self, link: int) -> Features:
        return self._features[link]

    def add(self, link: int, features: Features) -> None:
        """Keep a link in its leaf."""
        self._features[link] = features
        self._put(self._find_leaf(features), link)

    def learn(self, features: Features, reward: int) -> Split | None:
        """Add experience to its leaf, and try to split that leaf once."""
        leaf = self._find_leaf(features)
        leaf.experience.add(features, reward)
        split = self._find_split(leaf)
        if split is not None:
            self._split(leaf, split)
        return split

    def draw(self, rng: Random) -> list[int]:
        """A random link from each leaf that has links."""
        return [leaf.links[int(rng.random() * len(leaf.links))] for leaf in self._with_links]

    def take(self, link: int) -> Features:
        """Remove a link."""
        features = self._features.pop(link)
        leaf = self._find_leaf(features)
        at = leaf.links.index(link)
        # Order does not matter, since links are drawn uniformly.
        leaf.links[at] = leaf.links[-1]
        leaf.links.pop()
        if not leaf.links:
            del self._with_links[leaf]
        return features

    def snapshot(self) -> dict[str, Any]:
        nodes = list(self._walk())
        places = {node: place for place, node in enumerate(nodes)}
        return {
            "links": array("q", self._features),
            "features": array("d", [v for x in self._features.values() for v in x]),
            "nodes": [_plain_node(node) for node in nodes],
            "with_links": [places[leaf] for leaf in self._with_links],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        rows = np.array(state["features"], dtype=np.float64).reshape(-1, FEATURES)
        self._features = {
            link: tuple(row) for link, row in zip(state["links"], rows.tolist(), strict=True)
        }
        rows_left = iter(state["nodes"])
        found: list[_Node] = []
        self._root = _restore_node(rows_left, 0, found)
        self._with_links = dict.fromkeys(found[place] for place in state["with_links"])

    def _find_split(self, leaf: _Node) -> Split | None:
        settings = self._settings
        if leaf.experience.count < settings.min_samples_split or leaf.depth >= settings.max_depth:
            return None
        if settings.cost == "published":
            return leaf.experience.find_split_as_published(settings.min_side)
        return leaf.experience.find_split(settings.min_side)

    def _split(self, leaf: _Node, split: Split) -> None:
        leaf.split = split
        leaf.left, leaf.right = _Node(leaf.depth + 1), _Node(leaf.depth + 1)
        for features, reward in leaf.experience.samples:
            _child(leaf, features).experience.add(features, reward)
        self._with_links.pop(leaf, None)
        for link in leaf.links:
            self._put(_child(leaf, self._features[link]), link)
        leaf.links, leaf.experience = [], _Experience()

    def _put(self, leaf: _Node, link: int) -> None:
        leaf.links.append(link)
        self._with_links[leaf] = None

    def _find_leaf(self, features: Features) -> _Node:
        node = self._root
        while node.split is not None:
            node = _child(node, features)
        return node

    def _walk(self) -> Iterator[_Node]:
        """All nodes, each before its children, the left one first."""
        waiting = [self._root]
        while waiting:
            node = waiting.pop()
            yield node
            if node.left is not None and node.right is not None:
                # The left one is taken from the end first.
                waiting += [node.right, node.left]


def find_fetched(waiting: Iterable[str], fetched: Sequence[str]) -> list[str]:
    """The waiting URLs that were fetched; each is searched for in a list, as published."""
    return [url for url in waiting if url in fetched]


def _child(node: _Node, features: Features) -> _Node:
    assert node.split is not None
    assert node.left is not None
    assert node.right is not None
    return node.left if features[node.split.feature] <= node.split.value else node.right


def _gain(n: int, total: int, left: Any, rewarded: Any) -> "NDArray[np.float64] | Any":
    """By how much a split reduces the variance; rewards are 0 or 1, so their sums are enough."""
    right = n - left
    return (
        _variance(n, total)
        - left / n * _variance(left, rewarded)
        - right / n * _variance(right, total - rewarded)
    )


def _variance(n: Any, total: Any) -> Any:
    mean = total / n
    return mean - mean * mean


def _plain_node(node: _Node) -> list[Any]:
    if node.split is not None:
        return [list(node.split)]
    samples = [[*features, reward] for features, reward in node.experience.samples]
    return [list(node.links), samples]


def _restore_node(rows: Iterator[Sequence[Any]], depth: int, found: list[_Node]) -> _Node:
    node = _Node(depth)
    found.append(node)
    row = next(rows)
    if len(row) == 1:
        feature, value, gain = row[0]
        node.split = Split(int(feature), value, gain)
        node.left = _restore_node(rows, depth + 1, found)
        node.right = _restore_node(rows, depth + 1, found)
        return node
    node.links = list(row[0])
    for *features, reward in row[1]:
        node.experience.add(tuple(features), int(reward))
    return node
