"""Opening SQLite databases that are only read."""

import sqlite3
from pathlib import Path
from typing import Any


def open_read_only(path: Path, *, is_final: bool = False, **options: Any) -> sqlite3.Connection:
    """Open a database that exists, to read; `options` are those of `sqlite3.connect`.

    With `is_final`, no process writes to it any more: it is read without locks and without looking
    for a write-ahead log.
    """
    if path.exists() and not path.is_file():
        # Opening a FIFO to read would wait for its writer.
        raise sqlite3.OperationalError("not a file")
    # As a URI, because only a URI can have `mode=ro`: otherwise SQLite would create a database that
    # does not exist. `as_uri` quotes characters such as `?` and `#`.
    final = "&immutable=1" if is_final else ""
    uri = f"{path.absolute().as_uri()}?mode=ro{final}"
    connection: sqlite3.Connection = sqlite3.connect(uri, uri=True, **options)
    return connection
