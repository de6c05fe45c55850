"""Why a crawl ended, in a line for the user and a number for the shell."""

from dataclasses import asdict, dataclass
from typing import Any

from datahound.events import Stop
from datahound.runs.reasons import CAUSES, HINTS, Cause
from datahound.units import show_duration

INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Ended:
    """Why a crawl ended: the cause, in words, and the exit status."""

    cause: Cause
    reason: str
    status: int = 0

    @property
    def hint(self) -> str:
        """How the crawl can be gone on with, or ''."""
        return HINTS.get(self.cause, "")

    @property
    def failed_start(self) -> bool:
        return self.cause is Cause.NO_START_PAGE

    def __str__(self) -> str:
        return f"{self.reason}; {self.hint}" if self.hint else self.reason

    def plain(self) -> dict[str, Any]:
        """As it is stored."""
        return {**asdict(self), "cause": self.cause.value, "hint": self.hint}


def cause_of(stored: dict[str, Any] | None) -> Cause | None:
    """The cause in what was stored; None of a crawl that did not come to an end."""
    return Cause(stored["cause"]) if stored and "cause" in stored else None


def as_planned(stop: Stop) -> Ended:
    cause = Cause(stop.value)
    return Ended(cause, CAUSES[cause].phrase)


def interrupted() -> Ended:
    return Ended(Cause.INTERRUPTED, CAUSES[Cause.INTERRUPTED].phrase, INTERRUPTED)


def time_is_up(seconds: float) -> Ended:
    return Ended(Cause.TIME_IS_UP, f"{CAUSES[Cause.TIME_IS_UP].phrase} ({show_duration(seconds)})")


def finished_before(requests: int, targets: int) -> Ended:
    found = f"{targets} targets in {requests} requests"
    reason = f"{CAUSES[Cause.FINISHED_BEFORE].phrase}: {CAUSES[Cause.EXHAUSTED].phrase} ({found})"
    return Ended(Cause.FINISHED_BEFORE, reason)


def files_fetched(missing: int) -> Ended:
    if not missing:
        return Ended(Cause.FILES_FETCHED, CAUSES[Cause.FILES_FETCHED].phrase)
    return Ended(Cause.FILES_MISSING, f"{missing} files could not be had", 1)


def no_start_page(reason: str) -> Ended:
    return Ended(Cause.NO_START_PAGE, f"{CAUSES[Cause.NO_START_PAGE].phrase}: {reason}", 1)
