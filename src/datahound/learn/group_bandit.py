"""Thompson sampling over groups within groups: learns which kinds of links lead to targets, where.

A link belongs to an action (links with similar tag paths), within it to a section of the site, and
within that to a directory. Each of the three has a rate of targets a visit, whose prior is the rate
drawn for the group around it, and at the top the rate of the whole site.
"""

from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datahound.learn.plain import plain
from datahound.settings import GroupSettings

_TINY = 1e-3
_ASLEEP = -1.0
_MOST_SECTIONS = 8192
"""Those met later are one in each action, so that no site can make choices slow."""
_COLUMNS = ("visits", "rewards", "luck", "own")


class GroupBandit:
    """Chooses the group with the highest drawn rate among those that are awake.

    Rewards are taken for Poisson, rates for Gamma. What was seen is forgotten little by little,
    since groups run dry. A group's posterior is the sum of two Gammas, one for what the group
    around it says and one for what it says itself; chance is drawn anew for a few groups at each
    choice, in turn, while what was learned tells at once.
    """

    def __init__(self, seed: int, settings: GroupSettings | None = None) -> None:
        self._settings = settings or GroupSettings()
        self._generator = np.random.default_rng(seed)
        self.actions = _Level()
        self.sections = _Level()
        self.leaves = _Level()
        self._visits, self._rewards = 1.0, self._settings.first_rate
        self._rates: NDArray[np.float64] = np.zeros(0)
        """The rates of the leaves at the last choice; below 0 for those asleep."""

    def group(self, action: int, section: str, directory: str) -> int:
        """The leaf of a directory, in a section, under an action; made if it is new."""
        top = self._find(self.actions, -1, str(action))
        if len(self.sections) >= _MOST_SECTIONS and self.sections.find(top, section) is None:
            section = ""
        middle = self._find(self.sections, top, section)
        if len(self.leaves) >= self._settings.max_groups:
            directory = ""
        return self._find(self.leaves, middle, directory)

    def choose(self, awake: NDArray[np.bool_]) -> int | None:
        """The leaf to visit next; None when all sleep, as do those that `awake` does not reach."""
        rates: NDArray[np.float64] | float = self.rate
        for level in self._levels:
            self._draw(level, level.next_in_turn(self._settings.draws))
            rates = level.rates(rates, self._settings.prior_weight)
        assert not isinstance(rates, float)
        rates[: len(awake)][~awake] = _ASLEEP
        rates[len(awake) :] = _ASLEEP
        self._rates = rates
        leaf = int(rates.argmax()) if len(rates) else 0
        return None if not len(rates) or rates[leaf] == _ASLEEP else leaf

    def learn(self, leaf: int, reward: float, credit: float = 0.0) -> None:
        """A visit brought so many targets; the credit is for what its links promise."""
        settings = self._settings
        self._visits = self._visits * settings.site_memory + 1
        self._rewards = self._rewards * settings.site_memory + reward
        for level, group in zip(self._levels, self._path(leaf), strict=True):
            level.visits[group] = level.visits[group] * settings.memory + 1
            level.rewards[group] = level.rewards[group] * settings.memory + reward + credit
            self._draw_one(level, group)

    @property
    def rate(self) -> float:
        """The site's targets a visit, of late."""
        return self._rewards / self._visits

    def expect(self, leaf: int) -> float:
        """The targets that a visit to a leaf will bring, on average."""
        rate, weight = self.rate, self._settings.prior_weight
        for level, group in zip(self._levels, self._path(leaf), strict=True):
            rate = (rate * weight + level.rewards[group]) / (weight + level.visits[group])
        return float(rate)

    def drawn(self, leaf: int) -> float:
        """The rate that a leaf had at the last choice."""
        return float(self._rates[leaf])

    def best(self, count: int) -> list[tuple[int, float]]:
        """The leaves with the highest rates at the last choice."""
        order = np.argsort(-self._rates, kind="stable")[:count]
        return [(int(i), float(self._rates[i])) for i in order if self._rates[i] != _ASLEEP]

    def evidence(self, leaf: int) -> list[tuple[float, float]]:
        """Visits and rewards remembered of a leaf's action, section and directory."""
        path = zip(self._levels, self._path(leaf), strict=True)
        return [(float(level.visits[i]), float(level.rewards[i])) for level, i in path]

    def snapshot(self) -> dict[str, Any]:
        return {
            **{str(number): level.snapshot() for number, level in enumerate(self._levels)},
            "site": [self._visits, self._rewards],
            "generator": self._generator.bit_generator.state,
        }

    def restore(self, state: dict[str, Any]) -> None:
        for number, level in enumerate(self._levels):
            level.restore(state[str(number)])
        self._visits, self._rewards = state["site"]
        self._generator.bit_generator.state = state["generator"]

    @property
    def _levels(self) -> "tuple[_Level, _Level, _Level]":
        return self.actions, self.sections, self.leaves

    def _path(self, leaf: int) -> tuple[int, int, int]:
        section = int(self.leaves.parents[leaf])
        return int(self.sections.parents[section]), section, leaf

    def _find(self, level: "_Level", parent: int, name: str) -> int:
        group = level.find(parent, name)
        if group is None:
            group = level.add(parent, name)
            self._draw_one(level, group)
        return group

    def _draw(self, level: "_Level", groups: NDArray[np.intp]) -> None:
        """Draw anew what chance has to say about some groups."""
        shape = self._shape()
        level.luck[groups] = self._generator.standard_gamma(shape, len(groups)) / shape
        own = np.maximum(level.rewards[groups], _TINY)
        level.own[groups] = self._generator.standard_gamma(own)

    def _draw_one(self, level: "_Level", group: int) -> None:
        """The same for one group, at a fraction of the cost."""
        shape = self._shape()
        level.luck[group] = self._generator.standard_gamma(shape) / shape
        own = max(float(level.rewards[group]), _TINY)
        level.own[group] = self._generator.standard_gamma(own)

    def _shape(self) -> float:
        return max(self.rate * self._settings.prior_weight, _TINY)


