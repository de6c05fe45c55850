"""The days of a website's life: which releases are out, which files were revised, what has moved.

Day 0 has most of the website. Of ten lists, two are busy and three grow a little: their other
articles come out within the year after day 0, each on its day, with their files. Some articles move
to another address in that year; the old one is redirected. Of twenty pages with files, one has
files that are revised every week, and two have files that are revised every 13 weeks.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from datahound.archive.synthetic.numbers import mix
from datahound.archive.synthetic.sections import Section

WEEK, QUARTER, YEAR = 7, 91, 365
_LISTS, _BUSY, _SLOW = 10, 2, 5
_LATE_IF_BUSY, _LATE_IF_SLOW = 70, 20
"""Hundredths of the articles of a list that come out after day 0."""
_PAGES, _WEEKLY, _QUARTERLY = 20, 1, 3
_ONE_MOVES_OF = 50


class Revision(NamedTuple):
    """How often a file was revised, and the day on which it got the bytes that it has."""

    number: int = 0
    day: int = 0
    """0 where that was before the clock began."""


_NONE = Revision()


class SiteClock:
    """What a website has on a day; without a day, everything, and nothing was ever revised."""

    def __init__(
        self, day: int | None, salt: int, sections: Sequence[Section], firsts: Sequence[int]
    ) -> None:
        self.day = day
        self._salt = salt
        self._sections = sections
        self._firsts = firsts
        """By section, the number of its first file."""

    def is_out(self, section: Section, number: int) -> bool:
        """Whether an article can be read."""
        return self.day is None or self._find_release(section, number) <= self.day

    def has_file(self, number: int) -> bool:
        """Whether a file is served."""
        return self.day is None or self.is_out(*self._find_holder(number))

    def rename(self, section: Section, number: int, slug: str) -> str:
        """The slug of an article, which is another one once it has moved."""
        chance = self._chance(section, number, 2)
        if self.day is None or section.kind == "root" or chance % _ONE_MOVES_OF:
            return slug
        moves = 1 + (chance >> 32) % YEAR
        return f"new-{slug}" if self.day >= moves else slug

    def find_revision(self, number: int) -> Revision:
        """The revision of a file; those on one page are revised together."""
        if self.day is None:
            return _NONE
        section, article = self._find_holder(number)
        chance = self._chance(section, article, 3)
        released = self._find_release(section, article)
        if chance % _PAGES >= _QUARTERLY:
            return Revision(0, released)
        period = WEEK if chance % _PAGES < _WEEKLY else QUARTER
        phase = (chance >> 32) % period
        count = (self.day + phase) // period - (released + phase) // period
        if count <= 0:
            return Revision(0, released)
        return Revision(count, (self.day + phase) // period * period - phase)

    def _find_release(self, section: Section, number: int) -> int:
        """The day on which an article comes out; 0 for those that are there from the beginning."""
        if section.kind == "root":
            return 0
        step, column = section.article_parent(number)
        busy = mix(self._salt ^ section.salt, (step << 32) + column) % _LISTS
        late = _LATE_IF_BUSY if busy < _BUSY else _LATE_IF_SLOW if busy < _SLOW else 0
        chance = self._chance(section, number, 1)
        return 1 + (chance >> 32) % YEAR if chance % 100 < late else 0

    def _find_holder(self, number: int) -> tuple[Section, int]:
        section = self._sections[bisect_right(self._firsts, number) - 1]
        return section, section.holder_of(number)

    def _chance(self, section: Section, number: int, what: int) -> int:
        return mix(self._salt + what, section.first_article + number)
