"""Building the index of WARC files, next to them or in the cache folder."""

import hashlib
import os
import shutil
import tempfile
import zlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from datahound.archive.warc.index import (
    IndexedFile,
    WarcIndex,
    open_growing,
    open_in_memory,
    open_published,
    publish_index,
)
from datahound.archive.warc.rows import RowMaker
from datahound.archive.warc.scan import (
    NotPerRecordError,
    is_foreign_gzip,
    is_gzip,
    open_file,
    scan,
    unpack,
)
from datahound.errors import ArchiveError

Progress = Callable[[int, int], None]
"""Called with the bytes done and the bytes in all."""

# Two probes tell a replaced file from a grown one without reading gigabytes.
_PROBE = 4096
# A progress bar needs no more, and a call per record would cost more than the scan.
_REPORT_EVERY = 200


def ignore_progress(done: int, total: int) -> None:
    """Ignore the progress."""


def find_index(home: Path, paths: Sequence[Path], progress: Progress) -> WarcIndex:
    """The index of these files, as they are now: found, brought up to date or made."""
    # Next to the file first: the index then moves with it and serves every user.
    places = [index_beside(home), index_in_cache(home)]
    for place in places:
        index = open_published(place)
        if index is not None and _is_fresh(index, paths):
            return index
        if index is not None:
            index.close()
    return _publish_index(places, paths, progress)


def index_beside(home: Path) -> Path:
    """Path of the index if its folder can be written."""
    return home / "datahound.index" if home.is_dir() else home.with_name(home.name + ".index")


