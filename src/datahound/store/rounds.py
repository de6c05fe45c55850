"""Rounds of a crawl: visits and files so far, what has changed, and removal of old versions."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from datahound.files import storage_errors
from datahound.store.facts import read_fact, write_fact

# Half a day between two checks counts as another day: a nightly run never begins at the same
# second.
_DAY = 86_400
_VISITS = """SELECT url, at, reward, file_links, coalesce(depth, 0) AS depth FROM visit
    WHERE outcome = 'read' ORDER BY id"""
_FILES = "SELECT url, at FROM target ORDER BY id"
_LISTS = (
    "SELECT DISTINCT url, platform, request FROM listing WHERE platform IS NOT NULL ORDER BY id"
)
_SAME = """SELECT url FROM checked WHERE round = ?1 AND outcome = 'served'
    AND url NOT IN (SELECT url FROM version WHERE round = ?1)"""
# What led neither to a page nor to a file, and why: an answer, or none.
_DEAD = """SELECT url, max(at), max(id), status IS NULL OR status >= 500
        OR status IN (401, 403, 407, 408, 425, 429) FROM request r
    WHERE kind = 'other' AND purpose != 'list' AND (status IS NULL OR status >= 300 OR status = 202)
    AND NOT EXISTS (SELECT 1 FROM target t WHERE t.url = r.url)
    AND NOT EXISTS (SELECT 1 FROM visit v WHERE v.url = r.url AND v.outcome = 'read')
    GROUP BY url"""
_FORBIDDEN = """SELECT DISTINCT url FROM skip s
    WHERE reason IN ('robots.txt', 'robots.txt unavailable')
    AND NOT EXISTS (SELECT 1 FROM target t WHERE t.url = s.url)
    AND NOT EXISTS (SELECT 1 FROM visit v WHERE v.url = s.url AND v.outcome = 'read')"""
_FIRST = "SELECT coalesce(min(at), 0) FROM request"
_MISSING = """SELECT c.url, p.text FROM checked c LEFT JOIN target t ON t.url = c.url
    LEFT JOIN text p ON p.id = t.found_on WHERE c.round = ? AND c.outcome = 'missing'"""
_BEFORE = """FROM checked b WHERE b.url = c.url AND b.id < c.id
        AND b.round NOT IN (SELECT value FROM json_each(:silent)) ORDER BY b.id DESC LIMIT 1"""
# Missing twice in a row, on different days.
_GONE_TWICE = f"""SELECT c.url FROM checked c WHERE c.round = :round AND c.outcome = 'missing'
    AND (SELECT b.outcome {_BEFORE}) = 'missing'
    AND (SELECT b.at {_BEFORE}) < c.at - {_DAY} / 2"""
_MARK = "INSERT OR IGNORE INTO gone VALUES (?, ?, ?)"
_BACK = """DELETE FROM gone WHERE url IN (SELECT url FROM checked
    WHERE round = ? AND outcome IN ('unchanged', 'served'))"""
_NEW = """SELECT t.url, t.file, t.title, t.page, t.page_title, t.mime_type, t.bytes, t.sha256
    FROM targets t JOIN target r ON r.url = t.url WHERE r.round > ? ORDER BY r.id"""
# A file that changed twice is one change, from the last reported version to the newest.
_CHANGED = """SELECT t.url, t.file, t.title, t.page, t.page_title, t.mime_type, t.bytes, t.sha256,
        'files/' || v.path AS before, v.size AS bytes_before
    FROM (SELECT min(id) AS id FROM version WHERE round > ?1 GROUP BY url) f
    JOIN version v ON v.id = f.id JOIN targets t ON t.url = v.url JOIN target r ON r.url = t.url
    WHERE r.round <= ?1 AND v.sha256 IS NOT t.sha256 ORDER BY v.id"""
_GONE = """SELECT t.url, t.file, t.title, t.page, t.page_title, t.mime_type, t.bytes, t.sha256
    FROM gone g JOIN targets t ON t.url = g.url WHERE g.round > ? ORDER BY g.at"""
_COUNTS = {
    "new": "SELECT round, count(*) FROM target GROUP BY round",
    "changed": "SELECT round, count(DISTINCT url) FROM version GROUP BY round",
    "gone": "SELECT round, count(*) FROM gone GROUP BY round",
}
_LAST = "SELECT coalesce((SELECT number FROM request ORDER BY id DESC LIMIT 1), 0)"


class RoundRow(NamedTuple):
    """A round: when it began, its requests, and the files that are new, changed and gone."""

    round: int
    at: float
    requests: int
    new: int
    changed: int
    gone: int


class PageRow(NamedTuple):
    """A page that was read."""

    url: str
    at: float
    reward: int
    file_links: int
    depth: int


class RoundsDatabase(Protocol):
    """The database of a crawl, as far as rounds need it."""

    round: int
    clock: Callable[[], float]
    connection: sqlite3.Connection

    def transaction(self) -> AbstractContextManager[None]: ...


def read_page_visits(connection: sqlite3.Connection) -> Iterator[PageRow]:
    """The pages that were read, the first visits first."""
    return (PageRow(*row) for row in connection.execute(_VISITS))


def read_file_times(connection: sqlite3.Connection) -> Iterator[tuple[str, float]]:
    """The files that were found, and when."""
    return ((url, at) for url, at in connection.execute(_FILES))


def read_lists(connection: sqlite3.Connection) -> Iterator[tuple[str, str, str]]:
    """The URLs of lists that were requested, with the platform and the request."""
    return ((url, platform, request or "") for url, platform, request in connection.execute(_LISTS))


def read_same(connection: sqlite3.Connection, number: int) -> list[str]:
    """Files that were served in a round with the same bytes as before, as if they had changed."""
    return [url for (url,) in connection.execute(_SAME, (number,))]


def read_dead(connection: sqlite3.Connection) -> Iterator[tuple[str, float, bool]]:
    """The URLs that led neither to a page nor to a file: when, and whether an error was why."""
    for url, at, _, has_failed in connection.execute(_DEAD):
        yield url, at, bool(has_failed)
    for (url,) in connection.execute(_FORBIDDEN):
        yield url, 0.0, True


def read_first_time(connection: sqlite3.Connection) -> float:
    """When the first request was made."""
    return float(connection.execute(_FIRST).fetchone()[0])


def read_missing(connection: sqlite3.Connection, number: int) -> list[tuple[str, str]]:
    """Files that were missing in a round, and the pages on which they were found."""
    return [(url, page or "") for url, page in connection.execute(_MISSING, (number,))]


def mark_gone(store: RoundsDatabase, unlinked: Iterable[str], silent: Iterable[int] = ()) -> None:
    """Mark files as gone that were missing twice, or once and are no longer linked.

    Files that were found again lose their marks. What was missing in a silent round, in which all
    of the site failed, does not count.
    """
    with store.transaction():
        run = store.connection.execute
        # First, so that a mark of this round is not removed again.
        run(_BACK, (store.round,))
        known = {"round": store.round, "silent": json.dumps(list(silent))}
        twice = [url for (url,) in run(_GONE_TWICE, known)]
        now = store.clock()
        rows = [(url, store.round, now) for url in dict.fromkeys([*twice, *unlinked])]
        store.connection.executemany(_MARK, rows)


def list_rounds(connection: sqlite3.Connection) -> list[RoundRow]:
    """The later rounds of a crawl, the newest first."""
    plans = read_fact(connection, "rounds") or []
    # A round ends where the next one begins; the last one ends at the newest request.
    ends = [plan["first"] for plan in plans[1:]] + [connection.execute(_LAST).fetchone()[0]]
    counts = {kind: dict(connection.execute(text).fetchall()) for kind, text in _COUNTS.items()}
    rows = [
        RoundRow(
            plan["round"],
            plan["now"],
            end - plan["first"],
            *(counts[kind].get(plan["round"], 0) for kind in _COUNTS),
        )
        for plan, end in zip(plans, ends, strict=False)
    ]
    return rows[::-1]


def read_changes(connection: sqlite3.Connection, since: int) -> dict[str, list[dict[str, Any]]]:
    """The files that are new, changed and gone since the end of a round."""
    found = {}
    for kind, statement in (("new", _NEW), ("changed", _CHANGED), ("gone", _GONE)):
        cursor = connection.execute(statement, (since,))
        names = [column[0] for column in cursor.description]
        found[kind] = [dict(zip(names, row, strict=True)) for row in cursor]
    return found


_REMOVING = "removing"
_CLEAR = "DELETE FROM fact WHERE name = ?"
_OLD = """SELECT id, path FROM (SELECT id, path, row_number() OVER (PARTITION BY url
    ORDER BY id DESC) AS age FROM version) WHERE age > ? AND path IS NOT NULL"""
_DROP = "UPDATE version SET path = NULL WHERE id = ?"
# Equal bytes are stored once: a file stays as long as any URL or version has it.
_UNUSED = """SELECT value FROM json_each(?) WHERE value NOT IN (
    SELECT path FROM file WHERE path IS NOT NULL
    UNION SELECT path FROM version WHERE path IS NOT NULL)"""


def prune_versions(store: RoundsDatabase, files: Path, keep: int) -> int:
    """Keep the newest versions before the current one of each file; how many files were removed.

    The rows stay, so that a file still counts how often it has changed.
    """
    with store.transaction():
        run = store.connection.execute
        old = run(_OLD, (keep,)).fetchall()
        left = read_fact(store.connection, _REMOVING) or []
        paths = [*left, *(path for _, path in old)]
        store.connection.executemany(_DROP, [(number,) for number, _ in old])
        # First noted, then removed: what a crash leaves on the disk is removed the next time.
        write_fact(store.connection, _REMOVING, paths)
    unused = [path for (path,) in store.connection.execute(_UNUSED, (json.dumps(paths),))]
    for path in unused:
        with storage_errors(files / path):
            (files / path).unlink(missing_ok=True)
    with store.transaction():
        store.connection.execute(_CLEAR, (_REMOVING,))
    return len(unused)
