"""Recording into a WARC file so that a crash loses nothing, and importing other archives."""

import fcntl
import os
import shutil
import tempfile
import zlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from datahound.archive.archive import Archive
from datahound.archive.warc.archive import WarcArchive
from datahound.archive.warc.build import (
    Progress,
    compute_fingerprint,
    extend_index,
    ignore_progress,
    index_beside,
    is_prefix,
    is_usable,
)
from datahound.archive.warc.exchange import write_exchange
from datahound.archive.warc.index import (
    DamagedIndex,
    IndexedFile,
    WarcIndex,
    is_sound,
    open_growing,
    open_in_memory,
    open_published,
    publish_index,
)
from datahound.archive.warc.records import parse_record_head, write_record
from datahound.archive.warc.rows import RowMaker
from datahound.archive.warc.scan import Found, is_gzip
from datahound.errors import ArchiveError
from datahound.files import sync_folder
from datahound.model import Answer, Fetch

# The index can be rebuilt from the WARC file, so that a crash costs time but no data.
_COMMIT_EVERY = 500
_SMALL_BYTES = 4 << 20
_MAX_WARCINFO = 4096
_TRAILER = b"\r\n\r\n"

Count = Callable[[int], None]
"""Called with the number of exchanges written so far."""


def ignore_count(written: int) -> None:
    """Ignore the count."""


def record_warc(
    path: Path,
    seed: str,
    progress: Progress = ignore_progress,
    *,
    round: int = 0,  # noqa: A002 as people call it
) -> WarcArchive:
    """A WARC file to record into: made if it isn't there, else repaired and appended to.

    A file that was recorded before keeps its own seed. What is recorded belongs to the given round
    of the crawl, and only that round is read and answered from.
    """
    if round < 0:
        raise ArchiveError(f"{path}: rounds are counted from 0, not from {round}")
    if not path.name.endswith((".warc", ".warc.gz")):
        raise ArchiveError(f"{path}: recordings are named .warc or .warc.gz")
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            return _open_recording(path, fd, seed, progress, round)
        except BaseException:
            os.close(fd)
            raise
    except OSError as error:
        raise ArchiveError(f"{path}: can't be written: {error.strerror or error}") from None


class WarcRecorder:
    """Appends exchanges to a WARC file and to its index."""

    def __init__(self, path: Path, fd: int, index: WarcIndex, end: int, round_number: int) -> None:
        self._path = path
        self.fd = fd
        # By content, not by name: a renamed file stays compressed or plain.
        self._pack = _compress if is_gzip(fd) else bytes
        self._index = index
        self._end = end
        self._round = round_number
        self._rows = RowMaker(index)
        self._uncommitted = 0
        self._packed: dict[Fetch, tuple[Answer, list[bytes], list[bytes]]] = {}

    def pack(self, fetch: Fetch, answer: Answer) -> None:
        """Compress an exchange that is about to be appended; may run in another thread.

        A list of 64 MB takes a second, in which the event loop would wait.
        """
        records = write_exchange(fetch, answer, _format_now(), self._round)
        self._packed[fetch] = answer, records, [self._pack(record) for record in records]

    def append(self, fetch: Fetch, answer: Answer) -> None:
        """Write an exchange; once this returns, it survives the end of the process."""
        packed = self._packed.pop(fetch, None)
        if packed is None or packed[0] is not answer:
            self.pack(fetch, answer)
            packed = self._packed.pop(fetch)
        _, records, stored = packed
        _write(self.fd, b"".join(stored), self._end, self._path)
        for record, data in zip(records, stored, strict=True):
            self._add_row(record, len(data))
        self._rows.flush()
        self._uncommitted += 1
        if self._uncommitted >= _COMMIT_EVERY:
            self._commit()

    def sync(self) -> None:
        """Flush the file to the disk."""
        try:
            os.fdatasync(self.fd)
        except OSError as error:
            raise ArchiveError(f"{self._path}: can't be written: {error.strerror}") from None

    def close(self) -> None:
        """Publish the index and close the file; whatever fails, the file is free afterwards."""
        try:
            self.sync()
            self._commit()
            self._index.close()
            # After the file is on the disk: an index must never know more than its file has.
            publish_index(_draft_path(self._path), index_beside(self._path))
        except OSError as error:
            index = index_beside(self._path)
            raise ArchiveError(f"{index}: can't be written: {error.strerror or error}") from None
        finally:
            self._index.close()
            os.close(self.fd)

    def _add_row(self, record: bytes, length: int) -> None:
        head = parse_record_head(record)
        if head is not None:
            block = record[head.start : head.end]
            self._rows.add(Found(self._end, length, head, block), 0)
        self._end += length

    def _commit(self) -> None:
        state = os.fstat(self.fd)
        mark = compute_fingerprint(self.fd, self._end)
        times = (state.st_size, state.st_mtime_ns)
        self._index.note_file(IndexedFile(0, self._path.name, *times, self._end, mark, None))
        self._index.commit()
        if self._index.in_memory:
            self._index.move_to(_draft_path(self._path))
        self._uncommitted = 0


def _open_recording(
    path: Path, fd: int, seed: str, progress: Progress, round_number: int
) -> WarcArchive:
    _lock_file(fd, path)
    if _is_empty(fd):
        info = _format_warcinfo(path, seed)
        _write(fd, _compress(info) if path.name.endswith(".gz") else info, 0, path)
        # A power cut must not leave a file whose first record is missing: none could be added.
        os.fdatasync(fd)
        sync_folder(path.parent)
    try:
        return _append_to(path, fd, progress, round_number)
    except DamagedIndex:
        # Damage that shows only when the index is used: it is built again from the recording.
        index_beside(path).unlink(missing_ok=True)
        return _append_to(path, fd, progress, round_number)


