"""Long lists, a page at a time: requests, pages, what was skipped, targets."""

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from datahound.dashboard.request import Asked
from datahound.model import Skip
from datahound.runs.reasons import SKIPS, explain_skip

PAGE = 50
_WINDOW = 50_000
_PATIENCE_SECONDS = 0.05
_NEVER = 1 << 60

_TROUBLE = "(status IS NULL OR status >= 400)"
_WAS_READ = "outcome = 'read'"
_ONLY = {
    "": "",
    "errors": _TROUBLE,
    "targets": "kind = 'target'",
    "pages": "kind = 'page'",
    "probes": "purpose = 'probe'",
    "mistaken": "expected NOT IN ('unknown', kind) AND status < 300",
}


@dataclass(frozen=True, slots=True)
class Listing:
    """A list that can be gone through by the number of its rows, newest first."""

    table: str
    columns: str
    names: tuple[str, ...]
    key: str = "t.id"
    joins: str = ""
    always: str = ""
    indexed: tuple[str, ...] = ()
    """Conditions for which the database has an index of its own."""


_REQUESTS = Listing(
    "request",
    "t.number, t.at, t.url, t.purpose, t.status, t.kind, t.expected, t.size, t.failure",
    ("number", "at", "url", "purpose", "status", "kind", "expected", "bytes", "failure"),
    indexed=(_TROUBLE,),
)
_PAGES = Listing(
    "visit",
    "t.number, t.at, t.url, t.title, t.depth, t.action, t.reward, t.new_links",
    ("number", "at", "url", "title", "depth", "group", "targets", "new_links"),
    always=_WAS_READ,
)
_SKIPPED = Listing(
    "skip",
    "t.url, t.reason, t.redirected, t.anchor, p.text",
    ("url", "reason", "redirected", "anchor", "page"),
    joins="LEFT JOIN text p ON p.id = t.found_on",
)
_TARGETS = Listing(
    "target",
    """t.number, t.at, t.url, t.anchor, p.text, coalesce(f.mime_type, t.mime_type),
        coalesce(f.size, t.size), coalesce(f.state, 'listed'), f.path, f.note""",
    ("number", "at", "url", "title", "page", "mime_type", "bytes", "state", "path", "note"),
    joins="LEFT JOIN text p ON p.id = t.found_on LEFT JOIN file f ON f.url = t.url",
)
# Few pages have targets: sorted by how many, they need no window.
_RICH = f"""SELECT t.id, {_PAGES.columns} FROM visit t WHERE t.reward > 0
    AND {_WAS_READ} AND (t.reward < ?1 OR (t.reward = ?1 AND t.id < ?2))
    ORDER BY t.reward DESC, t.id DESC LIMIT ?3"""


def requests(asked: Asked) -> dict[str, Any]:
    """What was asked of the web."""
    only = asked.text("only")
    condition = _ONLY.get(only, "")
    return _listed(asked, _REQUESTS, [condition] if condition else [], ["url"]) | {
        "only": only if only in _ONLY else ""
    }


def pages(asked: Asked) -> dict[str, Any]:
    """The pages that were read."""
    if asked.text("sort") == "targets":
        return _richest(asked)
    return _listed(asked, _PAGES, [], ["url", "title"]) | {"sort": ""}


def skipped(asked: Asked) -> dict[str, Any]:
    """The links that were left out, and why."""
    reason = asked.text("reason")
    page = _listed(asked, _SKIPPED, [], ["url", "anchor"], ("reason", reason) if reason else None)
    for row in page["rows"]:
        row["why"] = explain_skip(Skip(row["reason"]), redirected=bool(row["redirected"]))
    reasons = [
        {"reason": kind.value, "phrase": SKIPS[kind].phrase, "count": count}
        for kind, count in asked.crawl.digest.counts.skips.most_common()
    ]
    return page | {"reason": reason, "reasons": reasons}


def targets(asked: Asked) -> dict[str, Any]:
    """The targets as the crawl knows them, for a folder without a catalogue."""
    return _listed(asked, _TARGETS, [], ["url", "anchor"])


def _listed(
    asked: Asked,
    listing: Listing,
    conditions: list[str],
    searched: Sequence[str],
    equal: tuple[str, str] | None = None,
) -> dict[str, Any]:
    text, before = asked.text("q"), asked.number("before")
    where, values = [*conditions, listing.always] if listing.always else [*conditions], []
    if text:
        pattern = "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        where.append(f"({' OR '.join(f't.{c} LIKE ? ESCAPE ' + _BACKSLASH for c in searched)})")
        values += [pattern] * len(searched)
    if equal:
        where.append(f"t.{equal[0]} = ?")
        values.append(equal[1])
    crawl = asked.crawl
    with crawl.opened() as connection:
        standing = crawl.standing(connection)
        crawl.digest.update(connection)
        at_once = not (text or equal) and all(c in listing.indexed for c in conditions)
        found, goes_on = _look(connection, listing, where, values, before, at_once=at_once)
        last = _last(connection, listing.table)
    return {
        **standing,
        "rows": [dict(zip(listing.names, row[1:], strict=True)) for row in found],
        "q": text,
        "before": before,
        "next": goes_on,
        "in_all": max(0, last),
    }


_BACKSLASH = "'\\'"


def _look(
    connection: sqlite3.Connection,
    listing: Listing,
    where: list[str],
    values: list[Any],
    before: int | None,
    *,
    at_once: bool,
) -> tuple[list[tuple[Any, ...]], int | None]:
    """A page of rows, and where to go on; looks only so far back, however rare they are."""
    conditions = "".join(f" AND {condition}" for condition in where)
    statement = f"""SELECT {listing.key}, {listing.columns} FROM {listing.table} t {listing.joins}
        WHERE {listing.key} < ? AND {listing.key} >= ?{conditions}
        ORDER BY {listing.key} DESC LIMIT ?"""
    until = time.monotonic() + _PATIENCE_SECONDS
    high = _last(connection, listing.table) + 1 if before is None else before
    high = min(high, _last(connection, listing.table) + 1)
    found: list[tuple[Any, ...]] = []
    while high > 0:
        low = 0 if at_once else max(0, high - _WINDOW)
        missing = PAGE + 1 - len(found)
        found += connection.execute(statement, (high, low, *values, missing)).fetchall()
        if len(found) > PAGE:
            return found[:PAGE], int(found[PAGE - 1][0])
        high = low
        if high > 0 and time.monotonic() > until:
            return found, high
    return found, None


def _richest(asked: Asked) -> dict[str, Any]:
    most, before = asked.number("most"), asked.number("before")
    crawl = asked.crawl
    with crawl.opened() as connection:
        standing = crawl.standing(connection)
        mark = (_NEVER if most is None else most, _NEVER if before is None else before)
        found = connection.execute(_RICH, (*mark, PAGE + 1)).fetchall()
        last = _last(connection, "visit")
    rows = [dict(zip(_PAGES.names, row[1:], strict=True)) for row in found[:PAGE]]
    goes_on = found[PAGE - 1][0] if len(found) > PAGE else None
    return {
        **standing,
        "rows": rows,
        "q": "",
        "before": before,
        "sort": "targets",
        "next": goes_on,
        "most": rows[-1]["targets"] if rows else None,
        "in_all": max(0, last),
    }


def _last(connection: sqlite3.Connection, table: str) -> int:
    (last,) = connection.execute(f"SELECT coalesce(max(id), -1) FROM {table}").fetchone()
    return int(last)
