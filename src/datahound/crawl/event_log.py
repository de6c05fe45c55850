"""The events of a crawl, kept until they are taken."""

from collections.abc import Collection

from datahound.events import Event


class EventLog:
    """Collects the events that are watched for; the others cost nothing."""

    def __init__(self, watch: Collection[type]) -> None:
        self._watch = frozenset(watch)
        self._events: list[Event] = []

    def wants(self, kind: type) -> bool:
        """Whether events of this type are watched for; others need not be made."""
        return kind in self._watch

    def add(self, event: Event) -> None:
        # Faster than `isinstance`; events have no subclasses.
        if type(event) in self._watch:
            self._events.append(event)

    def take(self) -> list[Event]:
        """Return the events since the last call."""
        events, self._events = self._events, []
        return events
