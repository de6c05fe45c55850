"""Which answers are targets: the types that users may ask for, and those never worth a request."""

from collections.abc import Iterable
from functools import lru_cache

from datahound.errors import UserError
from datahound.model import Kind, Response
from datahound.web.messages import parse_content_type, parse_mime_type
from datahound.web.types import GROUP_LABELS, types_in_group
from datahound.web.urls import extension_of

PAPER_TARGETS = frozenset(
    """
    application/csv application/json application/msword application/octet-stream application/pdf
    application/rdf+xml application/rss+xml application/vnd.ms-excel
    application/vnd.ms-excel.sheet.macroenabled.12
    application/vnd.oasis.opendocument.presentation
    application/vnd.oasis.opendocument.spreadsheet application/vnd.oasis.opendocument.text
    application/vnd.openxmlformats-officedocument.presentationml.presentation
    application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
    application/vnd.openxmlformats-officedocument.wordprocessingml.document
    application/vnd.openxmlformats-officedocument.wordprocessingml.template application/vnd.rar
    application/x-7z-compressed application/x-csv application/x-gtar application/x-gzip
    application/xml application/x-pdf application/x-rar-compressed application/x-tar
    application/x-yaml application/x-zip-compressed application/yaml application/zip
    application/zip-compressed text/comma-separated-values text/csv text/json text/plain
    text/x-comma-separated-values text/x-csv text/x-yaml text/yaml
    """.split()
)
"""The 38 MIME types that the paper calls targets."""

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

DEFAULT_TARGETS = PAPER_TARGETS
_BLOCKED_FAMILIES = ("image/", "audio/", "video/")
_TABLES = ("csv", "tsv", "excel", "ods", "parquet")
_ARCHIVES = ("archives", "zip", "gzip")


def _join_groups(groups: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*map(types_in_group, groups))


TARGET_NAMES: dict[str, frozenset[str]] = dict(
    sorted(
        {
            **{group: types_in_group(group) for group in GROUP_LABELS},
            "all": PAPER_TARGETS | _join_groups(GROUP_LABELS),
            "archives": _join_groups(_ARCHIVES),
            "paper": PAPER_TARGETS,
            "tables": _join_groups(_TABLES),
        }.items()
    )
)
"""The names by which users ask for types of files; `paper` is the default."""


def mime_type_of(response: Response) -> str:
    """The essence of a response's MIME type, or ''."""
    return _essence(response.headers.get("content-type", ""))


def kind_of(response: Response, targets: frozenset[str] = DEFAULT_TARGETS) -> Kind:
    """The kind of a response; anything but a 2xx is neither page nor target."""
    if not 200 <= response.status < 300:
        return Kind.OTHER
    return kind_of_type(mime_type_of(response), targets)


def kind_of_type(mime_type: str, targets: frozenset[str] = DEFAULT_TARGETS) -> Kind:
    """The kind of a MIME type.

    >>> kind_of_type("text/csv"), kind_of_type("application/xhtml+xml"), kind_of_type("image/png")
    (<Kind.TARGET: 'target'>, <Kind.PAGE: 'page'>, <Kind.OTHER: 'other'>)
    """
    if mime_type in targets:
        return Kind.TARGET
    return Kind.PAGE if "html" in mime_type else Kind.OTHER


@lru_cache(maxsize=1000)
def _essence(content_type: str) -> str:
    found = parse_content_type(content_type)
    return found.essence if found else ""


def is_blocked_type(mime_type: str) -> bool:
    """Whether a body of this type is never read."""
    return mime_type.startswith(_BLOCKED_FAMILIES)


def has_blocked_extension(url: str) -> bool:
    """Whether a URL has the extension of an image, audio or video file."""
    return extension_of(url) in BLOCKED_EXTENSIONS


def parse_targets(names: Iterable[str]) -> frozenset[str]:
    """The MIME types of target names, MIME types, or comma-separated lists of both.

    >>> sorted(parse_targets(["pdf", "text/x-special"]))
    ['application/pdf', 'application/x-pdf', 'text/x-special']
    """
    found: set[str] = set()
    for name in (part.strip().lower() for text in names for part in text.split(",")):
        if name in TARGET_NAMES:
            found |= TARGET_NAMES[name]
        elif (kind := parse_mime_type(name)) is not None:
            found.add(kind.essence)
        else:
            allowed = ", ".join(TARGET_NAMES)
            raise UserError(f"unknown target type {name!r}: give a MIME type or one of {allowed}")
    return frozenset(found)
