"""Find tables in a grid of cells, with titles above, headers of several rows and notes below."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from datahound.catalog.tables.cells import Value, is_missing, is_period, parse_number, parse_year

Row = Sequence[Value]

_HEAD_ROWS = 300
_MAX_HEADER_ROWS = 6
_NUMERIC_SHARE = 0.6
_MAX_NAME = 120
_MAX_HEADER_CELL = 250


@dataclass(frozen=True, slots=True)
class Layout:
    """A table in a grid: rows `first` to `last`, columns `left` to `right` (both ends excluded)."""

    first: int
    last: int
    left: int
    right: int
    names: list[str]
    title: str = ""
    notes: str = ""


def find_layouts(rows: Sequence[Row], most: int = 200) -> list[Layout]:
    """The tables in a grid, from top to bottom."""
    found: list[Layout] = []
    title: list[str] = []
    for begin, end in _split_blocks(rows):
        block = rows[begin:end]
        if _is_text_block(block):
            title += [_join_cells(row) for row in block]
            continue
        layout = lay_out_block(block, begin)
        if layout is None:
            continue
        if found and _continues(rows, found[-1], layout, block):
            found[-1] = replace(found[-1], last=layout.last, notes=layout.notes)
        elif len(found) < most:
            heading = " ".join(title[-3:]) if not layout.title else layout.title
            found.append(_set_title(layout, heading))
        title = []
    return [layout for layout in found if layout.last - layout.first > _has_no_names(layout)]


def _has_no_names(layout: Layout) -> bool:
    """Whether no column has a name; a single row is then not a table."""
    return layout.names == name_columns([""] * len(layout.names))


def lay_out_block(block: Sequence[Row], offset: int = 0) -> Layout | None:
    """The table that a block of rows holds, or None."""
    left, right = _find_span(block)
    if right - left < 1:
        return None
    titles, begin = [], 0
    if right - left > 1:
        while begin < len(block) and _is_title_row(block[begin], left, right):
            titles.append(_join_cells(block[begin]))
            begin += 1
    head = block[begin : begin + _HEAD_ROWS]
    count = count_header_rows(head, left, right)
    names = join_header_rows(head[:count], left, right)
    last = len(block) - _count_notes(block, begin + count, right - left)
    notes = " ".join(_join_cells(row) for row in block[last:])
    first = offset + begin + count
    title = " ".join(text for text in titles if text)
    return Layout(first, offset + last, left, right, names, title, notes)


def count_header_rows(head: Sequence[Row], left: int, right: int) -> int:
    """Count the rows at the top of a table that name its columns."""
    if len(head) < 2:
        return 0
    numeric = [c for c in range(left, right) if _is_numeric_column(head, c)]
    count = 0
    while count < min(_MAX_HEADER_ROWS, len(head) - 1) and _may_be_header_row(
        head[count], numeric, count
    ):
        count += 1
        # Without figures only one row of distinct short texts can be a header.
        if not numeric:
            return count if _are_column_names(head[0], left, right) else 0
    # A last header row without a cell over the figures is the first row of data.
    while count > 1 and not _names_figures(head[count - 1], numeric):
        count -= 1
    if count and count < len(head) and _is_numbering_row(head[count], left, right):
        count += 1
    return count


def join_header_rows(header: Sequence[Row], left: int, right: int) -> list[str]:
    """A name for each column, joined from all header rows."""
    rows = [row for row in header if not _is_numbering_row(row, left, right)]
    parts: list[list[str]] = [[] for _ in range(left, right)]
    for number, row in enumerate(rows):
        last, spread = "", number < len(rows) - 1
        for column in range(left, right):
            cell = _get_cell(row, column)
            text = " ".join(_show_cell(cell).split())
            # A heading over several columns fills only the first of their cells.
            if spread and not text and parts[column - left] == parts[column - left - 1][:-1]:
                text = last
            last = text
            if text and text not in parts[column - left]:
                parts[column - left].append(text)
    return name_columns([" / ".join(texts)[:_MAX_NAME] for texts in parts])


def name_columns(names: Sequence[str]) -> list[str]:
    """Make names unique, and number the empty ones.

    >>> name_columns(["a", "", "a"])
    ['a', 'column 2', 'a (2)']
    """
    seen: set[str] = set()
    found = []
    for place, name in enumerate(names, 1):
        base = name.strip() or f"column {place}"
        text, number = base, 2
        while text in seen:
            text, number = f"{base} ({number})", number + 1
        seen.add(text)
        found.append(text)
    return found


def _is_title_row(row: Row, left: int, right: int) -> bool:
    """Whether a row is a title: one text, or the pieces of one that was split at its commas."""
    filled = _count_filled(row)
    if filled < 2:
        return True
    first = _get_cell(row, left)
    if isinstance(first, str) and first.startswith("#") and filled < right - left:
        return True
    together = all(_get_cell(row, column) is not None for column in range(left, left + filled))
    return together and right - left > 3 and filled < (right - left) / 2 and not any(
        _is_number(cell) and parse_year(cell) is None for cell in row
    )  # fmt: skip


def _split_blocks(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Begin and end of each run of rows between blank rows."""
    found, begin = [], None
    for number, row in enumerate(rows):
        if any(row) or _count_filled(row):
            if begin is None:
                begin = number
        elif begin is not None:
            found.append((begin, number))
            begin = None
    if begin is not None:
        found.append((begin, len(rows)))
    return found


