"""The events of a crawl, kept until somebody takes them."""

from collections.abc import Collection

from datahound.events import Event


class Story:
    """Collects the events that somebody watches for; the others cost nothing."""

    def __init__(self, watch: Collection[type]) -> None:
        self._watch = frozenset(watch)
        self._events: list[Event] = []

    def wants(self, kind: type) -> bool:
        """Whether to take the trouble of making an event."""
        return kind in self._watch

    def tell(self, event: Event) -> None:
        if type(event) in self._watch:
            self._events.append(event)

    def take(self) -> list[Event]:
        """What happened since this was last asked."""
        events, self._events = self._events, []
        return events
