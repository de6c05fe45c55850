"""Tells a target's URL from any other by its parts, and learns from every answer at once."""

from array import array
from collections.abc import Iterable
from itertools import accumulate, pairwise
from random import Random
from typing import Any

import numpy as np

from datahound.learn.sparse_logistic import Features, SparseLogistic
from datahound.settings import TokenSettings

_BITS = 16
_REMEMBERED = 20_000
_SPREAD = 7919


class TokenClassifier:
    """A logistic regression on a URL's extension, host, directories, query keys and 3-grams.

    With each example a few of the other class are gone through again, drawn from a reservoir, so
    that the rarer class is not forgotten.
    """

    def __init__(
        self,
        rng: Random,
        settings: TokenSettings | None = None,
        *,
        target_extensions: Iterable[str] = (),
        page_extensions: Iterable[str] = (),
    ) -> None:
        self._settings = settings or TokenSettings()
        self._rng = rng
        self._model = SparseLogistic(_BITS, self._settings.token_rate)
        self._examples: dict[bool, list[Features]] = {True: [], False: []}
        self._seen = {True: 0, False: 0}
        self._directories: dict[str, Features] = {}
        for extension in (*page_extensions, ""):
            self._model.set(f"e:{extension}", -self._settings.extension_prior)
        for extension in target_extensions:
            self._model.set(f"e:{extension}", self._settings.extension_prior)

    def score(self, url: str) -> float:
        """The logarithm of the odds that a URL is a target's."""
        return self._model.score(self._features(url))

    def learn(self, url: str, *, is_target: bool) -> None:
        """An answer told whether a URL is a target's."""
        features = self._features(url)
        self._model.step(features, positive=is_target)
        others = self._examples[not is_target]
        if others:
            for _ in range(self._settings.rehearsals):
                other = others[self._rng.randrange(len(others))]
                self._model.step(other, positive=not is_target)
        self._keep(features, is_target=is_target)

    def snapshot(self) -> dict[str, Any]:
        return {
            "model": self._model.snapshot(),
            "targets": _packed(self._examples[True]),
            "others": _packed(self._examples[False]),
            "seen": [self._seen[True], self._seen[False]],
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._model.restore(state["model"])
        self._examples = {True: _unpacked(state["targets"]), False: _unpacked(state["others"])}
        self._seen = dict(zip((True, False), state["seen"], strict=True))

    def _keep(self, features: Features, *, is_target: bool) -> None:
        """Every example of a class is as likely as the others to be in its reservoir."""
        examples = self._examples[is_target]
        self._seen[is_target] += 1
        if len(examples) < self._settings.reservoir:
            examples.append(features)
            return
        place = self._rng.randrange(self._seen[is_target])
        if place < len(examples):
            examples[place] = features

    def _features(self, url: str) -> Features:
        path, _, query = url.partition("?")
        directory, _, name = path.rpartition("/")
        known = self._directories.get(directory)
        if known is None:
            if len(self._directories) >= _REMEMBERED:
                self._directories.clear()
            tokens = _directory_tokens(directory)
            known = self._directories[directory] = self._model.places(tokens)
        stem, dot, extension = name.rpartition(".")
        tokens = ["e:" + (dot + extension.lower() if stem else "")]
        if query:
            tokens += ["q:" + pair.partition("=")[0] for pair in query.split("&")]
        return known + self._model.places(tokens) + _trigrams(name)


def _directory_tokens(directory: str) -> list[str]:
    """The host, and each directory by its own name and by its whole path."""
    host, *segments = directory.split("/")[2:]
    tokens = ["h:" + host]
    path = ""
    for segment in segments:
        path += "/" + segment
        tokens += ["d:" + path, "s:" + segment]
    return tokens


def _trigrams(name: str) -> Features:
    codes = np.frombuffer(f"^{name}$".encode(), dtype=np.uint8).astype(np.uint32)
    hashes = ((codes[:-2] * _SPREAD + codes[1:-1]) * _SPREAD + codes[2:]) & ((1 << _BITS) - 1)
    return hashes.tobytes()


def _packed(examples: list[Features]) -> dict[str, Any]:
    """Examples end to end, and where each begins."""
    starts = accumulate((len(features) for features in examples), initial=0)
    return {"starts": array("q", starts), "features": array("I", b"".join(examples))}


def _unpacked(state: dict[str, Any]) -> list[Features]:
    features = array("I", state["features"]).tobytes()
    return [features[begin:end] for begin, end in pairwise(state["starts"])]
