"""HTTP messages as archives keep them: their heads, chunks and encodings."""

import io
import re
import warnings
import zlib
from collections.abc import Callable
from typing import NamedTuple, cast

from datahound.web.headers import decode_header, parse_fields

MAX_BODY = 64 << 20
"""Decoded bodies are cut here: a bomb must not fill the memory."""

_STEP = 1 << 20
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_CHUNK_LINE = re.compile(rb"[ \t]*([0-9a-fA-F]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")


class Head(NamedTuple):
    """Status and headers of a response, and where its payload begins."""

    status: int
    headers: dict[str, str]
    length: int


class Decoded(NamedTuple):
    """A payload without its encodings, and whether it is all of it."""

    body: bytes
    whole: bool


def parse_head(block: bytes) -> Head | None:
    """The head of a recorded response, or None if the block is not an HTTP response."""
    if not block.startswith(b"HTTP/"):
        return None
    blank = _BLANK_LINE.search(block)
    end, length = (blank.start(), blank.end()) if blank else (len(block), len(block))
    first, _, rest = decode_header(block[:end]).partition("\n")
    return Head(_parse_status(first), parse_fields(rest), length)


def dechunk(payload: bytes) -> bytes:
    """The payload without its chunk marks; what is not chunked, as it is."""
    parts: list[bytes] = []
    at = 0
    while line := _CHUNK_LINE.match(payload, at):
        size = int(line[1], 16)
        if not size:
            return b"".join(parts)
        parts.append(payload[line.end() : line.end() + size])
        at = line.end() + size
        at += 2 if payload[at : at + 2] == b"\r\n" else payload[at : at + 1] == b"\n"
    return b"".join([*parts, payload[at:]])


def decode(payload: bytes, encodings: str, limit: int = MAX_BODY) -> Decoded:
    """The payload without its content encodings, cut at the limit; unknown ones are left on."""
    decoded = Decoded(payload, whole=True)
    for encoding in reversed(encodings.lower().split(",")):
        read = _DECODERS.get(encoding.strip())
        if read is not None and decoded.body:
            body, whole = read(decoded.body, limit)
            decoded = Decoded(body, whole and decoded.whole) if body or whole else decoded
    if len(decoded.body) > limit:
        return Decoded(decoded.body[:limit], whole=False)
    return decoded


def _parse_status(line: str) -> int:
    words = line.split(None, 2)
    code = words[1] if len(words) > 1 else ""
    return int(code) if code.isascii() and code.isdigit() and len(code) < 10 else 0


def _gzip(data: bytes, limit: int) -> Decoded:
    body = bytearray()
    while data.startswith(b"\x1f\x8b"):
        inflater = zlib.decompressobj(wbits=31)
        whole = _inflate(inflater, data, limit, body)
        if not whole or len(body) >= limit:
            return Decoded(bytes(body), whole and not inflater.unused_data)
        data = inflater.unused_data
    return Decoded(bytes(body), whole=bool(body))


def _deflate(data: bytes, limit: int) -> Decoded:
    """Servers send deflate with and without its zlib wrapping."""
    for wbits in (15, -15):
        body = bytearray()
        whole = _inflate(zlib.decompressobj(wbits=wbits), data, limit, body)
        if body or whole:
            return Decoded(bytes(body), whole)
    return Decoded(b"", whole=False)


def _inflate(inflater: "zlib._Decompress", data: bytes, limit: int, body: bytearray) -> bool:
    """Inflate into the body until the end or the limit; whether the end was reached."""
    try:
        while len(body) < limit and not inflater.eof:
            part = inflater.decompress(data, min(_STEP, limit - len(body)))
            if not part and not inflater.eof:
                return False
            body += part
            data = inflater.unconsumed_tail
    except zlib.error:
        return False
    return inflater.eof


def _make_reader(reader: str) -> Callable[[bytes, int], Decoded]:
    def read(data: bytes, limit: int) -> Decoded:
        body = bytearray()
        try:
            stream = _fastwarc_reader(reader)(io.BytesIO(data))
            while len(body) < limit:
                part = stream.read(min(_STEP, limit - len(body)))
                if not part:
                    return Decoded(bytes(body), whole=True)
                body += part
        except (OSError, ValueError):
            return Decoded(bytes(body), whole=False)
        return Decoded(bytes(body), whole=False)

    return read


def _fastwarc_reader(name: str) -> Callable[[io.BytesIO], io.BufferedIOBase]:
    """A reader of fastwarc, which on import warns of old names of its own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from fastwarc import stream_io  # noqa: PLC0415 needed by few recordings

    return cast("Callable[[io.BytesIO], io.BufferedIOBase]", getattr(stream_io, name))


_DECODERS: dict[str, Callable[[bytes, int], Decoded]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _make_reader("BrotliReader"),
    "zstd": _make_reader("ZstdReader"),
}
