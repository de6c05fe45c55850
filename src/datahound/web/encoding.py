"""Turning the bytes of a page into text, whatever they claim to be."""

import codecs
import re
from collections.abc import Mapping

import webencodings

from datahound.web import mime

_META = re.compile(rb"""<meta[^>]{0,500}?charset\s*=\s*["']?\s*([-\w.:]{2,40})""", re.IGNORECASE)
_PRESCAN_BYTES = 2048
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def to_utf8(body: bytes, headers: Mapping[str, str]) -> bytes:
    """An HTML body as UTF-8: by its mark, its header, its own word, or a good guess.

    What is UTF-8 already is left as it is, broken characters included: the parser replaces them.
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
        return _encode(body.decode("cp1252", "replace"))
    return body


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _declared(body: bytes, headers: Mapping[str, str]) -> webencodings.Encoding | None:
    content_type = mime.of_header(headers.get("content-type", ""))
    label = content_type.parameters.get("charset") if content_type else None
    return (label and webencodings.lookup(label)) or _said_by_page(body)


def _said_by_page(body: bytes) -> webencodings.Encoding | None:
    found = _META.search(body, 0, _PRESCAN_BYTES)
    if found is None:
        return None
    encoding = webencodings.lookup(found[1].decode("ascii", "ignore"))
    # A page whose own ASCII says UTF-16 can't be UTF-16.
    said_utf16 = encoding is not None and encoding.name.startswith("utf-16")
    return webencodings.UTF8 if said_utf16 else encoding
