"""PDF: tables by their rules (pdfplumber), or by the blanks between columns (pdfium)."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdfium2  # type: ignore[import-untyped]
import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

from datahound.catalog.readers.limits import Limits
from datahound.catalog.readers.pdf_text import lines_of, tables_of
from datahound.catalog.readers.task import Task, Unreadable, in_grid
from datahound.catalog.tables.layout import Row, lay_out
from datahound.catalog.tables.profile import Found, TableLook

_FEWEST_RULES = 6
_MOST_RULES = 3000
_COUNTED_OBJECTS = 20_000


@dataclass(slots=True)
class _Piece:
    """A table as far as it stands on one page."""

    page: int
    index: int
    above: str
    rows: list[list[str]]
    skip: int = 0
    """Rows at its top that say the header again."""

    @property
    def width(self) -> int:
        return max(map(len, self.rows), default=0)


def tables(path: Path, task: Task) -> Iterator[TableLook]:
    """The tables of a PDF; one that goes on over several pages is one."""
    groups: list[list[_Piece]] = []
    with _opened(path) as document:
        task.title = task.title or _title(document)
        for page in _pages(document, task):
            for piece in _pieces(path, document, page):
                if groups and _goes_on(groups[-1], piece):
                    groups[-1].append(piece)
                else:
                    groups.append([piece])
    for group in groups[: task.limits.tables]:
        yield from in_grid(_found(group), task)


def rows(path: Path, address: Mapping[str, Any], _limits: Limits) -> Iterator[Row]:
    """The rows of a table, page after page."""
    with _opened(path) as document:
        page, pieces = -1, list[_Piece]()
        for number, index, skip in address["pieces"]:
            if number != page:
                page, pieces = number, _pieces(path, document, number)
            yield from pieces[index].rows[skip:]


@contextmanager
def _opened(path: Path) -> Iterator[pypdfium2.PdfDocument]:
    try:
        document = pypdfium2.PdfDocument(path)
    except (pypdfium2.PdfiumError, OSError) as error:
        raise Unreadable(f"broken PDF: {error}") from None
    with closing(document):
        yield document


def _title(document: pypdfium2.PdfDocument) -> str:
    try:
        return " ".join(str(document.get_metadata_value("Title") or "").split())[:300]
    except (pypdfium2.PdfiumError, ValueError, UnicodeError):
        return ""


def _pages(document: pypdfium2.PdfDocument, task: Task) -> Iterator[int]:
    total = len(document)
    for number in range(total):
        late = task.seconds > task.limits.pdf_seconds
        if number >= task.limits.pages or late:
            task.note(f"only {number} of {total} pages were looked into")
            return
        yield number


def _pieces(path: Path, document: pypdfium2.PdfDocument, number: int) -> list[_Piece]:
    """The tables of one page."""
    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        return []
    with closing(page):
        found: list[tuple[str, list[list[str]]]] = []
        if _has_rules(page):
            found = [("", grid) for grid in _ruled(path, number)]
        if not found:
            with closing(page.get_textpage()) as text:
                found = tables_of(lines_of(text))
    return [_Piece(number, index, above, grid) for index, (above, grid) in enumerate(found)]


def _has_rules(page: Any) -> bool:
    """Whether lines are drawn on a page, and not a picture of thousands."""
    count = min(_COUNTED_OBJECTS, pdfium.FPDFPage_CountObjects(page.raw))
    kinds = (
        pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(page.raw, number))
        for number in range(count)
    )
    rules = sum(1 for kind in kinds if kind == pdfium.FPDF_PAGEOBJ_PATH)
    return _FEWEST_RULES <= rules <= _MOST_RULES


def _ruled(path: Path, number: int) -> list[list[list[str]]]:
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


def _goes_on(group: list[_Piece], piece: _Piece) -> bool:
    """Whether a piece is more of the table on the page before; its header is then skipped."""
    last = group[-1]
    if piece.page != last.page + 1 or piece.index or piece.width != last.width:
        return False
    mine, first = lay_out(piece.rows), lay_out(group[0].rows)
    if mine is None or first is None:
        return False
    if mine.names == first.names:
        piece.skip = mine.first
        return True
    return mine.first == 0


def _found(group: list[_Piece]) -> Found:
    first, last = group[0].page + 1, group[-1].page + 1
    place = f"page {first}" if first == last else f"pages {first} to {last}"
    pieces = [[piece.page, piece.index, piece.skip] for piece in group]
    grid = [row for piece in group for row in piece.rows[piece.skip :]]
    return Found(place, {"pieces": pieces}, group[0].above, grid)
