"""Parse the text of a cell: a number, a date, a period, or a missing value."""

import re
from datetime import date, datetime

from datahound.text import fold_text

Value = str | int | float | bool | date | None

_MISSING = frozenset(
    """- – — -- --- : .. ... … . * ** x (x) n/a na n.a. n.a nan null none nil #n/a (na) / s.o. nd
    n.d. k.a. k.a ･ － ‐ ‑ − *** unknown missing nicht verfügbar #ref! #value! #div/0! c (c) (s) (d)
    <na> s z (z) [x] [z] [c] [u] [w] [low] :c :u (:)  (..) # ## ### ×""".split()
)
_NUMBER = re.compile(
    r"[-+−–]?\s?[$€£¥₹]?\s?(?:\d{1,3}(?:[ ,.'’]\d{3})+|\d+)?(?:[.,]\d+)?(?:[eE][-+]?\d{1,3})?"
    r"\s?(?:%|‰|€|\$)?"
)
# Marks that follow a figure: footnotes, and flags such as provisional or estimated.
_MARKS = re.compile(
    r"(?<=[\d%])(?:\s?[*†‡¹²³⁴⁵⁶⁷⁸⁹⁰ʳᵖᵉ]+|\s?\(\w{1,2}\)|\s?\[\w{1,3}\]|\s\d{1,2}\)|\s[a-zA-Z]{1,2})$"
)
# The same marks after a period or a label, where notes are longer: "2018 [note 3]".
_LABEL_MARKS = re.compile(
    r"(?:\s{0,40}(?:[*†‡¹²³⁴⁵⁶⁷⁸⁹⁰ʳᵖᵉ]{1,40}|\(\w{1,4}\.?\)|\[\w{1,6}(?: \d{1,2})?\])|\s\d{1,2}\)|"
    r"\s[a-zA-Z]|(?<=\d)[pre])$"
)
_BLANKS = re.compile(r"[\s\u00a0\u202f\u2009\u2007]+")
_GROUPS_COMMA = re.compile(r"\d{1,3}(?:,\d{3})+")
_GROUPS_DOT = re.compile(r"\d{1,3}(?:\.\d{3})+")
_DECIMAL_COMMA = re.compile(r"\d,(?:\d{1,2}|\d{4,})\s?%?$|\d\.\d{3},\d|^[-+]?0,\d")
_DECIMAL_DOT = re.compile(r"\d\.(?:\d{1,2}|\d{4,})\s?%?$|\d,\d{3}\.\d|^[-+]?0\.\d")
# Longer texts of digits are keys; regular expressions on them would be slow.
_LONGEST_NUMBER = 40
_ISO_DATE = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})")
_DOTTED_DATE = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_ISO_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[-+]\d\d:?\d\d)?")
_YEAR = re.compile(r"(?:1[5-9]\d\d|20\d\d|2100)")
_MONTH = (
    r"(?:jan|feb|mar|apr|mai|may|maj|mei|jun|jui|jul|aug|sep|okt|oct|nov|dec|dez|dic|ene|abr|ago|gen|"
    r"fev|avr|aou|set|out|mrz|mag|giu|lug|ott|sty|lut|kwi|cze|lip|sie|wrz|paz|lis|gru)[a-z]{0,8}\.?"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th|er|[.ºª°])?"
