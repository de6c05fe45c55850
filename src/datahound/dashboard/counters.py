"""Counts over a crawl that may have millions of rows: made once, then kept up to date."""

import sqlite3
import threading
import time
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from datahound.dashboard.url_index import KEYS, UrlIndex
from datahound.model import Skip
from datahound.runs.reasons import Unfollowed

_STEP = 10_000
_QUICK_SECONDS = 0.05
_PATIENCE_SECONDS = 0.02

# The host with its port: what stands between `//` and the next slash.
_REST = "substr(url, instr(url, '//') + 2)"
_HOST = f"substr({_REST}, 1, instr({_REST} || '/', '/') - 1)"
_REQUESTS = f"""SELECT {_HOST}, status, substr(failure, 1, 80), count(*), sum(size), max(at)
    FROM request WHERE id > ? AND id <= ? GROUP BY 1, 2, 3"""
_TARGETS = "SELECT number, mime_type FROM target WHERE id > ? AND id <= ? ORDER BY id"
# A page whose files were collected without it counts for its group, though it was not read.
_UNFOLLOWED = ("needs_script", "forms", "forms > 0", "files_elsewhere", "files_elsewhere > 0")
_IF_READ = "coalesce(sum({}) FILTER (WHERE outcome = 'read'), 0)"
_VISITS = f"""SELECT action, count(*), sum(outcome != 'not a page'), sum(reward), sum(reward > 0),
    sum(outcome = 'read'), {", ".join(_IF_READ.format(what) for what in _UNFOLLOWED)}
    FROM visit WHERE id > ? AND id <= ? GROUP BY 1"""
_LINKS = """SELECT action, count(*) FROM link WHERE number > ? AND number <= ?
    AND expected = 'page' GROUP BY 1"""
_CHOICES = "SELECT action, count(*) FROM choice WHERE id > ? AND id <= ? GROUP BY 1"
_SKIPS = "SELECT reason, count(*) FROM skip WHERE id > ? AND id <= ? GROUP BY 1"
# Another count of retellings, or another beginning, is another story.
_RETOLD = """SELECT (SELECT value FROM fact WHERE name = 'retold'),
    (SELECT at FROM request ORDER BY id LIMIT 1)"""


@dataclass(slots=True)
class Group:
    """What is known of the links of one action."""

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

    def copy(self) -> "Group":
        """The same, ten times as fast as `replace`: there may be thousands of groups."""
        return Group(self.links, self.chosen, self.visits, self.pages, self.rich, self.targets)


@dataclass(slots=True)
class Host:
    """What is known of one host."""

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
    hosts: dict[str, Host] = field(default_factory=dict)
    troubles: Counter[tuple[int | None, str]] = field(default_factory=Counter)
    """Statuses of errors; without an answer None, and why there was none."""
    types: Counter[str] = field(default_factory=Counter)
    skips: Counter[Skip] = field(default_factory=Counter)
    unfollowed: Unfollowed = field(default_factory=Unfollowed)
    groups: dict[int | None, Group] = field(default_factory=dict)
    found: "array[int]" = field(default_factory=lambda: array("q"))
    """The request at which each target was found, in order."""
    read: dict[str, int] = field(default_factory=dict)
    """The last row of each table that is counted."""

    def copy(self) -> "Counts":
        """The counts as they are now, whatever is counted later."""
        copied = replace(self, hosts={name: replace(host) for name, host in self.hosts.items()})
        copied.groups = {number: group.copy() for number, group in self.groups.items()}
        for name in ("troubles", "types", "skips"):
            setattr(copied, name, Counter(getattr(self, name)))
        copied.found = self.found[:]
        return copied


