"""The status of a crawl, running or not: for `datahound status`, exports and Prometheus."""

import re
import sqlite3
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from datahound.model import Skip
from datahound.report.missed import explain_no_files as explain_no_files  # noqa: PLC0414
from datahound.report.missed import list_missed as list_missed  # noqa: PLC0414 the door
from datahound.report.phrases import Cause, Unfollowed, cause_of
from datahound.report.portals import describe_portals as describe_portals  # noqa: PLC0414 the door
from datahound.store import queries, queries_counts
from datahound.store.folder import Folder


@dataclass(frozen=True, slots=True)
class CrawlStatus:
    """The status of a crawl, running or not."""

    seed: str
    strategy: str
    running: bool
    paused: bool
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
    seconds: float
    """From the first request to the last, without the time between runs."""
    files: dict[str, queries_counts.FileState]
    listed: int
    """Targets whose bodies were not asked for."""
    skipped: dict[Skip, int]
    best_actions: list[queries.GroupTotals]
    unfollowed: Unfollowed
    missed: tuple[str, ...]
    """What was probably missed: a sentence for each reason."""
    portals: tuple[str, ...]
    """What portals list and how much of it was found, a line each."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The files that are probably left on a site: the middle, an interval, and a sentence."""

    likely: int
    low: int
    high: int
    sentence: str


def read_status(path: Path) -> CrawlStatus:
    """The status of the crawl in a folder."""
    with queries.open_folder(path) as connection:
        return _read_status(connection, running=Folder(path).is_claimed())


def _read_status(connection: sqlite3.Connection, *, running: bool) -> CrawlStatus:
    identity: dict[str, Any] = queries.read_fact(connection, "identity") or {}
    ended = None if running else queries.read_fact(connection, "ended")
    cause = cause_of(ended)
    return CrawlStatus(
        identity.get("URL", ""),
        identity.get("--strategy", ""),
        running,
        running and bool((queries.read_fact(connection, "now") or {}).get("paused")),
        cause,
        ended["reason"] if ended and cause else "",
        *(counts := _read_counts(connection)),
        _count_seconds(connection, counts),
        queries_counts.read_file_states(connection),
        queries_counts.count_listed(connection),
        queries_counts.read_skips(connection),
        queries.read_best_groups(connection),
        unfollowed := read_unfollowed(connection),
        tuple(list_missed(connection, unfollowed)),
        tuple(describe_portals(connection)),
    )


def _count_seconds(connection: sqlite3.Connection, counts: queries_counts.CrawlCounts) -> float:
    span = (counts.last_at or 0.0) - (counts.began_at or 0.0)
    if span <= _LONGEST_GAP:
        return span
    # Taken up on another day, or refreshed every night: the days between are no work.
    return queries.read_seconds_worked(connection, _LONGEST_GAP)


def _read_counts(connection: sqlite3.Connection) -> queries_counts.CrawlCounts:
    """The counts of a crawl, with the bytes that came where the crawl has counted them."""
    counts = queries_counts.read_counts(connection)
    received: int | None = queries.read_fact(connection, "received")
    # Requests note the bytes that were announced; folders of old versions have no more.
    return counts._replace(bytes=received) if received else counts


def read_unfollowed(connection: sqlite3.Connection) -> Unfollowed:
    """What the pages read so far offer beside links that can be followed."""
    return Unfollowed(*queries_counts.read_unfollowed(connection))


@dataclass(frozen=True, slots=True)
class LiveFigures:
    """What a running crawl notes of itself every second, since counting it takes long."""

    waiting: int = 0
    bytes: int = 0
    new_files: int = 0
    """Files kept by the latest run of the crawl."""
    left: int | None = None
    left_low: int | None = None
    left_high: int | None = None
    errors: Mapping[str, int] = field(default_factory=dict)
    """Requests that failed, by the class of their error."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one crawl."""

    requests: int = 0
    targets: int = 0
    visits: int = 0
    skipped: int = 0
    links: int = 0
    files: int = 0
    file_bytes: int = 0
    files_failed: int = 0
    running: bool = False
    ended: bool = False
    failed: bool = False
    """Whether the crawl ended because something went wrong."""
    succeeded_at: float = 0.0
    """When a run last ended as planned, in seconds since 1970; 0 for never."""
    last_request_at: float | None = None
    live: LiveFigures = field(default_factory=LiveFigures)


