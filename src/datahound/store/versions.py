"""Remove versions of files that nobody wants to keep, so that a crash leaves no loose end."""

import json
import sqlite3
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from datahound.files import storage_errors

_REMOVING = "removing"
_FACT = "SELECT value FROM fact WHERE name = ?"
_NOTE = "INSERT OR REPLACE INTO fact VALUES (?, ?)"
_CLEAR = "DELETE FROM fact WHERE name = ?"
_OLD = """SELECT id, path FROM (SELECT id, path, row_number() OVER (PARTITION BY url
    ORDER BY id DESC) AS age FROM version) WHERE age > ? AND path IS NOT NULL"""
_DROP = "UPDATE version SET path = NULL WHERE id = ?"
# Equal bytes are stored once: a file stays as long as any URL or version has it.
_UNUSED = """SELECT value FROM json_each(?) WHERE value NOT IN (
    SELECT path FROM file WHERE path IS NOT NULL
    UNION SELECT path FROM version WHERE path IS NOT NULL)"""


class VersionsDatabase(Protocol):
    """The database of a crawl, as far as versions need it."""

    connection: sqlite3.Connection

    def transaction(self) -> AbstractContextManager[None]: ...


def prune_versions(store: VersionsDatabase, files: Path, keep: int) -> int:
    """Keep the newest versions before the current one of each file; how many files were removed.

    The rows stay, so that a file still counts how often it has changed.
    """
    with store.transaction():
        run = store.connection.execute
        old = run(_OLD, (keep,)).fetchall()
        left = run(_FACT, (_REMOVING,)).fetchone()
        paths = [*(json.loads(left[0]) if left else []), *(path for _, path in old)]
        store.connection.executemany(_DROP, [(number,) for number, _ in old])
        # First noted, then removed: what a crash leaves on the disk is removed the next time.
        run(_NOTE, (_REMOVING, json.dumps(paths)))
    unused = [path for (path,) in store.connection.execute(_UNUSED, (json.dumps(paths),))]
    for path in unused:
        with storage_errors(files / path):
            (files / path).unlink(missing_ok=True)
    with store.transaction():
        store.connection.execute(_CLEAR, (_REMOVING,))
    return len(unused)
