"""Profile a table: its columns, years, places, and whether it holds statistics."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Any

from datahound.catalog.tables.captions import is_metadata
from datahound.catalog.tables.cells import Value, detect_decimal_mark, find_years, is_period
from datahound.catalog.tables.column_counts import ColumnCounts
from datahound.catalog.tables.columns import Cell, Column, Field, describe_columns
from datahound.catalog.tables.header import count_filled
from datahound.catalog.tables.layout import Layout, Row
from datahound.catalog.tables.statistics import has_measure, is_statistics
from datahound.text import fold_text

SAMPLE_ROWS = 20
_SAMPLE_TEXT = 200
_FIELD_VALUES = 12
# Rows are counted in chunks, so that the memory does not grow with the table.
_CHUNK = 4000
_FIRST_CHUNK = 300
_MAX_TERMS = 3000
_MIN_SERIES_WORDS, _MIN_LABEL_WORDS = 4, 2
# Names of columns that say what the rows are about.
_ABOUT = re.compile(
    r"\b(statisti[ckq]\w*|estadistica|indicat\w*|indikat\w*|indicad\w*|wskaznik|dataset|subject|topic|"
    r"series|serie|domain|variable|variavel|titel|title|titre|titulo|titolo|libelle|survey|cube)\b"
)
# The names of series by month: MO012020.
_CODED_MONTH = re.compile(r"[A-Za-z]{1,3}(?:0[1-9]|1[0-2])((?:19|20)\d\d)")


@dataclass(slots=True)
class TableProfile:
    """What the catalogue stores of a table; `address` is where its rows can be read again."""

    place: str
    address: dict[str, Any]
    title: str
    rows: int
    columns: int
    number_share: float
    first_year: int | None
    last_year: int | None
    places: list[str]
    statistics: bool
    fields: list[Field]
    sample: list[list[Cell]]
    terms: list[str]
    """Lines above the table and values of dimensions, for the search index."""
    unit: str = ""
    """The line above the table that names its unit."""
    notes: str = ""
    """The lines below the table: sources, footnotes, flags."""


@dataclass(slots=True)
class Grid:
    """Rows of cells in which a reader found one or more tables."""

    place: str
    address: dict[str, Any]
    title: str = ""
    rows: Sequence[Row] = field(default_factory=list)
    named: bool = False
    """Whether the grid is exactly one table with the column names in its first row."""
    caption_years: Sequence[int] = ()
    """Years in the lines above the table, which hold where the table itself has none."""
    unit: str = ""
    notes: str = ""
    """What the reader found above and below the table."""
    cube: bool = False
    """Whether the format says that the last column measures what the others distinguish."""


def profile_table(grid: Grid, layout: Layout, most_columns: int = 1000) -> TableProfile:
    """Profile one table of a grid."""
    names = layout.names[:most_columns]
    left, right = layout.left, layout.left + len(names)
    body: Iterator[Row] = islice(grid.rows, layout.first, layout.last)
    if layout.blank_rows:
        body = (row for row in body if count_filled(row))
    counts, decimal, sample = _count_cells(body, left, right)
    columns = describe_columns(names, counts, decimal)
    address = grid.address | {
        "first": layout.first,
        "last": layout.last,
        "left": left,
        "decimal": decimal,
    }
    described = Grid(grid.place, address, layout.title or grid.title)
    described.caption_years = layout.caption_years or grid.caption_years
    judged = has_measure(columns, layout.rows) if grid.cube else None
    found = make_profile(described, columns, layout.rows, sample, judged=judged)
    # Readers may know another line than the title: that of the other language, or of the survey.
    other = [line for line in layout.lines if line != found.title]
    title = found.title or _name_series(columns)
    return replace(
        found,
        title=title,
        unit=layout.unit or grid.unit,
        notes=layout.notes or grid.notes,
        terms=[*other, *found.terms],
    )


def _count_cells(
    body: Iterator[Row], left: int, right: int
) -> tuple[list[ColumnCounts], str, list[list[Cell]]]:
    """The counts of each column, the decimal mark of its texts, and the first rows."""
    head = _pad_rows(list(islice(body, _FIRST_CHUNK)), left, right)
    decimal = detect_decimal(head)
    sample = [[to_plain(cell) for cell in row] for row in head[:SAMPLE_ROWS]]
    counts = [ColumnCounts() for _ in range(left, right)]
    while head:
        for count, values in zip(counts, zip(*head, strict=True), strict=True):
            count.add(values)
        head = _pad_rows(list(islice(body, _CHUNK)), left, right)
    return counts, decimal, sample


def _name_series(columns: Sequence[Column]) -> str:
    """The title that a table without one has in its columns: what all rows are about.

    That is a label such as `Statistic: Population estimates`, or the long name of the only measure.
    """
    measures = [column.name for column in columns if column.role == "measure"]
    for column in columns if measures else ():
        label = str(column.values[0]) if column.distinct == 1 and column.values else ""
        named = _ABOUT.search(re.sub(r"[\W_]+", " ", fold_text(column.name)))
        if named and len(label.split()) >= _MIN_LABEL_WORDS:
            return label
    name = measures[0].split(" / ")[0] if len(measures) == 1 else ""
    return name if len(name.split()) >= _MIN_SERIES_WORDS else ""


def make_profile(
    grid: Grid,
    columns: Sequence[Column],
    rows: int,
    sample: list[list[Cell]],
    *,
    judged: bool | None = None,
) -> TableProfile:
    """The profile of a table whose columns are known.

    `judged` is the verdict on statistics if it was reached on a part of the rows.
    """
    names = [column.name for column in columns]
    years = _find_years(columns, names, grid.title, list(grid.caption_years))
    address = grid.address | {"names": names, "types": [column.type for column in columns]}
    return TableProfile(
        grid.place,
        address,
        grid.title,
        rows,
        len(columns),
        _share_numbers(columns),
        min(years, default=None),
        max(years, default=None),
        find_places(columns, names, grid.title),
        is_statistics(columns, rows) if judged is None else judged,
        [Field(c.name, c.type, c.nulls, c.role, c.values[:_FIELD_VALUES]) for c in columns],
        sample,
        _collect_terms(columns),
    )


def _collect_terms(columns: Sequence[Column]) -> list[str]:
    """The distinct values of dimensions; of many, as many of each column as fit."""
    found = [
        list(dict.fromkeys([str(v) for v in c.values if v is not None] + list(c.terms)))
        for c in columns
        if c.role == "dimension"
    ]
    # Short columns leave their room to long ones.
    most, room = 0, _MAX_TERMS
    for left, length in zip(range(len(found), 0, -1), sorted(map(len, found)), strict=True):
        most = max(most, room // left)
        room -= min(length, most)
    return [term for values in found for term in values[:most]]


def _share_numbers(columns: Sequence[Column]) -> float:
    filled = sum(column.filled for column in columns)
    return round(sum(column.numbers for column in columns) / filled, 4) if filled else 0.0


def detect_decimal(head: Iterable[Sequence[Value]]) -> str:
    """The decimal mark of the texts in these rows."""
    return detect_decimal_mark([cell for row in head for cell in row if isinstance(cell, str)])


def to_plain(cell: Value) -> Cell:
    """A cell as a value that JSON can hold."""
    if cell is None or cell == "":
        return None
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float):
        # True of NaN and the infinities alone, which JSON can't hold.
        if cell - cell != 0:
            return None
        return int(cell) if cell.is_integer() and abs(cell) < 1e15 else cell
    if isinstance(cell, int):
        # JavaScript and many JSON parsers read larger integers inexactly.
        return cell if abs(cell) < 1 << 53 else str(cell)[:_SAMPLE_TEXT]
    if isinstance(cell, date):
        return cell.isoformat()
    # Lone surrogates can't be stored as UTF-8.
    return str(cell)[:_SAMPLE_TEXT].encode("utf-8", "replace").decode()


def _find_years(
    columns: Sequence[Column], names: Sequence[str], title: str, caption: list[int]
) -> list[int]:
    """The years that columns are of, or else those in columns; only without any, of the title."""
    across = [year for name in names for year in _read_period(name)]
    dated = [c for c in columns if c.first_year and c.last_year]
    if len(set(across)) > 1 or (across and not dated):
        return across
    # Beside a column of periods, dates of updates say nothing about the figures.
    dated = [c for c in dated if not is_metadata(c.name)] or dated
    # So do days beside years.
    dated = [c for c in dated if c.type == "year"] or dated
    found = [year for c in dated for year in (c.first_year, c.last_year) if year]
    measured = [c.name for c in columns if c.role == "measure"]
    found = found or [year for name in measured for year in find_years(name)]
    # What a region was called as of a year says least of the time of its figures.
    return found or find_years(title) or caption or [y for name in names for y in find_years(name)]


def _read_period(name: str) -> list[int]:
    """The years of a part of a name that is a period: `Total / 2019`."""
    if match := _CODED_MONTH.fullmatch(name):
        return [int(match[1])]
    return next((find_years(part) for part in name.split(" / ") if is_period(part)), [])


def _pad_rows(rows: list[Row], left: int, right: int) -> list[Row]:
    """Rows cut or padded to the columns of the table."""
    width = right - left
    if not left and set(map(len, rows)) <= {width}:
        return rows
    cut = [row[left:right] for row in rows]
    if set(map(len, cut)) <= {width}:
        return cut
    return [[*row, *[None] * (width - len(row))] for row in cut]


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
        # Two-letter codes are also words (`IT`, `DE`): few of them prove nothing without a name.
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
