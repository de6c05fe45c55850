"""Find the places that a table covers: countries, and the values of columns of places."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from datahound.catalog.tables.columns import Column
from datahound.text import fold_text

# A table of all municipalities is about its country, not about each of them.
_MAX_PLACES = 40
_PLACE_COLUMN = re.compile(
    r"\b(place|places|country|countries|region|regions|state|states|county|counties|city|cities|"
    r"town|towns|district|districts|municipalit(y|ies)|province|provinces|area|location|geo|geography|"
    r"territory|nation|ort|orte|land|lander|bundesland|kreis|gemeinde|stadt|gebiet|pays|departements?|"
    r"communes?|ville|territoire|lieu|pais|paises|provincia|municipio|ciudad|lugar|estado|paese|regione|"
    r"comune|citta|regiao|cidade|gmina|wojewodztwo|kraj|obec|plaats|gemeente|kommun|kommune|lan|fylke|"
    r"kunta|maakunta|ref_?area|reporter|partner)\b"
    r"|都道府県|市区町村|地域|地区|国|省|市|регион|страна|город|область|المنطقة|البلد|المدينة|지역|시도"
)
_TOTALS = frozenset(
    "total all ensemble insgesamt gesamt summe together totale * other others".split()
)


@dataclass(frozen=True, slots=True)
class _Countries:
    by_name: dict[str, str]
    by_code: dict[str, str]


def find_places(columns: Sequence[Column], names: Iterable[str], title: str) -> list[str]:
    """The places in the columns, the column names and the title of a table."""
    found: dict[str, None] = {}
    for column in columns:
        if column.type == "string" and not column.prose and not column.period:
            found.update(dict.fromkeys(_find_in_column(column)))
    known = _load_countries().by_name
    for name in names:
        if country := known.get(fold_text(name).strip()):
            found[country] = None
    found.update(dict.fromkeys(_find_in_text(title)))
    return list(found)[:_MAX_PLACES]


def _find_in_column(column: Column) -> list[str]:
    values = [str(value).strip() for value in column.values if value is not None]
    if not values:
        return []
    countries = _load_countries()
    named = [countries.by_name.get(fold_text(value)) for value in values]
    coded = [countries.by_code.get(value) for value in values]
    called = bool(_PLACE_COLUMN.search(re.sub(r"[\W_]+", " ", fold_text(column.name))))
    for matches in (named, coded):
        hits = [match for match in matches if match]
        # Two-letter codes are also words (`IT`, `DE`): few of them are no evidence without a name.
        enough = len(hits) > len(values) / 2 and (len(hits) > 1 or called or matches is named)
        if enough and (matches is named or called or len(hits) > 2):
            return hits
    if called and sum(map(len, values)) <= 40 * len(values):
        return [v for v in values if not v.isdecimal() and fold_text(v) not in _TOTALS]
    return [match for match in named if match]


def _find_in_text(text: str) -> list[str]:
    """The countries that a text names."""
    words = re.findall(r"[^\W\d_]+(?:[-' ][^\W\d_]+)*", text)
    known = _load_countries().by_name
    found = []
    for phrase in words:
        parts = phrase.split(" ")
        # The longest names first: "Republic of Korea" before "Korea".
        for length in (3, 2, 1):
            for begin in range(len(parts) - length + 1):
                part = " ".join(parts[begin : begin + length])
                country = known.get(fold_text(part))
                # `chad` and `turkey` are common nouns in lower case.
                if country and (part[:1].isupper() or not part.isascii()):
                    found.append(country)
    return found


@cache
def _load_countries() -> _Countries:
    by_name: dict[str, str] = {}
    by_code: dict[str, str] = {}
    text = (files("datahound.catalog.tables") / "countries.txt").read_text("utf-8")
    for line in text.splitlines():
        two, three, names = line.split(" ", 2)
        name = names.split("|")[0]
        by_code[two] = by_code[three] = name
        by_name.update({fold_text(other): name for other in names.split("|")})
    return _Countries(by_name, by_code)
