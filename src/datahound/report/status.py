"""The status of a crawl, running or not: for `datahound status`, exports and Prometheus."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datahound.model import Skip
from datahound.report.phrases import Cause, Unfollowed, cause_of
from datahound.store import queries, queries_counts
from datahound.store.folder import Folder


@dataclass(frozen=True, slots=True)
class CrawlStatus:
    """The status of a crawl, running or not."""

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
    files: dict[str, queries_counts.FileState]
    listed: int
    """Targets whose bodies were not asked for."""
    skipped: dict[Skip, int]
    best_actions: list[queries.GroupTotals]
    unfollowed: Unfollowed


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
        cause,
        ended["reason"] if ended and cause else "",
        *queries_counts.read_counts(connection),
        queries_counts.read_file_states(connection),
        queries_counts.count_listed(connection),
        queries_counts.read_skips(connection),
        queries.read_best_groups(connection),
        read_unfollowed(connection),
    )


def read_unfollowed(connection: sqlite3.Connection) -> Unfollowed:
    """What the pages read so far offer beside links that can be followed."""
    return Unfollowed(*queries_counts.read_unfollowed(connection))


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
    last_request_at: float | None = None
    waiting: int | None = None
    bytes: int | None = None


_METRICS = {
    "requests": ("requests_total", "counter", "Requests made."),
    "targets": ("targets_total", "counter", "Data files found."),
    "visits": ("visits_total", "counter", "Links that were chosen and dealt with."),
    "skipped": ("skipped_total", "counter", "Links left out."),
    "links": ("links_total", "counter", "Links met."),
    "files": ("files", "gauge", "Data files kept."),
    "file_bytes": ("file_bytes", "gauge", "Bytes of the data files kept."),
    "files_failed": ("files_failed", "gauge", "Data files that could not be downloaded."),
    "running": ("running", "gauge", "1 while a process crawls."),
    "last_request_at": ("last_request_timestamp_seconds", "gauge", "When the last answer came."),
    "waiting": ("links_waiting", "gauge", "Links that wait for a visit."),
    "bytes": ("received_bytes_total", "counter", "Bytes that requests brought."),
}


def figures_of(connection: sqlite3.Connection, *, running: bool) -> Figures:
    """The figures of a crawl, from its database."""
    counts = queries_counts.read_quick_counts(connection)
    totals = queries_counts.read_file_totals(connection)
    at = counts.last_request_at
    return Figures(*counts[:5], *totals, running=running, last_request_at=at)


def metrics_text(crawls: Mapping[str, Figures]) -> str:
    """The figures of all crawls in the text format of Prometheus."""
    lines: list[str] = []
    for name, (metric, kind, text) in _METRICS.items():
        samples = [
            f'datahound_{metric}{{crawl="{_label(crawl)}"}} {float(value):.17g}'
            for crawl, figures in crawls.items()
            if (value := getattr(figures, name)) is not None
        ]
        if samples:
            lines += [f"# HELP datahound_{metric} {text}", f"# TYPE datahound_{metric} {kind}"]
            lines += samples
    return "\n".join(lines) + "\n" if lines else ""


def _label(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
