"""HTML: links, anchors, titles, tag paths, declared files, text, and what could not be followed."""

from collections.abc import Iterator
from dataclasses import replace
from sys import intern

from selectolax.lexbor import LexborHTMLParser, LexborNode

from datahound.model import Link, Page, Response
from datahound.readers.forms import FORM, fill_forms
from datahound.readers.html_bytes import encode_query, to_utf8
from datahound.readers.link_sources import (
    CALL,
    EMBEDDED,
    HEADER,
    LINK,
    Reference,
    find_further,
    find_in_headers,
    find_in_query,
    find_of_shell,
    list_texts,
)
from datahound.readers.linked_data import declared_files
from datahound.readers.markup_limits import limit_markup
from datahound.readers.out_of_reach import name_unfetchable, needs_script_for_files
from datahound.settings import MAX_URL_LENGTH, PageSettings
from datahound.web.targets import name_of_type
from datahound.web.urls import Joiner

_ADDRESS = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}
_METADATA = "application/ld+json"
_WANTED = ", ".join(
    [
        *(f"{tag}[{attribute}]" for tag, attribute in _ADDRESS.items()),
        "base[href]",
        "title",
        f'script[type="{_METADATA}"]',
        "form",
    ]
)
_DECLARED = "html script.distribution"
"""The tag path of declared files, which have no element of their own."""
_ELEMENT_ORDER = {tag: rank for rank, tag in enumerate(_ADDRESS)}
_BLOCKS = frozenset(
    "address article aside blockquote body center dd details div dl dt fieldset figure footer form "
    "h1 h2 h3 h4 h5 h6 header html li main nav ol p pre section table tbody td th tr ul".split()
)
_SURROUNDING_NODES = 300
# Limits for pages that are nested without end; paths on ordinary pages are shorter.
_MAX_TAG_PATH = 100
_MAX_TAG_PATH_LENGTH = 4000
_MAX_ELEMENT_LENGTH = 500
_MAX_URLS_LENGTH = 6_000_000
"""Characters of all URLs of a page: a long base makes thousands of short references long."""
_ORDINARY_URL, _LONG_WEIGHT = 250, 3
"""A URL with more characters than the first number counts as often as the second says."""
_MAX_HINT = 100
_MAX_SHOWN = 200
_MAX_UNFETCHABLE = 50
_TYPED = frozenset({"a", "area", "link", "object", "embed"})
"""Elements whose attribute `type` is the MIME type of what they lead to."""
_UNSEEN = frozenset({"script", "style", "noscript", "template"})
_MIN_TEXT = 200
"""A page without links and with fewer characters than this is probably built by scripts."""


_APPS = "#root, #app, #__next, #__nuxt, app-root"
_APP_MARKS = (b"root", b"app", b"__n")
"""Where frameworks put an app into its page."""


def read_page(response: Response) -> Page:
    """Read a page with the default settings."""
    return HtmlReader().read(response)


