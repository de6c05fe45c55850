"""The bytes of a page converted to UTF-8."""

import codecs
import re
from collections.abc import Mapping
from urllib.parse import quote

import webencodings

from datahound.web.messages import parse_content_type

_META = re.compile(
    rb"""<meta[^>]{0,500}?charset\s*+=\s*+["']?+\s*+([-\w.:]{2,40})""", re.IGNORECASE
)
# The standard says 1024; real pages have their declaration later.
_PRESCAN_BYTES = 2048
_UNICODE = ("utf-8", "utf-16le", "utf-16be")
"""Encodings of pages whose queries are sent in UTF-8."""
_UNQUOTED = "%!$&'()*+,-./:;=?@[]_~"
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def to_utf8(body: bytes, headers: Mapping[str, str]) -> bytes:
    """Convert an HTML body to UTF-8: by its byte order mark, header, meta element, or a guess.

    A body in UTF-8 is returned unchanged, invalid bytes included: the parser replaces them.
    """
    for mark, codec in _MARKS:
        if body.startswith(mark):
            body = body[len(mark) :]
            return body if codec == "utf-8" else _encode(body.decode(codec, "replace"))
    encoding = _declared(body, headers)
    if encoding is webencodings.UTF8:
        return body
    if encoding is not None:
        return _encode(encoding.codec_info.decode(body, "replace")[0])
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        # The default of browsers for Western languages.
        return _encode(body.decode("cp1252", "replace"))
    return body


def encode_query(reference: str, body: bytes, headers: Mapping[str, str]) -> str:
    """A reference whose query has the bytes that browsers send: in the encoding of its page.

    >>> encode_query("/find?city=Orl\u00e9ans", b"", {"content-type": "text/html; charset=latin1"})
    '/find?city=Orl%E9ans'
    """
    path, mark, rest = reference.partition("?")
    encoding = None if rest.isascii() else _declared(body, headers)
    if encoding is None or encoding.name in _UNICODE:
        return reference
    query, hash_mark, fragment = rest.partition("#")
    try:
        sent = encoding.codec_info.encode(query, "xmlcharrefreplace")[0]
    except UnicodeEncodeError:
        # An encoding that is not used any more, such as ISO-2022-KR: browsers send UTF-8.
        return reference
    return path + mark + quote(sent, safe=_UNQUOTED) + hash_mark + fragment


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def find_charset(headers: Mapping[str, str]) -> webencodings.Encoding | None:
    """The encoding that the Content-Type of an answer declares."""
    content_type = parse_content_type(headers.get("content-type", ""))
    label = content_type.parameters.get("charset") if content_type else None
    return webencodings.lookup(label) if label else None


def _declared(body: bytes, headers: Mapping[str, str]) -> webencodings.Encoding | None:
    return find_charset(headers) or _find_meta_charset(body)


def _find_meta_charset(body: bytes) -> webencodings.Encoding | None:
    found = _META.search(body, 0, _PRESCAN_BYTES)
    if found is None:
        return None
    encoding = webencodings.lookup(found[1].decode("ascii", "ignore"))
    # The declaration was read as ASCII, so the page can't be UTF-16.
    said_utf16 = encoding is not None and encoding.name.startswith("utf-16")
    return webencodings.UTF8 if said_utf16 else encoding
