"""Plain text whose columns are set apart by blanks, as old publications and bulletins have it.

A text is a printed page whose letters all have the same width, so its tables are found as those of
PDF pages are.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from datahound.catalog.readers.encoding import read_lines
from datahound.catalog.readers.pdf_columns import AlignedTable, find_grids
from datahound.catalog.readers.pdf_text import Line, Span, join_words
from datahound.catalog.readers.task import Limits, Task, profile_grid
from datahound.catalog.tables.captions import pick_notes, read_caption
from datahound.catalog.tables.layout import Row
from datahound.catalog.tables.profile import Grid, TableProfile

_MAX_LINES, _MAX_LINE = 20_000, 2000
_TAB = 8
# The size of a letter, in the units of a PDF page; lines are further apart than letters are high.
_WIDTH, _HEIGHT, _PITCH = 6.0, 10.0, 12.0
_RULE = re.compile(r"[\s\-=_+|*~.]*")
# Two blanks set cells apart, one blank words.
_CELL = re.compile(r"\S+(?: \S+)*")
_WORD = re.compile(r"\S+")
_COMMENT = re.compile(r"^[#%;]+")


def find_tables(path: Path, task: Task) -> Iterator[TableProfile]:
    """Profile the tables of a text."""
    address = {"encoding": task.encoding}
    for number, found in enumerate(_find_grids(path, task.encoding, task)):
        title, years, unit = read_caption(found.above)
        grid = Grid(f"table {number + 1}", address | {"table": number}, title, found.cells)
        grid.caption_years, grid.unit, grid.notes = years, unit, pick_notes(found.below)
        yield from profile_grid(grid, task)


def read_rows(path: Path, address: Mapping[str, Any], limits: Limits) -> Iterator[Row]:
    """Read the rows of a table."""
    found = _find_grids(path, address["encoding"], Task(limits, path.parent))
    yield from found[address["table"]].cells


def _find_grids(path: Path, encoding: str, task: Task) -> list[AlignedTable]:
    lines = list(islice(read_lines(path, encoding), _MAX_LINES + 1))
    if len(lines) > _MAX_LINES:
        task.note(f"only the first {_MAX_LINES} lines were looked into")
    placed = (_place_line(line, number) for number, line in enumerate(lines[:_MAX_LINES]))
    return find_grids([line for line in placed if line.cells])


def _place_line(text: str, number: int) -> Line:
    """The cells of a line, where a typewriter would put them."""
    text = text.rstrip().expandtabs(_TAB)[:_MAX_LINE]
    # Rules and bars stand for drawn lines; a comment is a line of text.
    shown = _COMMENT.sub(lambda mark: " " * len(mark[0]), text)
    shown = "" if _RULE.fullmatch(shown) else shown.replace("|", " ")
    cells = [
        join_words([_make_span(shown, *word.span()) for word in _WORD.finditer(shown, *c.span())])
        for c in _CELL.finditer(shown)
    ]
    top = -number * _PITCH
    return Line(top, top - _HEIGHT, cells, top - _HEIGHT)


def _make_span(text: str, begin: int, end: int) -> Span:
    return Span(begin * _WIDTH, end * _WIDTH, text[begin:end])
