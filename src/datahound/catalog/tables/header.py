"""Find the header of a table by scored rows.

Each row has features: what is in it above the columns of figures. The score of a row is

    score = sum(weight * feature)

which is positive for rows that name columns. The header is the number of rows h that maximises the
sum of the scores of the first h rows. The weights are those of a logistic regression on labelled
rows (`benchmarks/quality/fit_header_rows.py`).
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from datahound.catalog.tables.cells import (
    Value,
    find_years,
    is_missing,
    is_month,
    is_period,
    is_year_and_month,
    parse_number,
    parse_year,
)
from datahound.text import fold_text

Row = Sequence[Value]

MAX_HEADER_ROWS = 12
_NUMERIC_SHARE = 0.6
_MAX_NAME = 120
_MAX_NAME_ROWS = 4
_MAX_HEADER_CELL = 250
_SAMPLED_ROWS = 60
# Censuses are ten years apart, long series have gaps.
_MAX_YEAR_STEP = 30
_DATED_SHARE = 0.7
_MIN_COUNTED, _COUNTED_SHARE, _COUNTED_DIGITS = 6, 0.8, 5
# The number of a section, as in 1. or 2.3.
_HIERARCHY = re.compile(r"\(?\d{1,2}(?:\.\d{1,2}){0,4}[.)]")
UNIT = re.compile(
    r"%|‰|\b(percent|per cent|prozent|pourcentage|porcentaje|percentagem|percentuali|thousands?|"
    r"millions?|milliers|millionen|miles|millones|migliaia|milioni|milhares|milhoes|tausend|tysiac\w*|"
    r"tys|mln|mio|mrd|units?|unites|unidades?|einheit|unita|jednostka|number|anzahl|nombre|numero|"
    r"persons?|personen|personnes|personas|persone|pessoas|osob|euros?|eur|usd|gbp|hectares?|tonnes?|"
    r"1[ ,.]?000|index|kg|km2?|gwh|mwh|ktoe|mtoe|toe|тыс|млн|"
    r"aantal)\b|[千万百]?[人円件戸]$|単位|명$",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"^(total|all|ensemble|insgesamt|totale|ogolem|celkem|osszesen|yhteensa|totalt|i alt|toplam|"
    r"всего|итого|общо|συνολο|الجملة|المجموع)\b|^(合計|総数|总计|合计|계|합계)"
)
_SHARES = {"words": "word", "missing": "missing", "empty": "empty"}
"""Features that are shares of cells, by the kind of cells that they count."""
_HOPELESS = 15.0
"""So far below the best score no later row can make up for the rows between."""

WEIGHTS = {
    "bias": -0.7,
    "figures": -6.6,
    "years": 1.3,
    "words": 5.5,
    "missing": -0.8,
    "empty": -0.2,
    "sequence": 3.0,
    "label_only": -1.6,
    "lone_label": 4.1,
    "period_stub": -1.7,
    # Too rare among the labelled rows to be fitted.
    "numbering": 8.0,
    "unlike_stub": 2.0,
    "units": 8.0,
    "long_text": -6.0,
}


@dataclass(frozen=True, slots=True)
class Region:
    """The columns of a table: where it begins and ends, and which of them hold figures."""

    left: int
    right: int
    numeric: list[int]


def find_region(head: Sequence[Row], left: int, right: int) -> Region:
    """Find the columns of figures in the first rows of a table."""
    numeric = [c for c in range(left, right) if _is_numeric(head, c)]
    # A first column of years has the labels of the rows, as a column of words would.
    begin = 1 if numeric[1:] and numeric[0] == left and _holds_years(head, left) else 0
    return Region(left, right, numeric[begin:])


def count_header_rows(head: Sequence[Row], region: Region) -> int:
    """Count the rows at the top of a table that name its columns."""
    if len(head) < 2:
        return 0
    # Without figures only one row of distinct short texts can be a header.
    if not region.numeric:
        return int(are_column_names(head[0], region.left, region.right))
    labels, dated = count_label_rows(head, region), begins_with_periods(head, region)
    best, best_score, score = 0, 0.0, 0.0
    for number in range(min(MAX_HEADER_ROWS, len(head) - 1)):
        features = measure_row(head, number, region, labels, dated=dated)
        score += score_row(features)
        # Of equal sums the smaller header: a tie by rounding must not take another row.
        if score > best_score + 1e-9:
            best, best_score = number + 1, score
        elif score < best_score - _HOPELESS:
            break
    return best


def score_row(features: dict[str, float]) -> float:
    """The score of a row: positive if it names columns."""
    return sum(WEIGHTS[name] * value for name, value in features.items())


def measure_row(
    head: Sequence[Row], number: int, region: Region, labels: int, *, dated: bool
) -> dict[str, float]:
    """The features of a row; shares are of the columns of figures.

    `labels` is the number of rows of labels only, `dated` says that most rows begin with a period.
    """
    row = head[number]
    cells = [get_cell(row, column) for column in region.numeric]
    below = [get_cell(head[number + 1], column) for column in region.numeric]
    counted = _are_months(cells) or (_are_counted(cells) and not _are_counted(below))
    kinds = ["period"] * len(cells) if counted else [_classify(c) for c in cells]
    width = len(cells)
    in_sequence = _is_year_sequence(cells)
    years = _count_years(head, number, region, kinds, in_sequence=in_sequence)
    figures = kinds.count("figure") + kinds.count("year") + kinds.count("period") - years
    label_only = _is_label_only(row, region)
    stub = get_cell(row, region.left)
    return {
        "bias": 1.0,
        "figures": figures / width,
        "years": years / width,
        **{name: kinds.count(kind) / width for name, kind in _SHARES.items()},
        "sequence": float(in_sequence and years > 1),
        "numbering": float(is_numbering_row(row, region.left, region.right)),
        "label_only": float(label_only),
        "lone_label": float(label_only and labels == 1 and _is_alone(stub, head, number, region)),
        "period_stub": float(bool(figures) and _names_period(stub)),
        "units": float(number > 0 and _names_units(row, region)),
        "unlike_stub": float(dated and isinstance(stub, str) and not _names_period(stub)),
        "long_text": float(any(isinstance(c, str) and len(c) > _MAX_HEADER_CELL for c in row)),
    }


def _count_years(
    head: Sequence[Row], number: int, region: Region, kinds: Sequence[str], *, in_sequence: bool
) -> int:
    """Count the cells of a row that are periods, or years by their place."""
    # Figures such as 1,950 are years only where their column has other figures.
    return sum(
        1
        for kind, column in zip(kinds, region.numeric, strict=True)
        if kind == "period"
        or (kind == "year" and (in_sequence or _is_unlike(head, number, column)))
    )


def _is_alone(stub: Value, head: Sequence[Row], number: int, region: Region) -> bool:
    """Whether the label of a row is neither a period nor the first of several like it."""
    below = head[number + 1 : number + 2]
    return not _names_period(stub) and not _heads_rows(stub, below, region)


def are_column_names(row: Row, left: int, right: int) -> bool:
    """Whether all cells of a row are short, distinct texts."""
    cells = [get_cell(row, column) for column in range(left, right)]
    texts = [cell for cell in cells if isinstance(cell, str) and cell.strip()]
    plain = all(parse_number(text) is None or is_period(text) for text in texts)
    short = all(len(text) <= _MAX_NAME for text in texts)
    return plain and short and len(texts) == len(cells) and len(set(texts)) == len(texts)


def join_header_rows(header: Sequence[Row], left: int, right: int) -> list[str]:
    """A name for each column, joined from all header rows."""
    rows = [row for row in header if not is_numbering_row(row, left, right)]
    if len(rows) > _MAX_NAME_ROWS:
        rows = [row for row in rows if not _is_constant(row, left, right)] or rows
    parts: list[list[str]] = [[] for _ in range(left, right)]
    for number, row in enumerate(rows):
        last, spread = "", number < len(rows) - 1
        for column in range(left, right):
            text = " ".join(show_cell(get_cell(row, column)).split())
            # A heading over several columns fills only the first of their cells.
            if spread and not text and parts[column - left] == parts[column - left - 1][:-1]:
                text = last
            last = text
            if text and text not in parts[column - left]:
                parts[column - left].append(text)
    return name_columns([" / ".join(texts)[:_MAX_NAME] for texts in parts])


def _is_constant(row: Row, left: int, right: int) -> bool:
    """Whether a row says the same of every column, beside the name of what it says."""
    cells = [show_cell(get_cell(row, column)) for column in range(left + 1, right)]
    return len(cells) > 1 and bool(cells[0]) and len(set(cells)) == 1


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


def is_numbering_row(row: Row, left: int, right: int) -> bool:
    """Whether a row numbers the columns 1, 2, 3 ..."""
    cells = [show_cell(get_cell(row, column)).strip("() ") for column in range(left, right)]
    numbers = [int(cell) if cell.isdecimal() else -1 for cell in cells if cell]
    begin = numbers[0] if numbers else 0
    return len(numbers) > 2 and begin in (1, 2) and numbers == [*range(begin, begin + len(numbers))]


def is_number(cell: Value) -> bool:
    """Whether a cell is a number, or a text that represents one."""
    if isinstance(cell, bool):
        return False
    if isinstance(cell, int | float):
        return True
    return isinstance(cell, str) and parse_number(cell) is not None


def count_filled(row: Row) -> int:
    """Count the cells that are not empty."""
    return sum(1 for cell in row if cell is not None and cell != "")


def get_cell(row: Row, column: int) -> Value:
    """The cell in a column; None if it is empty or the row is shorter."""
    cell = row[column] if column < len(row) else None
    return None if cell == "" else cell


def show_cell(cell: Value) -> str:
    """A cell as text."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


