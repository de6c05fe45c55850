"""Crawlers that learn nothing: first in first out, last in first out, random, and omniscient."""

from array import array
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from random import Random
from typing import Literal

from datahound.crawl.strategy import Oracle, State
from datahound.errors import InternalError
from datahound.model import Choice, Link
from datahound.strategies.randomness import plain_state, restore_state

Order = Literal["bfs", "dfs", "random"]

# Links that were taken are deleted in blocks, so that taking the first costs O(1) on average.
_FORGET_AT = 1 << 16


class SimpleStrategy:
    """Takes every link for a page and visits them in a fixed or a random order."""

    faithful = True

    def __init__(self, order: Order, rng: Random) -> None:
        self._order = order
        self._rng = rng
        self._links: list[Link | None] = []
        # The numbers of the links in the same order, so that a snapshot is a copy of an array.
        self._numbers: array[int] = array("q")
        self._first = 0

    def add(self, link: Link) -> None:
        self._links.append(link)
        self._numbers.append(link.number)

    def choose(self, gets: int, under_way: Mapping[int, int]) -> Choice | None:  # noqa: ARG002
        return Choice(self._take()) if len(self._links) > self._first else None

    def waiting(self) -> Iterable[Link]:
        return (link for link in islice(self._links, self._first, None) if link is not None)

    def snapshot(self) -> State:
        return {
            "first": self._first,
            "links": self._numbers[:],
            "rng": plain_state(self._rng),
        }

    def restore(self, state: State, links: Mapping[int, Link]) -> None:
        self._first = state["first"]
        self._numbers = array("q", state["links"])
        self._links = [None] * self._first
        self._links.extend(links[number] for number in self._numbers[self._first :])
        restore_state(self._rng, state["rng"])

    def _take(self) -> Link:
        place = len(self._links) - 1
        if self._order == "bfs":
            place = self._first
        elif self._order == "random":
            place = self._rng.randrange(len(self._links))
        link = self._links[place]
        if link is None:
            raise InternalError("a link was taken twice")
        self._remove(place)
        return link

    def _remove(self, place: int) -> None:
        if self._order != "bfs":
            # The last link takes the free place: any order is as random as another.
            self._links[place], self._numbers[place] = self._links[-1], self._numbers[-1]
            self._links.pop()
            self._numbers.pop()
            return
        self._links[place] = None
        self._first += 1
        if self._first == _FORGET_AT:
            del self._links[:_FORGET_AT]
            del self._numbers[:_FORGET_AT]
            self._first = 0


class OmniscientStrategy:
    """Ignores all links, and requests exactly the targets of a recording."""

    faithful = True

    def __init__(self, oracle: Oracle) -> None:
        self._oracle = oracle
        self._targets: Iterator[str] | None = None
        self._taken = 0

    def add(self, link: Link) -> None:
        pass

    def choose(self, gets: int, under_way: Mapping[int, int]) -> Choice | None:  # noqa: ARG002
        if self._targets is None:
            self._targets = islice(iter(self._oracle.targets()), self._taken, None)
        url = next(self._targets, None)
        self._taken += 1
        # Negative numbers, which no link of the crawl has.
        return None if url is None else Choice(Link(url, number=-self._taken))

    def waiting(self) -> Iterable[Link]:
        return ()

    def snapshot(self) -> State:
        return {"taken": self._taken}

    def restore(self, state: State, links: Mapping[int, Link]) -> None:  # noqa: ARG002
        self._taken = state["taken"]
