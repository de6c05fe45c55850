"""The story of one URL: where it was found, what it was taken for, what it was, and why."""

import sqlite3
from typing import Any

from datahound.catalog.catalog import Catalog
from datahound.dashboard.choices import choice_of, with_bars
from datahound.dashboard.counters import Group
from datahound.dashboard.crawls import Crawl
from datahound.dashboard.explain_text import tell_story
from datahound.dashboard.request import Asked
from datahound.dashboard.url_index import UrlIndex
from datahound.errors import DatahoundError
from datahound.model import Skip
from datahound.report.words import group_name
from datahound.runs.reasons import explain_skip
from datahound.web.urls import from_user

# A page that waits again, after a file of it was collected, is a link for a second time.
_LINK = """SELECT number, url, t.text, anchor, surrounding, p.text, depth, expected, action
    FROM link LEFT JOIN text t ON t.id = link.tag_path LEFT JOIN text p ON p.id = link.found_on
    WHERE {rows} ORDER BY number DESC LIMIT 1"""
_LINK_NAMES = ("number", "url", "tag_path", "anchor", "surrounding", "page", "depth", "expected")
_SKIPS = """SELECT reason, redirected, anchor, p.text
    FROM skip LEFT JOIN text p ON p.id = skip.found_on WHERE {rows} LIMIT 10"""
_COLUMNS = """id, number, at, url, purpose, status, kind, expected, size, failure,
    redirected_from"""
_REQUESTS = f"SELECT {_COLUMNS} FROM request WHERE {{rows}} ORDER BY id LIMIT 50"
_FOLLOWED_BY = f"""SELECT {_COLUMNS} FROM request WHERE redirected_from = ? AND purpose = ?
    AND id > ? ORDER BY id LIMIT 1"""
_REQUEST_NAMES = (
    *("id", "number", "at", "url", "purpose", "status", "kind", "expected", "bytes"),
    *("failure", "redirected_from"),
)
_VISIT = """SELECT number, at, title, depth, action, reward, new_links FROM visit WHERE url = ?
    AND outcome = 'read' ORDER BY id LIMIT 1"""
_VISIT_NAMES = ("number", "at", "title", "depth", "group", "targets", "new_links")
# Files of a page that were collected without it.
_BEFORE = """SELECT coalesce(sum(reward), 0) FROM visit WHERE url = ?
    AND outcome = 'foreseen only'"""
_FORESEEN = """SELECT p.text, f.found FROM foreseen f JOIN text p ON p.id = f.page WHERE f.url = ?
    ORDER BY f.id LIMIT 1"""
_FORESEEN_NAMES = ("page", "found")
_TARGET = """SELECT t.number, t.at, t.anchor, p.text, t.depth, t.mime_type, t.size FROM target t
    LEFT JOIN text p ON p.id = t.found_on WHERE t.url = ? LIMIT 1"""
_TARGET_NAMES = ("number", "at", "anchor", "page", "depth", "mime_type", "bytes")
_FILE = "SELECT state, path, size, sha256, note, at FROM file WHERE url = ?"
_FILE_NAMES = ("state", "path", "bytes", "sha256", "note", "at")
_HOPS = 10


def explain(asked: Asked) -> dict[str, Any]:
    """What became of a URL, and why."""
    given = asked.text("url")
    crawl = asked.crawl
    with crawl.opened() as connection:
        standing = crawl.standing(connection)
        counts = crawl.digest.update(connection)
        if not given:
            return {**standing, "url": "", "story": None, "examples": _examples(connection)}
        url = from_user(given) or given
        story = _story(connection, crawl, url, standing["seed"])
        group = counts.groups.get(story["group"]) if story["group"] is not None else None
        story["group_now"] = _standing_of(group)
        story["sentences"] = tell_story(story, standing)
    return {**standing, "url": url, "story": story, "examples": []}


