"""The links of a crawl, brought back from its database when it goes on."""

import sqlite3
from collections.abc import Iterator, Mapping

from datahound.model import Link

_BLOCK = 1000

# Whole blocks: one query for a thousand links, in the order in which the table has them.
_LINKS = """SELECT url, tag_path, anchor, surrounding, found_on, depth, number FROM link
    WHERE number >= ? AND number < ?"""


class StoredLinks(Mapping[int, Link]):
    """Links by their numbers; texts that many of them share are held once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._texts: dict[int, str] = dict(connection.execute("SELECT id, text FROM text"))
        self._links: dict[int, Link] = {}
        self._loaded: set[int] = set()

    def __getitem__(self, number: int) -> Link:
        block = number // _BLOCK
        if block not in self._loaded:
            self._load(block)
        return self._links[number]

    def __iter__(self) -> Iterator[int]:
        return (n for (n,) in self._connection.execute("SELECT number FROM link ORDER BY number"))

    def __len__(self) -> int:
        (count,) = self._connection.execute("SELECT count(*) FROM link").fetchone()
        return int(count)

    def _load(self, block: int) -> None:
        self._loaded.add(block)
        span = (block * _BLOCK, (block + 1) * _BLOCK)
        for url, path, anchor, surrounding, page, depth, number in self._connection.execute(
            _LINKS, span
        ):
            texts = (self._texts[path], anchor, surrounding, self._texts[page])
            self._links[number] = Link(url, *texts, depth, number)
