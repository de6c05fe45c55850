"""PC-Axis (PX) files, as Nordic and many other statistics offices publish them."""

import re
from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from datahound.catalog.readers.task import Limits, Task, Unreadable, profile_grid
from datahound.catalog.tables.cells import Value, parse_number
from datahound.catalog.tables.layout import Row, name_columns
from datahound.catalog.tables.profile import Grid, TableProfile

# A few bytes of VALUES can declare a cube of any size.
_MAX_CELLS = 2_000_000
# Bounded, and tried at the start of a word only: the text may be made against it.
_KEYWORD = re.compile(
    r'(?<![A-Z0-9-])([A-Z][A-Z0-9-]*)(?:\[\w{1,20}\])?(?:\("([^"]{0,500})"[^)]{0,500}\))?='
)
_QUOTED = re.compile(r'"([^"]*)"')
_CELL = re.compile(r'"[^"]*"|[^\s",;]+')
_FIGURE = re.compile(r'"[^"]*"|[^\s"]+')


def find_tables(path: Path, task: Task) -> Iterator[TableProfile]:
    """Profile the one table of the file."""
    keywords, data = _parse_px(path, task)
    task.title = task.title or _join_texts(keywords.get(("TITLE", ""), ""))[:300]
    title = task.title or _join_texts(keywords.get(("CONTENTS", ""), ""))[:300]
    rows, address = _expand(keywords, data), {"encoding": task.encoding}
    grid = Grid("the file", address, title, rows, named=True, cube=True)
    for table in profile_grid(grid, task):
        table.unit = _join_texts(keywords.get(("UNITS", ""), ""))[:60]
        table.notes = _join_texts(keywords.get(("SOURCE", ""), ""))[:1000]
        yield table


def read_rows(path: Path, address: Mapping[str, Any], limits: Limits) -> Iterator[Row]:
    """Read the rows of the file, one per cell of the cube."""
    return iter(_expand(*_parse_px(path, Task(limits, path.parent, encoding=address["encoding"]))))


def _parse_px(path: Path, task: Task) -> tuple[dict[tuple[str, str], str], str]:
    """The texts by keyword and variable, and the figures."""
    text = task.read_whole(path).decode(task.encoding or "utf-8", "replace")
    found: dict[tuple[str, str], str] = {}
    place = 0
    while match := _KEYWORD.search(text, place):
        end = _find_end(text, match.end())
        if match[1] == "DATA":
            return found, text[match.end() : end]
        # The first language comes first.
        found.setdefault((match[1], match[2] or ""), text[match.end() : end])
        place = end + 1
    raise Unreadable("broken PX: it has no data")


def _find_end(text: str, place: int) -> int:
    """The place of the next semicolon outside of quotes."""
    while True:
        end, quote = text.find(";", place), text.find('"', place)
        if end < 0:
            return len(text)
        if quote < 0 or quote > end:
            return end
        closing = text.find('"', quote + 1)
        if closing < 0:
            return len(text)
        place = closing + 1


def _join_texts(text: str) -> str:
    return " ".join("".join(_QUOTED.findall(text)).split())


def _expand(keywords: Mapping[tuple[str, str], str], data: str) -> list[Row]:
    """The names, then one row per cell."""
    names = [
        name
        for part in ("STUB", "HEADING")
        for name in _QUOTED.findall(keywords.get((part, ""), ""))
    ]
    axes = [_QUOTED.findall(keywords.get(("VALUES", name), "")) for name in names]
    size = prod(map(len, axes))
    if not names or not 0 < size <= _MAX_CELLS:
        raise Unreadable("broken PX: its variables have no values, or too many")
    figures: Iterator[str] = (match[0] for match in _FIGURE.finditer(data))
    if any(part == "KEYS" for part, _ in keywords):
        figures = _sort_by_keys(keywords, axes, data)
    measure = _join_texts(keywords.get(("CONTENTS", ""), "")) or "value"
    cells = ([*key, _read_figure(next(figures, ""))] for key in product(*axes))
    return [name_columns([*names, measure]), *cells]


def _sort_by_keys(
    keywords: Mapping[tuple[str, str], str], axes: list[list[str]], data: str
) -> Iterator[str]:
    """The figures in the order of the cube; each row of the file begins with its keys."""
    stub = _QUOTED.findall(keywords.get(("STUB", ""), ""))
    allowed = [
        _QUOTED.findall(keywords.get(("CODES", name), ""))
        if keywords.get(("KEYS", name), "").strip().upper() == "CODES"
        else axis
        for name, axis in zip(stub, axes, strict=False)
    ]
    width = prod(map(len, axes[len(stub) :]))
    cells = [match[0].strip('"') for match in _CELL.finditer(data)]
    rows, size = {}, len(stub) + width
    for place in range(0, len(cells) - size + 1, size):
        rows[tuple(cells[place : place + len(stub)])] = cells[place + len(stub) : place + size]
    for key in product(*allowed):
        yield from rows.get(key, [""] * width)


def _read_figure(text: str) -> Value:
    # Quoted figures are marks of missing values: ".", "..", "-".
    return None if text.startswith('"') else parse_number(text)