class _Level:
    """The groups of one level: the group around each, what was seen of it, what was drawn."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin with no group at all."""
        self._numbers: dict[tuple[int, str], int] = {}
        self._turn = 0
        self.parents = np.zeros(64, dtype=np.intp)
        self.visits = np.zeros(64)
        self.rewards = np.zeros(64)
        self.luck = np.zeros(64)
        """Drawn: the factor, 1 on average, by which a group differs from the one around it."""
        self.own = np.zeros(64)
        """Drawn: what the rewards of a group may have been."""

    def __len__(self) -> int:
        return len(self._numbers)

    def find(self, parent: int, name: str) -> int | None:
        return self._numbers.get((parent, name))

    def add(self, parent: int, name: str) -> int:
        number = self._numbers[(parent, name)] = len(self._numbers)
        while number >= len(self.parents):
            self.parents = np.concatenate([self.parents, np.zeros_like(self.parents)])
            for column in _COLUMNS:
                numbers = getattr(self, column)
                setattr(self, column, np.concatenate([numbers, np.zeros_like(numbers)]))
        self.parents[number] = parent
        return number

    def rates(self, around: NDArray[np.float64] | float, weight: float) -> NDArray[np.float64]:
        """The drawn rate of each group, from the rates of the groups around them."""
        size = len(self)
        if not isinstance(around, float):
            around = around[self.parents[:size]]
        prior = around * weight * self.luck[:size]
        rates: NDArray[np.float64] = (prior + self.own[:size]) / (weight + self.visits[:size])
        return rates

    def next_in_turn(self, count: int) -> NDArray[np.intp]:
        """The next groups to be drawn anew; after the last comes the first."""
        size = len(self)
        if size <= count:
            return np.arange(size)
        groups = np.arange(self._turn, self._turn + count) % size
        self._turn = (self._turn + count) % size
        return groups

    def snapshot(self) -> dict[str, Any]:
        size = len(self)
        return {
            "names": [name for _, name in self._numbers],
            "parents": array("q", self.parents[:size].tolist()),
            "turn": self._turn,
            **{column: plain(getattr(self, column)[:size]) for column in _COLUMNS},
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.clear()
        for parent, name in zip(state["parents"], state["names"], strict=True):
            self.add(int(parent), name)
        for column in _COLUMNS:
            getattr(self, column)[: len(self)] = state[column]
        self._turn = state["turn"]
