"""Where tables are in a grid of cells: titles above, headers of several rows, notes below."""

from collections.abc import Sequence
from dataclasses import dataclass

from datahound.catalog.tables.cells import Value, is_missing, is_period, number_of, year_of

Row = Sequence[Value]

_HEAD_ROWS = 300
_MOST_HEADERS = 6
_NUMERIC_SHARE = 0.6
_LONGEST_NAME = 120
_LONGEST_HEADER_CELL = 250


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


def find_tables(rows: Sequence[Row], most: int = 200) -> list[Layout]:
    """The tables in a grid, from top to bottom."""
    found: list[Layout] = []
    title: list[str] = []
    for begin, end in _blocks(rows):
        block = rows[begin:end]
        if _is_text(block):
            title += [_text(row) for row in block]
            continue
        layout = lay_out(block, begin)
        if layout is None:
            continue
        if found and _continues(rows, found[-1], layout, block):
            found[-1] = _joined(found[-1], begin, end, layout)
        elif len(found) < most:
            heading = " ".join(title[-3:]) if not layout.title else layout.title
            found.append(_titled(layout, heading))
        title = []
    return [layout for layout in found if layout.last - layout.first > _is_nameless(layout)]


def _is_nameless(layout: Layout) -> bool:
    """Whether no column has a name; one row alone is then no table."""
    return layout.names == unique_names([""] * len(layout.names))


def lay_out(block: Sequence[Row], offset: int = 0) -> Layout | None:
    """The table that fills a block of rows, or None if it is none."""
    left, right = _span(block)
    if right - left < 1:
        return None
    titles, begin = [], 0
    if right - left > 1:
        while begin < len(block) and _is_title(block[begin], left, right):
            titles.append(_text(block[begin]))
            begin += 1
    head = block[begin : begin + _HEAD_ROWS]
    count = header_rows(head, left, right)
    names = header_names(head[:count], left, right)
    last = len(block) - _trailing_notes(block, begin + count, right - left)
    notes = " ".join(_text(row) for row in block[last:])
    first = offset + begin + count
    title = " ".join(text for text in titles if text)
    return Layout(first, offset + last, left, right, names, title, notes)


def header_rows(head: Sequence[Row], left: int, right: int) -> int:
    """How many rows at the top of a table name its columns."""
    if len(head) < 2:
        return 0
    numeric = [c for c in range(left, right) if _is_numeric(head, c)]
    count = 0
    while count < min(_MOST_HEADERS, len(head) - 1) and _may_be_header(head[count], numeric, count):
        count += 1
        if not numeric:
            return count if _are_names(head[0], left, right) else 0
    while count > 1 and not _names_numbers(head[count - 1], numeric):
        count -= 1
    if count and count < len(head) and _is_numbering(head[count], left, right):
        count += 1
    return count


def header_names(header: Sequence[Row], left: int, right: int) -> list[str]:
    """A name for each column: what stands above it, row by row."""
    rows = [row for row in header if not _is_numbering(row, left, right)]
    parts: list[list[str]] = [[] for _ in range(left, right)]
    for number, row in enumerate(rows):
        last, spread = "", number < len(rows) - 1
        for column in range(left, right):
            cell = _cell(row, column)
            text = " ".join(_shown(cell).split())
            # A heading above several columns stands in the first of them only.
            if spread and not text and parts[column - left] == parts[column - left - 1][:-1]:
                text = last
            last = text
            if text and text not in parts[column - left]:
                parts[column - left].append(text)
    return unique_names([" / ".join(texts)[:_LONGEST_NAME] for texts in parts])


def unique_names(names: Sequence[str]) -> list[str]:
    """Names of which no two are the same and none is empty.

    >>> unique_names(["a", "", "a"])
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


def _is_title(row: Row, left: int, right: int) -> bool:
    """A text in the first cell, or in the first few where commas in it were taken for borders."""
    filled = _filled(row)
    if filled < 2:
        return True
    first = _cell(row, left)
    if isinstance(first, str) and first.startswith("#") and filled < right - left:
        return True
    together = all(_cell(row, column) is not None for column in range(left, left + filled))
    return together and right - left > 3 and filled < (right - left) / 2 and not any(
        _is_number(cell) and year_of(cell) is None for cell in row
    )  # fmt: skip


def _blocks(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Stretches of rows between blank ones."""
    found, begin = [], None
    for number, row in enumerate(rows):
        if any(row) or _filled(row):
            if begin is None:
                begin = number
        elif begin is not None:
            found.append((begin, number))
            begin = None
    if begin is not None:
        found.append((begin, len(rows)))
    return found


def _is_text(block: Sequence[Row]) -> bool:
    """Lines of text, one cell each."""
    return len(block) < _HEAD_ROWS and all(_filled(row) < 2 for row in block)


