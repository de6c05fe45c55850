"""Named values of a crawl, kept as JSON in the table `fact`."""

import json
import sqlite3
from collections.abc import Sequence
from typing import Any

_READ = "SELECT name, value FROM fact WHERE name IN (SELECT value FROM json_each(?))"
_WRITE = "INSERT OR REPLACE INTO fact VALUES (?, ?)"


def read_facts(connection: sqlite3.Connection, names: Sequence[str]) -> dict[str, Any]:
    """The facts with these names, as far as they are stored; None counts as not stored."""
    rows = connection.execute(_READ, (json.dumps(list(names)),))
    facts = {name: json.loads(value) for name, value in rows}
    return {name: value for name, value in facts.items() if value is not None}


def read_fact(connection: sqlite3.Connection, name: str) -> Any:
    """A fact by its name, or None."""
    return read_facts(connection, [name]).get(name)


def write_fact(connection: sqlite3.Connection, name: str, value: object) -> None:
    """Store a fact, in the transaction of the caller."""
    connection.execute(_WRITE, (name, json.dumps(value)))
