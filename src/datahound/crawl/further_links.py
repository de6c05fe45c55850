"""Links from uncommon places wait until their source has paid, or until nothing else is left.

A source is what names a URL besides `a`, `area`, `frame` and `iframe` (`Link.source`): options,
handlers of clicks, the state of an app. Most such URLs are of no use, and some lead to all files.
One link of each source is tried now and then: after 100 visits, and four times as long after each
trial that brought no file. The first that brings one makes its source like any other.
"""

from collections.abc import Iterator
from dataclasses import astuple

from datahound.crawl.strategy import State
from datahound.model import Link

_FIRST_TRIAL = 100
_SLOWER = 4
_MOST_WAITING = 100_000
_MOST_REFRESHES = 10
"""Pages in a row that send the reader on, like redirects."""
_REFRESH = "@refresh"
_SITEMAPS = "@sitemaps"
"""Sitemaps, each of which may name more links than can wait: read when no other link is left."""


class FurtherLinks:
    """Which links from uncommon places wait, and which sources have paid."""

    def __init__(self) -> None:
        self._waiting: dict[str, dict[str, Link]] = {}
        """By source, then by URL. They are not among the known URLs, so a page may link to them."""
        self._count = 0
        self._paid = {_REFRESH}
        self._trials: dict[str, list[int]] = {}
        """By source, the number of visits at which it is tried next, and the pause after that."""
        self._refreshes: dict[str, int] = {}
        """By URL of a page reached by a refresh, how many came before it."""

    def must_wait(self, link: Link) -> bool:
        """Whether a link waits for its source to pay."""
        return link.source not in self._paid

    def add(self, link: Link, visits: int) -> None:
        """Let a link wait; with too many of them, it is dropped."""
        waiting = self._waiting.setdefault(link.source, {})
        if link.url not in waiting and self._count < _MOST_WAITING:
            waiting[link.url] = link
            self._count += 1
            self._trials.setdefault(link.source, [visits + _FIRST_TRIAL, _FIRST_TRIAL])

    def has(self, link: Link) -> bool:
        """Whether a link waits."""
        return link.url in self._waiting.get(link.source, ())

    def take_due(self, visits: int) -> Link | None:
        """A link of a source that is to be tried after this many visits."""
        for source, trial in self._trials.items():
            if trial[0] <= visits and self._waiting.get(source):
                trial[1] *= _SLOWER
                trial[0] = visits + trial[1]
                return self._take(source)
        return None

    def take(self) -> Link | None:
        """A link, where nothing else is left to visit."""
        sources = sorted(self._waiting, key=lambda source: source == _SITEMAPS)
        return next((self._take(source) for source in sources if self._waiting[source]), None)

    def learn(self, link: Link, *, paid: bool) -> Iterator[Link]:
        """A link was visited; all that waited, if it is the first of its source to pay."""
        if not link.source or not paid or link.source in self._paid:
            return
        self._paid.add(link.source)
        released = self._waiting.pop(link.source, {})
        self._count -= len(released)
        yield from released.values()

    def follows_refresh(self, page: Link, link: Link) -> bool:
        """Whether a link is followed: refreshes that never end are not."""
        if link.source != _REFRESH:
            return True
        count = self._refreshes.get(page.url, 0) + 1 if page.source == _REFRESH else 1
        if count <= _MOST_REFRESHES:
            self._refreshes[link.url] = count
        return count <= _MOST_REFRESHES

    def snapshot(self) -> State:
        links = (link for found in self._waiting.values() for link in found.values())
        return {
            "waiting": [astuple(link) for link in links],
            "paid": sorted(self._paid),
            "trials": [[source, *trial] for source, trial in self._trials.items()],
            "refreshes": [list(pair) for pair in self._refreshes.items()],
        }

    def restore(self, state: State) -> None:
        self._waiting, self._count = {}, len(state["waiting"])
        self._paid = set(state["paid"])
        for row in state["waiting"]:
            link = Link(*row)
            self._waiting.setdefault(link.source, {})[link.url] = link
        self._trials = {source: trial for source, *trial in state["trials"]}
        self._refreshes = dict(state["refreshes"])

    def _take(self, source: str) -> Link:
        waiting = self._waiting[source]
        self._count -= 1
        return waiting.pop(next(iter(waiting)))