def _story(connection: sqlite3.Connection, crawl: Crawl, url: str, seed: str) -> dict[str, Any]:
    urls = crawl.digest.urls
    requests = [_request(row) for row in urls.rows(connection, "request", url, _REQUESTS)]
    came_from = _hops_before(connection, urls, requests)
    link = _link(connection, urls, url)
    if link is None and came_from:
        link = _link(connection, urls, came_from[0]["url"])
    visit = _named(connection, _VISIT, _VISIT_NAMES, url)
    group = link["group"] if link and link["group"] is not None else None
    if group is None and visit:
        group = visit["group"]
    skips = [
        {
            "reason": reason,
            "why": explain_skip(Skip(reason), redirected=bool(redirected)),
            "anchor": anchor,
            "page": page,
        }
        for reason, redirected, anchor, page in urls.rows(connection, "skip", url, _SKIPS)
    ]
    name = group_name(connection, seed, group)
    return {
        "url": url,
        "is_seed": url == seed,
        "link": link,
        "group": group,
        "group_tag_path": name.tag_path,
        "group_place": name.place,
        "skips": skips,
        "requests": requests,
        "redirected_from": came_from,
        "redirected_to": _hops_after(connection, requests),
        "choice": with_bars(choice_of(connection, seed, link["number"])) if link else None,
        "files_before": connection.execute(_BEFORE, (url,)).fetchone()[0],
        "foreseen": _named(connection, _FORESEEN, _FORESEEN_NAMES, url),
        "visit": visit,
        "target": _named(connection, _TARGET, _TARGET_NAMES, url),
        "file": _named(connection, _FILE, _FILE_NAMES, url),
        "dataset": _dataset(crawl, url),
    }


def _link(connection: sqlite3.Connection, urls: UrlIndex, url: str) -> dict[str, Any] | None:
    rows = urls.rows(connection, "link", url, _LINK)
    return dict(zip((*_LINK_NAMES, "group"), rows[0], strict=True)) if rows else None


def _named(
    connection: sqlite3.Connection, statement: str, names: tuple[str, ...], url: str
) -> dict[str, Any] | None:
    row = connection.execute(statement, (url,)).fetchone()
    return dict(zip(names, row, strict=True)) if row else None


def _request(row: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(_REQUEST_NAMES, row, strict=True))


def _hops_before(
    connection: sqlite3.Connection, urls: UrlIndex, requests: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The redirects that led to the first request for a URL, from the first of them on."""
    hops: list[dict[str, Any]] = []
    at = requests[0] if requests else None
    while at and at["redirected_from"] is not None and len(hops) < _HOPS:
        rows = urls.rows(connection, "request", at["redirected_from"], _REQUESTS)
        at = _last_before(at, [_request(row) for row in rows])
        if at:
            hops.insert(0, at)
    return hops


def _last_before(
    request: dict[str, Any], candidates: list[dict[str, Any]]
) -> dict[str, Any] | None:
    """The newest of some requests that was made before another, for the same purpose."""
    earlier = [
        candidate
        for candidate in candidates
        if candidate["id"] < request["id"] and candidate["purpose"] == request["purpose"]
    ]
    return earlier[-1] if earlier else None


def _hops_after(
    connection: sqlite3.Connection, requests: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Where the last request for a URL was sent on to."""
    hops: list[dict[str, Any]] = []
    last = requests[-1] if requests else None
    while last and len(hops) < _HOPS:
        known = (last["url"], last["purpose"], last["id"])
        row = connection.execute(_FOLLOWED_BY, known).fetchone()
        last = _request(row) if row else None
        if last:
            hops.append(last)
    return hops


def _standing_of(group: Group | None) -> dict[str, Any] | None:
    if group is None:
        return None
    return {
        "waiting": group.waiting,
        "pages": group.pages,
        "targets": group.targets,
        "mean": group.mean,
    }


def _dataset(crawl: Crawl, url: str) -> int | None:
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
    """A few URLs of different fates, to begin with."""
    fates = {
        "a target": "SELECT url FROM target ORDER BY id DESC LIMIT 1",
        "a page": "SELECT url FROM visit WHERE reward > 0 ORDER BY id DESC LIMIT 1",
        "a request that failed": """SELECT url FROM request WHERE status IS NULL OR status >= 400
            ORDER BY id DESC LIMIT 1""",
        "a link that was left out": "SELECT url FROM skip ORDER BY id DESC LIMIT 1",
        "the newest link": "SELECT url FROM link ORDER BY number DESC LIMIT 1",
    }
    rows = ((fate, connection.execute(query).fetchone()) for fate, query in fates.items())
    return [{"fate": fate, "url": row[0]} for fate, row in rows if row]
