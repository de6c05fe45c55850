"""File names, from Content-Disposition, links or URLs, and the type that each name says."""

import re
from binascii import Error, a2b_base64
from quopri import decodestring
from typing import NamedTuple
from urllib.parse import unquote, unquote_to_bytes

from datahound.web.leading_bytes import agree
from datahound.web.types import BY_EXTENSION, FileType

_PACKINGS = frozenset({".gz", ".bz2", ".xz", ".zst", ".zip", ".7z"})
_EXTENDED = re.compile(r"filename\*\s*=\s*\"?([\w-]*)'[^']*'([^;\s\"]+)", re.IGNORECASE)
_QUOTED = re.compile(r'filename\s*=\s*"((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_PLAIN = re.compile(r"filename\s*=\s*([^;\"]+)", re.IGNORECASE)
# A name encoded as in e-mail headers (RFC 2047): some frameworks send these to browsers, too.
_ENCODED_WORD = re.compile(r"=\?[\w-]{1,40}\?([bq])\?([^?\s]{0,1000})\?=", re.IGNORECASE)
# Longer headers are attacks, and the regular expressions above scan a whole header.
_MAX_HEADER = 4000


class NamedType(NamedTuple):
    """The type that a file name says."""

    kind: FileType
    packing: str = ""
    """The name of the type of the archive that holds it, as in `x.csv.gz`."""

    def agrees(self, found: str) -> bool:
        """Whether a file of this name may begin like the type that was found."""
        return agree(self.packing or self.kind.name, found)


def find_named_type(url: str, disposition: str = "", hint: str = "") -> NamedType | None:
    """The type that a file name says: of Content-Disposition, the link, the URL or its query."""
    for name in (disposition_name(disposition) if disposition else "", hint, last_segment(url)):
        if kind := _type_of_name(name):
            return kind
    values = (pair.rpartition("=")[2] for pair in url.partition("?")[2].split("&"))
    return next(filter(None, map(_type_of_name, values)), None)


def last_segment(url: str) -> str:
    """The last segment of a URL's path: its file name, if it has one."""
    return url.partition("?")[0].rpartition("/")[2]


def _type_of_name(name: str) -> NamedType | None:
    """The type that the extension of a name says; of `x.csv.gz` the inner one, if it is known."""
    if "." not in name:
        return None
    stem, dot, extension = unquote(name).strip().lower().rpartition(".")
    outer = BY_EXTENSION.get(dot + extension)
    if not stem or outer is None:
        return None
    if dot + extension in _PACKINGS:
        inner_stem, inner_dot, inner = stem.rpartition(".")
        if inner_stem and (kind := BY_EXTENSION.get(inner_dot + inner)):
            return NamedType(kind, outer.name)
    return NamedType(outer)


def disposition_name(header: str) -> str:
    """The file name that a Content-Disposition gives, or ''.

    >>> disposition_name("attachment; filename=x.csv; filename*=UTF-8''%C3%A9.csv")
    'é.csv'
    """
    header = header[:_MAX_HEADER]
    # RFC 6266, 4.3: where both are there, `filename*` is preferred.
    if found := _EXTENDED.search(header):
        data = unquote_to_bytes(found[2])
        codec = "latin-1" if found[1].lower() == "iso-8859-1" else "utf-8"
        return data.decode(codec, "replace")
    if found := _QUOTED.search(header):
        # Browsers do not escape the backslashes of Windows paths: unescape quotes only.
        return _decode(found[1].replace('\\"', '"'))
    found = _PLAIN.search(header)
    return _decode(found[1].strip()) if found else ""


def _decode(text: str) -> str:
    """Decode percent-encoded UTF-8 and the encoded words of e-mail in a name."""
    try:
        return _ENCODED_WORD.sub(_decode_word, unquote_to_bytes(text).decode())
    except UnicodeDecodeError:
        return text


def _decode_word(found: re.Match[str]) -> str:
    data = found[2].encode()
    try:
        decoded = a2b_base64(data) if found[1] in "bB" else decodestring(data, header=True)
    except Error:
        return found[0]
    return decoded.decode("utf-8", "replace")
