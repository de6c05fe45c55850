"""Header fields of HTTP messages, as clients, servers and archives share them."""

import re
from collections.abc import Iterable, Mapping

SCHEME_HEADER = "X-Forwarded-Proto"
"""Names the scheme of the requested URL where the connection itself is not encrypted."""

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]+")
# Joining the values of these would make one that no server meant.
_FIRST_COUNTS = frozenset({"location", "content-length", "content-disposition", "etag"})
_MAX_LENGTH_DIGITS = 18


def decode_header(data: bytes) -> str:
    """Header bytes as text: UTF-8, or else Latin-1, which decodes anything."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def parse_fields(text: str) -> dict[str, str]:
    r"""Named fields, one per line; names in lower case, repeated fields joined by a comma.

    >>> parse_fields("Vary: a\r\nvary: b\r\nX: 1\r\n 2")
    {'vary': 'a, b', 'x': '1 2'}
    """
    fields: dict[str, str] = {}
    name = ""
    for line in text.split("\n"):
        if line[:1] in (" ", "\t") and name:
            fields[name] += " " + line.strip(" \t\r")
            continue
        before, colon, value = line.partition(":")
        if not colon:
            continue
        name = before.strip(" \t").lower()
        value = value.strip(" \t\r")
        fields[name] = f"{fields[name]}, {value}" if name in fields else value
    return fields


def header_size(status: int, headers: Mapping[str, str]) -> int:
    """The bytes of a response's header block, as HTTP/1.1 would send it."""
    return (
        15 + sum(len(name) + len(value) + 4 for name, value in headers.items()) + len(str(status))
    )


def clean_headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    r"""Lower-case names, values without control characters; repeated fields joined by a comma.

    >>> clean_headers([(b"Vary", b"a"), (b"VARY", b"b"), (b"X", b"1\x002")])
    {'vary': 'a, b', 'x': '1 2'}
    """
    headers: dict[str, str] = {}
    for raw_name, raw_value in raw:
        name = _CONTROLS.sub("", decode_header(raw_name)).strip().lower()
        value = _CONTROLS.sub(" ", decode_header(raw_value)).strip()
        known = headers.get(name)
        if known is None:
            headers[name] = value
        elif name not in _FIRST_COUNTS and value != known:
            headers[name] = f"{known}, {value}"
    return headers


def content_length(headers: Mapping[str, str]) -> int | None:
    """The length that a Content-Length promises; None without a valid one.

    >>> content_length({"content-length": "12"}), content_length({"content-length": "-1"})
    (12, None)
    """
    text = headers.get("content-length", "")
    is_number = text.isascii() and text.isdigit() and len(text) <= _MAX_LENGTH_DIGITS
    return int(text) if is_number else None
