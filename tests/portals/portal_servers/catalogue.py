"""A made-up catalogue: datasets with titles, licences, files and tables, the same for each seed."""

import random
from dataclasses import dataclass
from functools import cache

ELSEWHERE = "http://files.elsewhere.example"
"""Host of files that a portal names without having them."""
_TOPICS = (
    "rivers schools budgets forests prices bridges harvests tenders births museums "
    "accidents vaccinations trams permits wells salaries libraries floods"
).split()
_PLACES = "Ahlen Brovik Castelo Dunmore Elsdorf Fontana Gärtringen Hólmar Ibarra Jökull".split()
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_KINDS = (
    ("csv", "CSV", "text/csv", b""),
    ("xlsx", "XLSX", _SHEET, b"PK\3\4"),
    ("zip", "ZIP", "application/zip", b"PK\3\4"),
    ("pdf", "PDF", "application/pdf", b"%PDF-1.7\n"),
    ("geojson", "GeoJSON", "application/geo+json", b'{"type":"FeatureCollection","features":[]}'),
    ("ods", "ODS", "application/vnd.oasis.opendocument.spreadsheet", b"PK\3\4"),
)  # fmt: skip
_LICENCES = (
    ("cc-by", "Creative Commons Attribution", "https://creativecommons.org/licenses/by/4.0/"),
    ("cc-zero", "Creative Commons CCZero", "https://creativecommons.org/publicdomain/zero/1.0/"),
    ("odc-odbl", "Open Data Commons Open Database License (ODbL)",
     "https://opendatacommons.org/licenses/odbl/"),
    ("notspecified", "License not specified", ""),
)  # fmt: skip


@dataclass(frozen=True)
class File:
    """A file of a dataset."""

    number: int
    name: str
    title: str
    format: str
    mime_type: str
    size: int
    is_elsewhere: bool

    @property
    def body(self):
        """The bytes, which begin as files of their type do."""
        begin = next(begin for end, _, _, begin in _KINDS if self.name.endswith(f".{end}"))
        if not begin:
            begin = b"place,year,value\n"
            fill = f"Ahlen,2024,{self.number}\n".encode()
        else:
            fill = f" {self.number}".encode()
        return (begin + fill * (self.size // len(fill) + 1))[: max(self.size, len(begin))]


@dataclass(frozen=True)
class Dataset:
    """A dataset: what portals say of it, its files and its table."""

    number: int
    name: str
    title: str
    description: str
    licence: tuple[str, str, str]
    modified: str
    files: tuple[File, ...]
    places: tuple[str, ...]
    years: tuple[int, ...]

    @property
    def id(self):
        """32 hexadecimal digits, as in a UUID without hyphens."""
        return f"{self.number * 2654435761 % 2**32:08x}{self.number:024x}"

    @property
    def code(self):
        """Two words of four letters and digits."""
        return f"{self.id[:4]}-{self.number:04}"

    @property
    def own_files(self):
        """The files that the portal itself has."""
        return tuple(file for file in self.files if not file.is_elsewhere)

    @property
    def rows(self):
        """The table: a place, a year and a value per row."""
        return [
            (place, year, (self.number + 1) * (i + 1) % 9973 + year % 7)
            for i, place in enumerate(self.places)
            for year in self.years
        ]

    @property
    def csv(self):
        """The table as CSV."""
        return "place,year,value\n" + "".join(f"{p},{y},{v}\n" for p, y, v in self.rows)


@cache
def make_catalogue(count=1000, seed=23):
    """Datasets, of which some have no file, and some files are on another host."""
    chance = random.Random(seed)
    numbers = iter(range(10 * count + 10))
    return tuple(_make_dataset(number, chance, numbers) for number in range(count))


def _make_dataset(number, chance, numbers):
    topic, place = chance.choice(_TOPICS), chance.choice(_PLACES)
    name = f"{topic}-{place.lower()}-{number}".replace("ä", "ae").replace("ó", "o")
    name = name.replace("ö", "oe")
    title = f"{topic.capitalize()} in {place} & surroundings, part {number}"
    first = chance.randint(1990, 2015)
    count = chance.choices((0, 1, 2, 3, 6), (8, 60, 20, 9, 3))[0]
    return Dataset(
        number,
        name,
        title,
        f"What is known of {topic} in {place}.\n\nUpdated <b>yearly</b>; see “notes”.",
        chance.choice(_LICENCES),
        f"20{chance.randint(10, 25)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}",
        tuple(_make_file(next(numbers), name, title, chance) for _ in range(count)),
        tuple(_PLACES[: chance.randint(2, len(_PLACES))]),
        tuple(range(first, first + chance.randint(2, 9))),
    )


def _make_file(number, name, title, chance):
    end, format_, mime_type, begin = chance.choices(_KINDS, (50, 15, 10, 10, 10, 5))[0]
    return File(
        number,
        f"{name}-{number}.{end}",
        f"{title} as {format_}",
        format_,
        mime_type,
        max(len(begin), 40, int(chance.lognormvariate(7, 1))),
        chance.random() < 0.08,
    )
