"""Thompson sampling over groups within groups: learns which kinds of links lead to targets, where.

A link belongs to an action (links with similar tag paths), within it to a section of the site, and
within that to a place, mostly its directory. Each of the three has a yield: the targets that its
visits brought, for each that was to be expected from what could be seen of the links (their
chances). The prior of a group's yield is what was drawn for the group around it, and at the top the
yield of the whole site. What is no page leads nowhere: the share of links that are pages is counted
over the whole site, for each extension and for each host.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from datahound.settings import GroupSettings
from datahound.strategies.hound.levels import Level
from datahound.strategies.hound.page_shares import PageShares

_TINY = 1e-3
_EVEN = 0.5
"""The chance of a link of which nothing is known."""
_MOST_SECTIONS = 8192
"""Those met later are one in each action, so that no site can make choices slow."""
_TOGETHER = 4
"""Choices for which groups are drawn at once, at a fraction of the cost."""


class GroupBandit:
    """Says what to expect of a link, by its group and by the chance that it has of its own.

    Rewards are taken for Poisson, yields for Gamma. What was seen is forgotten little by little,
    since groups run dry. A group's posterior is the sum of two Gammas, one for what the group
    around it says and one for what it says itself; luck is drawn anew for a few groups, in turn,
    while what was learned tells at once. Credits are for what pages led to; they are averaged in
    the same groups, and nothing about them is drawn.
    """

    def __init__(self, seed: int, settings: GroupSettings | None = None) -> None:
        self._settings = settings or GroupSettings()
        self._generator = np.random.default_rng(seed)
        self.actions = Level()
        self.sections = Level()
        self.leaves = Level()
        self._choices = 0
        """How many there were."""
        self._visits, self._chances = 1.0, _EVEN
        self._rewards, self._credits = self._settings.first_rate, 0.0
        self._drawn: dict[int, list[float]] = {}
        """For the leaves that were best, last: their yields as drawn, and their credits."""
        self._of_extensions, self._of_hosts = PageShares(), PageShares()

    def group(self, action: int | str, section: str, place: str, extension: str = "") -> int:
        """The leaf of an extension in a place, a section and an action; made if it is new.

        A place is a directory, or a page that leads to many. A section's name begins with its host.
        An action that is a name and no number is one of pages emptied: their files were collected
        without them.
        """
        number, extension = self._of_extensions.find(extension)
        top = self._find(self.actions, -1, str(action))
        name = section + extension
        if len(self.sections) >= _MOST_SECTIONS and self.sections.find(top, name) is None:
            name = extension
        middle = self._find(self.sections, top, name)
        name = place + extension
        is_full = len(self.leaves) >= self._settings.max_groups
        if is_full and self.leaves.find(middle, name) is None:
            name = extension
        leaf = self._find(self.leaves, middle, name)
        self.leaves.emptied[leaf] = isinstance(action, str)
        self.leaves.extensions[leaf] = number
        self.leaves.hosts[leaf], _ = self._of_hosts.find(section.partition("/")[0])
        return leaf

    def is_emptied(self, leaf: int) -> bool:
        """Whether the files of a leaf's pages were collected without them."""
        return bool(self.leaves.emptied[leaf])

    def draw(self) -> range:
        """Before a choice: draw anew what luck has to say of some groups; the leaves among them."""
        self._choices += 1
        if self._choices % _TOGETHER != 1:
            return range(0)
        count = self._settings.draws * _TOGETHER
        turns = [level.next_in_turn(count) for level in self._levels]
        rewards = [level.rewards[turn] for level, turn in zip(self._levels, turns, strict=True)]
        own = self._generator.standard_gamma(np.maximum(np.concatenate(rewards), _TINY))
        shape = self._shape()
        luck = self._generator.standard_gamma(shape, len(own)) / shape
        begin = 0
        for level, turn in zip(self._levels, turns, strict=True):
            end = begin + turn.stop - turn.start
            level.own[turn], level.luck[turn] = own[begin:end], luck[begin:end]
            begin = end
        return range(turns[-1].start, turns[-1].stop)

    def best(self, awake: NDArray[np.bool_], count: int) -> list[tuple[int, float]]:
        """The leaves that promise most as they were drawn, best first; those asleep left out.

        Now and then only leaves that were never visited count, if there are any.
        """
        yields, credited = np.array([self.yield_]), np.array([self._credits / self._visits])
        for level in self._levels:
            yields = level.yields(yields, self._weight)
            credited = level.credited(credited, self._settings.credit_weight)
        size = min(len(awake), len(self.leaves))
        awake = awake[:size]
        if self.is_turn_of_unvisited:
            unvisited = awake & (self.leaves.visits[:size] == 0)
            awake = unvisited if unvisited.any() else awake
        pages = self._of_extensions.shares.take(self.leaves.extensions[:size])
        pages *= self._of_hosts.shares.take(self.leaves.hosts[:size])
        rates = yields[:size] * self.leaves.chance[:size]
        rates += credited[:size]
        rates *= pages
        rates[~awake] = -1.0
        places = np.argpartition(-rates, count)[:count] if count < size else np.arange(size)
        places = places[rates[places] >= 0]
        places = places[np.argsort(-rates[places], kind="stable")]
        drawn = np.array([yields[places], credited[places]]) * pages[places]
        self._drawn = dict(zip(places.tolist(), drawn.T.tolist(), strict=True))
        return list(zip(places.tolist(), rates[places].tolist(), strict=True))

    def drawn(self, leaf: int, chance: float) -> float:
        """What was drawn for a link of one of the best leaves, last."""
        by_chance, credit = self._drawn[leaf]
        return by_chance * chance + credit

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
        pages = self._of_extensions.shares[self.leaves.extensions[leaf]]
        pages *= self._of_hosts.shares[self.leaves.hosts[leaf]]
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
        self._of_extensions.learn(int(self.leaves.extensions[leaf]), is_page=is_page)
        self._of_hosts.learn(int(self.leaves.hosts[leaf]), is_page=is_page)
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

    def add_credit(self, leaf: int, credit: float) -> None:
        """A page that was learned of before led to more than was thought."""
        self._credits += credit
        for level, group in zip(self._levels, self._path(leaf), strict=True):
            level.credits[group] += credit

    @property
    def is_turn_of_unvisited(self) -> bool:
        """Whether the choice is among the leaves that were never visited."""
        every = self._settings.unvisited_every
        return every > 0 and self._choices % every == 0

    @property
    def rate(self) -> float:
        """The site's targets a visit, of late."""
        return self._rewards / self._visits

    @property
    def yield_(self) -> float:
        """The site's targets for each that was to be expected."""
        return self._rewards / self._chances

    def evidence(self, leaf: int) -> list[tuple[float, float]]:
        """Visits and rewards remembered of a leaf's action, section and place."""
        path = zip(self._levels, self._path(leaf), strict=True)
        return [(float(level.visits[i]), float(level.rewards[i])) for level, i in path]

    def snapshot(self) -> dict[str, Any]:
        return {
            **{str(number): level.snapshot() for number, level in enumerate(self._levels)},
            "extensions": self._of_extensions.snapshot(),
            "hosts": self._of_hosts.snapshot(),
            "choices": self._choices,
            "site": [self._visits, self._chances, self._rewards, self._credits],
            "generator": self._generator.bit_generator.state,
        }

    def restore(self, state: dict[str, Any]) -> None:
        for number, level in enumerate(self._levels):
            level.restore(state[str(number)])
        self._of_extensions.restore(state["extensions"])
        self._of_hosts.restore(state["hosts"])
        self._choices = state["choices"]
        self._visits, self._chances, self._rewards, self._credits = state["site"]
        self._generator.bit_generator.state = state["generator"]

    @property
    def _levels(self) -> tuple[Level, Level, Level]:
        return self.actions, self.sections, self.leaves

    def _path(self, leaf: int) -> tuple[int, int, int]:
        section = int(self.leaves.parents[leaf])
        return int(self.sections.parents[section]), section, leaf

    def _find(self, level: Level, parent: int, name: str) -> int:
        group = level.find(parent, name)
        if group is None:
            group = level.add(parent, name)
            self._draw_one(level, group)
        return group

    def _draw_one(self, level: Level, group: int) -> None:
        """What `draw` does for many, for one group, at a fraction of the cost."""
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
