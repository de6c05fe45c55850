"""Name formats as the vocabularies of data catalogues do."""

from datahound.web import mime

# MIME type, and code in the authority table of file types of the EU.
_TYPES = {
    "csv": ("text/csv", "CSV"),
    "tsv": ("text/tab-separated-values", "TSV"),
    "xls": ("application/vnd.ms-excel", "XLS"),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "XLSX"),
    "xlsb": ("application/vnd.ms-excel.sheet.binary.macroEnabled.12", "XLSB"),
    "ods": ("application/vnd.oasis.opendocument.spreadsheet", "ODS"),
    "json": ("application/json", "JSON"),
    "ndjson": ("application/x-ndjson", "JSON"),
    "geojson": ("application/geo+json", "GEOJSON"),
    "xml": ("application/xml", "XML"),
    "sdmx": ("application/xml", "XML"),
    "html": ("text/html", "HTML"),
    "pdf": ("application/pdf", "PDF"),
    "zip": ("application/zip", "ZIP"),
    "gz": ("application/gzip", "GZIP"),
    "parquet": ("application/vnd.apache.parquet", "PARQUET"),
    "text": ("text/plain", "TXT"),
    "doc": ("application/msword", "DOC"),
    "docx": ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "DOCX"),
    "ppt": ("application/vnd.ms-powerpoint", "PPT"),
    "pptx": ("application/vnd.openxmlformats-officedocument.presentationml.presentation", "PPTX"),
    "odt": ("application/vnd.oasis.opendocument.text", "ODT"),
    "rtf": ("application/rtf", "RTF"),
    "7z": ("application/x-7z-compressed", "7Z"),
    "rar": ("application/vnd.rar", "RAR"),
    "tar": ("application/x-tar", "TAR"),
}
_FILE_TYPE = "http://publications.europa.eu/resource/authority/file-type/"
_IANA = "https://www.iana.org/assignments/media-types/"


def choose_media_type(form: str, declared: str) -> str:
    """The media type of a format; for unknown formats the one that the server declared.

    >>> choose_media_type("csv", "text/plain"), choose_media_type("unknown", "Text/X")
    ('text/csv', 'text/x')
    >>> choose_media_type("", "not a type")
    'application/octet-stream'
    """
    if form in _TYPES:
        return _TYPES[form][0]
    found = mime.parse(declared)
    return found.essence if found else "application/octet-stream"


def make_iana_uri(media: str) -> str:
    """The URI of a media type in the registry of IANA."""
    return _IANA + media


def make_file_type_uri(form: str) -> str | None:
    """The EU URI of a format, or None."""
    return _FILE_TYPE + _TYPES[form][1] if form in _TYPES else None
