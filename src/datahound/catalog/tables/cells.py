"""Parse the text of a cell: a number, a date, a period, or a missing value."""

import re
from datetime import date, datetime
from functools import lru_cache

from datahound.catalog.tables.period_words import MONTHS, PERIOD_WORDS
from datahound.text import fold_text

Value = str | int | float | bool | date | None

_MISSING = frozenset(
    """- – — -- --- : .. ... … . * ** x (x) n/a na n.a. n.a nan null none nil #n/a (na) / s.o. nd
    n.d. k.a. k.a ･ － ‐ ‑ − *** unknown missing nicht verfügbar #ref! #value! #div/0! c (c) (s) (d)
    <na> i.d. i.d /// // nc n.c.
    s z (z) [x] [z] [c] [u] [w] [low] :c :u (:)  (..) # ## ### ×""".split()
)
_LONGEST_MARK = max(map(len, _MISSING))
_NUMBER = re.compile(
    r"[-+−–]?\s?[$€£¥₹]?\s?(?:\d{1,3}(?:[ ,.'’]\d{3})+|\d+)?(?:[.,]\d+)?(?:[eE][-+]?\d{1,3})?"
    r"\s?(?:%|‰|€|\$)?"
)
# Marks that follow a figure: footnotes, and flags such as provisional or estimated.
_MARKS = re.compile(
    r"(?<=[\d%])(?:\s?[*†‡¹²³⁴⁵⁶⁷⁸⁹⁰ʳᵖᵉ]+|\s?\(\w{1,2}\)|\s?\[\w{1,3}\]|\s\d{1,2}\)|\s[a-zA-Z]{1,2}|"
    r"\s(?!dec|feb|sep)[bcdefnprsu]{3})$"
)
# Marks before a figure, such as that of a break in a series.
_LEADING_MARK = re.compile(r"[┴┬⊥├┤*†‡¦]\s?(?=[-+−–]?\d)")
# A flag without a blank before it: letters of units and of codes such as 12a are not taken for one.
_JOINED_FLAG = re.compile(r"(?<=\d[.,]\d)[a-fpr-suA-FPR-SU]$|(?<=[\d.,]\d\d\d)[a-fprsuA-FPRSU]$")
_FLAGGED_MISSING = re.compile(r"(?::|\.\.)\s?[a-z]{1,3}")
# The same marks after a period or a label, where notes are longer: "2018 [note 3]".
_LABEL_MARKS = re.compile(
    r"(?:\s{0,40}(?:[*†‡¹²³⁴⁵⁶⁷⁸⁹⁰ʳᵖᵉ]{1,40}|\(\w{1,4}\.?\)|\[\w{1,6}(?: \d{1,2})?\])|\s\d{1,2}\)|"
    r"\s[a-zA-Z]|(?<=\d)[pre]|(?<=19\d\d)\d{1,2}\)|(?<=20\d\d)\d{1,2}\))$"
)
# What surveys print after an estimate: its interval, its share, or its error.
_INTERVAL = re.compile(
    r"(?<=[\d%])\s?(?:[(\[]\s?[-−]?\d[\d.,]{0,9}\s?%?(?:\s?(?:[-–−,;]|to|a|bis)\s?[-−]?\d[\d.,]{0,9}\s?%?)?\s?[)\]]|"
    r"±\s?\d[\d.,]{0,9}\s?%?)$"
)
# Digits and marks of other scripts, and those as wide as an ideogram.
_DIGITS = {
    **{
        first + n: str(n)
        for first in (0x660, 0x6F0, 0x966, 0x9E6, 0xE50, 0xFF10)
        for n in range(10)
    },
    **str.maketrans({"٫": ".", "٬": ",", "，": ",", "．": ".", "－": "-", "％": "%", "٪": "%"}),
}
_BLANKS = re.compile(r"[\s\u00a0\u202f\u2009\u2007]+")
_GROUPS_COMMA = re.compile(r"\d{1,3}(?:,\d{3})+")
_GROUPS_DOT = re.compile(r"\d{1,3}(?:\.\d{3})+")
_DECIMAL_COMMA = re.compile(
    r"\d,(?:\d{1,2}|\d{4,})\s?%?$|\d\.\d{3},\d|^[-+]?0,\d|^[-+]?\d{1,3}(?:\.\d{3}){2,4}$"
)
_DECIMAL_DOT = re.compile(
    r"\d\.(?:\d{1,2}|\d{4,})\s?%?$|\d,\d{3}\.\d|^[-+]?0\.\d|^[-+]?\d{1,3}(?:,\d{3}){2,4}$"
)
_ONE_GROUP_DOT = re.compile(r"[-+]?[1-9]\d{0,2}\.\d{3}")
_PLAIN_INTEGER = re.compile(r"[-+]?\d+")
# Longer texts of digits are keys; regular expressions on them would be slow.
_LONGEST_NUMBER, _LONGEST_PADDED = 40, 200
_CACHED = 20_000
_ISO_DATE = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})")
_DOTTED_DATE = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_ISO_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[-+]\d\d:?\d\d)?")
_YEAR = re.compile(r"(?:1[5-9]\d\d|20\d\d|2100)")
_PERIOD = re.compile(
    r"(?:fy\s?)?(?:1[5-9]\d\d|20\d\d|2100)\s?[a-z]?"
    r"(?:\s?[-/.–]\s?(?:\d{1,2}|(?:1[5-9]\d\d|20\d\d|2100)))?(?:[-/.]\d{1,2})?"
    r"|(?:1[5-9]\d\d|20\d\d|2100)[-/ .]?(?:[qtmwkhs]|jj|kw|mm|hj|sj)\s?\d{1,2}"
    r"|[qtkhs][1-4][-/ .]{0,2}(?:1[5-9]\d\d|20\d\d|2100)"
    r"|(?:1[5-9]\d\d|20\d\d|2100)\s?[年년]?(?:\s?\d{1,2}\s?[月월](?:\s?\d{1,2}\s?[日일])?)?"
    r"|(?:1[5-9]\d\d|20\d\d|2100)\s?年度"
    r"|\d{1,2}[-/.]\d{1,2}[-/.](?:1[5-9]\d\d|20\d\d|2100|\d\d)"
    r"|(?:0?[1-9]|1[0-2])[-/.](?:1[5-9]\d\d|20\d\d|2100)"
    r"|(?:1[5-9]\d\d|20\d\d|2100)[./ ][1-4]/4"
)
_DIGIT = re.compile(r"\d|元")
_TOKEN = re.compile(r"\d+|[^\W\d_]+")
_MAX_DAY, _MAX_SMALL = 53, 3
_QUARTERS = frozenset("i ii iii iv q1 q2 q3 q4".split())
_MONTH_AND_YEAR = re.compile(r"([^\W\d_]{3,12})\.?\s?[-/'’.]\s?(\d\d)")
_CENTURY = 50
"""Two digits from 50 on are of the last century."""
_MONTH_NUMBER = re.compile(r"\d{1,2}\s?[月월]|第?[1-4]四半期")
_YEARS_IN = re.compile(
    r"(?:(?<!\d)(?<!\d[.,])|(?<=\d\.\d\d\.))((?<![^\W\d_])1[5-7]\d\d|1[89]\d\d|20\d\d|2100)(?:(?=\d{1,2}\))|(?!\d|[.,]\d))"
)
# The years of Japanese emperors, as offices there write them: 平成28年.
_ERA = re.compile(r"(昭和|平成|令和)\s?(\d{1,2}|元)\s?年")
_ERA_PERIOD = re.compile(_ERA.pattern + r"度?(?:\s?\d{1,2}\s?月(?:\s?\d{1,2}\s?日)?末?)?")
_ERA_BEGINS = {"昭和": 1925, "平成": 1988, "令和": 2018}
# The base of an index says nothing of the time of its figures: 2015 = 100.
_BASE_YEAR = re.compile(r"(?:1[5-9]|20)\d\d(?:\s?[-/–]\s?\d{2,4})?\s?=\s?1\d\d")
_YEAR_AND_MONTH = re.compile(r"(1[5-9]\d\d|20\d\d)\.(?:0[1-9]|1[0-2])\*?")
_DATE_YEAR = re.compile(r"\d{1,2}\.\d{1,2}\.(1[5-9]\d\d|20\d\d|2100)\b.{0,12}")
_LATEST_YEAR = 2100


