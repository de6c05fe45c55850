"""WARC and ARC records: reading their heads, writing records."""

import base64
import hashlib
import re
import uuid
from dataclasses import dataclass

from datahound.web.messages import decode_header, parse_fields

_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_ARC_LINE = re.compile(rb"(\w+:[^\r\n]*) (\S+) (\d{8,20}) (\S+) (\d{1,15})\r?\n")
# Longer heads are taken for damage: a missing blank line must not read a whole file.
_MAX_HEAD = 1 << 20


@dataclass(frozen=True, slots=True)
class RecordHead:
    """What a record says of itself before its block."""

    type: str
    uri: str
    fields: dict[str, str]
    start: int
    """Where the block begins."""
    length: int
    """The bytes of the block."""

    @property
    def end(self) -> int:
        return self.start + self.length

    @property
    def is_arc(self) -> bool:
        return "warc-type" not in self.fields

    @property
    def record_id(self) -> str:
        return self.fields.get("warc-record-id", "")


def parse_record_head(data: bytes) -> RecordHead | None:
    """The head of the record that the data begins with, or None."""
    if not data.startswith(b"WARC/"):
        return _parse_arc_line(data)
    blank = _BLANK_LINE.search(data, 0, _MAX_HEAD)
    if blank is None:
        return None
    fields = parse_fields(decode_header(data[: blank.start()]).partition("\n")[2])
    length = fields.get("content-length", "")
    # int() would also accept signs, underscores and digits of other scripts.
    if not (length.isascii() and length.isdigit() and len(length) < 16):
        return None
    uri = strip_brackets(fields.get("warc-target-uri", ""))
    kind = fields.get("warc-type", "").lower()
    return RecordHead(kind, uri, fields, blank.end(), int(length))


def strip_brackets(text: str) -> str:
    """A URI without the angle brackets that old versions of wget put around it."""
    return text[1:-1] if text.startswith("<") and text.endswith(">") else text


def _parse_arc_line(data: bytes) -> RecordHead | None:
    # A URL may hold spaces, so the match is greedy; bounded, as the data may be anything.
    line = _ARC_LINE.match(data[:65536])
    if line is None:
        return None
    uri, _, _, mime, length = (decode_header(part) for part in line.groups())
    kind = "warcinfo" if uri.startswith("filedesc:") else "response"
    return RecordHead(kind, uri, {"content-type": mime}, line.end(), int(length))


def new_record_id() -> str:
    return f"<urn:uuid:{uuid.uuid4()}>"


def digest(data: bytes) -> str:
    """A digest as WARC files give it."""
    return format_digest(hashlib.sha1(data, usedforsecurity=False).digest())


def format_digest(sha1: bytes) -> str:
    return "sha1:" + base64.b32encode(sha1).decode()


def format_head(fields: dict[str, str]) -> bytes:
    """The head of a WARC/1.1 record, with the blank line after it."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"WARC/1.1\r\n{lines}\r\n".encode()


def write_record(fields: dict[str, str], block: bytes) -> bytes:
    """A whole WARC/1.1 record; its id, block digest and length are added."""
    named = {
        "WARC-Record-ID": new_record_id(),
        **fields,
        "WARC-Block-Digest": digest(block),
        "Content-Length": str(len(block)),
    }
    return format_head(named) + block + b"\r\n\r\n"
