"""Addresses of pages of a list, computed from the address of the one before."""

import re
from urllib.parse import quote_plus

_NAME = re.compile(r"(?:^|&)([^&=]+)=([^&]*)")


def query_of(url: str) -> dict[str, str]:
    """The parameters of a URL as they are written there; of repeated ones, the first.

    >>> query_of("https://x.example/a?q=b+c&start=3")
    {'q': 'b+c', 'start': '3'}
    """
    found: dict[str, str] = {}
    for name, value in _NAME.findall(url.partition("?")[2].partition("#")[0]):
        found.setdefault(name, value)
    return found


def with_query(url: str, /, **changes: object) -> str:
    """A URL with other values of parameters; the rest stays as it is written.

    >>> with_query("https://x.example/a?rows=2&q=b+c", start=4, rows=5)
    'https://x.example/a?rows=5&q=b+c&start=4'
    """
    head, _, query = url.partition("#")[0].partition("?")
    # Characters that these APIs have in their own examples stay readable.
    # Not urlencode of all: signed and hand-made parameters must stay byte by byte.
    left = {name: quote_plus(str(value), safe=":,.*[]$") for name, value in changes.items()}
    parts = []
    for part in filter(None, query.split("&")):
        name = part.partition("=")[0]
        if name not in changes:
            parts.append(part)
        elif name in left:
            parts.append(f"{name}={left.pop(name)}")
    parts += [f"{name}={value}" for name, value in left.items()]
    return f"{head}?{'&'.join(parts)}"


def number_in(url: str, name: str, default: int) -> int:
    """The number that a parameter has in a URL."""
    value = query_of(url).get(name, "")
    # Longer numbers come from traps, and `int` of thousands of digits is slow.
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else default


def base_before(url: str, *marks: str) -> str:
    """The part of a URL before the first of these marks; the root of its host without one."""
    for mark in marks:
        before, found, _ = url.partition(mark)
        if found:
            return before
    return "/".join(url.split("/", 3)[:3])
