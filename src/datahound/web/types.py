"""The table of file types: names, MIME types, extensions, leading bytes, codes in catalogues.

A new type is a new row here. Everything else that knows file types is derived from the rows: what
users may ask for (`web/targets.py`), extensions, labels, detection by bytes, and catalogue exports.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

_OFFICE = "application/vnd.openxmlformats-officedocument."
_OPEN = "application/vnd.oasis.opendocument."


@dataclass(frozen=True, slots=True)
class FileType:
    """One type of files."""

    name: str
    """The name of the format in catalogues, and in lists."""
    mime_types: tuple[str, ...] = ()
    """The first is the one that exports declare."""
    extensions: tuple[str, ...] = ()
    """The extensions of its files, as far as targets are recognized by them."""
    group: str = ""
    """The name by which users ask for this type, alone or with others of its group."""
    leading_bytes: tuple[bytes, ...] = ()
    leading_text: tuple[bytes, ...] = ()
    """How its files begin after white space; weaker evidence than `leading_bytes`."""
    zip_part: str = ""
    """What the names or the MIME type inside a ZIP container of this type contain."""
    eu_code: str = ""
    """The code in the EU authority table of file types, which DCAT exports refer to."""
    needs_default_extension: bool = True
    """Whether a file that came without an extension gets the first of `extensions`."""
    shown_by_name: tuple[str, ...] = ()
    """The MIME types that lists show as `name`, because people would not recognize them."""


# The order counts where files of two types begin alike: the first row that fits is the answer.
FILE_TYPES = (
    FileType(
        "csv",
        (
            "text/csv",
            "application/csv",
            "application/x-csv",
            "text/x-csv",
            "text/comma-separated-values",
            "text/x-comma-separated-values",
        ),
        (".csv",),
        "csv",
        eu_code="CSV",
        shown_by_name=("text/csv",),
    ),
    FileType(
        "tsv",
        ("text/tab-separated-values", "text/tsv"),
        (".tsv",),
        "tsv",
        eu_code="TSV",
        shown_by_name=("text/tab-separated-values",),
    ),
    FileType(
        "xls",
        ("application/vnd.ms-excel",),
        (".xls",),
        "excel",
        eu_code="XLS",
        shown_by_name=("application/vnd.ms-excel",),
    ),
    FileType("xlsm", ("application/vnd.ms-excel.sheet.macroenabled.12",), (".xlsm",), "excel"),
    # Before xlsx: the binary workbook is one of the parts that begin with `xl/`.
    FileType(
        "xlsb",
        ("application/vnd.ms-excel.sheet.binary.macroEnabled.12",),
        zip_part="xl/workbook.bin",
        eu_code="XLSB",
    ),
    FileType(
        "xlsx",
        (f"{_OFFICE}spreadsheetml.sheet",),
        (".xlsx",),
        "excel",
        zip_part="xl/",
        eu_code="XLSX",
        shown_by_name=(f"{_OFFICE}spreadsheetml.sheet",),
    ),
    FileType(
        "docx",
        (f"{_OFFICE}wordprocessingml.document",),
        (".docx",),
        "word",
        zip_part="word/",
        eu_code="DOCX",
        shown_by_name=(f"{_OFFICE}wordprocessingml.document",),
    ),
    FileType("dotx", (f"{_OFFICE}wordprocessingml.template",), (".dotx",), "word"),
    FileType(
        "pptx",
        (f"{_OFFICE}presentationml.presentation",),
        (".pptx",),
        "slides",
        zip_part="ppt/",
        eu_code="PPTX",
        shown_by_name=(f"{_OFFICE}presentationml.presentation",),
    ),
    FileType(
        "ods",
        (f"{_OPEN}spreadsheet",),
        (".ods",),
        "ods",
        zip_part="opendocument.spreadsheet",
        eu_code="ODS",
        shown_by_name=(f"{_OPEN}spreadsheet",),
    ),
    FileType(
        "odt",
        (f"{_OPEN}text",),
        (".odt",),
        "word",
        zip_part="opendocument.text",
        eu_code="ODT",
        shown_by_name=(f"{_OPEN}text",),
    ),
    FileType(
        "odp", (f"{_OPEN}presentation",), (".odp",), "slides", zip_part="opendocument.presentation"
    ),
    FileType(
        "doc",
        ("application/msword",),
        (".doc",),
        "word",
        eu_code="DOC",
        shown_by_name=("application/msword",),
    ),
    FileType(
        "ppt",
        ("application/vnd.ms-powerpoint",),
        eu_code="PPT",
        shown_by_name=("application/vnd.ms-powerpoint",),
    ),
    FileType("rtf", ("application/rtf",), leading_bytes=(b"{\\rtf",), eu_code="RTF"),
    FileType(
        "pdf",
        ("application/pdf", "application/x-pdf"),
        (".pdf",),
        "pdf",
        leading_bytes=(b"%PDF-",),
        eu_code="PDF",
    ),
    FileType(
        "parquet",
        ("application/vnd.apache.parquet", "application/x-parquet"),
        (".parquet",),
        "parquet",
        leading_bytes=(b"PAR1",),
        eu_code="PARQUET",
        shown_by_name=("application/vnd.apache.parquet",),
    ),
    FileType("sqlite", (), (".sqlite",), leading_bytes=(b"SQLite format 3\x00",)),
    FileType(
        "json",
        ("application/json", "text/json"),
        (".json",),
        "json",
        leading_text=(b"{", b"["),
        eu_code="JSON",
    ),
    FileType("ndjson", ("application/x-ndjson",), eu_code="JSON"),
    FileType("geojson", ("application/geo+json",), (".geojson",), "json", eu_code="GEOJSON"),
    FileType("jsonld", ("application/ld+json",), (".jsonld",), "json"),
    FileType(
        "xml",
        ("application/xml", "text/xml"),
        (".xml",),
        "xml",
        leading_text=(b"<?xml",),
        eu_code="XML",
        shown_by_name=("text/xml",),
    ),
    # XML with a vocabulary of its own; servers send it as plain XML, so it follows xml.
    FileType("sdmx", ("application/xml",), eu_code="XML"),
    FileType("rdf", ("application/rdf+xml",), (".rdf",), "xml"),
    FileType("rss", ("application/rss+xml",), (".rss",), "xml"),
    FileType(
        "yaml",
        ("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"),
        (".yaml", ".yml"),
        "yaml",
    ),
    FileType("html", ("text/html",), eu_code="HTML"),
    # Servers send anything as plain text: the bytes of such a file decide its extension.
    FileType(
        "text",
        ("text/plain",),
        (".txt",),
        "text",
        eu_code="TXT",
        needs_default_extension=False,
        shown_by_name=("text/plain",),
    ),
    FileType("binary", ("application/octet-stream",), shown_by_name=("application/octet-stream",)),
    FileType(
        "zip",
        ("application/zip", "application/x-zip-compressed", "application/zip-compressed"),
        (".zip",),
        "zip",
        eu_code="ZIP",
    ),
    FileType(
        "gz",
        ("application/gzip", "application/x-gzip"),
        (".gz", ".tgz"),
        "gzip",
        leading_bytes=(b"\x1f\x8b",),
        eu_code="GZIP",
        shown_by_name=("application/gzip",),
    ),
    FileType(
        "tar", ("application/x-tar", "application/x-gtar"), (".tar",), "archives", eu_code="TAR"
    ),
    FileType(
        "7z",
        ("application/x-7z-compressed",),
        (".7z",),
        "archives",
        leading_bytes=(b"7z\xbc\xaf\x27\x1c",),
        eu_code="7Z",
    ),
    FileType(
        "rar",
        ("application/vnd.rar", "application/x-rar-compressed"),
        (".rar",),
        "archives",
        leading_bytes=(b"Rar!\x1a\x07",),
        eu_code="RAR",
    ),
    FileType("bz2", ("application/x-bzip2",), (".bz2",), "archives", leading_bytes=(b"BZh",)),
    FileType("xz", ("application/x-xz",), (".xz",), "archives", leading_bytes=(b"\xfd7zXZ\x00",)),
    FileType("image", leading_bytes=(b"\x89PNG", b"\xff\xd8\xff", b"GIF8")),
)

GROUP_LABELS = {
    "csv": "CSV tables",
    "tsv": "TSV tables",
    "excel": "Excel workbooks",
    "ods": "OpenDocument tables",
    "parquet": "Parquet tables",
    "pdf": "PDF documents",
    "json": "JSON data",
    "xml": "XML data",
    "yaml": "YAML data",
    "word": "text documents",
    "slides": "presentations",
    "text": "plain text",
    "zip": "archives (ZIP and the like)",
    "gzip": "archives (ZIP and the like)",
    "archives": "archives (ZIP and the like)",
}
"""Every group of the table, and what reports call its files."""

PAGE_EXTENSIONS = frozenset(".html .htm .xhtml .shtml .php .asp .aspx .jsp .jspx .cfm".split())
"""The extensions of pages' URLs, where they have one."""

