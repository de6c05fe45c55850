"""Which files to check for new contents: rates by directory, by file and by what the name says.

A file whose name has a past year seldom changes; one that is called latest or current does, and so
does one without a year. How much is learned from the site, a factor per class of names.
"""

import re
from array import array
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datahound.refresh.rates import ClassFactors, Floats, LeafRates
from datahound.settings import RefreshSettings
from datahound.web.urls import extension_of

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_CURRENT = re.compile(r"latest|current|actual|aktuell|ultim|dernier|today", re.IGNORECASE)
_NO_YEAR, _PAST, _RECENT, _NAMED_CURRENT = range(4)
_CHANGES, _WEIGHT = 0.02, 20.0
"""Changes per round of a file before anything was observed, and the checks that this counts for."""


class FileChecks:
    """The files that are known, and how probable it is that each has changed."""

    def __init__(self, settings: RefreshSettings, generator: np.random.Generator) -> None:
        self._settings = settings
        self._rates = LeafRates(settings.prior_weight, settings.round_weight, generator)
        self._names = ClassFactors(4, settings.class_weight)
        self._rates.assume(_CHANGES * _WEIGHT, _WEIGHT)
        self.urls: list[str] = []
        self._places: dict[str, int] = {}
        self._leaves: list[str] = []
        # Columns and not objects: a site may have a million files.
        self._last: array[float] = array("d")
        self._years: array[int] = array("h")
        """The year that a name has; 0 for none, -1 for one that says current."""
        self._unit = 1.0

    def __contains__(self, url: str) -> bool:
        return url in self._places

    def __len__(self) -> int:
        return len(self.urls)

    def add(self, url: str, at: float) -> None:
        """A file was fetched, or checked before this round."""
        place = self._places.get(url)
        if place is not None:
            self._last[place] = at
            return
        self._places[url] = len(self.urls)
        self.urls.append(url)
        # Files of one type in a directory are a group.
        directory, _, _ = url.partition("?")[0].rpartition("/")
        # The extension is made a directory, so that the tree of rates has a node for it.
        self._leaves.append(f"{directory}/{extension_of(url)}/_")
        self._last.append(at)
        self._years.append(read_year(url))

    def add_all(self, files: Iterable[tuple[str, float]]) -> None:
        for url, at in files:
            self.add(url, at)

    def begin_round(self, unit: float) -> None:
        self._rates.add_leaves(self._leaves)
        self._unit = unit
        self._rates.begin_round(self._settings.fade)

    def expect(self, now: float, year: int) -> Floats:
        """The probability that each file has changed since it was last fetched."""
        self._rates.add_leaves(self._leaves)
        rates = self._rates.rates(sampled=False)
        rates *= self._names.factors()[self._classes(year)]
        rates *= np.maximum(now - np.frombuffer(self._last), 0.0) / self._unit
        # P(at least one event) = 1 - e^(-rate) of a Poisson process; expm1 keeps small rates exact.
        found: Floats = -np.expm1(-rates)
        return found

    def learn(self, url: str, now: float, year: int, *, changed: bool) -> None:
        """A file was checked."""
        self._rates.add_leaves(self._leaves)
        place = self._places[url]
        waited = max(now - self._last[place], 0.0) / self._unit
        number = int(self._classes(year)[place])
        factor = float(self._names.factors()[number])
        self._names.learn(number, changed, waited * self._rates.mean(place))
        self._rates.observe(place, changed, waited * factor)
        self._last[place] = now

    def snapshot(self) -> dict[str, Any]:
        return {
            "urls": list(self.urls),
            "last": array("d", self._last),
            "rates": self._rates.snapshot(),
            "names": self._names.snapshot(),
            "unit": self._unit,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.add_all(zip(state["urls"], state["last"], strict=True))
        self._rates.restore(state["rates"])
        self._names.restore(state["names"])
        self._unit = state["unit"]

    def _classes(self, year: int) -> NDArray[np.intp]:
        years = np.frombuffer(self._years, np.int16)
        # Last year's figures are revised far into the next one.
        classes = np.where(years >= year - 1, _RECENT, _PAST)
        classes[years == 0] = _NO_YEAR
        classes[years == -1] = _NAMED_CURRENT
        return classes


def read_year(url: str) -> int:
    """The last year in the path of a URL; -1 where its name says current, 0 without either.

    >>> read_year("https://e.example/2019/b_2021.csv"), read_year("https://e.example/latest.csv")
    (2021, -1)
    """
    path = url.partition("//")[2].partition("?")[0]
    # In the name only: a directory called `current` has files of all years.
    if _CURRENT.search(path.rpartition("/")[2]):
        return -1
    years = _YEAR.findall(path)
    return int(years[-1]) if years else 0
