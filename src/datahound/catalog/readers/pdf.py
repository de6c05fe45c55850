"""PDF: tables by their drawn lines (pdfplumber), or by the gaps between columns (pdfium)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from math import pi
from pathlib import Path
from typing import Any

import pypdfium2  # type: ignore[import-untyped]
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

from datahound.catalog.readers.task import Limits, Task, Unreadable, profile_grid
from datahound.catalog.tables.captions import pick_title
from datahound.catalog.tables.cells import parse_number
from datahound.catalog.tables.layout import Row, lay_out_block
from datahound.catalog.tables.profile import Grid, TableProfile

_Char = tuple[float, float, float, float, str]

_MAX_CHARS = 20_000
_CELL_GAP = 0.9
"""Smallest gap between two cells, in letter heights."""
_WORD_GAP = 0.12
_LINE_OVERLAP = 0.5
_MIN_LINES = 3
_LONG_CELL = 45
_LINE_GAP = 3.5
"""Largest gap between two lines of a table, in letter heights."""
_ABOVE_LINES = 4
_SAMPLED_ANGLES = 200
_MIN_RULES = 6
_MAX_RULES = 3000
_MAX_OBJECTS = 20_000


@dataclass(slots=True)
class _Span:
    """A text on a line, and where it begins and ends."""

    left: float
    right: float
    text: str


@dataclass(slots=True)
class _Line:
    """Texts side by side."""

    top: float
    bottom: float
    cells: list[_Span]

    @property
    def text(self) -> str:
        return " ".join(cell.text for cell in self.cells)


@dataclass(slots=True)
class _Piece:
    """The part of a table that is on one page."""

    page: int
    index: int
    above: str
    rows: list[list[str]]
    skip: int = 0
    """Rows at its top that repeat the header."""

    @property
    def width(self) -> int:
        return max(map(len, self.rows), default=0)


def find_tables(path: Path, task: Task) -> Iterator[TableProfile]:
    """Profile the tables of a PDF; a table over several pages is one table."""
    groups: list[list[_Piece]] = []
    with _open_document(path) as document:
        task.title = task.title or _read_title(document)
        for page in _iterate_pages(document, task):
            for piece in _find_pieces(path, document, page):
                if groups and _continues(groups[-1], piece):
                    groups[-1].append(piece)
                else:
                    groups.append([piece])
    for group in groups[: task.limits.tables]:
        yield from profile_grid(_join_pieces(group), task)


def read_rows(path: Path, address: Mapping[str, Any], _limits: Limits) -> Iterator[Row]:
    """Read the rows of a table, page by page."""
    with _open_document(path) as document:
        page, pieces = -1, list[_Piece]()
        for number, index, skip in address["pieces"]:
            if number != page:
                page, pieces = number, _find_pieces(path, document, number)
            yield from pieces[index].rows[skip:]


@contextmanager
def _open_document(path: Path) -> Iterator[pypdfium2.PdfDocument]:
    try:
        document = pypdfium2.PdfDocument(path)
    except (pypdfium2.PdfiumError, OSError) as error:
        raise Unreadable(f"broken PDF: {error}") from None
    with closing(document):
        yield document


def _read_title(document: pypdfium2.PdfDocument) -> str:
    try:
        return " ".join(str(document.get_metadata_value("Title") or "").split())[:300]
    except (pypdfium2.PdfiumError, ValueError, UnicodeError):
        return ""


def _iterate_pages(document: pypdfium2.PdfDocument, task: Task) -> Iterator[int]:
    total = len(document)
    for number in range(total):
        late = task.seconds > task.limits.pdf_seconds
        if number >= task.limits.pages or late:
            task.note(f"only {number} of {total} pages were looked into")
            return
        yield number


def _find_pieces(path: Path, document: pypdfium2.PdfDocument, number: int) -> list[_Piece]:
    """The tables of one page."""
    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        return []
    with closing(page):
        found: list[tuple[str, list[list[str]]]] = []
        # pdfplumber is slow: only pages with lines are worth it.
        if _has_rules(page):
            found = _extract_ruled(path, number)
        if not found or any(_is_squeezed(grid) for _, grid in found):
            with closing(page.get_textpage()) as text:
                found = _find_grids(_read_lines(text))
    return [
        _Piece(number, index, above, [[" ".join(cell.split()) for cell in row] for row in grid])
        for index, (above, grid) in enumerate(found)
    ]


def _has_rules(page: Any) -> bool:
    """Whether the page has drawn lines, but not thousands of them, as a chart has."""
    count = min(_MAX_OBJECTS, pdfium.FPDFPage_CountObjects(page.raw))
    kinds = (
        pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(page.raw, number))
        for number in range(count)
    )
    rules = sum(1 for kind in kinds if kind == pdfium.FPDF_PAGEOBJ_PATH)
    return _MIN_RULES <= rules <= _MAX_RULES


def _extract_ruled(path: Path, number: int) -> list[tuple[str, list[list[str]]]]:
    """Tables between drawn lines, each with the text above it."""
    import pdfplumber  # noqa: PLC0415 takes its time, and few pages need it

    grids = []
    try:
        with pdfplumber.open(path, pages=[number + 1]) as document:
            # Bold type is imitated by printing letters twice.
            page = document.pages[0].dedupe_chars()
            floor = page.bbox[1]
            for table in page.find_tables():
                grid = [[_clean_cell(cell) for cell in row] for row in table.extract()]
                if len(grid) > 1 and len(grid[0]) > 1:
                    grids.append((_read_above(page, floor, table.bbox[1]), grid))
                    floor = table.bbox[3]
    except Exception:  # noqa: BLE001 a broken PDF breaks pdfminer in many ways
        return []
    return grids


def _clean_cell(cell: str | None) -> str:
    """The text of a cell; lines of figures stay apart, so that a squeezed grid is noticed."""
    return "\n".join(" ".join(line.split()) for line in (cell or "").splitlines())


def _read_above(page: Any, floor: float, top: float) -> str:
    """The last lines of text between `floor` and `top`."""
    if top - floor < 1:
        return ""
    text = page.crop((page.bbox[0], floor, page.bbox[2], top), strict=False).extract_text() or ""
    return "\n".join(text.splitlines()[-_ABOVE_LINES:])


def _is_squeezed(grid: list[list[str]]) -> bool:
    """Whether cells hold several figures: only some of the lines between rows are drawn."""
    full = [cell for row in grid for cell in row if cell]
    several = sum(
        1 for cell in full if sum(1 for line in cell.split("\n") if parse_number(line)) > 1
    )
    return several > 0.1 * len(full)


def _continues(group: list[_Piece], piece: _Piece) -> bool:
    """Whether a piece continues the table of the previous page; then skip its repeated header."""
    last = group[-1]
    if piece.page != last.page + 1 or piece.index or piece.width != last.width:
        return False
    mine, first = lay_out_block(piece.rows), lay_out_block(group[0].rows)
    if mine is None or first is None:
        return False
    if mine.names == first.names:
        piece.skip = mine.first
        return True
    return mine.first == 0


def _join_pieces(group: list[_Piece]) -> Grid:
    first, last = group[0].page + 1, group[-1].page + 1
    place = f"page {first}" if first == last else f"pages {first} to {last}"
    pieces = [[piece.page, piece.index, piece.skip] for piece in group]
    grid = [row for piece in group for row in piece.rows[piece.skip :]]
    return Grid(place, {"pieces": pieces}, pick_title(group[0].above.splitlines()), grid)


def _read_lines(text_page: Any) -> list[_Line]:
    """The lines of a page, from top to bottom."""
    chars = sorted(_read_chars(text_page), key=lambda c: (-c[3], c[0]))
    rows: list[list[_Char]] = []
    for char in chars:
        row = rows[-1] if rows else None
        if row is not None and _is_same_line(row[0], char):
            row.append(char)
        else:
            rows.append([char])
    return [line for row in rows if (line := _make_line(sorted(row))).cells]


def _find_grids(lines: Sequence[_Line]) -> list[tuple[str, list[list[str]]]]:
    """Runs of lines that align in columns: the lines above each run, and its cells."""
    found = []
    above: list[str] = []
    for run in _split_runs(lines):
        titles = next((n for n, line in enumerate(run) if len(line.cells) > 1), len(run))
        above += [line.text for line in run[:titles]]
        table = run[titles:]
        if len(table) < _MIN_LINES or _is_prose(table):
            above += [line.text for line in table]
            continue
        grid = _align_cells(table)
        if grid:
            found.append(("\n".join(above[-_ABOVE_LINES:]), grid))
        above = []
    return found


def _read_chars(text_page: Any) -> Iterator[_Char]:
    """Left, right, bottom, top and character of every printed character, upright."""
    page = text_page.raw
    box = pdfium.FS_RECTF()
    turns = _count_turns(text_page)
    seen: dict[tuple[str, int, int], tuple[float, float]] = {}
    for number in range(min(_MAX_CHARS, text_page.count_chars())):
        code = pdfium.FPDFText_GetUnicode(page, number)
        if code <= 32 or code == 0xA0 or code > 0x10FFFF:
            continue
        # Loose boxes include side bearings; gaps between tight boxes depend on the letters.
        if pdfium.FPDFText_GetLooseCharBox(page, number, box):
            char = _turn_char(box, turns, chr(code))
            # Bold type is imitated by printing a letter twice, a little apart.
            near = 0.3 * (char[1] - char[0])
            key = (char[4], round(char[0] / 4), round(char[2] / 4))
            before = seen.get(key)
            if before and abs(before[0] - char[0]) < near and abs(before[1] - char[2]) < near:
                continue
            seen[key] = (char[0], char[2])
            yield char


def _count_turns(text_page: Any) -> int:
    """The quarter turns of most letters on a page, clockwise."""
    count = text_page.count_chars()
    step = max(1, count // _SAMPLED_ANGLES)
    angles = Counter(
        round(pdfium.FPDFText_GetCharAngle(text_page.raw, number) / (pi / 2)) % 4
        for number in range(0, count, step)
        if pdfium.FPDFText_GetUnicode(text_page.raw, number) > 32
    )
    return angles.most_common(1)[0][0] if angles else 0


def _turn_char(box: Any, turns: int, letter: str) -> _Char:
    """The box of a character after the page was turned until its letters are upright."""
    left, right, bottom, top = box.left, box.right, box.bottom, box.top
    if turns == 3:
        return bottom, top, -right, -left, letter
    if turns == 2:
        return -right, -left, -top, -bottom, letter
    if turns == 1:
        return -top, -bottom, left, right, letter
    return left, right, bottom, top, letter


def _is_same_line(one: _Char, other: _Char) -> bool:
    overlap = min(one[3], other[3]) - max(one[2], other[2])
    return overlap > _LINE_OVERLAP * min(one[3] - one[2], other[3] - other[2], 100)


def _make_line(chars: list[_Char]) -> _Line:
    heights = sorted(top - bottom for _, _, bottom, top, _ in chars)
    # The upper quartile: superscripts and full stops are lower than the line.
    height = max(heights[len(heights) * 3 // 4], 4.0)
    cells: list[_Span] = []
    for left, right, _bottom, _top, letter in chars:
        gap = left - cells[-1].right if cells else height * 9
        if gap > _CELL_GAP * height:
            cells.append(_Span(left, right, letter))
            continue
        cells[-1].text += (" " if gap > _WORD_GAP * height else "") + letter
        cells[-1].right = max(right, cells[-1].right)
    return _Line(max(c[3] for c in chars), min(c[2] for c in chars), cells)


def _split_runs(lines: Sequence[_Line]) -> Iterator[list[_Line]]:
    """Runs of lines with several cells; a line with one cell may be among them."""
    run: list[_Line] = []
    for number, line in enumerate(lines):
        far = bool(run) and run[-1].bottom - line.top > _LINE_GAP * max(6.0, line.top - line.bottom)
        if not far and (len(line.cells) > 1 or _is_label(run, lines, number)):
            run.append(line)
            continue
        if run:
            yield run
        run = [line]
    if run:
        yield run


def _is_label(run: Sequence[_Line], lines: Sequence[_Line], number: int) -> bool:
    """Whether a line with one cell is a row of the table around it."""
    line = lines[number]
    if number + 1 >= len(lines) or len(lines[number + 1].cells) < 2:
        return False
    if sum(1 for before in run if len(before.cells) > 1) >= _MIN_LINES:
        return True
    # Near the top of a table only a short text below the first column is a row.
    first = min((b.cells[0].left for b in run if len(b.cells) > 1), default=None)
    near = first is not None and abs(line.cells[0].left - first) < 2 * (line.top - line.bottom)
    return near and len(line.text) < _LONG_CELL


def _is_prose(run: Sequence[_Line]) -> bool:
    """Whether the cells are running text or contain hardly any digits."""
    cells = [cell.text for line in run for cell in line.cells]
    long = sum(1 for text in cells if len(text) > _LONG_CELL)
    digits = sum(1 for text in cells if any(map(str.isdecimal, text)))
    return long > 0.3 * len(cells) or digits < 0.2 * len(cells)


def _align_cells(run: Sequence[_Line]) -> list[list[str]]:
    """The cells of a run by column; the columns are those of its full lines."""
    width = max(len(line.cells) for line in run)
    # Headings over several columns would merge the columns below them.
    full = [line for line in run if len(line.cells) >= max(2, 0.7 * width)]
    if len(full) < 2:
        return []
    bands = _merge_bands([cell for line in full for cell in line.cells])
    if len(bands) < 2:
        return []
    grid = []
    for line in run:
        row = [""] * len(bands)
        for cell in line.cells:
            place = max(range(len(bands)), key=lambda b: _measure_overlap(bands[b], cell))
            row[place] = f"{row[place]} {cell.text}".strip()
        grid.append(row)
    return grid


def _merge_bands(cells: Sequence[_Span]) -> list[tuple[float, float]]:
    bands: list[tuple[float, float]] = []
    for cell in sorted(cells, key=lambda c: c.left):
        if bands and cell.left < bands[-1][1]:
            bands[-1] = (bands[-1][0], max(bands[-1][1], cell.right))
        else:
            bands.append((cell.left, cell.right))
    return bands


def _measure_overlap(band: tuple[float, float], cell: _Span) -> float:
    """The width that a cell and a band share; negative if they are apart."""
    return min(band[1], cell.right) - max(band[0], cell.left)
