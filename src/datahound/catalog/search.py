"""Prepare text for the search index, and queries for SQLite FTS5, in any script."""

import re
import unicodedata

from datahound.text import fold_text

# Scripts without spaces between words, and Hangul, which joins words: each character is indexed as
# a word, and a word in a query becomes a phrase.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_MARKS = ("Mn", "Mc", "Co")
# Longer queries are pasted texts, and each word is a search of its own.
_MAX_WORDS = 16
# Short words that end so are rarely plurals: `bus`, `garten`.
_MIN_PLURAL, _MIN_LONG = 4, 9


def index_text(text: str) -> str:
    """A text as the index stores it.

    >>> index_text("人口 2020 Bevölkerung")
    ' 人  口  2020 bevolkerung'
    """
    plain = fold_text(text)
    # The tokenizer splits at blanks: this makes each character a token.
    return plain if plain.isascii() else _UNSPACED.sub(r" \g<0> ", plain)


def split_query(text: str) -> dict[str, str]:
    """The words of a query, each with its FTS5 expression: the beginning of a word, or a phrase.

    >>> split_query('Élèves "par" ecoles')
    {'eleves': '"eleve"*', 'par': '"par"*', 'ecoles': '"ecole"*'}
    >>> split_query("人口")
    {'人口': '"人 口"'}
    """
    terms = {}
    for word in _split_words(fold_text(text))[:_MAX_WORDS]:
        if _UNSPACED.search(word):
            terms[word] = '"' + " ".join(_UNSPACED.sub(r" \g<0> ", word).split()) + '"'
        else:
            terms[word] = f'"{_strip_plural(word)}"*'
    return terms


def _split_words(text: str) -> list[str]:
    # The same characters as in the tokenizer of the index (see `database`).
    split = "".join(
        char if unicodedata.category(char)[0] in "LN" or unicodedata.category(char) in _MARKS
        else " "
        for char in text
    )  # fmt: skip
    return split.split()


def _strip_plural(word: str) -> str:
    """A word without a plural s, which many languages share, or the ending of German plurals."""
    if len(word) >= _MIN_PLURAL and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word[:-2] if len(word) >= _MIN_LONG and word.endswith("en") else word
