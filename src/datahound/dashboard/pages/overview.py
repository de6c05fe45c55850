"""The state of crawls: the home page with all of them, and the overview of one."""

import sqlite3
import time
from bisect import bisect_right
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from datahound.catalog.catalog import Catalog
from datahound.dashboard.cache import AnswerCache
from datahound.dashboard.choices import add_bars, show_latest_choice
from datahound.dashboard.counters import Counts
from datahound.dashboard.crawls import Crawls, CrawlView, open_readable
from datahound.dashboard.request import PageRequest
from datahound.errors import DatahoundError
from datahound.report.charts import draw_curve, draw_sparkline, scale_bars
from datahound.report.format import describe_error
from datahound.report.phrases import SKIPS, name_group
from datahound.report.status import describe_portals, list_missed
from datahound.store import queries, queries_rows
from datahound.store.queries_counts import read_file_states
from datahound.web.types import shorten_type

_SPEED_REQUESTS = 100
"""Latest requests that the speed is measured on."""
_YIELD_REQUESTS = 500
"""Latest requests that the rate of targets is measured on."""
_SHOWN = 8
_SHOWN_ERRORS = 5
# A sparkline is a hundred pixels wide: a sample of targets is enough for it.
_SAMPLED_TARGETS = 60


def show_home(crawls: Crawls, cache: AnswerCache) -> dict[str, Any]:
    """All crawls, one line each."""
    found = crawls.all()
    lines = [
        _describe_crawl(crawl, connection, cache) for crawl, connection in open_readable(found)
    ]
    # Running crawls first, then those with the newest requests.
    lines.sort(key=lambda line: (not line["running"], -(line["last_at"] or 0)))
    return {
        "crawls": lines,
        "unreadable": len(found) - len(lines),
        "running": sum(line["running"] for line in lines),
    }


def show_overview(request: PageRequest, cache: AnswerCache) -> dict[str, Any]:
    """One crawl: its curve, its newest choice and requests, its hosts and errors."""
    crawl = request.crawl
    with crawl.open_database() as connection:
        status = crawl.read_status(connection)
        counts = crawl.counters.update(connection)
        database = crawl.folder.database
        states = cache.get(database, "files", partial(read_file_states, connection))
        seed = status["seed"]
        return {
            **status,
            "counted": crawl.counters.share,
            **_read_figures(connection, counts, running=status["running"]),
            "files": [
                {"state": name, "count": state.files, "bytes": state.bytes}
                for name, state in sorted(states.items(), key=lambda item: -item[1].files)
            ],
            "choice": add_bars(show_latest_choice(connection, seed)),
            **_read_newest(connection),
            "types": _list_types(counts),
            "groups": _list_groups(connection, counts, seed),
            "hosts": _list_hosts(counts, status["now"].get("hosts") or {}),
            "troubles": _list_troubles(counts),
            "trouble_count": sum(counts.troubles.values()),
            "skips": _list_skips(counts),
            "unfollowed": asdict(counts.unfollowed),
            "not_followed": list_missed(connection, counts.unfollowed),
            "portals": describe_portals(connection),
            "catalogue": _read_catalogue(crawl.folder.path, cache),
        }


def _read_figures(
    connection: sqlite3.Connection, counts: Counts, *, running: bool
) -> dict[str, Any]:
    """The requests and targets until now, and their rates."""
    totals = queries.read_totals(connection)
    return {
        "requests": totals.requests,
        "targets": totals.targets,
        "pages": counts.pages,
        "bytes": counts.bytes,
        "began_at": totals.began_at,
        "last_at": totals.last_at,
        "seconds": _measure_seconds(totals),
        "per_minute": _measure_speed(connection, running=running),
        "targets_per_100": _measure_yield(counts, totals.requests),
        "waiting": sum(group.waiting for group in counts.groups.values()),
        "curve": draw_curve(counts.found, totals.requests),
    }


