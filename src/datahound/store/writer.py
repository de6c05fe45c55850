"""The writer of `crawl.db`: events as rows, checkpoints, and named facts."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, KeysView, Reversible
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, cast

from datahound.errors import StorageError
from datahound.events import Event
from datahound.files import storage_errors
from datahound.model import FileRecord
from datahound.sqlite_files import open_read_only
from datahound.store.checkpoints import Checkpoints, Resumable, StoredLinks
from datahound.store.event_rows import Rows
from datahound.store.facts import read_fact, write_fact
from datahound.store.files import FileLedger, write_datasets
from datahound.store.rounds import prune_versions
from datahound.store.sqlite import create_or_open, open_to_read, sqlite_errors

# A transaction for each event would cost more than the event.
_BATCH = 500
_LIST_BATCH = 2000
"""Rows of lists per transaction: a longer one would keep the event loop and the disk busy."""
_COPY_SECONDS = 30
_SMALL_CACHE = "PRAGMA cache_size = -160"
_USUAL_CACHE = "PRAGMA cache_size = -2000"
_LARGE_CRAWL = 10_000
"""Known URLs from which on the database gets the usual cache: a small crawl needs none, and a
thousand of them may run at once."""

# Readers that count rows incrementally start again when this number changes: rows were deleted.
_RETOLD = """INSERT INTO fact VALUES ('retold', '1')
    ON CONFLICT (name) DO UPDATE SET value = value + 1"""


class Store:
    """The one writer of a crawl's database."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self.path = path
        self.clock = clock
        self.connection = create_or_open(path)
        self._has_small_cache = False
        self._fit_cache(0)
        self.round: int = self.fact("round") or 0
        """The round of visits that the events belong to: 0 for the first crawl of the site."""
        self._rows = Rows(self.connection, clock, self.round)
        self._checkpoints = Checkpoints(self.connection)

    def observe(self, events: list[Event]) -> None:
        """Buffer events; they are on the disk after the next batch, checkpoint or end."""
        self._rows.add(events)
        if self._rows.waiting >= _BATCH:
            self.write_some()

    @property
    def is_behind(self) -> bool:
        """Whether a list has more rows than were written at once: `write_some` writes others."""
        return self._rows.has_lists

    def write_some(self) -> None:
        """Write the buffered rows, and of long lists as many as take a moment."""
        if self._rows.waiting or self._rows.has_lists:
            with self.transaction():
                self._rows.write(_LIST_BATCH)

    def flush(self) -> None:
        """Write the buffered rows, all of them."""
        if self._rows.waiting or self._rows.has_lists:
            with self.transaction():
                self._rows.write()

    def show(self, now: object) -> None:
        """Write buffered rows, and what the crawl does now, for the dashboard."""
        with self.transaction():
            self._rows.write(_LIST_BATCH)
            write_fact(self.connection, "now", now)

    def checkpoint(self, crawl: Resumable, journal: int) -> None:
        """Save the state of the crawl, and the number of journal records behind it."""
        self._fit_cache(len(crawl.known))
        with self.transaction():
            self._write_checkpoint(crawl, journal)

    def _fit_cache(self, known: int) -> None:
        is_small = known < _LARGE_CRAWL
        if is_small != self._has_small_cache:
            self._has_small_cache = is_small
            self.connection.execute(_SMALL_CACHE if is_small else _USUAL_CACHE)

    def begin_round(self, crawl: Resumable, journal: int, plan: dict[str, Any]) -> None:
        """Save a crawl that begins a round, with the plan of the round, in one transaction."""
        self.round += 1
        self._rows.round = self.round
        rounds = [*(self.fact("rounds") or []), {**plan, "round": self.round}]
        with self.transaction():
            for name, value in (("round", self.round), ("rounds", rounds), ("ended", None)):
                write_fact(self.connection, name, value)
            self._write_checkpoint(crawl, journal)

    def _write_checkpoint(self, crawl: Resumable, journal: int) -> None:
        """Write rows and state in one transaction, so that they never disagree after a crash."""
        self._rows.write()
        run = {"journal": journal, "marks": self._rows.marks()}
        # Known URLs are only ever appended: those of earlier checkpoints are in the database.
        new_urls = _newest(crawl.known, len(crawl.known) - self._checkpoints.known)
        self._checkpoints.write({"crawl": crawl.bookmark(), "run": run}, new_urls)

    def restore(self, crawl: Resumable) -> int:
        """Restore the newest checkpoint into a new crawl; return its number of journal records.

        Rows written after the checkpoint are deleted: replaying the journal writes them again.
        """
        with sqlite_errors(self.path):
            state = self._checkpoints.read() or {"run": {"journal": 0, "marks": {}}}
        with self.transaction():
            self._cut(state["run"]["marks"])
        if "crawl" not in state:
            return 0
        # A later round can't be replayed from the journal: that has the answers of all rounds, in
        # one file.
        if self.round and not crawl.can_resume(state["crawl"]):
            raise StorageError(
                f"{self.path}: another version of Datahound has saved what the crawl learned; "
                "continue with that version, or crawl into another folder"
            )
        if not crawl.can_resume(state["crawl"]):
            # Another version wrote it: the whole journal is replayed instead.
            self.forget()
            return 0
        links = StoredLinks(self.connection)
        crawl.resume(state["crawl"], self._checkpoints.read_known(), links)
        return int(state["run"]["journal"])

    def forget(self) -> None:
        """Delete the rows and the state of the crawl; its facts stay."""
        with self.transaction():
            self._cut({})
            self._checkpoints.forget()

    def fact(self, name: str) -> Any:
        """A fact by its name, or None."""
        with sqlite_errors(self.path):
            return read_fact(self.connection, name)

    @property
    def has_requests(self) -> bool:
        """Whether any request was made."""
        return bool(self.connection.execute("SELECT EXISTS(SELECT 1 FROM request)").fetchone()[0])

    def note(self, name: str, value: object) -> None:
        with self.transaction():
            write_fact(self.connection, name, value)

    def _cut(self, marks: dict[str, int]) -> None:
        self._rows.cut(marks)
        self.connection.execute(_RETOLD)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """A transaction: everything written inside is committed, or nothing."""
        with sqlite_errors(self.path), self.connection:
            # IMMEDIATE: a transaction that begins as a reader and then writes could fail in the
            # middle.
            self.connection.execute("BEGIN IMMEDIATE")
            yield

    def reading(self) -> AbstractContextManager[None]:
        """Turn errors of SQLite inside the block into ours."""
        return sqlite_errors(self.path)

    def ledger(self, on_end: Callable[[FileRecord], None] | None = None) -> FileLedger:
        """The ledger of files; `on_end` is called for each download that has ended."""
        return FileLedger(self, on_end)

    def prune_versions(self, files: Path, keep: int) -> int:
        """Remove all but the newest versions before the current one; how many files went."""
        with sqlite_errors(self.path):
            return prune_versions(self, files, keep)

    def write_datasets(self, path: Path) -> None:
        """Write the list of targets found so far; may run in another thread, as `tidy` may."""
        with closing(open_to_read(self.path)) as own, sqlite_errors(self.path):
            write_datasets(own, path)

    def tidy(self) -> None:
        """Copy the write-ahead log into the database; may run in another thread."""
        with sqlite_errors(self.path):
            own = sqlite3.connect(self.path)
            try:
                # PASSIVE never waits for readers: what they still need is copied the next time.
                own.execute("PRAGMA wal_checkpoint(PASSIVE)")
            finally:
                own.close()

    def sync(self) -> None:
        """Flush the write-ahead log to the disk; may run in another thread.

        SQLite flushes it with `tidy` only: until then a power cut would forget which files are
        kept, and they would be requested again.
        """
        log = self.path.with_name(self.path.name + "-wal")
        with storage_errors(log), suppress(FileNotFoundError), log.open("rb") as file:
            os.fdatasync(file.fileno())

    def close(self) -> None:
        self.connection.close()


def _newest(known: KeysView[str], count: int) -> list[str]:
    """The last `count` URLs in their order, without iterating over the others."""
    return list(islice(reversed(cast("Reversible[str]", known)), count))[::-1]


def find_damage(path: Path) -> str:
    """What is wrong with a database file, in a few words, or ''."""
    try:
        with closing(open_read_only(path)) as connection:
            (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.Error as error:
        return str(error)
    return "" if found == "ok" else " ".join(str(found).split())[:200]


def copy_database(path: Path, target: Path) -> None:
    """Copy a database that may be written to meanwhile, as it is at one moment."""
    with (
        sqlite_errors(path),
        closing(open_read_only(path, timeout=_COPY_SECONDS)) as source,
        closing(sqlite3.connect(target)) as copy,
    ):
        source.backup(copy)


def settle_database(path: Path) -> None:
    """Bring all of a database that nobody writes to into its one file."""
    with sqlite_errors(path), closing(sqlite3.connect(path, timeout=_COPY_SECONDS)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
