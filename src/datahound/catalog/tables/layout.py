"""Find tables in a grid of cells, with titles above, headers of several rows and notes below."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from datahound.catalog.tables.captions import is_metadata, read_caption
from datahound.catalog.tables.cells import is_missing, parse_year
from datahound.catalog.tables.header import (
    UNIT,
    Region,
    Row,
    count_filled,
    count_header_rows,
    find_region,
    get_cell,
    is_number,
    is_numbering_row,
    join_header_rows,
    name_columns,
    show_cell,
)

__all__ = ["Layout", "Row", "find_layouts", "lay_out_block", "name_columns"]

# Layout is judged by the first rows: a sheet may have a million.
_HEAD_ROWS = 300
_MAX_BLOCKS_JOINED = 4
_MAX_PAIRS = 2
_MIN_HEADING, _HEADED_SHARE = 30, 0.5
_MAX_HEADER_BLOCK = 12
_MAX_UNIT = 60
_MIN_TITLE, _MAX_REMARK = 40, 30
_MAX_LINES, _MAX_LINE = 12, 300


@dataclass(frozen=True, slots=True)
class Layout:
    """A table in a grid: rows `first` to `last`, columns `left` to `right` (both ends excluded)."""

    first: int
    last: int
    left: int
    right: int
    names: list[str]
    title: str = ""
    caption_years: tuple[int, ...] = ()
    """Years in the lines above."""
    lines: tuple[str, ...] = ()
    """The lines above, of which one is the title."""
    notes: str = ""
    unit: str = ""
    blank_rows: int = 0
    """Rows between `first` and `last` that are empty."""
    figures: int = 0
    """Columns of figures."""

    @property
    def rows(self) -> int:
        """The number of rows that are not empty."""
        return self.last - self.first - self.blank_rows


def find_layouts(rows: Sequence[Row], most: int = 200) -> list[Layout]:
    """The tables in a grid, from top to bottom."""
    found: list[Layout] = []
    asides: list[Layout] = []
    lines: list[str] = []
    blocks = _split_blocks(rows)
    place = 0
    while place < len(blocks):
        block = rows[slice(*blocks[place])]
        layout, place = _read_block(rows, blocks, place)
        if layout is None:
            lines += [join_cells(row) for row in block] if _is_text_block(block) else []
            continue
        if _is_aside(layout, block) and (place < len(blocks) or any(t.figures for t in found)):
            asides.append(_set_titles(layout, lines[-3:]))
            lines += [join_cells(row) for row in block]
            continue
        if found and _continues(rows, found[-1], layout, lines):
            found[-1] = _extend(found[-1], layout, lines)
        elif len(found) < most:
            if found:
                found[-1] = _add_notes(found[-1], lines)
            found.append(_set_titles(layout, lines if found == [] else lines[-3:]))
        lines = []
    if found and lines:
        found[-1] = _add_notes(found[-1], lines)
    # Names and values beside a table describe it; without one they are the table.
    if not any(table.figures for table in found):
        found = sorted([*found, *asides], key=lambda table: table.first)[:most]
    return [table for table in found if table.rows > _has_no_names(table)]


def _read_block(
    rows: Sequence[Row], blocks: Sequence[tuple[int, int]], place: int
) -> tuple[Layout | None, int]:
    """The table that begins with a block, if one does, and the block to go on with."""
    block = rows[slice(*blocks[place])]
    if _is_text_block(block):
        return None, place + 1
    joined = _join_header_block(rows, blocks, place)
    return joined or (lay_out_block(block, blocks[place][0]), place + 1)


def lay_out_block(block: Sequence[Row], offset: int = 0) -> Layout | None:
    """The table that a block of rows holds, or None."""
    left, right = _find_span(block)
    if right - left < 1:
        return None
    filled = [number for number, row in enumerate(block[:_HEAD_ROWS]) if count_filled(row)]
    head = [block[number] for number in filled]
    begin = _count_title_rows(head, left, right) if right - left > 1 else 0
    if begin and _has_remark(head[0]):
        left, right = _find_span(head[begin:])
    region = find_region(head[begin:], left, right)
    count = count_header_rows(head[begin:], region)
    names = join_header_rows(head[begin : begin + count], left, right)
    first = filled[begin + count] if begin + count < len(filled) else len(block)
    last = len(block) - _count_notes(block, first, region)
    titles = [join_cells(row) for row in head[:begin]]
    # Names and values above a series are facts about it, the first of them its name.
    if count > _MAX_PAIRS and right - left == 2:
        pairs = head[begin : begin + count]
        names = join_header_rows(pairs[:1], left, right)
        titles += [": ".join(show_cell(c) for c in row if c not in (None, "")) for row in pairs]
    blank = sum(1 for row in block[first:last] if not count_filled(row)) if last < _HEAD_ROWS else 0
    return Layout(
        offset + first, offset + last, left, right, names,
        "\n".join(text for text in [*titles, _find_common_heading(names, region)] if text),
        notes=" ".join(join_cells(row) for row in block[last:]),
        blank_rows=blank, figures=_count_figures(head[begin:], region),
    )  # fmt: skip


def _find_common_heading(names: Sequence[str], region: Region) -> str:
    """The heading over most columns of figures, which may be the only title of a table."""
    headings = Counter(names[c - region.left].split(" / ")[0] for c in region.numeric)
    heading, count = next(iter(headings.most_common(1)), ("", 0))
    common = count > 1 and count >= _HEADED_SHARE * len(region.numeric)
    return heading if common and len(heading) > _MIN_HEADING else ""


def _count_figures(head: Sequence[Row], region: Region) -> int:
    """Count the columns with figures that are not years."""
    return sum(
        1
        for column in region.numeric
        if any(
            is_number(cell) and parse_year(cell) is None
            for cell in (get_cell(row, column) for row in head)
        )
    )


def join_cells(row: Row) -> str:
    """The filled cells of a row as one text."""
    if _has_remark(row):
        return show_cell(next(cell for cell in row if cell not in (None, ""))).strip()
    return " ".join(show_cell(cell) for cell in row if cell is not None and cell != "").strip()


def _has_no_names(layout: Layout) -> bool:
    """Whether no column has a name; a single row is then not a table."""
    return layout.names == name_columns([""] * len(layout.names))


def _join_header_block(
    rows: Sequence[Row], blocks: Sequence[tuple[int, int]], place: int
) -> tuple[Layout, int] | None:
    """The table of a header and the body below a blank row, and the block that follows it."""
    begin, end = blocks[place]
    if (
        end - begin > _MAX_HEADER_BLOCK
        or place + 1 >= len(blocks)
        or not _may_name(rows[begin:end])
    ):
        return None
    for after in range(place + 1, min(len(blocks), place + _MAX_BLOCKS_JOINED)):
        body = rows[blocks[after][0] : blocks[after][1]]
        if _is_text_block(body) and len(body) > 1:
            return None
        # The numbers of the columns stand alone between header and body.
        if all(is_numbering_row(row, 0, len(row)) for row in body):
            continue
        below = lay_out_block(body, blocks[after][0])
        # The header of the body itself, if it has one, is the better one.
        if below is None or not (_has_no_names(below) or _may_name(body)):
            return None
        layout = lay_out_block(rows[begin : blocks[after][1]], begin)
        if layout is not None and layout.first >= blocks[after][0] and layout.figures:
            return layout, after + 1
        if not _may_name(body):
            return None
    return None


def _may_name(block: Sequence[Row]) -> bool:
    """Whether a block can be a header: several cells in its last row, no figures but years."""
    if len(block) > _MAX_HEADER_BLOCK or (
        count_filled(block[-1]) < 2 and not _ends_with_unit(block)
    ):
        return False
    named = [row for row in block if not is_numbering_row(row, 0, len(row))]
    return not any(
        is_number(cell) and parse_year(cell) is None for row in named for cell in row if cell
    )


def _ends_with_unit(block: Sequence[Row]) -> bool:
    """Whether the last row of a block has only a unit, over columns that rows above it name."""
    place = next((c for c, cell in enumerate(block[-1]) if cell not in (None, "")), 0)
    named = any(count_filled(row) > 2 for row in block[:-1])
    return named and place > 0 and bool(UNIT.search(show_cell(block[-1][place])))


def _count_title_rows(head: Sequence[Row], left: int, right: int) -> int:
    """Count the rows above the header that are titles or metadata."""
    count = 0
    while count < len(head) - 1 and _is_title_row(head[count], head[count + 1 :], left, right):
        count += 1
    return count


def _is_title_row(row: Row, below: Sequence[Row], left: int, right: int) -> bool:
    """Whether a row is a title: one text, its pieces, or a name and a value."""
    filled = count_filled(row)
    if filled == 1 and right - left == 2 and get_cell(row, left) is None:
        return False
    if filled < 2:
        # The first heading of a header that begins over the second column.
        return get_cell(row, left) is not None or not _spans_columns(row, below, right)
    first = get_cell(row, left)
    if isinstance(first, str) and first.startswith("#") and filled < right - left:
        return True
    numbers = any(is_number(cell) and parse_year(cell) is None for cell in row)
    if filled == 2 and _has_remark(row):
        return max((count_filled(other) for other in below[:6]), default=0) > 2
    if filled == 2 and first is not None and right - left > 3:
        if _begins_header(row, below, left, right):
            return False
        usual = max((count_filled(other) for other in below[:6]), default=0)
        return usual > 3 and (get_cell(row, left + 1) is not None or _is_name(first))
    together = all(get_cell(row, column) is not None for column in range(left, left + filled))
    return together and right - left > 3 and filled < (right - left) / 2 and not numbers


def _has_remark(row: Row) -> bool:
    """Whether a row is a long text, and a short one far from it: a link or a code."""
    filled = [c for c, cell in enumerate(row) if cell is not None and cell != ""]
    texts = [show_cell(row[c]) for c in filled]
    apart = len(filled) == 2 and filled[1] > filled[0] + 2
    short = apart and len(texts[1]) <= _MAX_REMARK and not is_number(row[filled[1]])
    return short and len(texts[0]) > _MIN_TITLE


def _begins_header(row: Row, below: Sequence[Row], left: int, right: int) -> bool:
    """Whether a row names the labels and has a heading over columns that the next row names."""
    first, following = get_cell(row, left), below[0] if below else ()
    if _is_name(first) or is_metadata(show_cell(first)) or get_cell(following, left) is not None:
        return False
    named = [c for c in range(left + 1, right) if get_cell(following, c) is not None]
    above = next(c for c in range(left + 1, len(row)) if get_cell(row, c) is not None)
    return len(named) > 1 and named[0] in (above, above - 1) and len(named) >= right - above - 1


def _is_name(cell: object) -> bool:
    return isinstance(cell, str) and cell.rstrip().endswith((":", "："))


def _spans_columns(row: Row, below: Sequence[Row], right: int) -> bool:
    """Whether the only cell of a row is a heading over columns that the next rows name."""
    place = next((c for c, cell in enumerate(row) if cell is not None and cell != ""), 0)
    following = below[0] if below else ()
    named = sum(1 for c in range(place, right) if get_cell(following, c) is not None)
    if len(show_cell(get_cell(row, place))) > _MAX_UNIT:
        return False
    return named > 1 and count_filled(following) > 1 and place < right - 1


def _split_blocks(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Begin and end of each run of rows between blank rows."""
    found, begin = [], None
    for number, row in enumerate(rows):
        if any(row) or count_filled(row):
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
    few = len(block) < _HEAD_ROWS
    return few and all(count_filled(row) < 2 or _has_remark(row) for row in block)


