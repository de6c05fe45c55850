"""Named queries on `crawl.db` for single rows: long lists in pages, and all rows of one URL."""

import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from datahound.store.queries_counts import IS_ERROR, URL_KEYS, last_key

T = TypeVar("T")

LIST_LENGTH = 50
"""Rows per page of a list."""
# A rare row may be a million rows back: a page searches in windows, and ends after a while.
_WINDOW = 50_000
# A page of the dashboard shows what was found by then, and a link that goes on from there.
_MAX_SECONDS = 0.05
# Below SQLite's largest integer even when a key is added.
_NO_LIMIT = 1 << 60

_WAS_READ = "outcome = 'read'"
REQUEST_FILTERS = {
    "errors": IS_ERROR,
    "targets": "kind = 'target'",
    "pages": "kind = 'page'",
    "probes": "purpose = 'probe'",
    "mistaken": "expected NOT IN ('unknown', kind) AND status < 300",
}
"""Conditions by the names that `list_requests` takes."""

_LIST_PAGES = "t.number, t.at, t.url, t.title, t.depth, t.action, t.reward, t.new_links"
# Few pages have targets, so that this list needs no windows.
_RICHEST = f"""SELECT t.id, {_LIST_PAGES} FROM visit t WHERE t.reward > 0
    AND {_WAS_READ} AND (t.reward < ?1 OR (t.reward = ?1 AND t.id < ?2))
    ORDER BY t.reward DESC, t.id DESC LIMIT ?3"""

# A page that waits again, after a file of it was collected, has two links; the newer one counts.
_LINK = """SELECT number, url, t.text, anchor, surrounding, p.text, depth, expected, action
    FROM link LEFT JOIN text t ON t.id = link.tag_path LEFT JOIN text p ON p.id = link.found_on
    WHERE {rows} ORDER BY number DESC LIMIT 1"""
_SKIPS = """SELECT reason, redirected, anchor, p.text
    FROM skip LEFT JOIN text p ON p.id = skip.found_on WHERE {rows} LIMIT 10"""
_REQUEST_COLUMNS = """id, number, at, url, purpose, status, kind, expected, size, failure,
    redirected_from"""
_REQUEST = f"SELECT {_REQUEST_COLUMNS} FROM request"
_REQUESTS = f"{_REQUEST} WHERE {{rows}} ORDER BY id LIMIT 50"
_REDIRECT = f"""{_REQUEST} WHERE redirected_from = ? AND purpose = ? AND id > ?
    ORDER BY id LIMIT 1"""
_VISIT = f"""SELECT number, at, title, depth, action, reward, new_links FROM visit WHERE url = ?
    AND {_WAS_READ} ORDER BY id LIMIT 1"""
_FORESEEN_FILES = """SELECT coalesce(sum(reward), 0) FROM visit WHERE url = ?
    AND outcome = 'foreseen only'"""
_FORESEEN = """SELECT p.text, f.found FROM foreseen f JOIN text p ON p.id = f.page WHERE f.url = ?
    ORDER BY f.id LIMIT 1"""
_TARGET = """SELECT t.number, t.at, t.anchor, p.text, t.depth, t.mime_type, t.size FROM target t
    LEFT JOIN text p ON p.id = t.found_on WHERE t.url = ? LIMIT 1"""
_FILE = "SELECT state, path, size, sha256, note, at FROM file WHERE url = ?"
_EXAMPLES = (
    "SELECT url FROM target ORDER BY id DESC LIMIT 1",
    "SELECT url FROM visit WHERE reward > 0 ORDER BY id DESC LIMIT 1",
    f"SELECT url FROM request WHERE {IS_ERROR} ORDER BY id DESC LIMIT 1",
    "SELECT url FROM skip ORDER BY id DESC LIMIT 1",
    "SELECT url FROM link ORDER BY number DESC LIMIT 1",
)


@dataclass(frozen=True, slots=True)
class Listed(Generic[T]):
    """One page of a list, newest rows first."""

    rows: list[T]
    next: int | None
    """Key to continue before; None at the end of the list."""
    total: int
    """Rows of the table, whatever was searched for."""


@dataclass(frozen=True, slots=True)
class Search:
    """What to list: rows with a text in them, before a key."""

    text: str = ""
    before: int | None = None


class RequestRow(NamedTuple):
    """A request."""

    id: int
    number: int
    at: float
    url: str
    purpose: str
    status: int | None
    kind: str
    expected: str
    bytes: int
    failure: str
    redirected_from: str | None


class ListedPage(NamedTuple):
    """A page in a list of those that were read."""

    number: int
    at: float
    url: str
    title: str
    depth: int
    group: int | None
    targets: int
    new_links: int


class ListedSkip(NamedTuple):
    """A skipped link in a list."""

    url: str
    reason: str
    redirected: int
    anchor: str
    page: str | None


