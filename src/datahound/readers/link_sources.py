"""Links from other places than `a`, `area`, `frame` and `iframe`, and the source of each.

A source is a mark at the end of the tag path: strategies group links by it and learn which pay.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser, LexborNode

from datahound.readers.embedded import find_embedded
from datahound.readers.markup_limits import limit_markup
from datahound.readers.script_state import (
    find_asked,
    find_named_pages,
    find_references,
    find_script_links,
    looks_like_reference,
    may_be_page,
    names_certain_data,
    names_data,
)
from datahound.web.targets import name_of_type

REFRESH = "@refresh"
HEADER = "@header"
LINK = "@link"
_STATE = "@state"
_SCRIPT = "@script"
SCRIPT_FILE = "@script-file"
"""A file of scripts of a page that has no links without them."""
_ONCLICK = "@onclick"
_NESTED = "@nested"
_TEXT = "@text"
EMBEDDED = "@embedded"
"""The name of a data file between quotes, anywhere in a page."""
_PART = "@part"
"""A page that a script puts into this one."""
CALL = "@call"
"""A URL that a script requests, which may be anything."""
_VIEWER = "@viewer"
"""The file that a program shows inside a page, by the address in a query or a fragment."""
_RELATIONS = frozenset(
    "alternate canonical collection describedby enclosure first item last linkset next prev".split()
)
_NO_FILES = frozenset(
    "dns-prefetch icon manifest mask-icon modulepreload preconnect search stylesheet".split()
)
_ELEMENTS = {"object": "data", "embed": "src", "source": "src"}
_DATA = ("data-href", "data-url", "data-file", "data-src")
_HANDLERS = tuple(f"on{name}" for name in "change click dblclick load mousedown mouseup".split())
_PARTS = ("hx-get", "longdesc", "routerlink")
_BOUND = ("ng-href", "v-bind:href", ":href")
_NAMING = ("about", "formaction", "resource")
"""Attributes that count where they name a file of data, like those that begin with `data-`."""
_PLAIN = (
    "link[href], object[data], embed[src], source[src], option[value], meta[content], "
    "script:not([src]), template, noframes, iframe[srcdoc]"
)
_JSON_TYPES = ("application/json", "application/vnd.api+json", "text/json")
_TEMPLATE_TYPES = ("text/html", "text/template", "text/ng-template", "text/x-")
# A quick look at the bytes says which selectors can match at all: most pages have few of them.
_SELECTORS = {
    **{name.encode(): f"[{name}]" for name in (*_HANDLERS, *_NAMING, *_PARTS)},
    **{f" {name}=".encode(): "[" + name.replace(":", r"\:") + "]" for name in _BOUND},
    b"itemprop": "[itemprop][content]",
    **{f"<{tag}".encode(): f"{tag}[src]" for tag in ("track", "video")},
    **{f"<{tag}".encode(): f"{tag}[value]" for tag in ("input", "param")},
    b"<form": "form[action]",
    b"javascript:": 'a[href^="javascript:" i]',
    b"xlink:href": "a",
}
# Patterns that begin with plain bytes are found fast.
_DATA_NAME = re.compile(rb"data-[a-z0-9_-]{1,60}(?=\s{0,5}=)")
_MAX_DATA_NAMES = 50
_OWN_ELEMENT = re.compile(rb"<[a-z][a-z0-9]{0,30}-[a-z0-9-]{1,30}(?=[\s>])")
_MAX_OWN_ELEMENTS = 20
_SHOWN = re.compile(
    rb"([?&#;])[\w-]{1,20}=((?:https?(?::|%3a)(?:/|%2f){2}|/|%2f)[^\"'&<>\s#]{3,2000})",
    re.IGNORECASE,
)
_PLAIN_URL = re.compile(rb"https?://[^\s\"'<>]{4,2000}")
_QUOTES = frozenset(b"\"'=(/")
_UNREAD = frozenset({"script", "style", "template", "noscript", "noframes"})
_CONTENT_URL = re.compile(
    r"\A(?:citation_\w{1,40}_url|(?:\w{1,20}:)?(?:content|download|access)url)\Z", re.IGNORECASE
)
_NAMES_FILE = re.compile(r"url|identifier|document|source|relation|download|file", re.IGNORECASE)
_DECLARED_URL = re.compile(r'"[\w:]{0,20}url"\s{0,9}:\s{0,9}("[^"\n]{1,2000}")', re.IGNORECASE)
_WITH_VALUE = re.compile(
    r"""["']([^"'\s<>]{0,300}[/?=][^"'\s<>]{0,100})["']\s{0,5}\+\s{0,5}[\w.$()\[\]]{1,80}\.value\b"""
    r"""(?:\s{0,5}\+\s{0,5}["']([^"'\s<>]{1,100})["'])?"""
)
_MAX_NESTED = 200_000
_MAX_REFERENCE = 4000
_MAX_OF_SHELL = 200
_MAX_LINKS = 1000
"""Links of one page from these sources; pages made for people have fewer."""
_REFRESH_URL = re.compile(r"\A[\d.]{0,20}[\s;,]{0,20}(?:url\s{0,20}=\s{0,20})?", re.IGNORECASE)
_HEADER_ITEM = re.compile(r'<([^<>"]{1,4000})>([^<]{0,1000})')
_HEADER_RELATION = re.compile(r';\s{0,9}rel\s{0,9}=\s{0,9}"?([^";,]{1,100})', re.IGNORECASE)
_HEADER_TYPE = re.compile(r';\s{0,9}type\s{0,9}=\s{0,9}"?([^";,]{1,100})', re.IGNORECASE)


