"""Whether a URL is of a target: a model that learns from every answer."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from datahound.learn.sparse_logistic import Features, SparseLogistic
from datahound.settings import HoundSettings

_BITS = 16
_RATE = 0.5
"""Step size. Half of it needs 2 % fewer requests with two seeds, which is within the noise."""
_MAX_DIRECTORIES = 20_000
"""Directories whose features are cached, since most URLs share a directory with others."""
_MAX_SEGMENTS = 30
"""Of a path: each is hashed with all before it, and a hostile path has thousands."""
_SPREAD = 7919
"""Multiplier of the hash of a 3-gram: a prime, so that neighbouring codes do not collide."""


class UrlKindModel:
    """Logistic regression on a URL's extension, host, directories, query keys and 3-grams.

    score(url) = Σ w_i = log of the odds that the URL is a target's (see `SparseLogistic`). An
    extension begins with w = extension_prior if files of the wanted types have it, and with
    -extension_prior if pages have it or if there is none.
    """

    def __init__(
        self,
        settings: HoundSettings | None = None,
        *,
        target_extensions: Iterable[str] = (),
        page_extensions: Iterable[str] = (),
    ) -> None:
        prior = (settings or HoundSettings()).extension_prior
        self._model = SparseLogistic(_BITS, _RATE)
        self._directories: dict[str, Features] = {}
        for extension in (*page_extensions, ""):
            self._model.set_weight(f"e:{extension}", -prior)
        for extension in target_extensions:
            self._model.set_weight(f"e:{extension}", prior)

    def score(self, url: str) -> float:
        """The logarithm of the odds that a URL is a target's."""
        return self._model.score(self._read_url(url))

    def learn(self, url: str, *, is_target: bool) -> None:
        self._model.learn(self._read_url(url), positive=is_target)

    def snapshot(self) -> dict[str, Any]:
        return self._model.snapshot()

    def restore(self, state: dict[str, Any]) -> None:
        self._model.restore(state)

    def _read_url(self, url: str) -> Features:
        path, _, query = url.partition("?")
        directory, _, name = path.rpartition("/")
        known = self._directories.get(directory)
        if known is None:
            if len(self._directories) >= _MAX_DIRECTORIES:
                self._directories.clear()
            known = self._model.hash_tokens(_read_directory(directory))
            self._directories[directory] = known
        stem, dot, extension = name.rpartition(".")
        tokens = ["e:" + (dot + extension.lower() if stem else "")]
        # The keys alone: values are mostly numbers, each met once.
        if query:
            tokens += ["q:" + pair.partition("=")[0] for pair in query.split("&")]
        return known + self._model.hash_tokens(tokens) + _hash_trigrams(name)


def _read_directory(directory: str) -> list[str]:
    """The host, and each directory by its name and by its path."""
    host, *segments = directory.split("/")[2:]
    tokens = ["h:" + host]
    path = ""
    for segment in segments[:_MAX_SEGMENTS]:
        path += "/" + segment
        tokens += ["d:" + path, "s:" + segment]
    return tokens


def _hash_trigrams(name: str) -> Features:
    # The marks ^ and $ tell the first and the last letters from the same letters elsewhere.
    codes = np.frombuffer(f"^{name}$".encode(), dtype=np.uint8).astype(np.uint32)
    hashes: Features = ((codes[:-2] * _SPREAD + codes[1:-1]) * _SPREAD + codes[2:]).tobytes()
    return hashes
