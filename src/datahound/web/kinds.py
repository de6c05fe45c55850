"""What a response is: a page, a target or neither; and the names people give to targets."""

from collections.abc import Iterable
from functools import lru_cache

from datahound.errors import UserError
from datahound.model import Kind, Response
from datahound.web import mime
from datahound.web.lists import BLOCKED_EXTENSIONS, PAPER_TARGETS
from datahound.web.urls import extension_of

DEFAULT_TARGETS = PAPER_TARGETS
_BLOCKED_FAMILIES = ("image/", "audio/", "video/")

_CSV = frozenset(t for t in PAPER_TARGETS if "csv" in t or "comma-separated" in t)
_TSV = frozenset({"text/tab-separated-values", "text/tsv"})
_EXCEL = frozenset(t for t in PAPER_TARGETS if "excel" in t or "spreadsheetml" in t)
_ODS = frozenset({"application/vnd.oasis.opendocument.spreadsheet"})
_PARQUET = frozenset({"application/vnd.apache.parquet", "application/x-parquet"})
_PDF = frozenset({"application/pdf", "application/x-pdf"})
_JSON = frozenset({"application/json", "text/json", "application/geo+json", "application/ld+json"})
_XML = frozenset({"application/xml", "text/xml", "application/rdf+xml", "application/rss+xml"})
_YAML = frozenset(t for t in PAPER_TARGETS if "yaml" in t)
_WORD = frozenset(
    t
    for t in PAPER_TARGETS
    if "msword" in t or "wordprocessing" in t or t.endswith("document.text")
)
_SLIDES = frozenset(t for t in PAPER_TARGETS if "presentation" in t)
_ZIP = frozenset({"application/zip", "application/zip-compressed", "application/x-zip-compressed"})
_GZIP = frozenset({"application/gzip", "application/x-gzip"})
_ARCHIVES = (
    _ZIP
    | _GZIP
    | {"application/vnd.rar", "application/x-rar-compressed", "application/x-7z-compressed"}
    | {"application/x-tar", "application/x-gtar", "application/x-bzip2", "application/x-xz"}
)

TARGET_NAMES: dict[str, frozenset[str]] = {
    "all": PAPER_TARGETS | _TSV | _PARQUET | _JSON | _XML | _ARCHIVES,
    "archives": _ARCHIVES,
    "csv": _CSV,
    "excel": _EXCEL,
    "gzip": _GZIP,
    "json": _JSON,
    "ods": _ODS,
    "paper": PAPER_TARGETS,
    "parquet": _PARQUET,
    "pdf": _PDF,
    "slides": _SLIDES,
    "tables": _CSV | _TSV | _EXCEL | _ODS | _PARQUET,
    "text": frozenset({"text/plain"}),
    "tsv": _TSV,
    "word": _WORD,
    "xml": _XML,
    "yaml": _YAML,
    "zip": _ZIP,
}
"""Names that people use for types of files; `paper` is the default."""


def mime_type_of(response: Response) -> str:
    """The essence of a response's MIME type, or ''."""
    return _essence(response.headers.get("content-type", ""))


def kind_of(response: Response, targets: frozenset[str] = DEFAULT_TARGETS) -> Kind:
    """What a successful response is; anything but a 2xx is neither page nor target."""
    if not 200 <= response.status < 300:
        return Kind.OTHER
    return kind_of_type(mime_type_of(response), targets)


def kind_of_type(mime_type: str, targets: frozenset[str] = DEFAULT_TARGETS) -> Kind:
    """What a MIME type stands for.

    >>> kind_of_type("text/csv"), kind_of_type("application/xhtml+xml"), kind_of_type("image/png")
    (<Kind.TARGET: 'target'>, <Kind.PAGE: 'page'>, <Kind.OTHER: 'other'>)
    """
    if mime_type in targets:
        return Kind.TARGET
    return Kind.PAGE if "html" in mime_type else Kind.OTHER


@lru_cache(maxsize=1000)
def _essence(content_type: str) -> str:
    found = mime.of_header(content_type)
    return found.essence if found else ""


def is_blocked_type(mime_type: str) -> bool:
    """Whether a download of this type is cut at its headers."""
    return mime_type.startswith(_BLOCKED_FAMILIES)


def has_blocked_extension(url: str) -> bool:
    """Whether the URL names a picture, a sound or a film."""
    return extension_of(url) in BLOCKED_EXTENSIONS


def parse_targets(names: Iterable[str]) -> frozenset[str]:
    """MIME types from the names people use, from MIME types, or from lists of both.

    >>> sorted(parse_targets(["pdf", "text/x-special"]))
    ['application/pdf', 'application/x-pdf', 'text/x-special']
    """
    found: set[str] = set()
    for name in (part.strip().lower() for text in names for part in text.split(",")):
        if name in TARGET_NAMES:
            found |= TARGET_NAMES[name]
        elif (kind := mime.parse(name)) is not None:
            found.add(kind.essence)
        else:
            allowed = ", ".join(TARGET_NAMES)
            raise UserError(f"unknown target type {name!r}: give a MIME type or one of {allowed}")
    return frozenset(found)
