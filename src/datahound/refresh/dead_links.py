"""Dead links, which led neither to a page nor to a file before: which of them to follow again.

A page may link to a file before it exists, a server may fail for one night, robots.txt may forbid
less than before, and a link that redirects may lead elsewhere (`/latest`). The probability that a
dead link leads to something now is that of an event at a rate, as for files that change,
r = (k · r_g + y) / (k + x), with a factor for links that failed or that robots.txt forbids.
"""

from array import array
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from datahound.model import Link, link_row
from datahound.refresh.queues import PlaceQueue
from datahound.refresh.rates import ClassFactors, Floats, LeafRates
from datahound.settings import RefreshSettings

_REVIVED, _WEIGHT = 0.005, 20.0
"""Share of dead links that lead to something per round, and the tries that this prior counts as."""
_FAILURE_FACTORS = (1.0, 40.0)
"""The first factors: of links with an answer, such as 404, and of links that failed."""
_MAX_LINKS = 200_000


class DeadLink(NamedTuple):
    """A URL that was requested, and led neither to a page nor to a file."""

    url: str
    at: float
    has_failed: bool = False
    """Whether the request failed or robots.txt forbids it: the URL may still lead to something."""


class DeadLinks:
    """The dead links, and how probable it is that each leads to something now."""

    def __init__(self, settings: RefreshSettings, generator: np.random.Generator) -> None:
        self._settings = settings
        self._rates = LeafRates(settings.prior_weight, settings.round_weight, generator)
        self._rates.assume(_REVIVED * _WEIGHT, _WEIGHT)
        self._failures = ClassFactors(2, settings.class_weight, _FAILURE_FACTORS)
        self._urls: list[str] = []
        self._places: dict[str, int] = {}
        self._last: array[float] = array("d")
        self._failed: array[int] = array("b")
        self._waiting: set[int] = set()
        """Places of links that may be followed in this round, once a page links to them."""
        self._linked: dict[int, Link] = {}
        """By place, links of pages of this round that were not followed yet."""
        self._queue = PlaceQueue()
        self._unit = 1.0

    def __contains__(self, url: str) -> bool:
        return url in self._places

    def begin_round(self, unit: float, dead: Iterable[DeadLink]) -> None:
        """Begin a round in which these links may be followed again."""
        self._unit = unit
        places = [place for one in dead if (place := self._note(one)) is not None]
        self._waiting, self._linked = set(places), {}
        self._queue.open(0, of=len(self._urls))
        self._rates.add_leaves(self._urls)
        self._rates.begin_round(self._settings.fade)
        self._failures.fade(self._settings.fade)

    def meet(self, links: Iterable[Link], page: str) -> None:
        """Let the dead links of a page that was read be followed again."""
        if not self._waiting:
            return
        for link in links:
            place = self._places.get(link.url)
            if place in self._waiting:
                self._waiting.discard(place)
                # -1: links of earlier rounds have no number in this one.
                self._linked[place] = replace(link, found_on=page, number=-1)
                self._queue.admit(place)

    def best(self, now: float) -> tuple[Link | None, float]:
        """Return the link that most probably leads to something, and the probability."""
        place, value = self._queue.best(lambda: self._expect(now))
        return (None if place is None else self._linked[place]), value

    def take(self, link: Link) -> None:
        """Remove a link that is followed now from those of this round."""
        place = self._places[link.url]
        del self._linked[place]
        self._queue.close([place])

    def learn(self, url: str, now: float, *, revived: bool) -> None:
        """Learn whether a link that was followed again led to something."""
        place = self._places[url]
        number = self._failed[place]
        factor = float(self._failures.factors()[number])
        waited = max(now - self._last[place], 0.0) / self._unit
        self._failures.learn(number, revived, waited * self._rates.mean(place))
        self._rates.observe(place, revived, waited * factor)
        self._last[place] = now

    def left(self, now: float) -> Floats:
        """The probabilities of the links that were not followed in this round."""
        return self._queue.left(self._expect(now))

    def snapshot(self) -> dict[str, Any]:
        return {
            "urls": list(self._urls),
            "last": array("d", self._last),
            "failed": self._failed.tolist(),
            "rates": self._rates.snapshot(),
            "failures": self._failures.snapshot(),
            "waiting": sorted(self._waiting),
            "queue": self._queue.snapshot(),
            "linked": [[place, link_row(link)] for place, link in self._linked.items()],
            "unit": self._unit,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._urls = list(state["urls"])
        self._places = {url: place for place, url in enumerate(self._urls)}
        self._last, self._failed = array("d", state["last"]), array("b", state["failed"])
        self._rates.restore(state["rates"])
        self._failures.restore(state["failures"])
        self._waiting = set(state["waiting"])
        self._queue.restore(state["queue"])
        self._linked = {place: Link(*row) for place, row in state["linked"]}
        self._unit = state["unit"]

    def _expect(self, now: float) -> Floats:
        # Copies: an array can't grow while NumPy has a view of it.
        rates = self._rates.rates(sampled=False)
        rates *= self._failures.factors()[np.array(self._failed, np.intp)]
        rates *= np.maximum(now - np.array(self._last), 0.0) / self._unit
        # P(at least one event) = 1 - e^(-rate) of a Poisson process.
        found: Floats = -np.expm1(-rates)
        return found

    def _note(self, one: DeadLink) -> int | None:
        place = self._places.get(one.url)
        if place is None:
            if len(self._urls) >= _MAX_LINKS:
                return None
            place = self._places[one.url] = len(self._urls)
            self._urls.append(one.url)
            self._last.append(one.at)
            self._failed.append(one.has_failed)
        # Only the latest request counts.
        self._failed[place] = one.has_failed
        self._last[place] = max(self._last[place], one.at)
        return place
