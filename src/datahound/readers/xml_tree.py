"""XML as a tree of elements, read tolerantly, in linear time, without the entities of a DOCTYPE.

A strict parser stops at the first error, and feeds and sitemaps of real sites have many. This one
keeps what it understands. Namespace prefixes are dropped, because servers get them wrong.
"""

import re
from collections.abc import Iterator
from html import unescape

_TAG = re.compile(
    r"""<(/?)([^\s<>/="'!?]++)((?:\s++[^\s=<>"'/]++\s*+=\s*+(?:"[^"<]*+"|'[^'<]*+'))*+)\s*+(/?)>"""
)
_ATTRIBUTE = re.compile(r"""(?<![^\s"'])([^\s=<>"'/]++)\s*+=\s*+(?:"([^"<]*+)"|'([^'<]*+)')""")
# A sitemap of 50,000 URLs has about 200,000.
_MAX_ELEMENTS = 500_000
_MAX_DEPTH = 200
"""Deeper elements are dropped; no format of the web nests as deep."""
_MAX_TEXT = 100_000
_COMMENT, _CDATA, _INSTRUCTION, _DECLARATION = "<!--", "<![CDATA[", "<?", "<!"


class Element:
    """An element: its local name in lower case, its attributes, its children and its own text."""

    __slots__ = ("_attributes", "children", "name", "text")

    def __init__(self, name: str, attributes: str = "") -> None:
        self.name = name
        self._attributes = attributes
        self.children: list[Element] = []
        self.text = ""

    def get(self, name: str, default: str = "") -> str:
        """The value of an attribute, by its local name in lower case."""
        for key, double, single in _ATTRIBUTE.findall(self._attributes):
            if _localize(key) == name:
                return unescape(double or single).strip()
        return default

    def attributes(self) -> Iterator[tuple[str, str]]:
        """The local names in lower case of all attributes, without namespaces, and their values."""
        for key, double, single in _ATTRIBUTE.findall(self._attributes):
            if not key.startswith("xmlns"):
                yield _localize(key), unescape(double or single).strip()

    def all(self, *names: str) -> Iterator["Element"]:
        """The children with one of these names."""
        return (child for child in self.children if child.name in names)

    def first(self, *path: str) -> "Element | None":
        """The first child of this name, then the first of the next name in it, and so on."""
        found: Element | None = self
        for name in path:
            found = next((c for c in found.children if c.name == name), None) if found else None
        return found

    def read(self, *path: str) -> str:
        """The text of the first element on a path, with all that is in it; '' without one."""
        found = self.first(*path)
        return " ".join(" ".join(e.text for e in found.walk()).split()) if found else ""

    def walk(self) -> Iterator["Element"]:
        """This element and all below it, in the order of the text."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += reversed(element.children)

    def find_all(self, *names: str) -> Iterator["Element"]:
        """The elements below with one of these names, at any depth."""
        return (element for element in self.walk() if element.name in names)


def parse_xml(text: str) -> Element | None:
    """The root element of a text, as far as it can be understood; None if there is none."""
    tree = _Tree()
    position = 0
    while not tree.is_full:
        start = text.find("<", position)
        if start < 0:
            break
        tree.add_text(text[position:start])
        tag = _TAG.match(text, start)
        if tag is not None:
            tree.add_tag(*tag.groups())
            position = tag.end()
        else:
            position = _skip_markup(tree, text, start)
        if position < 0:
            break
    return tree.root.children[0] if tree.root.children else None


def _skip_markup(tree: "_Tree", text: str, start: int) -> int:
    """Where to go on behind markup other than a tag; -1 if it never ends."""
    if text.startswith(_CDATA, start):
        end = text.find("]]>", start)
        tree.add_text(text[start + len(_CDATA) : end if end >= 0 else None], is_raw=True)
        return end + 3 if end >= 0 else -1
    if text.startswith(_COMMENT, start):
        end = text.find("-->", start + 4)
        return end + 3 if end >= 0 else -1
    if text.startswith(_INSTRUCTION, start):
        end = text.find("?>", start)
        return end + 2 if end >= 0 else -1
    if text.startswith(_DECLARATION, start):
        return _skip_declaration(text, start)
    tree.add_text("<")
    return start + 1


def _skip_declaration(text: str, start: int) -> int:
    """The end of a DOCTYPE; the entities that it declares are never used."""
    end, inside = text.find(">", start), text.find("[", start)
    if 0 <= inside < end:
        inner_end = text.find("]", inside)
        end = text.find(">", inner_end) if inner_end >= 0 else -1
    return end + 1 if end >= 0 else -1


class _Tree:
    """The tree so far, and the elements that are open."""

    def __init__(self) -> None:
        self.root = Element("")
        self._open = [self.root]
        self._too_deep = 0
        self._elements = 0
        self._texts: list[str] = []

    @property
    def is_full(self) -> bool:
        return self._elements >= _MAX_ELEMENTS

    def add_text(self, text: str, *, is_raw: bool = False) -> None:
        if text and not self._too_deep:
            self._texts.append(text if is_raw or "&" not in text else unescape(text))

    def add_tag(self, slash: str, name: str, attributes: str, closed: str) -> None:
        self._keep_text()
        name = _localize(name)
        if slash:
            self._close(name)
        elif self._too_deep or len(self._open) > _MAX_DEPTH:
            # Counted, so that their end tags close nothing else.
            self._too_deep += not closed
        else:
            self._elements += 1
            element = Element(name, attributes)
            self._open[-1].children.append(element)
            if not closed:
                self._open.append(element)

    def _keep_text(self) -> None:
        if self._texts:
            element = self._open[-1]
            if len(element.text) < _MAX_TEXT:
                text = "".join(self._texts)[:_MAX_TEXT].strip()
                element.text = f"{element.text} {text}".strip() if element.text else text
            self._texts = []

    def _close(self, name: str) -> None:
        if self._too_deep:
            self._too_deep -= 1
            return
        # An end tag closes all that is open inside; one without a start tag is ignored.
        for place in range(len(self._open) - 1, 0, -1):
            if self._open[place].name == name:
                del self._open[place:]
                return


def _localize(name: str) -> str:
    """A name without its prefix, in lower case.

    >>> _localize("gmd:URL")
    'url'
    """
    return name.rpartition(":")[2].lower()
