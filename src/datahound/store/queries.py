"""Named queries on `crawl.db`: a crawl as a whole, its newest rows, its groups and its files."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from datahound.model import NOT_READY, Link
from datahound.store import rounds as rounds  # noqa: PLC0414 for other folders
from datahound.store import user_query as user_query  # noqa: PLC0414 for other folders
from datahound.store.facts import read_fact as read_fact  # noqa: PLC0414 for other folders
from datahound.store.facts import read_facts as read_facts  # noqa: PLC0414 for other folders
from datahound.store.folder import Folder
from datahound.store.sqlite import open_to_read, sqlite_errors

# Of a group the newest links are searched: it may have a million.
_NEWEST_LINKS = 50_000
_FILES = "files/"
# States of files whose bytes are all there.
_READABLE = frozenset({"complete", "duplicate", "suspicious"})

# The number in the last row is the count, without counting a million rows.
_TOTALS = """SELECT coalesce((SELECT number FROM request ORDER BY id DESC LIMIT 1), 0),
    (SELECT count(*) FROM target), (SELECT at FROM request ORDER BY id LIMIT 1),
    (SELECT at FROM request ORDER BY id DESC LIMIT 1)"""
_LATEST_TIMES = "SELECT at FROM request ORDER BY id DESC LIMIT ?"
_ELSEWHERE = """SELECT DISTINCT e.url, e.anchor, p.text, e.depth FROM elsewhere e
    LEFT JOIN text p ON p.id = e.found_on"""
_REQUESTED = "SELECT url FROM request"
_WORKED = """SELECT coalesce(sum(gap), 0.0) FROM
    (SELECT at - lag(at) OVER (ORDER BY id) AS gap FROM request) WHERE gap < ?"""
_SAMPLE = "SELECT number FROM target WHERE id % ? = 0 ORDER BY id"
_GROUPS = "SELECT number, tag_path, place FROM action"
_CHOICES = "SELECT number, at, link, url, action, score, expected, evidence FROM choice"
_GROUP_VISITS = """SELECT url, title, reward, new_links, number FROM visit WHERE action = ?
    AND outcome = 'read' ORDER BY id DESC LIMIT 200"""
_GROUP_LINKS = """SELECT l.url, l.anchor, p.text
    FROM (SELECT * FROM link ORDER BY number DESC LIMIT ?) l
    LEFT JOIN text p ON p.id = l.found_on WHERE l.action = ? AND l.expected = 'page'
    AND NOT EXISTS (SELECT 1 FROM choice c WHERE c.link = l.number) LIMIT 20"""
_BEST_PAGES = """SELECT url, title, reward FROM visit WHERE action = ? AND reward > 0
    ORDER BY reward DESC, id LIMIT 3"""
_TARGETS = """SELECT t.url, t.anchor, coalesce(nullif(f.mime_type, ''), t.mime_type),
    coalesce(f.size, t.size, 0), f.last_modified, coalesce(f.state, 'listed'), f.path, t.number
    FROM target t LEFT JOIN file f ON f.url = t.url ORDER BY t.id"""
_VISITS = """SELECT coalesce(action, ?), reward, new_links, outcome != 'not a page',
    outcome = 'read' FROM visit v
    WHERE NOT EXISTS (SELECT 1 FROM target t WHERE t.url = v.url) ORDER BY id"""
_KEPT_FILES = f"""SELECT url, substr(file, {len(_FILES) + 1}), coalesce(title, ''),
    coalesce(page, ''), coalesce(page_title, ''), coalesce(mime_type, ''), coalesce(bytes, 0),
    coalesce(sha256, ''), coalesce(last_modified, ''), coalesce(found_at, ''),
    coalesce(dataset_title, ''), coalesce(description, ''), coalesce(licence, ''),
    coalesce(publisher, ''), coalesce(source_modified, ''), state
    FROM targets WHERE file IS NOT NULL"""
_PAGES = "SELECT url, coalesce(title, ''), visited_at FROM pages"
_GROUP_REWARDS = """SELECT a.number, a.tag_path, coalesce(v.visits, 0), coalesce(v.reward, 0)
    FROM action a LEFT JOIN (SELECT action, count(*) AS visits, sum(reward) AS reward
        FROM visit WHERE action IS NOT NULL GROUP BY action) v ON v.action = a.number
    ORDER BY a.number"""
# Not by the view `actions`: it counts the links of every group, and there may be thousands.
BEST_GROUPS = """SELECT a.tag_path, b.visits, b.targets FROM (
        SELECT action, count(*) AS visits, sum(reward) AS targets FROM visit
        WHERE action IS NOT NULL GROUP BY 1 HAVING targets > 0 ORDER BY 3 DESC, 1 LIMIT 5) b
    JOIN action a ON a.number = b.action ORDER BY b.targets DESC, a.number"""
_FOUND_ANYTHING = """SELECT EXISTS (SELECT 1 FROM visit WHERE outcome != 'not a page')
    OR EXISTS (SELECT 1 FROM target)"""
_ANSWERED = "SELECT url FROM request WHERE status IS NOT NULL ORDER BY id DESC LIMIT 1000"
_LAST_REQUEST = "SELECT status, failure FROM request ORDER BY id DESC LIMIT 1"
_FORM_PAGES = """SELECT url FROM visit WHERE forms > 0 AND outcome = 'read'
    GROUP BY url ORDER BY max(forms) DESC, min(id) LIMIT ?"""
# The URLs of links have no index, so that only the first are looked at; the `min` picks the URL.
_SIGNS = """SELECT o.platform, o.host, (SELECT k.anchor FROM link k
        JOIN text f ON f.id = k.found_on JOIN text p ON p.id = k.tag_path
        WHERE k.number <= 50000 AND k.url = o.url AND p.text GLOB '@api *'
        AND f.text NOT IN (SELECT url FROM listing) LIMIT 1)
    FROM (SELECT platform, host, url, min(id) FROM listing GROUP BY 1, 2) o"""
_UNREADY = f"""SELECT count(DISTINCT url) FROM request r WHERE failure = '{NOT_READY}'
    AND id > (SELECT coalesce(max(id), 0) - 200000 FROM request)
    AND NOT EXISTS (SELECT 1 FROM target t WHERE t.url = r.url)"""
_DEAD = """SELECT DISTINCT url, status FROM request
    WHERE id > (SELECT coalesce(max(id), 0) - 200000 FROM request)
    AND purpose IN ('visit', 'collect') AND status BETWEEN 400 AND 499
    AND status NOT IN (401, 402, 403, 407, 429, 451)
    AND url NOT IN (SELECT url FROM foreseen) LIMIT 20000"""
_TARGET_LINK = "SELECT coalesce(title, ''), coalesce(page, '') FROM targets WHERE url = ?"


class Totals(NamedTuple):
    """A crawl in four figures."""

    requests: int
    targets: int
    began_at: float | None
    last_at: float | None


class GroupRow(NamedTuple):
    """A group of links."""

    number: int
    tag_path: str
    place: str
    """URL of the folder that the links lead to; '' if it is not known."""


class ChoiceRow(NamedTuple):
    """A choice of the strategy, with its evidence as JSON."""

    number: int
    at: float
    link: int
    url: str
    group: int | None
    score: float | None
    expected: float | None
    evidence: str


class GroupVisit(NamedTuple):
    """A page of a group that was read."""

    url: str
    title: str
    targets: int
    new_links: int
    number: int


class GroupLink(NamedTuple):
    """A link of a group that was not chosen yet."""

    url: str
    anchor: str
    page: str | None


class BestPage(NamedTuple):
    """A page with its new targets."""

    url: str
    title: str
    targets: int


class TargetRow(NamedTuple):
    """A target, with what is known of its file."""

    url: str
    anchor: str
    mime_type: str | None
    bytes: int
    last_modified: str | None
    state: str
    path: str | None
    number: int


class KeptTarget(NamedTuple):
    """A target that has a file, complete or not; texts that are not known are ''."""

    url: str
    path: str
    """Relative to the folder of files."""
    title: str
    page: str
    page_title: str
    mime_type: str
    bytes: int
    sha256: str
    last_modified: str
    found_at: str
    dataset_title: str
    description: str
    licence: str
    publisher: str
    source_modified: str
    state: str

    @property
    def is_readable(self) -> bool:
        """Whether all of the file is there; one that looks wrong may still hold data."""
        return self.state in _READABLE


class PageRead(NamedTuple):
    """A page that was read."""

    url: str
    title: str
    at: str


class GroupReward(NamedTuple):
    """Visits of one group of links, and the targets that they brought."""

    number: int
    tag_path: str
    visits: int
    reward: int


class GroupTotals(NamedTuple):
    """A group of links that led to targets."""

    tag_path: str
    visits: int
    targets: int


class LastRequest(NamedTuple):
    """Status of the newest request; its failure if it has no status."""

    status: int | None
    failure: str | None


@contextmanager
def open_snapshot(database: Path) -> Iterator[sqlite3.Connection]:
    """Open the database of a crawl that may be running; all queries see the same moment."""
    with closing(open_to_read(database)) as connection, sqlite_errors(database):
        # In one transaction, a reader of a WAL database sees one state, whatever is committed
        # meanwhile.
        connection.execute("BEGIN")
        yield connection


def read_totals(connection: sqlite3.Connection) -> Totals:
    return Totals._make(connection.execute(_TOTALS).fetchone())


def latest_request_times(connection: sqlite3.Connection, count: int) -> list[float]:
    """When the newest requests were made, newest first."""
    return [at for (at,) in connection.execute(_LATEST_TIMES, (count,)) if at is not None]


def sample_targets(connection: sqlite3.Connection, step: int) -> list[int]:
    """The request numbers of every `step`-th target."""
    return [number for (number,) in connection.execute(_SAMPLE, (step,))]


def target_numbers(connection: sqlite3.Connection) -> list[int]:
    """The request numbers of all targets, ascending."""
    rows = connection.execute("SELECT number FROM target ORDER BY number")
    return [number for (number,) in rows]


def read_groups(connection: sqlite3.Connection) -> list[GroupRow]:
    return [GroupRow._make(row) for row in connection.execute(_GROUPS)]


def find_group(connection: sqlite3.Connection, number: int | None) -> GroupRow | None:
    row = connection.execute(f"{_GROUPS} WHERE number = ?", (number,)).fetchone()
    return GroupRow._make(row) if row else None


def latest_choice(connection: sqlite3.Connection) -> ChoiceRow | None:
    row = connection.execute(f"{_CHOICES} ORDER BY id DESC LIMIT 1").fetchone()
    return ChoiceRow._make(row) if row else None


def find_choice(connection: sqlite3.Connection, link: int) -> ChoiceRow | None:
    """The last choice that took a link."""
    row = connection.execute(f"{_CHOICES} WHERE link = ? ORDER BY id DESC LIMIT 1", (link,))
    found = row.fetchone()
    return ChoiceRow._make(found) if found else None


def latest_group_visits(connection: sqlite3.Connection, group: int) -> list[GroupVisit]:
    """The newest 200 pages of a group that were read."""
    return [GroupVisit._make(row) for row in connection.execute(_GROUP_VISITS, (group,))]


def find_waiting_links(connection: sqlite3.Connection, group: int) -> list[GroupLink]:
    """Up to 20 waiting links of a group, among the newest links of the crawl."""
    rows = connection.execute(_GROUP_LINKS, (_NEWEST_LINKS, group))
    return [GroupLink._make(row) for row in rows]


def best_pages(connection: sqlite3.Connection, group: int) -> list[BestPage]:
    """The three pages of a group with most new targets."""
    return [BestPage._make(row) for row in connection.execute(_BEST_PAGES, (group,))]


def iterate_targets(connection: sqlite3.Connection) -> Iterator[TargetRow]:
    """All targets, in the order in which they were found."""
    return map(TargetRow._make, connection.execute(_TARGETS))


def iterate_visits(connection: sqlite3.Connection, no_group: int) -> Iterator[tuple[int, ...]]:
    """Group (`no_group` for none), reward, new links, was a page, was read: for each visit.

    Plain tuples, since millions of them go straight into arrays.
    """
    return iter(connection.execute(_VISITS, (no_group,)))


def iterate_kept_files(database: Path) -> Iterator[KeptTarget]:
    """All targets with a file, in the order in which they were found."""
    with open_snapshot(database) as connection:
        yield from map(KeptTarget._make, connection.execute(_KEPT_FILES))


def iterate_pages(database: Path) -> Iterator[PageRead]:
    """All pages that were read, in their order."""
    with open_snapshot(database) as connection:
        yield from map(PageRead._make, connection.execute(_PAGES))


@contextmanager
def open_folder(folder: Path) -> Iterator[sqlite3.Connection]:
    """The database of a crawl folder, to read; errors of SQLite become `StorageError`."""
    database = Folder(folder).database
    with closing(open_to_read(database)) as connection, sqlite_errors(database):
        yield connection


def list_files_elsewhere(connection: sqlite3.Connection) -> list[Link]:
    """Files on hosts outside the site that were never requested, each once."""
    files = {
        url: Link(url, "", anchor or "", "", page or "", depth)
        for url, anchor, page, depth in connection.execute(_ELSEWHERE)
    }
    for (url,) in connection.execute(_REQUESTED) if files else ():
        # A file of another host may have been collected all the same, by an option or a redirect.
        files.pop(url, None)
    return list(files.values())


def read_group_rewards(connection: sqlite3.Connection) -> Iterator[GroupReward]:
    return map(GroupReward._make, connection.execute(_GROUP_REWARDS))


def read_best_groups(connection: sqlite3.Connection) -> list[GroupTotals]:
    """The five groups that led to most targets."""
    return [GroupTotals(*row) for row in connection.execute(BEST_GROUPS)]


def has_found_anything(connection: sqlite3.Connection) -> bool:
    """Whether the crawl has read a page or found a target."""
    return bool(connection.execute(_FOUND_ANYTHING).fetchone()[0])


def read_seconds_worked(connection: sqlite3.Connection, longest_gap: float) -> float:
    """The time between the first request and the last, without longer gaps, such as days."""
    return float(connection.execute(_WORKED, (longest_gap,)).fetchone()[0])


def read_last_request(connection: sqlite3.Connection) -> LastRequest:
    return LastRequest(*connection.execute(_LAST_REQUEST).fetchone() or (None, None))


def read_answered_urls(connection: sqlite3.Connection) -> list[str]:
    """URLs of the last thousand requests that got an answer, the newest first."""
    return [url for (url,) in connection.execute(_ANSWERED)]


def read_target_link(connection: sqlite3.Connection, url: str) -> Link:
    """The link that led to a target: its text, and the page it is on."""
    title, page = connection.execute(_TARGET_LINK, (url,)).fetchone() or ("", "")
    return Link(url, anchor=title, found_on=page)


def name_form_pages(connection: sqlite3.Connection, most: int) -> list[str]:
    """Some of the pages whose forms were not filled in, those with the most first."""
    return [url for (url,) in connection.execute(_FORM_PAGES, (most,))]


def count_unready(connection: sqlite3.Connection) -> int:
    """Files that were still being made when they were asked for last."""
    return int(connection.execute(_UNREADY).fetchone()[0])


def read_dead_links(connection: sqlite3.Connection) -> list[tuple[str, int]]:
    """Some of the URLs that the site named and does not have, with their statuses."""
    return connection.execute(_DEAD).fetchall()


def read_signs(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """What revealed each portal, by its platform and host, where a page of the site did."""
    return {(platform, host): sign for platform, host, sign in connection.execute(_SIGNS) if sign}
