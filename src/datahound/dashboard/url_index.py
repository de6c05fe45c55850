"""Find a URL among millions of rows by an index in memory: `crawl.db` has no index of URLs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from datahound.store.queries_counts import URL_KEYS
from datahound.store.queries_rows import Candidates

_MASK = 0xFFFFFFFF
# The length of an SQL statement is limited; more URLs with one hash are only made on purpose.
_MAX_CANDIDATES = 200

Rows = NDArray[np.uint32]


class UrlIndex:
    """Keeps a hash of four bytes per URL: a million are searched in milliseconds."""

    def __init__(self) -> None:
        self._pieces: dict[str, list[tuple[Rows, Rows]]] = {table: [] for table in URL_KEYS}
        self._upto: dict[str, int] = dict.fromkeys(URL_KEYS, -1)

    def add(self, table: str, rows: Sequence[tuple[int, str]], upto: int) -> None:
        """Add rows by their keys and URLs: all rows up to a key."""
        if rows:
            keys = np.fromiter((key for key, _ in rows), np.uint32, len(rows))
            # Python's hash differs between processes, but this index stays in its own.
            sums = np.fromiter((hash(url) & _MASK for _, url in rows), np.uint32, len(rows))
            self._pieces[table].append((keys, sums))
        self._upto[table] = upto

    def find(self, table: str, url: str) -> Candidates:
        """The rows of a table that may have a URL; rows not added yet must all be searched."""
        wanted = np.uint32(hash(url) & _MASK)
        found = [int(key) for keys, sums in self._pieces[table] for key in keys[sums == wanted]]
        return Candidates(found[:_MAX_CANDIDATES], self._upto[table])