class HtmlReader:
    """Reads pages; caches the URLs that it joins."""

    def __init__(self, settings: PageSettings | None = None) -> None:
        self._settings = settings or PageSettings()
        self._joiner = Joiner()

    def read(self, response: Response) -> Page:
        """Title and links of a page, whatever its bytes are."""
        whole = to_utf8(response.body, response.headers)
        body = limit_markup(whole)
        tree = LexborHTMLParser(body)
        nodes, titles, bases, scripts, forms = _find_elements(tree)
        if self._settings.link_order == "element":
            nodes.sort(key=lambda node: _ELEMENT_ORDER[node.tag or "a"])
        base = self._base(bases, response.url)
        reading = _Reading(self._settings)
        links, unfetchable, left_out = self._read_links(nodes, reading, base, response)
        # Markup beyond the limit was cut off: its links are counted as left out.
        if len(body) < len(whole):
            left_out += whole.count(b"<a ") - body.count(b"<a ")
        title = _clean(titles[0].text(), self._settings.max_text) if titles else ""
        declared = tuple(self._declared(scripts, base, response.url))
        named = [*find_in_query(response.url), *find_further(tree, body)]
        named += find_in_headers(response.headers)
        further = tuple(_drop_twice(self._further(named, reading, base, response.url), links))
        by_script = needs_script_for_files(
            tree, body, {ref.node.mem_id for ref in named if ref.node}
        )
        leads_on = any(link.url != response.url for link in links)
        is_empty = _is_shell(tree, body) if leads_on else _needs_script(tree)
        needs_script = is_empty and not _names_content(further)
        if needs_script:
            further += tuple(self._further(find_of_shell(tree), reading, base, response.url))
        found = (links, declared, further)
        choices, unfilled = self._fill_forms(forms, reading, base, response.url)
        page = Page(response.url, title, *found, needs_script, unfilled, left_out, by_script)
        aside = unfetchable[:_MAX_UNFETCHABLE]
        return replace(page, form_links=choices, unfetchable=aside) if choices or aside else page

    def _read_links(
        self, nodes: list[LexborNode], reading: "_Reading", base: str, response: Response
    ) -> tuple[tuple[Link, ...], tuple[str, ...], int]:
        """Links, the names of what can't be fetched, and the number of links left out."""
        links: list[Link] = []
        unfetchable: dict[str, None] = {}
        left_out, length = max(0, len(nodes) - self._settings.max_links), 0
        for node in nodes[: self._settings.max_links]:
            reference = node.attributes.get(_ADDRESS[node.tag or "a"])
            if reference is None:
                continue
            if not reference.isascii():
                reference = encode_query(reference, response.body, response.headers)
            if self._is_too_long(reference):
                left_out += 1
                unfetchable[self._join(base, reference[:_MAX_SHOWN]) or base] = None
            elif (url := self._join(base, reference)) is not None:
                length += len(url) * (_LONG_WEIGHT if len(url) > _ORDINARY_URL else 1)
                if length > _MAX_URLS_LENGTH:
                    left_out += 1
                else:
                    links.append(reading.link(node, url, response.url))
            elif name := name_unfetchable(reference):
                unfetchable[name] = None
        return tuple(links), tuple(unfetchable), left_out

    def _fill_forms(
        self, forms: list[LexborNode], reading: "_Reading", base: str, found_on: str
    ) -> tuple[tuple[Link, ...], int]:
        """What the choices of forms lead to, and the number of forms that were not filled in."""
        if not forms:
            return (), 0
        filled, unfilled = fill_forms(forms, lambda reference: self._join(base, reference))
        links = []
        for form in filled:
            for address, words in form.queries:
                if (url := self._join(base, address)) is not None and url != found_on:
                    link = reading.link(form.node, url, found_on, FORM)
                    links.append(replace(link, anchor=words[: self._settings.max_text]))
        return tuple(links), unfilled

    def _further(
        self, named: list[Reference], reading: "_Reading", base: str, found_on: str
    ) -> Iterator[Link]:
        for reference, source, node in named:
            url = self._join(base, reference)
            if url is None:
                continue
            if node is None:
                yield Link(url, source, found_on=found_on)
            else:
                yield reading.link(node, url, found_on, source)

    def _declared(self, scripts: list[LexborNode], base: str, found_on: str) -> Iterator[Link]:
        for script in scripts:
            for reference, name in declared_files(script.text()):
                url = None if self._is_too_long(reference) else self._join(base, reference)
                if url is not None:
                    anchor = _clean(name, self._settings.max_text)
                    yield Link(url, _DECLARED, anchor, "", found_on)

    def _is_too_long(self, reference: str) -> bool:
        """Whether a reference is a web address that is too long to be requested."""
        return len(reference) > MAX_URL_LENGTH and reference.lstrip()[:5].lower() != "data:"

    def _join(self, base: str, reference: str) -> str | None:
        url = self._joiner.join(base, reference.strip())
        return url if url is not None and len(url) <= MAX_URL_LENGTH else None

    def _base(self, bases: list[LexborNode], url: str) -> str:
        reference = bases[0].attributes.get("href") if bases else None
        return (reference and self._join(url, reference[:MAX_URL_LENGTH])) or url


def _find_elements(
    tree: LexborHTMLParser,
) -> tuple[list[LexborNode], ...]:
    """Links, titles, bases, metadata and forms of a page, in one walk."""
    links: list[LexborNode] = []
    titles: list[LexborNode] = []
    bases: list[LexborNode] = []
    scripts: list[LexborNode] = []
    forms: list[LexborNode] = []
    others = {"title": titles, "base": bases, "script": scripts, "form": forms}
    for node in tree.css(_WANTED):
        # One query for all elements: to walk the tree costs more than to sort them.
        others.get(node.tag or "", links).append(node)
    return links, titles, bases, scripts, forms


def _drop_twice(further: Iterator[Link], links: tuple[Link, ...]) -> Iterator[Link]:
    """Without what is only found by its name, and that the page has links to."""
    linked: set[str] = set()
    for link in further:
        if link.tag_path == EMBEDDED:
            linked = linked or {link.url for link in links}
            if link.url in linked:
                continue
        yield link


def _names_content(links: tuple[Link, ...]) -> bool:
    """Whether there are links besides relations and calls, which an empty app has, too."""
    return any(link.source not in (LINK, HEADER, CALL) for link in links)


def _needs_script(tree: LexborHTMLParser) -> bool:
    """Whether a page without links has scripts and almost no text, like the shell of an app."""
    return tree.css_first("script") is not None and _measure_text(tree) < _MIN_TEXT


