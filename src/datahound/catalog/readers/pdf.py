"""PDF: tables by their drawn lines (pdfplumber), or by the gaps between columns (pdfium)."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdfium2  # type: ignore[import-untyped]
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

from datahound.catalog.readers.task import Limits, Task, Unreadable, profile_grid
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
            found = [("", grid) for grid in _extract_ruled(path, number)]
        if not found:
            with closing(page.get_textpage()) as text:
                found = _find_grids(_read_lines(text))
    return [_Piece(number, index, above, grid) for index, (above, grid) in enumerate(found)]


def _has_rules(page: Any) -> bool:
    """Whether the page has drawn lines, but not thousands of them, as a chart has."""
    count = min(_MAX_OBJECTS, pdfium.FPDFPage_CountObjects(page.raw))
    kinds = (
        pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(page.raw, number))
        for number in range(count)
    )
    rules = sum(1 for kind in kinds if kind == pdfium.FPDF_PAGEOBJ_PATH)
    return _MIN_RULES <= rules <= _MAX_RULES


def _extract_ruled(path: Path, number: int) -> list[list[list[str]]]:
    """Tables between drawn lines."""
    import pdfplumber  # noqa: PLC0415 takes its time, and few pages need it

    grids = []
    try:
        with pdfplumber.open(path, pages=[number + 1]) as document:
            for table in document.pages[0].extract_tables():
                grid = [[" ".join((cell or "").split()) for cell in row] for row in table]
                if len(grid) > 1 and len(grid[0]) > 1:
                    grids.append(grid)
    except Exception:  # noqa: BLE001 a broken PDF breaks pdfminer in many ways
        return []
    return grids


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
    return Grid(place, {"pieces": pieces}, group[0].above, grid)


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
    """Runs of lines that align in columns: the line above each run, and its cells."""
    found = []
    above = ""
    for run in _split_runs(lines):
        if len(run) < _MIN_LINES or _is_prose(run):
            above = run[-1].text if run else above
            continue
        grid = _align_cells(run)
        if grid:
            found.append((above, grid))
        above = ""
    return found


def _read_chars(text_page: Any) -> Iterator[_Char]:
    """Left, right, bottom, top and character of every printed character."""
    page = text_page.raw
    box = pdfium.FS_RECTF()
    for number in range(min(_MAX_CHARS, text_page.count_chars())):
        code = pdfium.FPDFText_GetUnicode(page, number)
        if code <= 32 or code == 0xA0 or code > 0x10FFFF:
            continue
        # Loose boxes include side bearings; gaps between tight boxes depend on the letters.
        if pdfium.FPDFText_GetLooseCharBox(page, number, box):
            yield box.left, box.right, box.bottom, box.top, chr(code)


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
        if len(line.cells) > 1 and not far:
            run.append(line)
            continue
        if len(run) >= _MIN_LINES and not far and _is_followed(lines, number):
            run.append(line)
            continue
        if run:
            yield run
        run = [line]
    if run:
        yield run


def _is_followed(lines: Sequence[_Line], number: int) -> bool:
    return number + 1 < len(lines) and len(lines[number + 1].cells) > 1


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
