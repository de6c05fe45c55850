"""How many hubs, list pages and articles a group of sections has at each level."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from datahound.archive.synthetic.numbers import share_out

_LIST_LENGTH = 20
_BARREN_STEPS = 3
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Plot:
    """A section before it has pages: their share, its front's level, whether it has articles."""

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
        if not self.plot.leafy and level > self.plot.base + _BARREN_STEPS:
            return 0
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
    """Shapes with exactly this many pages in all, spread over the levels nearly as the shares say.

    A page has at most `fan` articles and `fan` hubs under it, so that shallow sites have limits.
    """
    left = pages - len(plots)
    lists = left // _LIST_LENGTH
    for _ in range(_TRIES):
        articles = max(left - lists, left // 3)
        growing = [_Growing(plot) for plot in plots]
        _grow(growing, left, [share * articles for share in shares], fan)
        lists = sum(sum(section.spine) for section in growing) - len(plots)
    return [section.shape() for section in growing]


def _grow(growing: Sequence[_Growing], left: int, demand: Sequence[float], fan: int) -> None:
    """Add levels until no page is left; the last level of the demand takes what it can."""
    peaks = _peaks(demand)
    due, level = 0.0, 1
    while left > 0:
        due += _at(demand, level)
        wanted = left if level >= len(demand) - 1 else max(0, int(due + 0.5))
        spine, leaves = _level(growing, level, min(left, wanted), left, peaks, demand, fan)
        for section, s, f in zip(growing, spine, leaves, strict=True):
            section.add(level, s, f)
        left -= sum(spine) + sum(leaves)
        due -= sum(leaves)
        level += 1


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