def is_missing(text: str) -> bool:
    """Whether a text marks a missing value.

    >>> is_missing(" n/a "), is_missing(".."), is_missing(": c"), is_missing("0")
    (True, True, True, False)
    """
    return _is_mark(text) if len(text) <= _LONGEST_NUMBER else not text.strip()


# The same texts come again in a column, and each is looked at several times.
@lru_cache(maxsize=_CACHED)
def _is_mark(text: str) -> bool:
    text = text.strip()
    if not text or len(text) > _LONGEST_MARK:
        return not text
    text = text.lower()
    return text in _MISSING or (text[0] in ":." and bool(_FLAGGED_MISSING.fullmatch(text)))


def parse_number(text: str, decimal: str = ".") -> int | float | None:
    """The number that a text represents, or None.

    >>> [parse_number(text) for text in ("1,234.5", "12 %", "(1,200)", "7 p", "A12")]
    [1234.5, 12, -1200, 7, None]
    >>> parse_number("1 234,5", ","), parse_number("1.234", ","), parse_number("0049 30 1234")
    (1234.5, 1234, None)
    >>> parse_number("1.234.567"), parse_number("1,981.1E"), parse_number("12a")
    (1234567, 1981.1, None)
    >>> [parse_number(text) for text in ("┴ 10.3", "١٢٫٥", "１，２３４", "7 bep")]
    [10.3, 12.5, 1234, 7]
    >>> [parse_number(text) for text in ("13.6 (6.9–28.8)", "2,299 (76.5)", "4.1 ± 0.3")]
    [13.6, 2299, 4.1]
    """
    return _parse_short(text, decimal) if len(text) <= _LONGEST_PADDED else None


