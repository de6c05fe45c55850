"""How a crawl stands, read from its folder, whether it runs or not."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datahound.model import Skip
from datahound.runs.endings import cause_of
from datahound.runs.reasons import Cause, Unfollowed
from datahound.store.folder import Folder
from datahound.store.sqlite import open_to_read, trouble

_FACTS = "SELECT name, value FROM fact"
_COUNTS = """SELECT (SELECT max(number) FROM request), (SELECT count(*) FROM target),
    (SELECT sum(size) FROM request), (SELECT count(*) FROM visit WHERE outcome = 'read'),
    (SELECT min(at) FROM request), (SELECT max(at) FROM request)"""
_FILES = "SELECT state, count(*), coalesce(sum(size), 0) FROM file GROUP BY state ORDER BY state"
_LISTED = """SELECT count(*) FROM target t
    WHERE NOT EXISTS (SELECT 1 FROM file f WHERE f.url = t.url)"""
_UNFOLLOWED = """SELECT coalesce(sum(needs_script), 0), coalesce(sum(forms), 0),
    coalesce(sum(forms > 0), 0), coalesce(sum(files_elsewhere), 0),
    coalesce(sum(files_elsewhere > 0), 0) FROM visit WHERE outcome = 'read'"""
_SKIPPED = "SELECT reason, count(*) FROM skip GROUP BY reason ORDER BY 2 DESC"
# Not by the view `actions`: it counts the links of every group, and there may be thousands.
_BEST = """SELECT a.tag_path, b.visits, b.targets FROM (
        SELECT action, count(*) AS visits, sum(reward) AS targets FROM visit
        WHERE action IS NOT NULL GROUP BY 1 HAVING targets > 0 ORDER BY 3 DESC, 1 LIMIT 5) b
    JOIN action a ON a.number = b.action ORDER BY b.targets DESC, a.number"""


@dataclass(frozen=True, slots=True)
class Report:
    """What there is to say about a crawl."""

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
    files: dict[str, tuple[int, int]]
    """Number and bytes of files, by what became of them."""
    listed: int
    """Targets whose bodies were not asked for."""
    skipped: dict[Skip, int]
    best_actions: list[tuple[str, int, int]]
    """Tag paths, their visits and the targets that they led to."""
    unfollowed: Unfollowed


def read_report(path: Path) -> Report:
    """How the crawl in a folder stands."""
    folder = Folder(path)
    with closing(open_to_read(folder.database)) as connection, trouble(folder.database):
        return _report(connection, running=folder.is_claimed())


def _report(connection: sqlite3.Connection, *, running: bool) -> Report:
    facts = {name: json.loads(value) for name, value in connection.execute(_FACTS)}
    identity: dict[str, Any] = facts.get("identity") or {}
    ended = None if running else facts.get("ended")
    cause = cause_of(ended)
    requests, targets, size, pages, began, last = connection.execute(_COUNTS).fetchone()
    return Report(
        identity.get("URL", ""),
        identity.get("--strategy", ""),
        running,
        cause,
        ended["reason"] if ended and cause else "",
        requests or 0,
        targets,
        size or 0,
        pages,
        began,
        last,
        {state: (count, total) for state, count, total in connection.execute(_FILES)},
        connection.execute(_LISTED).fetchone()[0],
        {Skip(reason): count for reason, count in connection.execute(_SKIPPED)},
        connection.execute(_BEST).fetchall(),
        read_unfollowed(connection),
    )


def read_unfollowed(connection: sqlite3.Connection) -> Unfollowed:
    """What the pages read so far offer beside links that can be followed."""
    return Unfollowed(*connection.execute(_UNFOLLOWED).fetchone())
