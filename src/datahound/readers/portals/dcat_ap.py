"""DCAT-AP and schema.org: catalogues of linked data in JSON-LD, Turtle or RDF/XML.

Turtle is read as far as catalogues use it: names, prefixes, literals, lists of objects and blank
nodes. RDF/XML may be nested or in flat blocks that refer to each other.
"""

import re
from collections.abc import Iterator
from typing import Any

from datahound.model import Page
from datahound.readers.linked_data import Node, index_json, localize, make_catalogue_page
from datahound.readers.portals.platform import Found, PageView, Platform
from datahound.readers.xml_tree import Element

# Possessive quantifiers (`*+`) never go back, so hostile text costs linear time.
_TOKEN = re.compile(
    r"""\s*+(?:\#[^\n]*+\n?\s*+)*+
    (?:<(?P<iri>[^<>\s]{0,8000})>
    |\"\"\"(?P<long>(?:[^"\\]|\\.|"(?!""))*+)\"\"\"
    |'''(?P<lines>(?:[^'\\]|\\.|'(?!''))*+)'''
    |"(?P<text>(?:[^"\\\n]|\\.)*+)"
    |'(?P<plain>(?:[^'\\\n]|\\.)*+)'
    |(?P<mark>[;,.\[\]()])
    |(?P<extra>@[A-Za-z-]++|\^\^)
    |(?P<name>[^\s<>"';,\[\]()\#@^]++))""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
# About 60 for each dataset of a catalogue of 50,000.
_MAX_TOKENS = 3_000_000
_MAX_DEPTH = 50
# Turtle, Turtle with the words of SPARQL, and N-Triples.
_MARKS = ("@prefix", "prefix ", "<http", "@base")


def looks_like_turtle(text: str) -> bool:
    """Whether a text names DCAT, and begins like Turtle."""
    return text[:2000].lstrip().lower().startswith(_MARKS) and "ns/dcat#" in text


def parse_turtle(text: str) -> list[Node]:
    """The subjects of a text with their properties; reading ends at the first error."""
    return _Reader(text).read()


class _Reader:
    """Reads statement after statement; subjects have their properties by local name."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._nodes: dict[str, Node] = {}
        self._blank = 0

    def read(self) -> list[Node]:
        """Read until the end, or as far as the text can be understood."""
        # Each frame is a subject and the property that the next objects belong to.
        stack: list[tuple[str, str]] = []
        subject, name, is_type = "", "", False
        position = 0
        for _ in range(_MAX_TOKENS):
            token = _TOKEN.match(self._text, position)
            if token is None or len(stack) > _MAX_DEPTH:
                break
            position = token.end()
            kind, value = token.lastgroup, token.group(token.lastgroup or 0)
            if kind == "mark":
                if value == ".":
                    subject, name = "", ""
                    stack.clear()
                elif value == ";":
                    name = ""
                elif value == "[":
                    self._blank += 1
                    inner = f"_:{self._blank}"
                    if subject and name:
                        self._add(subject, name, {"@id": inner})
                    stack.append((subject, name))
                    subject, name = inner, ""
                elif value == "]" and stack:
                    subject, name = stack.pop()
                continue
            if kind == "extra":
                # A language, a type of a literal (whose name follows), or a directive.
                is_type = value == "^^"
                if value in ("@prefix", "@base"):
                    # A subject that no thing has: the rest of the directive is read and dropped.
                    subject, name = "@", "@"
                continue
            if is_type:
                is_type = False
                continue
            subject, name = self._take(subject, name, kind or "", value)
        return list(self._nodes.values())

    def _take(self, subject: str, name: str, kind: str, value: str) -> tuple[str, str]:
        """A name or a literal: the subject, its property, or an object."""
        text = value if kind in ("iri", "name") else _unescape(value)
        if kind == "name" and text.endswith(".") and len(text) > 1:
            # The end of a statement without a blank before it.
            self._take(subject, name, kind, text[:-1])
            return "", ""
        if text.lower() in ("prefix", "base") and not subject:
            return "", ""
        if not subject:
            return text, ""
        if not name:
            # `a` is short for rdf:type (Turtle, 2.4).
            return subject, "@type" if text == "a" else localize(text)
        if subject != "@":
            value_: Any = {"@id": text} if kind in ("iri", "name") and name != "@type" else text
            self._add(subject, name, value_)
        return subject, name

    def _add(self, subject: str, name: str, value: Any) -> None:
        node = self._nodes.setdefault(subject, {"@id": subject})
        node.setdefault(name, []).append(value)


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text

    def decode(found: re.Match[str]) -> str:
        code = found[1]
        if len(code) > 1:
            number = int(code[1:], 16)
            # The last code point of Unicode; `chr` fails beyond.
            return chr(number) if number <= 0x10FFFF else "\ufffd"
        return _ESCAPED.get(code, code)

    return _ESCAPE.sub(decode, text)


def read_rdf(root: Element) -> list[Node]:
    """Every described thing as a node."""
    nodes: dict[str, Node] = {}
    # Things, and properties, alternate by depth.
    waiting = list(root.children)
    while waiting:
        thing = waiting.pop()
        node = nodes.setdefault(_name_of(thing), {"@id": _name_of(thing)})
        if thing.name != "description":
            node.setdefault("@type", []).append(thing.name)
        for part in thing.children:
            node.setdefault("@type" if part.name == "type" else part.name, []).append(
                _value_of(part)
            )
            waiting += part.children
    return list(nodes.values())


def _name_of(thing: Element) -> str:
    name = thing.get("about") or thing.get("nodeid") or thing.get("id")
    # A thing without a name is itself only; the tree keeps it alive, so ids differ.
    return name or f"_:{id(thing)}"


def _value_of(part: Element) -> Any:
    reference = part.get("resource") or part.get("nodeid")
    if reference:
        return reference if part.name == "type" else {"@id": reference}
    if part.children:
        return {"@id": _name_of(part.children[0])}
    return part.text


NAME = "dcat-ap"


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    yield "catalogue", f"{base}/catalog.ttl"


def read(url: str, data: Any) -> Page | None:
    """The page of JSON-LD, if it has datasets."""
    roots = data if isinstance(data, list) else [data]
    if not any(
        isinstance(r, dict) and {"@context", "@graph", "@type"} & r.keys() for r in roots[:9]
    ):
        return None
    return make_catalogue_page(url, NAME, index_json(data))


def read_turtle(url: str, text: str) -> Page | None:
    """The page of Turtle, if it has datasets."""
    if not looks_like_turtle(text):
        return None
    return make_catalogue_page(url, NAME, parse_turtle(text))


def read_xml(url: str, root: Element) -> Page | None:
    """The page of RDF/XML, if it has datasets."""
    return make_catalogue_page(url, NAME, read_rdf(root)) if root.name == "rdf" else None


_LINK = re.compile(
    rb"""<link[^<>]{0,300}?type=["']?(?:text/turtle|application/ld\+json|application/rdf\+xml)["']?"""
    rb"""[^<>]{0,300}?href=["']([^"'<>]{1,1000})""",
    re.IGNORECASE,
)
_WORDS = (b"catalog", b"dcat")


def find(view: PageView) -> Iterator[Found]:
    """The catalogue that a page is said to have as linked data."""
    match = _LINK.search(view.head) if b"alternate" in view.lower else None
    if match and any(word in match[1].lower() for word in _WORDS):
        yield "catalogue", view.join(match[1]), "link"


PLATFORM = Platform(
    NAME,
    "DCAT-AP",
    read_json=read,
    read_xml=read_xml,
    endpoints=endpoints,
    find=find,
    is_general=True,
)
