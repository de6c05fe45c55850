"""Turtle, as far as catalogues use it: names, prefixes, literals, lists of objects, blank nodes."""

import re
from typing import Any

from datahound.readers.linked_data import Node, localize

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
_MAX_TOKENS = 3_000_000
_MAX_DEPTH = 50
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
            return chr(number) if number <= 0x10FFFF else "\ufffd"
        return _ESCAPED.get(code, code)

    return _ESCAPE.sub(decode, text)
