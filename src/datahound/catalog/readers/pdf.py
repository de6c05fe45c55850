"""PDF: tables by their drawn lines (pdfplumber), or by the gaps between columns (pdfium)."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdfium2  # type: ignore[import-untyped]
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

from datahound.catalog.readers.pdf_columns import AlignedTable, count_figure_cells, find_grids
from datahound.catalog.readers.pdf_columns import Grid as Cells
from datahound.catalog.readers.pdf_text import read_lines
from datahound.catalog.readers.task import Limits, Task, Unreadable, profile_grid
from datahound.catalog.tables.captions import pick_notes, read_caption
from datahound.catalog.tables.layout import Row, lay_out_block
from datahound.catalog.tables.profile import Grid, TableProfile

_TITLE_LINES = 4
# A ruled table of two columns has six lines; fewer underline a title.
_MIN_RULES = 6
_MAX_RULES = 3000
_MAX_OBJECTS = 20_000
_LABEL_SHARE = 0.1
_SINGLE_SHARE = 0.98
_RULED_SHARE = 0.8
"""The share of the figures on a page that a reading by lines must find in cells of their own."""


@dataclass(slots=True)
class _Piece:
    """The part of a table that is on one page."""

    page: int
    index: int
    above: list[str]
    below: list[str]
    rows: Cells
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
        with closing(page.get_textpage()) as text:
            found = find_grids(read_lines(text))
        # pdfplumber is slow: only pages with lines are worth it.
        if not _is_plain(found) and _has_rules(page):
            ruled = _extract_ruled(path, number)
            if _count_figures(ruled) >= _RULED_SHARE * _count_figures(found) and ruled:
                found = ruled
    return [
        _Piece(number, index, table.above, table.below, _tidy_cells(table.cells))
        for index, table in enumerate(found)
    ]


def _tidy_cells(cells: Cells) -> Cells:
    return [[" ".join(cell.split()) for cell in row] for row in cells]


def _is_plain(found: list[AlignedTable]) -> bool:
    """Whether every row has several cells, and the first a name for each column.

    Then drawn lines could tell no more.
    """
    if any(table.cells[0].count("") > 1 for table in found):
        return False
    rows = [sum(1 for cell in row if cell) for table in found for row in table.cells]
    return bool(rows) and sum(1 for count in rows if count < 2) <= _LABEL_SHARE * len(rows)


def _has_rules(page: Any) -> bool:
    """Whether the page has drawn lines, but not thousands of them, as a chart has."""
    count = min(_MAX_OBJECTS, pdfium.FPDFPage_CountObjects(page.raw))
    kinds = (
        pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(page.raw, number))
        for number in range(count)
    )
    rules = sum(1 for kind in kinds if kind == pdfium.FPDF_PAGEOBJ_PATH)
    return _MIN_RULES <= rules <= _MAX_RULES


def _extract_ruled(path: Path, number: int) -> list[AlignedTable]:
    """Tables between drawn lines, each with the text around it."""
    import pdfplumber  # noqa: PLC0415 takes its time, and few pages need it

    grids: list[AlignedTable] = []
    try:
        with pdfplumber.open(path, pages=[number + 1]) as document:
            # Bold type is imitated by printing letters twice.
            page = document.pages[0]
            if _has_doubled_letters(page.chars):
                page = page.dedupe_chars()
            floor = page.bbox[1]
            for table in page.find_tables():
                grid = [[_clean_cell(cell) for cell in row] for row in table.extract()]
                if len(grid) > 1 and len(grid[0]) > 1:
                    between = _read_between(page, floor, table.bbox[1])
                    if grids:
                        grids[-1].below = between[:_TITLE_LINES]
                    grids.append(AlignedTable(between[-_TITLE_LINES:], grid))
                    floor = table.bbox[3]
            if grids:
                grids[-1].below = _read_between(page, floor, page.bbox[3])[:_TITLE_LINES]
    except Exception:  # noqa: BLE001 a broken PDF breaks pdfminer in many ways
        return []
    return grids


def _has_doubled_letters(chars: list[dict[str, Any]]) -> bool:
    """Whether letters are printed on each other; to look for each of them is slow."""
    places = {(c["text"], round(c["x0"] / 2), round(c["top"] / 2)) for c in chars}
    return len(places) < _SINGLE_SHARE * len(chars)


def _clean_cell(cell: str | None) -> str:
    """The text of a cell; lines of figures stay apart, so that a squeezed grid is noticed."""
    return "\n".join(" ".join(line.split()) for line in (cell or "").splitlines())


def _read_between(page: Any, floor: float, top: float) -> list[str]:
    """The lines of text between `floor` and `top`."""
    if top - floor < 1:
        return []
    text = page.crop((page.bbox[0], floor, page.bbox[2], top), strict=False).extract_text() or ""
    return list(text.splitlines())


def _count_figures(found: list[AlignedTable]) -> int:
    return sum(count_figure_cells(table.cells) for table in found)


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
    # A part without a header goes on where the page broke.
    return mine.first == 0


def _join_pieces(group: list[_Piece]) -> Grid:
    first, last = group[0].page + 1, group[-1].page + 1
    place = f"page {first}" if first == last else f"pages {first} to {last}"
    pieces = [[piece.page, piece.index, piece.skip] for piece in group]
    rows = [row for piece in group for row in piece.rows[piece.skip :]]
    title, years, unit = read_caption(group[0].above)
    grid = Grid(place, {"pieces": pieces}, title, rows, caption_years=years)
    grid.unit, grid.notes = unit, pick_notes(group[-1].below)
    return grid
