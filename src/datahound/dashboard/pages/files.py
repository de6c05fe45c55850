"""Download kept files: one as it is, or several in a ZIP that is made while it is sent."""

import asyncio
import csv
import io
import os
import stat
import time
import zipfile
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

from datahound.catalog.catalog import Catalog, Entry, Query
from datahound.dashboard.crawls import CrawlView
from datahound.errors import UserError
from datahound.store.queries_rows import find_file
from datahound.text import guard_formula

# Memory per download, for any size of file.
_PIECE = 256 << 10
_MAX_PICKED = 5000
_PAGE = 500
_COLUMNS = ("file", "title", "url", "page", "format", "bytes", "sha256", "found_at")

Row = tuple[object, ...]


def find_path(crawl: CrawlView, url: str) -> Path:
    """The path of a target's file."""
    with crawl.open_database() as connection:
        file = find_file(connection, url)
    if file is None or file.path is None:
        raise UserError("this crawl has kept no file of that URL")
    return crawl.folder.files / file.path


def open_kept_file(files: Path, path: Path) -> BinaryIO:
    """Open a kept file; refuses everything but regular files inside the folder of files."""
    try:
        # Resolved: a link in the folder may lead out of it.
        home, real = files.resolve(strict=True), path.resolve(strict=True)
        if not real.is_relative_to(home) or real == home:
            raise UserError("this crawl has no such file")
        # O_NOFOLLOW: the file may be replaced by a link after the check; O_NONBLOCK: a pipe would
        # wait.
        fd = os.open(real, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise UserError(f"the file can't be opened: {error.strerror or error}") from None
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise UserError("that is not a file")
    return os.fdopen(fd, "rb")


def describe_attachment(name: str) -> str:
    """The Content-Disposition that makes a browser save a file and not display it."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "._- ") else "_" for c in name)
    # RFC 6266, 4.3: the plain name for old browsers, the encoded one for all others.
    return f"attachment; filename=\"{plain or 'file'}\"; filename*=UTF-8''{quote(name, safe='')}"


async def read_pieces(file: BinaryIO) -> AsyncIterator[bytes]:
    """The bytes of a file in pieces."""
    while piece := await asyncio.to_thread(file.read, _PIECE):
        yield piece


def read_picked(crawl: CrawlView, ids: Iterable[int]) -> Iterator[Row]:
    """The datasets with these numbers."""
    with Catalog(crawl.folder.path) as catalog:
        for id_ in list(ids)[:_MAX_PICKED]:
            entry = catalog.entry(id_)
            if entry is not None:
                yield _make_row(entry)


def read_searched(crawl: CrawlView, query: Query) -> Iterator[Row]:
    """All datasets that match a query."""
    with Catalog(crawl.folder.path) as catalog:
        # By pages, so that the first bytes of a ZIP go out before all rows are known.
        for offset in range(0, 1 << 40, _PAGE):
            entries = catalog.search(query, offset, _PAGE).entries
            yield from map(_make_row, entries)
            if len(entries) < _PAGE:
                return


def _make_row(entry: Entry) -> Row:
    return tuple(getattr(entry, name) for name in ("path", *_COLUMNS[1:]))


async def stream_zip(files: Path, rows: Iterator[Row]) -> AsyncIterator[bytes]:
    """A ZIP of kept files and the list of their sources, made as fast as it is sent."""
    making = _zip_pieces(files, rows)
    while piece := await asyncio.to_thread(next, making, b""):
        yield piece


def _zip_pieces(files: Path, rows: Iterator[Row]) -> Iterator[bytes]:
    out = _Outlet()
    listed: list[Row] = []
    taken: set[str] = set()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
        for row in rows:
            listed.append(row)
            name = str(row[0])
            # Two URLs may have one file.
            if name not in taken:
                taken.add(name)
                yield from _add(archive, out, files, name)
        archive.writestr("SOURCES.csv", _list_of(listed))
    yield out.taken()


def _add(archive: zipfile.ZipFile, out: "_Outlet", files: Path, name: str) -> Iterator[bytes]:
    try:
        file = open_kept_file(files, files / name)
    except UserError:
        return
    with file:
        # ZIP has no dates before 1980.
        changed = time.gmtime(max(os.fstat(file.fileno()).st_mtime, 315_619_200))
        entry = zipfile.ZipInfo(name, changed[:6])
        entry.compress_type = zipfile.ZIP_DEFLATED
        # The size is not known before it was read: room for a large one is kept.
        with archive.open(entry, "w", force_zip64=True) as inside:
            while piece := file.read(_PIECE):
                inside.write(piece)
                if out.waiting >= _PIECE:
                    yield out.taken()
    if out.waiting:
        yield out.taken()


def _list_of(rows: list[Row]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(_COLUMNS)
    writer.writerows([[guard_formula(value) for value in row] for row in rows])
    # A byte order mark, without which Excel reads UTF-8 as an older encoding.
    return "\ufeff" + text.getvalue()


class _Outlet(io.RawIOBase):
    """A stream whose written bytes can be taken out again."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[bytes] = []
        self.waiting = 0

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(data)  # type: ignore[call-overload]
        self._pieces.append(piece)
        self.waiting += len(piece)
        return len(piece)

    def taken(self) -> bytes:
        pieces = b"".join(self._pieces)
        self._pieces.clear()
        self.waiting = 0
        return pieces
