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

BLOCKED_EXTENSIONS = frozenset(
    """
    .3g2 .3ga .3gp2 .3gp .3gpa .3gpp2 .3gpp .aac .aacp .adp .aff .aif .aiff .arw .asf .asx .avi
    .avif .avifs .bmp .btif .cgm .cmx .cr2 .crw .dcr .djv .djvu .dng .dts .dtshd .dwg .dxf
    .ecelp4800 .ecelp7470 .ecelp9600 .eol .erf .f4v .fbs .fh4 .fh5 .fh7 .fh .fhc .flac .fli .flv
    .fpx .fst .fvt .g3 .gif .h261 .h263 .h264 .heic .heif .icns .ico .ief .jfi .jfif-tbnl .jfif
    .jif .jpe .jpeg .jpg .jpgm .jpgv .jpm .k25 .kar .kdc .lvp .m1v .m2a .m2v .m3a .m3u .m4a .m4b
    .m4p .m4r .m4u .m4v .mdi .mid .midi .mj2 .mjp2 .mka .mkv .mmr .mov .movie .mp2 .mp2a .mp3
    .mp4 .mp4v .mpa .mpe .mpeg .mpg4 .mpg .mpga .mrw .mxu .nef .npx .oga .ogg .ogv .opus .orf
    .pbm .pct .pcx .pef .pgm .pic .pjpg .png .pnm .ppm .psd .ptx .pya .pyv .qt .ra .raf .ram
    .ras .raw .rgb .rlc .rmi .rmp .rw2 .rwl .snd .spx .sr2 .srf .svg .svgz .tif .tiff .ts .viv
    .wav .wax .wbmp .weba .webm .webp .wm .wma .wmv .wmx .wvx .x3f .xbm .xif .xpm .xwd
    """.split()
)
"""Extensions of pictures, sound and film: links that have one are dropped."""


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
# fmt: off
FILE_TYPES = (
    FileType("csv", ("text/csv", "application/csv", "application/x-csv", "text/x-csv",
        "text/comma-separated-values", "text/x-comma-separated-values",
        "application/vnd.sdmx.data+csv"), (".csv",), "csv",
        eu_code="CSV", shown_by_name=("text/csv",)),
    FileType("tsv", ("text/tab-separated-values", "text/tsv"), (".tsv",), "tsv", eu_code="TSV",
        shown_by_name=("text/tab-separated-values",)),
    FileType("xls", ("application/vnd.ms-excel",), (".xls",), "excel", eu_code="XLS",
        shown_by_name=("application/vnd.ms-excel",)),
    FileType("xlsm", ("application/vnd.ms-excel.sheet.macroenabled.12",), (".xlsm",), "excel"),
    FileType("xlt", (f"{_OFFICE}spreadsheetml.template",
        "application/vnd.ms-excel.template.macroenabled.12"), (".xlt", ".xltx", ".xltm"), "excel"),
    # Before xlsx: the binary workbook is one of the parts that begin with `xl/`.
    FileType("xlsb", ("application/vnd.ms-excel.sheet.binary.macroEnabled.12",
        "application/vnd.ms-excel.sheet.binary.macroenabled.12"), (".xlsb",), "excel",
        zip_part="xl/workbook.bin", eu_code="XLSB"),
    FileType("xlsx", (f"{_OFFICE}spreadsheetml.sheet",), (".xlsx",), "excel", zip_part="xl/",
        eu_code="XLSX", shown_by_name=(f"{_OFFICE}spreadsheetml.sheet",)),
    FileType("docx", (f"{_OFFICE}wordprocessingml.document",), (".docx",), "word", zip_part="word/",
        eu_code="DOCX", shown_by_name=(f"{_OFFICE}wordprocessingml.document",)),
    FileType("dotx", (f"{_OFFICE}wordprocessingml.template",), (".dotx",), "word"),
    FileType("docm", ("application/vnd.ms-word.document.macroenabled.12",), (".docm",), "word"),
    FileType("ppsx", (f"{_OFFICE}presentationml.slideshow",), (".ppsx", ".pps", ".pptm"), "slides"),
    FileType("pptx", (f"{_OFFICE}presentationml.presentation",), (".pptx",), "slides",
        zip_part="ppt/", eu_code="PPTX", shown_by_name=(f"{_OFFICE}presentationml.presentation",)),
    FileType("ods", (f"{_OPEN}spreadsheet",), (".ods",), "ods", zip_part="opendocument.spreadsheet",
        eu_code="ODS", shown_by_name=(f"{_OPEN}spreadsheet",)),
    FileType("odt", (f"{_OPEN}text",), (".odt",), "word", zip_part="opendocument.text",
        eu_code="ODT", shown_by_name=(f"{_OPEN}text",)),
    FileType("odp", (f"{_OPEN}presentation",), (".odp",), "slides",
        zip_part="opendocument.presentation"),
    FileType("doc", ("application/msword",), (".doc",), "word", eu_code="DOC",
        shown_by_name=("application/msword",)),
    FileType("ppt", ("application/vnd.ms-powerpoint",), (".ppt",), "slides", eu_code="PPT",
        shown_by_name=("application/vnd.ms-powerpoint",)),
    FileType("rtf", ("application/rtf", "text/rtf"), (".rtf",), "word", leading_bytes=(b"{\\rtf",),
        eu_code="RTF"),
    FileType("pdf", ("application/pdf", "application/x-pdf"), (".pdf",), "pdf",
        leading_bytes=(b"%PDF-",), eu_code="PDF"),
    FileType("parquet", ("application/vnd.apache.parquet", "application/x-parquet"), (".parquet",),
        "parquet", leading_bytes=(b"PAR1",), eu_code="PARQUET",
        shown_by_name=("application/vnd.apache.parquet",)),
    FileType("arrow", ("application/vnd.apache.arrow.file", "application/vnd.apache.arrow.stream"),
        (".arrow", ".feather"), "arrow", leading_bytes=(b"ARROW1", b"FEA1")),
    FileType("avro", ("application/avro", "application/vnd.apache.avro"), (".avro",), "arrow"),
    FileType("orc", ("application/orc", "application/vnd.apache.orc"), (".orc",), "arrow"),
    FileType("px", ("application/x-pc-axis", "text/x-pc-axis", "application/px", "text/px"),
        (".px",), "px", leading_text=(b"CHARSET=", b"AXIS-VERSION=")),
    FileType("dbf", ("application/dbf", "application/x-dbf", "application/dbase",
        "application/x-dbase"), (".dbf",), "dbf", eu_code="DBF"),
    FileType("stata", ("application/x-stata", "application/x-stata-dta"), (".dta",), "statistics",
        leading_bytes=(b"<stata_dta>", b"\x72\x01\x01\x00", b"\x72\x02\x01\x00",
        b"\x73\x02\x01\x00")),
    FileType("sas", ("application/x-sas-data", "application/x-sas-transport",
        "application/x-sas-xport"), (".sas7bdat", ".xpt", ".xport"), "statistics",
        leading_bytes=(bytes(12) + b"\xc2\xea\x81\x60", b"HEADER RECORD*******LI")),
    FileType("spss", ("application/x-spss-sav", "application/x-spss-por", "application/x-spss"),
        (".sav", ".zsav", ".por"), "statistics", leading_bytes=(b"$FL2", b"$FL3")),
    FileType("r", ("application/x-rdata", "application/x-r-data", "application/x-rds"), (".rds",
        ".rdata", ".rda"), "statistics", leading_bytes=(b"RDX2\n", b"RDX3\n", b"RDA2\n",
        b"RDA3\n")),
    FileType("hdf5", ("application/x-hdf5", "application/x-hdf"), (".h5", ".hdf5", ".hdf", ".he5"),
        "arrays", leading_bytes=(b"\x89HDF\r\n\x1a\n",)),
    FileType("netcdf", ("application/netcdf", "application/x-netcdf"), (".nc", ".nc4", ".cdf",
        ".netcdf"), "arrays", leading_bytes=(b"CDF\x01", b"CDF\x02", b"CDF\x05")),
    FileType("grib", ("application/x-grib", "application/wmo-grib"), (".grib", ".grb", ".grib2",
        ".grb2"), "arrays", leading_bytes=(b"GRIB",)),
    FileType("matlab", ("application/x-matlab-data",), (".mat",), "arrays",
        leading_bytes=(b"MATLAB 5.0",)),
    FileType("numpy", (), (".npy", ".npz"), "arrays", leading_bytes=(b"\x93NUMPY",)),
    FileType("sqlite", ("application/vnd.sqlite3", "application/x-sqlite3"), (".sqlite",
        ".sqlite3"), "databases", leading_bytes=(b"SQLite format 3\x00",)),
    FileType("access", ("application/vnd.ms-access", "application/x-msaccess"), (".mdb", ".accdb"),
        "databases", leading_bytes=(b"\x00\x01\x00\x00Standard ",)),
    # A GeoPackage is an SQLite database, and begins like one.
    FileType("gpkg", ("application/geopackage+sqlite3", "application/geopackage+vnd.sqlite3"),
        (".gpkg",), "geo"),
    FileType("kml", ("application/vnd.google-earth.kml+xml",), (".kml",), "geo",
        leading_text=(b"<kml",), eu_code="KML"),
    FileType("kmz", ("application/vnd.google-earth.kmz",), (".kmz",), "geo", zip_part="doc.kml",
        eu_code="KMZ"),
    FileType("gml", ("application/gml+xml",), (".gml",), "geo", eu_code="GML"),
    FileType("gpx", ("application/gpx+xml",), (".gpx",), "geo", leading_text=(b"<gpx",)),
    FileType("topojson", ("application/topo+json",), (".topojson",), "geo"),
    FileType("shp", ("application/x-shapefile", "application/vnd.shp", "x-gis/x-shapefile"),
        (".shp", ".shx", ".prj", ".gdb"), "geo", leading_bytes=(b"\x00\x00\x27\x0a",),
        eu_code="SHP"),
    FileType("flatgeobuf", ("application/flatgeobuf",), (".fgb",), "geo",
        leading_bytes=(b"fgb\x03fgb",)),
    FileType("json", ("application/json", "text/json"), (".json",), "json", leading_text=(b"{",
        b"["), eu_code="JSON"),
    FileType("ndjson", ("application/x-ndjson", "application/ndjson", "application/jsonl",
        "application/json-seq"), (".ndjson", ".jsonl"), "json", eu_code="JSON"),
    FileType("json-stat", ("application/vnd.sdmx.data+json", "application/vnd.json-stat"),
        (".jsonstat",), "json"),
    FileType("geojson", ("application/geo+json", "application/vnd.geo+json"), (".geojson",), "json",
        eu_code="GEOJSON"),
    FileType("jsonld", ("application/ld+json",), (".jsonld",), "json"),
    FileType("xml", ("application/xml", "text/xml"), (".xml",), "xml", leading_text=(b"<?xml",),
        eu_code="XML", shown_by_name=("text/xml",)),
    # XML with a vocabulary of its own; servers send it as plain XML, so it follows xml.
    FileType("sdmx", ("application/xml", "application/vnd.sdmx.genericdata+xml",
        "application/vnd.sdmx.structurespecificdata+xml", "application/vnd.sdmx.structure+xml"),
        (".sdmx",), "xml", eu_code="XML"),
    FileType("rdf", ("application/rdf+xml",), (".rdf",), "xml"),
    FileType("turtle", ("text/turtle", "application/x-turtle", "text/n3", "application/n-triples",
        "application/n-quads", "application/trig"), (".ttl", ".n3", ".nt", ".nq", ".trig"), "xml"),
    FileType("rss", ("application/rss+xml",), (".rss",), "xml"),
    FileType("yaml", ("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"),
        (".yaml", ".yml"), "yaml"),
    FileType("html", ("text/html",), eu_code="HTML"),
    # Servers send anything as plain text: the bytes of such a file decide its extension.
    FileType("text", ("text/plain",), (".txt",), "text", eu_code="TXT",
        needs_default_extension=False, shown_by_name=("text/plain",)),
    FileType("binary", ("application/octet-stream",), shown_by_name=("application/octet-stream",)),
    FileType("zip", ("application/zip", "application/x-zip-compressed",
        "application/zip-compressed"), (".zip",), "zip", eu_code="ZIP"),
    FileType("gz", ("application/gzip", "application/x-gzip"), (".gz", ".tgz"), "gzip",
        leading_bytes=(b"\x1f\x8b",), eu_code="GZIP", shown_by_name=("application/gzip",)),
    FileType("tar", ("application/x-tar", "application/x-gtar"), (".tar",), "archives",
        eu_code="TAR"),
    FileType("7z", ("application/x-7z-compressed",), (".7z",), "archives",
        leading_bytes=(b"7z\xbc\xaf\x27\x1c",), eu_code="7Z"),
    FileType("rar", ("application/vnd.rar", "application/x-rar-compressed"), (".rar",), "archives",
        leading_bytes=(b"Rar!\x1a\x07",), eu_code="RAR"),
    FileType("bz2", ("application/x-bzip2", "application/x-bzip", "application/bzip2"), (".bz2",
        ".tbz2"), "archives", leading_bytes=(b"BZh",)),
    FileType("xz", ("application/x-xz",), (".xz", ".txz"), "archives",
        leading_bytes=(b"\xfd7zXZ\x00",)),
    FileType("zst", ("application/zstd",), (".zst",), "archives",
        leading_bytes=(b"\x28\xb5\x2f\xfd",)),
    FileType("program", leading_bytes=(b"MZ\x90\x00", b"\x7fELF")),
    FileType("image", leading_bytes=(b"\x89PNG", b"\xff\xd8\xff", b"GIF8")),
)
# fmt: on

