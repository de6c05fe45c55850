"""Counts over a crawl of up to millions of rows: counted once, then updated with new rows."""

import sqlite3
import threading
import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from datahound.dashboard.url_index import UrlIndex
from datahound.model import Skip
from datahound.report.phrases import Unfollowed
from datahound.store import queries_counts as counts
from datahound.store.queries_counts import URL_KEYS

# Rows per step: some milliseconds each, so that a page can stop in time.
_STEP = 10_000
# A page shows what is counted so far rather than wait longer.
_QUICK_SECONDS = 0.05
_PATIENCE_SECONDS = 0.02


@dataclass(slots=True)
class GroupCounts:
    """The links and visits of one group."""

    links: int = 0
    chosen: int = 0
    visits: int = 0
    pages: int = 0
    rich: int = 0
    """Pages that had new targets."""
    targets: int = 0

    @property
    def waiting(self) -> int:
        return max(0, self.links - self.chosen)

    @property
    def mean(self) -> float | None:
        return self.targets / self.pages if self.pages else None

    def copy(self) -> "GroupCounts":
        """A copy; ten times as fast as `replace`, since there may be thousands of groups."""
        return GroupCounts(
            self.links, self.chosen, self.visits, self.pages, self.rich, self.targets
        )


@dataclass(slots=True)
class HostCounts:
    """The requests to one host."""

    requests: int = 0
    troubles: int = 0
    bytes: int = 0
    last_at: float = 0.0


@dataclass(slots=True)
class Counts:
    """Everything that is counted."""

    requests: int = 0
    bytes: int = 0
    pages: int = 0
    hosts: dict[str, HostCounts] = field(default_factory=dict)
    troubles: Counter[tuple[int | None, str]] = field(default_factory=Counter)
    """By status and failure; the status is None where there was no answer."""
    types: Counter[str] = field(default_factory=Counter)
    skips: Counter[Skip] = field(default_factory=Counter)
    unfollowed: Unfollowed = field(default_factory=Unfollowed)
    groups: dict[int | None, GroupCounts] = field(default_factory=dict)
    found: "array[int]" = field(default_factory=lambda: array("q"))
    """The request at which each target was found, in order."""
    read: dict[str, int] = field(default_factory=dict)
    """The last row of each table that is counted."""

    def copy(self) -> "Counts":
        """A copy that later counting does not change."""
        copied = replace(self, hosts={name: replace(host) for name, host in self.hosts.items()})
        copied.groups = {number: group.copy() for number, group in self.groups.items()}
        for name in ("troubles", "types", "skips"):
            setattr(copied, name, Counter(getattr(self, name)))
        copied.found = self.found[:]
        return copied


