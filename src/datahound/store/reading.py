"""What runs, `status` and the metrics read from `crawl.db`: named queries with named rows."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from datahound.model import Link, Skip
from datahound.store.folder import Folder
from datahound.store.sqlite import open_to_read, trouble

_FACT = "SELECT value FROM fact WHERE name = ?"
_COUNTS = """SELECT coalesce((SELECT max(number) FROM request), 0),
    (SELECT count(*) FROM target),
    coalesce((SELECT sum(size) FROM request), 0),
    (SELECT count(*) FROM visit WHERE outcome = 'read'),
    (SELECT min(at) FROM request), (SELECT max(at) FROM request)"""
# The last row of each table gives its count, so that a million rows cost no more than one.
_QUICK_COUNTS = """SELECT coalesce((SELECT number FROM request ORDER BY id DESC LIMIT 1), 0),
    (SELECT count(*) FROM target), (SELECT coalesce(max(id), 0) FROM visit),
    (SELECT coalesce(max(id), 0) FROM skip), (SELECT coalesce(max(number), 0) FROM link),
    (SELECT at FROM request ORDER BY id DESC LIMIT 1)"""
_FILE_TOTALS = """SELECT count(path), coalesce(sum(size) FILTER (WHERE path IS NOT NULL), 0),
    count(*) FILTER (WHERE state = 'failed') FROM file"""
_FILE_STATES = """SELECT state, count(*), coalesce(sum(size), 0) FROM file
    GROUP BY state ORDER BY state"""
_LISTED = """SELECT count(*) FROM target t
    WHERE NOT EXISTS (SELECT 1 FROM file f WHERE f.url = t.url)"""
_UNFOLLOWED = """SELECT coalesce(sum(needs_script), 0), coalesce(sum(forms), 0),
    coalesce(sum(forms > 0), 0), coalesce(sum(files_elsewhere), 0),
    coalesce(sum(files_elsewhere > 0), 0) FROM visit WHERE outcome = 'read'"""
_SKIPS = "SELECT reason, count(*) FROM skip GROUP BY reason ORDER BY 2 DESC"
_GROUPS = """SELECT a.number, a.tag_path, coalesce(v.visits, 0), coalesce(v.reward, 0)
    FROM action a LEFT JOIN (SELECT action, count(*) AS visits, sum(reward) AS reward
        FROM visit WHERE action IS NOT NULL GROUP BY action) v ON v.action = a.number
    ORDER BY a.number"""
# Not by the view `actions`: it counts the links of every group, and there may be thousands.
BEST_GROUPS = """SELECT a.tag_path, b.visits, b.targets FROM (
        SELECT action, count(*) AS visits, sum(reward) AS targets FROM visit
        WHERE action IS NOT NULL GROUP BY 1 HAVING targets > 0 ORDER BY 3 DESC, 1 LIMIT 5) b
    JOIN action a ON a.number = b.action ORDER BY b.targets DESC, a.number"""
_FOUND_ANYTHING = """SELECT EXISTS (SELECT 1 FROM visit WHERE outcome != 'not a page')
    OR EXISTS (SELECT 1 FROM target)"""
_ANSWERED = "SELECT url FROM request WHERE status IS NOT NULL ORDER BY id DESC LIMIT 1000"
_LAST_REQUEST = "SELECT status, failure FROM request ORDER BY id DESC LIMIT 1"
_TARGET = "SELECT coalesce(title, ''), coalesce(page, '') FROM targets WHERE url = ?"
# A file that looks wrong is on the disk all the same. Its path begins with `files/`.


class CrawlCounts(NamedTuple):
    """Exact counts of a crawl; reads whole tables."""

    requests: int
    targets: int
    bytes: int
    pages: int
    began_at: float | None
    last_at: float | None


class LastCounts(NamedTuple):
    """CrawlCounts that cost the same for a crawl of any size."""

    requests: int
    targets: int
    visits: int
    skipped: int
    links: int
    last_request_at: float | None


class FileTotals(NamedTuple):
    """Files kept, their bytes, and downloads that failed for good."""

    files: int
    bytes: int
    failed: int


class FileState(NamedTuple):
    """Number and bytes of the files in one state."""

    files: int
    bytes: int


class GroupReward(NamedTuple):
    """Visits of one group of links, and the targets that they brought."""

    number: int
    tag_path: str
    visits: int
    reward: int


class GroupTotals(NamedTuple):
    """A group of links that led to targets."""

    tag_path: str
    visits: int
    targets: int


class UnfollowedCounts(NamedTuple):
    """What the pages read offer beside links, and on how many of them."""

    script_pages: int
    forms: int
    form_pages: int
    files_elsewhere: int
    elsewhere_pages: int


class LastRequest(NamedTuple):
    """Status of the newest request; its failure if it has no status."""

    status: int | None
    failure: str | None


@contextmanager
def open_folder(folder: Path) -> Iterator[sqlite3.Connection]:
    """The database of a crawl folder, for reading; SQLite's errors become ours."""
    database = Folder(folder).database
    with closing(open_to_read(database)) as connection, trouble(database):
        yield connection


