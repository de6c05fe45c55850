"""Long lists, a page at a time: requests, pages, skipped links, targets."""

import sqlite3
from collections.abc import Callable
from typing import Any

from datahound.dashboard.request import Asked
from datahound.model import Skip
from datahound.runs.reasons import SKIPS, explain_skip
from datahound.store import queries_rows
from datahound.store.queries_rows import REQUEST_FILTERS, Listed, Search

_ReadList = Callable[[sqlite3.Connection, Search], Listed[Any]]


def requests(asked: Asked) -> dict[str, Any]:
    """All requests, or those of one kind."""
    given = asked.text("only")
    only = given if given in REQUEST_FILTERS else ""

    def read(connection: sqlite3.Connection, search: Search) -> Listed[Any]:
        return queries_rows.list_requests(connection, search, only)

    return _show_list(asked, read) | {"only": only}


def pages(asked: Asked) -> dict[str, Any]:
    """The pages that were read."""
    if asked.text("sort") == "targets":
        return _show_richest(asked)
    return _show_list(asked, queries_rows.list_pages) | {"sort": ""}


def skipped(asked: Asked) -> dict[str, Any]:
    """The links that were skipped, and why."""
    reason = asked.text("reason")

    def read(connection: sqlite3.Connection, search: Search) -> Listed[Any]:
        return queries_rows.list_skips(connection, search, reason)

    page = _show_list(asked, read)
    for row in page["rows"]:
        row["why"] = explain_skip(Skip(row["reason"]), redirected=bool(row["redirected"]))
    reasons = [
        {"reason": kind.value, "phrase": SKIPS[kind].phrase, "count": count}
        for kind, count in asked.crawl.digest.counts.skips.most_common()
    ]
    return page | {"reason": reason, "reasons": reasons}


def targets(asked: Asked) -> dict[str, Any]:
    """The targets as the crawl knows them, for a folder without a catalogue."""
    return _show_list(asked, queries_rows.list_targets)


def _show_list(asked: Asked, read: _ReadList) -> dict[str, Any]:
    search = Search(asked.text("q"), asked.number("before"))
    crawl = asked.crawl
    with crawl.opened() as connection:
        standing = crawl.standing(connection)
        crawl.digest.update(connection)
        listed = read(connection, search)
    return {
        **standing,
        "rows": [row._asdict() for row in listed.rows],
        "q": search.text,
        "before": search.before,
        "next": listed.next,
        "in_all": listed.total,
    }


def _show_richest(asked: Asked) -> dict[str, Any]:
    most, before = asked.number("most"), asked.number("before")
    crawl = asked.crawl
    with crawl.opened() as connection:
        standing = crawl.standing(connection)
        listed = queries_rows.list_richest_pages(connection, most, before)
    return {
        **standing,
        "rows": [row._asdict() for row in listed.rows],
        "q": "",
        "before": before,
        "sort": "targets",
        "next": listed.next,
        "most": listed.rows[-1].targets if listed.rows else None,
        "in_all": listed.total,
    }