def _is_shell(tree: LexborHTMLParser, body: bytes) -> bool:
    """Whether a page has an empty place for an app, and little beside it, such as a footer."""
    place = tree.css_first(_APPS) if any(mark in body for mark in _APP_MARKS) else None
    if place is None or tree.css_first("script") is None or place.css_first("a[href]") is not None:
        return False
    return len(place.text().strip()) < _MIN_TEXT and _measure_text(tree) < 2 * _MIN_TEXT


def _measure_text(tree: LexborHTMLParser) -> int:
    """The characters of text that a page shows without scripts."""
    if tree.body is None:
        return 0
    text = "".join(list_texts(tree.body, _UNSEEN))
    return len(" ".join(text.split()))


class _Reading:
    """The state of reading one page: caches paths and texts of shared ancestors."""

    def __init__(self, settings: PageSettings) -> None:
        self._settings = settings
        self._paths: dict[int, tuple[str, int]] = {}
        self._texts: dict[int, str] = {}

    def link(self, node: LexborNode, url: str, found_on: str, source: str = "") -> Link:
        surrounding = self._surrounding(node) if self._settings.surrounding else ""
        anchor = _anchor(node, self._settings.max_text)
        # Menus repeat on every page: interned, their texts are kept once.
        path = f"{self._tag_path(node)} {source}" if source else self._tag_path(node)
        return Link(url, intern(path), intern(anchor), surrounding, found_on, hint=_hint(node))

    def _tag_path(self, node: LexborNode) -> str:
        parent = node.parent
        path, length = self._path_to(parent) if parent is not None else ("", 0)
        if length >= _MAX_TAG_PATH:
            return path
        return f"{path} {_element(node)}" if path else _element(node)

    def _path_to(self, node: LexborNode | None) -> tuple[str, int]:
        above = []
        while node is not None and node.mem_id not in self._paths:
            above.append(node)
            node = node.parent
        path, length = self._paths[node.mem_id] if node is not None else ("", 0)
        for node in reversed(above):
            is_short = length < _MAX_TAG_PATH and len(path) < _MAX_TAG_PATH_LENGTH
            if node.is_element_node and is_short:
                path = f"{path} {_element(node)}" if path else _element(node)
                length += 1
            self._paths[node.mem_id] = (path, length)
        return path, length

    def _surrounding(self, node: LexborNode) -> str:
        block = node.parent
        while block is not None and block.tag not in _BLOCKS:
            block = block.parent
        if block is None:
            return ""
        if block.mem_id not in self._texts:
            self._texts[block.mem_id] = _first_text(block, self._settings.max_text)
        return self._texts[block.mem_id]


def _element(node: LexborNode) -> str:
    attributes = node.attributes
    tag = node.tag or ""
    if not attributes:
        return tag
    if identifier := (attributes.get("id") or "")[:_MAX_ELEMENT_LENGTH]:
        tag += "#" + "_".join(identifier.split())
    if classes := (attributes.get("class") or "")[:_MAX_ELEMENT_LENGTH]:
        tag += "." + ".".join(classes.split()) if classes.strip() else ""
    return tag


def _anchor(node: LexborNode, max_text: int) -> str:
    if node.tag == "script":
        return ""
    text = _clean(node.text(), max_text)
    if text:
        return text
    attributes = node.attributes
    for name in ("title", "aria-label", "alt"):
        if text := _clean(attributes.get(name) or "", max_text):
            return text
    image = node.css_first("img[alt]")
    return _clean(image.attributes.get("alt") or "", max_text) if image is not None else ""


def _hint(node: LexborNode) -> str:
    """The file name that a link gives: by `download`, or as `type` says what it leads to."""
    attributes = node.attributes
    if name := attributes.get("download"):
        return intern(_clean(name, _MAX_HINT))
    mime_type = attributes.get("type") if node.tag in _TYPED else None
    return intern(name_of_type(mime_type)) if mime_type else ""


def _first_text(block: LexborNode, max_text: int) -> str:
    """The beginning of a block's text, from a bounded number of nodes."""
    parts: list[str] = []
    length = 0
    for seen, node in enumerate(block.traverse(include_text=True)):
        if node.is_text_node:
            part = _clean(node.text(), max_text)
            length += len(part) + 1 if part else 0
            parts.append(part)
        if length > max_text or seen > _SURROUNDING_NODES:
            break
    return " ".join(filter(None, parts))[:max_text].rstrip()


def _clean(text: str, max_text: int) -> str:
    # Cut before splitting: a hostile anchor may have megabytes of blanks.
    return " ".join(text[: max_text * 20].split())[:max_text].rstrip()


def read_text(response: Response) -> str:
    """What a reader of the page sees, elements separated by blanks; empty for other types."""
    if "html" not in response.headers.get("content-type", ""):
        return ""
    tree = LexborHTMLParser(limit_markup(to_utf8(response.body, response.headers)))
    tree.strip_tags(list(_UNSEEN))
    return tree.body.text(separator=" ") if tree.body else ""
