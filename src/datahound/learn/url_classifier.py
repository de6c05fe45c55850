"""Tells a target's URL from a page's without asking the server, and learns from every answer."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from datahound.learn.models import Example, make_model
from datahound.model import Kind, Link
from datahound.settings import ClassifierSettings

_FIRST, _LAST = 32, 126
_ALPHABET = _LAST - _FIRST + 1
BIGRAMS = _ALPHABET * _ALPHABET
"""How many pairs of printable characters there are."""


class UrlClassifier:
    """A linear model on counts of character 2-grams, trained in batches (b: `batch_size`)."""

    def __init__(self, settings: ClassifierSettings | None = None) -> None:
        self._settings = settings or ClassifierSettings()
        self._fields = 4 if self._settings.features == "context" else 1
        self._model = make_model(self._settings, self._fields * BIGRAMS)
        self._waiting: list[Example] = []
        self.ready = False

    def predict(self, link: Link) -> Kind:
        """HTML or target: never "other", since a lost page costs more than one request."""
        return Kind.TARGET if self.score(link) > 0 else Kind.PAGE

    def score(self, link: Link) -> float:
        """How far on the side of targets a link is; below 0 it is taken for a page."""
        return float(self._model.weights[self._features(link)].sum()) + self._model.bias

    def learn(self, link: Link, kind: Kind) -> None:
        """An answer told what a link is; each full batch trains the model once."""
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


def bigrams(text: str) -> NDArray[np.intp]:
    """The pairs of printable characters in a text, each as its number."""
    codes = np.frombuffer(text.encode("ascii", "ignore"), dtype=np.uint8).astype(np.intp)
    if codes.size and (codes.min() < _FIRST or codes.max() > _LAST):
        codes = codes[(codes >= _FIRST) & (codes <= _LAST)]
    codes -= _FIRST
    return codes[:-1] * _ALPHABET + codes[1:]
