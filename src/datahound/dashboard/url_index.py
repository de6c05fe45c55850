"""Finding a URL among millions of rows, in memory, so that the crawl need not keep an index."""

import sqlite3
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

KEYS = {"link": "number", "request": "id", "skip": "id"}
_MASK = 0xFFFFFFFF
_MOST = 200

Rows = NDArray[np.uint32]


class UrlIndex:
    """For each row the sum of its URL in four bytes: a million are looked through in a moment."""

    def __init__(self) -> None:
        self._pieces: dict[str, list[tuple[Rows, Rows]]] = {table: [] for table in KEYS}
        self._upto: dict[str, int] = dict.fromkeys(KEYS, -1)

    def add(self, table: str, rows: Sequence[tuple[int, str]], upto: int) -> None:
        """Take in rows by their keys and URLs: all that there are up to a key."""
        if rows:
            keys = np.fromiter((key for key, _ in rows), np.uint32, len(rows))
            sums = np.fromiter((hash(url) & _MASK for _, url in rows), np.uint32, len(rows))
            self._pieces[table].append((keys, sums))
        self._upto[table] = upto

    def rows(
        self, connection: sqlite3.Connection, table: str, url: str, statement: str
    ) -> list[tuple[Any, ...]]:
        """What a statement says of the rows with a URL; `{rows}` in it stands for them.

        Rows that are not taken in yet are searched one by one.
        """
        wanted = np.uint32(hash(url) & _MASK)
        found = [int(key) for keys, sums in self._pieces[table] for key in keys[sums == wanted]]
        marks = ", ".join(map(str, found[:_MOST]))
        key = f"{table}.{KEYS[table]}"
        rows: list[tuple[Any, ...]] = []
        for which in (f"{key} IN ({marks})", f"{key} > {self._upto[table]}"):
            asked = statement.replace("{rows}", f"{which} AND {table}.url = ?")
            rows += connection.execute(asked, (url,)).fetchall()
        return rows
