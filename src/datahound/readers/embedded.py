"""Names of data files anywhere in the source of a page: in states of apps, in code of attributes.

Frameworks write their data into a page in forms of their own: JSON in a string of a script, JSON in
an attribute, with quotes and slashes escaped in one of a dozen ways. All have in common that an
address is between quotes. Nothing else of their structure is known here.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from html import unescape

from datahound.readers.script_state import is_certain_extension, names_certain_data

_MAX_BODY = 4 << 20
_MAX_FOUND = 1000
_EXTENSION = re.compile(rb"\.([a-zA-Z0-9]{1,12})(?=[\"'`?#\\&])")
_LONGEST = 600
_QUOTES = (b'"', b"'", b"`", b";", b"u0022", b"u0027", b"<", b">", b"\n")
"""What may be right before an address, and what an address does not have in it."""
_ENTITY = re.compile(rb"&(?:quot|#0?3[49]|#x2[27]|apos|[qs])\Z", re.IGNORECASE)
_BEGINS = (b"http", b"/", b"\\/", b"\\u002f", b"\\x2f")
# What has a source of its own, or no file behind it: addresses of forms, descriptions, values.
_ELSEWHERE = (b"href=", b"src=", b"action=", b"content=", b"value=", b"+")
_QUERY = re.compile(rb"(?:[?#](?:[^\"'`<>\s&\\]|&(?!(?:quot|#|apos|[qs];))){0,600})?")
_GOES_ON = re.compile(rb"\\?[\"'`]\s{0,5}\+")
# In a comment, in a style, or read by the reader of linked data.
_ASIDE = re.compile(
    rb"<!--(?:(?!-->).)*+|<style\b(?:(?!</style).)*+"
    rb"|<script[^>]{0,200}ld\+json(?:(?!</script).)*+",
    re.IGNORECASE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u00|x)([0-9a-fA-F]{2})")


def find_embedded(body: bytes) -> Iterator[str]:
    r"""The addresses between quotes whose names are those of data files, in the order of the page.

    >>> list(find_embedded(b'<x-y props="{&quot;f&quot;:[0,&quot;\\/d\\/a 1.csv&quot;]}">'))
    ['/d/a 1.csv']
    >>> list(find_embedded(b'<script>push("[\\"/b.xlsx?v=1\\"]"); f("/c" + n + "/d.csv")'))
    ['/b.xlsx?v=1']
    """
    if len(body) > _MAX_BODY:
        return
    found: dict[str, None] = {}
    aside: tuple[list[int], list[int]] | None = None
    for mark in _EXTENSION.finditer(body):
        if not is_certain_extension(f".{mark[1].decode().lower()}"):
            continue
        start, end = _find_start(body, mark.start()), mark.end()
        if start is None:
            continue
        query = _QUERY.match(body, end)
        end = query.end() if query else end
        reference = _unescape(body[start:end].decode("utf-8", "replace"))
        if reference in found or not names_certain_data(reference) or _GOES_ON.match(body, end):
            continue
        if aside is None:
            aside = _find_aside(body)
        # By bisection: a page may have as many comments as names.
        before = bisect_right(aside[0], start) - 1
        if before < 0 or start >= aside[1][before]:
            found[reference] = None
        if len(found) >= _MAX_FOUND:
            break
    yield from found


def _find_aside(body: bytes) -> tuple[list[int], list[int]]:
    """Find where comments, styles and linked data begin and end, in the order of the page."""
    spans = [match.span() for match in _ASIDE.finditer(body)]
    return [first for first, _ in spans], [last for _, last in spans]


def _find_start(body: bytes, end: int) -> int | None:
    """Where the address begins whose extension is at `end`; None if it is not between quotes."""
    least = max(0, end - _LONGEST)
    begin, quote = max((body.rfind(quote, least, end) + len(quote), quote) for quote in _QUOTES)
    if quote in (b"<", b">", b"\n") or not body[begin : begin + 6].lower().startswith(_BEGINS):
        return None
    if quote == b";" and not _ENTITY.search(body[max(0, begin - 7) : begin - 1]):
        return None
    before = body[max(0, begin - len(quote) - 10) : begin - len(quote)].lower()
    return None if before.rstrip().endswith(_ELSEWHERE) else begin


def _unescape(text: str) -> str:
    """An address without what JSON, scripts and HTML put into it."""
    plain = _ESCAPE.sub(lambda code: chr(int(code[1], 16)), text.rstrip("\\"))
    return unescape(plain.replace("\\/", "/"))
