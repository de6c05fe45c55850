"""Numbers ranked by scores that change."""

from array import array
from collections.abc import Mapping
from heapq import heapify, heappop, heappush
from itertools import chain
from typing import Any

_SLACK = 1000


class Ranking:
    """A heap in which a number can be given another score; the older of equals comes first.

    A changed score is pushed beside the old one, which is passed over when it comes up. Once most
    of the heap is old it is built anew, so that a change costs O(log n), averaged over many.
    """

    def __init__(self) -> None:
        self._scores: dict[int, float] = {}
        self._heap: list[tuple[float, int]] = []
        self._round: list[int] = []

    def __len__(self) -> int:
        return len(self._scores)

    def put(self, number: int, score: float) -> None:
        """Rank a number, anew if it is there."""
        if self._scores.get(number) == score:
            return
        self._scores[number] = score
        heappush(self._heap, (-score, number))
        if len(self._heap) > 2 * len(self._scores) + _SLACK:
            self._rebuild()

    def take(self) -> tuple[int, float]:
        """Remove the number with the highest score."""
        score, number = self._pop()
        del self._scores[number]
        return number, score

    def due(self, top: int, sweep: int) -> list[int]:
        """The numbers ranked highest, and the next of a round over all of them."""
        best = [self._pop() for _ in range(min(top, len(self._scores)))]
        for score, number in best:
            heappush(self._heap, (-score, number))
        return list(dict.fromkeys(chain((number for _, number in best), self._next(sweep))))

    def snapshot(self) -> dict[str, Any]:
        return {
            "numbers": array("q", self._scores),
            "scores": array("d", self._scores.values()),
            "round": array("q", self._round),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._scores = dict(zip(state["numbers"], state["scores"], strict=True))
        self._round = list(state["round"])
        self._rebuild()

    def _pop(self) -> tuple[float, int]:
        while True:
            negative, number = heappop(self._heap)
            if self._scores.get(number) == -negative:
                return -negative, number

    def _next(self, count: int) -> list[int]:
        if not self._round:
            self._round = list(self._scores)
            self._round.reverse()
        taken = self._round[-count:]
        del self._round[-count:]
        return [number for number in reversed(taken) if number in self._scores]

    def _rebuild(self) -> None:
        self._heap = [(-score, number) for number, score in self._scores.items()]
        heapify(self._heap)