class Reference(NamedTuple):
    """A reference to a URL, its source, and the element that has it."""

    reference: str
    source: str
    node: LexborNode | None = None


def find_further(tree: LexborHTMLParser, body: bytes) -> list[Reference]:
    """The references of a page that its links do not have, in the order of the page."""
    lower = body.lower()
    # An element that two selectors match is found twice.
    nodes = {node.mem_id: node for node in tree.css(", ".join(_choose_selectors(lower)))}
    found: list[Reference] = []
    for node in nodes.values():
        found += (Reference(*pair, node) for pair in _references(node) if _fits(pair[0]))
        if len(found) >= _MAX_LINKS:
            break
    found += (Reference(url, _VIEWER) for url in _find_shown(body))
    found += (Reference(url, _TEXT) for url in _find_in_text(tree, body))
    named = {reference.reference for reference in found}
    found += (Reference(url, EMBEDDED) for url in find_embedded(body) if url not in named)
    return found[:_MAX_LINKS]


def find_of_shell(tree: LexborHTMLParser) -> list[Reference]:
    """What may say where a page without links leads: files of scripts, and names of pages."""
    found: list[Reference] = []
    for node in tree.css("script"):
        if source := node.attributes.get("src"):
            found.append(Reference(source, SCRIPT_FILE, node))
        else:
            found += (Reference(page, _SCRIPT, node) for page in find_named_pages(node.text()))
    return [named for named in found if _fits(named.reference)][:_MAX_OF_SHELL]


def find_in_query(url: str) -> list[Reference]:
    """The files of data that the query of a page's own URL names: the page only shows them.

    >>> [named.reference for named in find_in_query("http://a.example/view?file=%2Ff%2Fx.pdf")]
    ['/f/x.pdf']
    """
    values = (pair.partition("=")[2] for pair in url.partition("?")[2].split("&"))
    shown = (unquote(value) for value in values)
    return [Reference(value, _VIEWER) for value in shown if "/" in value and names_data(value)]


def find_in_headers(headers: Mapping[str, str]) -> list[Reference]:
    """The references in the headers `Link`, `Refresh` and `Content-Location` of an answer.

    >>> [named.reference for named in find_in_headers({"link": '</b>; rel="next", </a>; rel=icon'})]
    ['/b']
    """
    refresh = _refresh(headers.get("refresh", ""))
    found = [Reference(refresh, REFRESH)] if _fits(refresh) else []
    for item in _HEADER_ITEM.finditer(headers.get("link", "")[: _MAX_REFERENCE * 4]):
        relation, said = _HEADER_RELATION.search(item[2]), _HEADER_TYPE.search(item[2])
        if _leads_on(relation[1] if relation else "", item[1], said[1] if said else ""):
            found.append(Reference(item[1], HEADER))
    location = headers.get("content-location", "")
    if names_data(location):
        found.append(Reference(location, HEADER))
    return found[:_MAX_LINKS]