def _continues(rows: Sequence[Row], before: Layout, layout: Layout, block: Sequence[Row]) -> bool:
    """Whether a block is more of the table before it: the same columns and no new header."""
    if not (before.left <= layout.left and layout.right <= before.right):
        return False
    head = rows[before.first : before.first + _HEAD_ROWS]
    numeric = [c for c in range(before.left, before.right) if _is_numeric(head, c)]
    if not numeric:
        return False
    first = next((row for row in block if _filled(row) > 1), None)
    if first is None:
        return False
    figures = sum(1 for c in numeric if _is_number(_cell(first, c)))
    years = sum(1 for c in numeric if year_of(_cell(first, c)) is not None)
    return figures > years and figures >= len(numeric) / 2


def _joined(before: Layout, _begin: int, _end: int, layout: Layout) -> Layout:
    return Layout(
        before.first,
        layout.last,
        before.left,
        before.right,
        before.names,
        before.title,
        layout.notes,
    )


def _titled(layout: Layout, title: str) -> Layout:
    return Layout(
        layout.first,
        layout.last,
        layout.left,
        layout.right,
        layout.names,
        " ".join(title.split())[:300],
        layout.notes[:1000],
    )


def _span(block: Sequence[Row]) -> tuple[int, int]:
    """The columns that hold something: from the first to behind the last."""
    left, right = 1 << 30, 0
    for row in block[:_HEAD_ROWS]:
        filled = [c for c, cell in enumerate(row) if cell is not None and cell != ""]
        if filled:
            left, right = min(left, filled[0]), max(right, filled[-1] + 1)
    for row in block[_HEAD_ROWS:]:
        if len(row) > right and any(row[right:]):
            right = max(c for c, cell in enumerate(row) if cell not in (None, "")) + 1
    return (0, 0) if right == 0 else (left, right)


def _trailing_notes(block: Sequence[Row], first: int, width: int) -> int:
    """How many rows at the end are notes."""
    count = 0
    while width > 1 and len(block) - count > first and _filled(block[-1 - count]) < 2:
        count += 1
    return count


def _is_numeric(head: Sequence[Row], column: int) -> bool:
    """Whether a column holds numbers mostly, whatever is above them."""
    numbers = others = 0
    for row in head:
        cell = _cell(row, column)
        if cell is None or (isinstance(cell, str) and is_missing(cell)):
            continue
        if _is_number(cell):
            numbers += 1
        else:
            others += 1
    return numbers > 0 and numbers >= _NUMERIC_SHARE * (numbers + others - 1)


def _may_be_header(row: Row, numeric: list[int], count: int) -> bool:
    """Whether a row can name columns: no figures in it but years."""
    if _filled(row) < (2 if count else 1):
        return False
    if any(isinstance(cell, str) and len(cell) > _LONGEST_HEADER_CELL for cell in row):
        return False
    cells = [_cell(row, column) for column in numeric]
    figures = [cell for cell in cells if cell is not None and _is_number(cell)]
    if not figures:
        words = [c for c in cells if isinstance(c, str) and not is_missing(c)]
        return not numeric or bool(words) or count > 0
    years = [year_of(cell) for cell in figures]
    if len(figures) < len(cells) / 2 and len(numeric) > 2:
        return False
    # Below a heading the same years may come again for the next heading.
    return None not in years and len(years) > 1 and (count > 0 or len(set(years)) == len(years))


def _names_numbers(row: Row, numeric: list[int]) -> bool:
    """Whether a row has something to say above the figures."""
    return any(_cell(row, column) not in (None, "") for column in numeric)


def _are_names(row: Row, left: int, right: int) -> bool:
    """Whether all cells of a row are short texts, no two the same."""
    cells = [_cell(row, column) for column in range(left, right)]
    texts = [cell for cell in cells if isinstance(cell, str) and cell.strip()]
    plain = all(number_of(text) is None or is_period(text) for text in texts)
    short = all(len(text) <= _LONGEST_NAME for text in texts)
    return plain and short and len(texts) == len(cells) and len(set(texts)) == len(texts)


def _is_numbering(row: Row, left: int, right: int) -> bool:
    """Whether a row says 1, 2, 3 ... below the header."""
    cells = [_shown(_cell(row, column)).strip("() ") for column in range(left, right)]
    numbers = [int(cell) if cell.isdecimal() else -1 for cell in cells if cell]
    begin = numbers[0] if numbers else 0
    return len(numbers) > 2 and begin in (1, 2) and numbers == [*range(begin, begin + len(numbers))]


def _is_number(cell: Value) -> bool:
    if isinstance(cell, bool):
        return False
    if isinstance(cell, int | float):
        return True
    return isinstance(cell, str) and number_of(cell) is not None


def _filled(row: Row) -> int:
    """Cells that hold something."""
    return sum(1 for cell in row if cell is not None and cell != "")


def _cell(row: Row, column: int) -> Value:
    cell = row[column] if column < len(row) else None
    return None if cell == "" else cell


def _shown(cell: Value) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


def _text(row: Row) -> str:
    return " ".join(_shown(cell) for cell in row if cell is not None and cell != "").strip()
