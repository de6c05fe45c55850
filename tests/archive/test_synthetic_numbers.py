"""Arithmetic in place of random numbers: reproducible, even, and adding up."""

import math
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datahound.archive.synthetic.numbers import (
    find_stride,
    make_salt,
    mix,
    share_out,
    tail_exponent,
    tail_sum,
)

SALT = st.integers(0, 2**64 - 1)


def test_salts_are_the_same_in_every_process():
    """And the parts are kept apart."""
    assert make_salt(1, "demo", "pages") == 12178054346122968384
    assert make_salt(1, "ab", "c") != make_salt(1, "a", "bc")


def test_mixed_numbers_are_spread_evenly():
    counts = Counter(mix(7, number) % 10 for number in range(10_000))
    assert max(counts.values()) < 1.1 * min(counts.values()) + 50


@given(SALT, st.integers(-(2**40), 2**40))
def test_mixing_gives_64_bits(salt, number):
    assert 0 <= mix(salt, number) < 2**64


def test_splitmix64_is_the_known_one():
    """The reference sequence from the seed 1234567 begins with this number."""
    assert mix(1234567, 1) == 6457827717110365317


@given(st.integers(1, 5000), SALT)
def test_a_stride_visits_every_number_once(size, salt):
    stride = find_stride(size, salt)
    assert math.gcd(stride, size) == 1
    assert len({number * stride % size for number in range(size)}) == size


@given(
    st.integers(0, 500),
    st.lists(st.tuples(st.floats(0.1, 10), st.integers(0, 100)), min_size=1, max_size=8),
)
def test_shares_add_up_and_respect_their_caps(total, sections):
    weights, caps = zip(*sections, strict=True)
    given_out = share_out(total, weights, caps)
    assert sum(given_out) == min(total, sum(caps))
    assert all(0 <= share <= cap for share, cap in zip(given_out, caps, strict=True))


def test_shares_are_in_proportion():
    assert share_out(100, [1, 2, 7], [100, 100, 100]) == [10, 20, 70]
    assert share_out(0, [1, 1], [5, 5]) == [0, 0]


@given(st.integers(1, 300), st.integers(0, 3000), st.floats(0.25, 1))
def test_a_tail_gives_everyone_something(holders, extra, exponent):
    """The sums rise by at least one per holder, and end at all items."""
    items = holders + extra
    sums = [tail_sum(rank, holders, items, exponent) for rank in range(holders + 1)]
    assert (sums[0], sums[-1]) == (0, items)
    assert all(after > before for before, after in pairwise(sums))


@pytest.mark.parametrize(("holders", "items"), [(1, 50), (10, 10), (10, 5)])
def test_without_a_choice_the_tail_is_flat(holders, items):
    assert tail_exponent(holders, items, 400) == 1.0


def test_the_first_holder_has_not_much_more_than_the_most():
    for holders, items in ((10, 5000), (100, 20_000), (1000, 10_000)):
        exponent = tail_exponent(holders, items, 400)
        assert tail_sum(1, holders, items, exponent) <= max(401, 1.05 * items / holders)