def _continues(rows: Sequence[Row], before: Layout, layout: Layout, lines: Sequence[str]) -> bool:
    """Whether a block continues the table before it: the same columns and no new header."""
    if not (before.left <= layout.left and layout.right <= before.right) or len(lines) > 2:
        return False
    # A blank row may only separate years or regions within one table.
    region = find_region(rows[before.first : before.first + _HEAD_ROWS], before.left, before.right)
    if not region.numeric or not _has_no_names(layout):
        return False
    block = rows[layout.first : layout.last]
    first = next((row for row in block if count_filled(row) > 1), None)
    return first is not None and _has_figures(first, region)


def _has_figures(row: Row, region: Region) -> bool:
    """Whether a row has figures in most columns of figures; a row of years is a header."""
    figures = sum(1 for c in region.numeric if is_number(get_cell(row, c)))
    years = sum(1 for c in region.numeric if parse_year(get_cell(row, c)) is not None)
    return figures > years and figures >= len(region.numeric) / 2


def _extend(before: Layout, layout: Layout, lines: Sequence[str]) -> Layout:
    """The table with the rows of a block that continues it; lines between are rows, too."""
    titles = layout.title.count("\n") + 1 if layout.title else 0
    rows = before.rows + layout.rows + len(lines) + titles
    blank = layout.last - before.first - rows
    return replace(before, last=layout.last, notes=layout.notes, blank_rows=max(0, blank))


