"""The visits of a crawl as columns of numbers, read in one pass."""

import sqlite3
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from datahound.learn.remaining import UNGROUPED
from datahound.store.queries import iterate_visits

_VISIT = np.dtype(
    [
        ("group", np.int64),
        ("reward", np.int64),
        ("new_links", np.int64),
        ("was_page", np.bool_),
        ("was_read", np.bool_),
    ]
)


@dataclass(frozen=True, slots=True)
class Visits:
    """One entry per visit, in order."""

    groups: NDArray[np.int64]
    rewards: NDArray[np.int64]
    """New targets; 0 where there was no page."""
    new_links: NDArray[np.int64]
    were_pages: NDArray[np.bool_]
    were_read: NDArray[np.bool_]
    """Pages whose files were collected without them were not."""


def read_visits(connection: sqlite3.Connection) -> Visits:
    """All visits so far."""
    visits = np.fromiter(iterate_visits(connection, UNGROUPED), _VISIT)
    return Visits(*(visits[name] for name in _VISIT.names or ()))
