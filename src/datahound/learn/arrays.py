"""Arrays of numbers: as snapshots store them; sums and ranks that are the same on every machine."""

from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray


def plain(numbers: "NDArray[np.floating[Any]]") -> "array[float]":
    """Copy numbers into an array of doubles: cheap to copy, to compare and to write."""
    return array("d", np.ascontiguousarray(numbers, dtype=np.float64).tobytes())


def add_products(products: "NDArray[np.floating[Any]]") -> Any:
    """Add up products along the first axis, in an order that does not depend on the processor.

    `a @ b` rounds differently on different kinds of processors, so that a crawl would choose other
    pages on another machine.
    """
    return products.sum(axis=0)


def rank_highest(scores: "NDArray[np.float64]", count: int) -> "NDArray[np.intp]":
    """Return the indices of the `count` highest scores, best first; scores below 0 have no rank.

    Of equal scores, the one with the lowest index ranks first. `argpartition` alone would take
    others of them on another kind of processor.
    """
    # The lowest score that has a rank: all scores equal to it are sorted, and the first are taken.
    least = -np.partition(-scores, count - 1)[count - 1] if count < len(scores) else 0.0
    places = np.flatnonzero(scores >= max(least, 0.0))
    return places[np.argsort(-scores[places], kind="stable")][:count]
