"""Thompson sampling over groups within groups: which kinds of links lead to targets, and where.

A link belongs to an action (links with similar tag paths), within it to a section of the site, and
within that to a place, mostly its directory. The groups of `hound` are these places.
"""

from array import array
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from datahound.learn.arrays import plain, rank_highest
from datahound.settings import HoundSettings
from datahound.strategies.hound.endpoints import EndpointArms

_MIN_SHAPE = 1e-3
"""A Gamma distribution needs a shape above 0."""
_FIRST_RATE = 1.0
"""Targets per visit that are assumed at first; they count as one visit."""
_EVEN = 0.5
"""The chance of a link of which nothing is known."""
_MAX_SECTIONS = 8192
"""Sections met later share one per action, so that a large site does not make choices slow."""
_MAX_NAMES = 1024
"""Extensions, and hosts, that are distinguished; those met later share one number."""
_RESAMPLE_EVERY = 4
"""Choices between two samples of all groups; to sample at every choice would be slow."""


class Sample(NamedTuple):
    """A group's score for a link, as sampled: per_chance · chance(link) + credit."""

    group: int
    per_chance: float
    credit: float

    def score(self, chance: float) -> float:
        return self.per_chance * chance + self.credit


class GroupBandit:
    """Estimates the targets that a link brings, from its group and from its own chance.

    Each level has, per group g: visits V_g, the chances of the visited links summed up C_g,
    rewards R_g and credits K_g; V, C, R and K are those of the whole site. With k = prior_weight,
    w = k · C / V and p the group around g (at the top: the site, with y = R / C and c = K / V),

        y_g = (w · L_g · y_p + G_g) / (w + C_g)      targets per expected target
        c_g = (k · c_p + K_g) / (k + V_g)            credit per visit
        score(link) = page_share · (y_g · chance(link) + c_g)

    Rewards are taken for Poisson and yields for Gamma variables, so a sample of the posterior is
    the sum of L_g ~ Gamma(s) / s with s = k · R / V, the part of the group around g, and of
    G_g ~ Gamma(R_g), the part of g itself (0 without rewards). For the mean, L_g = 1 and
    G_g = R_g. page_share is the share of links that were pages: that of the extension times that
    of the host.
    """

    def __init__(self, seed: int, settings: HoundSettings | None = None) -> None:
        self._settings = settings or HoundSettings()
        self._generator = np.random.default_rng(seed)
        self._actions, self._sections, self._places = _Level(), _Level(), _Level()
        self._inner: list[int] = []
        """The groups of links, without those of `add_outsider`."""
        self._choices = 0
        # As if one link had been visited, so that no rate divides by 0.
        self._visits, self._chances, self._rewards, self._credits = 1.0, _EVEN, _FIRST_RATE, 0.0
        self._extensions, self._hosts = _PageShares(), _PageShares()
        self.endpoints = EndpointArms()

    def __len__(self) -> int:
        return len(self._places)

    def find_group(self, action: str, section: str, place: str, extension: str = "") -> int:
        """The group of an extension in a place, a section and an action; made if it is new.

        A place is a directory, or a page that links to many. A section begins with its host.
        """
        number, extension = self._extensions.find(extension)
        top = self._find(self._actions, -1, action)
        name = section + extension
        # Beyond the bound, new sections share one group per extension; the known ones stay.
        if len(self._sections) >= _MAX_SECTIONS and (top, name) not in self._sections:
            name = extension
        middle = self._find(self._sections, top, name)
        name = place + extension
        is_full = len(self._inner) >= self._settings.max_groups
        if is_full and (middle, name) not in self._places:
            name = extension
        group = self._find(self._places, middle, name)
        if not self._inner or group > self._inner[-1]:
            self._inner.append(group)
        self._places.extensions[group] = number
        self._places.hosts[group], _ = self._hosts.find(section.partition("/")[0])
        return group

    def add_outsider(self, name: str) -> int:
        """Add a group for links that are chosen by other rules, and return its number."""
        # Each outsider has its own parent below 0, so that names cannot clash.
        return self._places.add(-1 - len(self._places), name)

    def take_turn(self, begin: int, count: int) -> tuple[list[int], int]:
        """The next `count` groups from a place in their order, and the place of the next turn."""
        # Outsiders take no turn: a useless request to an API must not change later choices.
        begin %= max(len(self._inner), 1)
        turn = self._inner[begin : begin + count]
        return turn, begin + len(turn)

    def rank_groups(
        self, awake: NDArray[np.bool_], count: int, under_way: Mapping[int, int] | None = None
    ) -> list[Sample]:
        """The groups with the highest sampled scores among those awake, best first.

        A group is judged by the best chance that was noted for its links. Visits under way count as
        visits without a reward.
        """
        awake = awake[: len(self)]
        size = len(awake)
        self._choices += 1
        # Between two samples, `learn` samples again for the groups whose rewards changed.
        if self._choices % _RESAMPLE_EVERY == 0:
            self._sample_all(awake)
        if not len(self._actions):  # there are none but outsiders
            return []
        yields, credit = np.array([self._yield]), np.array([self._credits / self._visits])
        for level, extra in zip(self._levels, self._count_under_way(under_way or {}), strict=True):
            yields = level.mix_yields(yields, self._weight, extra)
            credit = level.mix_credits(credit, self._settings.prior_weight, extra)
        shares = self._extensions.shares.take(self._places.extensions[:size])
        shares *= self._hosts.shares.take(self._places.hosts[:size])
        scores = yields[:size] * self._places.best_chance[:size] + credit[:size]
        scores *= shares
        # Real scores are at least 0, and `rank_highest` leaves out those below.
        scores[~awake] = -1.0
        best = rank_highest(scores, count)
        sampled = np.array([yields[best], credit[best]]) * shares[best]
        found = zip(best.tolist(), sampled.T.tolist(), strict=True)
        return [Sample(group, *sample) for group, sample in found]

    def expect(self, group: int) -> Sample:
        """The mean of a group's posterior, in place of a sample."""
        mean, weight = self._yield, self._weight
        credit = self._credits / self._visits
        prior = self._settings.prior_weight
        for level, i in self._path(group):
            mean = (mean * weight + level.rewards[i]) / (weight + level.chances[i])
            credit = (credit * prior + level.credits[i]) / (prior + level.visits[i])
        share = self._extensions.shares[self._places.extensions[group]]
        share *= self._hosts.shares[self._places.hosts[group]]
        return Sample(group, float(mean * share), float(credit * share))

    def note_chance(self, group: int, chance: float) -> None:
        """Set the best chance among those of a group's links that were looked at."""
        self._places.best_chance[group] = chance

    def raise_chance(self, group: int, chance: float) -> None:
        """Raise the best chance of a group for a new link, if that has a higher one."""
        self._places.best_chance[group] = max(self._places.best_chance[group], chance)

    def learn(
        self,
        group: int,
        reward: float,
        *,
        chance: float = _EVEN,
        credit: float = 0.0,
        is_page: bool = True,
    ) -> None:
        """Learn the reward of a visited link; the credit is for targets that its page leads to."""
        self._extensions.learn(int(self._places.extensions[group]), is_page=is_page)
        self._hosts.learn(int(self._places.hosts[group]), is_page=is_page)
        self._visits += 1
        self._chances += chance
        self._rewards += reward
        self._credits += credit
        for level, i in self._path(group):
            level.visits[i] += 1
            level.chances[i] += chance
            level.rewards[i] += reward
            level.credits[i] += credit
            self._sample_one(level, i)

    def add_credit(self, group: int, credit: float) -> None:
        """Add credit for a page of the group that led to more targets than it had promised."""
        self._credits += credit
        for level, i in self._path(group):
            level.credits[i] += credit

    @property
    def rate(self) -> float:
        """The site's targets per visit."""
        return self._rewards / self._visits

    def count_evidence(self, group: int) -> list[tuple[float, float]]:
        """Visits and rewards of a group's action, of its section and of itself."""
        return [(float(level.visits[i]), float(level.rewards[i])) for level, i in self._path(group)]

    def snapshot(self) -> dict[str, Any]:
        return {
            **{str(number): level.snapshot() for number, level in enumerate(self._levels)},
            "extensions": self._extensions.snapshot(),
            "hosts": self._hosts.snapshot(),
            "choices": self._choices,
            "site": [self._visits, self._chances, self._rewards, self._credits],
            "generator": self._generator.bit_generator.state,
        }

    def restore(self, state: dict[str, Any]) -> None:
        for number, level in enumerate(self._levels):
            level.restore(state[str(number)])
        self._inner = (self._places.parents[: len(self._places)] >= 0).nonzero()[0].tolist()
        self._extensions.restore(state["extensions"])
        self._hosts.restore(state["hosts"])
        self._choices = state["choices"]
        self._visits, self._chances, self._rewards, self._credits = state["site"]
        # With its random numbers, a resumed crawl makes the choices that it would have made.
        self._generator.bit_generator.state = state["generator"]

    @property
    def _levels(self) -> "tuple[_Level, _Level, _Level]":
        return self._actions, self._sections, self._places

    @property
    def _yield(self) -> float:
        return self._rewards / self._chances

    @property
    def _weight(self) -> float:
        return self._settings.prior_weight * self._chances / self._visits

    @property
    def _shape(self) -> float:
        return max(self.rate * self._settings.prior_weight, _MIN_SHAPE)

    def _path(self, group: int) -> "tuple[tuple[_Level, int], ...]":
        section = int(self._places.parents[group])
        action = int(self._sections.parents[section])
        return (self._actions, action), (self._sections, section), (self._places, group)

    def _count_under_way(self, under_way: Mapping[int, int]) -> "tuple[dict[int, int], ...]":
        """Visits under way of the groups of each level."""
        counts: tuple[dict[int, int], ...] = ({}, {}, {})
        for group, visits in under_way.items():
            # An outsider, such as an endpoint, belongs to no section.
            if self._places.parents[group] < 0:
                continue
            for of_level, (_, i) in zip(counts, self._path(group), strict=True):
                of_level[i] = of_level.get(i, 0) + visits
        return counts

    def _find(self, level: "_Level", parent: int, name: str) -> int:
        if (parent, name) in level:
            return level.find(parent, name)
        number = level.add(parent, name)
        self._sample_one(level, number)
        return number

    def _sample_one(self, level: "_Level", i: int) -> None:
        """Sample one group; numpy draws single numbers much faster than arrays of one."""
        shape = self._shape
        level.around[i] = self._generator.standard_gamma(shape) / shape
        rewards = float(level.rewards[i])
        level.own[i] = self._generator.standard_gamma(rewards) if rewards else 0.0

    def _sample_all(self, awake: NDArray[np.bool_]) -> None:
        shape = self._shape
        groups = np.arange(len(self._actions)), np.arange(len(self._sections)), awake.nonzero()[0]
        for level, some in zip(self._levels, groups, strict=True):
            level.around[some] = self._generator.standard_gamma(shape, len(some)) / shape
            rich = some[level.rewards[some] > 0]
            level.own[rich] = self._generator.standard_gamma(level.rewards[rich])