class Counters:
    """The counts of one crawl; can be updated from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._mark: object = None
        self._counts = Counts()
        self.counts = Counts()
        """The counts of the last update; never changed afterwards."""
        self.urls = UrlIndex()
        self.share = 0.0
        """Share of the crawl that is counted, up to 1."""

    def update(self, connection: sqlite3.Connection, seconds: float = _QUICK_SECONDS) -> Counts:
        """Count new rows for up to `seconds`; returns the last counts if a thread is counting."""
        # A page does not wait for another page's counting.
        if not self._lock.acquire(timeout=_PATIENCE_SECONDS):
            return self.counts
        try:
            self._catch_up(connection, time.monotonic() + seconds)
            return self.counts
        finally:
            self._lock.release()

    @property
    def is_complete(self) -> bool:
        return self.share >= 1

    def _catch_up(self, connection: sqlite3.Connection, until: float) -> None:
        mark = counts.read_replay_mark(connection)
        if mark != self._mark:
            # The rows were written again: the old counts may include rows that are gone.
            self._mark, self._counts, self.counts = mark, Counts(), Counts()
            self.urls = UrlIndex()
        changed = False
        for _ in self._steps(connection):
            changed = True
            if time.monotonic() > until:
                break
        if changed:
            # Published as a whole: readers never see half of a step.
            self.counts = self._counts.copy()

    def _steps(self, connection: sqlite3.Connection) -> Iterator[None]:
        """Count all new rows, up to 10,000 of a table in each step."""
        lasts = {table: counts.last_key(connection, table) for table in _ADD_ROWS}
        # Keys instead of counts: COUNT(*) would read the whole table.
        total = sum(lasts.values()) + sum(lasts[table] for table in URL_KEYS) or 1
        for table, add_rows in _ADD_ROWS.items():
            add = partial(add_rows, self._counts, connection)
            yield from self._add_ranges(table, lasts[table], total, add)
        for table in URL_KEYS:
            add = partial(self._add_urls, connection, table)
            yield from self._add_ranges(f"URLs of {table}", lasts[table], total, add)
        self.share = 1.0

    def _add_ranges(
        self, name: str, end: int, total: int, add: Callable[[int, int], None]
    ) -> Iterator[None]:
        """Add rows up to a key, range by range; a range counts as read once it was added."""
        read = self._counts.read
        while (first := read.get(name, -1)) < end:
            last = min(max(first, 0) + _STEP, end)
            add(first, last)
            read[name] = last
            # Never 1 before the end: `is_complete` takes 1 for the end.
            self.share = min(sum(max(0, n) for n in read.values()) / total, 0.999)
            yield

    def _add_urls(self, connection: sqlite3.Connection, table: str, first: int, last: int) -> None:
        self.urls.add(table, counts.read_urls(connection, table, first, last), last)


def _add_requests(added: Counts, connection: sqlite3.Connection, first: int, last: int) -> None:
    for row in counts.count_requests(connection, first, last):
        host = added.hosts.setdefault(row.host, HostCounts())
        host.requests += row.requests
        host.bytes += row.bytes
        # Ranges are counted by key, not by time.
        host.last_at = max(host.last_at, row.last_at)
        added.requests += row.requests
        added.bytes += row.bytes
        if row.status is None or row.status >= 400:
            host.troubles += row.requests
            added.troubles[row.status, row.failure] += row.requests


def _add_targets(added: Counts, connection: sqlite3.Connection, first: int, last: int) -> None:
    targets = counts.read_targets(connection, first, last)
    added.found.extend(target.number for target in targets)
    added.types.update(target.mime_type or "unknown" for target in targets)


def _add_visits(added: Counts, connection: sqlite3.Connection, first: int, last: int) -> None:
    for row in counts.count_visits(connection, first, last):
        group = added.groups.setdefault(row.group, GroupCounts())
        group.visits += row.visits
        group.pages += row.pages
        group.targets += row.targets
        group.rich += row.rich
        added.pages += row.read
        unfollowed = Unfollowed(
            row.script_pages,
            row.forms,
            row.form_pages,
            row.files_elsewhere,
            row.elsewhere_pages,
            row.links_left_out,
        )
        added.unfollowed = added.unfollowed.plus(unfollowed)


def _add_links(added: Counts, connection: sqlite3.Connection, first: int, last: int) -> None:
    for group, links in counts.count_links(connection, first, last):
        added.groups.setdefault(group, GroupCounts()).links += links


def _add_choices(added: Counts, connection: sqlite3.Connection, first: int, last: int) -> None:
    for group, chosen in counts.count_choices(connection, first, last):
        added.groups.setdefault(group, GroupCounts()).chosen += chosen


def _add_skips(added: Counts, connection: sqlite3.Connection, first: int, last: int) -> None:
    skips = counts.count_skips(connection, first, last)
    added.skips.update({Skip(reason): count for reason, count in skips})


_ADD_ROWS = {
    "request": _add_requests,
    "target": _add_targets,
    "visit": _add_visits,
    "link": _add_links,
    "choice": _add_choices,
    "skip": _add_skips,
}
