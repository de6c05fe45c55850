"""What a later round may still request: known pages and files, and new links."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from datahound.crawl.errands import choice_row, read_choice
from datahound.crawl.strategy import CompleteStrategy, State
from datahound.events import Evidence
from datahound.learn.arrays import rank_highest
from datahound.model import Choice
from datahound.refresh.pages import FirstVisits
from datahound.refresh.rates import Floats

_RANKED_AT_ONCE = 20_000
"""With more pages or files, values are compared again only after one choice per this many."""
_MAX_HELD = 64


class Left(NamedTuple):
    """The new or changed files that a round has not found because it did not make all requests."""

    expected: float = 0.0
    variance: float = 0.0
    """The variance of counts at known rates, which is `expected`; and (sum of v)² / Y for pages and
    for files, because their rates, with the values v, were learned from only Y events."""
    requests: int = 0
    """Requests that were not made."""


def sum_up(learned: Sequence[tuple[Floats, float]], others: float, waiting: int) -> Left:
    """What is left of values, each with the events that it was learned from, and of others."""
    expected = others + sum(float(values.sum()) for values, _ in learned)
    doubt = sum(float(values.sum()) ** 2 / max(events, 1e-9) for values, events in learned)
    requests = waiting + sum(len(values) for values, _ in learned)
    return Left(expected, expected + doubt, requests)


class PlaceQueue:
    """The pages, or files, that may still be requested in a round, and the best of them."""

    def __init__(self) -> None:
        self._open = np.zeros(0, np.bool_)
        self._best: list[tuple[float, int]] = []
        """Values and places of the best few, the best one last."""

    def __contains__(self, place: int) -> bool:
        """Whether a place may still be requested."""
        return place < len(self._open) and bool(self._open[place])

    def open(self, count: int, of: int = 0) -> None:
        """Let the first `count` places be requested; others, up to `of`, may be admitted later."""
        self._open = np.zeros(max(count, of), np.bool_)
        self._open[:count] = True
        self._best = []

    def admit(self, place: int) -> None:
        """Let a place be requested that could not be requested before."""
        if place < len(self._open):
            self._open[place] = True
            self._best = []

    def close(self, places: list[int]) -> None:
        self._open[places] = False

    def best(self, values: Callable[[], Floats]) -> tuple[int | None, float]:
        """Return the best place and its value; calls `values` if all must be compared again."""
        while self._best and not self._open[self._best[-1][1]]:
            self._best.pop()
        if not self._best or len(self._open) <= _RANKED_AT_ONCE:
            self._rank(values)
        if not self._best:
            return None, -1.0
        value, place = self._best[-1]
        return place, value

    def left(self, values: Floats) -> Floats:
        """The values of the places that were not requested."""
        left: Floats = values[: len(self._open)][self._open]
        return left

    def snapshot(self) -> State:
        return {"open": np.packbits(self._open).tolist(), "count": len(self._open)}

    def restore(self, state: State) -> None:
        bits = np.array(state["open"], np.uint8)
        self._open = np.unpackbits(bits)[: state["count"]].astype(np.bool_)

    def _rank(self, values: Callable[[], Floats]) -> None:
        self._best = []
        if not self._open.any():
            return
        found = np.where(self._open, values()[: len(self._open)], -1.0)
        places = rank_highest(found, 1 + len(found) // _RANKED_AT_ONCE)[::-1]
        self._best = [(float(found[place]), int(place)) for place in places]


@dataclass(frozen=True, slots=True)
class _Held:
    choice: Choice
    expected: float
    """New files that the crawl's strategy expects."""
    evidence: Evidence


class HeldLinks:
    """The next choices of the crawl's strategy, held until one of them is the best request.

    The strategy ranks links by all rounds, so its first choice may have a low value in this round.
    The best of several choices is taken instead, by the first visits of later rounds.
    """

    def __init__(self, strategy: CompleteStrategy, first_visits: FirstVisits) -> None:
        self._strategy = strategy
        self._first_visits = first_visits
        self._held: list[_Held] = []

    def __len__(self) -> int:
        return len(self._held)

    def fill(self, gets: int, under_way: Mapping[int, int]) -> None:
        """Ask the strategy for choices until enough are held, or until it has no more."""
        while len(self._held) < _MAX_HELD:
            choice = self._strategy.choose(gets, under_way)
            if choice is None:
                return
            evidence = self._strategy.explain(choice)
            self._held.append(_Held(choice, evidence.expected or 0.0, evidence))

    def best(self) -> tuple[int | None, float]:
        """Return the place of the best choice and its value; of equal ones, the first."""
        if not self._held:
            return None, -1.0
        values = self.values()
        place = max(range(len(values)), key=values.__getitem__)
        return place, values[place]

    def values(self) -> list[float]:
        """Return the new files that each choice is expected to bring."""
        return [self._first_visits.expect(h.choice.link.url, h.expected) for h in self._held]

    def take(self, place: int) -> tuple[Choice, Evidence]:
        """Remove and return a choice, and why the strategy made it."""
        held = self._held.pop(place)
        return held.choice, held.evidence

    def snapshot(self) -> list[list[Any]]:
        return [[choice_row(one.choice), one.expected] for one in self._held]

    def restore(self, rows: list[list[Any]]) -> None:
        if len(rows) == 2 and isinstance(rows[1], float):
            # Older versions held one choice.
            rows = [rows]
        self._held = [
            _Held(read_choice(row), expected, Evidence(expected=expected)) for row, expected in rows
        ]
