"""The pages that show how crawls stand: all of them, and one."""

import sqlite3
import time
from bisect import bisect_right
from dataclasses import asdict
from pathlib import Path
from typing import Any

from datahound.catalog.catalog import Catalog
from datahound.dashboard.cache import Memory
from datahound.dashboard.charts import bars, curve, sparkline
from datahound.dashboard.choices import latest_choice, with_bars
from datahound.dashboard.counters import Counts
from datahound.dashboard.crawls import Crawl, Crawls, readable
from datahound.dashboard.request import Asked
from datahound.errors import DatahoundError
from datahound.report.format import short_type, trouble_text
from datahound.report.words import group_name
from datahound.runs.reasons import SKIPS

_LATELY = 100
_TARGETS_LATELY = 500
_SHOWN = 8

_TOTALS = """SELECT (SELECT number FROM request ORDER BY id DESC LIMIT 1),
    (SELECT count(*) FROM target), (SELECT at FROM request ORDER BY id LIMIT 1),
    (SELECT at FROM request ORDER BY id DESC LIMIT 1)"""
_EVERY = "SELECT number FROM target WHERE id % ? = 0 ORDER BY id"
_FILES = "SELECT state, count(*), coalesce(sum(size), 0) FROM file GROUP BY state ORDER BY 2 DESC"
_PACE = "SELECT min(at), max(at), count(*) FROM (SELECT at FROM request ORDER BY id DESC LIMIT ?)"
_NEWEST = """SELECT number, at, url, purpose, status, kind, size, failure FROM request
    ORDER BY id DESC LIMIT ?"""
_TROUBLES = """SELECT number, at, url, status, failure FROM request
    WHERE status IS NULL OR status >= 400 ORDER BY id DESC LIMIT ?"""
_SPARKS = 60


def home(crawls: Crawls, memory: Memory) -> dict[str, Any]:
    """Every crawl that was found, in a line each."""
    found = crawls.all()
    lines = [_line(crawl, connection, memory) for crawl, connection in readable(found)]
    lines.sort(key=lambda line: (not line["running"], -(line["last_at"] or 0)))
    return {
        "crawls": lines,
        "unreadable": len(found) - len(lines),
        "running": sum(line["running"] for line in lines),
    }


def overview(asked: Asked, memory: Memory) -> dict[str, Any]:
    """One crawl: its curve, what it does and why, its hosts, its errors."""
    crawl = asked.crawl
    with crawl.opened() as connection:
        standing = crawl.standing(connection)
        counts = crawl.digest.update(connection)
        requests, targets, began, last = connection.execute(_TOTALS).fetchone()
        database = crawl.folder.database
        files = memory.recall(database, "files", lambda: connection.execute(_FILES).fetchall())
        now = standing["now"]
        seed = standing["seed"]
        return {
            **standing,
            "counted": crawl.digest.share,
            "requests": requests or 0,
            "targets": targets,
            "pages": counts.pages,
            "bytes": counts.bytes,
            "began_at": began,
            "last_at": last,
            "seconds": (last - began) if began and last else None,
            "per_minute": _per_minute(connection, running=standing["running"]),
            "targets_per_100": _yield(counts, requests or 0),
            "waiting": sum(group.waiting for group in counts.groups.values()),
            "files": [{"state": s, "count": n, "bytes": size} for s, n, size in files],
            "curve": curve(counts.found, requests or 0),
            "choice": with_bars(latest_choice(connection, seed)),
            "newest": _rows(connection, _NEWEST, _NEWEST_NAMES, _SHOWN),
            "types": bars([(short_type(name), n) for name, n in counts.types.most_common(_SHOWN)]),
            "groups": _groups(connection, counts, seed),
            "hosts": _hosts(counts, now.get("hosts") or {}),
            "troubles": _troubles(counts),
            "trouble_count": sum(counts.troubles.values()),
            "latest_troubles": _rows(connection, _TROUBLES, _TROUBLE_NAMES, 5),
            "skips": _skips(counts),
            "unfollowed": asdict(counts.unfollowed),
            "not_followed": counts.unfollowed.sentences(),
            "catalogue": _catalogue(crawl.folder.path, memory),
        }


_NEWEST_NAMES = ("number", "at", "url", "purpose", "status", "kind", "bytes", "failure")
_TROUBLE_NAMES = ("number", "at", "url", "status", "failure")