def _classify(cell: Value) -> str:
    """empty, missing, year, period, figure or word."""
    if cell is None:
        return "empty"
    if isinstance(cell, str):
        if not cell.strip():
            return "empty"
        if is_missing(cell):
            return "missing"
        if parse_year(cell) is not None:
            return "year"
        if parse_number(cell) is not None or _HIERARCHY.fullmatch(cell.strip()):
            return "figure"
        return "period" if is_period(cell) or is_month(cell) else "word"
    if parse_year(cell) is not None:
        return "year"
    return "figure" if is_number(cell) else "period"


def _is_numeric(head: Sequence[Row], column: int) -> bool:
    """Whether a column holds mostly numbers, apart from its header."""
    numbers = others = 0
    for row in head:
        cell = get_cell(row, column)
        if cell is None or (isinstance(cell, str) and is_missing(cell)):
            continue
        if is_number(cell):
            numbers += 1
        else:
            others += 1
    # The header may be texts in several rows.
    allowed = min(3, len(head) // 3) if others > 1 else 1
    return numbers > 0 and numbers >= _NUMERIC_SHARE * (numbers + others - allowed)


def _is_unlike(head: Sequence[Row], number: int, column: int) -> bool:
    """Whether most figures below a cell that could be a year are not years."""
    below = [get_cell(row, column) for row in head[number + 1 : number + 1 + _SAMPLED_ROWS]]
    figures = [cell for cell in below if cell is not None and is_number(cell)]
    years = sum(1 for cell in figures if parse_year(cell) is not None)
    return bool(figures) and years <= len(figures) / 2


def _are_months(cells: Sequence[Value]) -> bool:
    """Whether cells are years with months in order, as in 2021.01, and not figures."""
    if len(cells) < 2 or not is_year_and_month(show_cell(cells[0])):
        return False
    texts = [show_cell(cell) for cell in cells]
    rising = all(a < b for a, b in itertools.pairwise(texts))
    falling = all(a > b for a, b in itertools.pairwise(texts))
    return all(map(is_year_and_month, texts)) and (rising or falling)


def _are_counted(cells: Sequence[Value]) -> bool:
    """Whether most cells are numbers at equal steps, such as the ages 0, 1, 2 or 0, 5, 10."""
    texts = [show_cell(cell) for cell in cells if cell is not None]
    numbers = [int(text) for text in texts if text.isdecimal() and len(text) < _COUNTED_DIGITS]
    enough = len(numbers) >= max(_MIN_COUNTED, _COUNTED_SHARE * len(texts))
    steps = {b - a for a, b in itertools.pairwise(numbers)}
    return enough and any(steps == {step} and numbers[0] % step == 0 for step in (1, 5, 10))


def _holds_years(head: Sequence[Row], column: int) -> bool:
    """Whether all numbers of a column are years."""
    numbers = [c for row in head if (c := get_cell(row, column)) is not None and is_number(c)]
    return bool(numbers) and all(parse_year(number) is not None for number in numbers)


def _heads_rows(stub: Value, below: Sequence[Row], region: Region) -> bool:
    """Whether a label alone heads the rows below it: a total, or less indented than they are."""
    following = get_cell(below[0], region.left) if below else None
    if not isinstance(stub, str) or not isinstance(following, str):
        return False
    indented = following[:1].isspace() and not stub[:1].isspace()
    return indented or bool(_TOTAL.search(fold_text(stub)))


def _is_year_sequence(cells: Sequence[Value]) -> bool:
    """Whether cells are consecutive years, once or repeated under each heading."""
    found: list[int] = []
    for cell in cells:
        if cell is not None:
            years = find_years(show_cell(cell))
            # Among the years may be the name of a code or of a total.
            if not years and (is_number(cell) or is_missing(str(cell))):
                return False
            found += years[:1]
    if len(found) < 2:
        return False
    # A new heading begins with the first year again; quarters repeat a year.
    steps = {b - a for a, b in itertools.pairwise(found)} - {0, found[0] - max(found)}
    rising = all(0 < step <= _MAX_YEAR_STEP for step in steps)
    return bool(steps) and (rising or all(0 < -step <= _MAX_YEAR_STEP for step in steps))


def _is_label_only(row: Row, region: Region) -> bool:
    """Whether a row has labels only: of a section, a group of columns, or the label columns."""
    filled = [
        c for c in range(region.left, min(region.right, len(row))) if row[c] not in (None, "")
    ]
    if not filled or any(isinstance(row[c], int | float) for c in filled):
        return False
    if len(filled) == 1 and filled[0] != region.left:
        return _classify(row[filled[0]]) == "word"
    return not set(filled) & set(region.numeric)


def begins_with_periods(head: Sequence[Row], region: Region) -> bool:
    """Whether most rows begin with a period in a column of labels; then names and facts do not."""
    stubs = [get_cell(row, region.left) for row in head]
    dates = sum(1 for stub in stubs if stub is not None and _names_period(stub))
    return dates > _DATED_SHARE * len(stubs)


def _names_units(row: Row, region: Region) -> bool:
    """Whether a row has units only, over the columns of figures that they hold for."""
    filled = [
        c for c in range(region.left, min(region.right, len(row))) if row[c] not in (None, "")
    ]
    return (
        bool(filled)
        and filled[0] > region.left
        and all(isinstance(row[c], str) and UNIT.search(show_cell(row[c])) for c in filled)
    )


def count_label_rows(head: Sequence[Row], region: Region) -> int:
    """Count the rows of labels only, without the notes at the end."""
    rows = list(head[:_SAMPLED_ROWS])
    while rows and _is_label_only(rows[-1], region):
        rows.pop()
    return sum(1 for row in rows if _is_label_only(row, region))


def _names_period(cell: Value) -> bool:
    return cell is not None and (is_period(show_cell(cell)) or is_month(show_cell(cell)))
