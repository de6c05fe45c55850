"""Unpack ZIP, GZ, BZ2, XZ and TAR files, one member at a time and within limits."""

import bz2
import gzip
import lzma
import mmap
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, cast

import inflate64

from datahound.catalog.readers.task import Task, Unreadable

ARCHIVES = frozenset({"zip", "tar", "gz", "bz2", "xz"})
_PIECE = 1 << 20
# A member of this size says enough, and a ZIP bomb ends here.
_PROBED_BYTES = 256 << 20
# Python's zipfile knows the method by its number and can't read it.
_DEFLATE64, _DEFLATE64_PIECE = 9, 16 << 10
_LOCAL_HEADER = struct.Struct("<4s5H3L2H")
_BEGIN, _END, _END_BYTES = b"PK\x03\x04", b"PK\x05\x06", 22
_BROKEN = (zipfile.BadZipFile, tarfile.TarError, OSError, EOFError, zlib.error, lzma.LZMAError,
           RuntimeError, NotImplementedError, ValueError, KeyError, IndexError)  # fmt: skip
OPENERS: dict[str, Callable[[Path], IO[bytes]]] = {
    "gz": lambda path: cast("IO[bytes]", gzip.GzipFile(path)),
    "bz2": lambda path: cast("IO[bytes]", bz2.BZ2File(path)),
    "xz": lambda path: cast("IO[bytes]", lzma.LZMAFile(path)),  # noqa: SIM115 closed by the caller
}
"""Opens a compressed file for reading, by format."""
# File managers of macOS and Windows add these.
_LITTER = ("__MACOSX/", ".DS_Store", "Thumbs.db")


def list_members(path: Path, kind: str, task: Task) -> list[str]:
    """The names of the files in an archive, at most `task.limits.members` of them."""
    try:
        names = _read_names(path, kind, task.name or path.name)
    except _BROKEN as error:
        raise Unreadable(f"broken {kind.upper()} archive: {error}") from None
    if len(names) > task.limits.members:
        task.note(f"only {task.limits.members} of {len(names)} files in it were looked into")
    return names[: task.limits.members]


@contextmanager
def unpack_member(path: Path, kind: str, member: str, task: Task) -> Iterator[Path]:
    """A member as a file in the scratch folder, which is removed after the block."""
    # Numbered, not named: the names of members come from the author of the archive.
    target = task.scratch / f"member-{len(list(task.scratch.iterdir()))}"
    try:
        try:
            with _open_member(path, kind, member) as source, target.open("wb") as file:
                _copy_member(source, file, task)
        except _BROKEN as error:
            raise Unreadable(f"can't be unpacked: {error}") from None
        yield target
    finally:
        target.unlink(missing_ok=True)


def trim_zip(path: Path, scratch: Path) -> Path:
    """A copy of a ZIP file without the bytes after its end; the file itself if it has none.

    Web servers append comments to what they send, and readers then find no archive in it.
    """
    with path.open("rb") as file:
        if file.read(4) != _BEGIN or zipfile.is_zipfile(path):
            return path
        size = path.stat().st_size
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as body:
            end = body.rfind(_END)
            if end < 0 or end + _END_BYTES > size:
                return path
            # The end record has 22 bytes and then a comment, whose length is in its last two bytes.
            left = end + _END_BYTES + int.from_bytes(body[end + 20 : end + 22], "little")
    # The file belongs to the crawl and is never changed.
    copy = scratch / "trimmed"
    with path.open("rb") as source, copy.open("wb") as target:
        while left > 0 and (piece := source.read(min(_PIECE, left))):
            target.write(piece)
            left -= len(piece)
    return copy


def can_open(file: Path) -> bool:
    """Whether a .zip, .gz, .bz2 or .xz file can be opened; True for files of other names.

    Of a ZIP file the first member is read, which is what readers of data packages look at.
    """
    kind = file.suffix.lower()[1:]
    try:
        if kind == "zip":
            with zipfile.ZipFile(file) as archive, archive.open(archive.namelist()[0]) as member:
                _read_ahead(member, _PROBED_BYTES)
        elif kind in OPENERS:
            with OPENERS[kind](file) as packed:
                _read_ahead(packed, _PIECE)
    except _BROKEN:
        return False
    return True


def _read_ahead(file: IO[bytes], most: int) -> None:
    done = 0
    while done < most and (piece := file.read(_PIECE)):
        done += len(piece)


def _read_names(path: Path, kind: str, name: str) -> list[str]:
    if kind == "zip":
        with zipfile.ZipFile(path) as archive:
            found = [info.filename for info in archive.infolist() if not info.is_dir()]
    elif kind == "tar":
        with tarfile.open(path, "r:") as tar:
            # Links and devices are left out: they could lead anywhere.
            found = [info.name for info in tar if info.isfile()]
    else:
        stem = PurePosixPath(name).name
        # A compressed file has no names in it: its own, without the extension, is that of its one
        # member.
        return [stem.removesuffix(f".{kind}") if stem.endswith(f".{kind}") else f"{stem} unpacked"]
    return [n for n in found if not n.startswith(_LITTER) and not n.endswith(_LITTER)]


@contextmanager
def _open_member(path: Path, kind: str, member: str) -> Iterator[IO[bytes]]:
    if kind == "zip":
        with zipfile.ZipFile(path) as archive:
            info = archive.getinfo(member)
            if info.compress_type == _DEFLATE64:
                with path.open("rb") as packed:
                    yield cast("IO[bytes]", _Deflate64(packed, info))
            else:
                with archive.open(member) as file:
                    yield file
    elif kind == "tar":
        with tarfile.open(path, "r:") as tar:
            inside = tar.extractfile(member)
            if inside is None:
                raise ValueError("not a file")
            with inside:
                yield inside
    else:
        with OPENERS[kind](path) as packed:
            yield packed


class _Deflate64:
    """Reads a member with compression method 9, which Windows uses for large files."""

    def __init__(self, packed: IO[bytes], info: zipfile.ZipInfo) -> None:
        if info.flag_bits & 1:
            raise RuntimeError("it is encrypted")
        packed.seek(info.header_offset)
        header = packed.read(_LOCAL_HEADER.size)
        if len(header) < _LOCAL_HEADER.size or not header.startswith(_BEGIN):
            raise zipfile.BadZipFile("broken local header")
        name, extra = _LOCAL_HEADER.unpack(header)[-2:]
        # The local header repeats the name and has its own extra field, whose length may differ
        # from the central one.
        packed.seek(name + extra, 1)
        self._packed, self._left = packed, info.compress_size
        self._inflater = inflate64.Inflater()

    def read(self, _size: int = -1) -> bytes:
        """The next bytes; b'' at the end."""
        while self._left > 0:
            # A small piece unpacks to a bounded number of bytes.
            piece = self._packed.read(min(_DEFLATE64_PIECE, self._left))
            if not piece:
                raise EOFError("cut off")
            self._left -= len(piece)
            if unpacked := self._inflater.inflate(piece):
                return bytes(unpacked)
        return b""


def _copy_member(source: IO[bytes], target: IO[bytes], task: Task) -> None:
    while piece := source.read(_PIECE):
        task.unpacked += len(piece)
        # Counted over the whole file, so that many small bombs are as bounded as one.
        if task.unpacked > task.limits.unpacked_bytes:
            raise Unreadable(f"unpacks to more than {task.limits.unpacked_bytes >> 20} MiB")
        target.write(piece)
