"""The file name in a Content-Disposition header (RFC 6266), as servers really write it."""

import re
from binascii import Error, a2b_base64
from quopri import decodestring
from urllib.parse import unquote_to_bytes

_EXTENDED = re.compile(r"filename\*\s*=\s*\"?([\w-]*)'[^']*'([^;\s\"]+)", re.IGNORECASE)
_QUOTED = re.compile(r'filename\s*=\s*"((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_PLAIN = re.compile(r"filename\s*=\s*([^;\"]+)", re.IGNORECASE)
# A name in the way of e-mail headers (RFC 2047), which some frameworks send to browsers, too.
_ENCODED_WORD = re.compile(r"=\?[\w-]{1,40}\?([bq])\?([^?\s]{0,1000})\?=", re.IGNORECASE)
# Longer headers are attacks; the expressions below look through all of one.
_MOST = 4000


def disposition_name(header: str) -> str:
    """The file name that a Content-Disposition gives, or ''.

    >>> disposition_name("attachment; filename=x.csv; filename*=UTF-8''%C3%A9.csv")
    'é.csv'
    """
    header = header[:_MOST]
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
    """A name as people read it: percent-encoded UTF-8, or the encoded words of e-mail."""
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
