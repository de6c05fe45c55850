"""The bytes of a sitemap, a feed or an API's answer as text, whatever they claim to be."""

import codecs
import re
from collections.abc import Mapping

import webencodings

from datahound.web.messages import parse_content_type, unpack

MAX_UNPACKED = 64 << 20
"""Bytes that a compressed list may have when it is unpacked."""
_GZIP = b"\x1f\x8b"
_DECLARATION = re.compile(
    rb"""\A[\s\xef\xbb\xbf]{0,100}<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([-\w.:]{2,40})"""
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\x00", "utf-16-le"),
    (b"\x00<", "utf-16-be"),
    (b"{\x00", "utf-16-le"),
    (b"\x00{", "utf-16-be"),
)


def unpack_body(body: bytes) -> bytes:
    """A body without the gzip around it, if it has one; as much of it as can be had."""
    return unpack(body, "gzip", MAX_UNPACKED).body if body.startswith(_GZIP) else body


def decode_text(body: bytes, headers: Mapping[str, str]) -> str:
    """The text of a body: by its leading bytes, as UTF-8, by what it declares, or by a guess."""
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return body.decode(codec, "replace").lstrip("\ufeff")
    try:
        return body.decode()
    except UnicodeDecodeError:
        encoding = _find_encoding(body, headers)
    if encoding is not None:
        text: str = encoding.codec_info.decode(body, "replace")[0]
        return text
    return body.decode("cp1252", "replace")


def _find_encoding(body: bytes, headers: Mapping[str, str]) -> webencodings.Encoding | None:
    declared = _DECLARATION.match(body[:1000])
    if declared is not None:
        return webencodings.lookup(declared[1].decode("ascii", "ignore"))
    content_type = parse_content_type(headers.get("content-type", ""))
    label = content_type.parameters.get("charset") if content_type else None
    return webencodings.lookup(label) if label else None
