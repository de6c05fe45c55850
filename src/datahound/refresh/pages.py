"""How many new files each page is expected to have by now, and new pages that nobody has read.

The size of a page is (files + 1)^b: one that links to many files gains more. Pages that appeared
lately gain more or less than others of their directory: a factor per class of age is learned.
Files that were published longer ago count less: of a page last read t rounds ago, new files worth
τ · (1 - e^(-t/τ)) are expected where t would be expected otherwise.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from datahound.refresh.history import PageHistory
from datahound.refresh.lists import ListSignals
from datahound.refresh.rates import ClassFactors, DirectoryTree, Floats, LeafRates
from datahound.settings import RefreshSettings

_GROWTH = 0.1
"""Share of the files of a site that is new after a round, before anything was observed."""
_GROWTH_WEIGHT = 10.0
"""Pages of mean size that this counts for."""
_MOST_AT_FIRST = 3.0
_AGES = (0.5, 1.5, 3.5)
"""Bounds of the classes of pages by age, in rounds; those of the first round are one class."""


class PageValues(Protocol):
    """Estimates what a visit of each known page is worth, and learns what it brought."""

    @property
    def lists(self) -> ListSignals | None:
        """Sitemaps and feeds, where they are used."""
        ...

    @property
    def evidence(self) -> float:
        """The new files that the values are learned from; older ones count less."""
        ...

    def begin_round(self, now: float, unit: float) -> None:
        """A round begins; `unit` is the usual number of seconds between two."""
        ...

    def expect(self, now: float) -> Floats:
        """The value of each page of the history."""
        ...

    def observe(self, place: int, now: float, new_files: float, links: int) -> None:
        """A page was read again; `links` is a hash of its links. Its visit is noted afterwards."""
        ...

    def credit(self, place: int, new_files: float) -> None:
        """A new page that a page led to had new files."""
        ...

    def snapshot(self) -> dict[str, Any]: ...

    def restore(self, state: dict[str, Any]) -> None: ...


class PageRates:
    """Expects new files of pages by their rates."""

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
            # Pages of the first round have no age: when they appeared is not known.
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
        """The class of each page by its age."""
        first = self._history.first[: len(self._history)]
        ages: NDArray[np.intp] = np.searchsorted(_AGES, (now - first) / self._unit) + 1
        ages[first <= self._begun] = 0
        return ages


class FirstVisits:
    """What new pages of later rounds bring, beside what the crawl's strategy expects of them.

    With the new files Y_g (three per page at most: few pages have most files) of N_g first visits
    in a directory g, k = `first_visit_weight` and p the
    node around g, v_g = (k · v_p + Y_g) / (k + N_g); around the site is the strategy's expectation.
    """

    def __init__(self, settings: RefreshSettings) -> None:
        self._weight = settings.first_visit_weight
        self._tree = DirectoryTree()

    def expect(self, url: str, value: float) -> float:
        """New files expected of a new page, of which the strategy expects `value`."""
        tree, weight = self._tree, self._weight
        for node in tree.path(tree.find(url)):
            value = (weight * value + tree.events[node]) / (weight + tree.offsets[node])
        return float(value)

    def begin_round(self, fade: float) -> None:
        """What was observed before counts less."""
        self._tree.fade(fade)

    def learn(self, url: str, new_files: float, weight: float = 1.0) -> None:
        """A new page was read; nothing at all may have been there."""
        tree = self._tree
        for node in tree.path(tree.find(url)):
            tree.events[node] += weight * min(new_files, _MOST_AT_FIRST)
            tree.offsets[node] += weight

    def snapshot(self) -> dict[str, Any]:
        return self._tree.snapshot()

    def restore(self, state: dict[str, Any]) -> None:
        self._tree.restore(state)
