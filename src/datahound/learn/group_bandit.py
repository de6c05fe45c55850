"""Thompson sampling over groups within groups: learns which kinds of links lead to targets, where.

A link belongs to an action (links with similar tag paths), within it to a section of the site, and
within that to a directory. Each of the three has a yield: the targets that its visits brought, for
each that was to be expected from what could be seen of the links (their chances). The prior of a
group's yield is what was drawn for the group around it, and at the top the yield of the whole site.
What is no page leads nowhere; how many of an extension's links are pages is counted over the site.
"""

from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datahound.learn.plain import plain
from datahound.settings import GroupSettings

_TINY = 1e-3
_ASLEEP = -1.0
_EVEN = 0.5
"""The chance of a link of which nothing is known."""
_MOST_SECTIONS = 8192
"""Those met later are one in each action, so that no site can make choices slow."""
_MOST_EXTENSIONS = 1024
"""Those met later are taken for none."""
_COLUMNS = ("visits", "chances", "rewards", "credits", "luck", "own", "chance")
_NUMBERS = ("parents", "extensions")


class GroupBandit:
    """Says what to expect of a link, by its group and by the chance that it has of its own.

    Rewards are taken for Poisson, yields for Gamma. What was seen is forgotten little by little,
    since groups run dry. A group's posterior is the sum of two Gammas, one for what the group
    around it says and one for what it says itself; luck is drawn anew for a few groups at each
    choice, in turn, while what was learned tells at once. Credits are for what pages led to; they
    are averaged in the same groups, and nothing about them is drawn.
    """

    def __init__(self, seed: int, settings: GroupSettings | None = None) -> None:
        self._settings = settings or GroupSettings()
        self._generator = np.random.default_rng(seed)
        self.actions = _Level()
        self.sections = _Level()
        self.leaves = _Level()
        self._visits, self._chances = 1.0, _EVEN
        self._rewards, self._credits = self._settings.first_rate, 0.0
        self._yields: NDArray[np.float64] = np.zeros(0)
        """What was drawn for the leaves, last."""
        self._credited: NDArray[np.float64] = np.zeros(0)
        self._extensions = _Extensions()

    def group(self, action: int, section: str, directory: str, extension: str = "") -> int:
        """The leaf of an extension in a directory, a section and an action; made if it is new."""
        number, extension = self._extensions.find(extension)
        top = self._find(self.actions, -1, str(action))
        name = section + extension
        if len(self.sections) >= _MOST_SECTIONS and self.sections.find(top, name) is None:
            name = extension
        middle = self._find(self.sections, top, name)
        name = directory + extension
        is_full = len(self.leaves) >= self._settings.max_groups
        if is_full and self.leaves.find(middle, name) is None:
            name = extension
        leaf = self._find(self.leaves, middle, name)
        self.leaves.extensions[leaf] = number
        return leaf

    def draw(self) -> list[int]:
        """Draw anew what luck has to say of some groups; the leaves among them."""
        drawn: NDArray[np.float64] | float = self.yield_
        credited: NDArray[np.float64] | float = self._credits / self._visits
        turn = np.zeros(0, dtype=np.intp)
        for level in self._levels:
            turn = level.next_in_turn(self._settings.draws)
            self._draw(level, turn)
            drawn = level.yields(drawn, self._weight)
            credited = level.credited(credited, self._settings.credit_weight)
        self._yields, self._credited = np.atleast_1d(drawn), np.atleast_1d(credited)
        return [int(leaf) for leaf in turn]

    def best(self, awake: NDArray[np.bool_], count: int) -> list[tuple[int, float]]:
        """The leaves that promise most as they were drawn, best first; those asleep left out."""
        size = min(len(awake), len(self.leaves))
        rates = self._yields[:size] * self.leaves.chance[:size] + self._credited[:size]
        rates *= self._share_of_pages(slice(size))
        rates[~awake[:size]] = _ASLEEP
        count = min(count, size)
        leaves = np.argpartition(-rates, count - 1)[:count] if count else np.zeros(0, np.intp)
        leaves = leaves[np.argsort(-rates[leaves], kind="stable")]
        return [(int(leaf), float(rates[leaf])) for leaf in leaves if rates[leaf] != _ASLEEP]

    def drawn(self, leaf: int, chance: float) -> float:
        """What was drawn for a link of a leaf, last."""
        drawn = self._yields[leaf] * chance + self._credited[leaf]
        return float(drawn * self._share_of_pages(leaf))

    def expect(self, leaf: int, chance: float) -> float:
        """The targets that a link of a leaf will bring on average, or lead to."""
        by_chance, credit = self.outlook(leaf)
        return by_chance * chance + credit

    def outlook(self, leaf: int) -> tuple[float, float]:
        """What a leaf is expected to yield for a link's chance, and its credit in any case."""
        drawn, weight = self.yield_, self._weight
        credit = self._credits / self._visits
        prior = self._settings.credit_weight
        for level, group in zip(self._levels, self._path(leaf), strict=True):
            drawn = (drawn * weight + level.rewards[group]) / (weight + level.chances[group])
            credit = (credit * prior + level.credits[group]) / (prior + level.visits[group])
        pages = self._share_of_pages(leaf)
        return float(drawn * pages), float(credit * pages)

    def note_chance(self, leaf: int, chance: float, *, at_least: bool = False) -> None:
        """The best chance among a leaf's links, as far as they were looked at."""
        known = self.leaves.chance[leaf] if at_least else 0.0
        self.leaves.chance[leaf] = max(known, chance)

    def learn(
        self,
        leaf: int,
        reward: float,
        *,
        chance: float = _EVEN,
        credit: float = 0.0,
        is_page: bool = True,
    ) -> None:
        """A link with such a chance brought so many targets; the credit is for what it led to."""
        self._extensions.learn(int(self.leaves.extensions[leaf]), is_page=is_page)
        kept = self._settings.site_memory
        self._visits = self._visits * kept + 1
        self._chances = self._chances * kept + chance
        self._rewards = self._rewards * kept + reward
        self._credits = self._credits * kept + credit
        kept = self._settings.memory
        for level, group in zip(self._levels, self._path(leaf), strict=True):
            level.visits[group] = level.visits[group] * kept + 1
            level.chances[group] = level.chances[group] * kept + chance
            level.rewards[group] = level.rewards[group] * kept + reward
            level.credits[group] = level.credits[group] * kept + credit
            self._draw_one(level, group)

    @property
    def rate(self) -> float:
        """The site's targets a visit, of late."""
        return self._rewards / self._visits

    @property
    def yield_(self) -> float:
        """The site's targets for each that was to be expected."""
        return self._rewards / self._chances

    def evidence(self, leaf: int) -> list[tuple[float, float]]:
        """Visits and rewards remembered of a leaf's action, section and directory."""
        path = zip(self._levels, self._path(leaf), strict=True)
        return [(float(level.visits[i]), float(level.rewards[i])) for level, i in path]

    def snapshot(self) -> dict[str, Any]:
        return {
            **{str(number): level.snapshot() for number, level in enumerate(self._levels)},
            "extensions": self._extensions.snapshot(),
            "site": [self._visits, self._chances, self._rewards, self._credits],
            "generator": self._generator.bit_generator.state,
        }

    def restore(self, state: dict[str, Any]) -> None:
        for number, level in enumerate(self._levels):
            level.restore(state[str(number)])
        self._extensions.restore(state["extensions"])
        self._visits, self._chances, self._rewards, self._credits = state["site"]
        self._generator.bit_generator.state = state["generator"]

    @property
    def _levels(self) -> "tuple[_Level, _Level, _Level]":
        return self.actions, self.sections, self.leaves

    def _path(self, leaf: int) -> tuple[int, int, int]:
        section = int(self.leaves.parents[leaf])
        return int(self.sections.parents[section]), section, leaf

    def _share_of_pages(self, leaves: int | slice) -> Any:
        return self._extensions.pages[self.leaves.extensions[leaves]]

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

    @property
    def _weight(self) -> float:
        """What the group around a group counts for, in chances."""
        return self._settings.prior_weight * self._chances / self._visits

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
        """The numbers of their links' extension; for the leaves alone."""

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

    def yields(self, around: NDArray[np.float64] | float, weight: float) -> NDArray[np.float64]:
        """The drawn yield of each group, from those of the groups around them."""
        size = len(self)
        prior = self._of_parents(around) * weight * self.luck[:size]
        yields: NDArray[np.float64] = (prior + self.own[:size]) / (weight + self.chances[:size])
        return yields

    def credited(self, around: NDArray[np.float64] | float, weight: float) -> NDArray[np.float64]:
        """The credit of a visit to each group, from those of the groups around them."""
        size = len(self)
        prior = self._of_parents(around) * weight
        credited: NDArray[np.float64] = (prior + self.credits[:size]) / (
            weight + self.visits[:size]
        )
        return credited

    def _of_parents(self, around: NDArray[np.float64] | float) -> NDArray[np.float64] | float:
        return around if isinstance(around, float) else around[self.parents[: len(self)]]

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


