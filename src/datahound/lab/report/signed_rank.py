"""Wilcoxon's signed-rank test for pairs, exact for any number of them, ties or not."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

TEST = "Wilcoxon signed-rank test, exact, two-sided"


@dataclass(frozen=True, slots=True)
class SignedRank:
    """How pairs differ: how many do, in how many the difference is positive, and the p-value."""

    pairs: int
    positive: int
    p: float


def signed_rank(differences: Sequence[float]) -> SignedRank:
    """Test whether differences are spread evenly around 0; pairs without any are left out.

    >>> signed_rank([1.0, 2.0, 3.0, 4.0, 5.0]).p
    0.0625
    """
    values = np.array([d for d in differences if d])
    if not values.size:
        return SignedRank(0, 0, 1.0)
    ranks = _doubled_ranks(np.abs(values))
    statistic = int(ranks[values > 0].sum())
    ways = _ways(ranks)
    total = ways.sum()
    low, high = ways[: statistic + 1].sum() / total, ways[statistic:].sum() / total
    p = min(1.0, 2 * float(min(low, high)))
    return SignedRank(len(values), int((values > 0).sum()), p)


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values of several tests, adjusted by Holm's method for there being several."""
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, (len(p_values) - place) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def _doubled_ranks(sizes: NDArray[np.float64]) -> NDArray[np.int64]:
    """Twice the rank of each size, so that the mean rank of ties is a whole number."""
    _, which, counts = np.unique(np.round(sizes, 12), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (2 * last - counts + 1)[which].astype(np.int64)


def _ways(ranks: NDArray[np.int64]) -> NDArray[np.float64]:
    """How likely each sum of ranks is, up to a factor, if every sign is as likely as the other."""
    ways = np.zeros(int(ranks.sum()) + 1)
    ways[0] = 1.0
    for rank in ranks:
        ways[rank:] += ways[:-rank].copy()
        ways /= 2
    return ways
