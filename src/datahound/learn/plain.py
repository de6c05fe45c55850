"""Arrays of numbers in snapshots: cheap to copy, to compare and to write."""

from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray


def plain(numbers: "NDArray[np.floating[Any]]") -> "array[float]":
    """Copy numbers into an array of doubles."""
    return array("d", np.ascontiguousarray(numbers, dtype=np.float64).tobytes())
