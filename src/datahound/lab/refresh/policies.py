"""Policies that a refresh is compared with: each ranks the pages of earlier rounds in its own way.

All of them follow new links first, as any crawler does: the values of known pages are below those
of new ones.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from datahound.refresh.history import PageHistory
from datahound.refresh.pages import PageRates, PageValues
from datahound.refresh.rates import Floats
from datahound.settings import RefreshSettings

_SLOWER, _FASTER = 0.4, 0.2
"""By how much an interval grows where nothing has changed, and shrinks where something has."""
_FIRST_INTERVAL, _LONGEST = 1.0, 12.0
"""Rounds."""
_AFTER_NEW = 1e-9


class _Fixed:
    """A policy that learns nothing; chance decides among pages of equal rank."""

    lists = None
    evidence = 1.0

    def __init__(
        self,
        history: PageHistory,
        generator: np.random.Generator,
        rank: Callable[[PageHistory], Floats],
    ) -> None:
        self._history = history
        self._generator = generator
        self._rank = rank
        self._noise = np.zeros(0)

    def begin_round(self, now: float, unit: float) -> None:  # noqa: ARG002
        self._noise = self._generator.random(len(self._history))

    def expect(self, now: float) -> Floats:  # noqa: ARG002
        # Noise is below 1, the distance between two ranks.
        return _AFTER_NEW * (self._rank(self._history) + self.read_noise())

    def read_noise(self) -> Floats:
        """The random numbers of this round; 0 for pages found during it."""
        noise = np.zeros(len(self._history))
        noise[: len(self._noise)] = self._noise
        return noise

    def observe(self, place: int, now: float, new_files: float, links: int) -> None: ...

    def credit(self, place: int, new_files: float) -> None: ...

    def snapshot(self) -> dict[str, Any]:
        return {}

    def restore(self, state: dict[str, Any]) -> None: ...


def _rank_equal(history: PageHistory) -> Floats:
    return np.zeros(len(history))


def _count_files(history: PageHistory) -> Floats:
    files: Floats = history.files[: len(history)]
    return files


class AdaptiveIntervals(_Fixed):
    """Nutch's adaptive schedule: the interval of a page shrinks where its links have changed."""

    def __init__(self, history: PageHistory, generator: np.random.Generator) -> None:
        super().__init__(history, generator, _rank_equal)
        self._intervals: dict[int, float] = {}
        self._links: dict[int, int] = {}
        self._unit = 1.0

    def begin_round(self, now: float, unit: float) -> None:
        super().begin_round(now, unit)
        self._unit = unit

    def expect(self, now: float) -> Floats:
        """The pages that are due for longest first."""
        size = len(self._history)
        intervals = np.array([self._intervals.get(i, _FIRST_INTERVAL) for i in range(size)])
        waited = (now - self._history.last[:size]) / self._unit
        # A little noise decides among pages that are due for equally long.
        due: Floats = np.maximum(waited / intervals, 0.0) + 1e-6 * self.read_noise()
        return _AFTER_NEW * due

    def observe(self, place: int, now: float, new_files: float, links: int) -> None:  # noqa: ARG002
        interval = self._intervals.get(place, _FIRST_INTERVAL)
        same = self._links.get(place) == links
        interval *= 1 + _SLOWER if same else 1 - _FASTER
        # Never 0, by which `expect` divides.
        self._intervals[place] = min(max(interval, 1e-3), _LONGEST)
        self._links[place] = links


Maker = Callable[[PageHistory, RefreshSettings, np.random.Generator], PageValues]

HOUND, FULL, COVER = "hound", "full recrawl", "cover with hindsight"
POLICIES: dict[str, Maker] = {
    HOUND: PageRates,
    "hound without sitemaps": lambda history, settings, generator: PageRates(
        history, replace(settings, lists=False), generator
    ),
    "uniform": lambda history, _, generator: _Fixed(history, generator, _rank_equal),
    "most files first": lambda history, _, generator: _Fixed(history, generator, _count_files),
    "adaptive schedule": lambda history, _, generator: AdaptiveIntervals(history, generator),
}
"""Policies by their names; they are compared with a full recrawl and the cover with hindsight."""
