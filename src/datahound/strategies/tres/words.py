"""Words of pages and links, and the keywords that hint at targets."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files

_SINGLE_WORDS = 43
"""Lines of the list that are words; the rest are phrases."""
_MISSPELT = {"download pulication": "download publication"}
_WORD = re.compile(r"[^\W\d_]+")
_SCHEME = re.compile(r"^https?://")
_STOP_WORDS = frozenset(
    "about after all also an and any are as at be been but by can could did do does each for from "
    "had has have he her here him his how if in into is it its just me more most my no nor not now "
    "of off on only or other our out over own same she should so some such than that the their "
    "them then there these they this those through to too under until up very was we were what "
    "when where which while who whom why will with would you your".split()
)


@dataclass(frozen=True, slots=True)
class Text:
    """A text as the relevance model reads it."""

    words: tuple[str, ...]
    """In lower case, without stop words and single letters."""
    keywords: int = 0
    """How many of its words are keywords."""
    has_phrase: bool = False
    keyword_in_url: bool = False


class Keywords:
    """The words and phrases that hint at a page with targets."""

    def __init__(self, words: Iterable[str] = (), phrases: Iterable[str] = ()) -> None:
        self.words = frozenset(words)
        self.phrases = tuple(phrases)
        # Words that are learned later count in texts only, as in the published code.
        self._in_url = _match_any(sorted(self.words))
        self._phrase = _match_any(self.phrases)

    def expand(self, learned: Iterable[str]) -> "Keywords":
        """The same keywords, and learned ones that count in texts."""
        expanded = Keywords(self.words, self.phrases)
        expanded.words = self.words | frozenset(learned)
        return expanded

    def read(self, text: str, url: str, most: int) -> Text:
        """The words of a text, `most` of them at most, and which keywords it has."""
        lowered = _spell_out(text)
        words = [w for w in lowered.split() if len(w) > 1 and w not in _STOP_WORDS][:most]
        return Text(
            tuple(words),
            sum(word in self.words for word in words),
            self.is_phrase_in(lowered),
            self.is_in_url(url),
        )

    def is_in_url(self, url: str) -> bool:
        return self._in_url is not None and self._in_url.search(url.lower()) is not None

    def find_hints(self, text: str) -> tuple[bool, bool]:
        """Whether a keyword, and whether a phrase, is in a text, punctuation aside."""
        lowered = _spell_out(text)
        return any(word in self.words for word in lowered.split()), self.is_phrase_in(lowered)

    def is_phrase_in(self, text: str) -> bool:
        return self._phrase is not None and self._phrase.search(text) is not None


def _spell_out(text: str) -> str:
    """The words of a text in lower case, a blank between them."""
    return " ".join(_WORD.findall(text.lower()))


def read_keywords(*, mended: bool) -> Keywords:
    """The 43 words and 31 phrases of the published adaptation.

    Three have capitals and so never match a text in lower case, and one is misspelt: `mended`
    corrects these.
    """
    lines = files(__package__).joinpath("keywords.txt").read_text("utf-8").split("\n")
    listed = [line for line in lines if line]
    if mended:
        listed = [_MISSPELT.get(line, line).lower() for line in listed]
    return Keywords(listed[:_SINGLE_WORDS], listed[_SINGLE_WORDS:])


def read_link_text(anchor: str, url: str) -> str:
    """What is known of a page before it is fetched: the anchor, and the words of the URL."""
    return f"{anchor} {_SCHEME.sub('', url)}"


def find_typical_words(
    positive: Sequence[Text], negative: Sequence[Text], keywords: frozenset[str]
) -> set[str]:
    """Words as typical of positive documents as the keywords are on average.

    A word's weight is its log odds ln((p + 1)/(P + 2)) - ln((n + 1)/(N + 2)), over the documents
    that have it.
    """
    counts = [
        Counter(w for text in texts for w in set(text.words)) for texts in (positive, negative)
    ]
    known = [word for word in keywords if word in counts[0] or word in counts[1]]
    if not known:
        return set()

    def weigh(word: str) -> float:
        there = (counts[0][word] + 1) / (len(positive) + 2)
        elsewhere = (counts[1][word] + 1) / (len(negative) + 2)
        return math.log(there / elsewhere)

    # Sorted, because the order of a set, and so the rounding of the sum, differs between processes.
    threshold = sum(map(weigh, sorted(known))) / len(known)
    return {word for word in counts[0] if weigh(word) > threshold} - keywords


def _match_any(texts: Sequence[str]) -> "re.Pattern[str] | None":
    return re.compile("|".join(map(re.escape, texts))) if texts else None
