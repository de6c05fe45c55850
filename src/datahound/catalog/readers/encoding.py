"""Detect the encoding and the delimiter of a text file."""

import codecs
import csv
import re
from collections import Counter
from collections.abc import Iterator
from math import log2
from pathlib import Path

from charset_normalizer import from_bytes

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_GUESSED_BYTES = 64 << 10
# The first character beyond ASCII may come late, in a name of a city.
_CHECKED_BYTES = 4 << 20
_DELIMITERS = (",", ";", "\t", "|")
_SAMPLED_LINES = 200
_MIN_STEADY = 0.6
_MAX_MEAN_CELL = 60
_MIN_MARKED = 0.3
"""Share of the lines that must have a delimiter, where a file is a table by its name."""
_SINGLE_BYTE = ("cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1257", "koi8_r", "mac_roman")
_MAX_FLAWS = 0.04
_CAPITALS = "A-ZÀ-ÖØ-ÞĂĄĆČĎĐĘĚĞİŁŃŇŐŘŚŞŠŢŤŮŰŹŻŽΆΈ-ΫЁЂ-Я"
_SMALL = "a-zß-öø-ÿăąćčďđęěğıłńňőřśşšţťůűźżžΐά-ώа-яё-џ"
_FLAW = re.compile(
    f"(?<=[{_SMALL}])[{_CAPITALS}]|(?<=[{_SMALL}])[\u00a1-\u00bf\ufffd](?=[{_SMALL}])|[a-z][а-яά-ώ]"
)
_HUNGARIAN_O = re.compile(r"[õÕ](?!e)")
_NOT_HUNGARIAN = re.compile("[ãäåæøçèàêñßìò]|õe", re.IGNORECASE)
_WESTERN = frozenset("ÎËäöüÄÖÜßéèêëàâçîïôûùñáíóúãõåæøÅÆØÉÈÀÇÑÁÍÓÚÂÊÔ°€–—…²§©®ºª«»’‘“”„•· \u00a0")
# Tested before guessing, since statistical guesses confuse the Western encoding with its Eastern
# relatives on short texts.
_WESTERN_SHARE = 0.97
_JAPANESE = re.compile("[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]")
_JAPANESE_SHARE = 0.95
# Others are hardly used for data, and short texts are valid in all of them.
_ENCODINGS = """cp1252 cp1250 cp1251 cp1253 cp1254 cp1255 cp1256 cp1257 cp932 euc_jp gb18030 big5
euc_kr cp949 koi8_r koi8_u cp850 cp852 mac_roman tis_620 iso2022_jp""".split()
_DECIMAL_COMMA = re.compile(r"\s{0,9}[-+]?[\d .]{1,20},\d{1,9}\s?[^\d,;|]{0,4}")
_GAP = re.compile(r"\S {3,}\S")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_CONTROL = bytes(set(range(9)) | set(range(14, 27)) | {28, 29, 30, 31})
# The csv module has one limit per process; without it an unclosed quote reads the whole file.
csv.field_size_limit(1 << 20)


def detect_encoding(head: bytes) -> str:
    """The encoding of a file, from its first bytes."""
    for mark, name in _BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return name
    if _is_utf16(head):
        return "utf-16-le" if head[1:2] == b"\0" else "utf-16-be"
    if _is_utf8(head):
        return "utf-8"
    if _is_western(head):
        return "cp1250" if _reads_hungarian(head.decode("cp1252", "replace")) else "cp1252"
    if _is_japanese(head):
        return "cp932"
    best = from_bytes(head[:_GUESSED_BYTES], cp_isolation=_ENCODINGS).best()
    guess = _check_guess(head[:_GUESSED_BYTES], best.encoding if best else "cp1252")
    # Bytes that are valid in both are more often in the larger encoding.
    wider = {"latin_1": "cp1252", "iso8859_1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030",
             "gbk": "gb18030"}  # fmt: skip
    return wider.get(guess, guess)


def _check_guess(head: bytes, guess: str) -> str:
    """The guess, or another encoding with one byte per letter that is far more likely.

    In the wrong one capitals and signs are inside of words.
    """
    if guess not in _SINGLE_BYTE:
        return guess
    flaws = {name: _count_flaws(head, name) for name in _SINGLE_BYTE}
    best = min(_SINGLE_BYTE, key=lambda name: flaws[name])
    marked = len(head.translate(None, bytes(range(128))))
    return best if flaws[guess] - flaws[best] > _MAX_FLAWS * marked else guess


def _count_flaws(head: bytes, encoding: str) -> int:
    """Count the places inside of words that a text in this encoding would hardly have."""
    return len(_FLAW.findall(head.decode(encoding, "replace")))


def _is_western(head: bytes) -> bool:
    """Whether nearly all characters beyond ASCII are those of Western languages in cp1252."""
    marked = head.translate(None, bytes(range(128)))[:_GUESSED_BYTES]
    known = sum(1 for letter in marked.decode("cp1252", "replace") if letter in _WESTERN)
    return known >= _WESTERN_SHARE * len(marked)


def _is_japanese(head: bytes) -> bool:
    """Whether the bytes are Japanese in Shift JIS, which short texts show, too.

    Text in another encoding of two bytes, or of Eastern Europe, is full of narrow syllables in it.
    """
    try:
        text = codecs.getincrementaldecoder("cp932")().decode(head[:_GUESSED_BYTES])
    except UnicodeDecodeError:
        return False
    marked = sum(1 for letter in text if not letter.isascii())
    return len(_JAPANESE.findall(text)) > _JAPANESE_SHARE * marked


