"""Numbers as plain data: a copy that is cheap to take, to compare and to write."""

from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray


def plain(numbers: "NDArray[np.floating[Any]]") -> "array[float]":
    """The numbers as doubles, in an array that no longer changes with them."""
    return array("d", np.ascontiguousarray(numbers, dtype=np.float64).tobytes())
