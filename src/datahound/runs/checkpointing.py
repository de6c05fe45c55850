"""When a checkpoint is due: often enough to lose little time, seldom enough to cost little."""

import time
from collections.abc import Callable

_SHARE = 0.01


class Pace:
    """Spaces checkpoints so that they take about one percent of the time, and not more."""

    def __init__(
        self, min_seconds: float = 5.0, now: Callable[[], float] = time.perf_counter
    ) -> None:
        self._min_seconds = min_seconds
        self._now = now
        self._next = now() + min_seconds

    def keep(self, checkpoint: Callable[[], None]) -> bool:
        """Take a checkpoint if it is time to."""
        begun = self._now()
        if begun < self._next:
            return False
        checkpoint()
        ended = self._now()
        self._next = ended + max(self._min_seconds, (ended - begun) / _SHARE)
        return True
