"""Tells a target's URL from any other by its parts, and learns from every answer at once."""

from collections.abc import Iterable
from random import Random
from typing import Any

import numpy as np

from datahound.learn.sparse_logistic import Features, SparseLogistic
from datahound.settings import TokenSettings

_BITS = 16
_REMEMBERED = 20_000
_SPREAD = 7919


class TokenClassifier:
    """A logistic regression on a URL's extension, host, directories, query keys and 3-grams."""

    def __init__(
        self,
        rng: Random,
        settings: TokenSettings | None = None,
        *,
        target_extensions: Iterable[str] = (),
        page_extensions: Iterable[str] = (),
    ) -> None:
        settings = settings or TokenSettings()
        self._model = SparseLogistic(
            _BITS,
            rate=settings.token_rate,
            rng=rng,
            rehearsals=settings.rehearsals,
            reservoir=settings.reservoir,
        )
        self._directories: dict[str, Features] = {}
        for extension in (*page_extensions, ""):
            self._model.set(f"e:{extension}", -settings.extension_prior)
        for extension in target_extensions:
            self._model.set(f"e:{extension}", settings.extension_prior)

    def score(self, url: str) -> float:
        """The logarithm of the odds that a URL is a target's."""
        return self._model.score(self._features(url))

    def learn(self, url: str, *, is_target: bool) -> None:
        """An answer told whether a URL is a target's."""
        self._model.learn(self._features(url), positive=is_target)

    def snapshot(self) -> dict[str, Any]:
        return self._model.snapshot()

    def restore(self, state: dict[str, Any]) -> None:
        self._model.restore(state)

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
        return np.concatenate((known, self._model.places(tokens), _trigrams(name)))


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
    codes = np.frombuffer(f"^{name}$".encode(), dtype=np.uint8).astype(np.intp)
    return ((codes[:-2] * _SPREAD + codes[1:-1]) * _SPREAD + codes[2:]) & ((1 << _BITS) - 1)
