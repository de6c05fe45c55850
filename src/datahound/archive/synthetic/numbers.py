"""Arithmetic in place of random numbers and stored lists: hashes, shares and heavy tails."""

import math
from collections.abc import Sequence
from hashlib import blake2b
from itertools import count

_MASK = 2**64 - 1


def make_salt(*parts: object) -> int:
    """A 64-bit number that any process gets from the same parts."""
    text = "\x1f".join(map(str, parts))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def mix(salt: int, number: int) -> int:
    """64 bits that look like chance (splitmix64)."""
    # The constants are those of splitmix64: without state, so page n needs no page before it.
    x = (salt + number * 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def find_stride(size: int, salt: int) -> int:
    """A step that visits every number below the size once before it repeats."""
    if size < 3:
        return 1
    # The golden ratio spreads neighbours far apart; any step coprime to the size is a permutation.
    start = int(size * 0.6180339887) + salt % 7
    return next(step for step in count(max(1, start)) if math.gcd(step, size) == 1)


def share_out(total: int, weights: Sequence[float], caps: Sequence[int]) -> list[int]:
    """Whole numbers in proportion to the weights, none above its cap.

    They add up to the total, or to all caps where that is less.

    >>> share_out(10, [1, 1, 2], [9, 1, 9])
    [3, 1, 6]
    """
    given = [0] * len(caps)
    open_ = [i for i, cap in enumerate(caps) if cap > 0]
    left = min(total, sum(caps))
    while left > 0 and open_:
        scale = left / sum(weights[i] for i in open_)
        full = [i for i in open_ if weights[i] * scale >= caps[i]]
        if not full:
            _largest_remainders(left, scale, weights, caps, open_, given)
            break
        for i in full:
            given[i] = caps[i]
            left -= caps[i]
        open_ = [i for i in open_ if given[i] == 0]
    return given


def _largest_remainders(
    left: int,
    scale: float,
    weights: Sequence[float],
    caps: Sequence[int],
    open_: Sequence[int],
    given: list[int],
) -> None:
    for i in open_:
        given[i] = int(weights[i] * scale)
        left -= given[i]
    by_remainder = sorted(open_, key=lambda i: (given[i] - weights[i] * scale, i))
    for i in by_remainder:
        if left > 0 and given[i] < caps[i]:
            given[i] += 1
            left -= 1


def tail_sum(rank: int, holders: int, items: int, exponent: float) -> int:
    """Items held by all before this rank: at least one each, most with the first.

    >>> [tail_sum(rank, 4, 100, 0.3) for rank in range(5)]
    [0, 64, 80, 91, 100]
    """
    return rank + int((items - holders) * (rank / holders) ** exponent + 0.5)


def tail_exponent(holders: int, items: int, most: int) -> float:
    """The heaviest tail with which the first holder has not much more than `most`."""
    if holders < 2 or items <= holders:
        return 1.0
    needed = math.log(max(1.0, (items - holders) / most)) / math.log(holders)
    # Below 0.25 a single page would hold nearly everything.
    return min(1.0, max(0.25, needed))
