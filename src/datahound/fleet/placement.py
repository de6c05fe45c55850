"""Which worker looks after a group first: rendezvous hashing, so that few move when one leaves."""

import hashlib
from collections.abc import Iterable


def place_group(key: str, members: Iterable[str]) -> str:
    """The member with the highest hash for this group.

    >>> [place_group(key, ["a", "b", "c"]) for key in ("1", "2", "3", "4")]
    ['c', 'a', 'a', 'b']
    """
    return max(members, key=lambda name: hash_pair(key, name))


def hash_pair(key: str, member: str) -> bytes:
    """The weight of a member for a group."""
    return hashlib.blake2b(f"{key} {member}".encode(), digest_size=8).digest()