@lru_cache(maxsize=_CACHED)
def _parse_short(text: str, decimal: str) -> int | float | None:
    text = text.strip()
    if not text or len(text) > _LONGEST_NUMBER or text[0].isalpha():
        return None
    # Most figures are plain digits.
    if text.isascii() and text.isdecimal():
        return int(text)
    # Accountants write negative numbers in parentheses.
    if text[0] == "(" and text[-1] == ")":
        value = _parse_marked(text[1:-1], decimal)
        return value if value is None else -value
    return _parse_marked(text, decimal)


def _parse_marked(text: str, decimal: str) -> int | float | None:
    """A number in any digits, perhaps with currencies, units and flags around it."""
    if not text:
        return None
    if not text.isascii():
        text = text.translate(_DIGITS)
    if not text[0].isalnum():
        text = _LEADING_MARK.sub("", text, count=1)
    # Marks and flags end with anything but a digit.
    if text[-1] in ")]" or "±" in text:
        text = _INTERVAL.sub("", text)
    if not text[-1:].isdecimal():
        text = _JOINED_FLAG.sub("", _MARKS.sub("", text))
    if not text.isascii() or "  " in text or "\t" in text:
        text = _BLANKS.sub(" ", text)
    if not _NUMBER.fullmatch(text) or not any(map(str.isdecimal, text)):
        return None
    text = text.strip("$€£¥₹%‰ +").replace("−", "-").replace("–", "-")
    text = text.replace("$", "").replace("€", "").replace(" ", "").replace("'", "").replace("’", "")
    plain = _normalize_number(text, decimal)
    try:
        value = float(plain)
        if value.is_integer() and "." not in plain and "e" not in plain.lower():
            return int(plain)
    except (ValueError, OverflowError):
        return None
    return value