def _set_titles(layout: Layout, above: Sequence[str]) -> Layout:
    """The table with its title and unit, from the lines above it."""
    lines = [line for line in [*above, *layout.title.split("\n")] if line.strip()]
    shown = [" ".join(line.split()) for line in lines]
    title, years, unit = read_caption(shown)
    return replace(
        layout,
        title=title,
        caption_years=years,
        lines=tuple(line[:_MAX_LINE] for line in shown[-_MAX_LINES:]),
        notes=layout.notes[:1000],
        unit=unit,
    )


def _add_notes(layout: Layout, lines: Sequence[str]) -> Layout:
    return replace(layout, notes=" ".join([layout.notes, *lines]).strip()[:1000])


def _is_aside(layout: Layout, block: Sequence[Row]) -> bool:
    """Whether a block holds names and values, such as "Unit: thousands"."""
    few = len(block) <= _MAX_HEADER_BLOCK and all(count_filled(row) <= 2 for row in block)
    return not layout.figures and (few or layout.right - layout.left <= 2)


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


def _count_notes(block: Sequence[Row], first: int, region: Region) -> int:
    """Count the rows at the end that are notes."""
    count = 0
    while (
        region.right - region.left > 1
        and len(block) - count > first
        and _is_note(block[-1 - count], region)
    ):
        count += 1
    return count


def _is_words(row: Row) -> bool:
    filled = [cell for cell in row if cell is not None and cell != ""]
    return all(isinstance(c, str) and not is_missing(c) and not is_number(c) for c in filled)


def _is_note(row: Row, region: Region) -> bool:
    filled = [c for c, cell in enumerate(row) if cell is not None and cell != ""]
    width = region.right - region.left
    # Below figures, a few words in cells that are apart are not a row of the table.
    if region.numeric and width > 3 and len(filled) * 3 <= width and _is_words(row):
        return True
    if len(filled) < 2:
        return True
    if len(filled) > 2 or width <= 3:
        return False
    # A mark and its meaning, which is words in a column of figures.
    meaning = filled[1] in region.numeric and filled[1] == region.left + 1
    return (meaning and _is_words([row[filled[1]]])) or _is_name(row[filled[0]])
