"""Arrays of numbers: as snapshots store them, and sums that are the same on every machine."""

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
