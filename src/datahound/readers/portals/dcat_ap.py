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
from datahound.web.urls import join

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
        self._base = ""
        self._directive = ""
        """`prefix` or `base` until its address has come."""
        self._stack: list[tuple[str, str]] = []
        """The subjects around a blank node, each with the property that it is an object of."""

    def read(self) -> list[Node]:
        """Read until the end, or as far as the text can be understood."""
        # The subject and the property that the next objects belong to.
        subject, name, is_type = "", "", False
        position = 0
        for _ in range(_MAX_TOKENS):
            token = _TOKEN.match(self._text, position)
            if token is None or len(self._stack) > _MAX_DEPTH:
                break
            position = token.end()
            kind, value = token.lastgroup, token.group(token.lastgroup or 0)
            if self._directive and value != ".":
                self._read_directive(kind, value)
                continue
            if kind == "mark":
                subject, name = self._read_mark(value, subject, name)
                continue
            if kind == "extra":
                # A language, a type of a literal (whose name follows), or a directive.
                is_type = value == "^^"
                if value in ("@prefix", "@base"):
                    self._directive = value[1:]
                continue
            if is_type:
                is_type = False
                continue
            subject, name = self._take(subject, name, kind or "", value)
        return list(self._nodes.values())

    def _read_directive(self, kind: str | None, value: str) -> None:
        """The rest of a directive: prefixes are dropped, since names are known by their ends."""
        if kind == "iri":
            self._base = value if self._directive == "base" else self._base
            self._directive = ""

    def _read_mark(self, mark: str, subject: str, name: str) -> tuple[str, str]:
        """The subject and property after a mark: of a statement, a property, or a blank node."""
        if mark == ".":
            self._stack.clear()
            self._directive = ""
            return "", ""
        if mark == ";":
            return subject, ""
        if mark == "[":
            self._blank += 1
            inner = f"_:{self._blank}"
            if subject and name:
                self._add(subject, name, {"@id": inner})
            self._stack.append((subject, name))
            return inner, ""
        return self._stack.pop() if mark == "]" and self._stack else (subject, name)

    def _take(self, subject: str, name: str, kind: str, value: str) -> tuple[str, str]:
        """A name or a literal: the subject, its property, or an object."""
        text = value if kind in ("iri", "name") else _unescape(value)
        if kind == "name" and text.endswith(".") and len(text) > 1:
            # The end of a statement without a blank before it.
            self._take(subject, name, kind, text.rstrip(".") or "_")
            return "", ""
        if kind == "name" and text.lower() in ("prefix", "base") and not subject:
            self._directive = text.lower()
            return "", ""
        if kind == "iri":
            text = _resolve(text, self._base)
        if not subject:
            return text, ""
        if not name:
            # `a` is short for rdf:type (Turtle, 2.4).
            return subject, "@type" if text == "a" else localize(text)
        value_: Any = {"@id": text} if kind in ("iri", "name") and name != "@type" else text
        self._add(subject, name, value_)
        return subject, name

    def _add(self, subject: str, name: str, value: Any) -> None:
        node = self._nodes.setdefault(subject, {"@id": subject})
        # A text must not change the name of a node by a property called "@id".
        if name != "@id":
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


def _resolve(reference: str, base: str) -> str:
    """A reference in full, where a text says what its references are relative to."""
    if not base or "://" in reference or reference.startswith("_:"):
        return reference
    # The fragment is kept, since it tells the things of one document apart.
    head, mark, fragment = reference.partition("#")
    return f"{(join(base, head) if head else base) or head}{mark}{fragment}"


def read_rdf(root: Element) -> list[Node]:
    """Every described thing as a node."""
    nodes: dict[str, Node] = {}
    base = root.get("base")
    # Things, and properties, alternate by depth.
    waiting = list(root.children)
    while waiting:
        thing = waiting.pop()
        name = _name_of(thing, base)
        node = nodes.setdefault(name, {"@id": name})
        is_property = thing.get("parsetype") == "Resource"
        if thing.name != "description" and not is_property:
            node.setdefault("@type", []).append(thing.name)
        for attribute, value in thing.attributes():
            if attribute not in _OF_RDF:
                node.setdefault(attribute, []).append(value)
        for part in thing.children:
            node.setdefault("@type" if part.name == "type" else part.name, []).append(
                _value_of(part, base)
            )
            # RDF/XML, 7.2.18: such a property is the thing that it leads to.
            waiting += [part] if part.get("parsetype") == "Resource" else part.children
    return list(nodes.values())


_OF_RDF = frozenset("about nodeid id resource lang base datatype parsetype".split())


def _name_of(thing: Element, base: str) -> str:
    if name := thing.get("about") or thing.get("id"):
        return _resolve(name, base)
    # A thing without a name is itself only; the tree keeps it alive, so ids differ.
    return f"_:{thing.get('nodeid') or id(thing)}"


def _value_of(part: Element, base: str) -> Any:
    if reference := part.get("resource"):
        return reference if part.name == "type" else {"@id": _resolve(reference, base)}
    if inner := part.get("nodeid"):
        return {"@id": f"_:{inner}"}
    if part.get("parsetype") == "Resource":
        return {"@id": _name_of(part, base)}
    if part.children:
        return {"@id": _name_of(part.children[0], base)}
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
