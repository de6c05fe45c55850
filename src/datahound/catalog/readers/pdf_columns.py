"""Find tables among the lines of a PDF page, by the gaps between their columns.

A run is a group of lines near each other with several cells. Its columns are the bands that its
lines of figures leave apart; the cells of headings are put over the bands that they head.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from datahound.catalog.readers.pdf_regions import split_page
from datahound.catalog.readers.pdf_rows import (
    continues,
    count_figures,
    is_figure,
    is_near,
    join_labels,
)
from datahound.catalog.readers.pdf_text import Line, Span, join_words
from datahound.catalog.tables.cells import is_missing, is_month, is_period, parse_number, parse_year
from datahound.catalog.tables.header import is_numbering_row

_MIN_LINES = 3
# Longer texts are sentences, not labels.
_LONG_CELL = 45
_LINE_GAP = 3.5
"""Largest gap between two lines of a table, in letter heights."""
_ABOVE_LINES = 6
_GUTTER = 0.33
"""Smallest gap between two columns of a dense table, in letter heights."""
_NARROW_GUTTER, _HEADING_GUTTER = 0.1, 0.5
_OFF_MIDDLE = 0.5
"""How far a heading may be from the middle of its columns, in columns."""
_FAR = 1e9
# A figure left of its band costs a tenth of one right of it.
_RIGHT_COST = 0.1

Grid = list[list[str]]
_Band = tuple[float, float]


@dataclass(slots=True)
class AlignedTable:
    """The cells of a table, and the lines of text around it."""

    above: list[str]
    cells: Grid
    below: list[str] = field(default_factory=list)


def find_grids(lines: Sequence[Line]) -> list[AlignedTable]:
    """Runs of lines that align in columns."""
    return [grid for region in split_page(lines) for grid in _find_in_region(region)]


def _find_in_region(lines: Sequence[Line]) -> list[AlignedTable]:
    found: list[AlignedTable] = []
    above: list[str] = []
    for run in (part for whole in _split_runs(lines) for part in _split_prose(whole)):
        begin = next((n for n, line in enumerate(run) if len(line.cells) > 1), len(run))
        table = _split_cells(run[max(0, begin - 1) :])
        # The line before may be a dense row of years.
        dense = begin and len(table) > 1 and _names_periods(table[0])
        above += [line.text for line in run[: begin - 1 if dense else begin]]
        table = table if dense or not begin else table[1:]
        if len(table) < _MIN_LINES or _is_prose(table):
            above += [line.text for line in table]
            continue
        grid = align_cells(table)
        if found:
            found[-1].below = found[-1].below or above[:_ABOVE_LINES]
        if grid:
            found.append(AlignedTable(above[-_ABOVE_LINES:], grid))
        above = []
    if found:
        found[-1].below = found[-1].below or above[:_ABOVE_LINES]
    return found


def align_cells(run: Sequence[Line]) -> Grid:
    """The cells of a run by column; the columns are those of its lines of figures."""
    run = join_labels(run)
    figures = [line for line in run if count_figures(line) > 1 and not _is_numbering(line)]
    width = max(len(line.cells) for line in run)
    # Headings over several columns would merge the columns below them.
    full = [line for line in run if len(line.cells) >= max(2, 0.7 * width)]
    body = figures if len(figures) > max(2, len(run) / 4) else full
    if len(body) < 2:
        return []
    # Marks for missing figures stand anywhere in their columns.
    bands = _merge_bands([c for line in body for c in line.cells if not is_missing(c.text)])
    if len(bands) < 2:
        return []
    first = next(n for n, line in enumerate(run) if any(line is other for other in body))
    stub = _find_stub(body, bands)
    grid = []
    for number, line in enumerate(run):
        places = _place_headings(line, bands, stub) if number < first else []
        places = places or _place_cells(line, bands)
        row = [""] * len(bands)
        for place, cell in zip(places, line.cells, strict=True):
            row[place] = f"{row[place]} {cell.text}".strip()
        grid.append(row)
    return grid


def _names_periods(line: Line) -> bool:
    texts = [cell.text for cell in line.cells]
    return len(texts) > 1 and all(is_period(text) or is_month(text) for text in texts)


def _split_cells(run: Sequence[Line]) -> Sequence[Line]:
    """Split cells at narrow gaps that all lines of figures leave, as in dense tables."""
    counts = [_count_figure_words(line) for line in run]
    # A unit such as 1 000 has figures, too, but few.
    least = max(1, max(counts, default=0) / 2)
    body = [line for line, count in zip(run, counts, strict=True) if count > least]
    gutters = _find_gutters(body) if len(body) > _MIN_LINES else []
    if not gutters:
        return run
    first = body[0].top
    middles = [((begin + end) / 2, (begin + end) / 2) for begin, end in gutters]
    return [
        (_split_names(line, gutters) or _split_line(line, middles, _HEADING_GUTTER))
        if line.top > first
        else _split_line(line, middles, _GUTTER)
        for line in run
    ]


def _count_figure_words(line: Line) -> int:
    return sum(1 for cell in line.cells for word in cell.words if _is_figure_word(word.text))


def _is_figure_word(text: str) -> bool:
    number = any(map(str.isdecimal, text)) and parse_number(text) is not None
    return number and parse_year(text.strip(".,;:()")) is None


def _find_gutters(body: Sequence[Line]) -> list[_Band]:
    """The gaps in which no line of figures has a letter."""
    height = sorted(line.height for line in body)[len(body) // 2]
    # Marks for missing figures stand anywhere in their columns.
    words = sorted(
        (w for line in body for c in line.cells for w in c.words if not is_missing(w.text)),
        key=lambda word: word.left,
    )
    gutters, end = list[_Band](), words[0].right if words else 0.0
    for word in words:
        if word.left - end >= _GUTTER * height:
            gutters.append((end, word.left))
        end = max(end, word.right)
    return gutters


def _split_names(line: Line, gutters: Sequence[_Band]) -> Line | None:
    """Split once at each gutter, at the widest gap, if that gives a name for each column."""
    words = [word for cell in line.cells for word in cell.words]
    begins = {id(cell.words[0]) for cell in line.cells if cell.words}
    for begin, end in gutters:
        gaps = [
            (round(word.left - before.right), -abs(before.right + word.left - begin - end), number)
            for number, (before, word) in enumerate(pairwise(words), 1)
            if _crosses(before, word, (begin, end))
        ]
        if gaps:
            begins.add(id(words[max(gaps)[2]]))
    if not len(gutters) <= len(begins) <= len(gutters) + 1:
        return None
    parts: list[list[Span]] = []
    for before, word in pairwise([words[0], *words]):
        if id(word) in begins and word.left - before.right < _NARROW_GUTTER * line.height and parts:
            return None
        if id(word) in begins:
            parts.append([])
        parts[-1].append(word)
    return Line(line.top, line.bottom, [join_words(part) for part in parts], line.base)


def _crosses(before: Span, word: Span, gutter: _Band) -> bool:
    """Whether the gap between two words is over a gutter."""
    return before.right - 1 <= gutter[1] and gutter[0] <= word.left + 1


def _split_line(line: Line, gutters: Sequence[_Band], least: float) -> Line:
    cells: list[Span] = []
    for cell in line.cells:
        parts = [cell.words[:1]]
        for before, word in pairwise(cell.words):
            gap = word.left - before.right
            marked = is_missing(word.text) or is_missing(before.text)
            wide = gap >= (_NARROW_GUTTER if marked else least) * line.height
            if wide and any(_crosses(before, word, gutter) for gutter in gutters):
                parts.append([])
            parts[-1].append(word)
        cells += [join_words(part) for part in parts] if len(parts) > 1 else [cell]
    return Line(line.top, line.bottom, cells, line.base)


def count_figure_cells(grid: Grid) -> int:
    """Count the cells that hold one figure."""
    return sum(1 for row in grid for cell in row if "\n" not in cell and parse_number(cell))


def _is_numbering(line: Line) -> bool:
    """Whether a line numbers the columns."""
    texts = [cell.text.strip("()") for cell in line.cells]
    return is_numbering_row(texts, 0, len(texts))


def _find_stub(body: Sequence[Line], bands: Sequence[_Band]) -> int:
    """Count the bands at the left that hold mostly labels."""
    figures, filled = [0] * len(bands), [0] * len(bands)
    for line in body:
        for place, cell in zip(_place_cells(line, bands), line.cells, strict=True):
            filled[place] += 1
            figures[place] += is_figure(cell.text)
    return next((n for n in range(len(bands)) if 2 * figures[n] > filled[n]), len(bands))


def _place_cells(line: Line, bands: Sequence[_Band]) -> list[int]:
    """The band of each cell, from left to right: the places with the least cost together.

    Cells share a band only if all of them overlap it, as the words of a label do.
    """
    costs = [[_measure_cost(band, cell, line.height) for band in bands] for cell in line.cells]
    # Dynamic programming over the cells: `best` has the least cost with the last cell in each band,
    # `steps` how it came about.
    best, steps = costs[0], list[list[int]]()
    for before, row in pairwise(costs):
        chosen, least, place = [], _FAR, 0
        totals = []
        for band in range(len(bands)):
            # The cell before is in a band further left, or overlaps this one, too.
            if band and best[band - 1] < least:
                least, place = best[band - 1], band - 1
            shared = before[band] < 0 and row[band] < 0 and best[band] < least
            chosen.append(band if shared else place)
            totals.append((best[band] if shared else least) + row[band])
        best = totals
        steps.append(chosen)
    places = [min(range(len(bands)), key=best.__getitem__)]
    for chosen in reversed(steps):
        places.append(chosen[places[-1]])
    return places[::-1]


def _measure_cost(band: _Band, cell: Span, height: float) -> float:
    """What it costs to put a cell into a band: less than 0 if they overlap."""
    overlap = _measure_overlap(band, cell)
    if overlap > 0:
        return -overlap / max(1.0, min(band[1] - band[0], cell.right - cell.left))
    # Figures are at the right of their column, and their headings often at its left.
    return -overlap / height * (_RIGHT_COST if band[0] > cell.left else 1.0)


def _place_headings(line: Line, bands: Sequence[_Band], stub: int) -> list[int]:
    """The first band of those that each heading is over; [] if the headings name single bands.

    A heading is over the middle of its bands, so each band belongs to the nearest heading.
    """
    cells = [cell for cell in line.cells if stub >= len(bands) or cell.right > bands[stub][0]]
    left = len(line.cells) - len(cells)
    headed = range(stub, len(bands))
    if not cells or len(cells) * 2 > len(headed) or stub == 0 or left > stub:
        return []
    if any(parse_number(c.text) is not None and parse_year(c.text) is None for c in cells):
        return []
    middles = [(cell.left + cell.right) / 2 for cell in cells]
    owners: dict[int, list[int]] = {}
    for band in headed:
        middle = sum(bands[band]) / 2
        nearest = min(range(len(cells)), key=lambda n: abs(middles[n] - middle))
        owners.setdefault(nearest, []).append(band)
    if len(owners) < len(cells):
        return []
    for number, cell in enumerate(cells):
        begin, end = bands[owners[number][0]][0], bands[owners[number][-1]][1]
        pitch = (end - begin) / len(owners[number])
        if abs((begin + end) / 2 - middles[number]) > _OFF_MIDDLE * pitch:
            return []
        if cell.left < begin - line.height and cell.right > end + line.height:
            return []
    return [*range(left), *(owners[number][0] for number in range(len(cells)))]


def _split_runs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Runs of lines with several cells; a line with one cell may be among them."""
    run: list[Line] = []
    for number, line in enumerate(lines):
        far = bool(run) and run[-1].bottom - line.top > _LINE_GAP * line.height
        if not far and (len(line.cells) > 1 or _is_label(run, lines, number)):
            run.append(line)
            continue
        if run:
            yield run
        run = [line]
    if run:
        yield run


