"""Detect the format of a file from its bytes."""

import json
import re
import zipfile
from pathlib import Path

from datahound.catalog.readers.encoding import (
    detect_delimiter,
    detect_encoding,
    is_binary,
    read_head,
)
from datahound.web.types import FILE_TYPES, match_leading_bytes

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BIFF = (b"\x09\x08\x10\x00\x00\x06", b"\x09\x08\x08\x00\x00\x05", b"\x09\x04\x06\x00")
_WORKBOOK = ("Workbook".encode("utf-16-le"), "Book\0".encode("utf-16-le"))
_OPEN_PREFIX = "opendocument."
_ZIP_PARTS = [(kind.zip_part, kind.name) for kind in FILE_TYPES if kind.zip_part]
_OPEN_DOCUMENT = {
    part.removeprefix(_OPEN_PREFIX): name
    for part, name in _ZIP_PARTS
    if part.startswith(_OPEN_PREFIX)
}
_HTML = re.compile(r"<(!doctype\s+html|html|head|body|table|div|p|h1|script|meta)\b", re.IGNORECASE)
_PC_AXIS = re.compile(r'(?:CHARSET|AXIS-VERSION|CODEPAGE|LANGUAGES?|CREATION-DATE|MATRIX)="')
_HEAD_TEXT = 200_000
_TAR = slice(257, 262)


def detect_format(path: Path, name: str = "") -> tuple[str, str, str]:
    """Format, encoding and delimiter of a file; '' where a format has none."""
    head = read_head(path, 1 << 20)
    if not head:
        return "empty", "", ""
    if kind := _match_magic(path, head):
        return kind, "", ""
    if is_binary(head):
        return "unknown", "", ""
    # A non-ASCII character may come late in a file: look further than for the format.
    encoding = detect_encoding(read_head(path))
    text = head[:_HEAD_TEXT].decode(encoding, "ignore").lstrip("\ufeff")
    return _detect_text(text, name or path.name, encoding)


def _match_magic(path: Path, head: bytes) -> str:
    # Viewers accept some bytes before the PDF header, so servers send them.
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _detect_zip(path)
    if head.startswith(_OLE):
        return (
            "xls" if any(mark in head for mark in _WORKBOOK) or _has_late_workbook(path) else "ole"
        )
    if head.startswith(_BIFF):
        return "xls"
    if head[_TAR] == b"ustar":
        return "tar"
    return match_leading_bytes(head)


def _has_late_workbook(path: Path) -> bool:
    """Whether the directory at the end of an OLE file names a workbook."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - (1 << 20)))
        tail = file.read(1 << 20)
    return any(mark in tail for mark in _WORKBOOK)


def _detect_zip(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                kind = archive.read("mimetype").decode("latin-1").strip()
                return _OPEN_DOCUMENT.get(kind.rpartition(_OPEN_PREFIX)[2], "zip")
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, EOFError, ValueError):
        return "zip"
    # Archives may contain a folder `xl/` without being a workbook.
    if "[Content_Types].xml" not in names:
        return "zip"
    return next(
        (kind for start, kind in _ZIP_PARTS if any(n.startswith(start) for n in names)), "zip"
    )


def _detect_text(text: str, name: str, encoding: str) -> tuple[str, str, str]:
    begin = text.lstrip()
    if begin.startswith("<"):
        return _detect_markup(begin, encoding)
    if begin.startswith(("{", "[")) and (kind := _detect_json(begin)):
        return kind, encoding, ""
    if _PC_AXIS.match(begin) and "VALUES(" in text:
        return "px", encoding, ""
    delimiter = detect_delimiter(text, name)
    if delimiter is None:
        return "text", encoding, ""
    return "tsv" if delimiter == "\t" else "csv", encoding, delimiter


def _detect_markup(text: str, encoding: str) -> tuple[str, str, str]:
    start = text[:5000]
    if not start.startswith("<?xml") and _HTML.match(start):
        return "html", encoding, ""
    if re.search(r"<html\b|<!doctype\s+html", start, re.IGNORECASE):
        return "html", encoding, ""
    if "sdmx.org" in start or "SDMX/" in start:
        return "sdmx", encoding, ""
    return ("xml" if re.match(r"<[?!A-Za-z_]", start) else "text"), encoding, ""


def _detect_json(text: str) -> str:
    lines = [line for line in text[:100_000].splitlines()[:50] if line.strip()]
    if len(lines) > 1 and _is_json(lines[0]) and _is_json(lines[1]):
        return "ndjson"
    # A bracket may also begin CSV or source code: check what follows it.
    return "json" if re.match(r'\{\s*(["}]|$)|\[\s*([\[{"\]\d\-tfn]|$)', text) else ""


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True
