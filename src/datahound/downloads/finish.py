"""Finish a download: flush it, undo its Content-Encoding, flag pages in place of data."""

from typing import NamedTuple

from datahound.downloads.partial_file import PartialFile, run_in_thread
from datahound.web.messages import BadEncoding, NoAnswer, layers_of, parse_content_type
from datahound.web.targets import detect_type
from datahound.web.types import extensions_of, types_in_group
from datahound.web.urls import extension_of

_GZIP_TYPES = types_in_group("gzip") | {"application/x-gtar"}
_GZIP_EXTENSIONS = extensions_of(types_in_group("gzip"))
_HTML_EXTENSIONS = (".html", ".htm", ".xhtml")
_MAGIC = {"gzip": b"\x1f\x8b", "x-gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd"}


class FinishedFile(NamedTuple):
    """The size and hash of a finished file, and remarks about it."""

    size: int
    sha256: str
    suspicion: str = ""
    note: str = ""


async def finish_file(part: PartialFile, limit: int | None) -> FinishedFile:
    """Finish a complete download: fsync, undo Content-Encoding, flag HTML served as data."""
    await run_in_thread(part.seal)
    note = ""
    encodings = _find_encodings(part)
    if encodings and not part.beginning.startswith(_MAGIC.get(encodings[-1], b"")):
        note = f"said to be packed with {encodings[-1]}, which it was not"
    elif encodings and part.size:
        try:
            await run_in_thread(part.unpack, ", ".join(encodings), limit)
        except BadEncoding as error:
            await run_in_thread(part.remove)
            part.begin(part.headers)
            raise NoAnswer(str(error)) from None
    return FinishedFile(part.size, part.sha256.hexdigest(), _find_suspicion(part), note)


def _find_encodings(part: PartialFile) -> list[str]:
    """The encodings to undo; for a .gz file, servers declare the file's own gzip as encoding."""
    encodings = layers_of(part.headers.get("content-encoding", ""))
    found = parse_content_type(part.headers.get("content-type", ""))
    is_gzip = extension_of(part.url) in _GZIP_EXTENSIONS or (found and found.essence in _GZIP_TYPES)
    return [] if is_gzip and encodings in (["gzip"], ["x-gzip"]) else encodings


def _find_suspicion(part: PartialFile) -> str:
    """Why a file may not be what its type says, or ''."""
    if not part.size:
        return "empty"
    if extension_of(part.url) not in _HTML_EXTENSIONS and detect_type(part.beginning) == "html":
        return "looks like a page: a login or an error in place of the file?"
    return ""
