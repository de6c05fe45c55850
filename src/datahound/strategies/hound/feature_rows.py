"""The features of links, a row each: those of many links are found at once, by their numbers."""

import numpy as np
from numpy.typing import NDArray

from datahound.learn.sparse_logistic import Features

_ROWS = 1 << 20
"""A power of two. A link whose row another one has taken is read again."""
_WIDTH = 48
"""Hardly a link has more features; those that are too many are left out."""


class FeatureRows:
    """What was read of links, some 200 bytes each, and no more memory than for so many of them."""

    def __init__(self, padding: int) -> None:
        self._padding = padding
        """What rows are filled up with."""
        self._rows = np.zeros((_ROWS, _WIDTH), np.int32)
        self._numbers = np.full(_ROWS, -1, np.int64)
        """Whose row each is."""

    def find(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int32], list[int]]:
        """A row for each of the links, and the places of those that are not there."""
        slots = numbers & (_ROWS - 1)
        missing = np.flatnonzero(self._numbers[slots] != numbers).tolist()
        return self._rows.take(slots, axis=0), missing

    def get(self, number: int) -> NDArray[np.int32] | None:
        """The row of one link, if it is there."""
        slot = number & (_ROWS - 1)
        return self._rows[slot] if self._numbers[slot] == number else None

    def add(self, number: int, features: Features) -> NDArray[np.int32]:
        """Keep the features of a link; gives its row."""
        slot = number & (_ROWS - 1)
        row: NDArray[np.int32] = self._rows[slot]
        places = np.frombuffer(features, np.uint32)[:_WIDTH]
        row[: len(places)] = places
        row[len(places) :] = self._padding
        self._numbers[slot] = number
        return row
