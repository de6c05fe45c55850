"""Links that wait for a visit, by action."""

from array import array
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datahound.model import Link


class Frontier:
    """Links that wait for a visit; to take any one of an action takes constant time."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._waiting: list[list[Link]] = []
        # The numbers of the links in the same order, so that a snapshot is a copy of arrays.
        self._numbers: list[array[int]] = []
        # Per action, the array in the last snapshot: the next one has the same if nothing changed.
        self._last_snapshot: dict[str, array[int]] = {}
        self._changed: set[int] = set()
        self._awake = np.zeros(64, dtype=np.bool_)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Link]:
        return (link for links in self._waiting for link in links)

    @property
    def awake(self) -> NDArray[np.bool_]:
        """Which actions have waiting links: a view, which later changes overwrite."""
        return self._awake[: len(self._waiting)]

    def waiting(self, action: int) -> int:
        """How many links wait under an action."""
        return len(self._waiting[action]) if action < len(self._waiting) else 0

    def add(self, link: Link, action: int) -> None:
        self._make_room(action)
        self._waiting[action].append(link)
        self._numbers[action].append(link.number)
        self._changed.add(action)
        self._awake[action] = True
        self._count += 1

    def look(self, action: int, count: int) -> "tuple[int, list[Link], array[int]]":
        """At most `count` of the action's links, with the place of the first, and their numbers.

        If there are more, it is a row of them from a random place: they were mostly met together,
        and lie together in memory.
        """
        links = self._waiting[action]
        more = len(links) - count
        # `random()` and not `randrange`: ten times as fast, and this is called for every group that
        # is looked at.
        begin = int(self._rng.random() * (more + 1)) if more > 0 else 0
        row = slice(begin, begin + count)
        return begin, links[row], self._numbers[action][row]

    def place(self, action: int, number: int) -> int:
        """The place of the link with this number among the action's links."""
        return self._numbers[action].index(number)

    def take(self, action: int, place: int | None = None) -> Link:
        """Remove and return the action's link at a place; without a place, a random one."""
        links = self._waiting[action]
        if place is None:
            place = self._rng.randrange(len(links))
        # The last link takes the free place: to remove from the middle would move all that follow.
        links[place], links[-1] = links[-1], links[place]
        link = links.pop()
        numbers = self._numbers[action]
        numbers[place] = numbers[-1]
        numbers.pop()
        self._changed.add(action)
        self._awake[action] = bool(links)
        self._count -= 1
        return link

    def snapshot(self) -> dict[str, Any]:
        for action in sorted(self._changed):
            self._last_snapshot[str(action)] = self._numbers[action][:]
        self._changed.clear()
        return dict(self._last_snapshot)

    def restore(self, state: dict[str, Any], links: Mapping[int, Link]) -> None:
        for action in range(len(state)):
            self._make_room(action)
            for number in state[str(action)]:
                self.add(links[number], action)

    def _make_room(self, action: int) -> None:
        while action >= len(self._waiting):
            self._changed.add(len(self._waiting))
            self._waiting.append([])
            self._numbers.append(array("q"))
        if action >= len(self._awake):
            self._awake = np.concatenate([self._awake, np.zeros_like(self._awake)])
