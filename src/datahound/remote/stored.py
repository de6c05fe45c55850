"""What every store of objects keeps: objects under keys, with conditional writes."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from datahound.errors import DatahoundError


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

    def list_marks(self, prefix: str) -> Iterator[tuple[str, str]]:
        """Yield key and shortened mark of every object whose key begins with `prefix`."""
        ...


def shorten_mark(mark: str) -> str:
    r"""Return what a list of objects has of a mark.

    >>> shorten_mark('"abc"\n17'), shorten_mark("abc")
    ('abc', 'abc')
    """
    # Lists have no versions, and some servers leave the quotation marks out there.
    return mark.partition("\n")[0].removeprefix("W/").strip('"')
