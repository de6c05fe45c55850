"""What happened to one URL, and the groups of links that the crawl chooses among."""

import sqlite3
from typing import Any

from datahound.dashboard.choices import add_bars, show_choice_of
from datahound.dashboard.counters import GroupCounts
from datahound.dashboard.crawls import CrawlView
from datahound.dashboard.explain_text import explain_story
from datahound.dashboard.pages.data import locate_dataset
from datahound.dashboard.request import PageRequest
from datahound.dashboard.url_index import UrlIndex
from datahound.errors import DatahoundError, UserError
from datahound.model import Skip
from datahound.report.phrases import GroupName, explain_skip, name_group, shorten_place
from datahound.store import queries
from datahound.store import queries_rows as rows
from datahound.store.queries_rows import RequestRow, UrlSkip
from datahound.web.urls import from_user

# Redirects may form a circle.
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
            return {**status, "url": "", "story": None, "examples": _list_examples(connection)}
        # Users paste addresses without a scheme.
        url = from_user(given) or given
        story = _read_story(connection, crawl, url, status["seed"])
        group = counts.groups.get(story["group"]) if story["group"] is not None else None
        story["group_now"] = _count_group(group)
        story["sentences"] = explain_story(story, status)
    return {**status, "url": url, "story": story, "examples": []}


def _read_story(
    connection: sqlite3.Connection, crawl: CrawlView, url: str, seed: str
) -> dict[str, Any]:
    urls = crawl.counters.urls
    requests = rows.find_requests(connection, url, urls.find("request", url))
    came_from = _find_hops_before(connection, urls, requests)
    link = rows.find_link(connection, url, urls.find("link", url))
    # A redirect's target was never linked to: the link is that of the first URL.
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
        "skips": [
            _describe_skip(skip)
            for skip in rows.find_skips(connection, url, urls.find("skip", url))
        ],
        "requests": [request._asdict() for request in requests],
        "redirected_from": [request._asdict() for request in came_from],
        "redirected_to": [request._asdict() for request in _find_hops_after(connection, requests)],
        "choice": add_bars(show_choice_of(connection, seed, link.number)) if link else None,
        "visit": _plain(visit),
        **_find_files(connection, crawl, url),
    }


def _find_files(connection: sqlite3.Connection, crawl: CrawlView, url: str) -> dict[str, Any]:
    """What came of a URL as a file, or of the files that were foreseen from it."""
    return {
        "files_before": rows.count_foreseen_files(connection, url),
        "foreseen": _plain(rows.find_foreseen(connection, url)),
        "target": _plain(rows.find_target(connection, url)),
        "file": _plain(rows.find_file(connection, url)),
        "dataset": _find_dataset(crawl, url),
    }


def _plain(row: Any) -> dict[str, Any] | None:
    """A named row as a dictionary for JSON."""
    return row._asdict() if row else None


def _describe_skip(skip: UrlSkip) -> dict[str, Any]:
    why = explain_skip(Skip(skip.reason), redirected=bool(skip.redirected))
    return {"reason": skip.reason, "why": why, "anchor": skip.anchor, "page": skip.page}


def _find_hops_before(
    connection: sqlite3.Connection, urls: UrlIndex, requests: list[RequestRow]
) -> list[RequestRow]:
    """The redirects that led to the first request for a URL, the first redirect first."""
    hops: list[RequestRow] = []
    request = requests[0] if requests else None
    while request and request.redirected_from is not None and len(hops) < _HOPS:
        url = request.redirected_from
        earlier = rows.find_requests(connection, url, urls.find("request", url))
        request = _find_last_before(request, earlier)
        if request:
            hops.insert(0, request)
    return hops


def _find_last_before(request: RequestRow, candidates: list[RequestRow]) -> RequestRow | None:
    """The newest candidate that was made before a request, for the same purpose."""
    earlier = [
        candidate
        for candidate in candidates
        # A URL may be asked for several times; a hop is made right after its redirect.
        if candidate.id < request.id and candidate.purpose == request.purpose
    ]
    return earlier[-1] if earlier else None


def _find_hops_after(
    connection: sqlite3.Connection, requests: list[RequestRow]
) -> list[RequestRow]:
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


def _find_dataset(crawl: CrawlView, url: str) -> int | None:
    """The number of the URL's file in the catalogue."""
    try:
        return locate_dataset(crawl.folder.path, url)
    except DatahoundError:
        return None


def _list_examples(connection: sqlite3.Connection) -> list[dict[str, str]]:
    """A few URLs with different outcomes, as examples."""
    found = zip(_FATES, rows.read_examples(connection), strict=True)
    return [{"fate": fate, "url": url} for fate, url in found if url is not None]


PAGE = 50

_SORTS = {
    "targets": lambda item: (-item[1].targets, -item[1].waiting, item[0] or 0),
    "mean": lambda item: (-(item[1].mean or 0), -item[1].pages, item[0] or 0),
    "waiting": lambda item: (-item[1].waiting, item[0] or 0),
    "pages": lambda item: (-item[1].pages, item[0] or 0),
}


def show_groups(request: PageRequest) -> dict[str, Any]:
    """All groups, those with most targets first."""
    crawl = request.crawl
    sort = request.text("sort") or "targets"
    offset = request.number("offset") or 0
    text = request.text("q")
    with crawl.open_database() as connection:
        status = crawl.read_status(connection)
        counts = crawl.counters.update(connection)
        seed = status["seed"]
        names: dict[int | None, GroupName] = {
            row.number: GroupName(row.tag_path, shorten_place(row.place, seed))
            for row in queries.read_groups(connection)
        }
        ranked = sorted(counts.groups.items(), key=_SORTS.get(sort, _SORTS["targets"]))
    if text:
        ranked = [item for item in ranked if _is_in(text, names.get(item[0], GroupName()))]
    shown = ranked[offset : offset + PAGE]
    return {
        **status,
        "rows": [
            _make_row(number, group, names.get(number, GroupName())) for number, group in shown
        ],
        "q": text,
        "sort": sort if sort in _SORTS else "targets",
        "in_all": len(ranked),
        "offset": offset,
        "next": offset + PAGE if offset + PAGE < len(ranked) else None,
        "counted": crawl.counters.share,
    }


def show_group(request: PageRequest) -> dict[str, Any]:
    """One group: the targets of its pages, and its waiting links."""
    crawl = request.crawl
    with crawl.open_database() as connection:
        status = crawl.read_status(connection)
        counts = crawl.counters.update(connection)
        known = counts.groups.get(request.part)
        name = name_group(connection, status["seed"], request.part)
        if known is None and name == GroupName():
            raise UserError(f"there is no group {request.part} in this crawl")
        visited = queries.latest_group_visits(connection, request.part)
        waiting = queries.find_waiting_links(connection, request.part)
    visited.sort(key=lambda page: -page.targets)
    return {
        **status,
        **_make_row(request.part, known or GroupCounts(), name),
        "visited": [page._asdict() for page in visited[:20]],
        "waiting_links": [link._asdict() for link in waiting],
    }


def _is_in(text: str, name: GroupName) -> bool:
    return text.lower() in name.tag_path.lower() or text.lower() in name.place.lower()


def _make_row(number: int | None, group: GroupCounts, name: GroupName) -> dict[str, Any]:
    return {
        "group": number,
        "tag_path": name.tag_path,
        "place": name.place,
        "links": group.links,
        "waiting": group.waiting,
        "visits": group.visits,
        "pages": group.pages,
        "rich": group.rich,
        "targets": group.targets,
        "mean": group.mean,
    }