def _is_label(run: Sequence[Line], lines: Sequence[Line], number: int) -> bool:
    """Whether a line with one cell is a row of the table around it."""
    line = lines[number]
    if number + 1 >= len(lines) or len(lines[number + 1].cells) < 2:
        # The rest of a label may be followed by another label.
        return bool(run) and len(run) > 1 and is_near(run[-1], line) and continues(run[-1], line)
    if sum(1 for before in run if len(before.cells) > 1) >= _MIN_LINES:
        return True
    # Near the top of a table only a short text below the first column is a row, or a heading.
    first = min((b.cells[0].left for b in run if len(b.cells) > 1), default=None)
    if first is None:
        return False
    # A heading over several columns, or dense names of columns, between the lines of a header.
    between = is_near(run[-1], line) and is_near(line, lines[number + 1])
    if len(line.text) >= _LONG_CELL:
        return between and line.cells[0].left > first + 2 * line.height
    names_periods = is_period(line.text) or is_month(line.text)
    return between or abs(line.cells[0].left - first) < 2 * line.height or names_periods


def _split_prose(run: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Split a run before and after lines of text in columns."""
    begin = 0
    for prose, group in groupby(range(len(run)), lambda number: _is_text(run[number])):
        lines = list(group)
        if prose and len(lines) >= _MIN_LINES:
            yield from (
                part for part in (run[begin : lines[0]], run[lines[0] : lines[-1] + 1]) if part
            )
            begin = lines[-1] + 1
    if begin < len(run):
        yield run[begin:]


def _is_text(line: Line) -> bool:
    """Whether all cells of a line are as long as those of text in columns."""
    return all(len(cell.text) > _LONG_CELL * 2 / 3 for cell in line.cells)


def _is_prose(run: Sequence[Line]) -> bool:
    """Whether the cells are running text or contain hardly any digits."""
    cells = [cell.text for line in run for cell in line.cells]
    long = sum(1 for text in cells if len(text) > _LONG_CELL)
    digits = sum(1 for text in cells if any(map(str.isdecimal, text)))
    return long > 0.3 * len(cells) or digits < 0.2 * len(cells)


def _merge_bands(cells: Sequence[Span]) -> list[_Band]:
    bands: list[_Band] = []
    for cell in sorted(cells, key=lambda c: c.left):
        if bands and cell.left < bands[-1][1]:
            bands[-1] = (bands[-1][0], max(bands[-1][1], cell.right))
        else:
            bands.append((cell.left, cell.right))
    return bands


def _measure_overlap(band: _Band, cell: Span) -> float:
    """The width that a cell and a band share; negative if they are apart."""
    return min(band[1], cell.right) - max(band[0], cell.left)
