"""Forms with choices, such as menus: each choice is requested in turn, while they bring new links.

Forms with the same fields at the same place of their pages are one series: the next choice is
requested only after the page of the one before was read. A series ends after a few answers in a row
without anything new; all series end if the first answers of a site are errors.
"""

from collections import deque
from collections.abc import Container, Iterable
from dataclasses import astuple, dataclass, field

from datahound.crawl.strategy import State
from datahound.model import Link

_BARREN = 3
"""Answers in a row without anything new that end a series."""
_MAX_ERRORS = 2
"""Errors before any form led to a page or a file; after them, no form is filled in any more."""
# A bound on memory: a page may have a form per row of a table.
_MAX_SERIES = 10_000
_MAX_CHOICES = 1000
"""Choices of one series, on all pages together."""


@dataclass(slots=True)
class _Series:
    """The choices of one form that are still to be made."""

    waiting: deque[Link] = field(default_factory=deque)
    offered: int = 0
    barren: int = 0
    asked: str = ""
    """The URL whose answer is awaited; '' if none is."""

    @property
    def has_ended(self) -> bool:
        return self.barren >= _BARREN


class Forms:
    """The forms of a crawl, each a series of choices."""

    def __init__(self) -> None:
        self._series: dict[str, _Series] = {}
        self._idle: dict[str, None] = {}
        """The series that have choices left and wait for no answer."""
        self._errors = 0
        self._has_answered = False
        self._asked: dict[str, str] = {}
        """By the URL of a choice that was requested, its series."""

    def offer(self, links: Iterable[Link], known: Container[str]) -> list[Link]:
        """Add the choices that a page offers; returns those to request now."""
        for link in links:
            name = name_form(link)
            series = self._series.get(name)
            if series is None and len(self._series) < _MAX_SERIES:
                series = self._series[name] = _Series()
            if series is None or series.has_ended or series.offered >= _MAX_CHOICES:
                continue
            series.offered += 1
            series.waiting.append(link)
            if not series.asked:
                self._idle[name] = None
        return self._release(known)

    def learn(self, url: str, known: Container[str], *, is_new: bool) -> list[Link]:
        """Learn that a choice led to a page or a file; returns the choices to request now."""
        self._has_answered |= url in self._asked
        return self._go_on(url, known, is_new=is_new)

    def fail(self, url: str, known: Container[str]) -> list[Link]:
        """Learn that a choice led to an error or no answer; returns the choices to request now."""
        self._errors += url in self._asked
        return self._go_on(url, known, is_new=False)

    def is_asked(self, url: str) -> bool:
        """Whether the answer to a choice is awaited."""
        return url in self._asked

    def snapshot(self) -> State:
        series = {
            name: [[astuple(link) for link in s.waiting], s.offered, s.barren, s.asked]
            for name, s in self._series.items()
        }
        counts = {"errors": self._errors, "has_answered": self._has_answered}
        return {"series": series, "idle": list(self._idle), **counts}

    def restore(self, state: State) -> None:
        self._series = {
            name: _Series(deque(Link(*row) for row in rows), *counts)
            for name, (rows, *counts) in state["series"].items()
        }
        self._errors, self._has_answered = state["errors"], state["has_answered"]
        self._idle = dict.fromkeys(state["idle"])
        self._asked = {s.asked: name for name, s in self._series.items() if s.asked}

    def _go_on(self, url: str, known: Container[str], *, is_new: bool) -> list[Link]:
        name = self._asked.pop(url, None)
        if name is None:
            return []
        series = self._series[name]
        series.barren = 0 if is_new else series.barren + 1
        series.asked = ""
        if series.has_ended:
            series.waiting.clear()
        if series.waiting:
            self._idle[name] = None
        return self._release(known)

    def _release(self, known: Container[str]) -> list[Link]:
        """The next choice of each idle series; of one alone until a form led to a page or file."""
        released: list[Link] = []
        while self._idle and (self._has_answered or not self._asked):
            if not self._has_answered and self._errors >= _MAX_ERRORS:
                break
            name = next(iter(self._idle))
            del self._idle[name]
            if (link := self._take_next(name, known)) is not None:
                released.append(link)
        return released

    def _take_next(self, name: str, known: Container[str]) -> Link | None:
        series = self._series[name]
        while series.waiting:
            link = series.waiting.popleft()
            if link.url not in self._asked and link.url not in known:
                series.asked = link.url
                self._asked[link.url] = name
                return link
        return None


def name_form(link: Link) -> str:
    """What the choices of one form have in common: the names of its fields, and where it is."""
    query = link.url.partition("?")[2]
    fields = sorted({part.partition("=")[0] for part in query.split("&")})
    return f"{link.tag_path} {'&'.join(fields)}"


def count_forms(links: Iterable[Link]) -> int:
    """The number of forms that offer these choices."""
    return len({name_form(link) for link in links})