_METRICS: Mapping[str, tuple[str, str, str]] = {
    "requests": ("requests_total", "counter", "Requests made."),
    "targets": ("targets_total", "counter", "Data files found."),
    "visits": ("visits_total", "counter", "Links that were chosen and dealt with."),
    "skipped": ("skipped_total", "counter", "Links left out."),
    "links": ("links_total", "counter", "Links met."),
    "files": ("files", "gauge", "Data files kept."),
    "file_bytes": ("file_bytes", "gauge", "Bytes of the data files kept; those of copies once."),
    "files_failed": ("files_failed", "gauge", "Data files that could not be downloaded."),
    "running": ("running", "gauge", "1 while a process crawls."),
    "ended": ("ended", "gauge", "1 if the latest run has ended, for whatever reason."),
    "failed": ("failed", "gauge", "1 if the latest run ended because something went wrong."),
    "succeeded_at": (
        "last_success_timestamp_seconds", "gauge",
        "When a run last ended as planned; 0 for never.",
    ),
    "last_request_at": ("last_request_timestamp_seconds", "gauge", "When the last answer came."),
    "waiting": ("links_waiting", "gauge", "Links that wait for a visit."),
    "bytes": ("received_bytes_total", "counter", "Bytes that requests brought."),
    "new_files": ("new_files", "gauge", "Data files kept by the latest run."),
    "left": ("files_left_estimate", "gauge", "Data files that are probably left."),
    "left_low": ("files_left_low", "gauge", "The low end of the estimate."),
    "left_high": ("files_left_high", "gauge", "The high end of the estimate."),
}  # fmt: skip
_LONGEST_GAP = 3600.0
"""Seconds between two requests beyond which a crawl was not at work."""
_ODD = re.compile(r"[^A-Za-z0-9._-]+")
_ERRORS = "datahound_errors_total"
# Few and fixed: each class is a time series per crawl.
ERROR_CLASSES = ("client", "server", "dns", "tls", "timeout", "connection", "other")
"""Statuses 4xx and 5xx, and why there was no answer."""


def classify_error(status: int | None, failure: str) -> str:
    """The class of an answer's error, one of `ERROR_CLASSES`; '' for none.

    >>> classify_error(404, ""), classify_error(None, "timed out"), classify_error(200, "")
    ('client', 'timeout', '')
    """
    if status is not None:
        return "" if status < 400 else "client" if status < 500 else "server"
    signs = {"dns": "host not found", "tls": "TLS", "timeout": "timed out"}
    named = {**signs, "connection": "connect"}
    found = next((name for name, sign in named.items() if sign in failure), "other")
    # A certificate may name a host "connect".
    return "tls" if failure.startswith("certificate") else found


def figures_of(connection: sqlite3.Connection, *, running: bool) -> Figures:
    """The figures of a crawl, from its database."""
    counts = queries_counts.read_quick_counts(connection)
    totals = queries_counts.read_file_totals(connection)
    now: dict[str, Any] = queries.read_fact(connection, "now") or {}
    ended = None if running else queries.read_fact(connection, "ended")
    return Figures(
        *counts[:5],
        *totals,
        running=running,
        ended=ended is not None,
        failed=has_failed(ended["status"]) if ended else False,
        succeeded_at=queries.read_fact(connection, "succeeded_at") or 0.0,
        last_request_at=counts.last_request_at,
        live=LiveFigures(**now.get("figures", {})),
    )


def has_failed(status: int) -> bool:
    """Whether an exit status means that something went wrong; an interrupted crawl did not fail."""
    # 130 is 128 + SIGINT, as shells have it.
    return status not in (0, 130)


def choose_name(name: str, taken: Container[str]) -> str:
    """What a crawl is called in metrics and in the dashboard: its folder's name, made unique.

    >>> choose_name("www.example.org", ()), choose_name("a b.json", {"a-b"})
    ('www.example.org', 'a-b~2')
    """
    # It is a part of paths, in which the suffix asks for the JSON of a page.
    plain = (_ODD.sub("-", name).strip(".-") or "crawl").removesuffix(".json")
    names = (plain if number == 1 else f"{plain}~{number}" for number in range(1, 1 << 20))
    return next(free for free in names if free not in taken)


def metrics_text(crawls: Mapping[str, Figures]) -> str:
    """The figures of all crawls in the text format of Prometheus."""
    lines: list[str] = []
    for name, (metric, kind, text) in _METRICS.items():
        samples = [
            # 17 digits give back the same double.
            f'datahound_{metric}{{crawl="{_label(crawl)}"}} {float(value):.17g}'
            for crawl, figures in crawls.items()
            if (value := _read_figure(figures, name)) is not None
        ]
        if samples:
            lines += [f"# HELP datahound_{metric} {text}", f"# TYPE datahound_{metric} {kind}"]
            lines += samples
    if crawls:
        lines += [f"# HELP {_ERRORS} Requests that failed.", f"# TYPE {_ERRORS} counter"]
        for crawl, figures in crawls.items():
            # With the zeros: a series that begins with its first error hides that error from
            # `rate()`.
            counts = ((name, figures.live.errors.get(name, 0)) for name in ERROR_CLASSES)
            labels = f'{_ERRORS}{{crawl="{_label(crawl)}",class='
            lines += [f'{labels}"{name}"}} {count}' for name, count in counts]
    return "\n".join(lines) + "\n" if lines else ""


def _read_figure(figures: Figures, name: str) -> float | None:
    source = figures if hasattr(figures, name) else figures.live
    value: float | None = getattr(source, name)
    return value


def _label(text: str) -> str:
    # The escapes of the exposition format of Prometheus.
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
