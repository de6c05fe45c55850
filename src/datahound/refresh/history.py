"""The history of the pages of a site in all rounds, and their links in this round.

The history is kept in columns, since a site may have a million pages.
"""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from datahound.crawl.strategy import Visit

Floats = NDArray[np.float64]
# A single failure may be an outage of the site.
_MAX_MISSES = 2
"""A page counts as gone after this many visits in a row that found no page."""
_COLUMNS = ("first", "last", "files", "found", "misses", "depth", "number")


@dataclass(frozen=True, slots=True)
class PageVisit:
    """One visit of a page, in any round."""

    url: str
    at: float
    """In seconds since 1970."""
    files: int
    """Files that it links to, or that were found through it."""
    new_files: int
    depth: int = 0
    number: int = 0
    found_on: str = ""


class PageHistory:
    """The pages that were read, in the order of their first visits."""

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.parents: array[int] = array("q")
        """The place of the page that each was found on; -1 if that was not read."""
        self._places: dict[str, int] = {}
        self._size = 0
        self.first, self.last, self.files, self.found = np.zeros((4, 16))
        """Times of the first and last visit; files at the last visit; new files since the first."""
        self.misses, self.depth, self.number = np.zeros((3, 16))
        """Visits in a row that found no page; depth and number of the link."""

    def __len__(self) -> int:
        return len(self.urls)

    def __contains__(self, url: str) -> bool:
        return url in self._places

    def place(self, url: str) -> int | None:
        """The place of a page in all columns; None if it is not known."""
        return self._places.get(url)

    def add(self, visit: PageVisit) -> int:
        """Add a visit that found a page; returns the place of the page."""
        place = self._places.get(visit.url)
        if place is None:
            return self._add_page(visit)
        self.last[place] = visit.at
        self.files[place] = max(visit.files, visit.new_files)
        self.found[place] += visit.new_files
        self.misses[place] = 0
        return place

    def add_all(self, visits: Iterable[PageVisit]) -> None:
        """Add visits, the oldest first."""
        for visit in visits:
            self.add(visit)

    def miss(self, place: int, at: float) -> None:
        """Note a visit that found no page any more."""
        self.last[place] = at
        self.misses[place] += 1

    def has_lost_all(self, place: int, seen: PageVisit, links: Iterable[str]) -> bool:
        """Whether a page has no links left to files, and the start page none to its next pages."""
        if seen.files or seen.new_files:
            return False
        had_files = bool(self.files[place])
        if place:
            return had_files
        places = [one for one in map(self._places.get, links) if one is not None]
        has_pages = bool((self.depth[places] == 1).any())
        return not has_pages and (had_files or bool((self.depth[: len(self)] == 1).any()))

    def list_gone(self, urls: Iterable[str] | None = None) -> list[int]:
        """List the places of pages that count as gone: of all, or of these URLs."""
        if urls is None:
            return np.flatnonzero(self.misses[: len(self)] >= _MAX_MISSES).tolist()
        found = (self._places.get(url) for url in urls)
        return [one for one in found if one is not None and self.misses[one] >= _MAX_MISSES]

    def snapshot(self) -> dict[str, Any]:
        size = len(self)
        columns = {name: array("d", getattr(self, name)[:size].tolist()) for name in _COLUMNS}
        return {"urls": list(self.urls), "parents": array("q", self.parents), **columns}

    def restore(self, state: dict[str, Any]) -> None:
        self.urls = list(state["urls"])
        self.parents = array("q", state["parents"])
        self._places = {url: place for place, url in enumerate(self.urls)}
        for name in _COLUMNS:
            setattr(self, name, np.array(state[name], dtype=np.float64))

    def _add_page(self, visit: PageVisit) -> int:
        place = self._places[visit.url] = len(self.urls)
        self.urls.append(visit.url)
        self.parents.append(self._places.get(visit.found_on, -1))
        self._make_room(place)
        self.first[place] = self.last[place] = visit.at
        self.files[place] = max(visit.files, visit.new_files)
        self.depth[place], self.number[place] = visit.depth, visit.number
        return place

    def _make_room(self, place: int) -> None:
        if place < len(self.first):
            return
        for name in _COLUMNS:
            column = getattr(self, name)
            setattr(self, name, np.concatenate([column, np.zeros(max(16, len(column)))]))


class LinkGraph:
    """The links of the pages that were read in this round."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._links: dict[int, array[int]] = {}

    def note_page(self, url: str, links: Iterable[str]) -> None:
        """Add a page that was read, with its links."""
        # Numbers instead of URLs: a graph has millions of links.
        numbers = {self._number(link) for link in links}
        self._links[self._number(url)] = array("I", sorted(numbers))

    def has_dropped(self, page: str, url: str) -> bool:
        """Whether a page was read in this round and has no link to this URL."""
        links = self._links.get(self._numbers.get(page, -1))
        return links is not None and self._numbers.get(url) not in links

    def _number(self, url: str) -> int:
        return self._numbers.setdefault(url, len(self._numbers))


def hash_links(visit: Visit) -> int:
    """A checksum of the links of a page."""
    return crc32("\n".join(link.url for link in visit.links).encode(errors="replace"))
