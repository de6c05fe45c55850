"""Named queries on `crawl.db` that count: over the whole crawl, or over a range of rows.

A range leaves out its first key and contains its last, so that ranges can be added up: a crawl of
millions of rows is then counted in steps, and afterwards only its new rows are.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from datahound.model import NOT_READY, PAGE_IN_PLACE, Skip
from datahound.store.schema import LISTING_ELSEWHERE as LISTING_ELSEWHERE  # noqa: PLC0414
from datahound.store.schema import LISTING_READ as LISTING_READ  # noqa: PLC0414 for reports

URL_KEYS = {"link": "number", "request": "id", "skip": "id"}
"""The tables that have URLs without an index, and their keys."""

# What servers announce may be untrue, and `sum` raises an error where a total exceeds 64 bits.
_BYTES = "CAST(total({}) AS INTEGER)"
_SIZES = _BYTES.format("size")
# The host with its port: the text between `//` and the next slash.
_REST = "substr(url, instr(url, '//') + 2)"
_HOST = f"substr({_REST}, 1, instr({_REST} || '/', '/') - 1)"
IS_ERROR = "(status IS NULL OR status >= 400)"
_REQUESTS = f"""SELECT {_HOST}, status, substr(failure, 1, 80), count(*), {_SIZES},
    max(at) FROM request WHERE id > ? AND id <= ? GROUP BY 1, 2, 3"""
_TARGETS = "SELECT number, mime_type FROM target WHERE id > ? AND id <= ? ORDER BY id"
# A page whose files were collected without it counts for its group, though it was not read.
_NOT_FOLLOWED = (
    "needs_script", "forms", "forms > 0", "files_elsewhere", "files_elsewhere > 0",
    "links_left_out",
)  # fmt: skip
_IF_READ = "coalesce(sum({}) FILTER (WHERE outcome = 'read'), 0)"
_VISITS = f"""SELECT action, count(*), sum(outcome != 'not a page'), sum(reward), sum(reward > 0),
    sum(outcome = 'read'), {", ".join(_IF_READ.format(what) for what in _NOT_FOLLOWED)}
    FROM visit WHERE id > ? AND id <= ? GROUP BY 1"""
_LINKS = """SELECT action, count(*) FROM link WHERE number > ? AND number <= ?
    AND expected = 'page' GROUP BY 1"""
_CHOICES = "SELECT action, count(*) FROM choice WHERE id > ? AND id <= ? GROUP BY 1"
_SKIPS = "SELECT reason, count(*) FROM skip WHERE id > ? AND id <= ? GROUP BY 1"
_REPLAY_MARK = """SELECT (SELECT value FROM fact WHERE name = 'retold'),
    (SELECT at FROM request ORDER BY id LIMIT 1)"""
# One scan with conditions: grouping a million rows takes many times as long.
_REQUEST_OUTCOMES = f"""SELECT coalesce(max(number), 0), min(at), max(at), {_SIZES},
    count(*), total({IS_ERROR}), total(status BETWEEN 300 AND 399),
    total(status < 300 AND purpose = 'probe'),
    total(status < 300 AND purpose <> 'probe' AND kind = 'target'),
    total(status < 300 AND purpose <> 'probe' AND kind = 'page') FROM request"""
_ERRORS = f"""SELECT {_HOST}, status, substr(failure, 1, 80), count(*), min(url) FROM request
    WHERE {IS_ERROR} GROUP BY 1, 2, 3"""
_ERROR_KINDS = f"""SELECT status, coalesce(failure, ''), count(*) FROM request
    WHERE {IS_ERROR} GROUP BY 1, 2"""
_SKIP_REASONS = "SELECT reason, count(*), min(url) FROM skip GROUP BY 1 ORDER BY 2 DESC"
_PAGES_WITH_TARGETS = f"""SELECT p.text, count(*), {_BYTES.format("t.size")}
    FROM target t LEFT JOIN text p ON p.id = t.found_on GROUP BY t.found_on"""
_COUNTS = f"""SELECT coalesce((SELECT max(number) FROM request), 0),
    (SELECT count(*) FROM target), (SELECT {_SIZES} FROM request),
    (SELECT count(*) FROM visit WHERE outcome = 'read'),
    (SELECT min(at) FROM request), (SELECT max(at) FROM request)"""
# The last row of each table gives its count, so that a million rows cost no more than one.
_QUICK_COUNTS = """SELECT coalesce((SELECT number FROM request ORDER BY id DESC LIMIT 1), 0),
    (SELECT count(*) FROM target), (SELECT coalesce(max(id), 0) FROM visit),
    (SELECT coalesce(max(id), 0) FROM skip), (SELECT coalesce(max(number), 0) FROM link),
    (SELECT at FROM request ORDER BY id DESC LIMIT 1)"""
_PORTALS = """WITH d AS (
    SELECT platform, host, name, max(files) AS files FROM listed_dataset GROUP BY 1, 2, 3
), f AS (
    SELECT e.platform, e.host, count(DISTINCT e.dataset) FILTER (WHERE t.url IS NOT NULL) AS found,
        count(DISTINCT e.url) FILTER (WHERE t.url IS NULL AND x.url IS NOT NULL) AS elsewhere
    FROM listed_entry e LEFT JOIN target t ON t.url = e.url
        LEFT JOIN (SELECT DISTINCT url FROM elsewhere) x ON x.url = e.url
    WHERE e.role = 'file' GROUP BY 1, 2
), n AS (
    SELECT platform, host, count(*) AS listed, sum(files = 0) AS empty FROM d GROUP BY 1, 2
)
SELECT l.platform, l.host, max(l.total), coalesce(max(CASE l.status WHEN 200 THEN 200 END),
    max(l.status)), max(l.remark), coalesce(n.listed, 0), coalesce(n.empty, 0),
    coalesce(f.found, 0), coalesce(f.elsewhere, 0)
