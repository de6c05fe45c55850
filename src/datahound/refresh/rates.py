"""Rates of rare events per page or file; the prior of each is the rate of the directory around it.

The leaves of a tree of directories are pages (the event: a new file) or files (the event: new
contents). An observation covers the interval between two requests for a leaf: it has y events and
the offset x, which is the length of the interval in rounds times the size of the leaf. Per node g,
with the sums Y_g and X_g, whose older parts count less from round to round, k = `prior_weight`, and
p the node around g,

    m_g = (k · m_p · L_g + G_g) / (k + X_g)        events per unit of offset

with L_g = 1 and G_g = Y_g for the posterior mean. For directories, L_g and G_g are sampled once per
round, L_g ~ Gamma(s) / s with s = max(k · m_site, 4) and G_g / Y_g ~ Gamma(z) / z with z = Y_g + 4:
this is Thompson sampling among directories; leaves of one directory have the posterior mean.

Sites often publish several files at once. So the rates of a directory are also multiplied by a
factor of this round, f_g = (k · f_p + y_g) / (k + e_g), with the events y_g of this round and the
expected events e_g.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datahound.learn.arrays import plain

Floats = NDArray[np.float64]
# Beyond this number, new directories count as part of the one above, so that rounds stay fast.
_MAX_DIRECTORIES = 50_000
_MIN_SHAPE = 4.0
"""With it, the standard deviation of samples is at most half of their mean."""


def split_directories(url: str) -> Iterator[str]:
    """Yield the host of a URL and its directories, from the widest to the narrowest.

    >>> list(split_directories("https://e.example/a/b/c.html?d=/e"))
    ['e.example', 'e.example/a', 'e.example/a/b']
    """
    path = url.partition("?")[0].partition("//")[2].rstrip("/")
    end = path.find("/")
    while end >= 0:
        yield path[:end]
        end = path.find("/", end + 1)


class DirectoryTree:
    """The directories of URLs as nodes of a tree, with the events and offsets of each."""

    _SUMS = ("events", "offsets", "events_now", "expected_now")

    def __init__(self) -> None:
        self._nodes: dict[str, int] = {"": 0}
        self.parents, self.levels = np.zeros((2, 16), np.intp)
        self.events, self.offsets = np.zeros((2, 16))
        self.events_now, self.expected_now = np.zeros((2, 16))
        """Events of this round, and the events that were expected of its observations."""

    def __len__(self) -> int:
        return len(self._nodes)

    def find(self, url: str) -> int:
        """The node of a URL's directory; it is added if it is new, with the directories above."""
        node = 0
        for name in split_directories(url):
            if name in self._nodes:
                node = self._nodes[name]
            elif len(self) < _MAX_DIRECTORIES:
                node = self._add(name, node)
        return node

    def path(self, node: int) -> list[int]:
        """A node and the nodes above it, from the site down."""
        nodes = [node]
        while node:
            node = int(self.parents[node])
            nodes.append(node)
        return nodes[::-1]

    def fade(self, share: float) -> None:
        """Begin a round: earlier observations count less."""
        self.events *= share
        self.offsets *= share
        self.events_now[:] = 0.0
        self.expected_now[:] = 0.0

    def levels_below(self) -> Iterator[NDArray[np.intp]]:
        """The nodes of each level below the site."""
        levels = self.levels[: len(self)]
        for level in range(1, int(levels.max(initial=0)) + 1):
            yield np.flatnonzero(levels == level)

    def snapshot(self) -> dict[str, Any]:
        size = len(self)
        sums = {name: plain(getattr(self, name)[:size]) for name in self._SUMS}
        return {"names": list(self._nodes), "parents": self.parents[:size].tolist(), **sums}

    def restore(self, state: dict[str, Any]) -> None:
        for name, parent in zip(state["names"][1:], state["parents"][1:], strict=True):
            self._add(name, parent)
        for name in self._SUMS:
            getattr(self, name)[: len(self)] = state[name]

    def _add(self, name: str, parent: int) -> int:
        node = self._nodes[name] = len(self._nodes)
        if node == len(self.parents):
            for column in ("parents", "levels", *self._SUMS):
                values = getattr(self, column)
                setattr(self, column, np.concatenate([values, np.zeros_like(values)]))
        self.parents[node] = parent
        self.levels[node] = self.levels[parent] + 1
        return node


