"""URLs in the text of scripts: the state that an app is given as JSON, and `onclick` handlers.

Only string literals are looked at; nothing is run. Every step is linear in the length of the text.
"""

import json
import re
from collections.abc import Iterator

from datahound.web.types import FILE_TYPES, PAGE_EXTENSIONS

_MAX_TEXT = 2 << 20
_MAX_REFERENCE = 2000
# The closing quote is optional, so that what was scanned is never scanned again.
_DOUBLE = r'"((?:[^"\\\n]|\\.)*+)"?'
_SINGLE = r"'((?:[^'\\\n]|\\.)*+)'?"
_LITERAL = re.compile(f"{_DOUBLE}|{_SINGLE}")
_BEGINS = ("http://", "https://", "/", "./", "../", "?")
_EXTENSIONS = PAGE_EXTENSIONS | {extension for kind in FILE_TYPES for extension in kind.extensions}


def find_references(text: str) -> Iterator[str]:
    r"""The string literals of a script or of JSON that look like URLs.

    >>> list(find_references('{"file": "\\/data\\u002fa.csv", "title": "All data"}'))
    ['/data/a.csv']
    """
    for found in _LITERAL.finditer(text[:_MAX_TEXT]):
        literal = found[1] if found[1] is not None else found[2]
        if not literal or len(literal) > _MAX_REFERENCE:
            continue
        reference = _unescape(literal) if "\\" in literal else literal
        if looks_like_reference(reference):
            yield reference


def looks_like_reference(text: str) -> bool:
    """Whether a text is a URL, by how it begins or by the extension of its path.

    >>> [looks_like_reference(text) for text in ("data/a.csv", "/all", "and/or", "a b.csv", "/")]
    [True, True, False, False, False]
    """
    # A slash alone, or two, separates; it rarely means the start page.
    if not text.isprintable() or " " in text or "<" in text or not text.strip("/?."):
        return False
    if text.startswith(_BEGINS):
        return True
    path = text.partition("#")[0].partition("?")[0]
    stem, dot, extension = path.rpartition("/")[2].rpartition(".")
    return bool(stem) and ":" not in path and dot + extension.lower() in _EXTENSIONS


def _unescape(literal: str) -> str:
    """The text of a literal with JSON escapes; other escapes of JavaScript are rare in URLs."""
    try:
        text = json.loads(f'"{literal}"', strict=False)
    except ValueError:
        return ""
    return str(text)
