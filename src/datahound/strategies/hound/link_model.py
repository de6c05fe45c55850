"""How likely a link's page is to have new targets, learned from the link's features."""

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datahound.learn.sparse_logistic import PADDING, Features, SparseLogistic
from datahound.model import Link
from datahound.settings import HoundSettings

# At most 131,072 weights, a megabyte: the features of larger sites share weights.
_BITS = 17
_SLOW = ("n:", "w:")
"""Prefixes of features that are words: there are many, and one page says little about each."""
_MAX_SHARED = 20_000
_WORD = re.compile(r"[^\W\d_]{2,}")
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_MAX_SEGMENTS = 30
# The first words of a longer text say what it is about.
_MAX_WORDS = 12
_MAX_SHAPE = 12
# The last elements are the link and those around it; the first ones are the same on all pages.
_MAX_ELEMENTS = 4
_MIN_SCORE = math.log(0.001 / (1 - 0.001))
"""A link's chance is at least 0.001, so that every group can still be chosen."""
_MAX_ROWS = 1 << 20
"""A power of two. A link whose row was overwritten by another is read again."""
_WIDTH = 48
"""Features per link; hardly any link has more, and further ones are left out."""


class LinkModel:
    """Logistic regression on features of a link that are known before it is followed.

    chance(link) = P(its page has new targets) = 1 / (1 + e^-Σ w_i), see `SparseLogistic`.

    The features are words of the anchor, of the last path segment and of the directories, the
    shape of the last segment, the extension, the directories, the last elements of the tag path
    and the directory of the page that the link was found on. Each has a weight for the whole
    site, so links in a new section are judged by what they share with links that were followed.
    """

    def __init__(self, settings: HoundSettings | None = None) -> None:
        rate = (settings or HoundSettings()).worth_rate
        self._model = SparseLogistic(_BITS, rate, _SLOW)
        self._rows = _FeatureRows()
        self._shared: dict[str, Features] = {}
        """Features that many links share: those of a directory or of a tag path."""

    def estimate_chances(
        self, links: Sequence[Link], numbers: NDArray[np.int64] | None = None
    ) -> NDArray[np.float64]:
        """The chance of each link. With their `numbers`, cached links are not looked at."""
        if numbers is None:
            numbers = np.array([link.number for link in links], np.int64)
        rows, missing = self._rows.find(numbers)
        for place in missing:
            rows[place] = self._rows.add(links[place].number, self._read_link(links[place]))
        chances: NDArray[np.float64] = _to_chances(self._model.score_rows(rows))
        return chances

    def read(self, link: Link) -> NDArray[np.int32]:
        """The features of a link, from the cache if they are there."""
        row = self._rows.get(link.number)
        return self._rows.add(link.number, self._read_link(link)) if row is None else row

    def learn(self, link: Link, *, brought: bool) -> float:
        """Learn whether a link's page had new targets; returns the chance that it had before."""
        row = self.read(link)
        features = row[row != PADDING].tobytes()
        return float(_to_chances(self._model.learn(features, positive=brought)))

    def snapshot(self) -> dict[str, Any]:
        return self._model.snapshot()

    def restore(self, state: dict[str, Any]) -> None:
        self._model.restore(state)

    def _read_link(self, link: Link) -> Features:
        path = link.url.partition("?")[0]
        directory, _, name = path.rpartition("/")
        stem, _, extension = name.rpartition(".")
        name = name or directory.rpartition("/")[2]
        # "any" is a feature of every link: its weight is the bias.
        tokens = ["any", f"e:{extension.lower() if stem else ''}", f"s:{_shape_of(name)}"]
        tokens += [f"n:{word.lower()}" for word in _WORD.findall(name)[:_MAX_WORDS]]
        tokens += [f"w:{word.lower()}" for word in _WORD.findall(link.anchor)[:_MAX_WORDS]]
        return (
            self._model.hash_tokens(dict.fromkeys(tokens))
            + self._read_shared("t:", link.tag_path)
            + self._read_shared("f:", link.found_on.rpartition("/")[0])
            + self._read_shared("d:", directory)
        )

    def _read_shared(self, prefix: str, text: str) -> Features:
        known = self._shared.get(prefix + text)
        if known is None:
            if len(self._shared) >= _MAX_SHARED:
                self._shared.clear()
            known = self._model.hash_tokens(_split_shared(prefix, text))
            self._shared[prefix + text] = known
        return known


class _FeatureRows:
    """A cache of features, a row per link: reading links again would take most of a choice's time.

    A link's row is its number modulo the size, which doubles up to `_MAX_ROWS`; 200 bytes each.
    """

    def __init__(self) -> None:
        self._rows = np.zeros((64, _WIDTH), np.int32)
        self._owners = np.zeros(64, np.int64)
        """The number of the link that has each row, plus 1; 0 for a free row."""

    def __len__(self) -> int:
        return len(self._owners)

    def find(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int32], list[int]]:
        """A row for each link, and the places of those that are not in the cache."""
        slots = numbers & (len(self) - 1)
        missing = np.flatnonzero(self._owners[slots] != numbers + 1).tolist()
        return self._rows.take(slots, axis=0), missing

    def get(self, number: int) -> NDArray[np.int32] | None:
        slot = number & (len(self) - 1)
        return self._rows[slot] if self._owners[slot] == number + 1 else None

    def add(self, number: int, features: Features) -> NDArray[np.int32]:
        """Keep the features of a link; returns its row."""
        self._make_room(number)
        slot = number & (len(self) - 1)
        row: NDArray[np.int32] = self._rows[slot]
        hashes = np.frombuffer(features, np.int32)[:_WIDTH]
        row[: len(hashes)] = hashes
        row[len(hashes) :] = PADDING
        self._owners[slot] = number + 1
        return row

    def _make_room(self, number: int) -> None:
        size = len(self)
        if number < size or size >= _MAX_ROWS:
            return
        size = min(1 << number.bit_length(), _MAX_ROWS)
        # In place: a copy would need the memory of both while it is made.
        self._rows.resize((size, _WIDTH), refcheck=False)
        self._owners.resize(size, refcheck=False)


def _to_chances(scores: Any) -> Any:
    return 1 / (1 + np.exp(-np.maximum(scores, _MIN_SCORE)))


def _shape_of(name: str) -> str:
    """How a name is built: every word is an `a`, every digit a `0`.

    >>> _shape_of("gdp-by-region_2024.html")
    'a-a-a_0000.a'
    """
    # Digits one by one, so that years differ from shorter and longer numbers.
    return _DIGIT.sub("0", _LETTERS.sub("a", name))[:_MAX_SHAPE]


def _split_shared(prefix: str, text: str) -> dict[str, None]:
    """The distinct tokens of a tag path (t:), a page's directory (f:) or a directory (d:)."""
    if prefix == "t:":
        return dict.fromkeys(prefix + element for element in text.split()[-_MAX_ELEMENTS:])
    if prefix == "f:":
        return {prefix + text: None}
    # Bounded, because each is joined with all before it, and a hostile path has thousands.
    segments = text.split("/", _MAX_SEGMENTS)[2:_MAX_SEGMENTS]
    tokens = dict.fromkeys(prefix + segment for segment in segments)
    tokens |= {f"n:{word.lower()}": None for word in _WORD.findall("/".join(segments[1:]))}
    return tokens | {f"D:{'/'.join(segments[:n])}": None for n in range(1, len(segments) + 1)}
