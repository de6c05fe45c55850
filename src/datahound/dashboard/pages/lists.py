"""Long lists, a page at a time: requests, pages, skipped links, targets."""

import sqlite3
from collections.abc import Callable
from typing import Any

from datahound.dashboard.request import PageRequest
from datahound.model import Skip
from datahound.report.phrases import SKIPS, explain_skip
from datahound.store import queries_rows
from datahound.store.queries_rows import REQUEST_FILTERS, Listed, Search

_ReadList = Callable[[sqlite3.Connection, Search], Listed[Any]]


def show_requests(request: PageRequest) -> dict[str, Any]:
    """All requests, or those of one kind."""
    given = request.text("only")
    only = given if given in REQUEST_FILTERS else ""

    def read(connection: sqlite3.Connection, search: Search) -> Listed[Any]:
        return queries_rows.list_requests(connection, search, only)

    return _show_list(request, read) | {"only": only}


def show_pages(request: PageRequest) -> dict[str, Any]:
    """The pages that were read."""
    if request.text("sort") == "targets":
        return _show_richest(request)
    return _show_list(request, queries_rows.list_pages) | {"sort": ""}


def show_skipped(request: PageRequest) -> dict[str, Any]:
    """The links that were skipped, and why."""
    reason = request.text("reason")

    def read(connection: sqlite3.Connection, search: Search) -> Listed[Any]:
        return queries_rows.list_skips(connection, search, reason)

    page = _show_list(request, read)
    for row in page["rows"]:
        row["why"] = explain_skip(Skip(row["reason"]), redirected=bool(row["redirected"]))
    reasons = [
        {"reason": kind.value, "phrase": SKIPS[kind].phrase, "count": count}
        for kind, count in request.crawl.counters.counts.skips.most_common()
    ]
    return page | {"reason": reason, "reasons": reasons}


def show_targets(request: PageRequest) -> dict[str, Any]:
    """The targets as the crawl knows them, for a folder without a catalogue."""
    return _show_list(request, queries_rows.list_targets)


def _show_list(request: PageRequest, read: _ReadList) -> dict[str, Any]:
    # By key instead of offset: a running crawl adds rows while a user pages through them.
    search = Search(request.text("q"), request.number("before"))
    crawl = request.crawl
    with crawl.open_database() as connection:
        status = crawl.read_status(connection)
        crawl.counters.update(connection)
        listed = read(connection, search)
    return {
        **status,
        "rows": [row._asdict() for row in listed.rows],
        "q": search.text,
        "before": search.before,
        "next": listed.next,
        "in_all": listed.total,
    }


def _show_richest(request: PageRequest) -> dict[str, Any]:
    def read(connection: sqlite3.Connection, search: Search) -> Listed[Any]:
        return queries_rows.list_richest_pages(connection, request.number("most"), search.before)

    page = _show_list(request, read)
    most = page["rows"][-1]["targets"] if page["rows"] else None
    return page | {"q": "", "sort": "targets", "most": most}
