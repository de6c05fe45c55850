"""The state of a crawl in the database; only what has changed is written."""

import json
import sqlite3
import zlib
from array import array
from collections.abc import Iterable, Iterator, KeysView, Mapping
from hashlib import blake2b
from typing import Any, Protocol
from weakref import ref

from datahound.model import Link

State = dict[str, Any]

# A state of a large crawl has megabytes, of which a few numbers change between two checkpoints:
# with small chunks, what is written is close to what has changed.
_CHUNK = 1 << 13
# The first byte of a part says how it is encoded: JSON, or else the type code of an array.
_JSON = b"J"
_DIGEST_BYTES = 16
# No value of a state is this object, so a part that was never written counts as changed.
_NEVER: "tuple[object, list[bytes]]" = (object(), [])

_WRITE = "INSERT OR REPLACE INTO state VALUES (?, ?, ?)"
# A part that became shorter leaves chunks behind; one that is gone leaves all of them.
_CUT = "DELETE FROM state WHERE part = ? AND chunk >= ?"
_READ = "SELECT part, data FROM state ORDER BY part, chunk"
_ADD_KNOWN = "INSERT INTO known VALUES (?, ?)"
_READ_KNOWN = "SELECT urls FROM known ORDER BY first"


class Resumable(Protocol):
    """A crawl, as far as checkpoints need it."""

    @property
    def known(self) -> KeysView[str]:
        """Every URL met, in the order of meeting."""
        ...

    def bookmark(self) -> State:
        """The state without the known URLs and the links, which the database has already."""
        ...

    def can_resume(self, bookmark: State) -> bool:
        """Whether a bookmark belongs to this crawl and this version."""
        ...

    def resume(self, bookmark: State, known: Iterable[str], links: Mapping[int, Link]) -> None: ...


class Checkpoints:
    """Stores the newest state in parts cut into chunks; unchanged chunks are not rewritten."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        # Each part as it was written last: what it was, and the digests of its chunks. Not the
        # bytes: a thousand small crawls at once would hold 0.2 MB of them each.
        self._written: dict[str, tuple[object, list[bytes]]] = {}
        self.known = 0
        """The number of known URLs that are stored."""

    def write(self, state: State, new_urls: list[str]) -> None:
        """Write this as the newest state, in the transaction of the caller."""
        parts = dict(_parts(state))
        # A part that the new state lacks must go, or `read` would bring it back to life.
        for name in self._written.keys() - parts.keys():
            self._connection.execute(_CUT, (name, 0))
            del self._written[name]
        changed = [row for name, value in parts.items() for row in self._changed(name, value)]
        self._connection.executemany(_WRITE, changed)
        if new_urls:
            # A URL has no line break, so one separates them. Level 1: checkpoints run in the event
            # loop, and URLs share long prefixes, which the fastest level finds as well.
            packed = zlib.compress("\n".join(new_urls).encode(), level=1)
            self._connection.execute(_ADD_KNOWN, (self.known, packed))
            self.known += len(new_urls)

    def forget(self) -> None:
        """Delete the state."""
        self._connection.execute("DELETE FROM state")
        self._connection.execute("DELETE FROM known")
        self._written.clear()
        self.known = 0

    def read(self) -> State | None:
        """The newest state, if there is one."""
        data: dict[str, list[bytes]] = {}
        for part, chunk in self._connection.execute(_READ):
            data.setdefault(part, []).append(chunk)
        if not data:
            return None
        state: State = {}
        for name, chunks in data.items():
            written = b"".join(chunks)
            value = _decoded(written)
            self._written[name] = (_refer_to(value), [_digest(c) for c in _cut_chunks(written)])
            _place(state, name.split("/"), value)
        return state

    def read_known(self) -> Iterator[str]:
        """Every known URL, in the order of meeting."""
        self.known = 0
        for (packed,) in self._connection.execute(_READ_KNOWN):
            urls = zlib.decompress(packed).decode().split("\n")
            self.known += len(urls)
            yield from urls

    def _changed(self, name: str, value: object) -> list[tuple[str, int, bytes]]:
        """The chunks of a part that changed since they were written last."""
        same, before = self._written.get(name, _NEVER)
        # Strategies hand over the same object while nothing has changed: no need to encode it then.
        if value is (same() if isinstance(same, ref) else same):
            return []
        chunks = _cut_chunks(_encoded(value))
        digests = [_digest(chunk) for chunk in chunks]
        self._written[name] = (_refer_to(value), digests)
        if len(chunks) < len(before):
            self._connection.execute(_CUT, (name, len(chunks)))
        known = [*before, *(b"" for _ in chunks)]
        return [(name, n, chunk) for n, chunk in enumerate(chunks) if digests[n] != known[n]]


def _cut_chunks(data: bytes) -> list[bytes]:
    return [data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK)]


def _digest(chunk: bytes) -> bytes:
    return blake2b(chunk, digest_size=_DIGEST_BYTES).digest()


def _refer_to(value: object) -> object:
    """What to compare later values with: the value, of an array only a weak reference."""
    return ref(value) if isinstance(value, array) else value


def _parts(state: State, prefix: str = "") -> Iterator[tuple[str, object]]:
    for key, value in state.items():
        # An empty dict is a value of its own: as a prefix it would have no part, and be lost.
        if isinstance(value, dict) and value:
            yield from _parts(value, f"{prefix}{key}/")
        else:
            yield prefix + key, value


def _place(state: State, path: list[str], value: object) -> None:
    for key in path[:-1]:
        state = state.setdefault(key, {})
    state[path[-1]] = value


def _encoded(value: object) -> bytes:
    if isinstance(value, array):
        # Raw numbers are faster to write and to read back than their JSON.
        return value.typecode.encode() + value.tobytes()
    return _JSON + json.dumps(value, separators=(",", ":")).encode()


def _decoded(data: bytes) -> Any:
    if data[:1] == _JSON:
        return json.loads(data[1:])
    numbers: array[Any] = array(data[:1].decode())
    numbers.frombytes(data[1:])
    return numbers


# Links are resumed in about the order of their numbers.
_BLOCK = 1000

# Whole blocks: one query for a thousand links, in the order in which the table has them.
_LINKS = """SELECT url, tag_path, anchor, surrounding, found_on, depth, number FROM link
    WHERE number >= ? AND number < ?"""


class StoredLinks(Mapping[int, Link]):
    """Links by their numbers; texts that many of them share are held once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._texts: dict[int, str] = dict(connection.execute("SELECT id, text FROM text"))
        self._links: dict[int, Link] = {}
        self._loaded: set[int] = set()

    def __getitem__(self, number: int) -> Link:
        block = number // _BLOCK
        if block not in self._loaded:
            self._load(block)
        return self._links[number]

    def __iter__(self) -> Iterator[int]:
        return (n for (n,) in self._connection.execute("SELECT number FROM link ORDER BY number"))

    def __len__(self) -> int:
        (count,) = self._connection.execute("SELECT count(*) FROM link").fetchone()
        return int(count)

    def _load(self, block: int) -> None:
        self._loaded.add(block)
        span = (block * _BLOCK, (block + 1) * _BLOCK)
        for url, path, anchor, surrounding, page, depth, number in self._connection.execute(
            _LINKS, span
        ):
            texts = (self._texts[path], anchor, surrounding, self._texts[page])
            self._links[number] = Link(url, *texts, depth, number)
