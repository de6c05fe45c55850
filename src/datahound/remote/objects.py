"""Objects under keys, with conditional writes: in a bucket or in a local folder."""

import fcntl
import hashlib
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from datahound.errors import UserError
from datahound.files import storage_errors, write_whole
from datahound.remote.bucket import BucketObjects
from datahound.remote.stored import Objects, RemoteError, Stored, shorten_mark

__all__ = [
    "FolderObjects", "Objects", "RemoteError", "Stored",
    "check_place", "is_remote", "join_place", "open_objects", "shorten_mark",
]  # fmt: skip

# What obstore opens without further options.
_SCHEMES = ("s3://", "gs://", "az://", "abfs://", "azure://")
# A folder has no conditional writes of its own: one process at a time compares and replaces.
_LOCK = ".objects.lock"


def is_remote(text: str) -> bool:
    """Whether a text names object storage and not a folder.

    >>> is_remote("s3://bucket/crawls"), is_remote("www.example.org")
    (True, False)
    """
    return text.startswith(_SCHEMES)


def join_place(place: str, name: str) -> str:
    """Name a place below another: of object storage, or a folder.

    >>> join_place("s3://bucket/crawls", "www.example.org"), join_place("out", "a")
    ('s3://bucket/crawls/www.example.org', 'out/a')
    """
    return f"{place.rstrip('/')}/{name}" if is_remote(place) else str(Path(place) / name)


def check_place(place: str) -> str:
    """A place of object storage with its bucket, or a folder; anything else is refused."""
    scheme, separator, rest = place.partition("://")
    if not place.strip():
        raise UserError("a place is missing: give s3://bucket/prefix, or a folder")
    if separator and not is_remote(place):
        raise UserError(f"{place}: object storage is one of {', '.join(_SCHEMES)}, or a folder")
    if separator and not rest.strip("/"):
        raise UserError(f"{place}: names no bucket: give {scheme}://bucket/prefix")
    return place.rstrip("/")


def open_objects(place: str) -> Objects:
    """Open a bucket with a prefix, such as `s3://bucket/crawls`, or a local folder."""
    check_place(place)
    return BucketObjects(place) if is_remote(place) else FolderObjects(Path(place))


class FolderObjects:
    """Objects as files of a local folder, with the same rules as a bucket."""

    def __init__(self, path: Path) -> None:
        self._path = path
        if path.exists() and not path.is_dir():
            raise UserError(f"{path}: is a file, not a folder")
        with storage_errors(path):
            path.mkdir(parents=True, exist_ok=True)

    def get(self, key: str) -> Stored | None:
        try:
            data = (self._path / key).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise _make_unread(self._path / key, error) from None
        return Stored(data, _mark_of(data))

    def fetch(self, key: str, path: Path) -> bool:
        try:
            source = (self._path / key).open("rb")
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError as error:
            raise _make_unread(self._path / key, error) from None
        with source, write_whole(path) as draft, draft.open("wb") as target:
            while chunk := source.read(1 << 20):
                target.write(chunk)
        return True

    def put(self, key: str, data: bytes | Path) -> None:
        with self._draft(key, data) as draft:
            draft.replace(self._path / key)

    def create(self, key: str, data: bytes | Path) -> str | None:
        with self._draft(key, data) as draft:
            try:
                os.link(draft, self._path / key)
            except FileExistsError:
                return None
        return _mark_of(data)

    def replace(self, key: str, data: bytes | Path, mark: str) -> str | None:
        with self._locked():
            if self.find_mark(key) != mark:
                return None
            self.put(key, data)
        return _mark_of(data)

    def find_mark(self, key: str) -> str | None:
        try:
            return _mark_of(self._path / key)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise _make_unread(self._path / key, error) from None

    def delete(self, key: str) -> None:
        with _writing(self._path):
            (self._path / key).unlink(missing_ok=True)

    def list(self, prefix: str) -> Iterator[tuple[str, int]]:
        for path, key in self._walk(prefix):
            try:
                size = path.stat().st_size
            except FileNotFoundError:
                continue  # removed by another process since the folder was read
            yield key, size

    def list_marks(self, prefix: str) -> Iterator[tuple[str, str]]:
        for _, key in self._walk(prefix):
            if (mark := self.find_mark(key)) is not None:
                yield key, mark

    def _walk(self, prefix: str) -> Iterator[tuple[Path, str]]:
        for folder, _, names in os.walk(self._path / prefix.rpartition("/")[0]):
            for name in sorted(names):
                path = Path(folder, name)
                key = path.relative_to(self._path).as_posix()
                if key.startswith(prefix) and not name.startswith("."):
                    yield path, key

    @contextmanager
    def _draft(self, key: str, data: bytes | Path) -> Iterator[Path]:
        """A whole copy under a name that no other process uses, removed at the end."""
        target = self._path / key
        draft = target.with_name(f".{uuid.uuid4().hex}.part")
        with _writing(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                with draft.open("wb") as file:
                    _copy(data, file)
                    file.flush()
                    os.fsync(file.fileno())
                yield draft
            finally:
                draft.unlink(missing_ok=True)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with _writing(self._path), (self._path / _LOCK).open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Report what hinders a write as trouble with the store: the disk may have room again later."""
    try:
        yield
    except OSError as error:
        why = error.strerror or error
        raise RemoteError(f"{path}: can't be written: {why}") from None


def _make_unread(path: Path, error: OSError) -> RemoteError:
    return RemoteError(f"{path}: can't be read: {error.strerror or error}")


def _mark_of(data: bytes | Path) -> str:
    if isinstance(data, bytes):
        return hashlib.sha256(data).hexdigest()
    with data.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def _copy(data: bytes | Path, file: Any) -> None:
    if isinstance(data, bytes):
        file.write(data)
        return
    with data.open("rb") as source:
        while chunk := source.read(1 << 20):
            file.write(chunk)