class LeafRates:
    """The rate of each leaf, in events per unit of offset."""

    def __init__(self, weight: float, now_weight: float, generator: np.random.Generator) -> None:
        self.tree = DirectoryTree()
        self._weight = weight
        self._now_weight = now_weight
        self._generator = generator
        self._nodes = np.zeros(16, np.intp)
        self._events, self._offsets = np.zeros((2, 16))
        self._size = 0
        self._around, self._own = np.ones((2, 16))
        """L and G / Y of each directory, sampled at the beginning of the round."""

    def __len__(self) -> int:
        return self._size

    def add_leaves(self, urls: Sequence[str]) -> None:
        """Add leaves: `urls` are the known ones in their order, then new ones."""
        size = len(urls)
        if size > len(self._nodes):
            more = max(size - len(self._nodes), len(self._nodes))
            self._nodes = np.concatenate([self._nodes, np.zeros(more, np.intp)])
            self._events = np.concatenate([self._events, np.zeros(more)])
            self._offsets = np.concatenate([self._offsets, np.zeros(more)])
        for place in range(self._size, size):
            # The node is looked up only once per leaf.
            self._nodes[place] = self.tree.find(urls[place])
        self._size = size

    def assume(self, events: float, offset: float) -> None:
        """Set the prior of the whole site."""
        self.tree.events[0], self.tree.offsets[0] = events, offset

    def begin_round(self, fade: float) -> None:
        """Begin a round: earlier observations count less, and L and G are sampled again."""
        self._events *= fade
        self._offsets *= fade
        self.tree.fade(fade)
        shape = max(self._weight * self.site_rate, _MIN_SHAPE)
        self._around = self._generator.standard_gamma(shape, len(self.tree)) / shape
        events = self.tree.events[: len(self.tree)] + _MIN_SHAPE
        # Gamma(s) / s has the mean 1, so a sample is a factor of the posterior mean.
        self._own = self._generator.standard_gamma(events) / events

    def observe(self, place: int, events: float, offset: float) -> None:
        """Add an observation of a leaf."""
        # Computed before the sums change: the expectation must not include these events.
        expected = offset * self.mean(place)
        self._events[place] = max(self._events[place] + events, 0.0)
        self._offsets[place] += offset
        tree = self.tree
        for node in tree.path(int(self._nodes[place])):
            tree.events[node] = max(tree.events[node] + events, 0.0)
            tree.offsets[node] += offset
            tree.events_now[node] += events
            tree.expected_now[node] += expected

    @property
    def evidence(self) -> float:
        """The number of events that the rates were learned from, including those of the prior."""
        return float(self.tree.events[0])

    @property
    def site_rate(self) -> float:
        return float(self.tree.events[0] / max(self.tree.offsets[0], 1e-9))

    def mean(self, place: int) -> float:
        """The posterior mean of a leaf, without the factor of this round."""
        tree, weight = self.tree, self._weight
        rate = self.site_rate
        for node in tree.path(int(self._nodes[place]))[1:]:
            rate = (weight * rate + tree.events[node]) / (weight + tree.offsets[node])
        return float((weight * rate + self._events[place]) / (weight + self._offsets[place]))

    def rates(self, *, sampled: bool) -> Floats:
        """The rate of every leaf, with the factor of this round."""
        size, weight = self._size, self._weight
        nodes = self._nodes[:size]
        means, factors = self._rate_directories(sampled=sampled)
        rates = means[nodes] * weight
        rates += self._events[:size]
        rates /= self._offsets[:size] + weight
        rates *= factors[nodes]
        return rates

    def snapshot(self) -> dict[str, Any]:
        size, nodes = self._size, len(self.tree)
        return {
            "tree": self.tree.snapshot(),
            "events": plain(self._events[:size]),
            "offsets": plain(self._offsets[:size]),
            "nodes": self._nodes[:size].tolist(),
            "around": plain(self._around[:nodes]),
            "own": plain(self._own[:nodes]),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.tree.restore(state["tree"])
        self._events, self._offsets = np.array(state["events"]), np.array(state["offsets"])
        self._nodes = np.array(state["nodes"], np.intp)
        self._size = len(self._nodes)
        self._around, self._own = np.array(state["around"]), np.array(state["own"])

    def _rate_directories(self, *, sampled: bool) -> tuple[Floats, Floats]:
        """Compute m and f of each directory: its rate, and the factor of this round."""
        tree, size, weight = self.tree, len(self.tree), self._weight
        if len(self._around) < size:
            more = np.ones(size - len(self._around))
            self._around, self._own = (np.concatenate([c, more]) for c in (self._around, self._own))
        means, factors = np.full(size, self.site_rate), np.ones(size)
        factors[0] = self._factor(1.0, 0)
        # Level by level, since a directory needs the mean of the one above it.
        for nodes in tree.levels_below():
            outer, own = means[tree.parents[nodes]] * weight, tree.events[nodes]
            if sampled:
                outer *= self._around[nodes]
                own = own * self._own[nodes]
            means[nodes] = (outer + own) / (weight + tree.offsets[nodes])
            factors[nodes] = self._factor(factors[tree.parents[nodes]], nodes)
        return means, factors

    def _factor(self, around: Any, nodes: Any) -> Any:
        weight, tree = self._now_weight, self.tree
        return (weight * around + tree.events_now[nodes]) / (weight + tree.expected_now[nodes])


class ClassFactors:
    """Learns, per class of leaves, the ratio of events to what their rates let expect.

    f_c = (k · f_0 + events) / (k + expected events), with the factor f_0 as prior, which is 1 by
    default.
    """

    def __init__(self, classes: int, weight: float, first: Sequence[float] = ()) -> None:
        self._weight = weight
        self._first = np.array(first) if first else np.ones(classes)
        self._events, self._expected = np.zeros((2, classes))

    def fade(self, share: float) -> None:
        """Begin a round: earlier observations count less."""
        self._events *= share
        self._expected *= share

    def learn(self, number: int, events: float, expected: float) -> None:
        """Add an observation of a leaf of this class."""
        self._events[number] = max(self._events[number] + events, 0.0)
        self._expected[number] += expected

    def factors(self) -> Floats:
        """The factor of each class."""
        prior = self._weight * self._first
        found: Floats = (prior + self._events) / (self._weight + self._expected)
        return found

    def snapshot(self) -> list[list[float]]:
        return [self._events.tolist(), self._expected.tolist()]

    def restore(self, state: list[list[float]]) -> None:
        # Snapshots of older versions have fewer classes.
        count = len(state[0])
        self._events[:count], self._expected[:count] = state