def find_next(headers: Mapping[str, str]) -> str:
    """The reference to the next page in the header `Link` of an answer, or ''.

    >>> find_next({"link": '</a?page=1>; rel="prev", </a?page=3>; rel="next"'})
    '/a?page=3'
    """
    for item in _HEADER_ITEM.finditer(headers.get("link", "")[: _MAX_REFERENCE * 4]):
        relation = _HEADER_RELATION.search(item[2])
        if relation and relation[1].strip().lower() == "next":
            return item[1]
    return ""


def _choose_selectors(lower: bytes) -> list[str]:
    """What to look for on a page with these bytes, in lower case."""
    chosen = [_PLAIN, *(selector for mark, selector in _SELECTORS.items() if mark in lower)]
    if b"data-" in lower:
        names = dict.fromkeys(match[0].decode() for match in _DATA_NAME.finditer(lower))
        chosen += (f"[{name}]" for name in [*names][:_MAX_DATA_NAMES])
    own = dict.fromkeys(match[0][1:].decode() for match in _OWN_ELEMENT.finditer(lower))
    return [*chosen, *[*own][:_MAX_OWN_ELEMENTS]]


def _references(node: LexborNode) -> Iterator[tuple[str, str]]:
    attributes, tag = node.attributes, node.tag or ""
    match tag:
        case "link":
            yield from _of_link(attributes)
        case "meta":
            yield from _of_meta(attributes)
        case "option":
            yield from _of_option(node)
        case "script":
            yield from _of_script(node)
        case "a":
            yield from _of_anchor(attributes)
        case "template":  # the parser does not put its content into the tree
            yield from _nested(f"<div {(node.html or '').removeprefix('<template')}")
        case "noframes":
            yield from _nested(node.text())
        case "iframe":
            yield from _nested(attributes.get("srcdoc") or "")
        case "track" | "video" | "input" | "param":
            value = attributes.get("value" if tag in ("input", "param") else "src") or ""
            is_named = tag == "input" and _CONTENT_URL.match(attributes.get("id") or "")
            if "/" in value and (is_named or names_data(value)):
                yield value, f"@{tag}"
        case "form":
            yield from _of_form(node)
        case _ if tag in _ELEMENTS:
            yield attributes.get(_ELEMENTS[tag]) or "", f"@{tag}"
        case _ if "-" in tag:
            yield from _of_own_element(attributes)
    yield from _of_attributes(attributes)


