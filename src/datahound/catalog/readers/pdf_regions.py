"""Set running text apart from a table that is printed beside it."""

from collections import Counter
from collections.abc import Sequence

from datahound.catalog.readers.pdf_text import Line, Span

# A column of text has many lines that are nearly all as wide as the column; labels of rows differ.
_MIN_LINES, _MIN_BESIDE = 8, 3
_LONG_TEXT = 35
_FULL, _FULL_SHARE = 0.8, 0.7
_MAX_CROSSING = 0.1


def split_page(lines: Sequence[Line]) -> list[Sequence[Line]]:
    """The lines of a page in the order of reading: those beside a column of text follow it."""
    for side in (0, -1):
        column = _find_text_column([line.cells[side] for line in lines if line.cells])
        if not column:
            continue
        edge = min(c.left for c in column) if side else max(c.right for c in column)
        ids = {id(cell) for cell in column}
        places = [n for n, line in enumerate(lines) if line.cells and id(line.cells[side]) in ids]
        begin, end = places[0], places[-1] + 1
        # The table may go on where the text ends.
        while end < len(lines) and not _cut_line(lines[end], edge)[side].cells:
            end += 1
        among = lines[begin:end]
        halves = [_cut_line(line, edge) for line in among]
        beside = sum(1 for half in halves if len(half[side + 1].cells) > 1)
        crossing = sum(1 for line in among if _crosses(line, edge))
        if beside >= _MIN_BESIDE and crossing <= _MAX_CROSSING * len(among):
            left, right = ([half[n] for half in halves if half[n].cells] for n in (0, 1))
            return [[*lines[:begin], *left], right, lines[end:]]
    return [lines]


def _find_text_column(cells: Sequence[Span]) -> list[Span]:
    """The long cells that begin below each other and are nearly all as wide as the widest."""
    long = [cell for cell in cells if len(cell.text) >= _LONG_TEXT]
    places = Counter(round(cell.left / 4) for cell in long)
    if not places:
        return []
    place = places.most_common(1)[0][0]
    column = [cell for cell in long if abs(round(cell.left / 4) - place) <= 1]
    width = max(cell.right - cell.left for cell in column)
    full = sum(1 for cell in column if cell.right - cell.left >= _FULL * width)
    return column if full >= max(_MIN_LINES, _FULL_SHARE * len(column)) else []


def _crosses(line: Line, edge: float) -> bool:
    return any(cell.left < edge - 1 and cell.right > edge + 1 for cell in line.cells)


def _cut_line(line: Line, edge: float) -> tuple[Line, Line]:
    """The cells at the left and at the right of an edge; those across it are at the left."""
    left = [cell for cell in line.cells if cell.left < edge - 1]
    right = [cell for cell in line.cells if cell.left >= edge - 1]
    return (
        Line(line.top, line.bottom, left, line.base),
        Line(line.top, line.bottom, right, line.base),
    )
