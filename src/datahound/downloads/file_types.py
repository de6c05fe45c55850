"""Extensions for files that came without one: from their MIME type, or from their bytes."""

from datahound.web.extensions import extension_of_type

_MAGIC = (
    (b"%PDF-", ".pdf"),
    (b"\x1f\x8b", ".gz"),
    (b"7z\xbc\xaf\x27\x1c", ".7z"),
    (b"Rar!\x1a\x07", ".rar"),
    (b"BZh", ".bz2"),
    (b"\xfd7zXZ\x00", ".xz"),
    (b"PAR1", ".parquet"),
    (b"SQLite format 3\x00", ".sqlite"),
    (b"<?xml", ".xml"),
    (b"{", ".json"),
    (b"[", ".json"),
)
_INSIDE_ZIP = (
    (b"xl/", ".xlsx"),
    (b"word/", ".docx"),
    (b"ppt/", ".pptx"),
    (b"opendocument.spreadsheet", ".ods"),
    (b"opendocument.text", ".odt"),
    (b"opendocument.presentation", ".odp"),
)
_SEEN_BYTES = 4096


def extension_for(mime_type: str, beginning: bytes) -> str:
    """A file's extension, with its dot: by its type, or by its bytes where that says nothing.

    >>> extension_for("text/csv", b""), extension_for("application/octet-stream", b"%PDF-1.7")
    ('.csv', '.pdf')
    """
    return extension_of_type(mime_type) or _by_bytes(beginning[:_SEEN_BYTES])


def _by_bytes(beginning: bytes) -> str:
    if beginning.startswith(b"PK\x03\x04"):
        return next((end for inside, end in _INSIDE_ZIP if inside in beginning), ".zip")
    stripped = beginning.removeprefix(b"\xef\xbb\xbf").lstrip()
    for magic, extension in _MAGIC:
        if beginning.startswith(magic) or (
            extension in (".xml", ".json") and stripped.startswith(magic)
        ):
            return extension
    return ".txt" if _is_text(beginning) else ".bin"


def _is_text(beginning: bytes) -> bool:
    return not any(byte < 9 or 13 < byte < 32 for byte in beginning)