class _Level:
    """The groups of one level, by number: columns of what was counted and sampled."""

    _COUNTS = ("visits", "chances", "rewards", "credits", "around", "own", "best_chance")
    _NUMBERS = ("parents", "extensions", "hosts")

    def __init__(self) -> None:
        self._groups: dict[tuple[int, str], int] = {}
        """By the number of the group around each, and its name within that."""
        self.parents = np.zeros(16, np.intp)
        self.visits, self.chances, self.rewards, self.credits = np.zeros((4, 16))
        self.around, self.own = np.zeros((2, 16))
        """L and G, as sampled last."""
        self.best_chance = np.zeros(16)
        self.extensions, self.hosts = np.zeros((2, 16), np.intp)
        """Like `best_chance`, only used for places."""

    def __len__(self) -> int:
        return len(self._groups)

    def __contains__(self, group: tuple[int, str]) -> bool:
        return group in self._groups

    def find(self, parent: int, name: str) -> int:
        return self._groups[parent, name]

    def add(self, parent: int, name: str) -> int:
        number = self._groups[parent, name] = len(self._groups)
        if number == len(self.parents):
            for column in (*self._COUNTS, *self._NUMBERS):
                values = getattr(self, column)
                setattr(self, column, np.concatenate([values, np.zeros_like(values)]))
        self.parents[number] = parent
        return number

    def mix_yields(
        self, outer: NDArray[np.float64], weight: float, under_way: Mapping[int, int]
    ) -> NDArray[np.float64]:
        """y_g for all groups, from those of the groups around them."""
        size = len(self)
        yields: NDArray[np.float64] = outer.take(self.parents[:size], mode="wrap")
        yields *= self.around[:size]
        yields *= weight
        yields += self.own[:size]
        chances = self.chances[:size] + weight
        for group, visits in under_way.items():
            # The chances of links under way are not known here.
            chances[group] += visits * _EVEN
        yields /= chances
        return yields

    def mix_credits(
        self, outer: NDArray[np.float64], weight: float, under_way: Mapping[int, int]
    ) -> NDArray[np.float64]:
        """c_g for all groups, from those of the groups around them."""
        size = len(self)
        credit: NDArray[np.float64] = outer.take(self.parents[:size], mode="wrap")
        credit *= weight
        credit += self.credits[:size]
        visits = self.visits[:size] + weight
        for group, count in under_way.items():
            visits[group] += count
        credit /= visits
        return credit

    def snapshot(self) -> dict[str, Any]:
        size = len(self)
        numbers = {name: array("q", getattr(self, name)[:size].tolist()) for name in self._NUMBERS}
        counts = {name: plain(getattr(self, name)[:size]) for name in self._COUNTS}
        return {"names": [name for _, name in self._groups], **numbers, **counts}

    def restore(self, state: dict[str, Any]) -> None:
        for parent, name in zip(state["parents"], state["names"], strict=True):
            self.add(int(parent), name)
        for column in (*self._COUNTS, *self._NUMBERS):
            getattr(self, column)[: len(self)] = state[column]


