"""How many new files are expected on each known page, and on new pages before their first visit.

A known page has a rate of new files per round and size. Its size is (files + 1)^b: a page with many
files gets more new ones. New pages get more or fewer new files than old pages of their directory,
so rates are multiplied by a factor that is learned per class of age. Files that were published
longer ago count less: for a page that was last read t rounds ago, τ · (1 - e^(-t/τ)) rounds count
instead of t.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from datahound.refresh.history import PageHistory
from datahound.refresh.lists import ListSignals
from datahound.refresh.rates import ClassFactors, DirectoryTree, Floats, LeafRates
from datahound.settings import RefreshSettings

_GROWTH = 0.1
"""New files per round as a share of all files of a site, before anything was observed."""
_GROWTH_WEIGHT = 10.0
"""The number of pages of mean size that this prior counts as."""
_MAX_FIRST_FILES = 3.0
"""New files of a first visit that count, since a few pages have most files."""
_AGES = (0.5, 1.5, 3.5)
"""Ages in rounds that separate the classes of pages; pages of the first round are one class."""


class PageValues(Protocol):
    """Estimates the value of a visit of each known page, and learns from each visit."""

    @property
    def lists(self) -> ListSignals | None:
        """Sitemaps and feeds, if they are used."""
        ...

    @property
    def evidence(self) -> float:
        """The number of new files that the values were learned from; older ones count less."""
        ...

    def begin_round(self, now: float, unit: float) -> None:
        """Begin a round; `unit` is the usual number of seconds between two rounds."""
        ...

    def expect(self, now: float) -> Floats:
        """Return the value of each page of the history."""
        ...

    def observe(self, place: int, now: float, new_files: float, links: int) -> None:
        """Learn from a page that was read again; `links` is a checksum of its links.

        The history gets the visit afterwards.
        """
        ...

    def credit(self, place: int, new_files: float) -> None:
        """Learn that a new page, which was found on this page, had new files."""
        ...

    def snapshot(self) -> dict[str, Any]: ...

    def restore(self, state: dict[str, Any]) -> None: ...


class PageRates:
    """Estimates the new files of pages by their rates."""

    def __init__(
        self, history: PageHistory, settings: RefreshSettings, generator: np.random.Generator
    ) -> None:
        self._history = history
        self._settings = settings
        self._rates = LeafRates(settings.prior_weight, settings.round_weight, generator)
        self._ages = ClassFactors(len(_AGES) + 2, settings.class_weight)
        self.lists: ListSignals | None = ListSignals(history, settings) if settings.lists else None
        self._unit = 1.0
        self._begun = -1.0
        """When the first round ended."""

    @property
    def evidence(self) -> float:
        return self._rates.evidence

    def begin_round(self, now: float, unit: float) -> None:  # noqa: ARG002
        self._rates.add_leaves(self._history.urls)
        self._unit = unit
        if self._begun < 0 and len(self._history):
            # The age of pages of the first round is not known.
            self._begun = float(self._history.last[: len(self._history)].max())
            self._assume_growth()
        self._rates.begin_round(self._settings.fade)
        if self.lists is not None:
            self.lists.begin_round()

    def observe(self, place: int, now: float, new_files: float, links: int) -> None:  # noqa: ARG002
        self._rates.add_leaves(self._history.urls)
        waited = max(now - float(self._history.last[place]), 0.0) / self._unit
        offset = float(self._sizes(place)) * waited
        age = int(self._find_ages(now)[place])
        factor, listed = float(self._ages.factors()[age]), 1.0
        expected = offset * self._rates.mean(place)
        if self.lists is not None:
            listed = self.lists.factor(place)
            self.lists.observe(place, new_files, expected * factor)
        self._ages.learn(age, new_files, expected * listed)
        self._rates.observe(place, new_files, offset * factor * listed)

    def credit(self, place: int, new_files: float) -> None:
        self._rates.add_leaves(self._history.urls)
        self._rates.observe(place, new_files, 0.0)

    def expect(self, now: float) -> Floats:
        self._rates.add_leaves(self._history.urls)
        size, patience = len(self._history), self._settings.patience
        values = self._rates.rates(sampled=self._settings.sampled)
        values *= self._sizes(slice(0, size))
        values *= self._ages.factors()[self._find_ages(now)]
        if self.lists is not None:
            values *= self.lists.factors()
        waited = np.maximum(now - self._history.last[:size], 0.0) / self._unit
        # τ · (1 - e^(-t/τ)), with τ = `patience`.
        values *= patience * -np.expm1(-waited / patience)
        return values

    def snapshot(self) -> dict[str, Any]:
        return {
            "rates": self._rates.snapshot(),
            "ages": self._ages.snapshot(),
            "clock": [self._unit, self._begun],
            "lists": self.lists and self.lists.snapshot(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._rates.restore(state["rates"])
        self._ages.restore(state["ages"])
        self._unit, self._begun = state["clock"]
        if self.lists is not None and state.get("lists"):
            self.lists.restore(state["lists"])

    def _assume_growth(self) -> None:
        size = len(self._history)
        sizes = float(np.mean(self._sizes(slice(0, size))))
        files = float(np.mean(self._history.files[:size]))
        self._rates.assume(_GROWTH_WEIGHT * _GROWTH * files, _GROWTH_WEIGHT * sizes)

    def _sizes(self, places: Any) -> Any:
        return (self._history.files[places] + 1.0) ** self._settings.size_power

    def _find_ages(self, now: float) -> NDArray[np.intp]:
        """Find the class of each page by its age."""
        first = self._history.first[: len(self._history)]
        ages: NDArray[np.intp] = np.searchsorted(_AGES, (now - first) / self._unit) + 1
        ages[first <= self._begun] = 0
        return ages


class FirstVisits:
    """Estimates the new files of new pages, from first visits in their directories.

    With the new files Y_g (at most three per page) of N_g first visits in a directory g,
    k = `first_visit_weight`, and p the directory around g, v_g = (k · v_p + Y_g) / (k + N_g).
    Around the whole site, v is what the strategy of the crawl expects of the page.
    """

    def __init__(self, settings: RefreshSettings) -> None:
        self._weight = settings.first_visit_weight
        self._tree = DirectoryTree()

    def expect(self, url: str, value: float) -> float:
        """Estimate the new files of a new page, of which the strategy expects `value`."""
        tree, weight = self._tree, self._weight
        for node in tree.path(tree.find(url)):
            value = (weight * value + tree.events[node]) / (weight + tree.offsets[node])
        return float(value)

    def begin_round(self, fade: float) -> None:
        """Begin a round: earlier observations count less."""
        self._tree.fade(fade)

    def learn(self, url: str, new_files: float, weight: float = 1.0) -> None:
        """Learn from the first visit of a URL; 0 files if it led to no page."""
        tree = self._tree
        for node in tree.path(tree.find(url)):
            tree.events[node] += weight * min(new_files, _MAX_FIRST_FILES)
            tree.offsets[node] += weight

    def snapshot(self) -> dict[str, Any]:
        return self._tree.snapshot()

    def restore(self, state: dict[str, Any]) -> None:
        self._tree.restore(state)
