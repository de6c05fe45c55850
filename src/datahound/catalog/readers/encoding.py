"""Turning a file's bytes into text: which encoding, which delimiter."""

import codecs
import csv
from collections import Counter
from collections.abc import Iterator
from math import log2
from pathlib import Path

from charset_normalizer import from_bytes

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_GUESSED_BYTES = 64 << 10
_CHECKED_BYTES = 4 << 20
_DELIMITERS = (",", ";", "\t", "|")
_SNIFFED_LINES = 200
_STEADY = 0.6
_LONG_CELL = 60
_CONTROL = bytes(set(range(9)) | set(range(14, 27)) | {28, 29, 30, 31})
csv.field_size_limit(1 << 20)


def encoding_of(head: bytes) -> str:
    """The encoding that a file's beginning speaks for."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    if _looks_like_utf16(head):
        return "utf-16-le" if head[1:2] == b"\0" else "utf-16-be"
    if _is_utf8(head):
        return "utf-8"
    best = from_bytes(head[:_GUESSED_BYTES]).best()
    guess = best.encoding if best else "cp1252"
    # What is plain in both is more often the newer, larger one.
    wider = {"latin_1": "cp1252", "iso8859_1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030",
             "gbk": "gb18030"}  # fmt: skip
    return wider.get(guess, guess)


def is_binary(head: bytes) -> bool:
    """Whether bytes are no text in any encoding that we know."""
    if any(head.startswith(mark) for mark, _ in _MARKS) or _looks_like_utf16(head):
        return False
    sample = head[:8192]
    return b"\0" in sample or len(sample) - len(sample.translate(None, _CONTROL)) > 0.02 * len(
        sample
    )


def head_of(path: Path, size: int = _CHECKED_BYTES) -> bytes:
    """The first bytes of a file."""
    with path.open("rb") as file:
        return file.read(size)


def lines_of(path: Path, encoding: str) -> Iterator[str]:
    """A file's lines; what can't be decoded is replaced."""
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        for line in file:
            yield line.replace("\0", "")


def delimiter_of(text: str, name: str = "") -> str | None:
    r"""What stands between the fields of these lines, or None if they are no table.

    >>> delimiter_of("a;b\n1;2\n3;4\n"), delimiter_of("A sentence.\nAnother one, longer.\n")
    (';', None)
    """
    lines = [line for line in text.splitlines()[:_SNIFFED_LINES] if line.strip()]
    best, best_score = None, 0.0
    for delimiter in _DELIMITERS:
        score = _score(lines, delimiter)
        if score > best_score:
            best, best_score = delimiter, score
    if best is None and name.lower().endswith((".csv", ".tsv")) and len(lines) > 1:
        return "\t" if name.lower().endswith(".tsv") else ","
    return best


def _score(lines: list[str], delimiter: str) -> float:
    """How much lines look like a table that is delimited so; 0 for not at all."""
    try:
        rows = [row for row in csv.reader(lines, delimiter=delimiter) if row]
    except csv.Error:
        return 0.0
    widths = Counter(len(row) for row in rows if len(row) > 1)
    if not widths or len(rows) < 2:
        return 0.0
    width, count = max(widths.items(), key=lambda item: (item[1] * item[0], item[0]))
    cells = [cell for row in rows if len(row) == width for cell in row]
    if sum(map(len, cells)) > _LONG_CELL * len(cells):
        return 0.0
    # Lines of notes above and below are no rows of the table.
    steady = count / (count + sum(n for w, n in widths.items() if w != width))
    filled = count / len(rows)
    if steady < _STEADY or filled < (0.8 if width == 2 else 0.3) or count < 2:
        return 0.0
    if width == 2 and delimiter in ",;" and _reads_as_prose(rows, width):
        return 0.0
    return steady * filled * log2(1 + width)


def _reads_as_prose(rows: list[list[str]], width: int) -> bool:
    """Sentences with one comma each: the second part begins with a blank."""
    parts = [row[1] for row in rows if len(row) == width]
    return sum(1 for part in parts if part.startswith(" ")) > 0.5 * len(parts) and not any(
        part.strip()[:1].isdecimal() for part in parts
    )


def _is_utf8(head: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _looks_like_utf16(head: bytes) -> bool:
    sample = head[:400]
    zeros = sample[1::2].count(0), sample[::2].count(0)
    return len(sample) > 3 and max(zeros) > 0.35 * len(sample) and min(zeros) < 0.05 * len(sample)
