"""Policies that a refresh is compared with: each values the pages of earlier rounds in its way.

All of them follow new links first, as any crawler does: what they say of old pages is below what
is expected of new ones.
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
    """A policy that learns nothing."""

    lists = None
    evidence = 1.0

    def __init__(self, history: PageHistory, generator: np.random.Generator) -> None:
        self._history = history
        self._generator = generator
        self._luck = np.zeros(0)

    def begin_round(self, now: float, unit: float) -> None:  # noqa: ARG002
        self._luck = self._generator.random(len(self._history))

    def expect(self, now: float) -> Floats:  # noqa: ARG002
        luck = np.zeros(len(self._history))
        luck[: len(self._luck)] = self._luck
        # Below 1, so that chance decides among pages of one rank only.
        return _AFTER_NEW * (self._rank() + luck)

    def observe(self, place: int, now: float, new_files: float, links: int) -> None: ...

    def credit(self, place: int, new_files: float) -> None: ...

    def snapshot(self) -> dict[str, Any]:
        return {}

    def restore(self, state: dict[str, Any]) -> None: ...

    def _rank(self) -> Floats:
        return np.zeros(len(self._history))


class MostFiles(_Fixed):
    """The pages that link to most files first."""

    def _rank(self) -> Floats:
        files: Floats = self._history.files[: len(self._history)]
        return files


class AdaptiveIntervals(_Fixed):
    """Nutch's adaptive schedule: the interval of a page shrinks where its links have changed."""

    def __init__(self, history: PageHistory, generator: np.random.Generator) -> None:
        super().__init__(history, generator)
        self._intervals: dict[int, float] = {}
        self._links: dict[int, int] = {}
        self._unit = 1.0

    def begin_round(self, now: float, unit: float) -> None:
        super().begin_round(now, unit)
        self._unit = unit

    def expect(self, now: float) -> Floats:
        """Those that are due for longest first."""
        size = len(self._history)
        intervals = np.array([self._intervals.get(i, _FIRST_INTERVAL) for i in range(size)])
        waited = (now - self._history.last[:size]) / self._unit
        luck = np.zeros(size)
        luck[: len(self._luck)] = self._luck
        # A little luck for pages that are due for equally long.
        due: Floats = np.maximum(waited / intervals, 0.0) + 1e-6 * luck
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
    "uniform": lambda history, _, generator: _Fixed(history, generator),
    "most files first": lambda history, _, generator: MostFiles(history, generator),
    "adaptive schedule": lambda history, _, generator: AdaptiveIntervals(history, generator),
}
"""Policies by their names; beside them stand a full recrawl and the cover with hindsight."""