class _PageShares:
    """Per extension, or per host: the share of its links that were pages.

    share = (pages + 1) / (visits + 1), so 1 before the first visit.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {"": 0}
        self._visits, self._pages = np.zeros((2, 16))
        self.shares = np.ones(16)

    def find(self, name: str) -> tuple[int, str]:
        """The number of an extension or a host, and the name that it counts under."""
        number = self._numbers.get(name)
        if number is None:
            number = len(self._numbers)
            if number >= _MAX_NAMES:
                return 0, ""  # shared by all further names
            self._numbers[name] = number
            if number == len(self.shares):
                self._visits = np.concatenate([self._visits, np.zeros_like(self._visits)])
                self._pages = np.concatenate([self._pages, np.zeros_like(self._pages)])
                self.shares = np.concatenate([self.shares, np.ones_like(self.shares)])
        return number, name

    def learn(self, number: int, *, is_page: bool) -> None:
        self._visits[number] += 1
        self._pages[number] += is_page
        self.shares[number] = (self._pages[number] + 1) / (self._visits[number] + 1)

    def snapshot(self) -> dict[str, Any]:
        size = len(self._numbers)
        return {
            "names": list(self._numbers),
            "visits": plain(self._visits[:size]),
            "pages": plain(self._pages[:size]),
        }

    def restore(self, state: dict[str, Any]) -> None:
        for name in state["names"]:
            self.find(name)
        self._visits[: len(self._numbers)] = state["visits"]
        self._pages[: len(self._numbers)] = state["pages"]
        self.shares = (self._pages + 1) / (self._visits + 1)
