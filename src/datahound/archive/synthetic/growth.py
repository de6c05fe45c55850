"""How many hubs, list pages and articles a group of sections has at each level."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from datahound.archive.synthetic.numbers import share_out

_LIST_LENGTH = 20


@dataclass(frozen=True, slots=True)
class Plot:
    """A section before it has pages: its share of them, the level of its front, what it may hold."""

    weight: float
    base: int
    leafy: bool = True


@dataclass(frozen=True, slots=True)
class Shape:
    """A section's pages by level, counted from its front.

    `spine` are pages that lead on: hubs up to index `branch`, then pages of paginated lists.
    `leaves` hang off the spine pages one level above.
    """

    base: int
    spine: tuple[int, ...]
    leaves: tuple[int, ...]
    branch: int


@dataclass(slots=True)
class _Growing:
    plot: Plot
    spine: list[int] = field(default_factory=lambda: [1])
    leaves: list[int] = field(default_factory=lambda: [0])
    branch: int = 0

    def parents(self, level: int) -> int:
        index = level - 1 - self.plot.base
        return self.spine[index] if 0 <= index < len(self.spine) else 0

    def most_spine(self, level: int, fan: int) -> int:
        branching = self.branch == level - 1 - self.plot.base
        return self.parents(level) * (fan if branching else 1)

    def add(self, level: int, spine: int, leaves: int) -> None:
        if not self.parents(level):
            return
        if spine > self.spine[-1]:
            self.branch = level - self.plot.base
        self.spine.append(spine)
        self.leaves.append(leaves)

    def shape(self) -> Shape:
        return Shape(self.plot.base, tuple(self.spine), tuple(self.leaves), self.branch)


def grow(plots: Sequence[Plot], pages: int, shares: Sequence[float], fan: int) -> list[Shape]:
    """Shapes with exactly this many pages in all, spread over the levels as near to the shares
    as pages with at most `fan` articles and `fan` hubs can be.
    """
    growing = [_Growing(plot) for plot in plots]
    left = pages - len(plots)
    demand = _demand(left, shares, fan)
    peaks = _peaks(demand)
    due, level = 0.0, 1
    while left > 0:
        due += demand[level] if level < len(demand) else 0.0
        wanted = left if level >= len(demand) else max(0, int(due + 0.5))
        spine, leaves = _level(growing, level, min(left, wanted), left, peaks, demand, fan)
        for section, s, f in zip(growing, spine, leaves, strict=True):
            section.add(level, s, f)
        left -= sum(spine) + sum(leaves)
        due -= sum(leaves)
        level += 1
    return [section.shape() for section in growing]


def _level(
    growing: Sequence[_Growing],
    level: int,
    wanted: int,
    left: int,
    peaks: Sequence[float],
    demand: Sequence[float],
    fan: int,
) -> tuple[list[int], list[int]]:
    weights = [section.plot.weight for section in growing]
    room = [section.parents(level) * fan if section.plot.leafy else 0 for section in growing]
    carried = max(0, wanted - sum(room))
    ahead = max(_at(peaks, level + 2), _at(demand, level + 1) + carried)
    lists = min(left, _lists(ahead, fan))
    spine = share_out(lists, weights, [section.most_spine(level, fan) for section in growing])
    leaves = share_out(min(wanted, left - sum(spine)), weights, room)
    return spine, leaves


def _demand(pages: int, shares: Sequence[float], fan: int) -> list[float]:
    """Articles wanted at each level, when the lists that lead there are paid for."""
    peaks = _peaks([share * pages for share in shares])
    lists = sum(_lists(peak, fan) for peak in peaks[2:])
    articles = max(pages - lists, pages // 3)
    return [share * articles for share in shares]


def _lists(articles: float, fan: int) -> int:
    return math.ceil(articles / min(fan, _LIST_LENGTH))


def _peaks(demand: Sequence[float]) -> list[float]:
    """The highest demand from each level on."""
    peaks = list(demand)
    for level in range(len(peaks) - 2, -1, -1):
        peaks[level] = max(peaks[level], peaks[level + 1])
    return peaks


def _at(values: Sequence[float], index: int) -> float:
    return values[index] if index < len(values) else 0.0
