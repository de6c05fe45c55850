"""Arrays of numbers: as snapshots store them; sums and ranks that are the same on every machine."""

from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray


def plain(numbers: "NDArray[np.floating[Any]]") -> "array[float]":
    """Copy numbers into an array of doubles: cheap to copy, to compare and to write."""
    return array("d", np.ascontiguousarray(numbers, dtype=np.float64).tobytes())


def add_products(products: "NDArray[np.floating[Any]]") -> Any:
    """Add up products along the first axis, in an order that doesn't depend on the processor.

    The product `a @ b` has a routine per kind of processor, which rounds in a way of its own; a
    crawl would then take another course on another machine.
    """
    return products.sum(axis=0)


def rank_highest(scores: "NDArray[np.float64]", count: int) -> "NDArray[np.intp]":
    """Return the places of the `count` highest scores, best first; scores below 0 have no rank.

    Of equal scores, the first place ranks first. `argpartition` alone takes any of them, and on
    each kind of processor others.
    """
    # The lowest score that has a rank; all that equal it are sorted, and the first of them taken.
    least = -np.partition(-scores, count - 1)[count - 1] if count < len(scores) else 0.0
    places = np.flatnonzero(scores >= max(least, 0.0))
    return places[np.argsort(-scores[places], kind="stable")][:count]
