"""Detect the format of a file from its bytes."""

import json
import lzma
import re
import zipfile
import zlib
from pathlib import Path

from datahound.catalog.archives import OPENERS
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
_HTML = re.compile(
    r"<(?:!doctype\s+html|html|head|body|title|table|div|p|h1|script|style|meta)\b", re.IGNORECASE
)
# A bound, so that a file of comments alone is not walked through.
_PROLOGUE, _MAX_PROLOGUE = {"<!--": "-->", "<?": "?>"}, 20
_SPREADSHEET_XML = "urn:schemas-microsoft-com:office:spreadsheet"
_PC_AXIS = re.compile(r'(?:CHARSET|AXIS-VERSION|CODEPAGE|LANGUAGES?|CREATION-DATE|MATRIX)="')
_HEAD_TEXT = 200_000
_TAR = slice(257, 262)
_STATISTICS = {
    b"<stata_dta>": "dta",
    **{bytes((version, order, 1)): "dta" for version in (0x71, 0x72, 0x73) for order in (1, 2)},
    b"$FL2": "sav",
    b"$FL3": "sav",
    b"HEADER RECORD*******LIB": "xpt",
    b"RDX2\n": "rdata",
    b"RDX3\n": "rdata",
    b"X\n\0\0\0\2": "rdata",
    b"X\n\0\0\0\3": "rdata",
}
"""The leading bytes of files of statistics programs."""
# The magic number of SAS datasets follows twelve zero bytes.
_SAS, _SAS_PLACE = bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011"), slice(12, 32)
_SPSS_PORTABLE = b"SPSSPORT"
# One byte of magic is little: `_match_dbase` checks the rest of the header.
_DBASE_VERSIONS = frozenset({0x03, 0x30, 0x31, 0x32, 0x83, 0x8B, 0xF5})


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
    if kind := _match_statistics(head) or _match_dbase(head):
        return kind
    kind = match_leading_bytes(head)
    # R compresses the files that it saves.
    return "rdata" if kind in OPENERS and _match_statistics(_unpack_head(path, kind)) else kind


def _match_statistics(head: bytes) -> str:
    """The statistics program whose file begins like this; '' if none."""
    if head[_SAS_PLACE] == _SAS:
        return "sas7bdat"
    if _SPSS_PORTABLE in head[:512]:
        return "por"
    return next((kind for magic, kind in _STATISTICS.items() if head.startswith(magic)), "")


def _match_dbase(head: bytes) -> str:
    """'dbf' if the header has a date, whole field descriptions and their end mark; else ''."""
    if len(head) < 65 or head[0] not in _DBASE_VERSIONS:
        return ""
    month, day = head[2:4]
    begin, size = int.from_bytes(head[8:10], "little"), int.from_bytes(head[10:12], "little")
    fields = head[32:begin:32]
    ended = 13 in fields or head[begin - 1 : begin] == b"\r"
    return "dbf" if month <= 12 and day <= 31 and begin > 64 and size > 1 and ended else ""


def _unpack_head(path: Path, kind: str) -> bytes:
    try:
        with OPENERS[kind](path) as file:
            return file.read(16)
    except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError):
        return b""


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
                # EPUB and others have a `mimetype`, too.
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
    start = _skip_prologue(text)[:5000]
    if _HTML.match(start):
        return "html", encoding, ""
    if _SPREADSHEET_XML in start and "Workbook" in start[:200]:
        return "spreadsheetml", encoding, ""
    if "sdmx.org" in start.lower() or "SDMX/" in start:
        return "sdmx", encoding, ""
    return ("xml" if re.match(r"<[?!A-Za-z_]", start) else "text"), encoding, ""


def _skip_prologue(text: str) -> str:
    """The text from its first element or document type on, without comments and instructions."""
    place = 0
    for _ in range(_MAX_PROLOGUE):
        place += len(text[place : place + 1000]) - len(text[place : place + 1000].lstrip())
        end = next((e for s, e in _PROLOGUE.items() if text.startswith(s, place)), None)
        if end is None:
            break
        found = text.find(end, place)
        if found < 0:
            break
        place = found + len(end)
    return text[place:]


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
