"""Estimate the targets left on a site, and the cost of the next one, from the crawl's figures.

A few figures of a crawl enter three straight-line formulas for the logarithm of what is left: its
low end, its middle and its high end. `docs/report.md` says where the constants come from.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

UNGROUPED = -1
"""The group of links that belong to none."""

FEATURES = (
    "expected",
    "found",
    "found_lately",
    "found_latest",
    "new_links",
    "dry_spell",
    "progress",
)
_LATELY, _LATEST = 0.25, 0.1
# Visits that a mean is taken over at least.
_FEWEST = 10
_MOST_GROWTH = 0.8
_MOST_NEW_LINKS = 1.5
_TARGETS_FOR_COST = 10
_NARROWEST = 0.4
"""Each end is at least half as much away from the middle, where the lines come near or cross."""


@dataclass(frozen=True, slots=True)
class History:
    """What a crawl has done so far: numbers only."""

    requests: int
    found_at: Sequence[int] | NDArray[np.int64]
    """The number of the request that brought each target, ascending."""
    groups: NDArray[np.int64]
    """The group of the link of each visit, in order; `UNGROUPED` for none."""
    rewards: NDArray[np.int64]
    """The targets that each visit brought."""
    new_links: NDArray[np.int64]
    """The links never met before that each visit brought, targets among them."""
    links: Mapping[int, int]
    """How many links to pages were met, by group."""

    @property
    def waiting(self) -> int:
        """How many links wait for a visit; the seed was visited without one."""
        return max(0, sum(self.links.values()) - len(self.groups) + 1)

    @property
    def grouped(self) -> bool:
        """Whether the crawl ranked links, so that it came to the good ones first."""
        return any(group != UNGROUPED for group in self.links)


class Remaining(NamedTuple):
    """What is probably left: the middle, and an interval for four cases in five."""

    likely: int
    low: int
    high: int
    next_cost: float | None
    """Requests to the next target at the present rate; None where none was found or is left."""


class Formula(NamedTuple):
    """Three lines: for each, the weights of the features and then a constant."""

    low: tuple[float, ...]
    likely: tuple[float, ...]
    high: tuple[float, ...]


class TrackRecord(NamedTuple):
    """How the estimate did on recorded sites, each judged by formulas that had not seen it."""

    sites: int
    stops: int
    held: float
    """The share of stops at which the interval held the truth."""


TRACK_RECORD = TrackRecord(sites=9, stops=180, held=0.817)

FORMULAS = {
    "grouped": Formula(
        low=(0.144, -0.476, 0.264, 1.048, 0.220, 0.337, -1.265, 0.658),
        likely=(0.162, -0.425, 0.304, 0.985, 0.084, -0.011, -1.677, 2.991),
        high=(0.154, -0.724, 0.717, 0.653, 0.332, -0.485, -1.596, 4.314),
    ),
    "blind": Formula(
        low=(-0.254, -0.760, 0.864, 0.630, 0.930, 0.282, -0.747, -1.782),
        likely=(-0.088, -0.236, 0.793, 0.200, 0.804, 0.394, -3.596, 2.446),
        high=(0.408, 0.025, 0.030, 0.166, 0.632, 0.613, -1.736, 4.438),
    ),
}
"""For crawls that tell groups of links apart and go to the best first, and for all others."""


def estimate(history: History, formula: Formula | None = None) -> Remaining:
    """What is left, going by how such crawls went on recorded sites."""
    if not history.waiting:
        return Remaining(0, 0, 0, None)
    chosen = formula or FORMULAS["grouped" if history.grouped else "blind"]
    x = np.array([*features(history), 1.0])
    size = math.log1p(history.waiting)
    low, likely, high = (float(np.dot(x, line)) + size for line in chosen)
    low, high = min(low, likely - _NARROWEST), max(high, likely + _NARROWEST)
    return Remaining(
        round(_targets(likely)),
        math.floor(_targets(low)) if len(history.groups) else 0,
        math.ceil(_targets(high)),
        cost_of_next(history),
    )


def cost_of_next(history: History) -> float | None:
    """Requests to the next target, going by what the last few cost."""
    count = min(_TARGETS_FOR_COST, len(history.found_at))
    if not count:
        return None
    before = int(history.found_at[-count - 1]) if len(history.found_at) > count else 0
    return max(1.0, (history.requests - before) / count)


def features(history: History) -> tuple[float, ...]:
    """The figures that the formulas take, in the order of `FEATURES`."""
    found, requests = np.asarray(history.found_at), history.requests
    waiting, visits = history.waiting, len(history.rewards)
    lately = max(_FEWEST, int(visits * _LATELY))
    pages = np.maximum(0, history.new_links - history.rewards)
    new_links = _mean(pages[-lately:])
    # A geometric series: if every page brings g new pages, n waiting ones become n / (1 - g).
    growth = 1 / (1 - min(_MOST_GROWTH, new_links))
    last = int(found[-1]) if len(found) else 0
    counts = (
        _expected(history) * growth,
        len(found),
        int((found > requests * (1 - _LATELY)).sum()),
        int((found > requests * (1 - _LATEST)).sum()),
    )
    return (
        *(math.log1p(count) - math.log1p(waiting) for count in counts),
        min(_MOST_NEW_LINKS, new_links),
        (requests - last) / max(requests, 1),
        visits / max(visits + waiting, 1),
    )


def _expected(history: History) -> float:
    """Targets behind the waiting links, if the links of each group go on to bring what they did.

    The mean of a group that was little tried leans on the mean of all.
    """
    overall = _mean(history.rewards)
    rewards_of = _by_group(history)
    expected = 0.0
    for group, links in history.links.items():
        rewards = rewards_of.get(group, _NONE)
        # The mean of all counts as one visit.
        mean = (float(rewards.sum()) + overall) / (len(rewards) + 1)
        expected += max(0, links - len(rewards)) * mean
    return expected


_NONE = np.zeros(0, np.int64)


def _by_group(history: History) -> dict[int, NDArray[np.int64]]:
    order = np.argsort(history.groups, kind="stable")
    groups, starts = np.unique(history.groups[order], return_index=True)
    pieces = np.split(history.rewards[order], starts)[1:]
    return {int(group): piece for group, piece in zip(groups, pieces, strict=True)}


def _mean(values: NDArray[np.int64]) -> float:
    return float(values.mean()) if len(values) else 0.0


def _targets(logarithm: float) -> float:
    # Bounded: a strange crawl must not overflow.
    return max(0.0, math.expm1(min(logarithm, 30.0)))
