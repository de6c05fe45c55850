"""The texts of a PDF page as lines of cells, where blanks stand between columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

_Char = tuple[float, float, float, float, str]

_MOST_CHARS = 20_000
_CELL_GAP = 0.9
"""Between two cells, in heights of a letter."""
_WORD_GAP = 0.12
_LINE_OVERLAP = 0.5
_FEWEST_LINES = 3
_LONG_CELL = 45
_LINE_GAP = 3.5
"""Between the lines of one table, in heights."""


@dataclass(slots=True)
class Span:
    """A text on a line, from left to right."""

    left: float
    right: float
    text: str


@dataclass(slots=True)
class Line:
    """What stands side by side."""

    top: float
    bottom: float
    cells: list[Span]

    @property
    def text(self) -> str:
        return " ".join(cell.text for cell in self.cells)


def lines_of(text_page: Any) -> list[Line]:
    """The lines of a page, from top to bottom."""
    chars = sorted(_chars(text_page), key=lambda c: (-c[3], c[0]))
    rows: list[list[_Char]] = []
    for char in chars:
        row = rows[-1] if rows else None
        if row is not None and _same_line(row[0], char):
            row.append(char)
        else:
            rows.append([char])
    return [line for row in rows if (line := _line(sorted(row))).cells]


def tables_of(lines: Sequence[Line]) -> list[tuple[str, list[list[str]]]]:
    """Stretches of lines that stand in columns: what is above each, and its cells."""
    found = []
    above = ""
    for run in _runs(lines):
        if len(run) < _FEWEST_LINES or _is_prose(run):
            above = run[-1].text if run else above
            continue
        grid = _grid(run)
        if grid:
            found.append((above, grid))
        above = ""
    return found


def _chars(text_page: Any) -> Iterator[_Char]:
    """Left, right, bottom, top and letter of all that is printed."""
    page = text_page.raw
    box = pdfium.FS_RECTF()
    for number in range(min(_MOST_CHARS, text_page.count_chars())):
        code = pdfium.FPDFText_GetUnicode(page, number)
        if code <= 32 or code == 0xA0 or code > 0x10FFFF:
            continue
        # Loose boxes: a letter's room, not its ink, so that the gaps between them mean something.
        if pdfium.FPDFText_GetLooseCharBox(page, number, box):
            yield box.left, box.right, box.bottom, box.top, chr(code)


def _same_line(one: _Char, other: _Char) -> bool:
    overlap = min(one[3], other[3]) - max(one[2], other[2])
    return overlap > _LINE_OVERLAP * min(one[3] - one[2], other[3] - other[2], 100)


def _line(chars: list[_Char]) -> Line:
    heights = sorted(top - bottom for _, _, bottom, top, _ in chars)
    height = max(heights[len(heights) * 3 // 4], 4.0)
    cells: list[Span] = []
    for left, right, _bottom, _top, letter in chars:
        gap = left - cells[-1].right if cells else height * 9
        if gap > _CELL_GAP * height:
            cells.append(Span(left, right, letter))
            continue
        cells[-1].text += (" " if gap > _WORD_GAP * height else "") + letter
        cells[-1].right = max(right, cells[-1].right)
    return Line(max(c[3] for c in chars), min(c[2] for c in chars), cells)


def _runs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Lines of two and more cells, one below the other; a lonely cell among them may stay."""
    run: list[Line] = []
    for number, line in enumerate(lines):
        far = bool(run) and run[-1].bottom - line.top > _LINE_GAP * max(6.0, line.top - line.bottom)
        if len(line.cells) > 1 and not far:
            run.append(line)
            continue
        if len(run) >= _FEWEST_LINES and not far and _goes_on(lines, number):
            run.append(line)
            continue
        if run:
            yield run
        run = [line]
    if run:
        yield run


def _goes_on(lines: Sequence[Line], number: int) -> bool:
    return number + 1 < len(lines) and len(lines[number + 1].cells) > 1


def _is_prose(run: Sequence[Line]) -> bool:
    """Columns of running text, or of nothing but words."""
    cells = [cell.text for line in run for cell in line.cells]
    long = sum(1 for text in cells if len(text) > _LONG_CELL)
    digits = sum(1 for text in cells if any(map(str.isdecimal, text)))
    return long > 0.3 * len(cells) or digits < 0.2 * len(cells)


def _grid(run: Sequence[Line]) -> list[list[str]]:
    """Cells by column; columns are where the cells of full lines stand above each other."""
    width = max(len(line.cells) for line in run)
    full = [line for line in run if len(line.cells) >= max(2, 0.7 * width)]
    if len(full) < 2:
        return []
    bands = _bands([cell for line in full for cell in line.cells])
    if len(bands) < 2:
        return []
    grid = []
    for line in run:
        row = [""] * len(bands)
        for cell in line.cells:
            place = max(range(len(bands)), key=lambda b: _shared(bands[b], cell))
            row[place] = f"{row[place]} {cell.text}".strip()
        grid.append(row)
    return grid


def _bands(cells: Sequence[Span]) -> list[tuple[float, float]]:
    bands: list[tuple[float, float]] = []
    for cell in sorted(cells, key=lambda c: c.left):
        if bands and cell.left < bands[-1][1]:
            bands[-1] = (bands[-1][0], max(bands[-1][1], cell.right))
        else:
            bands.append((cell.left, cell.right))
    return bands


def _shared(band: tuple[float, float], cell: Span) -> float:
    """How much of a band a cell covers; less than nothing if it stands beside it."""
    return min(band[1], cell.right) - max(band[0], cell.left)
