"""The website replicas that the paper's reproducibility kit keeps in SQLite."""

import ast
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from datahound.archive.archive import Recorded, as_head, key
from datahound.archive.http_message import MAX_BODY
from datahound.errors import ArchiveError
from datahound.model import Answer, Fetch, Response
from datahound.sqlite_files import open_read_only
from datahound.web.messages import decode_header, unpack_tolerantly

_MAGIC = b"SQLite format 3\0"
_COLUMNS = ("url", "http_response", "headers", "body", "content_length")
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"


def is_database(path: Path) -> bool:
    """Whether a file is an SQLite database."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def open_kit(path: Path, seed: str = "") -> "KitArchive":
    """A replica, for reading; its start page is its first row, unless another is given."""
    connection = open_read_only(path, check_same_thread=False)
    try:
        return KitArchive(connection, path, seed)
    except sqlite3.DatabaseError as error:
        connection.close()
        raise ArchiveError(f"{path}: can't be read as a kit database: {error}") from None
    except ArchiveError:
        connection.close()
        raise


class KitArchive:
    """Answers as the kit does: a URL without a row is an error page."""

    def __init__(self, connection: sqlite3.Connection, path: Path, seed: str = "") -> None:
        self.name = path.stem
        self._path = path
        self._connection = connection
        table = _site_table(connection, path)
        self._select = f"SELECT {', '.join(_COLUMNS)} FROM {table} WHERE rowid = ?"
        self._rows: dict[str, int] = {}
        # Rows are found by the canonical URL, which the database does not have; the last one wins.
        for number, url in connection.execute(f"SELECT rowid, url FROM {table} ORDER BY rowid"):
            self._rows[key(_text(url))] = number
        self.seed = key(seed) if seed else next(iter(self._rows), "")
        if not self._rows:
            raise ArchiveError(f"{path}: the kit database holds no page")

    def get(self, fetch: Fetch) -> Answer | None:
        url = key(fetch.url)
        number = self._rows.get(url)
        answer = Response(url, 404) if number is None else self._read(url, number)
        return answer if fetch.method != "HEAD" else as_head(answer)

    def put(self, fetch: Fetch, answer: Answer) -> None:  # noqa: ARG002 as the interface has it
        raise ArchiveError(f"{self._path}: a kit database is for reading only")

    def __iter__(self) -> Iterator[Recorded]:
        for url, number in self._rows.items():
            yield Recorded(Fetch(url), self._read(url, number))

    def close(self) -> None:
        self._connection.close()

    def _read(self, url: str, number: int) -> Response:
        try:
            row = self._connection.execute(self._select, (number,)).fetchone()
        except sqlite3.DatabaseError as error:
            raise ArchiveError(f"{self._path}: can't read the row of {url}: {error}") from None
        _, status, headers, body, length = row
        named = _headers(headers)
        raw = body if isinstance(body, bytes) else _text(body).encode("utf-8", "replace")
        # The kit keeps some bodies decoded and some not, under the same headers.
        decoded = unpack_tolerantly(raw, named.get("content-encoding", ""), MAX_BODY)
        size = max(_number(length), len(raw))
        truncated = size > len(raw) or not decoded.whole
        return Response(url, _number(status), named, decoded.body, size, truncated=truncated)


def _site_table(connection: sqlite3.Connection, path: Path) -> str:
    """The table that holds the site, quoted."""
    for (name,) in connection.execute(_TABLES).fetchall():
        quoted = '"' + str(name).replace('"', '""') + '"'
        columns = {row[1] for row in connection.execute(f"PRAGMA table_info({quoted})")}
        if columns.issuperset(_COLUMNS):
            return quoted
    raise ArchiveError(f"{path}: no kit database: no table has the columns {', '.join(_COLUMNS)}")


def _headers(text: object) -> dict[str, str]:
    """Headers from the repr of a dict of bytes to lists of bytes; {} for any other text."""
    try:
        # The kit stores the repr of a dict; literal_eval reads it without running it.
        pairs = ast.literal_eval(_text(text))
        return {_text(name).lower(): _joined(values) for name, values in pairs.items()}
    # Everything that literal_eval is documented to raise on hostile input, memory included.
    except (ValueError, SyntaxError, AttributeError, TypeError, RecursionError, MemoryError):
        return {}


def _joined(values: object) -> str:
    return ", ".join(map(_text, values)) if isinstance(values, list | tuple) else _text(values)


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return decode_header(value)
    return "" if value is None else str(value)


def _number(value: object) -> int:
    try:
        return int(_text(value))
    except ValueError:
        return 0
