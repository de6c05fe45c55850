"""Texts and names from the web, made fit for files that other programs read."""

import re
import unicodedata
from hashlib import sha256
from pathlib import PurePosixPath
from urllib.parse import quote

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_OVERRIDES = re.compile(r"[\u202a-\u202e\u2066-\u2069\ufeff]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")
_ACTIVE = re.compile(r"\s*[=+\-@＝＋－＠]")
_NUMBER = re.compile(r"[+\-]?[\d.,\u00a0\u202f ]*\d[\d.,]*(?:[eE][+\-]?\d+)?\s?%?")
_FORBIDDEN = re.compile(
    r'[<>:"\\|?*$\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]+'
)
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_NOT_SLUG = re.compile(r"[^a-z0-9._]+")
_IRI = "".join(chr(code) for code in range(33, 127) if chr(code) not in '<>"{}|\\^`')
_MAX_SEGMENT, _MAX_ENDING = 120, 10


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


def encodable(text: str) -> str:
    """A text that can be written as UTF-8, and is otherwise as it was."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def harmless(value: object) -> object:
    """A value that no spreadsheet takes for a formula; plain numbers and dashes stay.

    >>> harmless("=1+1"), harmless(" @SUM(A1)"), harmless("-5,3"), harmless("-"), harmless(-5)
    ("'=1+1", "' @SUM(A1)", '-5,3', '-', -5)
    """
    if not isinstance(value, str):
        return value
    text = cell_text(value)
    if not _ACTIVE.match(text) or _NUMBER.fullmatch(text):
        return text
    return f"'{text}" if any(letter.isalnum() for letter in text) else text


def portable(path: str) -> str:
    """A relative path that is one on every system, always inside.

    >>> portable("../a:b/$HOME/con.csv"), portable("a/b.csv")
    ('_/a_b/_HOME/_con.csv', 'a/b.csv')
    """
    return "/".join(_segment(part) for part in path.split("/") if part) or "_"


def slug(text: str, most: int = 80) -> str:
    """A name of small letters, digits, dots and dashes.

    >>> slug("Écoles & élèves 2019.csv")
    'ecoles-eleves-2019.csv'
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    named = re.sub(r"\.+", ".", _NOT_SLUG.sub("-", plain)).strip("-._")
    if len(named) > most:
        named = named[: most - 7].rstrip("-._") + f"-{short_hash(text)}"
    return named


def unique(name: str, taken: set[str], mark: str = "-") -> str:
    """The name, numbered where another has it already; it is then taken, in any case."""
    found, number = name, 2
    while found.casefold() in taken:
        found, number = f"{name}{mark}{number}", number + 1
    taken.add(found.casefold())
    return found


def iri(url: str) -> str:
    """A URL with everything escaped that an IRI can't hold.

    >>> iri("https://a.org/x?q={a|b}")
    'https://a.org/x?q=%7Ba%7Cb%7D'
    """
    return quote(url, safe=_IRI, errors="replace")


def short_hash(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:6]


def _segment(part: str) -> str:
    text = unicodedata.normalize("NFC", _FORBIDDEN.sub("_", part)).strip(" ").rstrip(". ")
    text = "_" + text.lstrip(".") if text.startswith(".") else text
    text = "_" + text if _RESERVED.fullmatch(text) else text
    if len(text.encode()) > 2 * _MAX_SEGMENT:
        ending = PurePosixPath(text).suffix
        ending = ending if len(ending) <= _MAX_ENDING else ""
        cut = text.encode()[:_MAX_SEGMENT].decode("utf-8", "ignore")
        text = f"{cut}-{short_hash(text)}{ending}"
    return text or "_"