_BY_NAME = {kind.name: kind for kind in FILE_TYPES}
# Reversed, so that of two rows with one MIME type the first counts.
_BY_MIME_TYPE = {name: kind for kind in reversed(FILE_TYPES) for name in kind.mime_types}
_BY_CODE = {kind.eu_code.lower(): kind for kind in reversed(FILE_TYPES) if kind.eu_code}
_SHOWN = {mime_type: kind.name for kind in FILE_TYPES for mime_type in kind.shown_by_name}
_LAST_WORD = re.compile(r"[/#:]")
_SHORT_NAME = re.compile(r"[a-z0-9]{1,10}")
_ZIP = b"PK\x03\x04"
_BOM = b"\xef\xbb\xbf"
_DETECTION_BYTES = 4096
_MAX_HTML_PREFIX = 16 << 10
"""Bytes of blanks and comments before a page's first tag."""
_COMMENTS = ((b"<!--", b"-->", 2000), (b"<?xml", b"?>", 200))
_HTML_TAG = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|title|script|meta|div|form)\b", re.IGNORECASE
)


def get_type(name: str) -> FileType | None:
    """The type with this name, or None."""
    return _BY_NAME.get(name)


def types_in_group(group: str) -> frozenset[str]:
    """The MIME types of a group.

    >>> sorted(types_in_group("pdf"))
    ['application/pdf', 'application/x-pdf']
    """
    return frozenset(t for kind in FILE_TYPES if kind.group == group for t in kind.mime_types)


