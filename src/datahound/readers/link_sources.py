"""Links from other places than `a`, `area`, `frame` and `iframe`: what names a URL, and where.

A source is a mark at the end of the tag path: strategies group links by it and learn which pay.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from datahound.web.types import FILE_TYPES, PAGE_EXTENSIONS

# States of apps have megabytes; the links of a page are near the beginning.
_MAX_TEXT = 2 << 20
_MAX_LITERAL = 2000
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
        if not literal or len(literal) > _MAX_LITERAL:
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


REFRESH = "@refresh"
HEADER = "@header"
LINK = "@link"
_STATE = "@state"
_ONCLICK = "@onclick"
_RELATIONS = frozenset({"alternate", "next", "prev", "describedby", "canonical"})
_ELEMENTS = {"object": "data", "embed": "src", "source": "src", "option": "value"}
_DATA = ("data-href", "data-url", "data-file", "data-src")
_PLAIN = "link[rel][href], object[data], embed[src], source[src], option[value], meta[content]"
_SCRIPTED = ("application/json", "application/vnd.api+json")
# A quick look at the bytes says which selectors can match at all: most pages have few of them.
_SELECTORS = {
    **{name.encode(): f"[{name}]" for name in _DATA},
    b"onclick": "[onclick]",
    b"javascript:": 'a[href^="javascript:" i]',
    b"xlink:href": "a",
    b"application/": 'script[type^="application/" i]',
    b"window.__": "script:not([src])",
}
_MAX_REFERENCE = 4000
_MAX_LINKS = 1000
"""Links of one page from these sources; a page with more is hardly made for people."""
_REFRESH_URL = re.compile(r"\A[\d.]{0,20}[\s;,]{0,20}(?:url\s{0,20}=\s{0,20})?", re.IGNORECASE)
_HEADER_ITEM = re.compile(r'<([^<>"]{1,4000})>([^<]{0,1000})')
_HEADER_RELATION = re.compile(r';\s{0,9}rel\s{0,9}=\s{0,9}"?([^";,]{1,100})', re.IGNORECASE)


class Reference(NamedTuple):
    """A reference to a URL, its source, and the element that has it."""

    reference: str
    source: str
    node: LexborNode | None = None


def find_further(tree: LexborHTMLParser, body: bytes) -> list[Reference]:
    """The references of a page that its links do not have, in the order of the page."""
    lower = body.lower()
    selectors = [selector for mark, selector in _SELECTORS.items() if mark in lower]
    # An element that two selectors match is found twice.
    nodes = {node.mem_id: node for node in tree.css(", ".join([_PLAIN, *selectors]))}
    found: list[Reference] = []
    for node in nodes.values():
        found += (Reference(*pair, node) for pair in _references(node) if _fits(pair[0]))
        if len(found) >= _MAX_LINKS:
            break
    return found[:_MAX_LINKS]


def find_in_headers(headers: Mapping[str, str]) -> list[Reference]:
    """The references in the headers `Link` and `Refresh` of an answer.

    >>> [named.reference for named in find_in_headers({"link": '</b>; rel="next", </a>; rel=icon'})]
    ['/b']
    """
    refresh = _refresh(headers.get("refresh", ""))
    found = [Reference(refresh, REFRESH)] if _fits(refresh) else []
    for item in _HEADER_ITEM.finditer(headers.get("link", "")[: _MAX_REFERENCE * 4]):
        relation = _HEADER_RELATION.search(item[2])
        if relation and _RELATIONS & set(relation[1].lower().split()):
            found.append(Reference(item[1], HEADER))
    return found[:_MAX_LINKS]


def _references(node: LexborNode) -> Iterator[tuple[str, str]]:
    attributes, tag = node.attributes, node.tag or ""
    match tag:
        case "link":
            if _RELATIONS & set((attributes.get("rel") or "").lower().split()):
                yield attributes.get("href") or "", LINK
        case "meta":
            if (attributes.get("http-equiv") or "").lower() == "refresh":
                yield _refresh(attributes.get("content") or ""), REFRESH
        case "option":
            value = attributes.get("value") or ""
            if looks_like_reference(value):
                yield value, "@option"
        case "script":
            yield from ((reference, _STATE) for reference in _state(node))
        case "a":
            yield from _of_anchor(attributes)
        case _ if tag in _ELEMENTS:
            yield attributes.get(_ELEMENTS[tag]) or "", f"@{tag}"
    yield from _of_attributes(attributes)


def _of_anchor(attributes: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    if reference := attributes.get("xlink:href"):
        yield reference, "@xlink"
    reference = attributes.get("href") or ""
    if reference[:20].lstrip().lower().startswith("javascript:"):
        yield from ((found, _ONCLICK) for found in find_references(reference))


def _of_attributes(attributes: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    for name in _DATA:
        if value := attributes.get(name):
            yield value, f"@{name}"
    if script := attributes.get("onclick"):
        yield from ((reference, _ONCLICK) for reference in find_references(script))


def _state(node: LexborNode) -> Iterator[str]:
    """References in a block of JSON, or in a script that sets the state of an app."""
    attributes = node.attributes
    if (attributes.get("type") or "").strip().lower() in _SCRIPTED:
        return find_references(node.text())
    if "src" in attributes or ("type" in attributes and "json" in (attributes["type"] or "")):
        return iter(())
    text = node.text()
    return find_references(text) if "window.__" in text[:1000] else iter(())


def _refresh(content: str) -> str:
    """The URL of a refresh, or '' if the page only reloads itself.

    >>> _refresh("5; URL='/next'"), _refresh("300")
    ('/next', '')
    """
    rest = _REFRESH_URL.sub("", content.strip(), count=1)
    quote = rest[:1]
    if quote in ("'", '"'):
        return rest[1:].partition(quote)[0].strip()
    return rest.strip()


def _fits(reference: str) -> bool:
    """Whether a reference may be a URL; `data:` and templates that a script fills in are not."""
    return 0 < len(reference) <= _MAX_REFERENCE and "{" not in reference and reference[0] != "#"
