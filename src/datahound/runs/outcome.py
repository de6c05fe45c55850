"""How a crawl ended, and where it stands: for a person, the shell, and the next run."""

import sqlite3
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from datahound.events import Stop
from datahound.model import Skip
from datahound.runs.reasons import CAUSES, HINTS, Cause, Unfollowed
from datahound.store import reading
from datahound.store.files import FileLedger
from datahound.store.folder import Folder
from datahound.store.writer import Store
from datahound.units import show_duration
from datahound.web.urls import origin_and_path

INTERRUPTED = 130
BAD_INPUT = 2
TROUBLE = 1


@dataclass(frozen=True, slots=True)
class Ended:
    """Why a crawl ended: the cause, in words, and the exit status."""

    cause: Cause
    reason: str
    status: int = 0

    @property
    def hint(self) -> str:
        """How to continue the crawl, or ''."""
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
    """The cause in a stored ending; None for a crawl that has not ended."""
    return Cause(stored["cause"]) if stored and "cause" in stored else None


def as_planned(stop: Stop) -> Ended:
    cause = Cause(stop.value)
    return Ended(cause, CAUSES[cause].phrase)


def interrupted() -> Ended:
    return Ended(Cause.INTERRUPTED, CAUSES[Cause.INTERRUPTED].phrase, INTERRUPTED)


def time_is_up(seconds: float) -> Ended:
    return Ended(Cause.TIME_IS_UP, f"{CAUSES[Cause.TIME_IS_UP].phrase} ({show_duration(seconds)})")


def files_fetched(missing: int) -> Ended:
    if not missing:
        return Ended(Cause.FILES_FETCHED, CAUSES[Cause.FILES_FETCHED].phrase)
    return Ended(Cause.FILES_MISSING, f"{missing} files could not be had", TROUBLE)


def no_start_page(reason: str) -> Ended:
    return Ended(Cause.NO_START_PAGE, f"{CAUSES[Cause.NO_START_PAGE].phrase}: {reason}", TROUBLE)


def was_finished(store: Store, *, list_only: bool) -> bool:
    """Whether no work is left: every link was followed, and every file has its result."""
    if cause_of(store.fact("ended")) is not Cause.EXHAUSTED:
        return False
    return list_only or not FileLedger(store).missing()


def already_finished(store: Store) -> Ended:
    """The ending of a run that found no work left."""
    counts = reading.read_quick_counts(store.connection)
    found = f"{counts.targets} targets in {counts.requests} requests"
    reason = f"{CAUSES[Cause.FINISHED_BEFORE].phrase}: {CAUSES[Cause.EXHAUSTED].phrase} ({found})"
    return Ended(Cause.FINISHED_BEFORE, reason)


def forget_failed_start(store: Store, folder: Folder) -> None:
    """Reset a crawl that never read a page: else the journal would answer with the old failure."""
    if cause_of(store.fact("ended")) is Cause.NO_START_PAGE:
        for path in folder.pages.glob("*.warc.gz*"):
            path.unlink()
        store.forget()
        store.note("ended", None)


def judge_end(store: Store, stop: Stop | None) -> Ended:
    """Why a crawl ended that nobody interrupted."""
    reason = stop or Stop.EXHAUSTED
    if reason is Stop.EXHAUSTED and not reading.has_found_anything(store.connection):
        status, failure = reading.read_last_request(store.connection)
        return no_start_page(failure or (f"status {status}" if status else "it is no page"))
    return as_planned(reason)


def origins_that_answered(store: Store) -> tuple[str, ...]:
    """The origins of the last requests that got an answer."""
    urls = reading.read_answered_urls(store.connection)
    return tuple(dict.fromkeys(origin_and_path(url)[0] for url in urls))


@dataclass(frozen=True, slots=True)
class Report:
    """Where a crawl stands, whether it runs or not."""

    seed: str
    strategy: str
    running: bool
    cause: Cause | None
    """Why it ended; None if it runs or was cut off."""
    ended: str
    """The cause in words, with its details."""
    requests: int
    targets: int
    bytes: int
    pages: int
    began_at: float | None
    last_at: float | None
    files: dict[str, reading.FileState]
    listed: int
    """Targets whose bodies were not asked for."""
    skipped: dict[Skip, int]
    best_actions: list[reading.GroupTotals]
    unfollowed: Unfollowed


def read_report(path: Path) -> Report:
    """Where the crawl in a folder stands."""
    with reading.open_folder(path) as connection:
        return _read_report(connection, running=Folder(path).is_claimed())


def _read_report(connection: sqlite3.Connection, *, running: bool) -> Report:
    identity: dict[str, Any] = reading.read_fact(connection, "identity") or {}
    ended = None if running else reading.read_fact(connection, "ended")
    cause = cause_of(ended)
    return Report(
        identity.get("URL", ""),
        identity.get("--strategy", ""),
        running,
        cause,
        ended["reason"] if ended and cause else "",
        *reading.read_counts(connection),
        reading.read_file_states(connection),
        reading.count_listed(connection),
        reading.read_skips(connection),
        reading.read_best_groups(connection),
        read_unfollowed(connection),
    )


def read_unfollowed(connection: sqlite3.Connection) -> Unfollowed:
    """What the pages read so far offer beside links that can be followed."""
    return Unfollowed(*reading.read_unfollowed(connection))
