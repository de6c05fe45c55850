"""Recorded websites in WARC files, our own or of other tools, read through an index."""

import os
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, Protocol, Self

from datahound.archive.archive import Glance, Recorded, as_head, key
from datahound.archive.warc.build import Progress, find_index, ignore_progress
from datahound.archive.warc.exchange import read_exchange
from datahound.archive.warc.index import Row, WarcIndex
from datahound.archive.warc.records import RecordHead
from datahound.archive.warc.scan import read_record
from datahound.errors import ArchiveError
from datahound.model import Answer, Fetch, Response

SUFFIXES = (".warc", ".warc.gz", ".arc", ".arc.gz")
_NOT_MODIFIED = 304


def open_warc(path: Path, progress: Progress = ignore_progress) -> "WarcArchive":
    """A recorded website from a WARC file, or from a folder of them in the order of their names."""
    try:
        paths = warc_files(path)
        index = find_index(path, paths, progress)
        return WarcArchive(path, index, paths)
    except OSError as error:
        raise ArchiveError(f"{path}: can't be read: {error.strerror or error}") from None


def warc_files(path: Path) -> list[Path]:
    """The file itself, or those of a folder or (as Browsertrix keeps them) of its `archive`."""
    if not path.is_dir():
        return [path]
    for folder in (path, path / "archive"):
        named = folder.iterdir() if folder.is_dir() else ()
        files = sorted(file for file in named if file.name.endswith(SUFFIXES) and file.is_file())
        if files:
            return files
    raise ArchiveError(f"{path}: no WARC file in this folder ({', '.join(SUFFIXES)})")


def site_name(path: Path) -> str:
    """The name of a file or folder without its WARC suffix."""
    name = path.absolute().name
    suffix = next((s for s in reversed(SUFFIXES) if name.endswith(s)), "")
    return name.removesuffix(suffix) or name


class Entry(NamedTuple):
    """An exchange and its position in the journal: what `since` takes to go on after it."""

    position: int
    recorded: Recorded


_TAIL = 1 << 12


class Appending(Protocol):
    """What an archive writes to, if it is open for writing."""

    fd: int
    """The one open file, which is read from, too."""

    def pack(self, fetch: Fetch, answer: Answer) -> None: ...

    def append(self, fetch: Fetch, answer: Answer) -> None: ...

    def sync(self) -> None: ...

    def close(self) -> None: ...


class WarcArchive:
    """Answers from WARC files; a look-up costs one query, one read and one decompression."""

    def __init__(
        self,
        home: Path,
        index: WarcIndex,
        paths: Sequence[Path],
        writer: Appending | None = None,
    ) -> None:
        self.name = site_name(home)
        self.seed = index.seed()
        self._home = home
        self._index = index
        self._writer = writer
        self.damaged: set[int] = set()
        """Positions of records that could not be read, in a recording that goes on."""
        self._fds: list[int] = [writer.fd] if writer is not None else []
        try:
            # Opened once: a look-up is then one pread, and the files may be renamed meanwhile.
            for file in index.files()[len(self._fds) :]:
                source = file.unpacked or paths[file.number]
                self._fds.append(os.open(source, os.O_RDONLY | os.O_CLOEXEC))
        except OSError:
            self.close()
            raise

    def get(self, fetch: Fetch) -> Answer | None:
        url = key(fetch.url)
        if fetch.method == "HEAD":
            row = self._index.find(url, probed=True)
            found = self._read_sound(row) if row is not None else None
            if found is not None:
                return found.answer
        # A GET answers a HEAD as well, but a HEAD has no body to answer a GET.
        row = self._index.find(url, probed=False)
        found = self._read_sound(row) if row is not None else None
        if found is None:
            return None
        return found.answer if fetch.method != "HEAD" else as_head(found.answer)

    def put(self, fetch: Fetch, answer: Answer) -> None:
        if self._writer is None:
            raise ArchiveError(f"{self._home}: is open for reading only")
        self._writer.append(fetch, answer)

    def pack(self, fetch: Fetch, answer: Answer) -> None:
        """Compress an exchange that is about to be put; may run in another thread."""
        if self._writer is not None:
            self._writer.pack(fetch, answer)

    def glance(self, url: str) -> Glance | None:
        return self._index.glance(key(url))

    def __iter__(self) -> Iterator[Recorded]:
        return self.since(0)

    @property
    def recorded(self) -> int:
        """The position of the last exchange of any round; 0 if nothing is recorded."""
        return self._index.last_number()

    def since(self, position: int) -> Iterator[Recorded]:
        """The exchanges after a position, in recording order."""
        return (entry.recorded for entry in self.entries(position))

    def entries(self, after: int = 0) -> Iterator[Entry]:
        """The exchanges after a position, each with its own position."""
        for row in self._index.rows(after):
            found = self._read_sound(row)
            if found is not None:
                yield Entry(row.number, found)

    def list_cut_files(self) -> list[str]:
        """The files that end with half a record, or with something else than records."""
        cut = []
        for file, fd in zip(self._index.files(), self._fds, strict=True):
            rest = os.pread(fd, _TAIL, file.end) if not file.unpacked and file.end else b""
            if rest.strip(b"\r\n\0"):
                cut.append(file.name)
        return cut

    def sync(self) -> None:
        """Flush what was recorded to the disk, so that it survives a power cut; for a thread."""
        if self._writer is not None:
            self._writer.sync()

    def close(self) -> None:
        if self._writer is not None:
            # Its one file is the writer's to close.
            self._fds.clear()
            self._writer.close()
        self._index.close()
        while self._fds:
            os.close(self._fds.pop())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _read_sound(self, row: Row) -> Recorded | None:
        """Read a record; a damaged one counts as absent in a recording that still grows."""
        try:
            return self._read(row)
        except ArchiveError:
            if self._writer is None:
                raise
            self.damaged.add(row.number)
            return None

    def _read(self, row: Row) -> Recorded:
        head, block = self._record(row)
        recorded = read_exchange(head, block, row.url, probed=bool(row.probed))
        return recorded if row.original is None else self._revisited(row, recorded)

    def _record(self, row: Row) -> tuple[RecordHead, bytes]:
        try:
            return read_record(self._fds[row.file], row.offset, row.length)
        except (OSError, ValueError, zlib.error) as error:
            raise ArchiveError(f"{self._home}: changed while it was open: {error}") from None

    def _revisited(self, row: Row, revisit: Recorded) -> Recorded:
        """A revisit with the payload of its original, where that is in the archive."""
        original = self._index.row(row.original or 0)
        full = self._read(original).answer if original is not None else None
        said = revisit.answer
        if not isinstance(said, Response):
            return revisit
        if not isinstance(full, Response):
            return Recorded(revisit.fetch, replace(said, truncated=True))
        # Recorders write a 304 as a revisit; a crawl wants the page itself.
        if said.status == _NOT_MODIFIED:
            return Recorded(revisit.fetch, replace(full, url=said.url))
        answer = replace(said, body=full.body, size=full.size, truncated=full.truncated)
        return Recorded(revisit.fetch, answer)