class Digest:
    """The counts of one crawl; whoever asks brings a connection, from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._retold: object = None
        self._counts = Counts()
        self.counts = Counts()
        """What was counted when it was last asked for; it changes no more."""
        self.urls = UrlIndex()
        self.share = 0.0
        """How much of the crawl is counted, up to 1."""

    def update(self, connection: sqlite3.Connection, seconds: float = _QUICK_SECONDS) -> Counts:
        """Count what is new, for so long at most; if somebody else is at it, take what there is."""
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
        retold = connection.execute(_RETOLD).fetchone()
        if retold != self._retold:
            # Rows were forgotten and told again: what was counted may be no more.
            self._retold, self._counts, self.counts = retold, Counts(), Counts()
            self.urls = UrlIndex()
        changed = False
        for _ in self._steps(connection):
            changed = True
            if time.monotonic() > until:
                break
        if changed:
            self.counts = self._counts.copy()

    def _steps(self, connection: sqlite3.Connection) -> Iterator[None]:
        tables = {"request": _REQUESTS, "target": _TARGETS, "visit": _VISITS, "link": _LINKS}
        tables |= {"choice": _CHOICES, "skip": _SKIPS}
        lasts = {table: _last(connection, table) for table in (*tables, *KEYS)}
        read = self._counts.read
        total = sum(lasts.values()) + sum(lasts[table] for table in KEYS) or 1
        for table, statement in tables.items():
            while (first := read.get(table, -1)) < lasts[table]:
                upto = min(max(first, 0) + _STEP, lasts[table])
                self._count(table, connection.execute(statement, (first, upto)).fetchall())
                read[table] = upto
                self.share = min(sum(max(0, n) for n in read.values()) / total, 0.999)
                yield
        yield from self._index(connection, lasts, total)
        self.share = 1.0

    def _index(
        self, connection: sqlite3.Connection, lasts: dict[str, int], total: int
    ) -> Iterator[None]:
        read = self._counts.read
        for table, key in KEYS.items():
            name = f"URLs of {table}"
            statement = f"SELECT {key}, url FROM {table} WHERE {key} > ? AND {key} <= ?"
            while (first := read.get(name, -1)) < lasts[table]:
                upto = min(max(first, 0) + _STEP, lasts[table])
                self.urls.add(table, connection.execute(statement, (first, upto)).fetchall(), upto)
                read[name] = upto
                self.share = min(sum(max(0, n) for n in read.values()) / total, 0.999)
                yield

    def _count(self, table: str, rows: list[tuple[Any, ...]]) -> None:
        counts = self._counts
        if table == "request":
            for row in rows:
                _count_requests(counts, *row)
        elif table == "target":
            counts.found.extend(number for number, _ in rows)
            counts.types.update(mime_type or "unknown" for _, mime_type in rows)
        elif table == "visit":
            for action, visits, pages, targets, rich, read, *unfollowed in rows:
                group = counts.groups.setdefault(action, Group())
                group.visits += visits
                group.pages += pages
                group.targets += targets
                group.rich += rich
                counts.pages += read
                counts.unfollowed = counts.unfollowed.plus(Unfollowed(*unfollowed))
        elif table == "link":
            for action, links in rows:
                counts.groups.setdefault(action, Group()).links += links
        elif table == "choice":
            for action, chosen in rows:
                counts.groups.setdefault(action, Group()).chosen += chosen
        else:
            counts.skips.update({Skip(reason): count for reason, count in rows})


def _count_requests(
    counts: Counts, name: str, status: int | None, failure: str, count: int, size: int, at: float
) -> None:
    host = counts.hosts.setdefault(name, Host())
    host.requests += count
    host.bytes += size or 0
    host.last_at = max(host.last_at, at)
    counts.requests += count
    counts.bytes += size or 0
    if status is None or status >= 400:
        host.troubles += count
        counts.troubles[status, failure] += count


def _last(connection: sqlite3.Connection, table: str) -> int:
    key = KEYS.get(table, "id")
    (last,) = connection.execute(f"SELECT coalesce(max({key}), -1) FROM {table}").fetchone()
    return int(last)
