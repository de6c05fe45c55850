"""Lists (sitemaps and feeds): one request names many pages that are new or that have changed.

A list flags a page if it names the page with another date than when the list was last read; at the
first reading, if the date is later than the last visit of the page. The second rule is less sure,
since a date without a time may be before the visit, so these pages are a class of their own. The
rates of flagged pages are multiplied by a factor that is learned per class,
f = (k · f_0 + events) / (k + expected). It becomes large for lists with true dates, and 1 for a
list that gives every page the date of today.

The value of reading a list is w = (found + r) / (read + 1): the new files of pages that it flagged
or was the first to name, per reading, with the value r of the best page as prior. Lists that were
not read in a later round come first, a few per round.
"""

import re
from calendar import timegm
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from email.utils import parsedate_tz
from typing import Any, Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from datahound.model import ENDPOINT, Link, Listing
from datahound.refresh.rates import ClassFactors
from datahound.settings import RefreshSettings

_PLATFORMS = frozenset({"sitemap", "feed"})
_NOT_NAMED, _AS_BEFORE, _DATED, FLAGGED = range(4)
_FIRST_FACTORS = (1.0, 1.0, 3.0, 3.0)
_NEW_LISTS = 3
"""Lists that were not read in a later round before, and that come first in this round, at most."""
_NEW_LISTS_SHARE = 0.01
"""This limit as a share of the pages, if it is more: large sites have sitemaps in many parts."""
_STALE_FACTOR = 0.1
"""Factor of the value of a part of a sitemap whose date in the index has not changed."""
_DAY = 86_400.0
_MAX_DATE_LENGTH = 60
_MAX_PARKED = 100_000
_ISO = re.compile(
    r"(?P<year>[12]\d{3})-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>0[1-9]|[12]\d|3[01]))?"
    r"(?:[T ](?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d{1,9})?)?"
    r"(?:Z|(?P<sign>[+-])(?P<ahead>\d\d):?(?P<minutes>\d\d)?)?)?",
    re.ASCII,
)
_PARTS = ("year", "month", "day", "hour", "minute", "second")
_LIST_NAME = re.compile(
    r"/(?:[\w-]*sitemap[\w-]*\.xml|(?:[\w.-]+[._-])?(?:rss|atom|feeds?)(?:\.xml|\.rdf|/)?)\Z",
    re.IGNORECASE,
)


def is_list(link: Link) -> bool:
    """Whether a link leads to a sitemap or a feed."""
    return link.is_endpoint and link.tag_path.split(" ", 2)[1] in _PLATFORMS


class KnownPages(Protocol):
    """The known pages, as far as lists need them."""

    last: NDArray[np.float64]

    def __len__(self) -> int: ...

    def place(self, url: str) -> int | None: ...


@dataclass(slots=True)
class _List:
    link: Link
    read: float = 0.0
    """Readings in later rounds; older ones count less."""
    found: float = 0.0
    """New files of pages that it flagged or was the first to name."""
    date: float = 0.0
    """Its date in the index that names it, when that was last read."""
    stale: bool = False
    """Whether its date in the index has not changed."""
    open: bool = True
    """Whether it may be read in this round."""
    was_read: bool = False
    """Whether it was read in a later round: then pages that it names for the first time are new."""


