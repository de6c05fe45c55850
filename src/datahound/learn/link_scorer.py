"""How likely a link is to be a target, judged by its depth, its URL and its anchor."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datahound.learn.models import Example, make_model
from datahound.learn.url_classifier import BIGRAMS, bigrams
from datahound.model import Link
from datahound.settings import ClassifierSettings

_DEPTH = 2 * BIGRAMS
_BATCH = 100


class LinkScorer:
    """A logistic regression that is trained again with every hundred answers.

    Until a target has been among them it knows nothing to prefer, and every link scores 0.
    """

    def __init__(self, settings: ClassifierSettings) -> None:
        self._model = make_model(settings, _DEPTH + 1)
        self._waiting: list[Example] = []
        self._has_met_target = False

    def score(self, link: Link) -> float:
        """The logarithm of the odds that a link is a target."""
        if not self._has_met_target:
            return 0.0
        weights = self._model.weights
        depth = float(weights[_DEPTH]) * _depth(link)
        return float(weights[_grams(link)].sum()) + depth + self._model.bias

    def learn(self, link: Link, *, is_target: bool) -> bool:
        """An answer told what a link is; whether that made scores change."""
        grams, counts = np.unique(_grams(link), return_counts=True)
        features = np.append(grams, _DEPTH)
        values = np.append(counts.astype(np.float64), _depth(link))
        self._waiting.append(Example(features, values, 1 if is_target else -1))
        if len(self._waiting) < _BATCH:
            return False
        self._model.learn(self._waiting)
        self._has_met_target |= any(example.sign > 0 for example in self._waiting)
        self._waiting = []
        return self._has_met_target

    def snapshot(self) -> dict[str, Any]:
        return {
            "model": self._model.snapshot(),
            "waiting": [[e.features.tolist(), e.counts.tolist(), e.sign] for e in self._waiting],
            "has_met_target": self._has_met_target,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._model.restore(state["model"])
        self._has_met_target = state["has_met_target"]
        self._waiting = [
            Example(np.array(features, dtype=np.intp), np.array(counts), sign)
            for features, counts, sign in state["waiting"]
        ]


def _grams(link: Link) -> NDArray[np.intp]:
    return np.concatenate([bigrams(link.url), bigrams(link.anchor) + BIGRAMS])


def _depth(link: Link) -> float:
    """Of the page that has the link; a logarithm, since links differ most near the seed."""
    return math.log1p(max(link.depth - 1, 0))
