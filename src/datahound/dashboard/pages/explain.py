"""What happened to one URL: where it was found, what it was expected to be and what it was."""

import sqlite3
from typing import Any

from datahound.catalog.catalog import Catalog
from datahound.dashboard.choices import add_bars, show_choice_of
from datahound.dashboard.counters import GroupCounts
from datahound.dashboard.crawls import CrawlView
from datahound.dashboard.explain_text import explain_story
from datahound.dashboard.request import PageRequest
from datahound.dashboard.url_index import UrlIndex
from datahound.errors import DatahoundError
from datahound.model import Skip
from datahound.report.phrases import explain_skip, name_group
from datahound.store import queries_rows as rows
from datahound.store.queries_rows import RequestRow, UrlSkip
from datahound.web.urls import from_user

_HOPS = 10
_FATES = (
    "a target",
    "a page",
    "a request that failed",
    "a link that was left out",
    "the newest link",
)


def show_url(request: PageRequest) -> dict[str, Any]:
    """What happened to a URL, and why."""
    given = request.text("url")
    crawl = request.crawl
    with crawl.open_database() as connection:
        status = crawl.read_status(connection)
        counts = crawl.counters.update(connection)
        if not given:
            return {**status, "url": "", "story": None, "examples": _examples(connection)}
        url = from_user(given) or given
        story = _story(connection, crawl, url, status["seed"])
        group = counts.groups.get(story["group"]) if story["group"] is not None else None
        story["group_now"] = _count_group(group)
        story["sentences"] = explain_story(story, status)
    return {**status, "url": url, "story": story, "examples": []}


def _story(connection: sqlite3.Connection, crawl: CrawlView, url: str, seed: str) -> dict[str, Any]:
    urls = crawl.counters.urls
    requests = rows.find_requests(connection, url, urls.find("request", url))
    came_from = _hops_before(connection, urls, requests)
    link = rows.find_link(connection, url, urls.find("link", url))
    if link is None and came_from:
        first = came_from[0].url
        link = rows.find_link(connection, first, urls.find("link", first))
    visit = rows.find_visit(connection, url)
    group = link.group if link and link.group is not None else visit.group if visit else None
    name = name_group(connection, seed, group)
    return {
        "url": url,
        "is_seed": url == seed,
        "link": _plain(link),
        "group": group,
        "group_tag_path": name.tag_path,
        "group_place": name.place,
        "skips": [_skip(skip) for skip in rows.find_skips(connection, url, urls.find("skip", url))],
        "requests": [request._asdict() for request in requests],
        "redirected_from": [request._asdict() for request in came_from],
        "redirected_to": [request._asdict() for request in _hops_after(connection, requests)],
        "choice": add_bars(show_choice_of(connection, seed, link.number)) if link else None,
        "files_before": rows.count_foreseen_files(connection, url),
        "foreseen": _plain(rows.find_foreseen(connection, url)),
        "visit": _plain(visit),
        "target": _plain(rows.find_target(connection, url)),
        "file": _plain(rows.find_file(connection, url)),
        "dataset": _dataset(crawl, url),
    }


def _plain(row: Any) -> dict[str, Any] | None:
    """A named row as a dictionary for JSON."""
    return row._asdict() if row else None


def _skip(skip: UrlSkip) -> dict[str, Any]:
    why = explain_skip(Skip(skip.reason), redirected=bool(skip.redirected))
    return {"reason": skip.reason, "why": why, "anchor": skip.anchor, "page": skip.page}


def _hops_before(
    connection: sqlite3.Connection, urls: UrlIndex, requests: list[RequestRow]
) -> list[RequestRow]:
    """The redirects that led to the first request for a URL, the first redirect first."""
    hops: list[RequestRow] = []
    request = requests[0] if requests else None
    while request and request.redirected_from is not None and len(hops) < _HOPS:
        url = request.redirected_from
        earlier = rows.find_requests(connection, url, urls.find("request", url))
        request = _last_before(request, earlier)
        if request:
            hops.insert(0, request)
    return hops


def _last_before(request: RequestRow, candidates: list[RequestRow]) -> RequestRow | None:
    """The newest candidate that was made before a request, for the same purpose."""
    earlier = [
        candidate
        for candidate in candidates
        if candidate.id < request.id and candidate.purpose == request.purpose
    ]
    return earlier[-1] if earlier else None


def _hops_after(connection: sqlite3.Connection, requests: list[RequestRow]) -> list[RequestRow]:
    """The requests that followed the redirects from the last request for a URL."""
    hops: list[RequestRow] = []
    last = requests[-1] if requests else None
    while last and len(hops) < _HOPS:
        last = rows.find_redirected(connection, last)
        if last:
            hops.append(last)
    return hops


def _count_group(group: GroupCounts | None) -> dict[str, Any] | None:
    if group is None:
        return None
    return {
        "waiting": group.waiting,
        "pages": group.pages,
        "targets": group.targets,
        "mean": group.mean,
    }


def _dataset(crawl: CrawlView, url: str) -> int | None:
    """The number of the URL's file in the catalogue."""
    if not Catalog.exists(crawl.folder.path):
        return None
    try:
        with Catalog(crawl.folder.path) as catalog:
            entry = catalog.entry_of(url)
    except DatahoundError:
        return None
    return entry.id if entry else None


def _examples(connection: sqlite3.Connection) -> list[dict[str, str]]:
    """A few URLs with different outcomes, as examples."""
    found = zip(_FATES, rows.read_examples(connection), strict=True)
    return [{"fate": fate, "url": url} for fate, url in found if url is not None]