def _line(crawl: Crawl, connection: sqlite3.Connection, memory: Memory) -> dict[str, Any]:
    standing = crawl.standing(connection)
    requests, targets, began, last = connection.execute(_TOTALS).fetchone()
    step = max(1, targets // _SPARKS)

    def sparks() -> list[int]:
        return [number for (number,) in connection.execute(_EVERY, (step,))]

    found = memory.recall(crawl.folder.database, "sparks", sparks)
    return {
        "id": crawl.id,
        "folder": str(crawl.folder.path),
        **{name: standing[name] for name in ("seed", "strategy", "running", "state", "ended")},
        "requests": requests or 0,
        "targets": targets,
        "began_at": began,
        "last_at": last,
        "spark": sparkline(found, requests or 0),
    }


def _rows(
    connection: sqlite3.Connection, statement: str, names: tuple[str, ...], count: int
) -> list[dict[str, Any]]:
    rows = connection.execute(statement, (count,))
    return [dict(zip(names, row, strict=True)) for row in rows]


def _per_minute(connection: sqlite3.Connection, *, running: bool) -> float | None:
    """Requests a minute over the last hundred; of a running crawl, up to this moment."""
    first, last, count = connection.execute(_PACE, (_LATELY,)).fetchone()
    if count < 2:
        return None
    passed = (time.time() if running else last) - first
    return 60 * (count - 1) / passed if passed > 0 else None


def _yield(counts: Counts, requests: int) -> float | None:
    """Targets per hundred requests, lately."""
    lately = min(_TARGETS_LATELY, requests)
    if not lately:
        return None
    return 100 * (len(counts.found) - bisect_right(counts.found, requests - lately)) / lately


def _troubles(counts: Counts) -> list[dict[str, Any]]:
    troubles = counts.troubles.most_common(_SHOWN)
    return bars([(trouble_text(status, failure), n) for (status, failure), n in troubles])


def _skips(counts: Counts) -> list[dict[str, Any]]:
    """Reasons with their counts; `reason` is the key, `label` and `explanation` are for people."""
    rows = bars(counts.skips.most_common(_SHOWN))
    return [
        {
            **row,
            "reason": row["label"].value,
            "label": SKIPS[row["label"]].phrase,
            "explanation": SKIPS[row["label"]].explanation,
        }
        for row in rows
    ]


def _groups(connection: sqlite3.Connection, counts: Counts, seed: str) -> list[dict[str, Any]]:
    """The groups that brought most, and those with most links waiting."""
    alive = [number for number, group in counts.groups.items() if group.targets or group.waiting]

    def by_targets(number: int | None) -> tuple[int, int, bool, int]:
        group = counts.groups[number]
        return -group.targets, -group.waiting, number is None, number or 0

    best = sorted(alive, key=by_targets)
    wait = sorted(alive, key=lambda g: (-counts.groups[g].waiting, g is None, g or 0))
    mixed = [number for pair in zip(best, wait, strict=True) for number in pair]
    chosen = sorted(list(dict.fromkeys(mixed))[:_SHOWN], key=by_targets)
    most = max((counts.groups[number].targets for number in chosen), default=0) or 1
    return [
        {
            "group": number,
            **asdict(group_name(connection, seed, number)),
            "waiting": counts.groups[number].waiting,
            "pages": counts.groups[number].pages,
            "targets": counts.groups[number].targets,
            "mean": counts.groups[number].mean,
            "percent": round(100 * counts.groups[number].targets / most, 2),
        }
        for number in chosen
    ]


def _hosts(counts: Counts, paces: dict[str, Any]) -> list[dict[str, Any]]:
    busiest = sorted(counts.hosts.items(), key=lambda item: -item[1].requests)
    return [
        {
            "host": name,
            "requests": host.requests,
            "troubles": host.troubles,
            "bytes": host.bytes,
            "last_at": host.last_at,
            "pace": _pace(paces.get(name.partition(":")[0]) or paces.get(name)),
        }
        for name, host in busiest[:_SHOWN]
    ]


def _pace(pace: dict[str, Any] | None) -> str:
    if not pace:
        return ""
    seconds = pace["seconds"]
    if pace["why"]:
        return f"rests {seconds:.0f} s: {pace['why']}"
    return f"{seconds:g} s between requests" if seconds else "no pause"


def _catalogue(folder: Path, memory: Memory) -> dict[str, Any] | None:
    if not Catalog.exists(folder):
        return None
    try:
        with Catalog(folder) as catalog:
            summary = memory.recall(folder / "catalog.db", "summary", catalog.summary)
    except DatahoundError:
        return None
    return {
        "datasets": summary.datasets,
        "tables": summary.tables,
        "statistics_tables": summary.statistics_tables,
    }
