"""The crawl folder: its paths, its lock, and the commands to the crawl that runs in it."""

import contextlib
import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from datahound.errors import StorageError, UserError
from datahound.files import make_folder
from datahound.web.urls import host_of

_LOCK = "crawl.lock"
_CONTROL = "crawl.control"
_REMOTE = "crawl.remote"
# A folder with nothing but these is as good as empty: a crash can leave them before there is a
# database.
_OURS = frozenset(
    {_LOCK, _CONTROL, _REMOTE, "crawl.db", "crawl.db-wal", "crawl.db-shm", "crawl.db-journal"}
)

_HARMLESS = re.compile(r"\.(jsonl|log|prom)(\.\d+)?$|^lost\+found$")
"""What may be in a new folder: logs and metrics, opened before it, and `lost+found`."""


@dataclass(frozen=True, slots=True)
class Folder:
    """The paths in the folder of a crawl, and its lock."""

    path: Path

    @property
    def database(self) -> Path:
        return self.path / "crawl.db"

    @property
    def files(self) -> Path:
        return self.path / "files"

    @property
    def datasets(self) -> Path:
        return self.path / "datasets.csv"

    @property
    def pages(self) -> Path:
        return self.path / "pages"

    @property
    def control(self) -> Path:
        """The file with the newest command to the running crawl."""
        return self.path / _CONTROL

    @property
    def remote(self) -> Path:
        """Which object storage the folder is shipped to, and since which takeover."""
        return self.path / _REMOTE

    def make_journal(self, seed: str) -> Path:
        """Path of the WARC journal; creates the folder `pages/`."""
        with self._storage_errors():
            make_folder(self.pages)
        return self.pages / f"{file_name(host_of(seed))}.warc.gz"

    def remove(self) -> None:
        """Delete the folder with all that is in it, as far as that is possible."""
        shutil.rmtree(self.path, ignore_errors=True)

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Lock the folder, made if needed, for the block; refuse one that holds other things."""
        with self._storage_errors():
            self.path.mkdir(parents=True, exist_ok=True)
            self._refuse_foreign()
            # The lock is the open file, which the system releases when a process dies: no stale
            # lock is possible. The file itself stays, since removing it would let two processes
            # lock two different files.
            fd = os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            self._lock(fd)
            yield
        finally:
            os.close(fd)

    def is_claimed(self) -> bool:
        """Whether a process is crawling into the folder."""
        try:
            # Opening a FIFO in its place would block.
            fd = os.open(self.path / _LOCK, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError:
            return False
        try:
            # A shared lock fails only against the exclusive one of a crawl, so several observers do
            # not take each other for one.
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(fd)
        return False

    @contextmanager
    def _storage_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StorageError(f"{self.path}: can't be used: {error.strerror or error}") from None

    def _refuse_foreign(self) -> None:
        if self.database.exists():
            return
        names = (entry.name for entry in self.path.iterdir())
        foreign = sorted(name for name in names if name not in _OURS and not _HARMLESS.search(name))
        if foreign:
            raise UserError(
                f"{self.path}: holds other things ({foreign[0]}) and no crawl: give an empty folder"
            )

    def _lock(self, fd: int) -> None:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UserError(f"{self.path}: another process is crawling into it") from None


def folder_named_for(seed: str) -> Path:
    """The default folder of a crawl, named for the host of its seed."""
    return Path(file_name(host_of(seed)))


def file_name(host: str) -> str:
    """A host as a file name on every system.

    >>> file_name("[2001:db8::1]"), file_name("www.example.org")
    ('2001-db8--1', 'www.example.org')
    """
    # A colon, of a port or of IPv6, is forbidden in names on Windows.
    return host.strip("[]").replace(":", "-")


PAUSE, STOP = "pause", "stop"
# Longer than any command: the file may hold anything, since users can write to the folder.
_LONGEST = 16


def command_crawl(path: Path, word: str) -> None:
    """Send a command to the crawl in a folder: `pause`, `continue` or `stop`."""
    folder = Folder(path)
    if word not in (PAUSE, STOP, "continue"):
        raise UserError(f"{word!r} is not a command for a crawl: give pause, continue or stop")
    if not folder.is_claimed():
        raise UserError(f"{path}: no crawl is running in this folder")
    try:
        if word == "continue":
            folder.control.unlink(missing_ok=True)
            return
        draft = folder.control.with_name(f".{folder.control.name}.part")
        # Renamed into place, so that the crawl never reads half a word.
        draft.write_text(word)
        draft.replace(folder.control)
    except OSError as error:
        raise StorageError(f"{folder.control}: can't be written: {error.strerror}") from None


def read_command(control: Path) -> str:
    """The newest command to the crawl: `pause`, `stop`, or '' to continue."""
    try:
        # Neither a link to another file nor a FIFO that would block the event loop.
        fd = os.open(control, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ""
    try:
        word = os.read(fd, _LONGEST).decode("ascii", "replace").strip()
    except OSError:
        return ""
    finally:
        os.close(fd)
    return word if word in (PAUSE, STOP) else ""


def clear_command(control: Path) -> None:
    """Remove the command, so that the next run does not obey it."""
    with contextlib.suppress(OSError):
        control.unlink()