class ListSignals:
    """Decides which lists to read, and learns how often the pages that they flag have new files."""

    def __init__(self, pages: KnownPages, settings: RefreshSettings) -> None:
        self._pages = pages
        self._fade = settings.fade
        self._factors = ClassFactors(len(_FIRST_FACTORS), settings.class_weight, _FIRST_FACTORS)
        self._lists: dict[str, _List] = {}
        self._dates = np.zeros(16)
        """By page, its date in a list; 0 for pages without one."""
        self._classes = np.zeros(16, np.int8)
        """By page, what lists say: `_NOT_NAMED`, `_AS_BEFORE`, `_DATED` or `FLAGGED`."""
        self._by = np.zeros(16, np.int32)
        """By page, the number of the list that flagged it."""
        self._parked: dict[str, Link] = {}
        """By URL, links of lists whose pages may be old ones; they wait until nothing is left."""
        self._before = 0.0
        """When the last page was visited before this round."""
        self._tried = 0
        """Lists read in this round that were not read in a later round before."""
        self._scale = 0.0
        """The value of the best page at the beginning of the round."""

    def __contains__(self, url: str) -> bool:
        return url in self._lists

    def add(self, link: Link) -> None:
        """Add a list, if it is not known."""
        self._lists.setdefault(link.url, _List(link))

    def suggest(self, seed: str, files: Iterable[str]) -> None:
        """Add lists that may exist: files named like feeds, and the usual URL of a sitemap."""
        guesses = [url for url in files if _LIST_NAME.search(url.partition("?")[0])]
        if not any("sitemap" in link.link.tag_path for link in self._lists.values()):
            origin = "/".join(seed.split("/", 3)[:3])
            guesses.append(f"{origin}/sitemap.xml")
        for url in guesses:
            kind = "sitemap guess" if "sitemap" in url.rpartition("/")[2] else "feed guess"
            self.add(Link(url, f"{ENDPOINT}{kind}", number=-1))

    def park(self, link: Link) -> bool:
        """Let a link that a list names wait until it is known to be new; False if it can't."""
        if link.found_on not in self._lists or len(self._parked) >= _MAX_PARKED:
            return False
        self._parked[link.url] = link
        return True

    def release(self, urls: Iterable[str]) -> list[Link]:
        """Remove these links from those that wait, and return them."""
        return [self._parked.pop(url) for url in urls if url in self._parked]

    def release_all(self) -> list[Link]:
        """Remove and return all links that wait."""
        found, self._parked = list(self._parked.values()), {}
        return found

    @property
    def waiting(self) -> int:
        """The number of links that wait."""
        return len(self._parked)

    def begin_round(self) -> None:
        """Begin a round: each list may be read once more, and earlier observations count less."""
        self._before = float(self._pages.last[: len(self._pages)].max(initial=0.0))
        self._factors.fade(self._fade)
        self._tried, self._scale = 0, 0.0
        for one in self._lists.values():
            one.read *= self._fade
            one.found *= self._fade
            one.open = True

    def best(self, scale: float) -> tuple[Link | None, float]:
        """Return the list to read next and its value; `scale` is the value of the best page."""
        self._scale = self._scale or scale
        max_new = max(_NEW_LISTS, int(_NEW_LISTS_SHARE * len(self._pages)))
        best, best_value = None, -1.0
        for one in self._lists.values():
            if one.open and (value := self._value(one, max_new)) > best_value:
                best, best_value = one.link, value
        return best, best_value

    def take(self, link: Link) -> None:
        """Note that a list is read now, so that it is not read again in this round."""
        one = self._lists[link.url]
        self._tried += not one.read
        one.open = False
        one.read += 1.0

    def learn(
        self, url: str, listing: Listing | None, dates: Mapping[str, str], links: Sequence[Link]
    ) -> list[Link]:
        """Learn from a list that was read; returns those of its new links that lead to new pages.

        `listing` is None if the URL led to no list.
        """
        one = self._lists.get(url)
        if one is None:
            return []
        if listing is None and not one.found:
            # A guess that was wrong is not made again.
            one.read += 1e6
        number = list(self._lists).index(url)
        self._make_room()
        for named, text in dates.items():
            date = read_date(text)
            if (part := self._lists.get(named)) is not None:
                part.stale = part.date == date
                part.date = date
            elif (place := self._find_page(named)) is not None:
                self._note(place, date, number)
        was_read, one.was_read = one.was_read, True
        is_feed = listing is not None and listing.platform == "feed"
        return self.release(
            link.url for link in links if self._is_new(link.url, dates, undated=was_read or is_feed)
        )

    def factors(self) -> NDArray[np.float64]:
        """By page, the factor of its rate, from what lists say about it."""
        self._make_room()
        found: NDArray[np.float64] = self._factors.factors()[self._classes[: len(self._pages)]]
        return found

    def factor(self, place: int) -> float:
        """The factor of one page."""
        self._make_room()
        return float(self._factors.factors()[self._classes[place]])

    def observe(self, place: int, events: float, expected: float) -> None:
        """Learn from a page that was read again; without lists, `expected` events were expected."""
        self._make_room()
        self._factors.learn(int(self._classes[place]), events, expected)
        if self._classes[place] >= _DATED:
            self._credit(int(self._by[place]), events)
            self._classes[place] = _AS_BEFORE

    def credit(self, url: str, events: float) -> None:
        """Learn that a page which this list was the first to name has new files."""
        if (one := self._lists.get(url)) is not None:
            one.found += events

    def snapshot(self) -> dict[str, Any]:
        self._make_room()
        named = np.flatnonzero(self._classes[: len(self._pages)])
        return {
            "lists": [
                [
                    astuple(one.link),
                    one.read,
                    one.found,
                    one.date,
                    one.stale,
                    one.open,
                    one.was_read,
                ]
                for one in self._lists.values()
            ],
            "factors": self._factors.snapshot(),
            "pages": named.tolist(),
            "dates": self._dates[named].tolist(),
            "classes": self._classes[named].tolist(),
            "by": self._by[named].tolist(),
            "parked": [astuple(link) for link in self._parked.values()],
            "round": [self._tried, self._scale, self._before],
        }

    def restore(self, state: dict[str, Any]) -> None:
        rows = [_List(Link(*link), *rest) for link, *rest in state["lists"]]
        self._lists = {one.link.url: one for one in rows}
        self._factors.restore(state["factors"])
        self._tried, self._scale, self._before = state["round"]
        parked = [Link(*row) for row in state["parked"]]
        self._parked = {link.url: link for link in parked}
        self._make_room()
        named = np.array(state["pages"], np.intp)
        self._dates[named] = state["dates"]
        self._classes[named] = state["classes"]
        self._by[named] = state["by"]

    def _value(self, one: _List, max_new: int) -> float:
        if not one.read and self._tried < max_new:
            return 1e9
        value = (one.found + self._scale) / (one.read + 1.0)
        return value * (_STALE_FACTOR if one.stale else 1.0)

    def _is_new(self, url: str, dates: Mapping[str, str], *, undated: bool) -> bool:
        """Whether a page that a list names is new; `undated` decides for a page without a date."""
        if self._find_page(url) is not None:
            return False
        return read_date(dates[url]) > self._before if url in dates else undated

    def _find_page(self, url: str) -> int | None:
        """The place of a page; sitemaps of sites that use https often have URLs with http."""
        place = self._pages.place(url)
        scheme, _, rest = url.partition("://")
        other = "http" if scheme == "https" else "https"
        return place if place is not None else self._pages.place(f"{other}://{rest}")

    def _note(self, place: int, date: float, number: int) -> None:
        before = self._dates[place]
        has_changed = before != date if before else date > self._pages.last[place]
        self._dates[place] = date
        if has_changed:
            self._classes[place], self._by[place] = FLAGGED if before else _DATED, number
        elif self._classes[place] == _NOT_NAMED:
            self._classes[place] = _AS_BEFORE

    def _credit(self, number: int, events: float) -> None:
        for place, one in enumerate(self._lists.values()):
            if place == number:
                one.found += events

    def _make_room(self) -> None:
        more = len(self._pages) - len(self._dates)
        if more > 0:
            more = max(more, len(self._dates))
            self._dates = np.concatenate([self._dates, np.zeros(more)])
            self._classes = np.concatenate([self._classes, np.zeros(more, np.int8)])
            self._by = np.concatenate([self._by, np.zeros(more, np.int32)])


def read_date(text: str) -> float:
    """A date in seconds since 1970; for any other text, a negative number made from it.

    A date without a time is the end of the day.

    >>> read_date("1970-01-02T00:00:00Z"), read_date("1970-01-01")
    (86400.0, 86400.0)
    """
    text = text.strip()[:_MAX_DATE_LENGTH]
    if (found := _ISO.match(text)) is not None:
        seconds = timegm(tuple(int(found[name] or (name == "day")) for name in _PARTS))
        if not found["hour"]:
            return seconds + _DAY
        sign = -1 if found["sign"] == "-" else 1
        return float(
            seconds - sign * (3600 * int(found["ahead"] or 0) + 60 * int(found["minutes"] or 0))
        )
    try:
        parsed = parsedate_tz(text)
        if parsed is not None:
            return float(timegm(parsed[:6]) - (parsed[9] or 0))
    except (ValueError, OverflowError):
        pass
    # It is only compared with the text in the next round.
    return -1.0 - crc32(text.encode(errors="replace"))
