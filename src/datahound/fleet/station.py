"""What a worker decides: which sessions live, which groups are due, and which to take next.

No clock and no event loop of its own, so that a simulation runs the same code.
"""

import heapq
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from datahound.fleet.board import Board, Seen
from datahound.fleet.records import Group
from datahound.fleet.sessions import Moment, Session, Watch, choose_own, place_group

_GROUPS_PER_SECOND = 50
"""A list of this many groups per second of the pause before the next list."""
# Reads of a beat: few enough that a beat ends before the next.
_LOOKED_AT = 200
_LOOKED_AT_AGAIN = 50

ReadMany = Callable[[Callable[[str], Seen | None], Iterable[str]], Iterable[Seen | None]]
_Order = tuple[float, float, float, str]
_Rank = TypeVar("_Rank", _Order, float)


class _Line(Generic[_Rank]):
    """Groups in their order, each at most once: what is known of it may change while it waits."""

    def __init__(self) -> None:
        self._heap: list[tuple[_Rank, str]] = []
        self._ranks: dict[str, _Rank] = {}

    def put(self, key: str, rank: _Rank) -> None:
        """Add a group, or move it."""
        if self._ranks.get(key) != rank:
            self._ranks[key] = rank
            heapq.heappush(self._heap, (rank, key))

    def pop(self, most: _Rank | None = None) -> str | None:
        """Remove the first group, if its rank is `most` at most; None if there is none."""
        while self._heap and (most is None or self._heap[0][0] <= most):
            rank, key = heapq.heappop(self._heap)
            # A group that was moved has left its old entry behind.
            if self._ranks.get(key) == rank:
                del self._ranks[key]
                return key
        return None