def read_fact(connection: sqlite3.Connection, name: str) -> Any:
    """A fact by its name, or None."""
    found = connection.execute(_FACT, (name,)).fetchone()
    return json.loads(found[0]) if found else None


def read_counts(connection: sqlite3.Connection) -> CrawlCounts:
    return CrawlCounts(*connection.execute(_COUNTS).fetchone())


def read_quick_counts(connection: sqlite3.Connection) -> LastCounts:
    return LastCounts(*connection.execute(_QUICK_COUNTS).fetchone())


def read_file_totals(connection: sqlite3.Connection) -> FileTotals:
    return FileTotals(*connection.execute(_FILE_TOTALS).fetchone())


def read_file_states(connection: sqlite3.Connection) -> dict[str, FileState]:
    """The files by their state."""
    return {state: FileState(*row) for state, *row in connection.execute(_FILE_STATES)}


def count_listed(connection: sqlite3.Connection) -> int:
    """The number of targets whose download has not begun."""
    return int(connection.execute(_LISTED).fetchone()[0])


def read_skips(connection: sqlite3.Connection) -> dict[Skip, int]:
    """The number of skipped links per reason, the largest first."""
    return {Skip(reason): count for reason, count in connection.execute(_SKIPS)}


def read_groups(connection: sqlite3.Connection) -> Iterator[GroupReward]:
    return map(GroupReward._make, connection.execute(_GROUPS))


def read_best_groups(connection: sqlite3.Connection) -> list[GroupTotals]:
    """The five groups that led to most targets."""
    return [GroupTotals(*row) for row in connection.execute(BEST_GROUPS)]


def read_unfollowed(connection: sqlite3.Connection) -> UnfollowedCounts:
    return UnfollowedCounts(*connection.execute(_UNFOLLOWED).fetchone())


def has_found_anything(connection: sqlite3.Connection) -> bool:
    """Whether the crawl has read a page or found a target."""
    return bool(connection.execute(_FOUND_ANYTHING).fetchone()[0])


def read_last_request(connection: sqlite3.Connection) -> LastRequest:
    return LastRequest(*connection.execute(_LAST_REQUEST).fetchone() or (None, None))


def read_answered_urls(connection: sqlite3.Connection) -> list[str]:
    """URLs of the last thousand requests that got an answer, the newest first."""
    return [url for (url,) in connection.execute(_ANSWERED)]


def read_target_link(connection: sqlite3.Connection, url: str) -> Link:
    """The link that led to a target: its text, and the page it is on."""
    title, page = connection.execute(_TARGET, (url,)).fetchone() or ("", "")
    return Link(url, anchor=title, found_on=page)
