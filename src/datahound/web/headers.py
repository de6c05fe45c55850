"""Header fields of HTTP messages, as clients, servers and archives share them."""

from collections.abc import Mapping

SCHEME_HEADER = "X-Forwarded-Proto"
"""Names the scheme of the requested URL where the connection itself is not encrypted."""


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