class Station:
    """The view that one worker has of the fleet, and its choices."""

    def __init__(
        self,
        board: Board,
        session: Session,
        watch: Watch,
        now: Callable[[], Moment],
        read_many: ReadMany = map,
    ) -> None:
        self.session = session
        self.held: dict[str, Seen] = {}
        """The groups that this worker holds."""
        self._board = board
        self._watch = watch
        self._now = now
        self._read_many = read_many
        self._members: tuple[str, ...] = ()
        self._known: dict[str, Seen] = {}
        self._marks: dict[str, str] = {}
        """Of the records that were read: those that are listed with another one are new."""
        self._own = _Line[_Order]()
        self._others = _Line[_Order]()
        self._later = _Line[float]()
        self._scan_due = 0.0
        self._listed: dict[str, str] = {}

    @property
    def members(self) -> tuple[str, ...]:
        return self._members

    def look_around(self) -> None:
        """List the sessions, judge neighbours, and list the groups when that is due."""
        found = self._watch.list_members()
        dead = self._watch.watch_neighbours(self.session.name, found)
        members = tuple(sorted({*found, self.session.name} - set(dead)))
        moved, self._members = members != self._members, members
        now = self._now().steady
        listed = now >= self._scan_due
        if listed:
            self._listed = self._board.list_groups()
            self._scan_due = now + len(self._listed) / _GROUPS_PER_SECOND
        if moved or listed:
            own = choose_own(self._listed, members, self.session.name)
            self._read([key for key in own if self._is_new(key)])
        if moved:
            self._sort_again()

    def look_at_others(self) -> bool:
        """Read some groups of other workers, for one that has no work; whether all are finished."""
        new = [key for key in self._listed if self._is_new(key)]
        self._read(new[:_LOOKED_AT])
        open_groups = [
            key for key, seen in self._known.items()
            if seen.group.next_due is not None and key not in self.held
        ]  # fmt: skip
        if not new:
            # The oldest knowledge first.
            for key in open_groups[:_LOOKED_AT_AGAIN]:
                self._known.pop(key)
                self._marks.pop(key, None)
            self._read(open_groups[:_LOOKED_AT_AGAIN])
            open_groups = [
                key for key, seen in self._known.items() if seen.group.next_due is not None
            ]
        # A record that can't be read is never finished, and must not be waited for.
        all_read = not any(self._is_new(key) for key in self._listed)
        return bool(self._listed) and all_read and not open_groups

    def take_next(self) -> Seen | None:
        """Take the best group that is due: of this worker's share, or else of another's."""
        self._move_due()
        # One's own first, so that workers seldom reach for the same group.
        for line in (self._own, self._others):
            while (key := line.pop()) is not None:
                taken = self._try(key)
                if taken is not None:
                    return taken
        return None

    def write(self, key: str, change: Callable[[Group], Group]) -> Seen | None:
        """Change a group that is held; None, and it is dropped, if another worker has it."""
        seen = self._board.write(self.held[key], change)
        if seen is None:
            self.drop(key)
            return None
        self.held[key] = seen
        self._remember_mark(seen)
        if seen.group.holder != self.session.name:
            del self.held[key]
            self._note(seen)
        return seen

    def drop(self, key: str) -> None:
        """Hold a group no longer, and read it again."""
        self.held.pop(key, None)
        self._known.pop(key, None)
        self._marks.pop(key, None)
        self._read([key])

    def _try(self, key: str) -> Seen | None:
        seen = self._known.get(key)
        if seen is None or key in self.held or seen.group.find_due(self._now().wall) is None:
            return None
        if seen.group.holder in self._members and seen.group.holder != self.session.name:
            # No need to ask the store: its record shows in the list when the holder gives it back.
            self._look_later(key, seen)
            return None
        if not self._is_free(seen.group.holder):
            fresh = self._board.read_sound(key)
            if fresh is None or not self._is_free(fresh.group.holder):
                self._look_later(key, fresh)
                return None
            seen = fresh
            if seen.group.find_due(self._now().wall) is None:
                self._note(seen)
                return None
        taken = self._board.take(seen, self.session.name)
        # Another worker was faster; what it wrote is read again.
        if taken is None:
            self._known.pop(key)
            self._read([key])
            return None
        self._known[key] = self.held[key] = taken
        self._remember_mark(taken)
        return taken

    def _look_later(self, key: str, seen: Seen | None) -> None:
        if seen is not None:
            self._known[key] = seen
        if seen is not None and seen.group.next_due is not None:
            self._later.put(key, self._now().wall + self.session.term / 4)

    def _is_free(self, holder: str) -> bool:
        if holder in ("", self.session.name):
            return True
        # Both: the list of members may be older than a session that has just begun.
        return holder not in self._members and self._watch.is_gone(holder)

    def _is_own(self, key: str) -> bool:
        return place_group(key, self._members) == self.session.name

    def _is_new(self, key: str) -> bool:
        return key not in self.held and self._marks.get(key) != self._listed.get(key)

    def _read(self, keys: Iterable[str]) -> None:
        wanted = list(keys)
        for key, seen in zip(wanted, self._read_many(self._board.read_sound, wanted), strict=True):
            if seen is not None:
                self._remember_mark(seen)
                self._note(seen)
            elif key in self._listed:
                # Once for each version: it may be mended.
                self._marks[key] = self._listed[key]
                self._known.pop(key, None)

    def _remember_mark(self, seen: Seen) -> None:
        # The list is older than what was read or written since: only the next one has more.
        self._marks[seen.group.key] = self._listed[seen.group.key] = seen.listed_mark

    def _note(self, seen: Seen) -> None:
        self._known[seen.group.key] = seen
        due = seen.group.find_next_due(self._now().wall)
        if due is not None:
            self._later.put(seen.group.key, due)

    def _move_due(self) -> None:
        now = self._now().wall
        while (key := self._later.pop(now)) is not None:
            seen = self._known.get(key)
            site = seen.group.find_due(now) if seen else None
            if site is not None and key not in self.held:
                line = self._own if self._is_own(key) else self._others
                line.put(key, site.order(now))

    def _sort_again(self) -> None:
        self._own, self._others, self._later = _Line(), _Line(), _Line()
        for key, seen in self._known.items():
            if key not in self.held:
                self._note(seen)
