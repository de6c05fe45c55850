"""Why a crawl ended, in a line for the user and a number for the shell."""

from dataclasses import dataclass

from datahound.crawl.stopping import BARREN, EXHAUSTED, SPENT_BYTES, SPENT_REQUESTS
from datahound.runs.words import show_duration

INTERRUPTED = 130

_HOW_TO_GO_ON = {
    BARREN: "to go on, run the same command with --no-early-stop",
    SPENT_REQUESTS: "to go on, run the same command with a larger --budget",
    SPENT_BYTES: "to go on, run the same command with a larger --max-bytes",
}


@dataclass(frozen=True, slots=True)
class Ended:
    """Why a crawl ended, and how it can be gone on with."""

    reason: str
    status: int = 0
    hint: str = ""
    failed_start: bool = False

    def __str__(self) -> str:
        return f"{self.reason}; {self.hint}" if self.hint else self.reason


def as_planned(reason: str) -> Ended:
    return Ended(reason, hint=_HOW_TO_GO_ON.get(reason, ""))


def interrupted() -> Ended:
    return Ended("interrupted", INTERRUPTED, "the same command goes on from here")


def time_is_up(seconds: float) -> Ended:
    return Ended(
        f"the time is up ({show_duration(seconds)})", hint="the same command goes on from here"
    )


def finished_before(requests: int, targets: int) -> Ended:
    found = f"{targets} targets in {requests} requests"
    return Ended(f"this crawl was finished before: {EXHAUSTED} ({found})")


def files_fetched(missing: int) -> Ended:
    if not missing:
        return Ended("every file is here")
    return Ended(f"{missing} files could not be had", 1, "the same command tries again")


def no_start_page(reason: str) -> Ended:
    hint = "the same command tries again"
    return Ended(f"the start page can't be had: {reason}", 1, hint, failed_start=True)
