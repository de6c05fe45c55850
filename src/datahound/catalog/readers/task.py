"""What a reader works with: the limits, the scratch folder and the notes of one inspection."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

from datahound.catalog.tables.captions import find_named_title
from datahound.catalog.tables.header import count_filled
from datahound.catalog.tables.layout import Layout, Row, find_layouts, join_cells, name_columns
from datahound.catalog.tables.profile import Grid, TableProfile, profile_table

# Cover sheets have the title near their top.
_TITLE_ROWS = 40


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may cost; what exceeds a limit is left out and noted."""

    seconds: float = 120.0
    """Wall clock, from the first byte to the last table."""
    memory_bytes: int = 3 << 30
    """Address space of a worker."""
    unpacked_bytes: int = 1 << 30
    """Everything that is unpacked from one file."""
    whole_bytes: int = 256 << 20
    """A file or member that must be in memory as a whole: JSON, XML, HTML."""
    members: int = 200
    """Files read of an archive."""
    depth: int = 2
    """Archives inside archives."""
    tables: int = 200
    """Tables of one file."""
    columns: int = 1000
    """Columns of a table."""
    pages: int = 60
    """Pages of a PDF."""
    pdf_seconds: float = 30.0
    """After which the remaining pages of a PDF are left out."""


class Unreadable(Exception):
    """A file or a part of it can't be read; the message says why."""


@dataclass(slots=True)
class Task:
    """The inspection of one file."""

    limits: Limits
    scratch: Path
    """A folder for unpacked members."""
    name: str = ""
    """The name of the file, for its extension."""
    encoding: str = ""
    delimiter: str = ""
    title: str = ""
    """The title that the file gives itself."""
    title_named: bool = False
    """Whether a line of the file says that this is its title."""
    notes: list[str] = field(default_factory=list)
    """What was left out, and why."""
    unpacked: int = 0
    """Bytes that were unpacked so far."""
    begun: float = field(default_factory=monotonic)

    def note(self, text: str) -> None:
        """Note what was left out; the same note is kept once."""
        if text not in self.notes:
            self.notes.append(text)

    @property
    def seconds(self) -> float:
        """Seconds since the inspection began."""
        return monotonic() - self.begun

    def read_whole(self, path: Path) -> bytes:
        """All bytes of a file, if it is not larger than `limits.whole_bytes`."""
        most = self.limits.whole_bytes
        if path.stat().st_size > most:
            raise Unreadable(f"larger than {most >> 20} MiB, which is the most for its format")
        return path.read_bytes()


class Reader(Protocol):
    """A module that reads a format."""

    def find_tables(self, path: Path, task: Task) -> Iterator[TableProfile]:
        """Profile the tables of a file."""
        ...

    def read_rows(self, path: Path, address: Mapping[str, Any], limits: Limits) -> Iterator[Row]:
        """Read the rows of the grid that contains the table at this address."""
        ...


def profile_grid(grid: Grid, task: Task) -> Iterator[TableProfile]:
    """Find and profile the tables of a grid that is in memory."""
    _find_title(grid, task)
    layouts = (
        [_lay_out_named(grid.rows)] if grid.named else find_layouts(grid.rows, task.limits.tables)
    )
    for layout in layouts:
        if layout.last <= layout.first:
            continue
        if layout.right - layout.left > task.limits.columns:
            task.note(f"only the first {task.limits.columns} columns of a table are listed")
        yield profile_table(grid, layout, task.limits.columns)


def _find_title(grid: Grid, task: Task) -> None:
    """Take the title from a line `Title: ...`, also of another sheet or table than the figures."""
    if grid.named or task.title_named:
        return
    lines = (join_cells(row) for row in grid.rows[:_TITLE_ROWS] if 0 < count_filled(row) <= 2)
    if title := find_named_title(list(lines)):
        task.title, task.title_named = title, True


def _lay_out_named(rows: Sequence[Row]) -> Layout:
    """The layout of a grid that is one table with its names in the first row."""
    names = name_columns([str(name) for name in rows[0]]) if rows else []
    return Layout(1, len(rows), 0, len(names), names)
