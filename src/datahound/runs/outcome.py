"""Why a crawl ended, in words, and the exit status of one crawl or of several."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from datahound.errors import ArchiveError, DatahoundError, StorageError, UserError
from datahound.events import Stop
from datahound.machine import read_free_disk
from datahound.report.phrases import CAUSES, HINTS, Cause, cause_of
from datahound.report.status import explain_no_files, read_unfollowed
from datahound.store import queries, queries_counts
from datahound.store.folder import Folder
from datahound.store.writer import Store
from datahound.units import show_duration, show_size
from datahound.web.urls import origin_and_path

INTERRUPTED = 130
BAD_INPUT = 2
TROUBLE = 1
NOTHING_FOUND = 3

HOST_NOT_FOUND = "host not found"
_FOREVER = 3e10
_FULL_DISK = 10_000_000
"""Free bytes below which a full disk is the most probable cause of a storage error."""


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


def as_planned(stop: Stop) -> Ended:
    cause = Cause(stop.value)
    return Ended(cause, CAUSES[cause].phrase)


def interrupted() -> Ended:
    return Ended(Cause.INTERRUPTED, CAUSES[Cause.INTERRUPTED].phrase, INTERRUPTED)


def time_is_up(seconds: float) -> Ended:
    return Ended(Cause.TIME_IS_UP, f"{CAUSES[Cause.TIME_IS_UP].phrase} ({show_duration(seconds)})")


def set_timer(seconds: float | None, stop: Callable[[Ended], None]) -> asyncio.TimerHandle:
    """Call `stop` when the time is up; without a limit, in a thousand years."""
    limit = _FOREVER if seconds is None else seconds
    return asyncio.get_running_loop().call_later(limit, stop, time_is_up(limit))


def find_disk_trouble(folder: Folder, least: int) -> Ended | None:
    """Why a crawl must stop: its folder is gone, or too little disk is free; None to continue."""
    if not folder.database.exists():
        reason = f"{CAUSES[Cause.FOLDER_GONE].phrase}: {folder.path}"
        return Ended(Cause.FOLDER_GONE, reason, BAD_INPUT)
    free = read_free_disk(folder.path)
    if free >= least:
        return None
    phrase = CAUSES[Cause.DISK_LOW].phrase
    reason = f"{phrase}: {show_size(free)} are free, and {show_size(least)} must stay free"
    return Ended(Cause.DISK_LOW, reason, TROUBLE)


def explain_failure(folder: Folder, error: DatahoundError, *, was_online: bool) -> Ended | None:
    """The reason behind an error of a crawl: whatever failed first, its folder or disk is gone."""
    # Before a crawl is online, its folder may not have been made.
    if was_online and (ended := find_disk_trouble(folder, 0)):
        return ended
    if not isinstance(error, StorageError | ArchiveError) or not folder.database.exists():
        return None
    free = read_free_disk(folder.path)
    reason = f"{CAUSES[Cause.DISK_LOW].phrase}: {show_size(free)} are free"
    return Ended(Cause.DISK_LOW, reason, TROUBLE) if free < _FULL_DISK else None


def files_fetched(missing: int) -> Ended:
    if not missing:
        return Ended(Cause.FILES_FETCHED, CAUSES[Cause.FILES_FETCHED].phrase)
    return Ended(Cause.FILES_MISSING, f"{missing} files could not be downloaded", TROUBLE)


def no_start_page(reason: str) -> Ended:
    return Ended(Cause.NO_START_PAGE, f"{CAUSES[Cause.NO_START_PAGE].phrase}: {reason}", TROUBLE)


def had_no_host(ended: Ended) -> bool:
    """Whether the start page's host is unknown: most probably a typing error."""
    return ended.failed_start and ended.reason.endswith(HOST_NOT_FOUND)


def was_finished(store: Store, *, list_only: bool) -> bool:
    """Whether no work is left: every link was followed, and every file has its result."""
    if cause_of(store.fact("ended")) is not Cause.EXHAUSTED:
        return False
    return list_only or not store.ledger().missing()


def already_finished(store: Store) -> Ended:
    """The ending of a run that found no work left."""
    counts = queries_counts.read_quick_counts(store.connection)
    found = f"{counts.targets} targets in {counts.requests} requests"
    reason = f"{CAUSES[Cause.FINISHED_BEFORE].phrase}: {CAUSES[Cause.EXHAUSTED].phrase} ({found})"
    return Ended(Cause.FINISHED_BEFORE, reason, 0 if counts.targets else NOTHING_FOUND)


def forget_failed_start(store: Store, folder: Folder) -> None:
    """Reset a crawl that never read a page: its journal would answer with the old failure."""
    if cause_of(store.fact("ended")) is Cause.NO_START_PAGE:
        for path in folder.pages.glob("*.warc.gz*"):
            path.unlink()
        store.forget()
        store.note("ended", None)


def judge_end(store: Store, stop: Stop | None) -> Ended:
    """Why an uninterrupted crawl ended."""
    reason = stop or Stop.EXHAUSTED
    if reason is Stop.EXHAUSTED and not queries.has_found_anything(store.connection):
        status, failure = queries.read_last_request(store.connection)
        return no_start_page(failure or (f"status {status}" if status else "it is not a page"))
    if reason in (Stop.EXHAUSTED, Stop.BARREN) and not _count_targets(store):
        cause = Cause(reason.value)
        why = explain_no_files(store.connection, read_unfollowed(store.connection))
        return Ended(cause, f"{CAUSES[cause].phrase}, and no file was found: {why}", NOTHING_FOUND)
    return as_planned(reason)


def _count_targets(store: Store) -> int:
    return queries_counts.read_quick_counts(store.connection).targets


def origins_that_answered(store: Store) -> tuple[str, ...]:
    """The origins of the last requests that got an answer."""
    urls = queries.read_answered_urls(store.connection)
    return tuple(dict.fromkeys(origin_and_path(url)[0] for url in urls))


def exit_status(endings: Sequence[Ended]) -> int:
    """One number for all: interrupted, something wrong, the user's mistake, or all as planned."""
    statuses = {ended.status for ended in endings}
    return next((s for s in (INTERRUPTED, TROUBLE, BAD_INPUT, NOTHING_FOUND) if s in statuses), 0)


def describe_error(error: Exception) -> Ended:
    """The ending of a run that raised an error."""
    match error:
        case UserError():
            return Ended(Cause.BAD_INPUT, str(error), BAD_INPUT)
        case DatahoundError():
            return Ended(Cause.TROUBLE, str(error), TROUBLE)
    reason = f"a fault in Datahound: {type(error).__name__}: {error}"
    return Ended(Cause.FAULT, reason, TROUBLE)