class _Extensions:
    """For each extension: the share of its links that turned out to be pages, 1 to begin with."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {"": 0}
        self._visits = np.zeros(_MOST_EXTENSIONS)
        self._found = np.zeros(_MOST_EXTENSIONS)
        self.pages = np.ones(_MOST_EXTENSIONS)

    def find(self, extension: str) -> tuple[int, str]:
        """The number of an extension, and what it counts as."""
        number = self._numbers.get(extension)
        if number is None:
            if len(self._numbers) >= _MOST_EXTENSIONS:
                return 0, ""
            number = self._numbers[extension] = len(self._numbers)
        return number, extension

    def learn(self, number: int, *, is_page: bool) -> None:
        self._visits[number] += 1
        self._found[number] += is_page
        self.pages[number] = (self._found[number] + 1) / (self._visits[number] + 1)

    def snapshot(self) -> dict[str, Any]:
        size = len(self._numbers)
        return {
            "names": list(self._numbers),
            "visits": plain(self._visits[:size]),
            "found": plain(self._found[:size]),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._numbers = {name: number for number, name in enumerate(state["names"])}
        self._visits[: len(self._numbers)] = state["visits"]
        self._found[: len(self._numbers)] = state["found"]
        self.pages = (self._found + 1) / (self._visits + 1)
