"""Text from the web made safe to print, to open in a spreadsheet, and to use as a file name."""

import re
import unicodedata
from hashlib import sha256
from pathlib import PurePosixPath
from urllib.parse import quote

# With the two noncharacters that XML forbids.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]")
_OVERRIDES = re.compile(r"[\u202a-\u202e\u2066-\u2069\ufeff]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")
# Spreadsheets skip leading blanks and accept full-width signs, which CJK keyboards produce.
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")
# Possessive (`*+`): a text that is almost a number must not take quadratic time.
_NUMBER = re.compile(r"[+\-]?(?:[\d.,]*+[\u00a0\u202f ])*[.,]*+\d[\d.,]*+(?:[eE][+\-]?\d++)?\s?%?")
_FORBIDDEN = re.compile(
    r'[<>:"/\\|?*\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]+'
)
# Windows reserves these device names, with any extension.
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE
)
_NOT_SLUG = re.compile(r"[^a-z0-9._]+")
_IRI = "".join(chr(code) for code in range(33, 127) if chr(code) not in '<>"{}|\\^`')
_MAX_SEGMENT, _MAX_EXTENSION = 120, 10
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640]")
_LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i"})


def show_text(text: object, most: int = 500) -> str:
    r"""One printable line of at most `most` characters.

    >>> show_text("a\tb \x00\u202egpj.exe", 8)
    'a b gpj…'
    """
    plain = " ".join(strip_controls(str(text)).split())
    return plain if len(plain) <= most else plain[: most - 1].rstrip() + "…"


def strip_controls(text: str) -> str:
    """Remove control characters and direction overrides; replace lone surrogates."""
    if text.isascii() and text.isprintable():
        return text
    return _OVERRIDES.sub("", _CONTROL.sub("", replace_surrogates(text)))


def blank_unprintable(text: str) -> str:
    """Replace every character that can't be printed, line breaks included, by a blank."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which UTF-8 can't encode."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def guard_formula(value: object) -> object:
    """Quote a text that a spreadsheet would run as a formula; numbers and dashes stay.

    >>> guard_formula("=1+1"), guard_formula(" @SUM(A1)"), guard_formula("＝1+1")
    ("'=1+1", "' @SUM(A1)", "'＝1+1")
    >>> guard_formula("-5,3"), guard_formula("-"), guard_formula(-5)
    ('-5,3', '-', -5)
    """
    if not isinstance(value, str):
        return value
    text = strip_controls(value)
    if not _FORMULA.match(text) or _NUMBER.fullmatch(text):
        return text
    return f"'{text}" if any(letter.isalnum() for letter in text) else text


def make_portable(path: str) -> str:
    """A relative path that every file system accepts and that never leads out of its folder.

    >>> make_portable("../a:b/$HOME/con.csv"), make_portable("a/b.csv")
    ('_/a_b/_HOME/_con.csv', 'a/b.csv')
    """
    return "/".join(_make_segment(part) for part in path.split("/") if part) or "_"


def replace_forbidden(segment: str) -> str:
    """One segment of a path without what any operating system forbids; '' if nothing is left.

    >>> replace_forbidden("a:b. "), replace_forbidden("CON.txt"), replace_forbidden(".x")
    ('a_b', '_CON.txt', '_x')
    """
    text = _FORBIDDEN.sub("_", unicodedata.normalize("NFC", segment)).strip(" ").rstrip(". ")
    text = "_" + text.lstrip(".") if text.startswith(".") else text
    return "_" + text if _RESERVED.fullmatch(text) else text


def make_slug(text: str, most: int = 80) -> str:
    """A name of lower-case ASCII letters, digits, dots and dashes.

    >>> make_slug("Écoles & élèves 2019.csv")
    'ecoles-eleves-2019.csv'
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    named = re.sub(r"\.+", ".", _NOT_SLUG.sub("-", plain)).strip("-._")
    if len(named) > most:
        named = named[: most - 7].rstrip("-._") + f"-{hash_text(text)}"
    return named


def claim_name(name: str, taken: set[str], mark: str = "-") -> str:
    """The name, numbered if `taken` has it in any case; adds the result to `taken`."""
    found, number = name, 2
    while found.casefold() in taken:
        found, number = f"{name}{mark}{number}", number + 1
    taken.add(found.casefold())
    return found


def escape_iri(url: str) -> str:
    """Percent-encode every character of a URL that an IRI must not contain.

    >>> escape_iri("https://a.org/x?q={a|b}")
    'https://a.org/x?q=%7Ba%7Cb%7D'
    """
    return quote(url, safe=_IRI, errors="replace")


def hash_text(text: str) -> str:
    """Six hexadecimal digits that tell long names apart."""
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:6]


def fold_text(text: str) -> str:
    """Text without case and accents, for comparisons.

    >>> fold_text("Élèves PAR école"), fold_text("Straße")
    ('eleves par ecole', 'strasse')
    """
    if text.isascii():
        return text.lower()
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text)).lower().translate(_LETTERS)
    return unicodedata.normalize("NFC", plain)


def _make_segment(part: str) -> str:
    # `$` too: readers of data packages expand it as a variable of the environment.
    text = replace_forbidden(part.replace("$", "?"))
    if len(text.encode()) > 2 * _MAX_SEGMENT:
        extension = PurePosixPath(text).suffix
        extension = extension if len(extension) <= _MAX_EXTENSION else ""
        cut = text.encode()[:_MAX_SEGMENT].decode("utf-8", "ignore")
        text = f"{cut}-{hash_text(text)}{extension}"
    return text or "_"