def _describe_crawl(
    crawl: CrawlView, connection: sqlite3.Connection, cache: AnswerCache
) -> dict[str, Any]:
    status = crawl.read_status(connection)
    totals = queries.read_totals(connection)
    step = max(1, totals.targets // _SAMPLED_TARGETS)
    sample = partial(queries.sample_targets, connection, step)
    found = cache.get(crawl.folder.database, "sparks", sample)
    return {
        "id": crawl.id,
        "folder": str(crawl.folder.path),
        **{name: status[name] for name in ("seed", "strategy", "running", "state", "ended")},
        "requests": totals.requests,
        "targets": totals.targets,
        "began_at": totals.began_at,
        "last_at": totals.last_at,
        "spark": draw_sparkline(found, totals.requests),
    }


def _read_newest(connection: sqlite3.Connection) -> dict[str, Any]:
    newest = queries_rows.latest_requests(connection, _SHOWN)
    errors = queries_rows.latest_errors(connection, _SHOWN_ERRORS)
    return {
        "newest": [row._asdict() for row in newest],
        "latest_troubles": [row._asdict() for row in errors],
    }


def _measure_seconds(totals: queries.Totals) -> float | None:
    if totals.began_at and totals.last_at:
        return totals.last_at - totals.began_at
    return None


def _measure_speed(connection: sqlite3.Connection, *, running: bool) -> float | None:
    """Requests per minute over the last hundred; of a running crawl, until now."""
    times = queries.latest_request_times(connection, _SPEED_REQUESTS)
    if len(times) < 2:
        return None
    passed = (time.time() if running else max(times)) - min(times)
    return 60 * (len(times) - 1) / passed if passed > 0 else None


def _measure_yield(counts: Counts, requests: int) -> float | None:
    """Targets per hundred requests, over the last 500 requests."""
    lately = min(_YIELD_REQUESTS, requests)
    if not lately:
        return None
    return 100 * (len(counts.found) - bisect_right(counts.found, requests - lately)) / lately


def _list_troubles(counts: Counts) -> list[dict[str, Any]]:
    troubles = counts.troubles.most_common(_SHOWN)
    return scale_bars([(describe_error(status, failure), n) for (status, failure), n in troubles])


def _list_types(counts: Counts) -> list[dict[str, Any]]:
    return scale_bars([(shorten_type(name), n) for name, n in counts.types.most_common(_SHOWN)])


def _list_skips(counts: Counts) -> list[dict[str, Any]]:
    """Reasons with their counts; `reason` is the key, `label` and `explanation` are for people."""
    rows = scale_bars(counts.skips.most_common(_SHOWN))
    return [
        {
            **row,
            "reason": row["label"].value,
            "label": SKIPS[row["label"]].phrase,
            "explanation": SKIPS[row["label"]].explanation,
        }
        for row in rows
    ]


def _list_groups(connection: sqlite3.Connection, counts: Counts, seed: str) -> list[dict[str, Any]]:
    """The groups with most targets, and those with most waiting links."""
    alive = [number for number, group in counts.groups.items() if group.targets or group.waiting]

    def by_targets(number: int | None) -> tuple[int, int, bool, int]:
        group = counts.groups[number]
        return -group.targets, -group.waiting, number is None, number or 0

    best = sorted(alive, key=by_targets)
    wait = sorted(alive, key=lambda g: (-counts.groups[g].waiting, g is None, g or 0))
    # Alternately, so that neither list fills the table alone.
    mixed = [number for pair in zip(best, wait, strict=True) for number in pair]
    chosen = sorted(list(dict.fromkeys(mixed))[:_SHOWN], key=by_targets)
    most = max((counts.groups[number].targets for number in chosen), default=0) or 1
    return [
        {
            "group": number,
            **asdict(name_group(connection, seed, number)),
            "waiting": counts.groups[number].waiting,
            "pages": counts.groups[number].pages,
            "targets": counts.groups[number].targets,
            "mean": counts.groups[number].mean,
            "percent": round(100 * counts.groups[number].targets / most, 2),
        }
        for number in chosen
    ]


def _list_hosts(counts: Counts, paces: dict[str, Any]) -> list[dict[str, Any]]:
    busiest = sorted(counts.hosts.items(), key=lambda item: -item[1].requests)
    return [
        {
            "host": name,
            "requests": host.requests,
            "troubles": host.troubles,
            "bytes": host.bytes,
            "last_at": host.last_at,
            "pace": _describe_pace(paces.get(name.partition(":")[0]) or paces.get(name)),
        }
        for name, host in busiest[:_SHOWN]
    ]


def _describe_pace(pace: dict[str, Any] | None) -> str:
    if not pace:
        return ""
    seconds = pace["seconds"]
    if pace["why"]:
        return f"rests {seconds:.0f} s: {pace['why']}"
    return f"{seconds:g} s between requests" if seconds else "no pause"


def _read_catalogue(folder: Path, cache: AnswerCache) -> dict[str, Any] | None:
    if not Catalog.exists(folder):
        return None
    try:
        with Catalog(folder) as catalog:
            summary = cache.get(folder / "catalog.db", "summary", catalog.summary)
    except DatahoundError:
        return None
    return {
        "datasets": summary.datasets,
        "tables": summary.tables,
        "statistics_tables": summary.statistics_tables,
    }
