"""The groups in the store: read, taken and written under the condition that nobody else did."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from datahound.fleet.records import GROUPS, Group, decode_group
from datahound.remote.objects import Objects


@dataclass(frozen=True, slots=True)
class Seen:
    """A group as it was read or written, and the mark of that version."""

    group: Group
    mark: str
    size: int = 0
    """Bytes of the record, as the list of groups says them."""


class Board:
    """All groups of a fleet."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects

    def list_groups(self) -> dict[str, int]:
        """Return the keys of all groups, each with the size of its record."""
        return {key.removeprefix(GROUPS): size for key, size in self._objects.list(GROUPS)}

    def read(self, key: str) -> Seen | None:
        """Read one group."""
        stored = self._objects.get(GROUPS + key)
        if stored is None:
            return None
        return Seen(decode_group(stored.data, GROUPS + key), stored.mark, len(stored.data))

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
            current = self.read(seen.group.key)
        return None

    def put(self, key: str, change: Callable[[Group | None], Group]) -> Seen:
        """Change or create a group, even if a worker has it leased: to add sites."""
        while True:
            seen = self.read(key)
            group = change(seen.group if seen else None)
            if seen is not None:
                written = self._replace(seen, group)
            else:
                data = group.encode()
                mark = self._objects.create(GROUPS + key, data)
                written = Seen(group, mark, len(data)) if mark else None
            if written is not None:
                return written

    @staticmethod
    def _is_same_holder(current: Seen, seen: Seen) -> bool:
        return (current.group.holder, current.group.epoch) == (seen.group.holder, seen.group.epoch)

    def _replace(self, seen: Seen, group: Group) -> Seen | None:
        # No write without a change: each costs a request to the store.
        if group == seen.group:
            return seen
        data = group.encode()
        mark = self._objects.replace(GROUPS + group.key, data, seen.mark)
        return Seen(group, mark, len(data)) if mark else None