def _of_link(attributes: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    """Where a `link` leads, if it is a page or a file and not a part of this page."""
    said = attributes.get("itemprop") or attributes.get("property") or ""
    relation, href = attributes.get("rel") or "", attributes.get("href") or ""
    is_content = _CONTENT_URL.match(said) is not None
    if is_content or _leads_on(relation, href, attributes.get("type") or ""):
        yield href, LINK


def _leads_on(relation: str, href: str, mime_type: str) -> bool:
    """Whether a link of this relation is followed: any, if its name or type is that of data."""
    relations = set(relation.lower().split())
    if relations & _RELATIONS:
        return True
    return not relations & _NO_FILES and (names_data(href) or bool(name_of_type(mime_type)))


def _of_meta(attributes: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    content = attributes.get("content") or ""
    if (attributes.get("http-equiv") or "").lower() == "refresh":
        yield _refresh(content), REFRESH
    said = attributes.get("name") or attributes.get("itemprop") or attributes.get("property")
    is_file = "/" in content and names_certain_data(content)
    if said and (_CONTENT_URL.match(said) or (is_file and _NAMES_FILE.search(said))):
        yield content, "@meta"


def _of_anchor(attributes: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    if reference := attributes.get("xlink:href"):
        yield reference, "@xlink"
    reference = attributes.get("href") or ""
    if reference[:20].lstrip().lower().startswith("javascript:"):
        yield from ((found, _ONCLICK) for found in find_references(reference))


def _of_option(node: LexborNode) -> Iterator[tuple[str, str]]:
    """Where an option leads: its value, or what the handler of its menu makes of that."""
    value = node.attributes.get("value") or ""
    menu = node.parent
    if menu is not None and menu.tag == "optgroup":
        menu = menu.parent
    handler = (menu.attributes.get("onchange") or "") if menu is not None else ""
    made = _WITH_VALUE.search(handler) if value and "value" in handler else None
    if made is not None:
        yield f"{made[1]}{value}{made[2] or ''}", "@option"
    elif looks_like_reference(value):
        yield value, "@option"


def _of_form(node: LexborNode) -> Iterator[tuple[str, str]]:
    """The file that a form without fields leads to: it is a button."""
    action, method = node.attributes.get("action") or "", node.attributes.get("method") or "get"
    if method.lower() == "get" and names_data(action) and not node.css_first("[name]"):
        yield action, "@form"


def _of_own_element(attributes: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    """The files of data, or the page, that an element of the site's own programs shows."""
    for name, value in attributes.items():
        if name.startswith("data-") or not value or not looks_like_reference(value):
            continue
        if names_data(value):
            yield value, "@data-file"
        elif name == "src" and may_be_page(value):
            yield value, _PART


def _of_attributes(attributes: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    for name, value in attributes.items():
        if not value:
            continue
        if name in _DATA:
            yield value, f"@{name}"
        elif name in _HANDLERS:
            # What is put together with a value is only a part of an address.
            if ".value" not in value or not _WITH_VALUE.search(value):
                yield from ((reference, _ONCLICK) for reference in find_references(value))
        elif name in _PARTS:
            yield value, "@data-file" if names_data(value) else _PART
        elif name == "resource" and _CONTENT_URL.match(attributes.get("property") or ""):
            yield value, "@data-file"
        elif name in _NAMING or name in _BOUND or name.startswith("data-"):
            yield from _of_named_attribute(name, value)
        elif name == "content" and "itemprop" in attributes and names_data(value):
            yield value, "@data-file"


def _of_named_attribute(name: str, value: str) -> Iterator[tuple[str, str]]:
    is_code = value[:1] in ("{", "[", "'")
    for reference in find_references(value) if is_code else (value,):
        if names_data(reference):
            yield reference, "@data-file"
        elif name.startswith("data-") and not is_code and may_be_page(reference):
            yield reference, _PART


def _of_script(node: LexborNode) -> Iterator[tuple[str, str]]:
    """References in JSON, in the state of an app, in templates, and what a script opens."""
    attributes = node.attributes
    kind = (attributes.get("type") or "").strip().lower()
    if "src" in attributes:
        return
    text = node.text()
    if kind.startswith(_JSON_TYPES):
        yield from ((reference, _STATE) for reference in find_references(text))
    elif kind.startswith(_TEMPLATE_TYPES):
        yield from _nested(text)
    elif kind == "application/ld+json":
        values = " ".join(match[1] for match in _DECLARED_URL.finditer(text))
        named = filter(names_certain_data, find_references(values))
        yield from ((reference, _STATE) for reference in named)
    elif "json" not in kind:
        yield from ((reference, CALL) for reference in find_asked(text))
        if "window.__" in text[:1000]:
            yield from ((reference, _STATE) for reference in find_references(text))
        else:
            yield from ((reference, _SCRIPT) for reference in find_script_links(text))


def _nested(markup: str) -> Iterator[tuple[str, str]]:
    """The links of a document or a template inside a page."""
    if not markup or len(markup) > _MAX_NESTED:
        return
    tree = LexborHTMLParser(limit_markup(markup.encode("utf-8", "replace")))
    for node in tree.css("a[href], area[href], iframe[src], frame[src]"):
        yield node.attributes.get("href") or node.attributes.get("src") or "", _NESTED


def _find_in_text(tree: LexborHTMLParser, body: bytes) -> Iterator[str]:
    """URLs of data files that a page shows as text."""
    found = _PLAIN_URL.finditer(body)
    shown = dict.fromkeys(m[0] for m in found if body[m.start() - 1] not in _QUOTES)
    urls = [url.decode("utf-8", "replace").rstrip(".,;:)") for url in shown]
    urls = [url.replace("&amp;", "&") for url in urls if names_data(url)]
    if not urls or tree.body is None:
        return
    text = " ".join(list_texts(tree.body, _UNREAD))
    yield from (url for url in urls if url in text)


def list_texts(body: LexborNode, unread: frozenset[str]) -> Iterator[str]:
    """The texts of a page, but for those directly in elements of these names."""
    for node in body.traverse(include_text=True):
        if node.is_text_node and node.parent is not None and node.parent.tag not in unread:
            yield node.text(deep=False)


def _find_shown(body: bytes) -> Iterator[str]:
    """The files that programs on other hosts show, or programs that read their URL's fragment."""
    for match in _SHOWN.finditer(body):
        reference = unquote(match[2].decode("utf-8", "replace"))
        # A path in a query is for the server that is asked, whose answer will show it.
        is_known = match[1] == b"#" or reference.lower().startswith("http")
        if is_known and names_data(reference):
            yield reference


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