FROM listing l
    LEFT JOIN n ON n.platform = l.platform AND n.host = l.host
    LEFT JOIN f ON f.platform = l.platform AND f.host = l.host
GROUP BY l.platform, l.host ORDER BY min(l.id)"""
_FILE_TOTALS = """SELECT count(path), coalesce(sum(iif(path IS NULL OR state = 'duplicate', 0,
    size)), 0), count(*) FILTER (WHERE state = 'failed') FROM file"""
_FILES_BY_STATE = f"SELECT state, count(*), {_SIZES} FROM file GROUP BY state ORDER BY state"
_LISTED = """SELECT count(*) FROM target t
    WHERE NOT EXISTS (SELECT 1 FROM file f WHERE f.url = t.url)"""
_UNFOLLOWED = """SELECT coalesce(sum(needs_script), 0), coalesce(sum(forms), 0),
    coalesce(sum(forms > 0), 0), coalesce(sum(files_elsewhere), 0),
    coalesce(sum(files_elsewhere > 0), 0), coalesce(sum(links_left_out), 0)
    FROM visit WHERE outcome = 'read'"""
_ELSEWHERE = """SELECT host, extension, count(DISTINCT url) FROM elsewhere
    WHERE url NOT IN (SELECT url FROM target) GROUP BY 1, 2 ORDER BY 3 DESC"""
# The newest requests say enough, and a crawl of millions is looked at while it runs.
_LATELY = "id > (SELECT coalesce(max(id), 0) - 200000 FROM request)"
_DROPPED = f"""SELECT mime_type, failure, count(*) FROM request WHERE {_LATELY}
    AND (kind = 'other' OR failure = '{PAGE_IN_PLACE}') AND coalesce(failure, '') <> '{NOT_READY}'
    AND status BETWEEN 200 AND 299 AND purpose <> 'probe' GROUP BY 1, 2 ORDER BY 3 DESC"""
_REFUSED = f"""SELECT {_HOST}, status, substr(failure, 1, 80), count(*) FROM request
    WHERE status IS NULL OR status IN (401, 402, 403, 407, 429, 451) OR status >= 500
    GROUP BY 1, 2, 3 ORDER BY 4 DESC LIMIT 50"""
_SKIPPED_URLS = "SELECT DISTINCT url FROM skip WHERE reason = ? AND ({}) LIMIT 5000"
_UNKEPT = """SELECT state, note, count(*), coalesce(max(size), 0) FROM file WHERE state
    IN ('too large', 'suspicious', 'failed') GROUP BY 1, 2 ORDER BY 3 DESC"""
_SKIP_TOTALS = "SELECT reason, count(DISTINCT url) FROM skip GROUP BY reason ORDER BY 2 DESC"


class RequestCount(NamedTuple):
    """Requests to one host with one status and one failure."""

    host: str
    status: int | None
    failure: str
    requests: int
    bytes: int
    last_at: float


class TargetFoundAt(NamedTuple):
    """The request that found a target, and the target's type."""

    number: int
    mime_type: str | None


