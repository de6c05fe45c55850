"""Websites recorded over time: one WARC file with several rounds, read as of any of them.

All records of a round have its date. A URL's answer in a round is its newest record up to then; a
URL that is gone has a record with its error. Round 0 has every URL that can be reached.
"""

import os
from bisect import bisect_right
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, Protocol, Self

from datahound.archive.archive import Recorded, key
from datahound.archive.warc.archive import site_name
from datahound.archive.warc.exchange import read_exchange, read_url
from datahound.archive.warc.scan import open_file, read_record, scan
from datahound.errors import ArchiveError

SUFFIXES = (".lapse.warc.gz", ".lapse.warc")
_SYNTHETIC, _CLOCK = "synthetic:", "days="
_ANSWERS = ("response", "resource")


class _Place(NamedTuple):
    """Where a record lies, and the round that it belongs to."""

    round: int
    offset: int
    length: int


class SiteOverTime(Protocol):
    """A website as it was at several dates: recorded, or made by rule."""

    name: str
    seed: str
    dates: list[float]
    """The date of each round, in seconds since 1970."""

    def __len__(self) -> int: ...

    def version(self, url: str, number: int) -> int | None:
        """A round whose answer for a URL is that of this round; None where it has no answer."""
        ...

    def find(self, url: str, number: int) -> Recorded | None:
        """The answer of a URL in a round."""
        ...

    def close(self) -> None: ...


def is_lapse(spec: str | Path) -> bool:
    """Whether a file is named as a recording over time, or a synthetic website has a clock."""
    name = str(spec)
    return name.endswith(SUFFIXES) or (name.startswith(_SYNTHETIC) and _CLOCK in name)


def open_lapse(spec: str | Path) -> SiteOverTime:
    """The website over time that a user named."""
    if str(spec).startswith(_SYNTHETIC):
        from datahound.archive.synthetic import SyntheticLapse  # noqa: PLC0415 heavy

        return SyntheticLapse(str(spec))
    path = Path(spec).expanduser()
    if not path.is_file():
        raise ArchiveError(f"{path}: no such file")
    return Lapse(path)


class Lapse:
    """A website as it was at several dates, read from one WARC file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        name = site_name(path)
        self.name = name.removesuffix(".lapse")
        self.seed = ""
        self.dates: list[float] = []
        """The date of each round, in seconds since 1970."""
        self._places: dict[str, list[_Place]] = {}
        with open_file(path) as fd:
            self._read_places(fd)
        if not self.dates:
            raise ArchiveError(f"{path}: holds no record of a web page")
        # Kept open: a record is then read with one `pread`, from any thread.
        self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)

    def __len__(self) -> int:
        return len(self.dates)

    def version(self, url: str, number: int) -> int | None:
        """The round that a URL's answer in a round is recorded in; None where it has none yet."""
        place = self._find(url, number)
        return place.round if place else None

    def find(self, url: str, number: int) -> Recorded | None:
        """The newest record of a URL up to a round."""
        place = self._find(url, number)
        if place is None:
            return None
        try:
            head, block = read_record(self._fd, place.offset, place.length)
        except (OSError, ValueError) as error:
            raise ArchiveError(f"{self.path}: can't be read: {error}") from None
        return read_exchange(head, block, url, probed=False)

    def close(self) -> None:
        os.close(self._fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _find(self, url: str, number: int) -> _Place | None:
        places = self._places.get(key(url), [])
        # A URL's places are in the order of the file, so their rounds ascend.
        count = bisect_right(places, number, key=lambda place: place.round)
        return places[count - 1] if count else None

    def _read_places(self, fd: int) -> None:
        dates: dict[str, int] = {}
        for found in scan(fd):
            if found.head.type not in _ANSWERS:
                continue
            date = found.head.fields.get("warc-date", "")
            if date not in dates:
                self._add_date(dates, date)
            url = read_url(found.head)
            # The first record is that of the start page.
            self.seed = self.seed or url
            place = _Place(dates[date], found.offset, found.length)
            self._places.setdefault(url, []).append(place)

    def _add_date(self, dates: dict[str, int], date: str) -> None:
        try:
            seconds = datetime.fromisoformat(date).timestamp()
        except ValueError:
            raise ArchiveError(f"{self.path}: {date!r} is not a date") from None
        # The search by bisection needs the order.
        if self.dates and seconds <= self.dates[-1]:
            raise ArchiveError(f"{self.path}: its rounds are not in the order of their dates")
        dates[date] = len(self.dates)
        self.dates.append(seconds)