_PERIOD = re.compile(
    r"(?:fy\s?)?(?:1[5-9]\d\d|20\d\d|2100)\s?[a-z]?"
    r"(?:\s?[-/.–]\s?(?:\d{1,2}|(?:1[5-9]\d\d|20\d\d|2100)))?(?:[-/.]\d{1,2})?"
    r"|(?:1[5-9]\d\d|20\d\d|2100)[-/ .]?[qtmwkhs]\s?\d{1,2}"
    r"|[qtkhs][1-4][-/ .]{0,2}(?:1[5-9]\d\d|20\d\d|2100)"
    r"|(?:1[5-9]\d\d|20\d\d|2100)\s?[年년]?(?:\s?\d{1,2}\s?[月월](?:\s?\d{1,2}\s?[日일])?)?"
    r"|(?:1[5-9]\d\d|20\d\d|2100)\s?年度"
    rf"|(?:{_DAY}[-. ]?\s?(?:de |of )?)?{_MONTH}[-/ ,.]*(?:de |del )?(?:{_DAY},?\s)?"
    r"(?:1[5-9]\d\d|20\d\d|2100|\d\d)"
    rf"|(?:1[5-9]\d\d|20\d\d|2100)[-/ ]{_MONTH}"
    r"|\d{1,2}[-/.]\d{1,2}[-/.](?:1[5-9]\d\d|20\d\d|2100|\d\d)"
    r"|(?:0?[1-9]|1[0-2])[-/.](?:1[5-9]\d\d|20\d\d|2100)"
    r"|(?:1st|2nd|3rd|4th|[1-4]\.?º?) (?:quarter|quartal|trimestre|kwartal|kwartaal),?"
    r" (?:de |del )?(?:1[5-9]\d\d|20\d\d|2100)"
)
# Words that stand beside a year, a month or a day in a period, in the order of languages.
_PERIOD_WORDS = frozenset(
    """q t k h s m w y fy cy qtr quarter quarters quartal vierteljahr vj hj halbjahr trim trimestre
    trimestres semestre kwartal kwartaal kw kwart half to bis a al au do bis of de del des du di da
    dal the and y e et und i en st nd rd th er year years ending ended end jahr jahre jahresende
    annee annees ano anos anno anni rok roku lata exercice wirtschaftsjahr schuljahr season week
    woche semaine semana settimana tydzien mid early late at as on am stand vom po per since from
    first second third fourth i ii iii iv vi vii viii ix xi xii average avg mean annual total
    ytd est prov p r 年 年度 月 日 四半期 第 期 平均 末 년 월 분기""".split()
)
_TOKEN = re.compile(r"\d+|[^\W\d_]+")
_MONTH_NAME = re.compile(_MONTH.removesuffix(r"\.?"))
_MAX_DAY, _MAX_SMALL = 53, 3
_MONTHS = frozenset(
    """january february march april may june july august september october november december
    januar februar marz mai juni juli oktober dezember janvier fevrier mars avril juin juillet aout
    septembre octobre novembre decembre enero febrero marzo abril mayo junio julio agosto septiembre
    octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre ottobre
    dicembre janeiro fevereiro marco maio junho julho setembro outubro novembro dezembro styczen
    luty marzec kwiecien maj czerwiec lipiec sierpien wrzesien pazdziernik listopad grudzien januari
    februari maart mei augustus jan feb mar apr jun jul aug sep sept oct okt nov dec dez i ii iii iv
    q1 q2 q3 q4""".split()
)
_MONTH_NUMBER = re.compile(r"\d{1,2}\s?[月월]|第?[1-4]四半期")
_YEARS_IN = re.compile(r"(?<![\d.,])(1[5-9]\d\d|20\d\d|2100)(?![\d]|[.,]\d)")
_DATE_YEAR = re.compile(r"\d{1,2}\.\d{1,2}\.(1[5-9]\d\d|20\d\d|2100)\b.{0,12}")
_LATEST_YEAR = 2100


def is_missing(text: str) -> bool:
    """Whether a text marks a missing value.

    >>> is_missing(" n/a "), is_missing(".."), is_missing("0")
    (True, True, False)
    """
    text = text.strip().lower()
    return not text or text in _MISSING