class ListedTarget(NamedTuple):
    """A target in a list."""

    number: int
    at: float
    url: str
    title: str
    page: str | None
    mime_type: str
    bytes: int
    state: str
    path: str | None
    note: str | None


class Candidates(NamedTuple):
    """Rows that may have a URL: those with one of the keys, and all after `last`."""

    keys: list[int]
    last: int


class UrlLink(NamedTuple):
    """The link to a URL."""

    number: int
    url: str
    tag_path: str
    anchor: str
    surrounding: str
    page: str | None
    depth: int
    expected: str
    group: int | None


class UrlSkip(NamedTuple):
    """A link to a URL that was skipped."""

    reason: str
    redirected: int
    anchor: str
    page: str | None


class UrlVisit(NamedTuple):
    """The visit that read a page."""

    number: int
    at: float
    title: str
    depth: int
    group: int | None
    targets: int
    new_links: int


class UrlForeseen(NamedTuple):
    """The page from whose URL the URL of a file was derived, and whether the file was there."""

    page: str
    found: int


class UrlTarget(NamedTuple):
    """A URL as a target."""

    number: int
    at: float
    anchor: str
    page: str | None
    depth: int
    mime_type: str
    bytes: int


class UrlFile(NamedTuple):
    """The file of a URL."""

    state: str
    path: str | None
    bytes: int
    sha256: str | None
    note: str | None
    at: float


@dataclass(frozen=True, slots=True)
class _List:
    table: str
    columns: str
    searched: tuple[str, ...]
    joins: str = ""


_REQUEST_LIST = _List("request", _REQUEST_COLUMNS, ("url",))
_PAGE_LIST = _List("visit", _LIST_PAGES, ("url", "title"))
_SKIP_LIST = _List(
    "skip",
    "t.url, t.reason, t.redirected, t.anchor, p.text",
    ("url", "anchor"),
    "LEFT JOIN text p ON p.id = t.found_on",
)
_TARGET_LIST = _List(
    "target",
    """t.number, t.at, t.url, t.anchor, p.text, coalesce(f.mime_type, t.mime_type),
        coalesce(f.size, t.size), coalesce(f.state, 'listed'), f.path, f.note""",
    ("url", "anchor"),
    "LEFT JOIN text p ON p.id = t.found_on LEFT JOIN file f ON f.url = t.url",
)


def list_requests(
    connection: sqlite3.Connection, search: Search, only: str = ""
) -> Listed[RequestRow]:
    """Requests, of one of `REQUEST_FILTERS` or all."""
    condition = REQUEST_FILTERS.get(only, "")
    conditions = {condition: ()} if condition else {}
    # Errors have an index of their own.
    window = _NO_LIMIT if condition in ("", IS_ERROR) else _WINDOW
    return _list(connection, _REQUEST_LIST, RequestRow._make, search, conditions, window)


def latest_requests(connection: sqlite3.Connection, count: int) -> list[RequestRow]:
    """The newest requests, newest first."""
    rows = connection.execute(f"{_REQUEST} ORDER BY id DESC LIMIT ?", (count,))
    return [RequestRow._make(row) for row in rows]


def latest_errors(connection: sqlite3.Connection, count: int) -> list[RequestRow]:
    """The newest requests that failed, newest first."""
    statement = f"{_REQUEST} WHERE {IS_ERROR} ORDER BY id DESC LIMIT ?"
    return [RequestRow._make(row) for row in connection.execute(statement, (count,))]


def list_pages(connection: sqlite3.Connection, search: Search) -> Listed[ListedPage]:
    """Pages that were read."""
    return _list(connection, _PAGE_LIST, ListedPage._make, search, {_WAS_READ: ()})


def list_skips(
    connection: sqlite3.Connection, search: Search, reason: str = ""
) -> Listed[ListedSkip]:
    """Skipped links, of one reason or all."""
    if not reason:
        return _list(connection, _SKIP_LIST, ListedSkip._make, search, {})
    conditions = {"t.reason = ?": (reason,)}
    return _list(connection, _SKIP_LIST, ListedSkip._make, search, conditions, _WINDOW)


def list_targets(connection: sqlite3.Connection, search: Search) -> Listed[ListedTarget]:
    return _list(connection, _TARGET_LIST, ListedTarget._make, search, {})


def list_richest_pages(
    connection: sqlite3.Connection, most: int | None, before: int | None
) -> Listed[ListedPage]:
    """Pages with new targets, those with most first; `most` and `before` are the last page's."""
    mark = (_NO_LIMIT if most is None else most, _NO_LIMIT if before is None else before)
    found = connection.execute(_RICHEST, (*mark, LIST_LENGTH + 1)).fetchall()
    more = found[LIST_LENGTH - 1][0] if len(found) > LIST_LENGTH else None
    rows = [ListedPage._make(row[1:]) for row in found[:LIST_LENGTH]]
    return Listed(rows, more, max(0, last_key(connection, "visit")))


