"""Words as they are searched for: without case and accents, in any script."""

import re
import unicodedata

from datahound.text import fold_text

# Scripts that write no spaces between words (and Hangul, which glues words together): there each
# character is a word of its own, and a word that is looked for is a row of them.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_MOST_WORDS = 16
_PLURAL_LENGTH = 4


def indexed(text: str) -> str:
    """Text as it is written into the index.

    >>> indexed("人口 2020 Bevölkerung")
    ' 人  口  2020 bevolkerung'
    """
    plain = fold_text(text)
    return plain if plain.isascii() else _UNSPACED.sub(r" \g<0> ", plain)


def match_of(text: str) -> str:
    """The FTS5 expression for what somebody typed: all words, the beginning of each at least.

    >>> match_of('Élèves "par" ecoles')
    '"eleve"* AND "par"* AND "ecole"*'
    >>> match_of("人口")
    '"人 口"'
    """
    terms = []
    for word in _words(fold_text(text))[:_MOST_WORDS]:
        if _UNSPACED.search(word):
            terms.append('"' + " ".join(_UNSPACED.sub(r" \g<0> ", word).split()) + '"')
        else:
            terms.append(f'"{_stem(word)}"*')
    return " AND ".join(terms)


def _words(text: str) -> list[str]:
    # As the index splits: at anything that is no letter, digit or mark.
    split = "".join(
        char if unicodedata.category(char)[0] in "LN" or unicodedata.category(char) in _MARKS
        else " "
        for char in text
    )  # fmt: skip
    return split.split()


_MARKS = ("Mn", "Mc", "Co")


def _stem(word: str) -> str:
    """A word without the s of its plural, which many languages share."""
    plural = len(word) >= _PLURAL_LENGTH and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if plural else word
