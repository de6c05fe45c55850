"""The lines of text on a PDF page, as cells with wide gaps between them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import pi
from typing import Any

import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

_Char = tuple[float, float, float, float, str]

# A page of print has some 5,000; vector maps have millions.
_MAX_CHARS = 20_000
_CELL_GAP = 0.9
"""Smallest gap between two cells, in letter heights."""
_WORD_GAP = 0.12
_LINE_OVERLAP = 0.5
_RAISED, _SMALL = 0.2, 0.85
"""From where a small digit is the mark of a footnote, and how small it is, in letter heights."""
_FOOTNOTE_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
# Pages are turned as a whole: a sample shows it.
_SAMPLED_ANGLES = 200
_LEADERS = ("...", ". .", "……")


@dataclass(slots=True)
class Span:
    """A text on a line, and where it begins and ends."""

    left: float
    right: float
    text: str
    words: list["Span"] = field(default_factory=list)
    """Its words, where they were kept."""


@dataclass(slots=True)
class Line:
    """Texts side by side."""

    top: float
    bottom: float
    cells: list[Span]
    base: float = 0.0
    """Where most of its letters begin, without those that reach below it."""

    @property
    def text(self) -> str:
        return " ".join(cell.text for cell in self.cells)

    @property
    def height(self) -> float:
        return max(6.0, self.top - self.bottom)


def read_lines(text_page: Any) -> list[Line]:
    """The lines of a page, from top to bottom."""
    # PDF has no lines: characters come in any order, and are put together by where they are
    # printed.
    chars = sorted(_read_chars(text_page), key=lambda c: (-c[3], c[0]))
    rows: list[list[_Char]] = []
    for char in chars:
        row = rows[-1] if rows else None
        if row is not None and _is_same_line(row[0], char):
            row.append(char)
        else:
            rows.append([char])
    return [line for row in rows if (line := _make_line(sorted(row))).cells]


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
            # Damaged fonts have no size.
            if sum(char[:4]) - sum(char[:4]) != 0:
                continue
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


def _make_line(chars: list[_Char]) -> Line:
    heights = sorted(top - bottom for _, _, bottom, top, _ in chars)
    # The upper quartile: superscripts and full stops are lower than the line.
    height = max(heights[len(heights) * 3 // 4], 4.0)
    bottoms = sorted(c[2] for c in chars)
    # The upper half: commas and letters such as g reach below the line, none begin above it.
    base = bottoms[len(bottoms) * 2 // 3]
    words: list[Span] = []
    for left, right, bottom, top, printed in chars:
        raised = bottom > base + _RAISED * height and top - bottom < _SMALL * height
        letter = printed.translate(_FOOTNOTE_DIGITS) if raised else printed
        if words and left - words[-1].right <= _WORD_GAP * height:
            words[-1].text += letter
            words[-1].right = max(right, words[-1].right)
        else:
            words.append(Span(left, right, letter))
    cells: list[list[Span]] = []
    for word in words:
        if cells and word.left - cells[-1][-1].right <= _CELL_GAP * height:
            cells[-1].append(word)
        else:
            cells.append([word])
    return Line(max(c[3] for c in chars), bottoms[0], [join_words(c) for c in cells], base)


def join_words(words: list[Span]) -> Span:
    """The cell of words side by side, without the dots that lead to the next one."""
    text = " ".join(word.text for word in words)
    shown = text.rstrip(" .…") if text.endswith(_LEADERS) else text
    return Span(words[0].left, words[-1].right, shown or text, words)
