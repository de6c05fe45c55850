"""Objects under keys, with conditional writes: in a bucket or in a local folder."""

import fcntl
import hashlib
import os
import re
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from datahound.errors import DatahoundError, UserError
from datahound.files import storage_errors, write_whole

# What obstore opens without further options.
_SCHEMES = ("s3://", "gs://", "az://", "abfs://", "azure://")
# A failover of a store takes a minute or two.
_RETRY_SECONDS = 120
# Where the keys of a virtual machine are, which the library asks for when none were given.
_NO_KEYS = "http://169.254.169.254/"
_FAILED_REQUEST = re.compile(r"performing (?P<method>[A-Z]+) (?P<url>\S+) in .*? - (?P<why>.+)")
_NOT_THERE = re.compile(r"performing PUT \S+ in .*? 404 Not Found")
_UNREACHED = "error sending request"
_LONGEST = 300
# A folder has no conditional writes of its own: one process at a time compares and replaces.
_LOCK = ".objects.lock"


class RemoteError(DatahoundError):
    """Object storage does not answer, or refuses; the same command can be run again later."""


class Stored(NamedTuple):
    """The bytes of an object, and the mark of this version of it."""

    data: bytes
    mark: str


class Objects(Protocol):
    """Objects under keys such as `files/www.example.org/a.csv`."""

    def get(self, key: str) -> Stored | None:
        """Return an object, or None if there is none."""
        ...

    def fetch(self, key: str, path: Path) -> bool:
        """Write an object of any size to a file; whether there is one."""
        ...

    def put(self, key: str, data: bytes | Path) -> None:
        """Write an object, whatever is there."""
        ...

    def create(self, key: str, data: bytes | Path) -> str | None:
        """Write an object if there is none; its mark, or None if there is one."""
        ...

    def replace(self, key: str, data: bytes | Path, mark: str) -> str | None:
        """Write an object if its mark is still this one; the new mark, or None if it is not."""
        ...

    def find_mark(self, key: str) -> str | None:
        """The mark of an object of any size, or None if there is none."""
        ...

    def delete(self, key: str) -> None:
        """Remove an object, if it is there."""
        ...

    def list(self, prefix: str) -> Iterator[tuple[str, int]]:
        """Yield key and size of every object whose key begins with `prefix`."""
        ...


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
        with storage_errors(path):
            path.mkdir(parents=True, exist_ok=True)

    def get(self, key: str) -> Stored | None:
        try:
            data = (self._path / key).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        return Stored(data, _mark_of(data))

    def fetch(self, key: str, path: Path) -> bool:
        try:
            source = (self._path / key).open("rb")
        except (FileNotFoundError, NotADirectoryError):
            return False
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

    def delete(self, key: str) -> None:
        with storage_errors(self._path):
            (self._path / key).unlink(missing_ok=True)

    def list(self, prefix: str) -> Iterator[tuple[str, int]]:
        for folder, _, names in os.walk(self._path / prefix.rpartition("/")[0]):
            for name in sorted(names):
                path = Path(folder, name)
                key = path.relative_to(self._path).as_posix()
                if key.startswith(prefix) and not name.startswith("."):
                    yield key, path.stat().st_size

    @contextmanager
    def _draft(self, key: str, data: bytes | Path) -> Iterator[Path]:
        """A whole copy under a name that no other process uses, removed at the end."""
        target = self._path / key
        draft = target.with_name(f".{uuid.uuid4().hex}.part")
        with storage_errors(target):
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
        with storage_errors(self._path), (self._path / _LOCK).open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


