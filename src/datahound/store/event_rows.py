"""Events as rows of the database."""

import json
import math
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import astuple
from typing import Any

from datahound import events
from datahound.events import Event
from datahound.model import Kind, Link, Role
from datahound.store.schema import LISTING_ELSEWHERE, LISTING_READ
from datahound.web.urls import host_of

# A bound on memory: a text that was forgotten is stored again, under another number.
_REMEMBERED = 100_000
_LONG = 1000
"""Characters that make a row count for one more."""
_END: tuple[str, tuple[Any, ...]] = ("", ())

_COLUMNS = {
    "text": "id text",
    "link": "number url tag_path anchor surrounding found_on depth expected action",
    "skip": "url reason anchor found_on redirected",
    "elsewhere": "url host extension anchor found_on depth",
    "request": "number at url purpose status kind expected size failure redirected_from round "
    "mime_type",
    "action": "number tag_path place",
    "visit": "number at url title depth action reward new_links outcome needs_script forms "
    "files_elsewhere round file_links links_left_out",
    "target": "number at url anchor found_on depth mime_type size round",
    "choice": "number at link url action score expected evidence",
    "foreseen": "number page url found",
    "checked": "number at url outcome status round",
    "listing": "number at url platform host request status total links remark",
    "listed_dataset": "platform host name title description licence modified page files publisher",
    "listed_entry": "url platform host dataset role title format size modified licence",
}
_INSERTS = {
    # A link keeps its number for life, so that a row written twice is the same row.
    table: f"INSERT OR REPLACE INTO {table} ({', '.join(columns.split())}) "
    f"VALUES ({', '.join('?' * len(columns.split()))})"
    for table, columns in _COLUMNS.items()
}
_KEYS = {"link": "number", "action": "number"}
_TABLES = tuple(table for table in _INSERTS if table != "text")
_LAST = "SELECT coalesce(max({key}), -1) FROM {table}"
_FORGET = "DELETE FROM {table} WHERE {key} > ?"
# Events after the last checkpoint are replayed after a crash; their rows keep their first times.
_TIMES = "SELECT number, at FROM request WHERE id > ?"
_LAST_NUMBER = "SELECT number FROM request ORDER BY id DESC LIMIT 1"

Row = tuple[Any, ...]


