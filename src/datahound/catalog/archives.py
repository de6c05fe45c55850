"""Files inside files: ZIP, GZ, BZ2, XZ and TAR, a member at a time, with limits on all of it."""

import bz2
import gzip
import lzma
import mmap
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, cast

from datahound.catalog.readers.task import Task, Unreadable

ARCHIVES = frozenset({"zip", "tar", "gz", "bz2", "xz"})
_PIECE = 1 << 20
_BEGIN, _END, _END_BYTES = b"PK\x03\x04", b"PK\x05\x06", 22
_BROKEN = (zipfile.BadZipFile, tarfile.TarError, OSError, EOFError, zlib.error, lzma.LZMAError,
           RuntimeError, NotImplementedError, ValueError, KeyError, IndexError)  # fmt: skip
_OPENERS: dict[str, Callable[[Path], IO[bytes]]] = {
    "gz": lambda path: cast("IO[bytes]", gzip.GzipFile(path)),
    "bz2": lambda path: cast("IO[bytes]", bz2.BZ2File(path)),
    "xz": lambda path: cast("IO[bytes]", lzma.LZMAFile(path)),  # noqa: SIM115 closed by who asks
}
# Whoever packs with a Mac packs these as well.
_LITTER = ("__MACOSX/", ".DS_Store", "Thumbs.db")


def members_of(path: Path, kind: str, task: Task) -> list[str]:
    """The names of what is in an archive, as many as are looked into."""
    try:
        names = _names(path, kind, task.name or path.name)
    except _BROKEN as error:
        raise Unreadable(f"broken {kind.upper()} archive: {error}") from None
    if len(names) > task.limits.members:
        task.note(f"only {task.limits.members} of {len(names)} files in it were looked into")
    return names[: task.limits.members]


@contextmanager
def unpacked(path: Path, kind: str, member: str, task: Task) -> Iterator[Path]:
    """A member as a file of its own, as long as it is needed."""
    target = task.scratch / f"member-{len(list(task.scratch.iterdir()))}"
    try:
        try:
            with _opened(path, kind, member) as source, target.open("wb") as file:
                _copy(source, file, task)
        except _BROKEN as error:
            raise Unreadable(f"can't be unpacked: {error}") from None
        yield target
    finally:
        target.unlink(missing_ok=True)


def mended(path: Path, scratch: Path) -> Path:
    """The file, or a copy without what was added behind the end of a ZIP archive."""
    with path.open("rb") as file:
        if file.read(4) != _BEGIN or zipfile.is_zipfile(path):
            return path
        size = path.stat().st_size
        file.seek(0)
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as body:
            end = body.rfind(_END)
            if end < 0 or end + _END_BYTES > size:
                return path
            whole = end + _END_BYTES + int.from_bytes(body[end + 20 : end + 22], "little")
    copy = scratch / "mended"
    with path.open("rb") as source, copy.open("wb") as target:
        while whole > 0 and (piece := source.read(min(_PIECE, whole))):
            target.write(piece)
            whole -= len(piece)
    return copy


def _names(path: Path, kind: str, name: str) -> list[str]:
    if kind == "zip":
        with zipfile.ZipFile(path) as archive:
            found = [info.filename for info in archive.infolist() if not info.is_dir()]
    elif kind == "tar":
        with tarfile.open(path, "r:") as tar:
            found = [info.name for info in tar if info.isfile()]
    else:
        stem = PurePosixPath(name).name
        return [stem.removesuffix(f".{kind}") if stem.endswith(f".{kind}") else f"{stem} unpacked"]
    return [n for n in found if not n.startswith(_LITTER) and not n.endswith(_LITTER)]


@contextmanager
def _opened(path: Path, kind: str, member: str) -> Iterator[IO[bytes]]:
    if kind == "zip":
        with zipfile.ZipFile(path) as archive, archive.open(member) as file:
            yield file
    elif kind == "tar":
        with tarfile.open(path, "r:") as tar:
            inside = tar.extractfile(member)
            if inside is None:
                raise ValueError("not a file")
            with inside:
                yield inside
    else:
        with _OPENERS[kind](path) as packed:
            yield packed


def _copy(source: IO[bytes], target: IO[bytes], task: Task) -> None:
    while piece := source.read(_PIECE):
        task.unpacked += len(piece)
        if task.unpacked > task.limits.unpacked_bytes:
            raise Unreadable(f"unpacks to more than {task.limits.unpacked_bytes >> 20} MiB")
        target.write(piece)
