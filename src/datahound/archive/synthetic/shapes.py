"""How many pages and files lie at each level: shares by depth, and shapes of sections."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from datahound.archive.synthetic.numbers import share_out

_DEEP = 20
_WIDE = 0.7
# Files per page at most: without a bound a shallow level would take them all.
_FULL = 60
# Items on a page of a listing, if the settings do not need more.
_LIST_LENGTH = 20
# Search results lead nowhere: a few levels of them are enough of a trap.
_BARREN_STEPS = 3
# The number of list pages depends on the articles, and the reverse; three rounds settle it.
_TRIES = 3


def level_shares(mean: float, std: float) -> list[float]:
    """The share of each level, home being level 0, with exactly this mean and about this spread.

    A bell skewed to the deep side. Where nearly all depth comes from paging through lists of
    one length, every level has the same share.
    """
    mean, std = max(1.0, mean), max(0.3, std)
    # Such depth comes from paging through long lists, where every page is as deep as it is far.
    if mean > _DEEP and std < _WIDE * mean:
        return _shifted([0.0] + [1.0] * max(1, round(2 * mean) - 1), mean)
    deepest = max(2, math.ceil(mean + (4.5 if std > _WIDE * mean else 3.5) * std))
    power = ((mean - 0.5) / std) ** 2 - 1
    if std > _WIDE * mean:
        power = -_root(lambda p: _std(_bell(-p, deepest, mean)) - std, -2.0, 4.0, 10)
    return _bell(power, deepest, mean)


def _bell(power: float, deepest: int, mean: float) -> list[float]:
    logs = [power * math.log((level - 0.5) / mean) for level in range(1, deepest + 1)]
    fall = (power + 1) / mean if power > -1 else 0.0
    tops = [log - fall * level for level, log in enumerate(logs, 1)]
    top = max(tops)
    return _shifted([0.0] + [math.exp(log - top) for log in tops], mean)


def _std(shares: Sequence[float]) -> float:
    mean = sum(level * share for level, share in enumerate(shares))
    return math.sqrt(sum((level - mean) ** 2 * share for level, share in enumerate(shares)))


def holders_by_level(holders: int, shares: Sequence[float], room: Sequence[int]) -> list[int]:
    """How many pages of each level hold files, as close to the shares as the room allows."""
    placed = [0] * len(room)
    wanted = 0.0
    for level, most in enumerate(room):
        wanted += holders * (shares[level] if level < len(shares) else 0.0)
        placed[level] = min(most, int(wanted + 0.5) if wanted > 0 else 0)
        wanted -= placed[level]
    left = holders - sum(placed)
    for level in sorted(range(len(room)), key=lambda level: (-placed[level], level)):
        extra = min(left, room[level] - placed[level])
        placed[level] += extra
        left -= extra
    return placed


def files_by_level(
    files: int, holders: Sequence[int], shares: Sequence[float], mean: float
) -> list[int]:
    """How many files the pages of each level hold, so that their mean level is as asked."""
    spare = files - sum(holders)
    levels = [level for level, number in enumerate(holders) if number]
    if spare <= 0 or not levels:
        return list(holders)
    base = [
        min(
            _share(shares, level) + 1e-3 * holders[level] / sum(holders),
            holders[level] * _FULL / files,
        )
        for level in levels
    ]
    fixed = sum(level * holders[level] for level in levels)
    wanted = (mean * files - fixed) / spare
    weights = _tilted(base, levels, wanted)
    placed = list(holders)
    running = done = 0.0
    for level, weight in zip(levels, weights, strict=True):
        running += weight
        extra = round(spare * running) - done
        placed[level] += int(extra)
        done += extra
    return placed


def mean_level(numbers: Sequence[float]) -> float:
    """The mean index, weighted by the numbers."""
    return sum(i * number for i, number in enumerate(numbers)) / (sum(numbers) or 1)


def _share(shares: Sequence[float], level: int) -> float:
    return shares[level] if level < len(shares) else 0.0


def _shifted(weights: Sequence[float], mean: float) -> list[float]:
    return _tilted(weights, range(len(weights)), mean)


def _tilted(weights: Sequence[float], values: Sequence[int], mean: float) -> list[float]:
    """The weights times exp(t·value), t chosen so that the mean value is as asked, or as near."""
    middle = values[len(values) // 2]

    def at(t: float) -> list[float]:
        raw = [
            # exp overflows above 709.
            w * math.exp(max(-600.0, min(600.0, t * (v - middle))))
            for w, v in zip(weights, values, strict=True)
        ]
        total = sum(raw)
        return [x / total for x in raw]

    def mean_at(t: float) -> float:
        return sum(w * v for w, v in zip(at(t), values, strict=True))

    return at(_root(lambda t: mean_at(t) - mean, -8.0, 8.0, 32))


def _root(rising: Callable[[float], float], low: float, high: float, halvings: int) -> float:
    # Bisection: the functions are monotonic and a float has few digits to find.
    for _ in range(halvings):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2


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


def grow_shapes(
    plots: Sequence[Plot], pages: int, shares: Sequence[float], fan: int
) -> list[Shape]:
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
