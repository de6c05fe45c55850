"""Describe a column: its type, and whether it is a measure, a dimension or neither."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from datahound.catalog.tables.cells import (
    is_missing,
    is_month,
    is_period,
    parse_date,
    parse_datetime,
    parse_number,
    parse_year,
)
from datahound.catalog.tables.column_counts import ColumnCounts
from datahound.catalog.tables.column_years import (
    MAX_YEAR_SPAN,
    are_months,
    find_compact_years,
    find_label_years,
)
from datahound.text import fold_text

Cell = str | int | float | None

# Parsing costs the most: a thousand different texts tell the type of a column.
_MAX_CLASSIFIED = 1000
_TYPED_SHARE = 0.9
_NUMBER_SHARE = 0.8
"""Labels of sections stand between figures, too."""
_MARKED_SHARE, _MAX_MARKS, _MAX_MARK = 0.4, 3, 14
"""A few short texts that repeat among at least this many figures mark missing values."""
_MAX_VALUES = 40
_MAX_VALUE_TEXT = 80
_LONG_TEXT = 60
_MAX_ORDINAL = 150
_MIN_REPEATS = 4
_MIN_MENTION = 7
_MIN_KEYS, _MIN_LABELS = 8, 0.8
_BOOLEANS = ({"true", "false"}, {"yes", "no"}, {"oui", "non"}, {"ja", "nein"}, {"si", "no"})

# Words in the name of a column whose numbers identify things and measure nothing.
_ID_NAME = re.compile(
    r"\b(id|ids|uid|uuid|guid|pid|oid|code|codes|cod|codigo|codice|kod|kode|key|schlussel|nr|no|num|"
    r"number|numero|nummer|ref|reference|index|rank|rang|rank(ing)?|line|ligne|zeile|row|"
    r"zip|zipcode|postcode|post ?code|postal|plz|cap|cp|"
    r"phone|tel|telephone|telefon|fax|mobile|isbn|issn|posicion|posicao|posizione|longitud|lange|siren|siret|insee|fips|nuts|lau|iso|ags|"
    r"geoid|objectid|fid|gid|pk|version|port|status|room|page|seq|sequence|order|position|sort)\b"
    r"|コード|番号|编号|代码|邮编"
)
# Of these the fractions, too, are marks of a hierarchy: 01.1 is not a measure, but an index is.
_CODE_NAME = re.compile(
    r"\b(id|code|codes|cod|codigo|codice|kod|kode|key|schlussel|fips|nuts|naf|nace|coicop|isic|cpv)\b"
    r"|コード|番号|编号|代码"
)
# Alone over fractions, these number the rows: 1.1, 1.2.
_ROW_NAME = re.compile(r"(?:lfd )?nr|no|n|lp|p p|№ п п|č|ziffer|pos|poz|rec")
_ZEROS = re.compile(r"0\d[\d.]*")
_DIGITS = re.compile(r"\d[\d.]*")
_COUNT = re.compile(r"n o|no|nr|num|number|numero|nummer|n")
_COORDINATE = re.compile(r"\b(lat|latitude|lon|lng|long|longitude|easting|northing|coord\w*)\b")
_MEASURE_NAME = re.compile(
    r"\b(number|no|num|nr|total|sum|count|mean|average|share|percent|rate|population|value|amount|"
    r"nombre|numero|anzahl|zahl|cases|people|persons|pupils|students)\b.* (of|de|der|von|per|par|"
    r"pro|di)\b|\b(number|nombre|numero|anzahl) (of|de|der|von|di)\b|obs_?value|%"
)
_YEAR_NAME = re.compile(
    r"\b(year|years|annee|ano|anno|jahr|jaar|rok|vuosi|ar|yil|time|time_period|period|fy|date|"
    r"periode|periodo|zeit|temps|tid|god|etos|jahre|vintage)\b|年|год|рік|année|سنة|연도"
)
_ORDINAL = re.compile(
    r"\b(age|ages|month|week|day|hour|quarter|grade|alter|edad|eta|mois|monat|mes|semaine|"
    r"woche|heure|stunde|trimestre|decile|quintile|percentile|semester)\b"
)
_PHONE = re.compile(r"\+?[\d][\d\s()/.-]{6,}\d")
_WEB = re.compile(r"https?://|www\.|[^\s@]+@[^\s@]+\.\S", re.IGNORECASE)
_CLOCK = re.compile(r"\d{1,2}[:h]\d{2}(:\d{2})?( ?[ap]m)?|\d{1,2} ?[ap]m", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Column:
    """The description of a column."""

    name: str
    type: str
    role: str
    nulls: int
    filled: int
    numbers: int
    """Cells that are numbers, including years and codes."""
    values: list[Cell]
    distinct: int
    prose: bool
    """Free text, URLs, phone numbers: neither a measure nor a dimension."""
    period: bool
    first_year: int | None = None
    last_year: int | None = None
    terms: Sequence[str] = ()
    """More distinct texts of a dimension, for the search index."""


@dataclass(frozen=True, slots=True)
class Field:
    """A column as the catalogue stores it."""

    name: str
    type: str
    """integer, number, boolean, date, datetime, year or string."""
    nulls: int
    role: str
    """measure, dimension or other."""
    values: list[Cell] = field(default_factory=list)
    """A few distinct values."""


def is_identifier(name: str) -> bool:
    """Whether the name of a column says that its numbers are identifiers."""
    parts = [_split_words(part) for part in name.split(" / ")]
    # Below other names, "number" is the unit of what is counted.
    words = [p.split() for p in parts if len(parts) == 1 or not _COUNT.fullmatch(p)]
    # In the middle of a long name, such a word is only mentioned.
    ends = " ".join(" ".join(w if len(w) < _MIN_MENTION else w[:3] + w[-2:]) for w in words)
    return bool(_ID_NAME.search(ends)) and not _MEASURE_NAME.search(_split_words(name))


def is_coordinate(name: str) -> bool:
    """Whether the name of a column says that its numbers are coordinates."""
    return bool(_COORDINATE.search(_split_words(name)))


def describe_columns(
    names: Sequence[str], counts: Sequence[ColumnCounts], decimal: str = "."
) -> list[Column]:
    """Describe the columns of a table from the counts of their values."""
    found = [describe_column(n, c, decimal) for n, c in zip(names, counts, strict=True)]
    return [replace(found[0], role="other"), *found[1:]] if _begins_with_key(found) else found


def _begins_with_key(columns: Sequence[Column]) -> bool:
    """Whether the first column has rising integers, the codes of the labels beside it."""
    first = columns[0] if len(columns) > 1 else None
    if first is None or first.type != "integer" or first.role != "measure":
        return False
    numbers = [n for n in first.values if isinstance(n, int | float)]
    rising = len(numbers) >= _MIN_KEYS and all(a < b for a, b in pairwise(numbers))
    label = columns[1]
    named = label.role == "dimension" and label.type == "string" and not label.period
    return (
        rising
        and named
        and first.distinct == first.filled
        and label.distinct > _MIN_LABELS * label.filled
    )


def describe_column(name: str, counts: ColumnCounts, decimal: str = ".") -> Column:
    """Describe a column from the counts of its values."""
    # Most files store everything as text: then the texts decide, not the few typed cells.
    nulls = counts.blanks
    filled = counts.rows - counts.blanks
    typed = counts.numbers + counts.dates + counts.booleans
    # Cells such as `n/a` among numbers are nulls, not texts.
    missing = sum(n for text, n in counts.distinct.items() if is_missing(text)) if typed else 0
    if counts.texts > missing and counts.texts - missing >= typed:
        return _describe_texts(name, counts, decimal)
    nulls, filled = nulls + missing, filled - missing
    if not filled:
        return Column(name, "string", "other", nulls, 0, 0, [], 0, prose=False, period=False)
    if counts.booleans >= _TYPED_SHARE * filled:
        return _describe_plain(name, "boolean", "dimension", counts, nulls, filled)
    if counts.dates >= _TYPED_SHARE * filled:
        kind = "datetime" if counts.moments else "date"
        return _describe_plain(name, kind, "dimension", counts, nulls, filled)
    words = [(text, n) for text, n in counts.distinct.items() if not is_missing(text)]
    marks = 0 if counts.overflow or counts.dates else _count_marks(words, filled)
    if counts.numbers >= _NUMBER_SHARE * (filled - marks):
        return _describe_numbers(name, counts, nulls + marks, filled - marks)
    return _describe_mixed(name, counts, nulls, filled)


def _describe_mixed(name: str, counts: ColumnCounts, nulls: int, filled: int) -> Column:
    values = _pick_values(counts)
    return Column(
        name, "string", "other", nulls, filled, counts.numbers, values, len(values),
        prose=True, period=False,
    )  # fmt: skip


def _describe_plain(
    name: str, kind: str, role: str, counts: ColumnCounts, nulls: int, filled: int
) -> Column:
    first = counts.first_date.year if counts.first_date else None
    last = counts.last_date.year if counts.last_date else None
    return Column(
        name, kind, role, nulls, filled, 0, [], 0, prose=False, period=kind.startswith("date"),
        first_year=first, last_year=last,
    )  # fmt: skip


def _describe_numbers(name: str, counts: ColumnCounts, nulls: int, filled: int) -> Column:
    kind = "integer" if counts.all_integers else "number"
    distinct = len(counts.distinct_numbers)
    numbers: list[Cell] = []
    some = list(dict.fromkeys(counts.first_numbers)) + sorted(counts.distinct_numbers)[:_MAX_VALUES]
    numbers += [int(n) if n == int(n) else n for n in dict.fromkeys(some)][:_MAX_VALUES]
    if kind == "integer" and _are_years(name, counts):
        low, high = int(counts.least or 0), int(counts.greatest or 0)
        return Column(
            name, "year", "dimension", nulls, filled, counts.numbers, numbers, distinct,
            prose=False, period=True, first_year=low, last_year=high,
        )  # fmt: skip
    if kind == "integer" and (compact := find_compact_years(counts)):
        return Column(
            name, kind, "dimension", nulls, filled, counts.numbers, numbers, distinct,
            prose=False, period=True, first_year=compact[0], last_year=compact[1],
        )  # fmt: skip
    role = "other" if _identifies_things(name, counts, kind) else "measure"
    if kind == "integer" and _is_category_code(counts, filled):
        role = "other"
    if kind == "integer" and _is_ordinal(name, counts):
        role = "dimension"
    return Column(
        name, kind, role, nulls, filled, counts.numbers, numbers, distinct,
        prose=False, period=False,
    )  # fmt: skip


def _are_years(name: str, counts: ColumnCounts) -> bool:
    """Whether integers are years: in range, and either named so or with few distinct values."""
    low, high = counts.least or 0, counts.greatest or 0
    if parse_year(low) is None or parse_year(high) is None or high - low > MAX_YEAR_SPAN:
        return False
    if _YEAR_NAME.search(_split_words(name)):
        return True
    # Without a name that says so, counts around 1700 are more likely than years.
    return low >= 1800 and len(counts.distinct_numbers) <= max(3, (high - low + 1))


def _is_ordinal(name: str, counts: ColumnCounts) -> bool:
    """Whether integers are ordinals that a row is about, such as ages or months."""
    return bool(_ORDINAL.search(_split_words(name))) and (counts.greatest or 0) <= _MAX_ORDINAL


def _is_category_code(counts: ColumnCounts, filled: int) -> bool:
    """Whether one or two integers repeat: a flag, or the code of a category."""
    kinds = len(counts.distinct_numbers)
    return kinds <= 2 and filled > max(2 * kinds, _MIN_REPEATS)


def _identifies_things(name: str, counts: ColumnCounts, kind: str) -> bool:
    """Whether numbers are identifiers: codes, coordinates, row numbers."""
    if is_coordinate(name):
        return True
    if kind == "number" and _ROW_NAME.fullmatch(_split_words(name)):
        return True
    if is_identifier(name):
        words = _split_words(name)
        return kind == "integer" or "version" in words or bool(_CODE_NAME.search(words))
    numbers = counts.first_numbers
    return kind == "integer" and len(numbers) > 3 and _is_row_number(numbers)


def _is_row_number(numbers: list[float]) -> bool:
    first = numbers[0]
    return first in (0, 1) and all(n == first + place for place, n in enumerate(numbers))


def _describe_texts(name: str, counts: ColumnCounts, decimal: str) -> Column:
    texts = list(counts.distinct.items())[:_MAX_CLASSIFIED]
    missing = sum(count for text, count in texts if is_missing(text))
    kept = [(text, count) for text, count in texts if not is_missing(text)]
    seen = sum(count for _, count in kept)
    nulls, filled = counts.blanks + missing, counts.rows - counts.blanks - missing
    if not seen:
        return Column(name, "string", "other", nulls, 0, 0, [], 0, prose=False, period=False)
    enough = _NUMBER_SHARE * seen
    numbers = [(parse_number(text, decimal), count) for text, count in kept]
    figures = sum(count for number, count in numbers if number is not None)
    # Codes such as 01067 are digits but must keep their zeros.
    words = [
        (text, n) for (text, n), (value, _) in zip(kept, numbers, strict=True) if value is None
    ]
    marks = _count_marks(words, seen)
    plain = [text for text, _ in kept]
    codes = are_months(plain) or _are_codes(plain)
    if figures >= enough * (1 - marks / seen) and not codes:
        numbers = [pair for pair in numbers if pair[0] is not None or not marks]
        nulls, filled = nulls + marks, filled - marks
        inner = _count_numbers(numbers, nulls, counts)
        return _describe_numbers(name, inner, nulls, filled)
    described = _describe_words(name, len(counts.distinct), kept, (nulls, filled, figures))
    return _add_plain_years(described, counts)


def _add_plain_years(column: Column, counts: ColumnCounts) -> Column:
    """The column with the years that it has as integers among labels such as "2021: January"."""
    low, high = parse_year(counts.least), parse_year(counts.greatest)
    if not counts.numbers or column.first_year is None or low is None or high is None:
        return column
    last = max(high, column.last_year or high)
    return replace(column, first_year=min(low, column.first_year), last_year=last)


def _count_marks(words: Sequence[tuple[str, int]], seen: int) -> int:
    """Count the texts that are marks for missing figures: few, short, and some of them repeated."""
    total = sum(count for _, count in words)
    few = 0 < len(words) <= _MAX_MARKS and total > len(words)
    short = all(len(text) <= _MAX_MARK for text, _ in words)
    return total if few and short and total <= (1 - _MARKED_SHARE) * seen else 0


def _describe_words(
    name: str, distinct: int, kept: list[tuple[str, int]], totals: tuple[int, int, int]
) -> Column:
    nulls, filled, figures = totals
    texts = [text for text, _ in kept]
    kind, period = _detect_type(texts)
    years = find_label_years(texts, figures / max(1, filled), period=period)
    prose = not period and _is_prose(name, texts)
    values: list[Cell] = [text[:_MAX_VALUE_TEXT] for text in texts[:_MAX_VALUES]]
    # Only the first distinct texts were classified: extrapolate to all rows.
    scale = filled / max(1, sum(count for _, count in kept))
    return Column(
        name, kind, "other" if prose else "dimension", nulls, filled,
        0 if period else round(figures * scale), values, distinct,
        prose=prose, period=period,
        first_year=min(years, default=None), last_year=max(years, default=None),
        terms=() if prose else [text[:_MAX_VALUE_TEXT] for text in texts],
    )  # fmt: skip


def _detect_type(texts: list[str]) -> tuple[str, bool]:
    """The type of texts that are not numbers, and whether they are periods."""
    sample = texts[:300]
    enough = _TYPED_SHARE * len(sample)
    if {text.strip().lower() for text in sample} in _BOOLEANS:
        return "boolean", False
    if sum(1 for text in sample if parse_datetime(text)) >= enough:
        return "datetime", True
    if sum(1 for text in sample if parse_date(text)) >= enough:
        return "date", True
    return "string", sum(1 for text in sample if is_period(text) or is_month(text)) >= enough


def _is_prose(name: str, texts: list[str]) -> bool:
    """Whether texts are prose, URLs, phone numbers or times of day."""
    sample = texts[:300]
    half = len(sample) / 2
    if sum(map(len, sample)) > _LONG_TEXT * len(sample):
        return True
    for pattern in (_WEB, _PHONE, _CLOCK):
        if sum(1 for text in sample if pattern.match(text.strip())) > half:
            return True
    return is_coordinate(name)


def _are_codes(texts: list[str]) -> bool:
    """Whether texts are codes: digits and dots only, some with leading zeros."""
    zeros = sum(1 for text in texts if _ZEROS.fullmatch(text))
    return zeros > 0.05 * len(texts) and all(_DIGITS.fullmatch(text) for text in texts)


def _count_numbers(
    numbers: list[tuple[int | float | None, int]], nulls: int, counts: ColumnCounts
) -> ColumnCounts:
    inner = ColumnCounts()
    inner.add([number for number, _ in numbers])
    # `distinct` holds each text once; the counts are those of all rows.
    inner.numbers = counts.rows - nulls
    # Distinct values are not in row order: they must not look like row numbers.
    if len(numbers) < counts.texts:
        inner.first_numbers = inner.first_numbers[:1]
    return inner


def _pick_values(counts: ColumnCounts) -> list[Cell]:
    values: list[Cell] = list(counts.first_numbers[:_MAX_VALUES])
    values += [text[:_MAX_VALUE_TEXT] for text in list(counts.distinct)[:_MAX_VALUES]]
    return values[:_MAX_VALUES]


def _split_words(name: str) -> str:
    """The words of a name: `geoCode_2` becomes `geo code 2`."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return re.sub(r"[\W_]+", " ", fold_text(spaced)).strip()
