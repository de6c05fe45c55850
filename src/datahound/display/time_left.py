"""The time that is left of a crawl: it never grows without a reason."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from datahound.display.shown import Shown
from datahound.units import show_count, show_duration

_TOLERANCE = 0.1
_LEAST_SECONDS = 10.0
_REASON_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class _Expectation:
    end: float
    """When the crawl ends at the latest."""
    links: int
    pace: float


class TimeLeft:
    """Counts down; where the end moves away, says why for half a minute."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._expected: _Expectation | None = None
        self._reason = ""
        self._reason_until = 0.0

    def describe(self, run: Shown) -> str:
        """The time that is left at most, in words; '' while nothing is known."""
        seconds, pace = run.progress.seconds_left, run.progress.seconds_per_request
        if seconds is None or pace is None:
            return ""
        now = self._now()
        found = _Expectation(now + seconds, run.progress.waiting, pace)
        before = self._expected
        if before is None or found.end <= before.end:
            self._expected = found
        elif seconds > max(0.0, before.end - now) * (1 + _TOLERANCE) + _LEAST_SECONDS:
            self._expected = found
            self._reason, self._reason_until = _explain(before, found), now + _REASON_SECONDS
        text = _describe_span((self._expected or found).end - now)
        return f"{text}, more than before: {self._reason}" if now < self._reason_until else text


def _describe_span(seconds: float) -> str:
    # Near the end, the countdown may be over before the crawl is.
    return "less than 10s" if seconds < _LEAST_SECONDS else f"at most {show_duration(seconds)}"


def _explain(before: _Expectation, found: _Expectation) -> str:
    more = found.links - before.links
    slower = found.pace / before.pace if before.pace else 1.0
    if more > 0 and found.links / max(1, before.links) >= slower:
        return f"{show_count(more, 'more link')} to follow"
    return f"a request now takes {found.pace:.1f}s"
