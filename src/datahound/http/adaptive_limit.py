"""How many requests one host may have under way: fewer once it refuses or slows down."""

import statistics
from collections import deque
from dataclasses import dataclass
from enum import Enum

_WINDOW = 12
"""Answers whose median is compared with the baseline."""
# A few answers are enough for a median, and old ones must fade: sites are slower by day.
_ALONE = 8
_SLOWER = 2.0
_SLOWER_SECONDS = 0.25
"""Below this difference a doubled latency is noise, or the crawler's own work."""
# With fewer requests under way, a host that was overloaded answers at least a quarter faster.
_HELPED = 0.75
# Additive increase, multiplicative decrease, as TCP does it: a host in trouble is relieved at once,
# and tested again with care.
_PATIENCE = 20
_MAX_PATIENCE = 320


class LimitCause(Enum):
    """Why the limit of a host changed; the value ends a sentence about it."""

    TOO_MANY = "it answered 429"
    UNAVAILABLE = "it answered 503"
    SLOWER = "its latency doubled"
    NOT_THE_CAUSE = "fewer requests did not make it faster"
    RECOVERED = "it answers well"


@dataclass(frozen=True, slots=True)
class LimitChange:
    """A host gets fewer requests at a time, or more again."""

    host: str
    before: int
    now: int
    cause: LimitCause

    def __str__(self) -> str:
        plural = "" if self.now == 1 else "s"
        return (
            f"{self.host}: {self.now} request{plural} at a time, "
            f"was {self.before}: {self.cause.value}"
        )


class AdaptiveLimit:
    """Halves at a refusal or when the latency doubles; one more after 20 good answers.

    The latency has doubled when the median of the last 12 answers is above twice the baseline, the
    median of answers to requests that were under way alone, or the lowest median of 12 so far.
    Then the next 12 answers are compared with those 12: if they take as long although fewer
    requests were under way, the concurrency was not the cause, and it returns to what it was.
    Each further fall doubles the number of good answers that one more request takes.
    """

    def __init__(self, host: str, most: int) -> None:
        self.now = most
        self.generation = 0
        """Number of falls of the limit; requests made before the last one no longer count."""
        self._host = host
        self._most = most
        self._good = 0
        self._patience = _PATIENCE
        self._alone: deque[float] = deque(maxlen=_ALONE)
        self._recent: deque[float] = deque(maxlen=_WINDOW)
        self._slow: tuple[int, float] | None = None

    def refuse(self, cause: LimitCause, generation: int) -> LimitChange | None:
        """The host refused a request that began in this generation."""
        if generation < self.generation:
            return None
        self._slow = None
        return self._fall(cause)

    def accept(self, generation: int) -> LimitChange | None:
        """The host gave a good answer to a request that began in this generation."""
        if generation < self.generation or self.now == self._most:
            return None
        self._good += 1
        if self._good < self._patience or self._slow:
            return None
        return self._change(self.now + 1, LimitCause.RECOVERED)

    def measure(self, seconds: float, under_way: int, generation: int) -> LimitChange | None:
        """An answer took this long; `under_way` requests were open when it was requested."""
        # With one request at a time there is nothing to lower.
        if self._most == 1:
            return None
        if under_way == 1:
            self._alone.append(seconds)
        if generation < self.generation:
            return None
        self._recent.append(seconds)
        if len(self._recent) < _WINDOW:
            return None
        return self._judge(statistics.median(self._recent))

    def _judge(self, median: float) -> LimitChange | None:
        """Compare a full window with the one before the last fall, and with the baseline."""
        if self._slow is not None:
            before, slow = self._slow
            self._slow = None
            if median > _HELPED * slow:
                self._set_baseline(median)
                return self._change(before, LimitCause.NOT_THE_CAUSE)
        baseline = statistics.median(self._alone) if self._alone else median
        if median <= baseline:
            self._set_baseline(median)
            return None
        if self.now == 1 or median < max(_SLOWER * baseline, baseline + _SLOWER_SECONDS):
            return None
        self._slow = self.now, median
        return self._fall(LimitCause.SLOWER)

    def _set_baseline(self, seconds: float) -> None:
        self._alone.clear()
        self._alone.append(seconds)

    def _fall(self, cause: LimitCause) -> LimitChange | None:
        if self.now == 1:
            self._good = 0
            return None
        if self.generation:
            self._patience = min(2 * self._patience, _MAX_PATIENCE)
        self.generation += 1
        return self._change(self.now // 2, cause)

    def _change(self, limit: int, cause: LimitCause) -> LimitChange:
        change = LimitChange(self._host, self.now, limit, cause)
        self.now = limit
        self._good = 0
        self._recent.clear()
        return change