class Rows:
    """Turns events into rows and writes them in batches."""

    def __init__(
        self, connection: sqlite3.Connection, clock: Callable[[], float], round_number: int = 0
    ) -> None:
        self.round = round_number
        """The round of visits that the events belong to."""
        self._connection = connection
        self._clock = clock
        self._pending: dict[str, list[Row]] = {table: [] for table in _INSERTS}
        # Rows of lists, which may have 100,000 entries: they are made when they are written.
        self._lists: deque[Iterator[tuple[str, Row]]] = deque()
        self._texts: dict[str, int] = {}
        self._last_text = self._last("text", "id")
        self._times: dict[int, float] = {}
        self._number = self._last_number()
        self.waiting = 0
        """The number of rows that are not written yet; long ones count for several."""

    @property
    def has_lists(self) -> bool:
        """Whether rows of lists are not written yet."""
        return bool(self._lists)

    def add(self, new_events: list[Event]) -> None:
        for event in new_events:
            for table, row in self._rows(event):
                self._pending[table].append(row)
                self.waiting += _weigh(row)
            if isinstance(event, events.ListRead):
                self._lists.append(_list_rows(event, self.round))

    def write(self, most: int | None = None) -> None:
        """Write the buffered rows, in the transaction of the caller; of lists at most this many."""
        left = math.inf if most is None else most
        while self._lists and left > 0:
            table, row = next(self._lists[0], _END)
            if row:
                self._pending[table].append(row)
                left -= _weigh(row)
            else:
                self._lists.popleft()
        for table, rows in self._pending.items():
            if rows:
                self._connection.executemany(_INSERTS[table], rows)
                rows.clear()
        self.waiting = 0

    def marks(self) -> dict[str, int]:
        """The last row of each table."""
        return {table: self._last(table, _KEYS.get(table, "id")) for table in _TABLES}

    def cut(self, marks: dict[str, int]) -> None:
        """Delete the rows after the marks: replaying the journal writes them again."""
        times = self._connection.execute(_TIMES, (marks.get("request", -1),))
        # Merged: rows are cut twice where a checkpoint is of another version.
        self._times |= dict(times.fetchall())
        for table in _TABLES:
            statement = _FORGET.format(table=table, key=_KEYS.get(table, "id"))
            self._connection.execute(statement, (marks.get(table, -1),))
        self._number = self._last_number()

    def _last(self, table: str, key: str) -> int:
        (last,) = self._connection.execute(_LAST.format(table=table, key=key)).fetchone()
        return int(last)

    def _last_number(self) -> int:
        found = self._connection.execute(_LAST_NUMBER).fetchone()
        return int(found[0]) if found else 0

    def _at(self, number: int) -> float:
        # While the journal is replayed, a request keeps the time at which it was really made.
        return self._times.get(number) or self._clock()

    def _rows(self, event: Event) -> Iterator[tuple[str, Row]]:
        match event:
            case events.Discovered(link, expected, group):
                yield "link", self._link(link, expected, group)
            case events.Skipped(link, reason, redirected):
                page = self._text(link.found_on)
                yield "skip", (link.url, reason.value, link.anchor, page, redirected)
            case events.FileElsewhere(link, host, extension):
                page = self._text(link.found_on)
                yield "elsewhere", (link.url, host, extension, link.anchor, page, link.depth)
            case events.Fetched():
                self._number = event.number
                yield "request", self._request(event)
            case events.GroupCreated(number, tag_path, place):
                yield "action", (number, tag_path, place)
            case events.Chosen():
                yield "choice", self._choice(event)
            case events.Visited():
                yield "visit", self._visit(event)
            case events.TargetFound():
                yield "target", self._target(event)
            case events.Checked(number, link, outcome, status):
                at = self._at(number)
                yield "checked", (number, at, link.url, outcome.value, status, self.round)
            case events.ListRead():
                yield "listing", self._listing(event)
            case events.PortalEnded():
                yield "listing", self._portal_end(event)
            case events.Foreseen(page, file, found):
                yield "foreseen", (self._number, self._text(page.url), file.url, found)

    def _portal_end(self, event: events.PortalEnded) -> Row:
        link = event.link
        # The tag path of an endpoint names its platform and request
        # (`readers.listing.make_endpoint`); padded, so that a path with fewer words gives empty
        # ones.
        _, platform, request, *_ = f"{link.tag_path}  ".split(" ")
        code = LISTING_ELSEWHERE if event.is_elsewhere else event.status or 0
        what = (platform, host_of(link.url), request, code, None, 0, event.remark)
        return event.number, self._at(event.number), link.url, *what

    def _link(self, link: Link, expected: Kind, group: int | None) -> Row:
        return (
            link.number,
            link.url,
            self._text(link.tag_path),
            link.anchor,
            link.surrounding,
            self._text(link.found_on),
            link.depth,
            expected.value,
            group,
        )

    def _listing(self, event: events.ListRead) -> Row:
        listing, link = event.listing, event.link
        when = (event.number, self._at(event.number))
        what = (link.url, listing.platform, host_of(link.url), listing.request)
        return (*when, *what, LISTING_READ, listing.total, event.links, listing.remark)

    def _request(self, event: events.Fetched) -> Row:
        return (
            event.number,
            self._at(event.number),
            event.fetch.url,
            event.fetch.purpose.value,
            event.status,
            event.kind.value,
            event.expected.value,
            event.size,
            event.failure,
            event.redirected_from,
            self.round,
            event.mime_type,
        )

    def _choice(self, event: events.Chosen) -> Row:
        link, why = event.choice.link, event.why
        when = (self._number, self._at(self._number))
        what = (link.number, link.url, event.choice.group, why.score, why.expected)
        return (*when, *what, json.dumps(_evidence(why)))

    def _visit(self, event: events.Visited) -> Row:
        link, missed = event.choice.link, event.not_followed
        return (
            event.number,
            self._at(event.number),
            link.url,
            event.title,
            link.depth,
            event.choice.group,
            event.reward,
            event.new_links,
            event.outcome.value,
            missed.needs_script,
            missed.forms,
            missed.files_elsewhere,
            self.round,
            event.file_links,
            missed.links_left_out,
        )

    def _target(self, event: events.TargetFound) -> Row:
        link = event.link
        at, page = self._at(event.number), self._text(link.found_on)
        what = (event.mime_type, event.size, self.round)
        return (event.number, at, link.url, link.anchor, page, link.depth, *what)

    def _text(self, text: str) -> int:
        number = self._texts.get(text)
        if number is None:
            if len(self._texts) >= _REMEMBERED:
                self._texts.clear()
            self._last_text += 1
            number = self._texts[text] = self._last_text
            self._pending["text"].append((number, text))
        return number


def _weigh(row: Row) -> int:
    """How many ordinary rows take as long to write."""
    return 1 + sum([len(text) for text in row if isinstance(text, str)]) // _LONG


def _list_rows(event: events.ListRead, round_number: int) -> Iterator[tuple[str, Row]]:
    """The rows of what a list says of its datasets and entries."""
    listing = event.listing
    what = (listing.platform, host_of(event.link.url))
    for dataset in listing.datasets:
        yield "listed_dataset", (*what, *astuple(dataset))
    for entry in listing.entries:
        if round_number and entry.role is Role.PAGE:
            # Sitemaps are read again in each round, with up to 50,000 pages.
            continue
        name = "" if entry.dataset is None else listing.datasets[entry.dataset].name
        facts = (entry.title, entry.format, entry.size, entry.modified, entry.licence)
        yield "listed_entry", (entry.url, *what, name, entry.role.value, *facts)


def _evidence(why: events.Evidence) -> dict[str, Any]:
    """The evidence that has no column, for the JSON column."""
    runners_up = [
        # Six digits are enough for people, and keep a row small: there is one for each choice.
        (group, None if score is None else round(score, 6))
        for group, score in why.runners_up
    ]
    experience = [
        (level.level.value, round(level.visits, 4), round(level.targets, 4))
        for level in why.experience
    ]
    return {
        "experience": experience,
        "chance": why.chance,
        "site_rate": why.site_rate,
        "grounds": [ground.value for ground in why.grounds],
        "runners_up": runners_up,
    }
