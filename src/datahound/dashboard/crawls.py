"""The crawls that the dashboard shows, found in folders."""

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from datahound.dashboard.counters import Counters
from datahound.errors import DatahoundError, UserError
from datahound.report.phrases import HINTS, Cause, cause_of
from datahound.report.status import choose_name
from datahound.store.folder import PAUSE, STOP, Folder, read_command
from datahound.store.queries import open_snapshot, read_facts

# Enough for a folder of folders of crawls.
_DEPTH = 2
# `datahound serve /` must not read the folders of a whole disk.
_MAX_FOLDERS = 5000
_SCAN_SECONDS = 3.0


@dataclass(slots=True)
class CrawlView:
    """One crawl's folder and its counts."""

    id: str
    folder: Folder
    cut_off: str = "cut off"
    """The state of a crawl that neither runs here nor has ended."""
    counters: Counters = field(default_factory=Counters)

    @contextmanager
    def open_database(self) -> Iterator[sqlite3.Connection]:
        """The crawl's database, to read."""
        with open_snapshot(self.folder.database) as connection:
            yield connection

    def read_status(self, connection: sqlite3.Connection) -> dict[str, Any]:
        """Seed and strategy, whether it runs or why it ended, and its current work."""
        facts = read_facts(connection, ("identity", "ended", "now"))
        identity = facts.get("identity", {})
        running = self.folder.is_claimed()
        # While the crawl runs, the stored end is that of an earlier run.
        ended = {} if running else facts.get("ended", {})
        cause = cause_of(ended)
        now = facts.get("now", {}) if running else {}
        return {
            "seed": identity.get("URL", ""),
            "strategy": identity.get("--strategy", ""),
            "running": running,
            "state": self._name_state(running=running, paused=bool(now.get("paused")), cause=cause),
            "cause": cause.value if cause else None,
            "ended": ended.get("reason", ""),
            "hint": HINTS.get(cause, "") if cause else "",
            "now": now,
        }

    def _name_state(self, *, running: bool, paused: bool, cause: Cause | None) -> str:
        if not running:
            return "ended" if cause else self.cut_off
        word = read_command(self.folder.control)
        # The crawl removes the command once it has read it.
        if word == STOP:
            return "stopping"
        if word == PAUSE:
            return "paused" if paused else "pausing"
        return "running"


class Crawls:
    """Finds the crawls below some folders, and keeps their counts while they exist."""

    def __init__(self, roots: Sequence[Path], cut_off: str = "cut off") -> None:
        self._cut_off = cut_off
        self._roots = [root.absolute() for root in roots]
        self._lock = threading.Lock()
        self._found: dict[str, CrawlView] = {}
        self._scanned_at = -_SCAN_SECONDS

    def all(self) -> list[CrawlView]:
        """All crawls that exist now."""
        with self._lock:
            if time.monotonic() - self._scanned_at >= _SCAN_SECONDS:
                self._scan()
            return list(self._found.values())

    def get(self, id_: str) -> CrawlView:
        """A crawl by its name."""
        for crawl in self.all():
            if crawl.id == id_:
                return crawl
        raise UserError(f"there is no crawl called {id_!r} here")

    def find_id(self, path: Path) -> str:
        """The name of the crawl in a folder, which may be new."""
        with self._lock:
            self._scan()
            for crawl in self._found.values():
                if crawl.folder.path == path.absolute():
                    return crawl.id
        raise UserError(f"there is no crawl in {path.name!r}")

    def _scan(self) -> None:
        known = {crawl.folder.path: crawl for crawl in self._found.values()}
        found: dict[str, CrawlView] = {}
        for path in dict.fromkeys(path for root in self._roots for path in _find_folders(root)):
            crawl = known.get(path)
            # Known crawls keep their counters, which took time to fill.
            if crawl is None or crawl.id in found:
                crawl = CrawlView(choose_name(path.name, found), Folder(path), self._cut_off)
            found[crawl.id] = crawl
        self._found = found
        self._scanned_at = time.monotonic()


def open_readable(crawls: Sequence[CrawlView]) -> Iterator[tuple[CrawlView, sqlite3.Connection]]:
    """The crawls that can be read, each with its open database; skips the others."""
    for crawl in crawls:
        try:
            with crawl.open_database() as connection:
                yield crawl, connection
        except DatahoundError:
            continue


def _find_folders(root: Path) -> Iterator[Path]:
    """The folders of crawls at and below a folder."""
    level, visited = [root], 0
    for _ in range(_DEPTH + 1):
        deeper: list[Path] = []
        for path in level:
            visited += 1
            if visited > _MAX_FOLDERS:
                return
            if (path / "crawl.db").is_file():
                yield path
            else:
                deeper += _list_children(path)
        level = deeper


def _list_children(path: Path) -> list[Path]:
    try:
        return sorted(
            child
            for child in path.iterdir()
            # A symbolic link may lead out of the folder that is served, or form a circle.
            if not child.name.startswith(".") and child.is_dir() and not child.is_symlink()
        )
    except OSError:
        return []
