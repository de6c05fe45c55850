"""How likely a link's page is to bring new targets: learned from the words and places of links."""

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datahound.learn.sparse_logistic import Features, SparseLogistic
from datahound.model import Link
from datahound.settings import WorthSettings
from datahound.strategies.hound.feature_rows import FeatureRows

_BITS = 17
_REMEMBERED = 20_000
_WORDS = ("n:", "w:")
"""What the features that are words begin with."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_MOST_WORDS = 12
_LONGEST_SHAPE = 12
_MOST_ELEMENTS = 4
_LEAST = 0.001
"""No link is hopeless."""
_LOWEST = math.log(_LEAST / (1 - _LEAST))
"""The same as a score; so none is too low to be made a chance of."""


class Worth:
    """A logistic regression on what can be seen of a link before it is followed.

    Words of its anchor, of its last segment and of its directories, how that segment is built, the
    directories as they are, its extension, the last elements of its tag path, the directory of the
    page it was found on. Each adds its part wherever it is met, so a new corner of the site is
    judged by what it has in common with those visited. Words are believed slowly: there are many,
    and one page says little about each.
    """

    def __init__(self, settings: WorthSettings | None = None) -> None:
        self._model = SparseLogistic(_BITS, (settings or WorthSettings()).worth_rate, _WORDS)
        self._rows = FeatureRows(self._model.nowhere)
        """To read the links anew would take most of a choice's time."""
        self._shared: dict[str, Features] = {}
        """The features that many links have in common: by directory, by tag path."""

    def chances(
        self, links: Sequence[Link], numbers: NDArray[np.int64] | None = None
    ) -> NDArray[np.float64]:
        """How likely the pages of links are to have targets not seen before.

        With the links' numbers it need not touch those that it knows.
        """
        if numbers is None:
            numbers = np.array([link.number for link in links], np.int64)
        rows, missing = self._rows.find(numbers)
        for place in missing:
            rows[place] = self._rows.add(links[place].number, self._read(links[place]))
        chances: NDArray[np.float64] = _chances(self._model.scores(rows))
        return chances

    def learn(self, link: Link, *, brought: bool) -> float:
        """A link was followed: whether its page had new targets. Gives the chance it had so far."""
        row = self._rows.get(link.number)
        if row is None:
            row = self._rows.add(link.number, self._read(link))
        features = row[row != self._model.nowhere].tobytes()
        return float(_chances(self._model.step(features, positive=brought)))

    def snapshot(self) -> dict[str, Any]:
        return self._model.snapshot()

    def restore(self, state: dict[str, Any]) -> None:
        self._model.restore(state)

    def _read(self, link: Link) -> Features:
        path = link.url.partition("?")[0]
        directory, _, name = path.rpartition("/")
        stem, _, extension = name.rpartition(".")
        name = name or directory.rpartition("/")[2]
        words = ["any", f"e:{extension.lower() if stem else ''}", f"s:{_shape(name)}"]
        words += [f"n:{word.lower()}" for word in _WORD.findall(name)[:_MOST_WORDS]]
        words += [f"w:{word.lower()}" for word in _WORD.findall(link.anchor)[:_MOST_WORDS]]
        return (
            self._model.places(dict.fromkeys(words))
            + self._in_common("t:", link.tag_path)
            + self._in_common("f:", link.found_on.rpartition("/")[0])
            + self._in_common("d:", directory)
        )

    def _in_common(self, kind: str, text: str) -> Features:
        known = self._shared.get(kind + text)
        if known is None:
            if len(self._shared) >= _REMEMBERED:
                self._shared.clear()
            known = self._shared[kind + text] = self._model.places(_tokens(kind, text))
        return known


def _chances(scores: Any) -> Any:
    return 1 / (1 + np.exp(-np.maximum(scores, _LOWEST)))


def _shape(name: str) -> str:
    """How a name is built: each word is the same, each digit is the same.

    >>> _shape("gdp-by-region_2024.html")
    'a-a-a_0000.a'
    """
    return _DIGIT.sub("0", _LETTERS.sub("a", name))[:_LONGEST_SHAPE]


def _tokens(kind: str, text: str) -> dict[str, None]:
    if kind == "t:":
        return dict.fromkeys(kind + element for element in text.split()[-_MOST_ELEMENTS:])
    if kind == "f:":
        return {kind + text: None}
    segments = text.split("/")[2:]
    tokens = dict.fromkeys(kind + segment for segment in segments)
    tokens |= {f"n:{word.lower()}": None for word in _WORD.findall("/".join(segments[1:]))}
    return tokens | {f"D:{'/'.join(segments[:n])}": None for n in range(1, len(segments) + 1)}
