"""Wilcoxon's signed-rank test for pairs, exact for any number of pairs, with or without ties."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

TEST_NAME = "Wilcoxon signed-rank test, exact, two-sided"


@dataclass(frozen=True, slots=True)
class SignedRank:
    """The number of pairs that differ, the number with a positive difference, and the p-value."""

    pairs: int
    positive: int
    p: float


def run_signed_rank(differences: Sequence[float]) -> SignedRank:
    """Test whether differences are symmetric around 0; differences of 0 are left out.

    W is the sum of the ranks of the positive differences. Under the null hypothesis each sign is a
    fair coin, so p = 2 min(P(W <= w), P(W >= w)), counted over all assignments of signs.

    >>> run_signed_rank([1.0, 2.0, 3.0, 4.0, 5.0]).p
    0.0625
    """
    values = np.array([d for d in differences if d])
    if not values.size:
        return SignedRank(0, 0, 1.0)
    ranks = _double_ranks(np.abs(values))
    statistic = int(ranks[values > 0].sum())
    weights = _weigh_sums(ranks)
    total = weights.sum()
    low, high = weights[: statistic + 1].sum() / total, weights[statistic:].sum() / total
    p = min(1.0, 2 * float(min(low, high)))
    return SignedRank(len(values), int((values > 0).sum()), p)


def adjust_by_holm(p_values: Sequence[float]) -> list[float]:
    """Adjust the p-values of m tests by Holm's method: the k-th smallest times m - k + 1."""
    adjusted = [1.0] * len(p_values)
    highest = 0.0  # an adjusted value is never below that of a smaller p-value
    for rank, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def show_p(p: float) -> str:
    """Format a p-value."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _double_ranks(sizes: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return twice the rank of each size, a whole number: the mean rank of ties may end in .5."""
    # Rounded, so that differences that are equal but for floating-point noise share a rank.
    _, which, counts = np.unique(np.round(sizes, 12), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (2 * last - counts + 1)[which].astype(np.int64)


def _weigh_sums(ranks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the probability of each sum of ranks, if each sign is a fair coin."""
    weights = np.zeros(int(ranks.sum()) + 1)
    weights[0] = 1.0
    for rank in ranks:
        weights[rank:] += weights[:-rank].copy()
        weights /= 2  # counts would overflow beyond a thousand pairs; probabilities do not
    return weights
