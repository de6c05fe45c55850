"""Where a crawl stands, whether it runs or not: for `datahound status` and exports."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datahound.model import Skip
from datahound.report.phrases import Cause, Unfollowed, cause_of
from datahound.store import queries, queries_counts
from datahound.store.folder import Folder


@dataclass(frozen=True, slots=True)
class CrawlStatus:
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
    files: dict[str, queries_counts.FileState]
    listed: int
    """Targets whose bodies were not asked for."""
    skipped: dict[Skip, int]
    best_actions: list[queries.GroupTotals]
    unfollowed: Unfollowed


def read_status(path: Path) -> CrawlStatus:
    """Where the crawl in a folder stands."""
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
