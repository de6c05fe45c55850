"""The groups of a strategy as a crawl sees them: which there are, and visits of them under way."""

from collections.abc import Mapping
from typing import Any

from datahound.crawl.event_log import EventLog
from datahound.crawl.strategy import CompleteStrategy
from datahound.events import GroupCreated
from datahound.model import Choice, Link


class Groups:
    """Counts groups as they are founded, and their visits under way."""

    def __init__(self, strategy: CompleteStrategy, log: EventLog) -> None:
        self.under_way: dict[int, int] = {}
        """Visits under way, by group."""
        self._strategy = strategy
        self._log = log
        self._count = 0

    def count_under_way(self, choice: Choice, change: int) -> None:
        """A visit of a choice begins (1) or ends (-1)."""
        if choice.group is not None:
            count = self.under_way.pop(choice.group, 0) + change
            if count:
                self.under_way[choice.group] = count

    def note(self, group: int | None, link: Link) -> None:
        """A link is in a group: groups are numbered as they are founded, so it may be new."""
        if group is not None and group >= self._count:
            self._count = group + 1
            self._log.add(GroupCreated(group, link.tag_path, self._strategy.place_of(link)))

    def snapshot(self) -> dict[str, Any]:
        return {
            "groups": self._count,
            "under_way": [list(pair) for pair in self.under_way.items()],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._count, self.under_way = state["groups"], dict(state["under_way"])
