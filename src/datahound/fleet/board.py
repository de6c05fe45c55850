"""The groups in the store: read, taken and written under the condition that nobody else did."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from datahound.errors import UserError
from datahound.fleet.records import GROUPS, Group, decode_group
from datahound.remote.objects import Objects, shorten_mark

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Seen:
    """A group as it was read or written, and the mark of that version."""

    group: Group
    mark: str

    @property
    def listed_mark(self) -> str:
        """The mark of this version in a list of groups."""
        return shorten_mark(self.mark)


class Board:
    """All groups of a fleet."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects

    def list_groups(self) -> dict[str, str]:
        """Return the keys of all groups, each with the mark of its record."""
        return {key.removeprefix(GROUPS): mark for key, mark in self._objects.list_marks(GROUPS)}

    def read(self, key: str) -> Seen | None:
        """Read one group."""
        stored = self._objects.get(GROUPS + key)
        if stored is None:
            return None
        return Seen(decode_group(stored.data, GROUPS + key), stored.mark)

    def read_sound(self, key: str) -> Seen | None:
        """Read one group; a damaged record is said and left out, so that the others go on."""
        try:
            return self.read(key)
        except UserError as error:
            _log.warning("%s; its sites are left out", error)
            return None

    def take(self, seen: Seen, session: str) -> Seen | None:
        """Become the holder of a group; None if anything about it has changed meanwhile."""
        # The epoch is what makes an older holder's writes fail, even under the same session.
        return self._replace(seen, replace(seen.group, holder=session, epoch=seen.group.epoch + 1))

    def write(self, seen: Seen, change: Callable[[Group], Group]) -> Seen | None:
        """Change a group that is held; None if another worker has taken it.

        Somebody may add sites to a group at any time: the change is then made to what is there.
        """
        current: Seen | None = seen
        # Compare and swap: read, change, write under the mark, and again if somebody was faster.
        while current is not None and self._is_same_holder(current, seen):
            written = self._replace(current, change(current.group))
            if written is not None:
                return written
            current = self.read_sound(seen.group.key)
        return None

    def put(self, key: str, change: Callable[[Group | None], Group]) -> Seen:
        """Change or create a group, even if a worker has it leased: to add sites."""
        while True:
            seen = self.read(key)
            group = change(seen.group if seen else None)
            if seen is not None:
                written = self._replace(seen, group)
            else:
                mark = self._objects.create(GROUPS + key, group.encode())
                written = Seen(group, mark) if mark else None
            if written is not None:
                return written

    @staticmethod
    def _is_same_holder(current: Seen, seen: Seen) -> bool:
        return (current.group.holder, current.group.epoch) == (seen.group.holder, seen.group.epoch)

    def _replace(self, seen: Seen, group: Group) -> Seen | None:
        # No write without a change: each costs a request to the store.
        if group == seen.group:
            return seen
        mark = self._objects.replace(GROUPS + group.key, group.encode(), seen.mark)
        return Seen(group, mark) if mark else None
