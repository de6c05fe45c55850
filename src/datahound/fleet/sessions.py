"""Sessions: a worker renews one object; it holds groups for as long as it does.

A session is judged dead only by a worker that has watched its object unchanged for a whole term on
its own clock. That worker replaces the object, so that the other cannot renew it, and removes it.
The owner trusts its session for two thirds of a term after the start of its last renewal: it has
stopped asking before anybody may judge. No two machines need the same time.

Groups are placed on members by rendezvous hashing, so that few move when one leaves.
"""

import hashlib
import json
import logging
import time
import uuid
import zlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from datahound.errors import DatahoundError
from datahound.fleet.records import WORKERS
from datahound.remote.objects import Objects

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


_TRUSTED = 2 / 3
# Two, so that one dead neighbour does not leave the one after it unwatched.
_WATCHED = 2
_DEAD = b"dead"

_log = logging.getLogger(__name__)


class Moment(NamedTuple):
    """A time on two clocks; what lies between two moments is the longer of the two."""

    steady: float
    wall: float

    def until(self, later: "Moment") -> float:
        """Seconds to a later moment: a suspended machine may have missed some on one clock."""
        return max(later.steady - self.steady, later.wall - self.wall)


def read_clocks() -> Moment:
    """Return the time now; on Linux the steady clock counts the time of a suspended machine."""
    # CLOCK_MONOTONIC stops while a machine is suspended: its session would seem fresh.
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return Moment(time.clock_gettime(clock), time.time())


class Session:
    """The session of this worker."""

    def __init__(
        self,
        objects: Objects,
        name: str,
        term: float,
        now: Callable[[], Moment] = read_clocks,
        number: Callable[[], str] = lambda: uuid.uuid4().hex[:12],
    ) -> None:
        self.name = f"{name}-{number()}"
        self.term = term
        self._objects = objects
        self._now = now
        self._renewals = 0
        self._sent = b""
        self._lost = False
        self._key = WORKERS + self.name
        self._renewed = now()
        data = self._next_data()
        self._mark = objects.create(self._key, data) or ""

    @property
    def is_lost(self) -> bool:
        """Whether another worker has judged this session dead."""
        return self._lost

    @property
    def is_valid(self) -> bool:
        """Whether this worker may ask websites: nobody else can hold its groups yet."""
        return not self._lost and self._renewed.until(self._now()) < self.term * _TRUSTED

    def renew(self) -> bool:
        """Renew the session; False if it was judged dead."""
        if self._lost:
            return False
        # The start and not the end: the store may have taken the renewal at any time between.
        begun, before = self._now(), self._sent
        data = self._next_data()
        mark = self._objects.replace(self._key, data, self._mark)
        if mark is None:
            # A renewal before this one may have been written though its answer was lost.
            there = self._objects.get(self._key)
            if there is not None and there.data == before:
                mark = self._objects.replace(self._key, data, there.mark)
        if mark is None:
            self._lost = True
            return False
        self._mark, self._renewed = mark, begun
        return True

    def end(self) -> None:
        """Give the session up, once no group is held."""
        self._lost = True
        self._objects.delete(self._key)

    def _next_data(self) -> bytes:
        self._renewals += 1
        self._sent = json.dumps({"worker": self.name, "renewal": self._renewals}).encode()
        return self._sent


class Watch:
    """What this worker has seen of the sessions of others."""

    def __init__(
        self, objects: Objects, term: float, now: Callable[[], Moment] = read_clocks
    ) -> None:
        self._objects = objects
        self._term = term
        self._now = now
        self._seen: dict[str, tuple[str, float]] = {}
        self._gone: set[str] = set()

    def list_members(self) -> list[str]:
        """Return the sessions that nobody has judged dead."""
        found = [key.removeprefix(WORKERS) for key, _ in self._objects.list(WORKERS)]
        return sorted(name for name in found if name not in self._gone)

    def watch_neighbours(self, own: str, members: list[str]) -> list[str]:
        """Look at the next sessions after one's own, in a ring; return those found dead."""
        ring = sorted({*members, own})
        place = ring.index(own)
        after = [*ring[place + 1 :], *ring[:place]][:_WATCHED]
        return [name for name in after if self._is_dead(name)]

    def is_gone(self, name: str) -> bool:
        """Whether a session has ended, or was judged dead: names are never used again."""
        if name not in self._gone and self._objects.get(WORKERS + name) is None:
            self._gone.add(name)
        return name in self._gone

    def _is_dead(self, name: str) -> bool:
        stored = self._objects.get(WORKERS + name)
        if stored is None:
            self._gone.add(name)
            return False
        now = self._now().steady
        mark, since = self._seen.get(name, ("", now))
        if stored.mark != mark:
            self._seen[name] = (stored.mark, now)
            # A worker that died between judging and removing leaves the mark behind.
            if stored.data != _DEAD:
                return False
        elif now - since < self._term or not self._kill(name, stored.mark):
            return False
        self._objects.delete(WORKERS + name)
        self._gone.add(name)
        _log.warning("%s: silent for %g s, its sites are taken by others", name, self._term)
        return True

    def _kill(self, name: str, mark: str) -> bool:
        """From now on its owner cannot renew it; False if it has just done so."""
        return self._objects.replace(WORKERS + name, _DEAD, mark) is not None


def try_renewal(session: Session) -> bool:
    """Renew; trouble with the store leaves the session as it is. False if it was judged dead."""
    try:
        return session.renew()
    except DatahoundError as error:
        _log.warning("the session was not renewed: %s", error)
        return True
