"""A user's own SQL query on the databases of a crawl, which can change nothing."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from datahound.errors import UserError
from datahound.store.folder import Folder
from datahound.store.sqlite import open_to_read

# Some milliseconds of work: Ctrl-C feels immediate, and the handler costs nothing.
_STEPS = 100_000
_REFUSED = frozenset({sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH})
"""Also what VACUUM INTO does. The databases themselves are opened for reading only."""
_VIEWS = """
SELECT m.name, (SELECT group_concat(name, ', ') FROM pragma_table_info(m.name))
FROM sqlite_master AS m WHERE m.type = 'view' ORDER BY m.name
"""
_CATALOGUE = """
SELECT 'catalog.' || m.name,
    (SELECT group_concat(name, ', ') FROM pragma_table_info(m.name, 'catalog'))
FROM catalog.sqlite_master AS m WHERE m.name IN ('dataset', 'data_table', 'search')
ORDER BY m.name
"""


class Answered(NamedTuple):
    """The names of the columns, and the rows."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]


@contextmanager
def ask_crawl(folder: Path, question: str, catalog: Path | None = None) -> Iterator[Answered]:
    """Answer a SELECT over `crawl.db`; the tables of its catalogue are there as `catalog.NAME`.

    A crawl that runs is not disturbed: what is read is one moment of it.
    """
    with closing(_open(folder, catalog)) as connection, _sql_errors():
        yield _answer(connection.execute(question))


@contextmanager
def list_views(folder: Path, catalog: Path | None = None) -> Iterator[Answered]:
    """What can be asked for: the views of `crawl.db` and the tables of the catalogue."""
    with closing(_open(folder, catalog)) as connection, _sql_errors():
        rows = [*connection.execute(_VIEWS)]
        if catalog is not None:
            rows += connection.execute(_CATALOGUE)
        yield Answered(("name", "columns"), iter(rows))


def _open(folder: Path, catalog: Path | None) -> sqlite3.Connection:
    connection = open_to_read(Folder(folder).database)
    try:
        # Titles of pages may hold surrogates that are not UTF-8; a broken letter is better than an
        # error.
        connection.text_factory = partial(str, encoding="utf-8", errors="replace")
        if catalog is not None:
            uri = f"{catalog.absolute().as_uri()}?mode=ro"
            with _sql_errors():
                connection.execute("ATTACH ? AS catalog", (uri,))
    except BaseException:
        connection.close()
        raise
    connection.set_authorizer(_authorize)
    # SQLite does not see signals: between steps, Python looks for Ctrl-C.
    connection.set_progress_handler(_go_on, _STEPS)
    return connection


def _answer(cursor: sqlite3.Cursor) -> Answered:
    if cursor.description is None:
        raise UserError("sql: this returns no rows: give a SELECT")
    return Answered(tuple(column[0] for column in cursor.description), iter(cursor))


def _authorize(action: int, *_: object) -> int:
    return sqlite3.SQLITE_DENY if action in _REFUSED else sqlite3.SQLITE_OK


def _go_on() -> int:
    # Zero lets the statement run on; Python raises KeyboardInterrupt on its way back here.
    return 0


@contextmanager
def _sql_errors() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, sqlite3.Warning) as error:
        text = str(error)
        if text == "interrupted":
            raise KeyboardInterrupt from None
        if "readonly" in text or "authoriz" in text:
            text = "only queries (SELECT) are allowed: nothing can be changed"
        raise UserError(f"sql: {text}") from None
