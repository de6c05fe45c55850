"""What a column is: its type, and whether it measures something or says what is measured."""

import re
from dataclasses import dataclass

from datahound.catalog.tables.cells import (
    date_of,
    datetime_of,
    is_missing,
    is_period,
    number_of,
    year_of,
    years_in,
)
from datahound.catalog.tables.column_counts import Tally
from datahound.text import fold_text

_CLASSIFIED = 1000
_TYPED_SHARE = 0.9
_VALUES = 40
_SHOWN_VALUE = 80
_LONG_TEXT = 60
_MOST_YEARS_APART = 400
_LARGEST_ORDINAL = 150
_FEWEST_KINDS = 4
_BOOLEANS = ({"true", "false"}, {"yes", "no"}, {"oui", "non"}, {"ja", "nein"}, {"si", "no"})

# Words that a column's name consists of, or ends in, when its numbers name things.
_ID_NAME = re.compile(
    r"\b(id|ids|uid|uuid|guid|pid|oid|code|codes|cod|codigo|codice|kod|kode|key|schlussel|nr|no|num|"
    r"number|numero|nummer|ref|reference|index|rank|rang|rank(ing)?|line|ligne|zeile|row|"
    r"zip|zipcode|postcode|post ?code|postal|plz|cap|cp|"
    r"phone|tel|telephone|telefon|fax|mobile|isbn|issn|siren|siret|insee|fips|nuts|lau|iso|ags|"
    r"geoid|objectid|fid|gid|pk|version|port|status|room|page|seq|sequence|order|position|sort)\b"
    r"|コード|番号|编号|代码|邮编"
)
_PLACE_POINT = re.compile(r"\b(lat|latitude|lon|lng|long|longitude|easting|northing|coord\w*)\b")
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
_WEB = re.compile(r"https?://|www\.|\S+@\S+\.\S+", re.IGNORECASE)
_CLOCK = re.compile(r"\d{1,2}[:h]\d{2}(:\d{2})?( ?[ap]m)?|\d{1,2} ?[ap]m", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Column:
    """A column that has been counted through."""

    name: str
    type: str
    role: str
    nulls: int
    filled: int
    numbers: int
    """Cells that are numbers, years and codes among them."""
    values: list[str | int | float | None]
    distinct: int
    prose: bool
    """Free text, addresses of the web, phone numbers: what is neither measured nor a dimension."""
    period: bool
    first_year: int | None = None
    last_year: int | None = None


def is_identifier(name: str) -> bool:
    """Whether a column's name says that its numbers name things."""
    words = _words(name)
    return bool(_ID_NAME.search(words)) and not _MEASURE_NAME.search(words)


def is_place_point(name: str) -> bool:
    """Whether a column's name says that its numbers are places on the map."""
    return bool(_PLACE_POINT.search(_words(name)))


def describe(name: str, tally: Tally, decimal: str = ".") -> Column:
    """What a column is, from what was counted in it."""
    if tally.texts and tally.texts >= tally.numbers + tally.dates + tally.booleans:
        return _of_texts(name, tally, decimal)
    nulls = tally.blanks
    filled = tally.rows - tally.blanks
    if tally.texts:
        missing = sum(n for text, n in tally.distinct.items() if is_missing(text))
        nulls, filled = nulls + missing, filled - missing
    if not filled:
        return Column(name, "string", "other", nulls, 0, 0, [], 0, prose=False, period=False)
    if tally.booleans >= _TYPED_SHARE * filled:
        return _plain(name, "boolean", "dimension", tally, nulls, filled)
    if tally.dates >= _TYPED_SHARE * filled:
        kind = "datetime" if tally.moments else "date"
        return _plain(name, kind, "dimension", tally, nulls, filled)
    if tally.numbers >= _TYPED_SHARE * filled:
        return _of_numbers(name, tally, nulls, filled)
    return _mixed(name, tally, nulls, filled)


def _mixed(name: str, tally: Tally, nulls: int, filled: int) -> Column:
    values = _some(tally)
    return Column(
        name, "string", "other", nulls, filled, tally.numbers, values, len(values),
        prose=True, period=False,
    )  # fmt: skip


def _plain(name: str, kind: str, role: str, tally: Tally, nulls: int, filled: int) -> Column:
    first = tally.first_date.year if tally.first_date else None
    last = tally.last_date.year if tally.last_date else None
    return Column(
        name, kind, role, nulls, filled, 0, [], 0, prose=False, period=kind.startswith("date"),
        first_year=first, last_year=last,
    )  # fmt: skip


def _of_numbers(name: str, tally: Tally, nulls: int, filled: int) -> Column:
    kind = "integer" if tally.all_integers else "number"
    distinct = len(tally.distinct_numbers)
    numbers: list[str | int | float | None] = []
    some = list(dict.fromkeys(tally.first_numbers)) + sorted(tally.distinct_numbers)[:_VALUES]
    numbers += [int(n) if n == int(n) else n for n in dict.fromkeys(some)][:_VALUES]
    if kind == "integer" and _are_years(name, tally):
        low, high = int(tally.least or 0), int(tally.greatest or 0)
        return Column(
            name, "year", "dimension", nulls, filled, tally.numbers, numbers, distinct,
            prose=False, period=True, first_year=low, last_year=high,
        )  # fmt: skip
    role = "other" if _names_things(name, tally, kind) else "measure"
    if kind == "integer" and _is_kind(tally, filled):
        role = "other"
    if kind == "integer" and _is_ordinal(name, tally):
        role = "dimension"
    return Column(
        name, kind, role, nulls, filled, tally.numbers, numbers, distinct,
        prose=False, period=False,
    )  # fmt: skip


def _are_years(name: str, tally: Tally) -> bool:
    """Whole numbers that are years: in the range, and few or called so."""
    low, high = tally.least or 0, tally.greatest or 0
    if year_of(low) is None or year_of(high) is None or high - low > _MOST_YEARS_APART:
        return False
    if _YEAR_NAME.search(_words(name)):
        return True
    return low >= 1800 and len(tally.distinct_numbers) <= max(3, (high - low + 1))


def _is_ordinal(name: str, tally: Tally) -> bool:
    """Whole numbers that say of whom or when: ages, months."""
    return bool(_ORDINAL.search(_words(name))) and (tally.greatest or 0) <= _LARGEST_ORDINAL


def _is_kind(tally: Tally, filled: int) -> bool:
    """One of two numbers again and again: yes or no, or a category in code."""
    kinds = len(tally.distinct_numbers)
    return kinds <= 2 and filled > max(2 * kinds, _FEWEST_KINDS)


def _names_things(name: str, tally: Tally, kind: str) -> bool:
    """Whether numbers are names: codes, places on the map, the numbers of rows."""
    if is_place_point(name):
        return True
    if is_identifier(name):
        return kind == "integer"
    numbers = tally.first_numbers
    return kind == "integer" and len(numbers) > 3 and _counts_up(numbers)


def _counts_up(numbers: list[float]) -> bool:
    first = numbers[0]
    return first in (0, 1) and all(n == first + place for place, n in enumerate(numbers))


def _of_texts(name: str, tally: Tally, decimal: str) -> Column:
    texts = list(tally.distinct.items())[:_CLASSIFIED]
    missing = sum(count for text, count in texts if is_missing(text))
    kept = [(text, count) for text, count in texts if not is_missing(text)]
    seen = sum(count for _, count in kept)
    nulls, filled = tally.blanks + missing, tally.rows - tally.blanks - missing
    if not seen:
        return Column(name, "string", "other", nulls, 0, 0, [], 0, prose=False, period=False)
    enough = _TYPED_SHARE * seen
    numbers = [(number_of(text, decimal), count) for text, count in kept]
    figures = sum(count for number, count in numbers if number is not None)
    if figures >= enough and not _are_codes([text for text, _ in kept]):
        inner = _tally_of(numbers, nulls, tally)
        return _of_numbers(name, inner, nulls, filled)
    return _of_words(name, tally, kept, (nulls, filled, figures))


def _of_words(
    name: str, tally: Tally, kept: list[tuple[str, int]], counts: tuple[int, int, int]
) -> Column:
    nulls, filled, figures = counts
    texts = [text for text, _ in kept]
    kind, period = _kind_of_texts(texts)
    years = [year for text in texts for year in years_in(text)] if period else []
    prose = not period and _is_prose(name, texts)
    distinct = len(tally.distinct)
    values: list[str | int | float | None] = [text[:_SHOWN_VALUE] for text in texts[:_VALUES]]
    scale = filled / max(1, sum(count for _, count in kept))
    return Column(
        name, kind, "other" if prose else "dimension", nulls, filled,
        0 if period else round(figures * scale), values, distinct,
        prose=prose, period=period,
        first_year=min(years, default=None), last_year=max(years, default=None),
    )  # fmt: skip


def _kind_of_texts(texts: list[str]) -> tuple[str, bool]:
    """The type of texts that are no numbers, and whether they are periods."""
    sample = texts[:300]
    enough = _TYPED_SHARE * len(sample)
    if {text.strip().lower() for text in sample} in _BOOLEANS:
        return "boolean", False
    if sum(1 for text in sample if datetime_of(text)) >= enough:
        return "datetime", True
    if sum(1 for text in sample if date_of(text)) >= enough:
        return "date", True
    return "string", sum(1 for text in sample if is_period(text)) >= enough


def _is_prose(name: str, texts: list[str]) -> bool:
    """Free text, web addresses, phone numbers, times of the day."""
    sample = texts[:300]
    half = len(sample) / 2
    if sum(map(len, sample)) > _LONG_TEXT * len(sample):
        return True
    for pattern in (_WEB, _PHONE, _CLOCK):
        if sum(1 for text in sample if pattern.match(text.strip())) > half:
            return True
    return is_place_point(name)


def _are_codes(texts: list[str]) -> bool:
    """Digits with zeros before them: nothing that is counted."""
    zeros = sum(1 for text in texts if len(text) > 1 and text[0] == "0" and text.isdecimal())
    return zeros > 0.05 * len(texts) and all(text.isdecimal() for text in texts)


def _tally_of(numbers: list[tuple[int | float | None, int]], nulls: int, tally: Tally) -> Tally:
    inner = Tally()
    inner.add([number for number, _ in numbers])
    inner.numbers = tally.rows - nulls
    if len(numbers) < tally.texts:
        inner.first_numbers = inner.first_numbers[:1]
    return inner


def _some(tally: Tally) -> list[str | int | float | None]:
    values: list[str | int | float | None] = list(tally.first_numbers[:_VALUES])
    values += [text[:_SHOWN_VALUE] for text in list(tally.distinct)[:_VALUES]]
    return values[:_VALUES]


def _words(name: str) -> str:
    """A name as words: `geoCode_2` is `geo code 2`."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return re.sub(r"[\W_]+", " ", fold_text(spaced)).strip()
