"""Which worker looks after a group first: rendezvous hashing, so that few move when one leaves."""

import hashlib
import zlib
from collections.abc import Iterable
from functools import lru_cache

_SLOTS = 4096
"""Groups are placed by slots: a change of workers costs the same for any number of groups."""


def place_group(key: str, members: tuple[str, ...]) -> str:
    """The member with the highest hash for the slot of this group.

    >>> [place_group(key, ("a", "b", "c")) for key in ("1", "2", "3", "4")]
    ['c', 'c', 'b', 'c']
    """
    return place_slots(members)[zlib.crc32(key.encode()) % _SLOTS]


def choose_own(keys: Iterable[str], members: tuple[str, ...], own: str) -> list[str]:
    """The groups that are placed on one member."""
    slots = place_slots(members)
    return [key for key in keys if slots[zlib.crc32(key.encode()) % _SLOTS] == own]


@lru_cache(maxsize=8)
def place_slots(members: tuple[str, ...]) -> list[str]:
    """The member for each slot."""
    return [max(members, key=lambda name: _hash(slot, name)) for slot in range(_SLOTS)]


def _hash(slot: int, member: str) -> bytes:
    return hashlib.blake2b(f"{slot} {member}".encode(), digest_size=8).digest()
