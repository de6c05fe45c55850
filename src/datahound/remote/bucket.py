"""Objects of a bucket, by obstore."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

from datahound.errors import UserError
from datahound.files import write_whole
from datahound.remote.stored import RemoteError, Stored, shorten_mark

# A failover of a store takes a minute or two.
_RETRY_SECONDS = 120
# Where the keys of a virtual machine are, which the library asks for when none were given.
_NO_KEYS = "http://169.254.169.254/"
_FAILED_REQUEST = re.compile(r"performing (?P<method>[A-Z]+) (?P<url>\S+) in .*? - (?P<why>.+)")
_NOT_THERE = re.compile(r"performing PUT \S+ in .*? 404 Not Found")
_UNREACHED = "error sending request"
_LONGEST = 300


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
        for entry in self._list(prefix):
            yield entry["path"], int(entry["size"])

    def list_marks(self, prefix: str) -> Iterator[tuple[str, str]]:
        for entry in self._list(prefix):
            yield entry["path"], shorten_mark(str(entry["e_tag"]))

    def _list(self, prefix: str) -> Iterator[Any]:
        folder, _, name = prefix.rpartition("/")
        with self._remote_errors():
            for found in self._obstore.list(self._store, prefix=folder or None):
                for entry in found:
                    rest = entry["path"][len(folder) + 1 if folder else 0 :]
                    if rest.startswith(name):
                        yield entry

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
