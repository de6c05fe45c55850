"""Links that wait: from uncommon places, or with names of types that the user did not ask for.

A source is what names a URL besides `a`, `area`, `frame` and `iframe` (`Link.source`): options,
handlers of clicks, the state of an app. Most such URLs are of no use, and some lead to all files.
One link of each source is tried now and then: after 100 visits, and four times as long after each
trial that brought no file. Once a link of a source brings a file, its links no longer wait. Links
that wait until the end are followed while links of their kind bring anything new.

Names are sometimes wrong: a `.pdf` may be a page with tables. So a few URLs of each unwanted
extension are tried at the very end, and more of them if they bring files.
"""

import re
from collections.abc import Iterator

from datahound.crawl.strategy import State
from datahound.model import Link, link_row
from datahound.web.urls import extension_of

# Visits after which the crawl knows what its ordinary links bring.
_FIRST_TRIAL = 100
_SLOWER = 4
_MAX_WAITING = 100_000
_MAX_REFRESHES = 10
"""Pages in a row that lead to the next one by a refresh."""
_REFRESH = "@refresh"
_SITEMAPS = "@sitemaps"
_LISTED = ("@sitemap", "@feed", _SITEMAPS)
"""Sources of sitemaps and feeds. `@sitemaps`, whose links name more than can wait, come last."""
_FORMS_IN_PLACE = 5
"""Barren forms of URLs at one tag path, which may be a menu with a folder behind each option,
before all links there are left out."""
_SPECIFIC = re.compile(r"[\d%_-]|.{24}")
"""Matches a path segment that names one thing of many: `2013`, `year-in-review`."""


class FurtherLinks:
    """Which links from uncommon places wait, and which sources have paid."""

    def __init__(self, most_barren: int) -> None:
        self._most_barren = most_barren
        self._waiting: dict[str, dict[str, Link]] = {}
        """By source, then by URL. They are not among the known URLs, so a page may link to them."""
        self._count = 0
        # A refresh works like a redirect, so it never waits.
        self._paid = {_REFRESH}
        self._trials: dict[str, list[int]] = {}
        """By source, the number of visits at which it is tried next, and the pause after that."""
        self._refreshes: dict[str, int] = {}
        """By URL of a page reached by a refresh, the number of refreshes in a row."""
        self._barren: dict[str, int] = {}
        """By form of URL and by tag path, the links visited since one brought anything new."""

    def begin_round(self) -> None:
        """Prepare for a later round: links of sitemaps and feeds need not wait any more.

        Kinds of links that brought nothing new before may do so now.
        """
        self._paid.update(_LISTED)
        self._barren = {}

    def must_wait(self, link: Link) -> bool:
        """Whether a link waits for its source to pay."""
        return link.source not in self._paid

    def add(self, link: Link, visits: int) -> None:
        """Let a link wait; with too many of them, it is dropped."""
        waiting = self._waiting.setdefault(link.source, {})
        if link.url not in waiting and self._count < _MAX_WAITING:
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
        # Sorting is stable: the order of meeting, sitemaps last.
        sources = sorted(self._waiting, key=lambda source: source == _SITEMAPS)
        return next((self._take(source) for source in sources if self._waiting[source]), None)

    def is_barren(self, link: Link) -> bool:
        """Whether others like a link that waited brought nothing new."""
        form, place = (self._barren.get(kind, 0) for kind in _name_kinds(link))
        is_over = form >= self._most_barren or place >= _FORMS_IN_PLACE * self._most_barren
        return is_over and link.source not in _LISTED

    def learn(self, link: Link, *, paid: bool, is_new: bool) -> Iterator[Link]:
        """Learn from a visit; yields all that waited, if it is the first of its source to pay."""
        if not link.source or link.source in self._paid:
            return
        for kind in _name_kinds(link):
            self._barren[kind] = 0 if is_new else self._barren.get(kind, 0) + 1
        if not paid:
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
        if count <= _MAX_REFRESHES:
            self._refreshes[link.url] = count
        return count <= _MAX_REFRESHES

    def snapshot(self) -> State:
        links = (link for found in self._waiting.values() for link in found.values())
        return {
            "waiting": [link_row(link) for link in links],
            "paid": sorted(self._paid),
            "trials": [[source, *trial] for source, trial in self._trials.items()],
            "refreshes": [list(pair) for pair in self._refreshes.items()],
            "barren": self._barren,
        }

    def restore(self, state: State) -> None:
        self._waiting, self._count = {}, len(state["waiting"])
        self._paid = set(state["paid"])
        for row in state["waiting"]:
            link = Link(*row)
            self._waiting.setdefault(link.source, {})[link.url] = link
        self._trials = {source: trial for source, *trial in state["trials"]}
        self._refreshes = dict(state["refreshes"])
        self._barren = dict(state.get("barren", ()))

    def _take(self, source: str) -> Link:
        waiting = self._waiting[source]
        self._count -= 1
        return waiting.pop(next(iter(waiting)))


def _name_kinds(link: Link) -> tuple[str, str]:
    """What a link has in common with others: the form of its URL, and its place on pages.

    >>> _name_kinds(Link("https://a.example/tag/12/feed?page=3", "html link @link"))
    ('@link https://a.example/tag/*/feed?page', 'html link @link')
    """
    path, _, query = link.url.partition("?")
    segments = path.split("/")
    form = "/".join([*segments[:3], *("*" if _SPECIFIC.search(s) else s for s in segments[3:])])
    names = "&".join(pair.partition("=")[0] for pair in query.split("&"))
    return f"{link.source} {form}?{names}", link.tag_path


_TRIALS = 3
"""URLs of an extension that are tried at first."""
_MORE_TRIALS = 10
"""Further URLs that are tried for each that brought a file."""
_MAX_UNWANTED = 20_000


class UnwantedNames:
    """Which URLs with unwanted extensions wait, and how many more of each may be tried."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[Link]] = {}
        """By extension, in the order of meeting."""
        self._count = 0
        self._left: dict[str, int] = {}
        """By extension, how many more may be tried."""

    def add(self, link: Link) -> None:
        """Let a link wait; with too many of them, it is dropped."""
        if self._count < _MAX_UNWANTED:
            self._count += 1
            self._waiting.setdefault(extension_of(link.url), []).append(link)

    def take(self) -> Link | None:
        """A link to be tried, where nothing else is left."""
        for extension, links in self._waiting.items():
            left = self._left.setdefault(extension, _TRIALS)
            if left and links:
                self._left[extension] = left - 1
                self._count -= 1
                # First and last in turn: links that were met together are often of one kind.
                return links.pop(0 if left % 2 else -1)
        return None

    def learn(self, link: Link, *, paid: bool) -> None:
        """Learn whether the visit of a link brought files."""
        extension = extension_of(link.url)
        if paid and extension in self._left:
            self._left[extension] += _MORE_TRIALS

    def snapshot(self) -> State:
        return {
            "waiting": [link_row(link) for links in self._waiting.values() for link in links],
            "left": self._left,
        }

    def restore(self, state: State) -> None:
        self._waiting, self._count = {}, 0
        for row in state["waiting"]:
            self.add(Link(*row))
        self._left = dict(state["left"])
