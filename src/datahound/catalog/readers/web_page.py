"""HTML pages: their tables, with merged cells."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from datahound.catalog.readers.limits import Limits
from datahound.catalog.readers.task import Task, in_grid
from datahound.catalog.tables.layout import Row
from datahound.catalog.tables.profile import Found, TableLook
from datahound.web.encoding import to_utf8

_MOST_SPAN = 200
_MOST_TEXT = 2000
_MOST_CELLS = 5_000_000


def tables(path: Path, task: Task) -> Iterator[TableLook]:
    """The tables of a page; those that only arrange other tables are left out."""
    page = _parse(path, task)
    heading = page.css_first("title")
    task.title = task.title or (" ".join(heading.text().split())[:300] if heading else "")
    for number, table in enumerate(_innermost(page)):
        if number >= task.limits.tables:
            task.note(f"only the first {task.limits.tables} tables were looked into")
            return
        grid = _grid(table)
        title = _title(table)
        found = Found(f"table {number + 1} of the page", {"table": number}, title, grid)
        yield from in_grid(found, task)


def rows(path: Path, address: Mapping[str, Any], limits: Limits) -> Iterator[Row]:
    """The rows of a page's table."""
    page = _parse(path, Task(limits, path.parent))
    return iter(_grid(_innermost(page)[address["table"]]))


def _parse(path: Path, task: Task) -> LexborHTMLParser:
    return LexborHTMLParser(to_utf8(task.whole(path), {}))


def _innermost(page: LexborHTMLParser) -> list[LexborNode]:
    return [table for table in page.css("table") if len(table.css("table")) <= 1]


def _grid(table: LexborNode) -> list[Row]:
    """Cells by row and column; a merged one is told where it begins, and below in its column."""
    grid: list[Row] = []
    hanging: dict[int, tuple[int, str]] = {}
    cells = 0
    for row in table.css("tr"):
        line: list[str] = []
        for cell in row.iter():
            if cell.tag not in ("td", "th"):
                continue
            if hanging:
                _hang(line, hanging)
            text = " ".join(cell.text(separator=" ").split())[:_MOST_TEXT]
            wide = deep = 1
            if attributes := cell.attributes:
                wide, deep = _span(attributes, "colspan"), _span(attributes, "rowspan")
            if deep > 1:
                hanging.update(
                    {len(line) + k: (deep - 1, text if not k else "") for k in range(wide)}
                )
            line += [text, *[""] * (wide - 1)]
        _hang(line, hanging)
        cells += len(line)
        if cells > _MOST_CELLS:
            break
        grid.append(line)
    return grid


def _hang(line: list[str], hanging: dict[int, tuple[int, str]]) -> None:
    """Put in what hangs down from the rows above."""
    while len(line) in hanging:
        left, text = hanging.pop(len(line))
        if left > 1:
            hanging[len(line)] = (left - 1, text)
        line.append(text)


def _span(attributes: Mapping[str, str | None], name: str) -> int:
    text = (attributes.get(name) or "1").strip()
    return min(_MOST_SPAN, max(1, int(text))) if text.isdecimal() and len(text) < 9 else 1


def _title(table: LexborNode) -> str:
    """The caption, or the heading before the table."""
    caption = table.css_first("caption")
    if caption:
        return " ".join(caption.text(separator=" ").split())[:300]
    node, steps = table.prev, 0
    while node is not None and steps < 6:
        if node.tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            return " ".join(node.text(separator=" ").split())[:300]
        node, steps = node.prev, steps + 1
    return ""
