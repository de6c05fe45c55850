"""Random numbers continue where they were, through JSON."""

import json
from random import Random

import pytest

from datahound.strategies.randomness import plain_state, restore_state


@pytest.mark.parametrize("draws", [0, 1, 700])
def test_the_next_numbers_are_the_same(draws):
    rng = Random(7)
    for _ in range(draws):
        rng.random()
    kept = json.loads(json.dumps(plain_state(rng)))
    other = Random(8)
    restore_state(other, kept)
    assert [other.random() for _ in range(50)] == [rng.random() for _ in range(50)]


def test_half_of_a_pair_of_normal_numbers_is_kept():
    rng = Random(7)
    rng.gauss(0, 1)  # makes two, and keeps one
    other = Random()
    restore_state(other, json.loads(json.dumps(plain_state(rng))))
    assert other.gauss(0, 1) == rng.gauss(0, 1)
