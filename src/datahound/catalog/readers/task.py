"""What a reader is given to work with, and what it may say."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

from datahound.catalog.readers.limits import Limits
from datahound.catalog.tables.layout import Layout, Row, find_tables, unique_names
from datahound.catalog.tables.profile import Found, TableLook, profile


class Unreadable(Exception):
    """A file that can't be read, or a part of it; the message says why."""


@dataclass(slots=True)
class Task:
    """One file being looked into."""

    limits: Limits
    scratch: Path
    """A folder for what is unpacked."""
    name: str = ""
    """The file's name, for what its ending says."""
    encoding: str = ""
    delimiter: str = ""
    title: str = ""
    """What the file calls itself."""
    notes: list[str] = field(default_factory=list)
    """What was left out, and why."""
    unpacked: int = 0
    begun: float = field(default_factory=monotonic)

    def note(self, text: str) -> None:
        """Say what was left out, once."""
        if text not in self.notes:
            self.notes.append(text)

    @property
    def seconds(self) -> float:
        """Since the file was opened."""
        return monotonic() - self.begun

    def whole(self, path: Path) -> bytes:
        """All bytes of a file that has to be in memory as a whole."""
        most = self.limits.whole_bytes
        if path.stat().st_size > most:
            raise Unreadable(f"larger than {most >> 20} MiB, which is the most for its format")
        return path.read_bytes()


class Reader(Protocol):
    """A module that knows a format."""

    def tables(self, path: Path, task: Task) -> Iterator[TableLook]:
        """What the tables in a file are."""
        ...

    def rows(self, path: Path, address: Mapping[str, Any], limits: Limits) -> Iterator[Row]:
        """The rows of the grid that a table stands in."""
        ...


def in_grid(found: Found, task: Task) -> Iterator[TableLook]:
    """The tables in a grid of cells that is in memory."""
    layouts = [_named(found.rows)] if found.named else find_tables(found.rows, task.limits.tables)
    for layout in layouts:
        if layout.last <= layout.first:
            continue
        if layout.right - layout.left > task.limits.columns:
            task.note(f"only the first {task.limits.columns} columns of a table are listed")
        yield profile(found, layout, task.limits.columns)


def _named(rows: Sequence[Row]) -> Layout:
    """A grid that is one table with its names in the first row."""
    names = unique_names([str(name) for name in rows[0]]) if rows else []
    return Layout(1, len(rows), 0, len(names), names)
