"""Predict from a link whether it leads to a page or a target, and learn from every answer."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from datahound.learn.models import BIGRAMS, Example, bigrams, make_model
from datahound.model import Kind, Link
from datahound.settings import ClassifierSettings


class UrlClassifier:
    """A linear model on counts of character 2-grams, trained in batches of `batch_size` (b)."""

    def __init__(self, settings: ClassifierSettings | None = None) -> None:
        self._settings = settings or ClassifierSettings()
        self._fields = 4 if self._settings.features == "context" else 1
        self._model = make_model(self._settings, self._fields * BIGRAMS)
        self._waiting: list[Example] = []
        self.ready = False

    def predict(self, link: Link) -> Kind:
        """Page or target, never other: a page that is lost costs more than one request."""
        return Kind.TARGET if self.score(link) > 0 else Kind.PAGE

    def score(self, link: Link) -> float:
        """The score Σ w_i + bias of a link; above 0 it is predicted to be a target."""
        return float(self._model.weights[self._features(link)].sum()) + self._model.bias

    def learn(self, link: Link, kind: Kind) -> None:
        """Add the kind that an answer had to the batch; a full batch trains the model."""
        if kind is Kind.OTHER:
            return
        features, counts = np.unique(self._features(link), return_counts=True)
        sign = 1 if kind is Kind.TARGET else -1
        self._waiting.append(Example(features, counts.astype(np.float64), sign))
        if len(self._waiting) >= self._settings.batch_size:
            self._model.learn(self._waiting)
            self._waiting = []
            self.ready = True

    def snapshot(self) -> dict[str, Any]:
        return {
            "model": self._model.snapshot(),
            "waiting": [[e.features.tolist(), e.counts.tolist(), e.sign] for e in self._waiting],
            "ready": self.ready,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._model.restore(state["model"])
        self._waiting = [
            Example(np.array(features, dtype=np.intp), np.array(counts), sign)
            for features, counts, sign in state["waiting"]
        ]
        self.ready = state["ready"]

    def _features(self, link: Link) -> NDArray[np.intp]:
        if self._fields == 1:
            return bigrams(link.url)
        texts = (link.url, link.anchor, link.tag_path, link.surrounding)
        return np.concatenate([bigrams(text) + i * BIGRAMS for i, text in enumerate(texts)])
