"""HTTP messages as archives keep them: their heads and chunks."""

import re
from typing import NamedTuple

from datahound.web.messages import decode_header, parse_fields

MAX_BODY = 64 << 20
"""Decoded bodies are cut here: a bomb must not fill the memory."""

_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_CHUNK_LINE = re.compile(rb"[ \t]*([0-9a-fA-F]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")


class Head(NamedTuple):
    """Status and headers of a response, and where its payload begins."""

    status: int
    headers: dict[str, str]
    length: int


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
    # Tools differ in whether they store chunks; so the marks are looked for, not trusted.
    while line := _CHUNK_LINE.match(payload, at):
        size = int(line[1], 16)
        if not size:
            return b"".join(parts)
        parts.append(payload[line.end() : line.end() + size])
        at = line.end() + size
        # Some tools write bare line feeds.
        at += 2 if payload[at : at + 2] == b"\r\n" else payload[at : at + 1] == b"\n"
    return b"".join([*parts, payload[at:]])


def _parse_status(line: str) -> int:
    words = line.split(None, 2)
    code = words[1] if len(words) > 1 else ""
    return int(code) if code.isascii() and code.isdigit() and len(code) < 10 else 0
