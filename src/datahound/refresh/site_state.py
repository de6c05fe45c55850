"""What a round learns of the whole site: redesigned, down, or in maintenance.

In maintenance some sites answer every URL with the same page, with status 200. So the pages must
tell: the start page and nearly all others that a round has read again have the same contents, and
at least one of them has none of the links that it had. Nothing is learned from such pages.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Any

from datahound.crawl.strategy import Visit
from datahound.events import CheckOutcome
from datahound.model import Kind
from datahound.refresh.history import PageHistory, PageVisit, hash_links
from datahound.refresh.pages import PageValues

_MIN_REVISITS = 10
_MAX_BROKEN = 0.6
"""If a larger share of known pages and files is gone, or has mostly new links, it is a redesign."""
_FEW_FAILURES, _MAX_FAILURES = 3, 20
"""If the first few requests for known pages and files fail, the start page is requested next; if
that fails too, and all requests until the second number, the round ends."""
_THERE = (CheckOutcome.UNCHANGED, CheckOutcome.SERVED, CheckOutcome.MOVED)


class SiteState:
    """Counts the results of requests for pages and files of earlier rounds."""

    _answered = _broken = 0
    """Pages and files with an answer; those that are gone, or have mostly new links."""
    _failed = _alive = 0
    """Pages and files that failed or are gone; those that were found."""

    def count_visit(self, visit: Visit) -> None:
        """A page of an earlier round was asked for, and this became of it."""
        self.count_page(
            is_there=visit.kind is not Kind.OTHER,
            has_answer=visit.answered,
            has_new_links=2 * len(visit.new_links) > len(visit.links),
        )

    def count_page(self, *, is_there: bool, has_answer: bool, has_new_links: bool) -> None:
        """Count a request for a page of an earlier round."""
        self._alive += is_there
        self._failed += not is_there
        self._answered += has_answer
        self._broken += has_answer and (not is_there or has_new_links)

    def count_file(self, outcome: CheckOutcome) -> None:
        """Count a request for a file of an earlier round."""
        self._alive += outcome in _THERE
        self._failed += outcome not in _THERE
        self._answered += outcome is not CheckOutcome.NO_ANSWER
        self._broken += outcome is CheckOutcome.MISSING

    @property
    def is_redesigned(self) -> bool:
        """Whether most known pages and files with an answer are gone, or have mostly new links."""
        if self._broken == self._answered > _FEW_FAILURES:
            return True
        return self._answered >= _MIN_REVISITS and self._broken > _MAX_BROKEN * self._answered

    @property
    def is_silent(self) -> bool:
        """Whether no request for a known page or file has succeeded."""
        return self._failed > 0 and not self._alive

    @property
    def needs_start_page(self) -> bool:
        """Whether to request the start page now: it shows whether the site has moved or is down."""
        return self.is_redesigned or (self.is_silent and self._failed >= _FEW_FAILURES)

    @property
    def is_hopeless(self) -> bool:
        """Whether to end the round, if the start page fails too."""
        return self.is_silent and self._failed >= _MAX_FAILURES

    def snapshot(self) -> list[int]:
        return [self._answered, self._broken, self._failed, self._alive]

    def restore(self, state: list[int]) -> None:
        # Snapshots of older versions have only the first two.
        self._answered, self._broken, self._failed, self._alive = [*state, 0, 0][:4]


_LEAST = 3
"""Pages that have the same contents, and files with a page in their place."""
_NEARLY_ALL = 0.9


@dataclass(frozen=True, slots=True)
class _Revisit:
    place: int
    links: int
    """A hash of its links."""
    new_files: float
    """Its own, and those that its new pages promise."""
    has_moved: bool
    """Whether the page is at another URL now."""
    seen: PageVisit


class Revisits:
    """Learns from pages that were read again in a round.

    A page that has lost all its links teaches nothing until another page has other contents.
    """

    def __init__(self, history: PageHistory, values: PageValues) -> None:
        self._history, self._values = history, values
        self._held: list[_Revisit] = []
        self._contents: dict[int, int] = {}
        """Pages by a hash of their contents."""
        self._files = self._lost = 0
        """Files with a page in their place, and pages that have lost all their links."""
        self._start: int | None = None
        """The contents of the start page, once it was read."""

    def begin_round(self) -> None:
        """A round begins: what was read in the last one and not learned from was true."""
        self._learn_held()
        self._held, self._contents = [], {}
        self._files, self._lost, self._start = 0, 0, None

    def count_file(self) -> None:
        """A page was in the place of a file."""
        self._files += 1

    def learn(self, place: int, new_files: float, seen: PageVisit, visit: Visit) -> None:
        """A page was read again, or nothing was there any more."""
        links = hash_links(visit)
        if visit.kind is not Kind.PAGE:
            self._values.observe(place, seen.at, new_files, links)
            self._history.miss(place, seen.at)
            return
        has_moved = seen.url != self._history.urls[place]
        self._held.append(_Revisit(place, links, new_files, has_moved, seen))
        has_lost_all = self._history.has_lost_all(place, seen, (one.url for one in visit.links))
        self._lost += has_lost_all
        self._contents[visit.content] = self._contents.get(visit.content, 0) + 1
        if place == 0:
            self._start = visit.content
        if not has_lost_all or len(self._contents) > 1:
            self._learn_held()

    @property
    def needs_start_page(self) -> bool:
        """Whether all that was read is the same page, so that the start page must tell."""
        return self._start is None and self._is_common(max(self._contents.values(), default=0))

    @property
    def are_same_page(self) -> bool:
        """Whether the site answers every URL with the same page."""
        return self._start is not None and self._is_common(self._contents[self._start])

    def snapshot(self) -> list[Any]:
        held = [list(astuple(one)) for one in self._held]
        return [list(self._contents.items()), self._files, self._lost, self._start, held]

    def restore(self, state: Sequence[Any]) -> None:
        contents, self._files, self._lost, self._start, held = state
        self._contents = dict(contents)
        self._held = [
            _Revisit(place, links, new_files, has_moved, PageVisit(*seen))
            for place, links, new_files, has_moved, seen in held
        ]

    def _is_common(self, pages: int) -> bool:
        """Whether this number of equal pages means that every URL has the same page."""
        if not self._lost or pages < 2 or pages + self._files < _LEAST:
            return False
        return pages >= _NEARLY_ALL * sum(self._contents.values())

    def _learn_held(self) -> None:
        if self.are_same_page:
            return
        for one in self._held:
            self._values.observe(one.place, one.seen.at, one.new_files, one.links)
            if one.has_moved:
                self._history.miss(one.place, one.seen.at)
            # Of a page that has moved the files are not new, so nothing is learned of them.
            if not one.has_moved or one.seen.url not in self._history:
                self._history.add(one.seen)
        self._held = []