def _normalize_number(text: str, decimal: str) -> str:
    """A number without thousands separators and with a decimal point."""
    comma, dot = text.rfind(","), text.rfind(".")
    # With both marks, the last one is the decimal mark.
    if comma >= 0 and dot >= 0:
        decimal = "," if comma > dot else "."
    # Only separators of thousands are repeated.
    elif text.count(".") > 1 and _GROUPS_DOT.fullmatch(text.lstrip("-")):
        decimal = ","
    elif text.count(",") > 1 and _GROUPS_COMMA.fullmatch(text.lstrip("-")):
        decimal = "."
    elif comma >= 0 and decimal == ".":
        if _GROUPS_COMMA.fullmatch(text.lstrip("-")) is None:
            decimal = ","
    elif dot >= 0 and decimal == "," and _GROUPS_DOT.fullmatch(text.lstrip("-")) is None:
        decimal = "."
    if decimal == ",":
        return text.replace(".", "").replace(",", ".")
    return text.replace(",", "")


def detect_decimal_mark(texts: list[str]) -> str:
    """The decimal mark that most of these texts use: a point or a comma.

    >>> detect_decimal_mark(["1,5", "2,25", "name"]), detect_decimal_mark(["1.5", "1,000"])
    (',', '.')
    >>> detect_decimal_mark(["850", "1.234", "97", "12.345"])
    ','
    """
    commas = sum(1 for text in texts if _DECIMAL_COMMA.search(text))
    dots = sum(1 for text in texts if _DECIMAL_DOT.search(text))
    return "," if commas > dots or not (commas or dots or not _has_groups(texts)) else "."


def _has_groups(texts: list[str]) -> bool:
    """Whether 1.234 is an integer here: besides such texts are integers below 1000, none above."""
    plain = [text for text in texts if _PLAIN_INTEGER.fullmatch(text) and not _YEAR.fullmatch(text)]
    grouped = sum(1 for text in texts if _ONE_GROUP_DOT.fullmatch(text))
    return grouped > 1 and len(plain) > 1 and all(abs(int(text[:9])) < 1000 for text in plain)


def parse_year(value: Value) -> int | None:
    """The year that a value is, from 1500 to 2100, or None."""
    if isinstance(value, str):
        text = strip_marks(value).strip("()") if len(value) > 4 else value
        text = text if text.isascii() else text.translate(_DIGITS)
        return int(text) if _YEAR.fullmatch(text) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if value == int(value) if abs(value) < 1e4 else False:
        return int(value) if 1500 <= value <= _LATEST_YEAR else None
    return None


def is_period(text: str) -> bool:
    """Whether a text is a date, a month, a quarter or a year.

    >>> is_period("2019-Q1"), is_period("Jan to Mar 2020"), is_period("2019/20"), is_period("May")
    (True, True, True, False)
    >>> is_period("1 января 2019"), is_period("1.º trimestre de 2020"), is_period("Markets 2019")
    (True, True, False)
    >>> is_period("2019. I. negyedév"), is_period("2021.1/4"), is_period("Prel. 2021")
    (True, True, True)
    """
    return len(text) <= _LONGEST_PADDED and _is_short_period(text)


@lru_cache(maxsize=_CACHED)
def _is_short_period(text: str) -> bool:
    if not _DIGIT.search(text):
        return False
    text = strip_marks(text).translate(_DIGITS)
    if len(text) > _LONGEST_NUMBER:
        return False
    plain = fold_text(text)
    return bool(
        _PERIOD.fullmatch(plain)
        or _ISO_TIME.fullmatch(text)
        or parse_date(text)
        or _has_period_words(plain)
        or _find_short_year(plain)
        or _ERA_PERIOD.fullmatch(text)
    )


def _find_short_year(plain: str) -> int | None:
    """The year of a month and two digits: `oct-19`."""
    match = _MONTH_AND_YEAR.fullmatch(plain)
    if match is None or match[1] not in MONTHS:
        return None
    return int(match[2]) + (1900 if int(match[2]) >= _CENTURY else 2000)