def _is_text_block(block: Sequence[Row]) -> bool:
    """Whether all rows are lines of text, with one cell each."""
    return len(block) < _HEAD_ROWS and all(_count_filled(row) < 2 for row in block)


def _continues(rows: Sequence[Row], before: Layout, layout: Layout, block: Sequence[Row]) -> bool:
    """Whether a block continues the table before it: the same columns and no new header."""
    if not (before.left <= layout.left and layout.right <= before.right):
        return False
    # A blank row may only separate years or regions within one table.
    head = rows[before.first : before.first + _HEAD_ROWS]
    numeric = [c for c in range(before.left, before.right) if _is_numeric_column(head, c)]
    if not numeric:
        return False
    first = next((row for row in block if _count_filled(row) > 1), None)
    if first is None:
        return False
    figures = sum(1 for c in numeric if _is_number(_get_cell(first, c)))
    years = sum(1 for c in numeric if parse_year(_get_cell(first, c)) is not None)
    # A row of years is the header of a new table.
    return figures > years and figures >= len(numeric) / 2


def _set_title(layout: Layout, title: str) -> Layout:
    return replace(layout, title=" ".join(title.split())[:300], notes=layout.notes[:1000])


def _find_span(block: Sequence[Row]) -> tuple[int, int]:
    """The first filled column, and the one after the last."""
    left, right = 1 << 30, 0
    for row in block[:_HEAD_ROWS]:
        filled = [c for c, cell in enumerate(row) if cell is not None and cell != ""]
        if filled:
            left, right = min(left, filled[0]), max(right, filled[-1] + 1)
    # Later rows can only widen the table: checking each cell would be slow.
    for row in block[_HEAD_ROWS:]:
        if len(row) > right and any(row[right:]):
            right = max(c for c, cell in enumerate(row) if cell not in (None, "")) + 1
    return (0, 0) if right == 0 else (left, right)


def _count_notes(block: Sequence[Row], first: int, width: int) -> int:
    """Count the rows at the end that are notes."""
    count = 0
    while width > 1 and len(block) - count > first and _count_filled(block[-1 - count]) < 2:
        count += 1
    return count


def _is_numeric_column(head: Sequence[Row], column: int) -> bool:
    """Whether a column holds mostly numbers, apart from its header."""
    numbers = others = 0
    for row in head:
        cell = _get_cell(row, column)
        if cell is None or (isinstance(cell, str) and is_missing(cell)):
            continue
        if _is_number(cell):
            numbers += 1
        else:
            others += 1
    # The header itself is the one cell that may be a text.
    return numbers > 0 and numbers >= _NUMERIC_SHARE * (numbers + others - 1)


def _may_be_header_row(row: Row, numeric: list[int], count: int) -> bool:
    """Whether a row can name columns: its only figures are years."""
    if _count_filled(row) < (2 if count else 1):
        return False
    if any(isinstance(cell, str) and len(cell) > _MAX_HEADER_CELL for cell in row):
        return False
    cells = [_get_cell(row, column) for column in numeric]
    figures = [cell for cell in cells if cell is not None and _is_number(cell)]
    if not figures:
        words = [c for c in cells if isinstance(c, str) and not is_missing(c)]
        return not numeric or bool(words) or count > 0
    years = [parse_year(cell) for cell in figures]
    if len(figures) < len(cells) / 2 and len(numeric) > 2:
        return False
    # Below a first header row the same years may repeat for each heading.
    return None not in years and len(years) > 1 and (count > 0 or len(set(years)) == len(years))


def _names_figures(row: Row, numeric: list[int]) -> bool:
    """Whether a row has a cell above any column of figures."""
    return any(_get_cell(row, column) not in (None, "") for column in numeric)


def _are_column_names(row: Row, left: int, right: int) -> bool:
    """Whether all cells of a row are short, distinct texts."""
    cells = [_get_cell(row, column) for column in range(left, right)]
    texts = [cell for cell in cells if isinstance(cell, str) and cell.strip()]
    plain = all(parse_number(text) is None or is_period(text) for text in texts)
    short = all(len(text) <= _MAX_NAME for text in texts)
    return plain and short and len(texts) == len(cells) and len(set(texts)) == len(texts)


def _is_numbering_row(row: Row, left: int, right: int) -> bool:
    """Whether a row numbers the columns 1, 2, 3 ..."""
    cells = [_show_cell(_get_cell(row, column)).strip("() ") for column in range(left, right)]
    numbers = [int(cell) if cell.isdecimal() else -1 for cell in cells if cell]
    begin = numbers[0] if numbers else 0
    return len(numbers) > 2 and begin in (1, 2) and numbers == [*range(begin, begin + len(numbers))]


def _is_number(cell: Value) -> bool:
    if isinstance(cell, bool):
        return False
    if isinstance(cell, int | float):
        return True
    return isinstance(cell, str) and parse_number(cell) is not None


def _count_filled(row: Row) -> int:
    """Count the cells that are not empty."""
    return sum(1 for cell in row if cell is not None and cell != "")


def _get_cell(row: Row, column: int) -> Value:
    cell = row[column] if column < len(row) else None
    return None if cell == "" else cell


def _show_cell(cell: Value) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


def _join_cells(row: Row) -> str:
    return " ".join(_show_cell(cell) for cell in row if cell is not None and cell != "").strip()