def index_in_cache(home: Path) -> Path:
    """Path of the index otherwise."""
    absolute = str(home.absolute())
    digest = hashlib.sha256(absolute.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return _cache_folder() / f"{home.name}-{digest}.index"


def extend_index(index: WarcIndex, paths: Sequence[Path], progress: Progress) -> None:
    """Add what the files hold beyond what the index knows."""
    known = {file.number: file for file in index.files()}
    total = sum(path.stat().st_size for path in paths)
    done = 0
    for number, path in enumerate(paths):
        file = known.get(number)
        if file is None or not _unchanged(file, path):
            _index_file(index, number, path, file, partial(_report_bytes, progress, total, done))
        done += path.stat().st_size
    index.commit()
    progress(total, total)


def is_prefix(index: WarcIndex, paths: Sequence[Path]) -> bool:
    """Whether the index is right as far as it goes: files were only added or have only grown."""
    files = index.files()
    if len(files) > len(paths) or any(f.name != p.name for f, p in zip(files, paths, strict=False)):
        return False
    if not all(_unchanged(file, path) for file, path in zip(files[:-1], paths, strict=False)):
        return False
    return not files or _has_grown(files[-1], paths[len(files) - 1])


def is_usable(place: Path, paths: Sequence[Path]) -> bool:
    """Whether an index at a place is right for these files as far as it goes."""
    index = open_published(place)
    if index is None:
        return False
    try:
        return is_prefix(index, paths)
    finally:
        index.close()


def compute_fingerprint(fd: int, end: int) -> int:
    """A number that changes when a file is replaced, but not when it grows."""
    last = os.pread(fd, min(_PROBE, end), max(0, end - _PROBE))
    return zlib.crc32(last, zlib.crc32(os.pread(fd, min(_PROBE, end), 0)))


def _is_fresh(index: WarcIndex, paths: Sequence[Path]) -> bool:
    files = index.files()
    return len(files) == len(paths) and all(map(_unchanged, files, paths))


def _unchanged(file: IndexedFile, path: Path) -> bool:
    now = path.stat()
    same = (file.name, file.size, file.modified_ns) == (path.name, now.st_size, now.st_mtime_ns)
    return same and (file.unpacked is None or Path(file.unpacked).exists())


def _has_grown(file: IndexedFile, path: Path) -> bool:
    if _unchanged(file, path):
        return True
    if file.unpacked is not None or path.stat().st_size < file.end:
        return False
    with open_file(path) as fd:
        return compute_fingerprint(fd, file.end) == file.fingerprint


def _publish_index(places: Sequence[Path], paths: Sequence[Path], progress: Progress) -> WarcIndex:
    for place in places:
        draft = _make_draft(place, paths, places)
        if draft is None:
            continue
        try:
            _fill_index(open_growing(draft), paths, progress).close()
            publish_index(draft, place)
        finally:
            draft.unlink(missing_ok=True)
        published = open_published(place)
        if published is not None:
            return published
    return _fill_index(open_in_memory(), paths, progress)


def _fill_index(index: WarcIndex, paths: Sequence[Path], progress: Progress) -> WarcIndex:
    try:
        extend_index(index, paths, progress)
        _refuse_empty(index, paths)
    except BaseException:
        index.close()
        raise
    return index


def _refuse_empty(index: WarcIndex, paths: Sequence[Path]) -> None:
    if index.last_number():
        return
    for file in index.files():
        if file.unpacked is not None:
            Path(file.unpacked).unlink(missing_ok=True)
    named = paths[0] if len(paths) == 1 else paths[0].parent
    raise ArchiveError(f"{named}: holds no whole record of a web page, as a WARC file would")


def _make_draft(place: Path, paths: Sequence[Path], places: Sequence[Path]) -> Path | None:
    """A new file next to the place, filled from a published index; None if it can't be made."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if _is_write_protected(place.parent):
            return None
        # A unique name, because two processes may build the same index at once.
        handle, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
    except OSError:
        return None
    os.close(handle)
    draft = Path(name)
    for published in places:
        if is_usable(published, paths):
            shutil.copyfile(published, draft)
            break
    return draft


def _report_bytes(progress: Progress, total: int, before: int, at: int) -> None:
    progress(before + at, total)


def _index_file(
    index: WarcIndex, number: int, path: Path, known: IndexedFile | None, at: Callable[[int], None]
) -> None:
    with open_file(path) as fd:
        # Checked first: scanning a large gzip file of something else would take minutes.
        if is_gzip(fd) and is_foreign_gzip(fd):
            raise ArchiveError(f"{path}: is compressed, but holds no WARC records")
        try:
            file = _scan_file(index, number, path, fd, known, at)
        except NotPerRecordError:
            file = None
        if file is None or (not file.end and is_gzip(fd)):
            # Rows that were added until then point into the compressed file.
            index.forget_file(number)
            file = _unpack_file(index, number, path, fd, at)
    index.note_file(file)


def _scan_file(
    index: WarcIndex,
    number: int,
    path: Path,
    fd: int,
    known: IndexedFile | None,
    at: Callable[[int], None],
) -> IndexedFile:
    state = os.fstat(fd)
    end = known.end if known else 0
    maker = RowMaker(index)
    for count, found in enumerate(scan(fd, end)):
        maker.add(found, number)
        end = found.offset + found.length
        if count % _REPORT_EVERY == 0:
            at(end)
    maker.flush()
    mark = compute_fingerprint(fd, end)
    return IndexedFile(number, path.name, state.st_size, state.st_mtime_ns, end, mark, None)


def _unpack_file(
    index: WarcIndex, number: int, path: Path, fd: int, at: Callable[[int], None]
) -> IndexedFile:
    """Index a file compressed as one gzip member, by a decompressed copy in the cache folder."""
    state = os.fstat(fd)
    # Size and time in the name: a changed file never meets an old decompressed copy.
    to = index_in_cache(path).with_suffix(f".{state.st_size}-{state.st_mtime_ns}.warc")
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(prefix=f".{to.name}.", dir=to.parent)
    except OSError as error:
        raise ArchiveError(f"{path}: no place to unpack it: {error}") from None
    try:
        with os.fdopen(handle, "w+b") as unpacked:
            unpack(fd, unpacked)
            unpacked.flush()
            file = _scan_file(index, number, path, handle, None, at)
        Path(draft).replace(to)
    finally:
        Path(draft).unlink(missing_ok=True)
    return file._replace(size=state.st_size, modified_ns=state.st_mtime_ns, unpacked=str(to))


def _is_write_protected(folder: Path) -> bool:
    """Whether the mode of a folder forbids writing, which the system does not enforce for root."""
    return not folder.stat().st_mode & 0o222


def _cache_folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(home) if home.startswith("/") else Path.home() / ".cache") / "datahound"
