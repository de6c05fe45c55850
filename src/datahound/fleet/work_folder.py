"""Where a worker keeps the crawls of now: a folder of its own, which leaves nothing behind."""

import fcntl
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from datahound.files import storage_errors

_PREFIX = "worker-"
_LOCK = ".lock"


@contextmanager
def open_work(parent: Path) -> Iterator[Path]:
    """Make a folder of this worker alone, and remove it at the end.

    Folders of workers that were killed are removed too: what they held is in the store, as far as
    it was shipped, and no other worker would look there.
    """
    with storage_errors(parent):
        parent.mkdir(parents=True, exist_ok=True)
        # One worker at a time: a new folder has no lock for a moment.
        with (parent / _LOCK).open("a") as gate:
            fcntl.flock(gate, fcntl.LOCK_EX)
            _remove_left(parent)
            folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
            lock = (folder / _LOCK).open("a")
            fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        lock.close()


def _remove_left(parent: Path) -> None:
    for folder in parent.glob(f"{_PREFIX}*"):
        # A process keeps its lock until it ends, however it ends.
        with suppress(OSError), (folder / _LOCK).open("a") as lock:
            if _is_free(lock):
                shutil.rmtree(folder, ignore_errors=True)


def _is_free(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
