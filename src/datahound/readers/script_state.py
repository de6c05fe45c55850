"""URLs in the text of scripts: the state that an app is given as JSON, and `onclick` handlers.

Only string literals are looked at; nothing is run. Every step is linear in the length of the text.
"""

import json
import re
from collections.abc import Iterator

from datahound.web.types import BLOCKED_EXTENSIONS, FILE_TYPES, PAGE_EXTENSIONS

_MAX_TEXT = 2 << 20
_MAX_REFERENCE = 2000
# The closing quote is optional, so that what was scanned is never scanned again.
_DOUBLE = r'"((?:[^"\\\n]|\\.)*+)"?'
_SINGLE = r"'((?:[^'\\\n]|\\.)*+)'?"
_LITERAL = re.compile(f"{_DOUBLE}|{_SINGLE}")
_BEGINS = ("http://", "https://", "/", "./", "../", "?")
_EXTENSIONS = PAGE_EXTENSIONS | {extension for kind in FILE_TYPES for extension in kind.extensions}
_CONFIGURATION = frozenset({"json", "jsonld", "rss", "text", "xml", "yaml"})
"""Types whose files are mostly settings of a program, where a script names them."""
_DATA = frozenset(e for kind in FILE_TYPES if kind.group != "text" for e in kind.extensions)
_NO_SETTINGS = frozenset(
    e for kind in FILE_TYPES if kind.name not in _CONFIGURATION for e in kind.extensions
)
_QUOTED = r"""(?:"([^"\\\n]{1,2000})"|'([^'\\\n]{1,2000})')"""
_MARK = re.compile(rf"""\.(?:{"|".join(sorted(e[1:] for e in _DATA))})["'`?#\\]""", re.IGNORECASE)
# An address that a script puts together from parts is not known before it runs.
_ALONE = r"(?!\s{0,5}\+)"
_OPENS = re.compile(
    r"\b(?:location(?:\.href)?\s{0,5}=(?!=)|location\.(?:replace|assign)\(|window\.open\()\s{0,5}"
    + _QUOTED
    + _ALONE
)
_ASKS = re.compile(
    r"(?:\b(?:fetch|getJSON|axios|(?:axios|\$|jQuery)\.get)\(|\.load\(|\.open\(\s{0,5}[\"']GET[\"']\s{0,5},"
    r"|\bajax\(\s{0,9}\{[^{}]{0,200}?\burl\s{0,5}:"
    r"|\b(?:ajax(?:URL)?|sAjaxSource)[\"']?\s{0,5}:\s{0,5}(?:\{[^{}]{0,200}?\burl[\"']?\s{0,5}:)?)\s{0,5}"
    + _QUOTED
    + _ALONE
    + r"(?![^{}]{0,200}POST)"
)
_ASKING = ("fetch(", "getJSON(", ".get(", "axios(", ".load(", ".open(", "ajax", "Ajax")
_NAMED = re.compile(r"""([+(]?)\s{0,5}["'`]([^"'`\s<>]{1,2000})["'`]""" + _ALONE)
_KEYED = re.compile(
    r"""\b(?:url|src|href)["']?\s{0,5}:\s{0,5}["']([^"'\s<>\\]{1,500})["']""" + _ALONE
)
_WRITTEN = re.compile(r"""\bhref=\\?["']?([^"'\s<>\\+]{1,500})""", re.IGNORECASE)
"""Links that a script writes into its page."""


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
    if not text.isprintable() or "<" in text or not text.strip("/?."):
        return False
    if " " in text:
        # People put blanks into the names of files; elsewhere they separate words.
        return (
            text.startswith(_BEGINS) and text == text.strip() and _extension(text) in _NO_SETTINGS
        )
    if text.startswith(_BEGINS):
        return True
    is_relative = ":" not in text.partition("#")[0].partition("?")[0]
    return is_relative and _extension(text) in _EXTENSIONS


def names_data(text: str) -> bool:
    """Whether a text is a reference whose name is that of a data file.

    >>> names_data("/t/a.csv?v=2"), names_data("/t/a.html"), names_data("all.csv files")
    (True, False, False)
    """
    return looks_like_reference(text) and _extension(text) in _DATA


def may_be_page(text: str) -> bool:
    """Whether a text is certainly an address, but not of a picture, a sound or a film.

    >>> may_be_page("/list?page=2"), may_be_page("/logo.png"), may_be_page("list")
    (True, False, False)
    """
    is_address = text.startswith(_BEGINS) and looks_like_reference(text)
    return is_address and _extension(text) not in BLOCKED_EXTENSIONS


def names_certain_data(text: str) -> bool:
    """Like `names_data`, without JSON, XML and YAML: if a script names these, they are settings."""
    return looks_like_reference(text) and _extension(text) in _NO_SETTINGS


def is_certain_extension(extension: str) -> bool:
    """Whether an extension is that of data files, and never of settings."""
    return extension in _NO_SETTINGS


def find_script_links(text: str) -> Iterator[str]:
    """What a script opens, and the files of data that it names.

    A bare name counts as the first argument of a call only: elsewhere it is the name under which
    a script saves what it makes itself.

    >>> list(find_script_links('d3.csv("a.csv"); f = "/b.xlsx"; n = "c.csv"; location = "/d/"'))
    ['/d/', 'a.csv', '/b.xlsx']
    >>> list(find_script_links("w('<a href=e.xls>'); show({data: {url: 'f.csv'}})"))
    ['e.xls', 'f.csv']
    """
    text = text[:_MAX_TEXT]
    for found in _OPENS.finditer(text) if "location" in text or "window.open" in text else ():
        if looks_like_reference(reference := found[1] or found[2]):
            yield reference
    if not _MARK.search(text):
        return
    for pattern in (_WRITTEN, _KEYED) if "href" in text or ":" in text else ():
        yield from (found[1] for found in pattern.finditer(text) if names_certain_data(found[1]))
    for found in _NAMED.finditer(text):
        before, reference = found[1], found[2].replace("\\/", "/")
        if before == "+" or "\\" in reference:
            continue
        is_argument = before == "(" and names_data(reference)
        if is_argument or ("/" in reference and names_certain_data(reference)):
            yield reference


def find_named_pages(text: str) -> Iterator[str]:
    """The string literals of a script that have the name of a page, as in menus of old.

    >>> list(find_named_pages("d.add(1, 0, 'Population', 'pop.htm'); d.add(2, 0, 'a.b')"))
    ['pop.htm']
    """
    for reference in find_references(text):
        if _extension(reference) in PAGE_EXTENSIONS:
            yield reference


def find_asked(text: str) -> Iterator[str]:
    """The URLs that a script requests while it runs, as far as they are written out.

    >>> list(find_asked("fetch('/api/a').then(show); $('#x').load('/b'); fetch('/c' + id)"))
    ['/api/a', '/b']
    """
    text = text[:_MAX_TEXT]
    for found in _ASKS.finditer(text) if any(mark in text for mark in _ASKING) else ():
        if looks_like_reference(reference := found[1] or found[2]):
            yield reference


def _extension(reference: str) -> str:
    path = reference.partition("#")[0].partition("?")[0]
    stem, dot, extension = path.rpartition("/")[2].rpartition(".")
    return dot + extension.lower() if stem else ""


def _unescape(literal: str) -> str:
    """The text of a literal with JSON escapes; other escapes of JavaScript are rare in URLs."""
    try:
        text = json.loads(f'"{literal}"', strict=False)
    except ValueError:
        return ""
    return str(text)