def parse_number(text: str, decimal: str = ".") -> int | float | None:
    """The number that a text represents, or None.

    >>> [parse_number(text) for text in ("1,234.5", "12 %", "(1,200)", "7 p", "A12")]
    [1234.5, 12, -1200, 7, None]
    >>> parse_number("1 234,5", ","), parse_number("1.234", ","), parse_number("0049 30 1234")
    (1234.5, 1234, None)
    """
    text = text.strip()
    if not text or len(text) > _LONGEST_NUMBER or text[0].isalpha():
        return None
    # Most figures are plain digits.
    if text.isascii() and text.isdecimal():
        return int(text)
    sign = 1
    # Accountants write negative numbers in parentheses.
    if text[0] == "(" and text[-1] == ")":
        text, sign = text[1:-1], -1
    text = _BLANKS.sub(" ", _MARKS.sub("", text))
    if not _NUMBER.fullmatch(text) or not any(map(str.isdecimal, text)):
        return None
    text = text.strip("$€£¥₹%‰ +").replace("−", "-").replace("–", "-")
    text = text.replace("$", "").replace("€", "").replace(" ", "").replace("'", "").replace("’", "")
    plain = _normalize_number(text, decimal)
    try:
        value = float(plain)
        if value.is_integer() and "." not in plain and "e" not in plain.lower():
            return sign * int(plain)
    except (ValueError, OverflowError):
        return None
    return sign * value


def _normalize_number(text: str, decimal: str) -> str:
    """A number without thousands separators and with a decimal point."""
    comma, dot = text.rfind(","), text.rfind(".")
    # With both marks, the last one is the decimal mark.
    if comma >= 0 and dot >= 0:
        decimal = "," if comma > dot else "."
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
    """
    commas = sum(1 for text in texts if _DECIMAL_COMMA.search(text))
    dots = sum(1 for text in texts if _DECIMAL_DOT.search(text))
    return "," if commas > dots else "."


def parse_year(value: Value) -> int | None:
    """The year that a value is, from 1500 to 2100, or None."""
    if isinstance(value, str):
        text = strip_marks(value).strip("()") if len(value) > 4 else value
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
    """
    text = strip_marks(text)
    if len(text) > _LONGEST_NUMBER or not any(map(str.isdecimal, text)):
        return False
    plain = fold_text(text)
    return bool(
        _PERIOD.fullmatch(plain)
        or _ISO_TIME.fullmatch(text)
        or parse_date(text)
        or _has_period_words(plain)
    )


def _has_period_words(plain: str) -> bool:
    """Whether a text is a year or two with words of periods only: "Jan to Mar 2019"."""
    tokens = _TOKEN.findall(plain)
    years = [token for token in tokens if _YEAR.fullmatch(token)]
    if not 0 < len(years) <= 2 or len(tokens) == len(years):
        return False
    small = [t for t in tokens if t.isdecimal() and len(t) <= 2 and int(t) <= _MAX_DAY]
    words = [t for t in tokens if not t.isdecimal()]
    known = all(w in _PERIOD_WORDS or _MONTH_NAME.fullmatch(w) for w in words)
    rest = len(tokens) - len(years) - len(small) - len(words)
    return bool(words) and known and not rest and len(small) <= _MAX_SMALL


def is_month(text: str) -> bool:
    """Whether a text is a month or a quarter without its year.

    >>> is_month("März"), is_month("3月"), is_month("Total")
    (True, True, False)
    """
    plain = fold_text(strip_marks(text)).strip(" .")
    return plain in _MONTHS or bool(_MONTH_NUMBER.fullmatch(plain))


def strip_marks(text: str) -> str:
    """A label without footnote marks and flags at its end.

    >>> strip_marks("2018 [r]"), strip_marks("2019 (p)"), strip_marks("Total [note 2]")
    ('2018', '2019', 'Total')
    """
    text = text.strip()
    return _LABEL_MARKS.sub("", text) or text if len(text) <= _LONGEST_NUMBER else text


def find_years(text: str) -> list[int]:
    """All years in a text.

    >>> find_years("Pupils 2015-2019, by school"), find_years("tel. 030 20191")
    ([2015, 2019], [])
    >>> find_years("31.12.2015"), find_years("1.2015"), find_years("2018/19")
    ([2015], [], [2018])
    """
    found = [int(year) for year in _YEARS_IN.findall(text)]
    # A year after a dot is a fraction, unless the text is a date.
    if not found and len(text) <= _LONGEST_NUMBER and (match := _DATE_YEAR.fullmatch(text.strip())):
        found = [int(match[1])]
    return [year for year in found if year <= _LATEST_YEAR]


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
