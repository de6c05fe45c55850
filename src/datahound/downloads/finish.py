"""Finish a download: undo its Content-Encoding, flag pages in place of data, name the file.

A name never overwrites another file, and never shows half of one.
"""

import errno
import hashlib
import os
from itertools import count
from pathlib import Path
from typing import NamedTuple

from datahound.downloads.file_names import numbered, plain_name
from datahound.downloads.transfer import PartialFile, run_in_thread
from datahound.files import make_folder, sync_folder
from datahound.web.messages import BadEncoding, NoAnswer, layers_of, parse_content_type
from datahound.web.targets import detect_type
from datahound.web.types import extensions_of, types_in_group
from datahound.web.urls import extension_of

_GZIP_TYPES = types_in_group("gzip") | {"application/x-gtar"}
_GZIP_EXTENSIONS = extensions_of(types_in_group("gzip"))
_HTML_EXTENSIONS = (".html", ".htm", ".xhtml")
# Brotli and deflate have no leading bytes to check.
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
    # Servers announce gzip for bodies that are not packed: then the bytes as received are the file.
    if encodings and not part.beginning.startswith(_MAGIC.get(encodings[-1], b"")):
        note = f"announced as packed with {encodings[-1]}, and was not"
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


# What file systems answer to a name that they can't hold: too long, or with bytes they forbid.
_BAD_NAMES = (errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ)
# What file systems without hard links answer (FAT, some network shares).
_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EOPNOTSUPP)


class FilePlacer:
    """Moves files into a folder in which no two names differ by case alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # Per folder: the case-folded name of each entry -> its name.
        self._listings: dict[Path, dict[str, str]] = {}
        # Equal names are compared by their bytes: each file is hashed once.
        self._hashes: dict[Path, tuple[int, str]] = {}

    def place(self, part: Path, name: str, url: str, sha256: str) -> str:
        """Move a finished file to its name, or to the next free one; returns the name.

        A file of this name with the same bytes is the same file, placed before a crash.
        """
        try:
            return self._place(part, name, sha256)
        except OSError as error:
            if error.errno not in _BAD_NAMES:
                raise
            # The name came from a server: one that this disk can't hold is replaced, not an error.
            return self._place(part, plain_name(url, Path(name).suffix), sha256)

    def _place(self, part: Path, name: str, sha256: str) -> str:
        *folders, last = name.split("/")
        folder = self._open_folder(folders)
        listing = self._listing(folder)
        for number in count(1):
            candidate = last if number == 1 else numbered(last, number)
            written = listing.get(candidate.casefold())
            if written is not None and self._is_same(folder / written, part, sha256):
                part.unlink()
                return self._relative(folder / written)
            if written is None and _move(part, folder / candidate):
                # The ledger must not outlive the name after a power cut.
                sync_folder(folder)
                self._hashes[folder / candidate] = ((folder / candidate).stat().st_size, sha256)
                listing[candidate.casefold()] = candidate
                return self._relative(folder / candidate)
        raise AssertionError("there is always another number")

    def _open_folder(self, names: list[str]) -> Path:
        folder = self.folder
        for name in names:
            listing = self._listing(folder)
            for number in count(1):
                candidate = name if number == 1 else f"{name}~{number}"
                written = listing.get(candidate.casefold(), candidate)
                if _is_free_for_folder(folder / written):
                    break
            folder = folder / written
            make_folder(folder)
            listing[written.casefold()] = written
        return folder

    def _listing(self, folder: Path) -> dict[str, str]:
        listing = self._listings.get(folder)
        if listing is None:
            # Without parents: a crawl folder that was deleted must not come back.
            make_folder(folder)
            # Listed once: a folder may get 100,000 files, and each would list it again.
            listing = {entry.name.casefold(): entry.name for entry in os.scandir(folder)}
            self._listings[folder] = listing
        return listing

    def _is_same(self, path: Path, part: Path, sha256: str) -> bool:
        if path.is_symlink() or not path.is_file():
            return False
        if (size := path.stat().st_size) != part.stat().st_size:
            return False
        known = self._hashes.get(path)
        if known is None or known[0] != size:
            known = self._hashes[path] = (size, _hash_file(path))
        return known[1] == sha256

    def _relative(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix()


def _move(part: Path, destination: Path) -> bool:
    """Move a file atomically; False if the destination exists."""
    try:
        # A link fails where the name exists; a rename would replace the file that has it.
        os.link(part, destination)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # Without links, another process could take the name between this check and the rename; in
        # one process, placing is one at a time.
        if destination.exists():
            return False
        part.rename(destination)
        return True
    part.unlink()
    return True


def _is_free_for_folder(path: Path) -> bool:
    """Whether a path is a folder or nothing; a link could lead out of the folder of files."""
    return not path.is_symlink() and (path.is_dir() or not path.exists())


def _hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