def _append_to(path: Path, fd: int, progress: Progress, round_number: int) -> WarcArchive:
    index = _open_index(path)
    try:
        extend_index(index, [path], progress)
        end = _cut_torn_record(fd, index.files(), path)
        writer = WarcRecorder(path, fd, index, end, round_number)
        return WarcArchive(path, index.limit_to_round(round_number), [path], writer)
    except BaseException:
        index.close()
        _draft_path(path).unlink(missing_ok=True)
        raise


def _is_empty(fd: int) -> bool:
    """Whether a file has no bytes, or nothing but the zeros that a power cut left of the first."""
    size = os.fstat(fd).st_size
    return size == 0 or (size <= _MAX_WARCINFO and not os.pread(fd, size, 0).strip(b"\0"))


def _compress(record: bytes) -> bytes:
    """Compress a record as one gzip member."""
    return zlib.compress(record, wbits=31)


def _lock_file(fd: int, path: Path) -> None:
    try:
        # flock ends with the process, however it ends: no stale lock to clean up.
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ArchiveError(f"{path}: another process is recording into it") from None


def _cut_torn_record(fd: int, files: Sequence[IndexedFile], path: Path) -> int:
    """Cut off a torn last record; return the offset of the next record."""
    file = files[0]
    if file.unpacked is not None:
        raise ArchiveError(f"{path}: is compressed as one piece and can't be added to: import it")
    if not file.end:
        raise ArchiveError(f"{path}: holds no whole record; recordings go on only in a WARC file")
    # Appending after half a record would make both unreadable.
    os.ftruncate(fd, file.end)
    if is_gzip(fd):
        return file.end
    # Records of a plain file end with two line breaks, which the scan leaves out of their length.
    _write(fd, _TRAILER, file.end, path)
    return file.end + len(_TRAILER)


def _open_index(path: Path) -> WarcIndex:
    """The index left by a crash, else the published one, if it matches the file; else a new one.

    The index of a small recording is kept in memory until the recording has grown, so that crawls
    of a thousand small sites have fewer open files. A crash loses no more than uncommitted rows.
    """
    part = _draft_path(path)
    if part.exists() and is_sound(part) and is_usable(part, [path]):
        return open_growing(part)
    part.unlink(missing_ok=True)
    part.with_name(part.name + "-journal").unlink(missing_ok=True)
    published = open_published(index_beside(path))
    try:
        usable = published is not None and is_prefix(published, [path])
        if path.stat().st_size <= _SMALL_BYTES:
            return open_in_memory(published if usable else None)
    finally:
        if published is not None:
            published.close()
    if usable:
        shutil.copyfile(index_beside(path), part)
    return open_growing(part)


def _draft_path(path: Path) -> Path:
    published = index_beside(path)
    return published.with_name(published.name + ".part")


def _write(fd: int, data: bytes, at: int, path: Path) -> None:
    """Write at an offset; all of it or nothing."""
    # pwrite may write less than asked for; slices of the view copy nothing.
    view = memoryview(data)
    done = 0
    try:
        while done < len(data):
            done += os.pwrite(fd, view[done:], at + done)
    except OSError as error:
        # A full disk leaves half a record; the file must end where the last whole one does.
        os.ftruncate(fd, at)
        raise ArchiveError(f"{path}: can't be written: {error.strerror}") from None


def _format_warcinfo(path: Path, seed: str) -> bytes:
    fields = {
        "WARC-Type": "warcinfo",
        "WARC-Date": _format_now(),
        "WARC-Filename": path.name,
        "Content-Type": "application/warc-fields",
    }
    lines = ("software: datahound", "format: WARC File Format 1.1", f"datahound-seed: {seed}")
    return write_record(fields, "".join(f"{line}\r\n" for line in lines).encode())


def _format_now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def import_archive(source: Archive, to: Path, progress: Count = ignore_count) -> int:
    """Write all exchanges of a site into a new WARC file; returns their number.

    The file appears under its name only when it is complete; an existing file is not replaced.
    """
    if to.exists():
        raise ArchiveError(f"{to}: is there already; give a new name")
    if not to.parent.is_dir():
        raise ArchiveError(f"{to}: there is no folder {to.parent}")
    try:
        # In the same folder, so that the finished file can be linked and not copied.
        with tempfile.TemporaryDirectory(prefix=".importing-", dir=to.parent) as folder:
            draft = Path(folder) / to.name
            written = _copy_all(source, draft, progress)
            _publish_import(draft, to)
    except OSError as error:
        raise ArchiveError(f"{to}: can't be written: {error.strerror or error}") from None
    return written


def _copy_all(source: Archive, draft: Path, progress: Count) -> int:
    written = 0
    with record_warc(draft, source.seed) as target:
        for written, (fetch, answer) in enumerate(source, 1):
            target.put(fetch, answer)
            progress(written)
    if not written:
        raise ArchiveError(f"{source.name}: nothing is recorded, so there is nothing to import")
    return written


def _publish_import(draft: Path, to: Path) -> None:
    """Move the file and its index to their names, unless the name is taken by now."""
    try:
        # A link fails if the name is taken; a rename would silently replace the file.
        to.hardlink_to(draft)
    except FileExistsError:
        raise ArchiveError(f"{to}: is there already; give a new name") from None
    except OSError:  # a file system without hard links
        draft.rename(to)
    index_beside(draft).replace(index_beside(to))
