"""Tables of HTML pages, with merged cells."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from datahound.catalog.readers.task import Limits, Task, profile_grid
from datahound.catalog.tables.layout import Row
from datahound.catalog.tables.profile import Grid, TableProfile
from datahound.readers.html_bytes import to_utf8

# HTML allows spans of 65,534 rows, and each would be that many cells.
_MAX_SPAN = 200
_MAX_CELL_TEXT = 2000
_MAX_CELLS = 5_000_000
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def find_tables(path: Path, task: Task) -> Iterator[TableProfile]:
    """Profile the tables of a page, except those that contain other tables."""
    page = _parse_page(path, task)
    heading = page.css_first("title")
    task.title = task.title or (" ".join(heading.text().split())[:300] if heading else "")
    for number, table in enumerate(_find_innermost(page)):
        if number >= task.limits.tables:
            task.note(f"only the first {task.limits.tables} tables were looked into")
            return
        grid = _read_cells(table)
        title = _read_caption(table)
        found = Grid(f"table {number + 1} of the page", {"table": number}, title, grid)
        yield from profile_grid(found, task)


def read_rows(path: Path, address: Mapping[str, Any], limits: Limits) -> Iterator[Row]:
    """Read the rows of a page's table."""
    page = _parse_page(path, Task(limits, path.parent))
    return iter(_read_cells(_find_innermost(page)[address["table"]]))


def _parse_page(path: Path, task: Task) -> LexborHTMLParser:
    return LexborHTMLParser(to_utf8(task.read_whole(path), {}))


def _find_innermost(page: LexborHTMLParser) -> list[LexborNode]:
    # `css` finds the table itself, too. Tables around others are layout.
    return [table for table in page.css("table") if len(table.css("table")) <= 1]


def _read_cells(table: LexborNode) -> list[Row]:
    """The cells of a table as a grid.

    The text of a merged cell is in its first column, in every row that it spans.
    """
    grid: list[Row] = []
    open_spans: dict[int, tuple[int, str]] = {}
    cells = 0
    for row in table.css("tr"):
        line: list[str] = []
        for cell in row.iter():
            if cell.tag not in ("td", "th"):
                continue
            if open_spans:
                _fill_spans(line, open_spans)
            text = _read_text(cell)
            wide = deep = 1
            if attributes := cell.attributes:
                wide, deep = _read_span(attributes, "colspan"), _read_span(attributes, "rowspan")
            if deep > 1:
                open_spans.update(
                    {len(line) + k: (deep - 1, text if not k else "") for k in range(wide)}
                )
            line += [text, *[""] * (wide - 1)]
        _fill_spans(line, open_spans)
        cells += len(line)
        if cells > _MAX_CELLS:
            break
        grid.append(line)
    return grid


def _read_text(cell: LexborNode) -> str:
    """The text of a cell; the number of a footnote is no part of the figure before it."""
    raised = cell.css("sup")
    text = " ".join(cell.text(separator=" ").split())
    for mark in (" ".join(node.text().split()) for node in raised):
        if mark.isdecimal():
            text = text.replace(f" {mark}", mark.translate(_RAISED), 1)
    return text[:_MAX_CELL_TEXT]


def _fill_spans(line: list[str], open_spans: dict[int, tuple[int, str]]) -> None:
    """Append the cells that span down from the rows above."""
    while len(line) in open_spans:
        left, text = open_spans.pop(len(line))
        if left > 1:
            open_spans[len(line)] = (left - 1, text)
        line.append(text)


def _read_span(attributes: Mapping[str, str | None], name: str) -> int:
    text = (attributes.get(name) or "1").strip()
    return min(_MAX_SPAN, max(1, int(text))) if text.isdecimal() and len(text) < 9 else 1


def _read_caption(table: LexborNode) -> str:
    """The caption of a table, or the heading before it."""
    caption = table.css_first("caption")
    if caption:
        return " ".join(caption.text(separator=" ").split())[:300]
    node, steps = table.prev, 0
    # Headings further away belong to something else.
    while node is not None and steps < 6:
        if node.tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            return " ".join(node.text(separator=" ").split())[:300]
        node, steps = node.prev, steps + 1
    return ""