def _has_period_words(plain: str) -> bool:
    """Whether a text is a year or two with words of periods only: "Jan to Mar 2019"."""
    tokens = _TOKEN.findall(plain)
    years = [token for token in tokens if _YEAR.fullmatch(token)]
    if not 0 < len(years) <= 2 or len(tokens) == len(years):
        return False
    small = [t for t in tokens if t.isdecimal() and len(t) <= 2 and int(t) <= _MAX_DAY]
    words = [t for t in tokens if not t.isdecimal()]
    known = all(w in PERIOD_WORDS or w in MONTHS for w in words)
    rest = len(tokens) - len(years) - len(small) - len(words)
    return bool(words) and known and not rest and len(small) <= _MAX_SMALL


def is_month(text: str) -> bool:
    """Whether a text is a month or a quarter without its year.

    >>> is_month("März"), is_month("3月"), is_month("Total")
    (True, True, False)
    """
    return len(text) <= _LONGEST_PADDED and _is_short_month(text)


@lru_cache(maxsize=_CACHED)
def _is_short_month(text: str) -> bool:
    plain = fold_text(strip_marks(text)).strip(" .")
    return plain in MONTHS or plain in _QUARTERS or bool(_MONTH_NUMBER.fullmatch(plain))


def strip_marks(text: str) -> str:
    """A label without footnote marks and flags at its end.

    >>> strip_marks("2018 [r]"), strip_marks("2019 (p)"), strip_marks("Total [note 2]")
    ('2018', '2019', 'Total')
    """
    text = text.strip()
    # A digit ends no mark.
    if len(text) > _LONGEST_NUMBER or text[-1:].isdecimal():
        return text
    return _LABEL_MARKS.sub("", text) or text


def find_years(text: str) -> list[int]:
    """All years in a text.

    >>> find_years("Pupils 2015-2019, by school"), find_years("tel. 030 20191")
    ([2015, 2019], [])
    >>> find_years("31.12.2015"), find_years("1.2015"), find_years("2018/19"), find_years("oct-19")
    ([2015], [], [2018], [2019])
    >>> find_years("平成28年"), find_years("2021.03"), find_years("٢٠١٩")
    ([2016], [2021], [2019])
    >>> find_years("Orders, 2021 (2015 = 100)"), find_years("20201)"), find_years("20201")
    ([2021], [2020], [])
    >>> find_years("P19_POP1529"), find_years("pop2019"), find_years("Charter of 1529")
    ([], [2019], [1529])
    """
    if not _DIGIT.search(text):
        return []
    if not text.isascii():
        text = text.translate(_DIGITS)
    if "=" in text:
        text = _BASE_YEAR.sub(" ", text)
    found = [int(year) for year in _YEARS_IN.findall(text)]
    # A year after a dot is a fraction, unless the text is a date.
    if not found and len(text) <= _LONGEST_NUMBER and (match := _DATE_YEAR.fullmatch(text.strip())):
        found = [int(match[1])]
    if not found and (match := _YEAR_AND_MONTH.fullmatch(text.strip())):
        found = [int(match[1])]
    if not found and len(text) <= _LONGEST_NUMBER and (year := _find_short_year(fold_text(text))):
        found = [year]
    if not found and "年" in text:
        eras = _ERA.findall(text)
        found = [_ERA_BEGINS[era] + (1 if year == "元" else int(year)) for era, year in eras]
    return [year for year in found if year <= _LATEST_YEAR]


def is_year_and_month(text: str) -> bool:
    """Whether a text is a year and a month that could also be a decimal number.

    >>> is_year_and_month("2021.03"), is_year_and_month("2021.3"), is_year_and_month("1204.03")
    (True, False, False)
    """
    return bool(_YEAR_AND_MONTH.fullmatch(text.strip()))


def parse_date(text: str) -> date | None:
    """The date of an unambiguous text (year-month-day or day.month.year), or None."""
    text = text.strip()
    if match := _ISO_DATE.fullmatch(text):
        parts = (int(match[1]), int(match[2]), int(match[3]))
    elif match := _DOTTED_DATE.fullmatch(text):
        parts = (int(match[3]), int(match[2]), int(match[1]))
    else:
        return None
    try:
        return date(*parts)
    except ValueError:
        return None


def parse_datetime(text: str) -> datetime | None:
    """The date and time of a text in ISO 8601, or None."""
    text = text.strip()
    if not _ISO_TIME.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