def _reads_hungarian(text: str) -> bool:
    """Whether a text in cp1252 is Hungarian: its long vowels are others there, all else is equal.

    Portuguese has õ before e alone, Estonian beside ä; French û has other accents beside it.
    """
    long = len(_HUNGARIAN_O.findall(text))
    acute = sum(map(text.count, "áéíóú"))
    return long > 0 and acute >= long and not _NOT_HUNGARIAN.search(text)


def is_binary(head: bytes) -> bool:
    """Whether the bytes are not text in any encoding."""
    if any(head.startswith(mark) for mark, _ in _BYTE_ORDER_MARKS) or _is_utf16(head):
        return False
    sample = head[:8192]
    return b"\0" in sample or len(sample) - len(sample.translate(None, _CONTROL)) > 0.02 * len(
        sample
    )


def read_head(path: Path, size: int = _CHECKED_BYTES) -> bytes:
    """Read the first bytes of a file."""
    with path.open("rb") as file:
        return file.read(size)


def read_lines(path: Path, encoding: str) -> Iterator[str]:
    """Read the lines of a file; bytes that can't be decoded are replaced."""
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        for line in file:
            # The csv module refuses NUL.
            yield line.replace("\0", "")


def detect_delimiter(text: str, name: str = "") -> str | None:
    r"""The delimiter of these lines; None if they are not a table.

    >>> detect_delimiter("a;b\n1;2\n3;4\n"), detect_delimiter("A sentence.\nAnother one, longer.\n")
    (';', None)
    """
    lines = [line for line in text.splitlines()[:_SAMPLED_LINES] if line.strip()]
    scores = {delimiter: _score_delimiter(lines, delimiter) for delimiter in _DELIMITERS}
    # Keys before a tab may be joined by commas, as Eurostat does; tabs are in no text.
    if scores["\t"] and sum("\t" in line for line in lines) >= _MIN_STEADY * len(lines):
        return "\t"
    best = max(scores, key=lambda delimiter: scores[delimiter])
    if scores[best]:
        return None if best == "," and _has_blank_columns(lines) else best
    if name.lower().endswith((".csv", ".tsv")) and len(lines) > 1:
        marked = {d: sum(d in line for line in lines) for d in (";", "\t", "|")}
        other = max(marked, key=lambda delimiter: marked[delimiter])
        usual = "\t" if name.lower().endswith(".tsv") else ","
        return other if marked[other] >= _MIN_MARKED * len(lines) else usual
    return None


def _has_blank_columns(lines: list[str]) -> bool:
    """Whether blanks set the columns apart, and commas only the thousands of figures."""
    spaced = [line for line in lines if _GAP.search(line.strip())]
    commas = sum(line.count(",") for line in spaced)
    grouped = sum(len(_THOUSANDS.findall(line)) for line in spaced)
    return len(spaced) > len(lines) / 3 and 0 < commas == grouped


def _score_delimiter(lines: list[str], delimiter: str) -> float:
    """How well lines read as a table with this delimiter: 0 if not at all.

    The score is (share of table lines with the usual width) * (share of all lines with it) *
    (share of cells without another delimiter) * log2(1 + width).
    """
    try:
        rows = [row for row in csv.reader(lines, delimiter=delimiter) if row]
    except csv.Error:
        return 0.0
    # Lines above and below a table may be padded to its width.
    rows = [row if any(row[1:]) else row[:1] for row in rows]
    widths = Counter(len(row) for row in rows if len(row) > 1)
    if not widths or len(rows) < 2:
        return 0.0
    # By cells and not by lines: a few wide lines are the table, many narrow ones the notes.
    width, count = max(widths.items(), key=lambda item: (item[1] * item[0], item[0]))
    cells = [cell for row in rows if len(row) == width for cell in row]
    # Long cells are sentences that contain the delimiter.
    if sum(map(len, cells)) > _MAX_MEAN_CELL * len(cells):
        return 0.0
    # Lines without a delimiter are notes above and below: they do not make a table unsteady.
    steady = count / (count + sum(n for w, n in widths.items() if w != width))
    filled = count / len(rows)
    if steady < _MIN_STEADY or filled < (0.8 if width == 2 else 0.3) or count < 2:
        return 0.0
    if width == 2 and delimiter in ",;" and _reads_as_prose(rows, width):
        return 0.0
    return steady * filled * _share_whole(cells, delimiter) * log2(1 + width)


def _share_whole(cells: list[str], delimiter: str) -> float:
    """The share of cells that no other delimiter splits; a decimal comma splits no cell."""
    others = [other for other in _DELIMITERS if other != delimiter]
    split = sum(
        1
        for cell in cells
        if any(other in cell for other in others) and not _DECIMAL_COMMA.fullmatch(cell)
    )
    return 1 - split / len(cells)


def _reads_as_prose(rows: list[list[str]], width: int) -> bool:
    """Whether the rows are sentences with one comma each, followed by a blank."""
    parts = [row[1] for row in rows if len(row) == width]
    return sum(1 for part in parts if part.startswith(" ")) > 0.5 * len(parts) and not any(
        part.strip()[:1].isdecimal() for part in parts
    )


def _is_utf8(head: bytes) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        # Incremental: the head may end in the middle of a character.
        decoder.decode(head)
    except UnicodeDecodeError:
        return False
    return True


def _is_utf16(head: bytes) -> bool:
    sample = head[:400]
    # Latin text in UTF-16 has a zero in every second byte.
    zeros = sample[1::2].count(0), sample[::2].count(0)
    return len(sample) > 3 and max(zeros) > 0.35 * len(sample) and min(zeros) < 0.05 * len(sample)