class BucketObjects:
    """Objects of a bucket, by obstore; credentials and endpoint come from the environment."""

    def __init__(self, place: str) -> None:
        try:
            obstore: Any = import_module("obstore")
            exceptions: Any = import_module("obstore.exceptions")
        except ImportError:
            raise UserError(
                f"{place}: object storage needs an extra: pip install 'datahound[storage]'"
            ) from None
        self._place = place
        self._obstore = obstore
        self._exceptions = exceptions
        with self._remote_errors():
            self._store = import_module("obstore.store").from_url(
                place.rstrip("/"),
                client_options={"allow_http": True, "timeout": timedelta(seconds=_RETRY_SECONDS)},
                retry_config={
                    "max_retries": 8,
                    "retry_timeout": timedelta(seconds=_RETRY_SECONDS),
                },
            )

    def get(self, key: str) -> Stored | None:
        with self._remote_errors():
            try:
                found = self._obstore.get(self._store, key)
                return Stored(bytes(found.bytes()), _join_mark(found.meta))
            except FileNotFoundError:
                return None

    def fetch(self, key: str, path: Path) -> bool:
        with self._remote_errors():
            try:
                found = self._obstore.get(self._store, key)
            except FileNotFoundError:
                return False
            with write_whole(path) as draft, draft.open("wb") as target:
                for chunk in found.stream():
                    target.write(chunk)
        return True

    def put(self, key: str, data: bytes | Path) -> None:
        with self._remote_errors():
            self._obstore.put(self._store, key, data)

    def create(self, key: str, data: bytes | Path) -> str | None:
        return self._put_if(key, data, "create")

    def replace(self, key: str, data: bytes | Path, mark: str) -> str | None:
        e_tag, _, version = mark.partition("\n")
        # A version that is not there must not be named at all.
        expected = {"e_tag": e_tag, **({"version": version} if version else {})}
        return self._put_if(key, data, expected)

    def find_mark(self, key: str) -> str | None:
        with self._remote_errors():
            try:
                return _join_mark(self._obstore.head(self._store, key))
            except FileNotFoundError:
                return None

    def delete(self, key: str) -> None:
        with self._remote_errors():
            try:
                self._obstore.delete(self._store, key)
            except FileNotFoundError:
                return

    def list(self, prefix: str) -> Iterator[tuple[str, int]]:
        folder, _, name = prefix.rpartition("/")
        with self._remote_errors():
            for found in self._obstore.list(self._store, prefix=folder or None):
                for entry in found:
                    rest = entry["path"][len(folder) + 1 if folder else 0 :]
                    if rest.startswith(name):
                        yield entry["path"], int(entry["size"])

    def _put_if(self, key: str, data: bytes | Path, mode: object) -> str | None:
        refused = (
            FileExistsError,
            self._exceptions.AlreadyExistsError,
            self._exceptions.PreconditionError,
        )
        with self._remote_errors():
            try:
                put = self._obstore.put(self._store, key, data, mode=mode, use_multipart=False)
                return _join_mark(put)
            except refused:
                return self._find_own(key, data)
            except FileNotFoundError:
                if mode == "create":
                    raise self._make_no_bucket() from None
                # What was to be replaced is gone.
                return None

    def _find_own(self, key: str, data: bytes | Path) -> str | None:
        """The mark of an object that a retried request of ours has written already.

        A server may store an object and fail to say so; the retry is then refused. What is written
        under a condition holds a number that nobody else writes, so equal bytes are ours.
        """
        there = self.get(key) if isinstance(data, bytes) else None
        return there.mark if there and there.data == data else None

    @contextmanager
    def _remote_errors(self) -> Iterator[None]:
        try:
            yield
        except (self._exceptions.BaseError, OSError, ValueError) as error:
            if isinstance(error, OSError) and error.filename:
                raise  # of a local file
            # The only thing that a new object needs is its bucket.
            if _NOT_THERE.search(str(error)):
                raise self._make_no_bucket() from None
            raise RemoteError(f"{self._place}: {self._explain(error)}") from None

    def _make_no_bucket(self) -> UserError:
        bucket = self._place.partition("://")[2].partition("/")[0]
        return UserError(f"{self._place}: there is no bucket {bucket!r}")

    def _explain(self, error: Exception) -> str:
        # The library prints its whole structure behind these words.
        text = " ".join(str(error).partition("Debug source")[0].split())
        if _NO_KEYS in text:
            return "no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        denied = (
            self._exceptions.PermissionDeniedError,
            self._exceptions.UnauthenticatedError,
        )
        if isinstance(error, denied):
            return "access is denied: check the credentials"
        if found := _FAILED_REQUEST.search(text):
            why = "can't be reached" if _UNREACHED in found["why"] else found["why"][:_LONGEST]
            return f"{found['method']} {found['url']}: {why}"
        return text[:_LONGEST]


def _join_mark(meta: Mapping[str, Any]) -> str:
    """The mark of a version: Google compares the version, the others compare the ETag."""
    return f"{meta['e_tag']}\n{meta.get('version') or ''}"


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
