"""Join the lines of a PDF page that are one row of a table: labels over several lines."""

from collections.abc import Sequence
from itertools import pairwise

from datahound.catalog.readers.pdf_text import Line, Span
from datahound.catalog.tables.cells import is_missing, is_period, parse_number, parse_year

_LABEL_GAP = 1.2
"""Largest gap between the lines of one label, in letter heights."""
_CLOSE = 0.93
"""Largest distance between two lines of one row, in distances between rows."""
_MIN_ROWS = 2
_CURRENCIES = frozenset("$€£¥₹")
_CONNECTORS = frozenset(
    "and or of for und oder der des für et ou de du y o e i w z per por em en och og".split()
)
"""Words that end no label."""


def join_labels(run: Sequence[Line]) -> list[Line]:
    """Join a label over several lines: all but one of them have no figures."""
    joined: list[Line] = []
    for line in _join_close_lines([_join_currency(line) for line in run]):
        before = joined[-1] if joined else None
        if before is None or not is_near(before, line):
            joined.append(line)
        elif _is_continued(before, line) and count_figures(line):
            joined[-1] = _merge_lines(line, [before, line])
        elif continues(before, line):
            joined[-1] = _merge_lines(before, [before, line])
        else:
            joined.append(line)
    return joined


def count_figures(line: Line) -> int:
    """Count the figures of a line that are not years; marks for missing figures count, too."""
    return sum(1 for cell in line.cells[1:] if is_figure(cell.text)) + (
        is_figure(line.cells[0].text) and len(line.cells) > 1
    )


def is_figure(text: str) -> bool:
    """Whether a cell holds a figure that is no year, or a mark for a missing one."""
    if parse_number(text) is not None:
        return parse_year(text) is None
    return is_missing(text)


def is_near(before: Line, line: Line) -> bool:
    """Whether two lines are as near as those of one label."""
    return before.bottom - line.top < _LABEL_GAP * min(before.height, line.height)


def continues(before: Line, line: Line) -> bool:
    """Whether a line is only the rest of the label of the line before."""
    if len(line.cells) > 1 or len(before.cells) < 2 or not count_figures(before):
        return False
    cell = line.cells[0]
    below = before.cells[0].left - 1 <= cell.left < before.cells[0].right
    return below and cell.text[:1].islower() and cell.right <= before.cells[1].left


def _is_continued(before: Line, line: Line) -> bool:
    """Whether a line is only the beginning of the label of the next one."""
    text, following = before.text.rstrip(), line.cells[0].text
    aligned = abs(before.cells[0].left - line.cells[0].left) < 2 * line.height
    broken = text.endswith((",", "-", "/", "(")) or following[:1].islower()
    broken = broken or text.rpartition(" ")[2].lower() in _CONNECTORS
    label = len(before.cells) == 1 and not is_period(text)
    return label and len(line.cells) > 1 and aligned and broken


def _join_close_lines(run: Sequence[Line]) -> list[Line]:
    """Join lines that are nearer to each other than the rows of the table are.

    The lines of a cell are as near as those of a paragraph; between rows there is more room. So a
    label over several lines is found wherever its figures are: above, in the middle or below.
    """
    pitch = _measure_pitch(run)
    rows: list[list[Line]] = []
    for line in run:
        last = rows[-1][-1] if rows else None
        if last and last.base - line.base < _CLOSE * pitch and _may_join(rows[-1], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [joined for row in rows for joined in _join_row(row)]


def _join_currency(line: Line) -> Line:
    """The line with each sign of a currency as a part of the figure that follows it."""
    cells: list[Span] = []
    sign = ""
    for cell in line.cells:
        if cell.text in _CURRENCIES and cell is not line.cells[-1]:
            sign = cell.text
            continue
        # The sign stands at the left of the column: the figure alone says where that is.
        joined = Span(cell.left, cell.right, f"{sign} {cell.text}", cell.words)
        cells.append(joined if sign else cell)
        sign = ""
    return Line(line.top, line.bottom, cells, line.base) if len(cells) < len(line.cells) else line


def _measure_pitch(run: Sequence[Line]) -> float:
    """The usual distance between two rows with a label and figures; 0 if there are too few."""
    distances = sorted(
        one.base - other.base
        for one, other in pairwise(run)
        if _is_whole_row(one) and _is_whole_row(other)
    )
    return distances[len(distances) // 4] if len(distances) >= _MIN_ROWS else 0.0


def _is_whole_row(line: Line) -> bool:
    return count_figures(line) > 0 and not is_figure(line.cells[0].text)


def _may_join(row: Sequence[Line], line: Line) -> bool:
    """Whether a line may belong to a row: only one line of a row has figures."""
    lines = [*row, line]
    return sum(1 for each in lines if count_figures(each)) <= 1 and all(
        count_figures(each) or len(each.cells) == 1 for each in lines
    )


def _join_row(row: Sequence[Line]) -> list[Line]:
    """One line for the lines of a row; lines without figures stay what they are."""
    figures = next((line for line in row if count_figures(line)), None)
    if figures is None or len(row) < 2:
        return list(row)
    # What is left of the figures is the label; a text below them is none.
    first = next(c.left for c in figures.cells if is_figure(c.text))
    labels = [line for line in row if line is not figures]
    if any(line.cells[0].left >= first or is_period(line.text) for line in labels):
        return list(row)
    return [_merge_lines(figures, row)]


def _merge_lines(figures: Line, row: Sequence[Line]) -> Line:
    """The line of figures with the texts of all lines before them as its label."""
    own = [] if is_figure(figures.cells[0].text) else figures.cells[:1]
    parts = [c for line in row for c in (own if line is figures else line.cells)]
    left, right = min(c.left for c in parts), max(c.right for c in parts)
    label = Span(left, right, " ".join(c.text for c in parts))
    top, bottom = max(line.top for line in row), min(line.bottom for line in row)
    return Line(top, bottom, [label, *figures.cells[len(own) :]], figures.base)
