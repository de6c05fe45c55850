"""What a later round may still ask for: pages and files by place, and new links by their worth."""

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
"""Values are compared again after one choice per this many pages or files."""
_MOST_HELD = 64


class Left(NamedTuple):
    """What a round has not asked for: the new or changed files that it may have."""

    expected: float = 0.0
    variance: float = 0.0
    """That of counts at known rates, v; and as the rates of pages and of files were learned from Y
    events each, (sum of v)² / Y more."""
    requests: int = 0


def sum_up(learned: Sequence[tuple[Floats, float]], others: float, waiting: int) -> Left:
    """What is left of values, each with the events that it was learned from, and of others."""
    expected = others + sum(float(values.sum()) for values, _ in learned)
    doubt = sum(float(values.sum()) ** 2 / max(events, 1e-9) for values, events in learned)
    requests = waiting + sum(len(values) for values, _ in learned)
    return Left(expected, expected + doubt, requests)


class PlaceQueue:
    """What may still be asked for in a round, by place, and the best of it."""

    def __init__(self) -> None:
        self._open = np.zeros(0, np.bool_)
        self._best: list[tuple[float, int]] = []
        """The best few, the best one last."""

    def __contains__(self, place: int) -> bool:
        """Whether a place may still be asked for."""
        return place < len(self._open) and bool(self._open[place])

    def open(self, count: int, of: int = 0) -> None:
        """Open the first places; others, up to `of` in all, may be admitted later."""
        self._open = np.zeros(max(count, of), np.bool_)
        self._open[:count] = True
        self._best = []

    def admit(self, place: int) -> None:
        """A place that was closed may be asked for after all."""
        if place < len(self._open):
            self._open[place] = True
            self._best = []

    def close(self, places: list[int]) -> None:
        self._open[places] = False

    def best(self, values: Callable[[], Floats]) -> tuple[int | None, float]:
        """The best place and its value; `values` is called where all must be compared again."""
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

    It ranks by what all rounds have shown, so its first choice may be of little worth now. The best
    of several is taken instead, by what first visits of its directory have brought in later rounds.
    """

    def __init__(self, strategy: CompleteStrategy, first_visits: FirstVisits) -> None:
        self._strategy = strategy
        self._first_visits = first_visits
        self._held: list[_Held] = []

    def __len__(self) -> int:
        return len(self._held)

    def fill(self, gets: int, under_way: Mapping[int, int]) -> None:
        """Ask the strategy for more choices, as long as it has some and there is room."""
        while len(self._held) < _MOST_HELD:
            choice = self._strategy.choose(gets, under_way)
            if choice is None:
                return
            evidence = self._strategy.explain(choice)
            self._held.append(_Held(choice, evidence.expected or 0.0, evidence))

    def best(self) -> tuple[int | None, float]:
        """The place of the best one, and its value; the first of equals."""
        if not self._held:
            return None, -1.0
        values = self.values()
        place = max(range(len(values)), key=values.__getitem__)
        return place, values[place]

    def values(self) -> list[float]:
        """The new files that each is expected to bring."""
        return [self._first_visits.expect(h.choice.link.url, h.expected) for h in self._held]

    def take(self, place: int) -> tuple[Choice, Evidence]:
        """The choice that is made, and why the crawl's strategy made it."""
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
