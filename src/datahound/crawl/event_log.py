"""The events of a crawl, kept until they are taken."""

from collections.abc import Collection

from datahound.events import Event


class EventLog:
    """Collects the events that are watched for; the others cost nothing."""

    def __init__(self, watch: Collection[type]) -> None:
        self._watch = frozenset(watch)
        self._events: list[Event] = []

    def wants(self, kind: type) -> bool:
        """Whether to take the trouble of making an event."""
        return kind in self._watch

    def add(self, event: Event) -> None:
        # Events have no subclasses, and this is asked for every one.
        if type(event) in self._watch:
            self._events.append(event)

    def take(self) -> list[Event]:
        """What happened since this was last asked."""
        events, self._events = self._events, []
        return events
