"""A cache of slow answers, valid until their database changes or for a short time."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

# An answer takes a few hundred kB at most.
_MAX_ANSWERS = 128
_SHARE = 0.02
"""Share of the time that computing an answer may take."""


class AnswerCache:
    """Keeps each answer until its database changes, and a slow answer a little longer.

    The database of a running crawl changes every second. So an answer that took a tenth of a second
    is kept for five seconds: computing it takes at most a fiftieth of the time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, tuple[Hashable, float, Any]] = OrderedDict()

    def get(self, database: Path, what: Hashable, compute: Callable[[], T]) -> T:
        """Return the cached answer to a question about a database; compute it if there is none."""
        key, stamp = (str(database), what), _stamp(database)
        with self._lock:
            known = self._kept.get(key)
        if known and (known[0] == stamp or time.monotonic() < known[1]):
            answer: T = known[2]
            return answer
        # Outside the lock: two threads may compute the same answer, but none waits for a slow one.
        begun = time.monotonic()
        answer = compute()
        ended = time.monotonic()
        with self._lock:
            # With the stamp before the computation: rows that were added meanwhile may be missing,
            # and with them the stamp differs.
            self._kept[key] = (stamp, ended + (ended - begun) / _SHARE, answer)
            self._kept.move_to_end(key)
            while len(self._kept) > _MAX_ANSWERS:
                self._kept.popitem(last=False)
        return answer


def _stamp(database: Path) -> Hashable:
    """Sizes and times of the database and its log: they change with every commit."""

    def stamp_file(path: Path) -> Hashable:
        try:
            found = path.stat()
        except OSError:
            return None
        return (found.st_mtime_ns, found.st_size)

    return stamp_file(database), stamp_file(database.with_name(f"{database.name}-wal"))
