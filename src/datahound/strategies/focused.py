"""Classic focused crawling: a queue ordered by how likely each link is to be a target.

A link's likelihood comes from a logistic regression on the depth of its page, the character
2-grams of its URL and those of its anchor, trained on every answer at no cost in requests.

Each training changes the score of every waiting link, but to score them all again would take longer
with every link that waits. Instead, each training rescores the `_TOP` best links, which are visited
next, and `_SWEEP` of the others in turn, so that any link can rise sooner or later. That is twenty
links per answer, whether a thousand wait or a million.

The form of the paper's code (`focused=paper`) visits links as they come for 100 answers, then
scores all that wait, and each later one when it is met.
"""

import math
from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from itertools import chain
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from datahound.crawl.strategy import State
from datahound.events import Evidence
from datahound.learn.models import (
    BIGRAMS,
    Example,
    bigrams,
    make_model,
    pack_examples,
    unpack_examples,
)
from datahound.model import Choice, Kind, Link
from datahound.settings import ClassifierSettings

# A small heap is not worth rebuilding.
_SLACK = 1000


class Ranking:
    """A heap in which the score of a number can change; of equal scores, the lower number is first.

    A new score is pushed beside the old one, which is skipped when it is popped. When most of the
    heap is old it is rebuilt, so that a change costs O(log n) on average.
    """

    def __init__(self) -> None:
        self._scores: dict[int, float] = {}
        self._heap: list[tuple[float, int]] = []
        self._round: list[int] = []

    def __len__(self) -> int:
        return len(self._scores)

    def put(self, number: int, score: float) -> None:
        """Rank a number, or change its rank."""
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
        """The `top` numbers ranked highest, and the next `sweep` in a round over all of them."""
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
            # An entry with another score is an old one of a number that was ranked again.
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


# Together 2,000 scores per training of 100 answers.
_TOP = 1000
_SWEEP = 1000
# The last feature, after the 2-grams of the URL and those of the anchor.
_DEPTH = 2 * BIGRAMS


@dataclass(frozen=True, slots=True)
class _Form:
    """How often the model is trained, how depth is scaled, and when links are scored."""

    batch: int
    scores_from: int
    """Answers before which every link scores 0."""
    needs_target: bool
    """Whether every link scores 0 until an answer was a target, too."""
    scale_depth: Callable[[int], float]
    rescores: bool
    """Whether waiting links are scored at each training, or only when scores begin."""


# Depth matters most near the seed, hence its logarithm in our form.
_FORMS = {
    "rescored": _Form(100, 100, needs_target=True, scale_depth=math.log1p, rescores=True),
    "paper": _Form(10, 100, needs_target=False, scale_depth=float, rescores=False),
}


class FocusedStrategy:
    """Treats every link as a page and visits the most likely target first."""

    faithful = True

    def __init__(
        self, settings: ClassifierSettings, form: Literal["rescored", "paper"] = "rescored"
    ) -> None:
        if form == "paper":
            # As in the published code: one pass over each batch, and equal classes.
            settings = replace(settings, epochs=1, max_balance=1.0)
        self._rescores = _FORMS[form].rescores
        self._scorer = LinkScorer(settings, form)
        self._ranking = Ranking()
        self._links: dict[int, Link] = {}
        self._score: float | None = None

    def add(self, link: Link) -> None:
        self._links[link.number] = link
        self._ranking.put(link.number, self._scorer.score(link))

    def choose(self, gets: int, under_way: Mapping[int, int]) -> Choice | None:  # noqa: ARG002
        if not self._links:
            return None
        number, self._score = self._ranking.take()
        return Choice(self._links.pop(number))

    def learn_kind(self, link: Link, kind: Kind) -> None:
        scored = self._scorer.is_ready
        if not self._scorer.learn(link, is_target=kind is Kind.TARGET):
            return
        if self._rescores:
            self._rescore(self._ranking.due(_TOP, _SWEEP))
        elif not scored:
            self._rescore(self._links)

    def explain(self, choice: Choice) -> Evidence:  # noqa: ARG002
        return Evidence(self._score)

    def waiting(self) -> Iterable[Link]:
        return self._links.values()

    def snapshot(self) -> State:
        return {
            "scorer": self._scorer.snapshot(),
            "ranking": self._ranking.snapshot(),
            "links": array("q", self._links),
        }

    def restore(self, state: State, links: Mapping[int, Link]) -> None:
        self._scorer.restore(state["scorer"])
        self._ranking.restore(state["ranking"])
        self._links = {number: links[number] for number in state["links"]}

    def _rescore(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._ranking.put(number, self._scorer.score(self._links[number]))


class LinkScorer:
    """A logistic regression on depth, URL and anchor, trained in batches of answers.

    Until it is ready, every link scores 0.
    """

    def __init__(
        self, settings: ClassifierSettings, form: Literal["rescored", "paper"] = "rescored"
    ) -> None:
        self._form = _FORMS[form]
        self._model = make_model(settings, _DEPTH + 1)
        self._waiting: list[Example] = []
        self._answers = 0
        self._has_met_target = not self._form.needs_target

    @property
    def is_ready(self) -> bool:
        """Whether scores say something: enough answers are learned."""
        return self._has_met_target and self._answers >= self._form.scores_from

    def score(self, link: Link) -> float:
        """The log odds that a link is a target."""
        if not self.is_ready:
            return 0.0
        weights = self._model.weights
        depth = float(weights[_DEPTH]) * self._scale_depth(link)
        return float(weights[_find_grams(link)].sum()) + depth + self._model.bias

    def learn(self, link: Link, *, is_target: bool) -> bool:
        """Learn the kind that an answer had; returns whether scores have changed."""
        grams, counts = np.unique(_find_grams(link), return_counts=True)
        features = np.append(grams, _DEPTH)
        values = np.append(counts.astype(np.float64), self._scale_depth(link))
        self._waiting.append(Example(features, values, 1 if is_target else -1))
        self._answers += 1
        if len(self._waiting) < self._form.batch:
            return False
        self._model.learn(self._waiting)
        self._has_met_target |= any(example.sign > 0 for example in self._waiting)
        self._waiting = []
        return self.is_ready

    def snapshot(self) -> State:
        return {
            "model": self._model.snapshot(),
            "waiting": pack_examples(self._waiting),
            "has_met_target": self._has_met_target,
            "answers": self._answers,
        }

    def restore(self, state: State) -> None:
        self._model.restore(state["model"])
        self._has_met_target = state["has_met_target"]
        # Checkpoints of earlier versions have no count.
        self._answers = state.get("answers", self._form.scores_from)
        self._waiting = unpack_examples(state["waiting"])

    def _scale_depth(self, link: Link) -> float:
        # The depth of the page that has the link.
        return self._form.scale_depth(max(link.depth - 1, 0))


def _find_grams(link: Link) -> NDArray[np.intp]:
    return np.concatenate([bigrams(link.url), bigrams(link.anchor) + BIGRAMS])
