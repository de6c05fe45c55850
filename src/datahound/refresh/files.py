"""Which known files to request again, because their contents may have changed.

Each file has a rate of changes, learned by directory and by file. A file with a past year in its
name seldom changes; one that is called latest or current often does, and so does one without a
year. Data changes more often than documents, and a new file more often than an old one. So rates
are multiplied by a factor per class of names, of types and of ages, which is learned from the site;
its prior is what is usual.
"""

import math
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
_TYPES = {
    **dict.fromkeys("pdf doc docx odt rtf ppt pptx odp epub ps tex".split(), 0),
    **dict.fromkeys("xls xlsx xlsm xlsb ods".split(), 1),
}
_DATA = 2
"""The class of all other types."""
_TYPE_FACTORS = (0.7, 1.5, 3.0)
_MAX_NEW_AGE = 2.5
"""Rounds for which a file counts as new."""
_AGE_FACTORS = (1.5, 1.0)
_ALL = slice(None)
_NO_YEAR, _PAST, _RECENT, _NAMED_CURRENT = range(4)
_CHANGES, _WEIGHT = 0.02, 20.0
"""Changes per file and round before anything was observed, and the checks that this counts as."""


class FileChecks:
    """The known files, and how probable it is that each has changed."""

    def __init__(self, settings: RefreshSettings, generator: np.random.Generator) -> None:
        self._settings = settings
        self._rates = LeafRates(settings.prior_weight, settings.round_weight, generator)
        self._names = ClassFactors(4, settings.class_weight)
        self._types = ClassFactors(3, settings.class_weight, _TYPE_FACTORS)
        self._ages = ClassFactors(2, settings.class_weight, _AGE_FACTORS)
        self._rates.assume(_CHANGES * _WEIGHT, _WEIGHT)
        self.urls: list[str] = []
        self._places: dict[str, int] = {}
        self._leaves: list[str] = []
        # Columns instead of objects: a site may have a million files.
        self._last: array[float] = array("d")
        """When each file was last fetched."""
        self._first: array[float] = array("d")
        """When each file was first fetched."""
        self._types_of: array[int] = array("b")
        """The class of each file's type."""
        self._years: array[int] = array("h")
        """The year in each file's name; 0 for none, -1 for a name such as `latest`."""
        self._unit = 1.0

    def __contains__(self, url: str) -> bool:
        return url in self._places

    def __len__(self) -> int:
        return len(self.urls)

    def add(self, url: str, at: float) -> None:
        """Add a file that was fetched, or note when it was last fetched."""
        place = self._places.get(url)
        if place is not None:
            self._last[place] = at
            return
        self._places[url] = len(self.urls)
        self.urls.append(url)
        # The extension is made a directory, so that files of one type in a directory are a node of
        # the tree of rates.
        directory, _, _ = url.partition("?")[0].rpartition("/")
        extension = extension_of(url)
        self._leaves.append(f"{directory}/{extension}/_")
        self._types_of.append(_TYPES.get(extension.lstrip("."), _DATA))
        self._last.append(at)
        self._first.append(at)
        self._years.append(read_year(url))

    def add_all(self, files: Iterable[tuple[str, float]]) -> None:
        for url, at in files:
            self.add(url, at)

    def retract(self, urls: Iterable[str], now: float, year: int) -> None:
        """Undo the changes of files that were served in full, but have the same bytes as before."""
        self._rates.add_leaves(self._leaves)
        for place in (self._places[url] for url in urls if url in self._places):
            self._rates.observe(place, -1.0, 0.0)
            one = slice(place, place + 1)
            for factors, numbers in self._list_classes(now, year, one):
                factors.learn(int(numbers[0]), -1.0, 0.0)

    def begin_round(self, unit: float) -> None:
        self._rates.add_leaves(self._leaves)
        self._unit = unit
        self._rates.begin_round(self._settings.fade)

    @property
    def evidence(self) -> float:
        """The number of changes that the rates were learned from; older ones count less."""
        return self._rates.evidence

    def expect(self, now: float, year: int) -> Floats:
        """The probability that each file has changed since it was last fetched."""
        self._rates.add_leaves(self._leaves)
        rates = self._rates.rates(sampled=False)
        for factors, classes in self._list_classes(now, year):
            rates *= factors.factors()[classes]
        rates *= np.maximum(now - np.frombuffer(self._last), 0.0) / self._unit
        # P(at least one event) = 1 - e^(-rate) of a Poisson process; expm1 keeps small rates exact.
        found: Floats = -np.expm1(-rates)
        return found

    def learn(self, url: str, now: float, year: int, *, changed: bool) -> None:
        """Learn whether a file that was checked has changed."""
        self._rates.add_leaves(self._leaves)
        place = self._places[url]
        waited = max(now - self._last[place], 0.0) / self._unit
        one = slice(place, place + 1)
        classes = [(of, int(numbers[0])) for of, numbers in self._list_classes(now, year, one)]
        factor = math.prod(float(of.factors()[number]) for of, number in classes)
        expected = waited * self._rates.mean(place) * factor
        for of, number in classes:
            of.learn(number, changed, expected / float(of.factors()[number]))
        self._rates.observe(place, changed, waited * factor)
        self._last[place] = now

    def snapshot(self) -> dict[str, Any]:
        return {
            "urls": list(self.urls),
            "last": array("d", self._last),
            "rates": self._rates.snapshot(),
            "names": self._names.snapshot(),
            "first": array("d", self._first),
            "types": self._types.snapshot(),
            "ages": self._ages.snapshot(),
            "unit": self._unit,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.add_all(zip(state["urls"], state["last"], strict=True))
        self._rates.restore(state["rates"])
        self._names.restore(state["names"])
        if "types" in state:  # A snapshot of an older version has no types.
            self._first = array("d", state["first"])
            self._types.restore(state["types"])
            self._ages.restore(state["ages"])
        self._unit = state["unit"]

    def _list_classes(
        self, now: float, year: int, places: slice = _ALL
    ) -> list[tuple[ClassFactors, NDArray[np.integer[Any]]]]:
        """List the factors of names, types and ages, each with the class of every file."""
        # Copies: an array can't grow while NumPy has a view of it.
        ages = (now - np.array(self._first[places])) / self._unit > _MAX_NEW_AGE
        return [
            (self._names, self._classify_names(np.array(self._years[places], np.int16), year)),
            (self._types, np.array(self._types_of[places], np.intp)),
            (self._ages, ages.astype(np.intp)),
        ]

    def _classify_names(self, years: NDArray[np.int16], year: int) -> NDArray[np.intp]:
        classes = np.where(years >= year - 1, _RECENT, _PAST)
        classes[years == 0] = _NO_YEAR
        classes[years == -1] = _NAMED_CURRENT
        return classes


def read_year(url: str) -> int:
    """The last year in the path of a URL; -1 for a name such as `latest`, 0 without either.

    >>> read_year("https://e.example/2019/b_2021.csv"), read_year("https://e.example/latest.csv")
    (2021, -1)
    """
    path = url.partition("//")[2].partition("?")[0]
    # In the name only: a directory called `current` has files of all years.
    if _CURRENT.search(path.rpartition("/")[2]):
        return -1
    years = _YEAR.findall(path)
    return int(years[-1]) if years else 0
