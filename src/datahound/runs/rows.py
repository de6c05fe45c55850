"""Events as rows of the database."""

import json
import math
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

from datahound import events
from datahound.events import Event
from datahound.model import Kind, Link

_REMEMBERED = 100_000

# A link keeps its number for life, so that a row told twice is the same row.
_INSERTS = {
    "text": "INSERT INTO text VALUES (?, ?)",
    "link": "INSERT OR REPLACE INTO link VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "skip": "INSERT INTO skip VALUES (NULL, ?, ?, ?, ?)",
    "request": "INSERT INTO request VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "action": "INSERT OR REPLACE INTO action VALUES (?, ?)",
    "visit": "INSERT INTO visit VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)",
    "target": "INSERT INTO target VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)",
    "choice": "INSERT INTO choice VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
}
_KEYS = {"link": "number", "action": "number"}
_TABLES = tuple(table for table in _INSERTS if table != "text")
_LAST = "SELECT coalesce(max({key}), -1) FROM {table}"
_FORGET = "DELETE FROM {table} WHERE {key} > ?"
# What was told after the last checkpoint is told again; it keeps the time at which it happened.
_TIMES = "SELECT number, at FROM request WHERE id > ?"
_LAST_NUMBER = "SELECT number FROM request ORDER BY id DESC LIMIT 1"

Row = tuple[Any, ...]


class Rows:
    """Turns events into rows and writes them in batches."""

    def __init__(self, connection: sqlite3.Connection, clock: Callable[[], float]) -> None:
        self._connection = connection
        self._clock = clock
        self._pending: dict[str, list[Row]] = {table: [] for table in _INSERTS}
        self._texts: dict[str, int] = {}
        self._last_text = self._last("text", "id")
        self._times: dict[int, float] = {}
        self._number = self._last_number()
        self.waiting = 0
        """Rows that are not written yet."""

    def add(self, told: list[Event]) -> None:
        for event in told:
            for table, row in self._rows(event):
                self._pending[table].append(row)
                self.waiting += 1

    def write(self) -> None:
        """Write what waits, in the caller's transaction."""
        for table, rows in self._pending.items():
            if rows:
                self._connection.executemany(_INSERTS[table], rows)
                rows.clear()
        self.waiting = 0

    def marks(self) -> dict[str, int]:
        """The last row of each table."""
        return {table: self._last(table, _KEYS.get(table, "id")) for table in _TABLES}

    def cut(self, marks: dict[str, int]) -> None:
        """Forget what was told after the marks were taken: it will be told again."""
        told = self._connection.execute(_TIMES, (marks.get("request", -1),))
        self._times = dict(told.fetchall())
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
        return self._times.get(number) or self._clock()

    def _rows(self, event: Event) -> Iterator[tuple[str, Row]]:
        match event:
            case events.Discovered(link, expected, action):
                yield "link", self._link(link, expected, action)
            case events.Skipped(link, reason):
                yield "skip", (link.url, reason, link.anchor, self._text(link.found_on))
            case events.Fetched():
                self._number = event.number
                yield "request", self._request(event)
            case events.ActionCreated(action, tag_path):
                yield "action", (action, tag_path)
            case events.Chosen():
                yield "choice", self._choice(event)
            case events.Visited():
                yield "visit", self._visit(event)
            case events.TargetFound():
                yield "target", self._target(event)

    def _link(self, link: Link, expected: Kind | None, action: int | None) -> Row:
        return (
            link.number,
            link.url,
            self._text(link.tag_path),
            link.anchor,
            link.surrounding,
            self._text(link.found_on),
            link.depth,
            expected.value if expected else None,
            action,
        )

    def _request(self, event: events.Fetched) -> Row:
        return (
            event.number,
            self._at(event.number),
            event.fetch.url,
            event.fetch.purpose.value,
            event.status,
            event.kind.value,
            event.expected.value if event.expected else None,
            event.size,
            event.reason,
        )

    def _choice(self, event: events.Chosen) -> Row:
        link, action = event.choice.link, event.choice.action
        others = [
            (other, round(score, 6) if math.isfinite(score) else None)
            for other, score in event.runners_up
        ]
        what = (link.number, link.url, action, event.score, event.bonus, event.basis)
        return (self._number, self._at(self._number), *what, json.dumps(others))

    def _visit(self, event: events.Visited) -> Row:
        link, action = event.choice.link, event.choice.action
        at = self._at(event.number)
        counts = (link.depth, action, event.reward, event.new_links)
        return (event.number, at, link.url, event.title, *counts)

    def _target(self, event: events.TargetFound) -> Row:
        link = event.link
        at, page = self._at(event.number), self._text(link.found_on)
        what = (event.mime_type, event.size)
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
