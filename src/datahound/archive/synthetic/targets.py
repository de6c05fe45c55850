"""The files of a website: sizes, formats and names, each from its number alone."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import formatdate
from math import log, sqrt
from statistics import NormalDist
from typing import NamedTuple

from datahound.archive.synthetic.clock import Revision, SiteClock
from datahound.archive.synthetic.numbers import find_stride, make_salt, mix
from datahound.archive.synthetic.sections import Section
from datahound.archive.synthetic.settings import MIN_BODY, SyntheticSettings
from datahound.archive.synthetic.words import FIRST_YEAR, Words, load_words

_NORMAL = NormalDist()
_YEAR_SECONDS = 31_556_952
_SMALLEST = 400
DAY = 86_400
DAY_ZERO = 1_735_689_600
"""The first second of 2025, which is after all dates that files have without a clock."""
# The other formats need more bytes for their frame alone.
_SMALL_FORMATS = ("csv", "csv", "csv", "json")
# In twentieths: documents and spreadsheets first, as offices publish them.
_FORMATS = ("pdf",) * 6 + ("xlsx",) * 5 + ("csv",) * 4 + ("zip",) * 2 + ("json",) * 2 + ("ods",)
MIME_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "zip": "application/zip",
}


class Target(NamedTuple):
    """A file, without its bytes."""

    number: int
    kind: str
    """The kind of the section that holds it."""
    language: str
    title: str
    slug: str
    year: int
    month: int
    format: str
    size: int
    hidden: bool
    """Its URL does not show what it is."""
    moved: bool
    """Pages link to it by a URL that is redirected."""
    chance: int
    revision: Revision = Revision()

    @property
    def modified(self) -> str:
        """When it was last modified, as a server says it."""
        return formatdate(self.modified_seconds, usegmt=True)

    @property
    def modified_seconds(self) -> int:
        if self.revision.day:
            return DAY_ZERO + DAY * self.revision.day
        start = (self.year - 1970) * _YEAR_SECONDS
        return start + (self.month - 1) * 2_629_746 + self.chance % 2_500_000


@dataclass(frozen=True, slots=True)
class Targets:
    """All files by number."""

    settings: SyntheticSettings
    sections: Sequence[Section]
    firsts: tuple[int, ...]
    sizes: "Sizes"
    salt: int
    clock: SiteClock

    def __len__(self) -> int:
        return self.settings.targets

    def __getitem__(self, number: int) -> Target:
        if not 0 <= number < self.settings.targets:
            raise IndexError(number)
        section = self.sections[bisect_right(self.firsts, number) - 1]
        chance = mix(self.salt, number)
        words: Words = load_words(section.language)
        theme = section.theme if section.kind == "theme" else (chance >> 40) % len(words.themes)
        title = words.title(theme, chance)
        size = self.sizes.of(number)
        formats = _FORMATS if size >= MIN_BODY else _SMALL_FORMATS
        return Target(
            number,
            section.kind,
            section.language,
            title.text,
            title.slug,
            min(title.year + 1, FIRST_YEAR + 26),
            1 + (chance >> 24) % 12,
            formats[(chance >> 32) % len(formats)],
            size,
            (chance >> 44) % 1000 < self.settings.extensionless * 1000,
            (chance >> 54) % 50 == 0 and self.settings.redirects > 0,
            chance,
            self.clock.find_revision(number),
        )


def make_targets(settings: SyntheticSettings, sections: Sequence[Section]) -> Targets:
    """The files of these sections, as of the day of the settings."""
    firsts = tuple(section.cells[0].first_file for section in sections)
    salt = make_salt(settings.seed, settings.name, "targets")
    clock = SiteClock(
        settings.days, make_salt(settings.seed, settings.name, "clock"), sections, firsts
    )
    return Targets(settings, sections, firsts, make_sizes(settings), salt, clock)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Log-normal sizes with exactly the mean asked for, however few they are.

    Each file represents a slice of the distribution and has the mean of the slice.
    """

    number: int
    mean: float
    sigma: float
    stride: int
    offset: int

    def of(self, number: int) -> int:
        rank = (number * self.stride + self.offset) % self.number
        share = self._below(rank + 1) - self._below(rank)
        return max(_SMALLEST, round(self.mean * self.number * share))

    def _below(self, rank: int) -> float:
        """The share of all bytes that the smallest `rank` files hold."""
        if rank <= 0 or rank >= self.number:
            return float(rank > 0)
        # The Lorenz curve of a log-normal distribution: Φ(Φ⁻¹(p) - σ).
        return _NORMAL.cdf(_NORMAL.inv_cdf(rank / self.number) - self.sigma)


def make_sizes(settings: SyntheticSettings) -> Sizes:
    """The sizes that the settings ask for."""
    number = max(1, settings.targets)
    salt = make_salt(settings.seed, settings.name, "sizes")
    spread = settings.size_std_mb / settings.size_mb
    # Of a log-normal distribution, std / mean = √(e^σ² - 1).
    sigma = sqrt(log(1 + spread**2))
    return Sizes(number, settings.size_mb * 1e6, sigma, find_stride(number, salt), salt % number)
