"""Forms of choices: their answers are asked for one after the other, while they bring news.

Each form is a series: the next choice is made only when the answer to the one before is dealt with.
A series ends with a few answers in a row without anything new.
"""

from collections import deque
from collections.abc import Container, Iterable
from dataclasses import astuple, dataclass, field

from datahound.crawl.strategy import State
from datahound.model import Link

_BARREN = 3
"""Answers in a row without anything new that end a series."""
# A bound on memory: a page may have a form per row of a table.
_MOST_SERIES = 10_000
_MOST_CHOICES = 1000
"""Choices of one series, on whatever pages they are offered."""


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
        self._asked: dict[str, str] = {}
        """By the URL of a choice that was made, its series."""

    def offer(self, links: Iterable[Link], known: Container[str]) -> list[Link]:
        """A page offers choices; those that are to be made now."""
        begun = dict[str, None]()
        for link in links:
            name = name_form(link)
            series = self._series.get(name)
            if series is None and len(self._series) < _MOST_SERIES:
                series = self._series[name] = _Series()
            if series is None or series.has_ended or series.offered >= _MOST_CHOICES:
                continue
            series.offered += 1
            series.waiting.append(link)
            begun[name] = None
        due = (self._take_next(name, known) for name in begun if not self._series[name].asked)
        return [link for link in due if link is not None]

    def learn(self, url: str, known: Container[str], *, is_new: bool) -> Link | None:
        """A choice was answered, or could not be made; the next choice, if one is to be made."""
        name = self._asked.pop(url, None)
        series = self._series.get(name) if name is not None else None
        if name is None or series is None:
            return None
        series.barren = 0 if is_new else series.barren + 1
        series.asked = ""
        if series.has_ended:
            series.waiting.clear()
        return self._take_next(name, known)

    def is_asked(self, url: str) -> bool:
        """Whether the answer to a choice is awaited."""
        return url in self._asked

    def snapshot(self) -> State:
        return {
            name: [[astuple(link) for link in s.waiting], s.offered, s.barren, s.asked]
            for name, s in self._series.items()
        }

    def restore(self, state: State) -> None:
        self._series = {
            name: _Series(deque(Link(*row) for row in rows), *counts)
            for name, (rows, *counts) in state.items()
        }
        self._asked = {s.asked: name for name, s in self._series.items() if s.asked}

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
    """What the choices of one form have in common: where they lead, and where the form is."""
    return f"{link.url.partition('?')[0]} {link.tag_path}"


def count_forms(links: Iterable[Link]) -> int:
    """The number of forms that offer these choices."""
    return len({name_form(link) for link in links})