GROUP_LABELS = {
    "csv": "CSV tables",
    "tsv": "TSV tables",
    "excel": "Excel workbooks",
    "ods": "OpenDocument tables",
    "parquet": "Parquet tables",
    "pdf": "PDF documents",
    "arrow": "columnar tables (Arrow and the like)",
    "px": "PC-Axis tables",
    "dbf": "dBASE tables",
    "statistics": "files of statistics programs",
    "arrays": "scientific arrays",
    "databases": "databases",
    "geo": "geographic data",
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

BY_NAME = {kind.name: kind for kind in FILE_TYPES}
# Reversed, so that of two rows with one MIME type or one extension the first counts.
BY_MIME_TYPE = {name: kind for kind in reversed(FILE_TYPES) for name in kind.mime_types}
BY_EXTENSION = {e: kind for kind in reversed(FILE_TYPES) for e in kind.extensions}
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
    return BY_NAME.get(name)


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
    kind = BY_MIME_TYPE.get(name)
    if kind is None:
        # Catalogues name formats by URIs of vocabularies: the last part is the code.
        name = _LAST_WORD.split(name)[-1].lstrip(".")
        kind = BY_NAME.get(name) or _BY_CODE.get(name)
    if kind and kind.extensions:
        return kind.extensions[0]
    return "." + name if _SHORT_NAME.fullmatch(name) else ""


def label_type(mime_type: str) -> str:
    """What reports call files of a MIME type; '' if it belongs to no group."""
    kind = BY_MIME_TYPE.get(mime_type)
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
    kinds = (BY_MIME_TYPE.get(mime_type) for mime_type in mime_types)
    return frozenset(extension for kind in kinds if kind for extension in kind.extensions)


def choose_extension(mime_type: str, beginning: bytes) -> str:
    """An extension for a file without one: by its MIME type, or else by its leading bytes.

    >>> choose_extension("text/csv", b""), choose_extension("", b"%PDF-1.7")
    ('.csv', '.pdf')
    """
    kind = BY_MIME_TYPE.get(mime_type)
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
