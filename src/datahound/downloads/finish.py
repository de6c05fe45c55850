"""The last steps to a file, in threads: unpacking it, looking at it, giving it its name."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeVar

from datahound.downloads.partial_file import Part
from datahound.downloads.placement import Shelf
from datahound.errors import StorageError
from datahound.http.wire import NoAnswer
from datahound.web import mime
from datahound.web.content_encoding import BadEncoding, layers_of
from datahound.web.types import extensions_of, looks_like_html, types_in_group
from datahound.web.urls import extension_of

T = TypeVar("T")

_GZIP_TYPES = types_in_group("gzip") | {"application/x-gtar"}
_GZIP_EXTENSIONS = extensions_of(types_in_group("gzip"))
_HTML_EXTENSIONS = (".html", ".htm", ".xhtml")
_MAGIC = {"gzip": b"\x1f\x8b", "x-gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd"}


class Kept(NamedTuple):
    """A finished part, and what is to be said of it."""

    size: int
    sha256: str
    suspicion: str = ""
    note: str = ""


async def storing(work: Callable[..., T], *arguments: object) -> T:
    """Do work on the disk in a thread, to its end even if we are cancelled meanwhile."""
    loop = asyncio.get_running_loop()
    done = loop.run_in_executor(None, partial(work, *arguments))
    try:
        return await asyncio.shield(done)
    except asyncio.CancelledError:
        await asyncio.wait([done])
        done.exception()
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise StorageError(f"{where}files can't be kept: {error.strerror or error}") from None


async def keep(part: Part, limit: int | None) -> Kept:
    """A part whose bytes are all there, unpacked where they were packed for the way."""
    await storing(part.seal)
    note = ""
    encodings = _encodings(part)
    if encodings and not part.beginning.startswith(_MAGIC.get(encodings[-1], b"")):
        note = f"said to be packed with {encodings[-1]}, which it was not"
    elif encodings and part.size:
        try:
            await storing(part.unpack, ", ".join(encodings), limit)
        except BadEncoding as error:
            await storing(part.remove)
            part.begin(part.headers)
            raise NoAnswer(str(error)) from None
    suspicion = _suspicion(part)
    return Kept(part.size, part.sha256.hexdigest(), suspicion, note)


async def place(shelf: Shelf, part: Part, name: str, sha256: str) -> str:
    """Move a finished part to where it belongs; the name that it got."""
    return await storing(shelf.place, part.result, name, part.url, sha256)


def _encodings(part: Part) -> list[str]:
    """What was put around the file for the way; a .gz is gzip by itself, whatever servers say."""
    encodings = layers_of(part.headers.get("content-encoding", ""))
    found = mime.of_header(part.headers.get("content-type", ""))
    is_gzip = extension_of(part.url) in _GZIP_EXTENSIONS or (found and found.essence in _GZIP_TYPES)
    return [] if is_gzip and encodings in (["gzip"], ["x-gzip"]) else encodings


def _suspicion(part: Part) -> str:
    """Why a file may not be what it says, or ''."""
    if not part.size:
        return "empty"
    if extension_of(part.url) not in _HTML_EXTENSIONS and looks_like_html(part.beginning):
        return "looks like a page: a login or an error in place of the file?"
    return ""
