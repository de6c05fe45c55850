"""Write whole files or none, and report file system errors as one line."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from datahound.errors import StorageError


@contextmanager
def write_whole(path: Path) -> Iterator[Path]:
    """Yield a draft beside `path` that replaces it when the block succeeds.

    If the block raises, the draft is removed and `path` stays as it was. Parent folders are made.
    """
    draft = path.with_name(f".{path.name}.part")
    with storage_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
    try:
        yield draft
        with storage_errors(path):
            draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk; some file systems can't, and are left alone."""
    fd = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            os.fsync(fd)
    finally:
        os.close(fd)


def make_folder(folder: Path) -> None:
    """Make a folder inside one that exists; its name outlives a power cut."""
    if not folder.is_dir():
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Raise an `OSError` of the block as a `StorageError` that names `path`."""
    try:
        yield
    except OSError as error:
        raise StorageError(f"{path}: can't be written: {error.strerror or error}") from None
