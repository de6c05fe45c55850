"""A host that used to answer and is out of reach."""

from collections.abc import Callable

from datahound.engines.wire import NoAnswer
from datahound.errors import Unreachable
from datahound.settings import WebSettings

_LONGEST_PAUSE = 60.0


class Outage:
    """How long a host has been out of reach."""

    def __init__(self, host: str, now: Callable[[], float], settings: WebSettings) -> None:
        self._host = host
        self._now = now
        self._settings = settings
        self._since: float | None = None
        self._pause = settings.retry_seconds

    def pause(self, trouble: NoAnswer) -> float:
        """Seconds before the next try; raises once it has lasted too long."""
        now = self._now()
        if self._since is None:
            self._since = now
        if now - self._since >= self._settings.max_outage_seconds:
            raise Unreachable(f"{self._host} used to answer and no longer does: {trouble.reason}")
        self._pause = min(self._pause * 2, _LONGEST_PAUSE)
        return self._pause
