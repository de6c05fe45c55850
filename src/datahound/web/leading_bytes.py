"""The type of a body by its first bytes, for answers whose MIME type and name may be wrong."""

import re
from collections import Counter

from datahound.web.types import FILE_TYPES, looks_like_html, match_leading_bytes

LEADING = 4096
"""How many bytes of a body are examined."""
OLE = "ole"
"""An old Office file of an unknown program: those of Excel, Word and PowerPoint begin alike."""

_ZIPS = (b"PK\x03\x04", b"PK\x05\x06")
_OLE_BYTES = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# The names of streams in an old Office file say which program made it, if they come early.
_OLE_STREAMS = {"Workbook": "xls", "WordDocument": "doc", "PowerPoint Document": "ppt"}
_BOMS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_OFFICE_HTML = b"urn:schemas-microsoft-com:office:excel"
_ROOTS = (
    ("kml", b"<kml"),
    ("gpx", b"<gpx"),
    ("rss", b"<rss"),
    ("rdf", b"<rdf:rdf"),
    ("gml", b"opengis.net/gml"),
    ("sdmx", b"sdmx.org"),
    ("image", b"<svg"),
    ("html", b"<html"),
)
"""What the first tags of XML contain, by type."""
_DELIMITERS = (b"\t", b";", b",", b"|")
# Enough lines to tell a table from prose.
_LINES = 12
_QUOTED = re.compile(rb'"[^"]*"')
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_FAMILIES = (
    {"zip", "xlsx", "xlsb", "xlsm", "xlt", "docx", "dotx", "docm", "pptx", "ppsx", "ods", "odt"}
    | {"odp", "kmz", "numpy"},
    {OLE, "xls", "xlt", "doc", "ppt", "ppsx"},
    {"sqlite", "gpkg"},
    {"hdf5", "netcdf", "matlab"},
    {"gz", "bz2", "xz", "zst", "r", "tar"},
    {"xml", "kml", "gml", "gpx", "sdmx", "rdf", "rss", "xls", "turtle"},
    {"json", "geojson", "jsonld", "ndjson", "json-stat", "topojson"},
)
"""Types whose files may begin alike."""
_PLAIN = {"text", "csv", "tsv"}
_TEXTUAL = _PLAIN | {
    "px", "yaml", "turtle", "ndjson", "json", "geojson", "xml", "gml", "xls", "spss", "sas",
}  # fmt: skip


def detect_type(beginning: bytes) -> str:
    r"""The name of the type of a body: of a row of the table, `html`, `ole`, or '' if unknown.

    >>> detect_type(b"%PDF-1.7"), detect_type(b"PK\3\4 xl/"), detect_type(b"<!doctype html><p>")
    ('pdf', 'xlsx', 'html')
    """
    beginning = beginning[:LEADING]
    if beginning.startswith(_ZIPS):
        parts = ((kind.zip_part.encode(), kind.name) for kind in FILE_TYPES if kind.zip_part)
        return next((name for part, name in parts if part in beginning), "zip")
    if beginning.startswith(_OLE_BYTES):
        streams = _OLE_STREAMS.items()
        return next((k for name, k in streams if name.encode("utf-16-le") in beginning), OLE)
    if name := match_leading_bytes(beginning):
        return name
    # The magic of TAR is not at its beginning: 257 bytes of a first header come before.
    if beginning[257:262] == b"ustar":
        return "tar"
    text = _decode(beginning)
    return _detect_text(text) if _is_text(text) else ""


def agree(named: str, found: str) -> bool:
    """Whether a file of the named type may begin like the type that was found.

    >>> agree("xlsx", "zip"), agree("csv", "text"), agree("csv", "pdf"), agree("dbf", "")
    (True, True, False, True)
    """
    if not found or named == found:
        return True
    if found in _PLAIN:
        return named in _TEXTUAL
    return any(named in family and found in family for family in _FAMILIES)


def _detect_text(text: bytes) -> str:
    if _OFFICE_HTML in text:
        return "xls"  # Excel's own HTML: a workbook, whatever its tags are
    if looks_like_html(text):
        return "html"
    start = text.lstrip()
    for kind in FILE_TYPES:
        if start.startswith(kind.leading_text):
            return _detect_vocabulary(start) or kind.name
    return _detect_table(text) or "text"


def _detect_vocabulary(text: bytes) -> str:
    """The vocabulary of XML or JSON, where its beginning shows one."""
    lower = text[:1500].lower()
    if lower[:1] in (b"{", b"["):
        return "geojson" if b'"featurecollection"' in lower else ""
    return next((name for name, mark in _ROOTS if mark in lower), "")


def _detect_table(text: bytes) -> str:
    """`csv` or `tsv` if nearly all lines have the same number of delimiters."""
    *lines, last = _QUOTED.sub(b"", text).splitlines() or [b""]
    # The last line of a longer text is cut off, and has too few delimiters.
    if len(text) < LEADING:
        lines.append(last)
    lines = [line for line in lines if line.strip()][:_LINES]
    if len(lines) < 2:
        return ""
    for delimiter in _DELIMITERS:
        # In prose, a space follows the comma.
        counts = Counter(line.count(delimiter) - line.count(delimiter + b" ") for line in lines)
        count, often = counts.most_common(1)[0]
        if count > 0 and often >= 0.8 * len(lines):
            return "tsv" if delimiter == b"\t" else "csv"
    return ""


def _decode(beginning: bytes) -> bytes:
    """Text as UTF-8 without its byte order mark."""
    for mark, encoding in _BOMS.items():
        if beginning.startswith(mark):
            return beginning[len(mark) :].decode(encoding, "ignore").encode()
    return beginning


def _is_text(text: bytes) -> bool:
    return bool(text) and not _CONTROL.search(text)