def _list(
    connection: sqlite3.Connection,
    listing: _List,
    make: Callable[[Iterable[Any]], T],
    search: Search,
    conditions: Mapping[str, tuple[str, ...]],
    window: int = _NO_LIMIT,
) -> Listed[T]:
    last = last_key(connection, listing.table)
    where = dict(conditions)
    if search.text:
        # Percent and underscore are wildcards of LIKE; people search for them literally.
        escaped = search.text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        contains = " OR ".join(f"t.{column} LIKE ? ESCAPE '\\'" for column in listing.searched)
        where[contains] = (f"%{escaped}%",) * len(listing.searched)
        window = _WINDOW
    statement = f"""SELECT t.id, {listing.columns} FROM {listing.table} t {listing.joins}
        WHERE t.id < ? AND t.id >= ?{"".join(f" AND ({condition})" for condition in where)}
        ORDER BY t.id DESC LIMIT ?"""
    values = [value for given in where.values() for value in given]
    high = last + 1 if search.before is None else min(search.before, last + 1)
    found, more = _search_windows(connection, statement, values, high, window)
    return Listed([make(row[1:]) for row in found], more, max(0, last))


def _search_windows(
    connection: sqlite3.Connection, statement: str, values: list[str], high: int, window: int
) -> tuple[list[tuple[Any, ...]], int | None]:
    """The rows of a page, and the key to continue before."""
    until = time.monotonic() + _MAX_SECONDS
    found: list[tuple[Any, ...]] = []
    while high > 0:
        low = max(0, high - window)
        # One more than is shown tells whether there is another page.
        missing = LIST_LENGTH + 1 - len(found)
        found += connection.execute(statement, (high, low, *values, missing)).fetchall()
        if len(found) > LIST_LENGTH:
            return found[:LIST_LENGTH], int(found[LIST_LENGTH - 1][0])
        high = low
        if high > 0 and time.monotonic() > until:
            return found, high
    return found, None


def find_link(connection: sqlite3.Connection, url: str, among: Candidates) -> UrlLink | None:
    rows = _find_rows(connection, "link", _LINK, url, among)
    return UrlLink._make(rows[0]) if rows else None


def find_skips(connection: sqlite3.Connection, url: str, among: Candidates) -> list[UrlSkip]:
    rows = _find_rows(connection, "skip", _SKIPS, url, among)
    return [UrlSkip._make(row) for row in rows]


def find_requests(connection: sqlite3.Connection, url: str, among: Candidates) -> list[RequestRow]:
    """The requests for a URL, in their order."""
    rows = _find_rows(connection, "request", _REQUESTS, url, among)
    return [RequestRow._make(row) for row in rows]


def find_redirected(connection: sqlite3.Connection, request: RequestRow) -> RequestRow | None:
    """The request that followed the redirect which another request got."""
    known = (request.url, request.purpose, request.id)
    row = connection.execute(_REDIRECT, known).fetchone()
    return RequestRow._make(row) if row else None


def find_visit(connection: sqlite3.Connection, url: str) -> UrlVisit | None:
    row = connection.execute(_VISIT, (url,)).fetchone()
    return UrlVisit._make(row) if row else None


def count_foreseen_files(connection: sqlite3.Connection, url: str) -> int:
    """Files of a page that were collected without reading it."""
    return int(connection.execute(_FORESEEN_FILES, (url,)).fetchone()[0])


def find_foreseen(connection: sqlite3.Connection, url: str) -> UrlForeseen | None:
    row = connection.execute(_FORESEEN, (url,)).fetchone()
    return UrlForeseen._make(row) if row else None


def find_target(connection: sqlite3.Connection, url: str) -> UrlTarget | None:
    row = connection.execute(_TARGET, (url,)).fetchone()
    return UrlTarget._make(row) if row else None


def find_file(connection: sqlite3.Connection, url: str) -> UrlFile | None:
    row = connection.execute(_FILE, (url,)).fetchone()
    return UrlFile._make(row) if row else None


def read_examples(connection: sqlite3.Connection) -> list[str | None]:
    """The newest target, rich page, failed request, skipped link and link; None for none."""
    rows = (connection.execute(statement).fetchone() for statement in _EXAMPLES)
    return [row[0] if row else None for row in rows]


def _find_rows(
    connection: sqlite3.Connection, table: str, statement: str, url: str, among: Candidates
) -> list[tuple[Any, ...]]:
    key = f"{table}.{URL_KEYS[table]}"
    # Numbers of our own index, never text of a user, so they may stand in the statement.
    marks = ", ".join(map(str, among.keys))
    rows: list[tuple[Any, ...]] = []
    for which in (f"{key} IN ({marks})", f"{key} > {among.last}"):
        query = statement.replace("{rows}", f"{which} AND {table}.url = ?")
        rows += connection.execute(query, (url,)).fetchall()
    return rows
