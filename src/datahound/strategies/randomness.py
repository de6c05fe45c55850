"""Random state as plain data."""

from random import Random
from typing import Any


def plain_state(rng: Random) -> list[Any]:
    version, numbers, gauss = rng.getstate()
    return [version, list(numbers), gauss]


def restore_state(rng: Random, state: list[Any]) -> None:
    version, numbers, gauss = state
    rng.setstate((version, tuple(numbers), gauss))
