"""The files that are left on a site: an estimate from the crawl, and its sentences."""

import math
import sqlite3
import statistics
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from datahound.report.remaining import UNGROUPED, History, Remaining, estimate
from datahound.store.queries import (
    iterate_visits,
    latest_request_times,
    read_totals,
    target_numbers,
)
from datahound.store.queries_counts import count_waiting_groups
from datahound.units import show_duration

_VISIT = np.dtype(
    [
        ("group", np.int64),
        ("reward", np.int64),
        ("new_links", np.int64),
        ("was_page", np.bool_),
        ("was_read", np.bool_),
    ]
)
_EARLY = 500
"""With fewer requests, the interval missed the truth too often on recorded sites."""
_FEW_FOUND = 50
"""With fewer files found, it did so too, unless most links had been followed."""
# The pace of the last minutes: an hour ago, another host may have set it.
_LATEST = 300


@dataclass(frozen=True, slots=True)
class VisitColumns:
    """One entry per visit, in order."""

    groups: NDArray[np.int64]
    rewards: NDArray[np.int64]
    """New targets; 0 where there was no page."""
    new_links: NDArray[np.int64]
    were_pages: NDArray[np.bool_]
    were_read: NDArray[np.bool_]
    """Pages whose files were collected without them were not."""


def read_visits(connection: sqlite3.Connection) -> VisitColumns:
    """All visits so far."""
    # Straight into one array: a list of millions of rows would take gigabytes.
    visits = np.fromiter(iterate_visits(connection, UNGROUPED), _VISIT)
    return VisitColumns(*(visits[name] for name in _VISIT.names or ()))


@dataclass(frozen=True, slots=True)
class Outlook:
    """The estimate in sentences."""

    headline: str
    next_file: str
    waiting: int
    remaining: Remaining | None
    """None if it is too early to estimate."""


def read_history(connection: sqlite3.Connection, visits: VisitColumns | None = None) -> History:
    """The data that an estimate is made from."""
    visits = visits or read_visits(connection)
    links = count_waiting_groups(connection)
    return History(
        read_totals(connection).requests,
        target_numbers(connection),
        visits.groups,
        visits.rewards,
        visits.new_links,
        {UNGROUPED if group is None else group: count for group, count in links.items()},
    )


def read_outlook(
    connection: sqlite3.Connection, *, exhausted: bool, visits: VisitColumns | None = None
) -> Outlook:
    """Estimate the files that are left on the site of a crawl."""
    if exhausted:
        return Outlook("No file that links lead to.", "", 0, Remaining(0, 0, 0, None))
    history = read_history(connection, visits)
    if is_too_early(history):
        return Outlook("It is too early to tell.", "", history.waiting, None)
    remaining = estimate(history)
    return Outlook(
        describe_remaining(remaining),
        describe_next(remaining, measure_pace(connection)),
        history.waiting,
        remaining,
    )


def is_too_early(history: History) -> bool:
    """Whether an estimate would not hold its interval yet."""
    is_unknown = len(history.found_at) < _FEW_FOUND and 2 * history.waiting > history.requests
    return history.waiting > 0 and (history.requests < _EARLY or is_unknown)


def describe_remaining(remaining: Remaining) -> str:
    """The number of files left, in a sentence.

    >>> describe_remaining(Remaining(42, 5, 163, 30.0))
    'Probably about 42 more files (between 5 and 160).'
    >>> describe_remaining(Remaining(0, 0, 12, 30.0))
    'Probably none, at most about 12 files.'
    """
    if not remaining.high:
        return "Probably none."
    if not remaining.likely:
        return f"Probably none, at most about {_files(remaining.high)}."
    between = f"between {round_roughly(remaining.low)} and {round_roughly(remaining.high)}"
    more = (
        "1 more file" if remaining.likely == 1 else f"{round_roughly(remaining.likely)} more files"
    )
    return f"Probably about {more} ({between})."


def describe_next(remaining: Remaining, seconds: float | None) -> str:
    """The requests until the next file, in a sentence; '' if there is no estimate."""
    cost = remaining.next_cost
    if cost is None or not remaining.high:
        return ""
    requests = max(1, round(cost))
    text = f"At the present rate the next file costs about {_requests(requests)}"
    return f"{text}, {_time(requests * seconds)}." if seconds else f"{text}."


def measure_pace(connection: sqlite3.Connection) -> float | None:
    """Seconds per request lately: the median, so that pauses don't count."""
    times = latest_request_times(connection, _LATEST)
    gaps = [later - earlier for later, earlier in pairwise(times)]
    return statistics.median(gaps) if gaps else None


def round_roughly(count: int) -> str:
    """A number rounded to two figures, for estimates.

    >>> round_roughly(7), round_roughly(163), round_roughly(1283)
    ('7', '160', '1,300')
    """
    if count < 100:
        return str(count)
    step = 10 ** (int(math.log10(count)) - 1)
    return f"{round(count / step) * step:,}"


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{round_roughly(count)} files"


def _requests(count: int) -> str:
    return "1 request" if count == 1 else f"{round_roughly(count)} requests"


def _time(seconds: float) -> str:
    if seconds < 1:
        return "less than a second"
    if seconds < 1.5:
        return "a second"
    if 20 <= seconds < 40:
        return "half a minute"
    if 40 <= seconds < 90:
        return "a minute"
    if seconds < 60:
        return f"{seconds:.0f} seconds"
    if seconds < 3300:
        return f"{seconds / 60:.0f} minutes"
    return show_duration(seconds)
