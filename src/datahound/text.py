"""Texts from the web, made printable for files and screens."""

import re
from urllib.parse import quote

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_OVERRIDES = re.compile(r"[\u202a-\u202e\u2066-\u2069\ufeff]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")
_IRI = "".join(chr(code) for code in range(33, 127) if chr(code) not in '<>"{}|\\^`')


def shown(text: object, most: int = 500) -> str:
    r"""One line of plain text, whatever a website sent: nothing unseen, nothing that turns it.

    >>> shown("a\tb \x00\u202egpj.exe", 8)
    'a b gpj…'
    """
    plain = " ".join(cell_text(str(text)).split())
    return plain if len(plain) <= most else plain[: most - 1].rstrip() + "…"


def cell_text(text: str) -> str:
    """A cell's text without what can't be seen: control characters, overrides, half characters."""
    if text.isascii() and text.isprintable():
        return text
    text = _SURROGATES.sub("\ufffd", text)
    return _OVERRIDES.sub("", _CONTROL.sub("", text))


def iri(url: str) -> str:
    """A URL with everything escaped that an IRI can't hold.

    >>> iri("https://a.org/x?q={a|b}")
    'https://a.org/x?q=%7Ba%7Cb%7D'
    """
    return quote(url, safe=_IRI, errors="replace")