@lru_cache(maxsize=1000)
def extension_of_format(text: str) -> str:
    """The extension of a format that a catalogue declares in its own words, or ''.

    >>> extension_of_format("text/csv; charset=utf-8"), extension_of_format(".XLSX")
    ('.csv', '.xlsx')
    >>> extension_of_format("http://example.org/file-type/GEOJSON"), extension_of_format("a map")
    ('.geojson', '')
    """
    name = text.strip().lower().partition(";")[0].strip()
    kind = _BY_MIME_TYPE.get(name)
    if kind is None:
        name = _LAST_WORD.split(name)[-1].lstrip(".")
        kind = _BY_NAME.get(name) or _BY_CODE.get(name)
    if kind and kind.extensions:
        return kind.extensions[0]
    return "." + name if _SHORT_NAME.fullmatch(name) else ""


def label_type(mime_type: str) -> str:
    """What reports call files of a MIME type; '' if it belongs to no group."""
    kind = _BY_MIME_TYPE.get(mime_type)
    return GROUP_LABELS[kind.group] if kind and kind.group else ""


def shorten_type(mime_type: str) -> str:
    """A MIME type as lists show it.

    >>> shorten_type("text/csv"), shorten_type("application/x-tar"), shorten_type("a/b")
    ('csv', 'tar', 'a/b')
    """
    return _SHOWN.get(mime_type) or mime_type.removeprefix("application/").removeprefix("x-")


def extensions_of(mime_types: Iterable[str]) -> frozenset[str]:
    """The extensions that files of these MIME types usually have.

    >>> sorted(extensions_of(["text/csv", "text/yaml"]))
    ['.csv', '.yaml', '.yml']
    """
    kinds = (_BY_MIME_TYPE.get(mime_type) for mime_type in mime_types)
    return frozenset(extension for kind in kinds if kind for extension in kind.extensions)


def choose_extension(mime_type: str, beginning: bytes) -> str:
    """An extension for a file without one: by its MIME type, or else by its leading bytes.

    >>> choose_extension("text/csv", b""), choose_extension("", b"%PDF-1.7")
    ('.csv', '.pdf')
    """
    kind = _BY_MIME_TYPE.get(mime_type)
    if kind and kind.extensions and kind.needs_default_extension:
        return kind.extensions[0]
    return _detect_extension(beginning[:_DETECTION_BYTES])


def match_leading_bytes(beginning: bytes) -> str:
    """The name of the type whose files begin with these bytes, or ''."""
    found = (kind.name for kind in FILE_TYPES if beginning.startswith(kind.leading_bytes))
    return next(found, "")


def looks_like_html(beginning: bytes) -> bool:
    """Whether a body that is declared as data begins like a page."""
    text = beginning[:_MAX_HTML_PREFIX].removeprefix(_BOM).lstrip()
    while (rest := _skip_comment(text)) is not None:
        text = rest.lstrip()
    return _HTML_TAG.match(text) is not None


def _skip_comment(text: bytes) -> bytes | None:
    """What follows a comment or an XML declaration; None if there is none, or a very long one."""
    for start, end, longest in _COMMENTS:
        if text[: len(start)].lower() == start:
            found = text.find(end, len(start), len(start) + longest + len(end))
            return text[found + len(end) :] if found >= 0 else None
    return None


def _detect_extension(beginning: bytes) -> str:
    named = [kind for kind in FILE_TYPES if kind.extensions]
    if beginning.startswith(_ZIP):
        parts = ((kind.zip_part.encode(), kind) for kind in named if kind.zip_part)
        return next((kind.extensions[0] for part, kind in parts if part in beginning), ".zip")
    text = beginning.removeprefix(_BOM).lstrip()
    for kind in named:
        if beginning.startswith(kind.leading_bytes) or text.startswith(kind.leading_text):
            return kind.extensions[0]
    return ".txt" if _is_text(beginning) else ".bin"


def _is_text(beginning: bytes) -> bool:
    return not any(byte < 9 or 13 < byte < 32 for byte in beginning)
