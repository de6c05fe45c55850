"""How deep pages and files lie: shares by level, and quotas that give the mean asked for."""

import math
from collections.abc import Callable, Sequence

_DEEP = 20
_WIDE = 0.7
_FULL = 60


def level_shares(mean: float, std: float) -> list[float]:
    """The share of each level, home being level 0, with exactly this mean and about this spread.

    A bell skewed to the deep side. Where nearly all depth comes from paging through lists of
    one length, every level has the same share.
    """
    mean, std = max(1.0, mean), max(0.3, std)
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
    """How many pages of each level hold files, as near to the shares as there is room."""
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
            w * math.exp(max(-600.0, min(600.0, t * (v - middle))))
            for w, v in zip(weights, values, strict=True)
        ]
        total = sum(raw)
        return [x / total for x in raw]

    def mean_at(t: float) -> float:
        return sum(w * v for w, v in zip(at(t), values, strict=True))

    return at(_root(lambda t: mean_at(t) - mean, -8.0, 8.0, 32))


def _root(rising: Callable[[float], float], low: float, high: float, halvings: int) -> float:
    for _ in range(halvings):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2