class VisitCount(NamedTuple):
    """Visits to the links of one group; the last six figures are of the pages read."""

    group: int | None
    visits: int
    pages: int
    targets: int
    rich: int
    """Pages that had new targets."""
    read: int
    script_pages: int
    forms: int
    form_pages: int
    files_elsewhere: int
    elsewhere_pages: int
    links_left_out: int


class RequestOutcomes(NamedTuple):
    """All requests, by what came of them."""

    last_number: int
    began_at: float | None
    last_at: float | None
    bytes: int
    total: int
    errors: int
    redirects: int
    probes: int
    targets: int
    pages: int


class ErrorCount(NamedTuple):
    """Failed requests to one host with one status and one failure."""

    host: str
    status: int | None
    failure: str
    requests: int
    example: str


class SkipCount(NamedTuple):
    """Links that were skipped for one reason."""

    reason: str
    links: int
    example: str


class PageTargets(NamedTuple):
    """Targets found on one page."""

    page: str | None
    targets: int
    bytes: int


class CrawlCounts(NamedTuple):
    """Exact counts of a crawl; reads whole tables."""

    requests: int
    targets: int
    bytes: int
    pages: int
    began_at: float | None
    last_at: float | None


class LastCounts(NamedTuple):
    """Counts that are read as fast for a crawl of any size."""

    requests: int
    targets: int
    visits: int
    skipped: int
    links: int
    last_request_at: float | None


class FileTotals(NamedTuple):
    """Files kept, their bytes, and downloads that failed for good."""

    files: int
    bytes: int
    failed: int


class FileState(NamedTuple):
    """Number and bytes of the files in one state."""

    files: int
    bytes: int


class UnfollowedCounts(NamedTuple):
    """What the pages read offer beside links, and on how many of them."""

    script_pages: int
    forms: int
    form_pages: int
    files_elsewhere: int
    elsewhere_pages: int
    links_left_out: int


def last_key(connection: sqlite3.Connection, table: str) -> int:
    """The key of a table's last row; -1 for an empty table."""
    key = URL_KEYS.get(table, "id")
    (last,) = connection.execute(f"SELECT coalesce(max({key}), -1) FROM {table}").fetchone()
    return int(last)


def read_replay_mark(connection: sqlite3.Connection) -> tuple[object, object]:
    """A value that changes whenever rows are written again: earlier counts are then void."""
    mark: tuple[object, object] = connection.execute(_REPLAY_MARK).fetchone()
    return mark


def count_requests(connection: sqlite3.Connection, first: int, last: int) -> list[RequestCount]:
    return [RequestCount._make(row) for row in connection.execute(_REQUESTS, (first, last))]


def read_targets(connection: sqlite3.Connection, first: int, last: int) -> list[TargetFoundAt]:
    return [TargetFoundAt._make(row) for row in connection.execute(_TARGETS, (first, last))]


def count_visits(connection: sqlite3.Connection, first: int, last: int) -> list[VisitCount]:
    return [VisitCount._make(row) for row in connection.execute(_VISITS, (first, last))]


def count_links(
    connection: sqlite3.Connection, first: int, last: int
) -> list[tuple[int | None, int]]:
    """Links that were expected to be pages, by group."""
    return connection.execute(_LINKS, (first, last)).fetchall()


def count_choices(
    connection: sqlite3.Connection, first: int, last: int
) -> list[tuple[int | None, int]]:
    """Choices, by group."""
    return connection.execute(_CHOICES, (first, last)).fetchall()


def count_skips(connection: sqlite3.Connection, first: int, last: int) -> list[tuple[str, int]]:
    """Skipped links, by reason."""
    return connection.execute(_SKIPS, (first, last)).fetchall()


def read_urls(
    connection: sqlite3.Connection, table: str, first: int, last: int
) -> list[tuple[int, str]]:
    """The keys and URLs of a table of `URL_KEYS`."""
    key = URL_KEYS[table]
    statement = f"SELECT {key}, url FROM {table} WHERE {key} > ? AND {key} <= ?"
    return connection.execute(statement, (first, last)).fetchall()


def count_waiting_groups(connection: sqlite3.Connection) -> dict[int | None, int]:
    """Links that were expected to be pages, by group."""
    # Counted in Python: SQLite takes three times as long to group a million links.
    groups = Counter(connection.execute("SELECT action FROM link WHERE expected = 'page'"))
    return {group: count for (group,), count in groups.items()}


