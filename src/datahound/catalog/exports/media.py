"""Formats as the vocabularies of catalogues name them."""

from datahound.web import mime

MEDIA_TYPES = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xlsb": "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "json": "application/json",
    "ndjson": "application/x-ndjson",
    "geojson": "application/geo+json",
    "xml": "application/xml",
    "sdmx": "application/xml",
    "html": "text/html",
    "pdf": "application/pdf",
    "zip": "application/zip",
    "gz": "application/gzip",
    "parquet": "application/vnd.apache.parquet",
    "text": "text/plain",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "ppt": "application/vnd.ms-powerpoint",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "odt": "application/vnd.oasis.opendocument.text",
    "rtf": "application/rtf",
    "7z": "application/x-7z-compressed",
    "rar": "application/vnd.rar",
    "tar": "application/x-tar",
}
# Codes of the EU's authority table of file types.
_FILE_TYPES = {
    "csv": "CSV",
    "tsv": "TSV",
    "xls": "XLS",
    "xlsx": "XLSX",
    "xlsb": "XLSB",
    "ods": "ODS",
    "json": "JSON",
    "ndjson": "JSON",
    "geojson": "GEOJSON",
    "xml": "XML",
    "sdmx": "XML",
    "html": "HTML",
    "pdf": "PDF",
    "zip": "ZIP",
    "gz": "GZIP",
    "parquet": "PARQUET",
    "text": "TXT",
    "doc": "DOC",
    "docx": "DOCX",
    "ppt": "PPT",
    "pptx": "PPTX",
    "odt": "ODT",
    "rtf": "RTF",
    "7z": "7Z",
    "rar": "RAR",
    "tar": "TAR",
}
_FILE_TYPE = "http://publications.europa.eu/resource/authority/file-type/"
_IANA = "https://www.iana.org/assignments/media-types/"


def media_type(form: str, said: str) -> str:
    """The media type of a format; of an unknown one, what the server said, if it is a type.

    >>> media_type("csv", "text/plain"), media_type("unknown", "Text/X"), media_type("", "no type")
    ('text/csv', 'text/x', 'application/octet-stream')
    """
    if form in MEDIA_TYPES:
        return MEDIA_TYPES[form]
    found = mime.parse(said)
    return found.essence if found else "application/octet-stream"


def iana_uri(media: str) -> str:
    """The page of a media type in IANA's registry."""
    return _IANA + media


def file_type_uri(form: str) -> str | None:
    """The EU's name of a format, or None."""
    code = _FILE_TYPES.get(form)
    return _FILE_TYPE + code if code else None
