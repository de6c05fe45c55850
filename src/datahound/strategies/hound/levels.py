"""The groups of one level of a hierarchy: what is around each, what was seen and drawn of it."""

from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datahound.learn.plain import plain

_COLUMNS = ("visits", "chances", "rewards", "credits", "luck", "own", "chance")
_NUMBERS = ("parents", "extensions", "hosts", "emptied")


class Level:
    """The groups of one level: the group around each, what was seen of it, what was drawn."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin with no group at all."""
        self._numbers: dict[tuple[int, str], int] = {}
        self._turn = 0
        self.parents = np.zeros(64, dtype=np.intp)
        self.visits = np.zeros(64)
        self.chances = np.zeros(64)
        """Of the links that were visited, summed up."""
        self.rewards = np.zeros(64)
        self.credits = np.zeros(64)
        self.luck = np.zeros(64)
        """Drawn: the factor, 1 on average, by which a group differs from the one around it."""
        self.own = np.zeros(64)
        """Drawn: what the rewards of a group may have been."""
        self.chance = np.zeros(64)
        """Of a waiting link, the best that was looked at; for the leaves alone."""
        self.extensions = np.zeros(64, dtype=np.intp)
        self.hosts = np.zeros(64, dtype=np.intp)
        """The numbers of their links' extension and host; for the leaves alone."""
        self.emptied = np.zeros(64, dtype=np.intp)
        """1 where the files of pages were collected without them; for the leaves alone."""

    def __len__(self) -> int:
        return len(self._numbers)

    def find(self, parent: int, name: str) -> int | None:
        return self._numbers.get((parent, name))

    def add(self, parent: int, name: str) -> int:
        number = self._numbers[(parent, name)] = len(self._numbers)
        while number >= len(self.parents):
            for column in (*_COLUMNS, *_NUMBERS):
                numbers = getattr(self, column)
                setattr(self, column, np.concatenate([numbers, np.zeros_like(numbers)]))
        self.parents[number] = parent
        return number

    def yields(self, around: NDArray[np.float64], weight: float) -> NDArray[np.float64]:
        """The drawn yield of each group, from those of the groups around."""
        size = len(self)
        yields: NDArray[np.float64] = around.take(self.parents[:size])
        yields *= self.luck[:size]
        yields *= weight
        yields += self.own[:size]
        yields /= self.chances[:size] + weight
        return yields

    def credited(self, around: NDArray[np.float64], weight: float) -> NDArray[np.float64]:
        """The credit of a visit to each group, from those of the groups around."""
        size = len(self)
        credited: NDArray[np.float64] = around.take(self.parents[:size])
        credited *= weight
        credited += self.credits[:size]
        credited /= self.visits[:size] + weight
        return credited

    def next_in_turn(self, count: int) -> slice:
        """The next groups to be drawn anew; after the last comes the first, with the next turn."""
        begin = self._turn if self._turn < len(self) else 0
        self._turn = min(begin + count, len(self))
        return slice(begin, self._turn)

    def snapshot(self) -> dict[str, Any]:
        size = len(self)
        return {
            "names": [name for _, name in self._numbers],
            "turn": self._turn,
            **{column: array("q", getattr(self, column)[:size].tolist()) for column in _NUMBERS},
            **{column: plain(getattr(self, column)[:size]) for column in _COLUMNS},
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.clear()
        for parent, name in zip(state["parents"], state["names"], strict=True):
            self.add(int(parent), name)
        for column in (*_COLUMNS, *_NUMBERS):
            getattr(self, column)[: len(self)] = state[column]
        self._turn = state["turn"]