def count_request_outcomes(connection: sqlite3.Connection) -> RequestOutcomes:
    # `total()` gives floats, unlike `sum()`, but 0.0 and not NULL for an empty table.
    first, *rest = connection.execute(_REQUEST_OUTCOMES).fetchone()
    return RequestOutcomes(first, *rest[:3], *map(int, rest[3:]))


def count_errors(connection: sqlite3.Connection) -> list[ErrorCount]:
    return [ErrorCount._make(row) for row in connection.execute(_ERRORS)]


def count_error_kinds(connection: sqlite3.Connection) -> list[tuple[int | None, str, int]]:
    """Requests that failed, by status and failure."""
    return connection.execute(_ERROR_KINDS).fetchall()


def count_skip_reasons(connection: sqlite3.Connection) -> list[SkipCount]:
    """Skipped links by reason, the most frequent first."""
    return [SkipCount._make(row) for row in connection.execute(_SKIP_REASONS)]


def iterate_pages_with_targets(connection: sqlite3.Connection) -> Iterator[PageTargets]:
    return map(PageTargets._make, connection.execute(_PAGES_WITH_TARGETS))


def read_counts(connection: sqlite3.Connection) -> CrawlCounts:
    return CrawlCounts(*connection.execute(_COUNTS).fetchone())


def read_quick_counts(connection: sqlite3.Connection) -> LastCounts:
    return LastCounts(*connection.execute(_QUICK_COUNTS).fetchone())


def read_file_totals(connection: sqlite3.Connection) -> FileTotals:
    return FileTotals(*connection.execute(_FILE_TOTALS).fetchone())


def read_file_states(connection: sqlite3.Connection) -> dict[str, FileState]:
    """The files by their state."""
    return {state: FileState(*row) for state, *row in connection.execute(_FILES_BY_STATE)}


def count_listed(connection: sqlite3.Connection) -> int:
    """The number of targets whose download has not begun."""
    return int(connection.execute(_LISTED).fetchone()[0])


def read_skips(connection: sqlite3.Connection) -> dict[Skip, int]:
    """The number of skipped links per reason, the largest first."""
    return {Skip(reason): count for reason, count in connection.execute(_SKIP_TOTALS)}


def count_elsewhere(connection: sqlite3.Connection) -> list[tuple[str, str, int]]:
    """Files on hosts outside the site, by host and extension, the largest number first."""
    return connection.execute(_ELSEWHERE).fetchall()


def count_dropped(connection: sqlite3.Connection) -> list[tuple[str, str, int]]:
    """Answers that were neither page nor file, by MIME type and failure."""
    return connection.execute(_DROPPED).fetchall()


def count_refusals(connection: sqlite3.Connection) -> list[tuple[str, int | None, str, int]]:
    """Requests that a host refused or did not answer: host, status, failure and number."""
    return connection.execute(_REFUSED).fetchall()


def read_skipped_urls(
    connection: sqlite3.Connection, reason: Skip, parts: Sequence[str] = ("",)
) -> list[str]:
    """Some of the URLs that were left out for a reason, and have one of these parts."""
    # One condition per part: a list as JSON would be read again for each row.
    query = _SKIPPED_URLS.format(" OR ".join(["instr(url, ?)"] * len(parts)))
    return [url for (url,) in connection.execute(query, (reason.value, *parts))]


def count_unkept(connection: sqlite3.Connection) -> list[tuple[str, str | None, int, int]]:
    """Files that were not kept, or that look wrong: state, note, number and largest size."""
    return connection.execute(_UNKEPT).fetchall()


class PortalCounts(NamedTuple):
    """What a portal lists, and how much of it the crawl has."""

    platform: str
    host: str
    total: int | None
    """The datasets that it claims to have."""
    status: int
    """`LISTING_READ`, `LISTING_ELSEWHERE`, the status that ended its use, or 0 for no answer."""
    remark: str
    listed: int
    without_file: int
    fetched: int
    """Datasets of which at least one file was found."""
    elsewhere: int
    """Files on other hosts, which were left out."""


def read_portals(connection: sqlite3.Connection) -> list[PortalCounts]:
    """The portals that were asked, in the order in which they were met."""
    return [PortalCounts(*row) for row in connection.execute(_PORTALS)]


def read_unfollowed(connection: sqlite3.Connection) -> UnfollowedCounts:
    return UnfollowedCounts(*connection.execute(_UNFOLLOWED).fetchone())
