"""Name formats as the vocabularies of data catalogues do."""

from datahound.web.messages import parse_mime_type
from datahound.web.types import get_type

_FILE_TYPE = "http://publications.europa.eu/resource/authority/file-type/"
_IANA = "https://www.iana.org/assignments/media-types/"


def choose_media_type(form: str, declared: str) -> str:
    """The media type of a format; for unknown formats the one that the server declared.

    >>> choose_media_type("csv", "text/plain"), choose_media_type("unknown", "Text/X")
    ('text/csv', 'text/x')
    >>> choose_media_type("", "not a type")
    'application/octet-stream'
    """
    kind = get_type(form)
    if kind and kind.eu_code:
        return kind.mime_types[0]
    found = parse_mime_type(declared)
    return found.essence if found else "application/octet-stream"


def make_iana_uri(media: str) -> str:
    """The URI of a media type in the registry of IANA."""
    return _IANA + media


def make_file_type_uri(form: str) -> str | None:
    """The EU URI of a format, or None."""
    kind = get_type(form)
    return _FILE_TYPE + kind.eu_code if kind and kind.eu_code else None
