"""A host that used to answer and is out of reach."""

from collections.abc import Callable

from datahound.errors import Unreachable
from datahound.http.wire import NoAnswer
from datahound.settings import WebSettings

_LONGEST_PAUSE = 60.0


class Outage:
    """How long a host has been out of reach; all requests to the host share it."""

    def __init__(self, host: str, now: Callable[[], float], settings: WebSettings) -> None:
        self._host = host
        self._now = now
        self._settings = settings
        self._since: float | None = None
        self._noted = 0.0
        self._pause = settings.retry_seconds

    def pause(self, trouble: NoAnswer, begun: float) -> float | None:
        """Seconds before the next try; raises once it has lasted too long.

        None if the request began before the last failure: it says nothing new, and the pause that
        is kept already holds for it too.
        """
        now = self._now()
        if self._since is None:
            self._since = now
        elif begun <= self._noted:
            return None
        if now - self._since >= self._settings.max_outage_seconds:
            raise Unreachable(f"{self._host} used to answer and no longer does: {trouble.reason}")
        self._noted = now
        self._pause = min(self._pause * 2, _LONGEST_PAUSE)
        return self._pause
