"""Tells a target's URL from any other by its parts, and learns from every answer at once."""

import math
from array import array
from collections.abc import Iterable
from random import Random
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from datahound.learn.plain import plain
from datahound.settings import TokenSettings

_BITS = 16
_SIZE = 1 << _BITS
_REMEMBERED = 20_000
_STEEPEST = 30.0
_SPREAD = 7919

Features = NDArray[np.intp]


class TokenClassifier:
    """A logistic regression on a URL's extension, host, directories, query keys and 3-grams.

    Its steps shrink as a feature has been met (AdaGrad). With each example a few of the other class
    are gone through again, drawn from a reservoir, so that the rarer class is not forgotten.
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
        self._weights = np.zeros(_SIZE)
        self._slopes = np.ones(_SIZE)
        self._examples: dict[int, list[Features]] = {1: [], -1: []}
        self._seen = {1: 0, -1: 0}
        self._directories: dict[str, Features] = {}
        for extension in (*page_extensions, ""):
            self._weights[_place(f"e:{extension}")] = -self._settings.extension_prior
        for extension in target_extensions:
            self._weights[_place(f"e:{extension}")] = self._settings.extension_prior

    def score(self, url: str) -> float:
        """The logarithm of the odds that a URL is a target's."""
        return float(self._weights[self._features(url)].sum())

    def learn(self, url: str, *, is_target: bool) -> None:
        """An answer told whether a URL is a target's."""
        sign = 1 if is_target else -1
        features = self._features(url)
        self._step(features, sign)
        others = self._examples[-sign]
        if others:
            for _ in range(self._settings.rehearsals):
                self._step(others[self._rng.randrange(len(others))], -sign)
        self._keep(features, sign)

    def snapshot(self) -> dict[str, Any]:
        return {
            "weights": plain(self._weights),
            "slopes": plain(self._slopes),
            "targets": _packed(self._examples[1]),
            "others": _packed(self._examples[-1]),
            "seen": [self._seen[1], self._seen[-1]],
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._weights = np.array(state["weights"])
        self._slopes = np.array(state["slopes"])
        self._examples = {1: _unpacked(state["targets"]), -1: _unpacked(state["others"])}
        self._seen = {1: state["seen"][0], -1: state["seen"][1]}

    def _step(self, features: Features, sign: int) -> None:
        margin = sign * float(self._weights[features].sum())
        slope = -sign / (1 + math.exp(min(max(margin, -_STEEPEST), _STEEPEST)))
        slopes = self._slopes[features] + slope * slope
        self._slopes[features] = slopes
        self._weights[features] -= self._settings.token_rate * slope / np.sqrt(slopes)

    def _keep(self, features: Features, sign: int) -> None:
        """Every example of a class is as likely as the others to be in its reservoir."""
        examples = self._examples[sign]
        self._seen[sign] += 1
        if len(examples) < self._settings.reservoir:
            examples.append(features)
            return
        place = self._rng.randrange(self._seen[sign])
        if place < len(examples):
            examples[place] = features

    def _features(self, url: str) -> Features:
        path, _, query = url.partition("?")
        directory, _, name = path.rpartition("/")
        known = self._directories.get(directory)
        if known is None:
            if len(self._directories) >= _REMEMBERED:
                self._directories.clear()
            known = self._directories[directory] = _directory_features(directory)
        stem, dot, extension = name.rpartition(".")
        places = [_place("e:" + (dot + extension.lower() if stem else ""))]
        if query:
            places += [_place("q:" + pair.partition("=")[0]) for pair in query.split("&")]
        return np.concatenate((known, np.array(places, dtype=np.intp), _trigrams(name)))


def _directory_features(directory: str) -> Features:
    """The host, and each directory by its own name and by its whole path."""
    host, *segments = directory.split("/")[2:]
    places = [_place("h:" + host)]
    path = ""
    for segment in segments:
        path += "/" + segment
        places += [_place("d:" + path), _place("s:" + segment)]
    return np.array(places, dtype=np.intp)


def _trigrams(name: str) -> Features:
    codes = np.frombuffer(f"^{name}$".encode(), dtype=np.uint8).astype(np.intp)
    return ((codes[:-2] * _SPREAD + codes[1:-1]) * _SPREAD + codes[2:]) & (_SIZE - 1)


def _packed(examples: list[Features]) -> dict[str, Any]:
    """Examples end to end, and how long each is."""
    lengths = array("q", [len(features) for features in examples])
    joined = np.concatenate(examples) if examples else np.zeros(0, dtype=np.intp)
    return {"lengths": lengths, "features": array("q", joined.tolist())}


def _unpacked(state: dict[str, Any]) -> list[Features]:
    ends = np.cumsum(np.array(state["lengths"], dtype=np.intp))
    return (
        list(np.split(np.array(state["features"], dtype=np.intp), ends[:-1])) if len(ends) else []
    )


def _place(token: str) -> int:
    return crc32(token.encode()) & (_SIZE - 1)
