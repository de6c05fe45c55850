"""Finish a download: undo its Content-Encoding, flag pages in place of data, name the file.

A name never overwrites another file, and never shows half of one.
"""

import codecs
import errno
import hashlib
import os
import re
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import NamedTuple

from datahound.downloads.file_names import numbered, plain_name
from datahound.downloads.transfer import PartialFile, run_in_thread
from datahound.files import make_folder, sync_folder
from datahound.web.messages import (
    BadEncoding,
    NoAnswer,
    can_unpack,
    layers_of,
    parse_content_type,
)
from datahound.web.targets import detect_type
from datahound.web.types import extensions_of, types_in_group
from datahound.web.urls import extension_of

_GZIP_TYPES = types_in_group("gzip") | {"application/x-gtar"}
_GZIP_EXTENSIONS = extensions_of(types_in_group("gzip"))
_HTML_EXTENSIONS = (".html", ".htm", ".xhtml")
# Brotli and deflate have no leading bytes to check, but are hardly ever plain text.
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]")
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
    # Servers announce encodings that they never applied, and some that nobody knows: then the bytes
    # as received are the file.
    if not can_unpack(encodings):
        note = f"announced as packed with {', '.join(encodings)[:40]}, which can't be undone"
    elif encodings and not _may_be_packed(part.beginning, encodings[-1]):
        note = f"announced as packed with {encodings[-1]}, and was not"
    elif encodings and part.size:
        try:
            await run_in_thread(part.unpack, ", ".join(encodings), limit)
        except BadEncoding as error:
            await run_in_thread(part.remove)
            part.begin(part.headers)
            raise NoAnswer(str(error)) from None
    return FinishedFile(part.size, part.sha256.hexdigest(), _find_suspicion(part), note)


def _may_be_packed(beginning: bytes, encoding: str) -> bool:
    """Whether bytes may be packed: by their leading bytes, or because they are not plain text."""
    if encoding in _MAGIC:
        return beginning.startswith(_MAGIC[encoding])
    try:
        # The end may be in the middle of a character.
        text = codecs.getincrementaldecoder("utf-8")().decode(beginning)
    except UnicodeDecodeError:
        return True
    return not beginning or _CONTROLS.search(text) is not None


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


@dataclass(slots=True)
class _Taken:
    """The files of one name: a server may send thousands under it, which differ in their number."""

    number: int = 1
    """The next number to try."""
    by_hash: dict[str, str] = field(default_factory=dict)
    unread: dict[int, list[str]] = field(default_factory=dict)
    """By size, files of earlier processes: equal ones are compared by their bytes, once."""

    def note(self, folder: Path, name: str) -> None:
        """A file was there before."""
        path = folder / name
        if path.is_file() and not path.is_symlink():
            self.unread.setdefault(path.stat().st_size, []).append(name)

    def find(self, folder: Path, size: int, sha256: str) -> str | None:
        """The file with these bytes, if it is still there."""
        for name in self.unread.pop(size, ()):
            self.by_hash[_hash_file(folder / name)] = name
        found = self.by_hash.get(sha256)
        return found if found and _has_size(folder / found, size) else None


def _has_size(path: Path, size: int) -> bool:
    return path.is_file() and not path.is_symlink() and path.stat().st_size == size


class FilePlacer:
    """Moves files into a folder in which no two names differ by case alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # Per folder: the case-folded name of each entry -> its name.
        self._listings: dict[Path, dict[str, str]] = {}
        # Per folder and name: the files that have this name, with a number or without.
        self._taken: dict[tuple[Path, str], _Taken] = {}

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
        taken = self._taken.setdefault((folder, last.casefold()), _Taken())
        size = part.stat().st_size
        while True:
            same = taken.find(folder, size, sha256)
            if same is not None:
                part.unlink()
                return self._relative(folder / same)
            candidate = last if taken.number == 1 else numbered(last, taken.number)
            written = listing.get(candidate.casefold())
            taken.number += 1
            if written is not None:
                taken.note(folder, written)
            elif _move(part, folder / candidate):
                # The ledger must not outlive the name after a power cut.
                sync_folder(folder)
                taken.by_hash[sha256] = candidate
                listing[candidate.casefold()] = candidate
                return self._relative(folder / candidate)

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
