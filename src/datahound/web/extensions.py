"""Extensions and the MIME types that they stand for."""

from collections.abc import Iterable

_BY_TYPE = {
    ".csv": "text/csv application/csv application/x-csv text/x-csv text/comma-separated-values "
    "text/x-comma-separated-values",
    ".tsv": "text/tab-separated-values text/tsv",
    ".json": "application/json text/json",
    ".geojson": "application/geo+json",
    ".jsonld": "application/ld+json",
    ".xml": "application/xml text/xml",
    ".rdf": "application/rdf+xml",
    ".rss": "application/rss+xml",
    ".yaml": "application/yaml application/x-yaml text/yaml text/x-yaml",
    ".pdf": "application/pdf application/x-pdf",
    ".doc": "application/msword",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".dotx": "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
    ".xls": "application/vnd.ms-excel",
    ".xlsm": "application/vnd.ms-excel.sheet.macroenabled.12",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".odp": "application/vnd.oasis.opendocument.presentation",
    ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".odt": "application/vnd.oasis.opendocument.text",
    ".parquet": "application/vnd.apache.parquet application/x-parquet",
    ".zip": "application/zip application/x-zip-compressed application/zip-compressed",
    ".gz": "application/gzip application/x-gzip",
    ".tar": "application/x-tar application/x-gtar",
    ".7z": "application/x-7z-compressed",
    ".rar": "application/vnd.rar application/x-rar-compressed",
    ".bz2": "application/x-bzip2",
    ".xz": "application/x-xz",
}
_TYPES = {name: extension for extension, names in _BY_TYPE.items() for name in names.split()}
_ALSO = {".yml": "application/yaml", ".tgz": "application/x-gzip", ".txt": "text/plain"}

PAGE_EXTENSIONS = frozenset(".html .htm .xhtml .shtml .php .asp .aspx .jsp .jspx .cfm".split())
"""What the URLs of pages end with, where they end with an extension at all."""


def extension_of_type(mime_type: str) -> str:
    """The extension of a MIME type's files, with its dot, or ''."""
    return _TYPES.get(mime_type, "")


def extensions_of(targets: Iterable[str]) -> frozenset[str]:
    """The extensions that files of these MIME types usually have.

    >>> sorted(extensions_of(["text/csv", "text/yaml"]))
    ['.csv', '.yaml', '.yml']
    """
    wanted = frozenset(targets)
    usual = {_TYPES[mime_type] for mime_type in wanted & _TYPES.keys()}
    also = {
        extension
        for extension, mime_type in _ALSO.items()
        if mime_type in wanted or _TYPES.get(mime_type) in usual
    }
    return frozenset(usual | also)
