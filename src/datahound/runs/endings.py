"""Why a crawl ended, in a line for the user and a number for the shell."""

from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from datahound.events import Stop
from datahound.runs.words import show_duration

INTERRUPTED = 130


class Cause(Enum):
    """Why a crawl ended: by itself, as in `Stop`, or from outside."""

    EXHAUSTED = Stop.EXHAUSTED.value
    SPENT_REQUESTS = Stop.SPENT_REQUESTS.value
    SPENT_BYTES = Stop.SPENT_BYTES.value
    BARREN = Stop.BARREN.value
    INTERRUPTED = "interrupted"
    TIME_IS_UP = "time is up"
    FINISHED_BEFORE = "finished before"
    FILES_FETCHED = "files fetched"
    FILES_MISSING = "files missing"
    NO_START_PAGE = "no start page"
    BAD_INPUT = "bad input"
    TROUBLE = "trouble"
    FAULT = "fault"
    OTHER = "other"
    """Said in words only, by an older version."""


_REASONS = {
    Cause.EXHAUSTED: "every link on the site has been followed",
    Cause.SPENT_REQUESTS: "the budget of requests is spent",
    Cause.SPENT_BYTES: "the budget of bytes is spent",
    Cause.BARREN: "new targets have become too rare (early stopping)",
    Cause.INTERRUPTED: "interrupted",
}
_HINTS = {
    Cause.BARREN: "to go on, run the same command with --no-early-stop",
    Cause.SPENT_REQUESTS: "to go on, run the same command with a larger --budget",
    Cause.SPENT_BYTES: "to go on, run the same command with a larger --max-bytes",
    Cause.INTERRUPTED: "the same command goes on from here",
    Cause.TROUBLE: "the same command goes on from here",
    Cause.TIME_IS_UP: "the same command goes on from here",
    Cause.FILES_MISSING: "the same command tries again",
    Cause.NO_START_PAGE: "the same command tries again",
}


@dataclass(frozen=True, slots=True)
class Ended:
    """Why a crawl ended: the cause, in words, and the exit status."""

    cause: Cause
    reason: str
    status: int = 0

    @property
    def hint(self) -> str:
        """How the crawl can be gone on with, or ''."""
        return _HINTS.get(self.cause, "")

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
    return Ended(cause, _REASONS[cause])


def interrupted() -> Ended:
    return Ended(Cause.INTERRUPTED, _REASONS[Cause.INTERRUPTED], INTERRUPTED)


def time_is_up(seconds: float) -> Ended:
    return Ended(Cause.TIME_IS_UP, f"the time is up ({show_duration(seconds)})")


def finished_before(requests: int, targets: int) -> Ended:
    found = f"{targets} targets in {requests} requests"
    reason = f"this crawl was finished before: {_REASONS[Cause.EXHAUSTED]} ({found})"
    return Ended(Cause.FINISHED_BEFORE, reason)


def files_fetched(missing: int) -> Ended:
    if not missing:
        return Ended(Cause.FILES_FETCHED, "every file is here")
    return Ended(Cause.FILES_MISSING, f"{missing} files could not be had", 1)


def no_start_page(reason: str) -> Ended:
    return Ended(Cause.NO_START_PAGE, f"the start page can't be had: {reason}", 1)
