"""The values of the catalogue: datasets, tables, queries and their results."""

from dataclasses import dataclass, field
from typing import Any

from datahound.catalog.tables.columns import Cell, Field

__all__ = ["Entry", "Facets", "Field", "Hits", "Query", "Source", "Summary", "Table"]


@dataclass(frozen=True, slots=True)
class Source:
    """A file that the crawl kept, and where it was linked."""

    url: str
    path: str
    """Relative to the folder `files`."""
    title: str = ""
    """The text of the link."""
    page: str = ""
    page_title: str = ""
    mime_type: str = ""
    bytes: int = 0
    sha256: str = ""
    last_modified: str = ""
    found_at: str = ""
    dataset_title: str = ""
    """The title that a portal gives to the dataset of the file; '' where no list names it."""
    description: str = ""
    licence: str = ""
    publisher: str = ""
    source_modified: str = ""
    """When the portal says that the file or its dataset was changed."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A dataset: one kept file under the URL where it was found."""

    id: int
    url: str
    path: str
    title: str
    link_title: str
    page: str
    page_title: str
    section: str
    mime_type: str
    format: str
    encoding: str
    delimiter: str
    bytes: int
    sha256: str
    found_at: str
    last_modified: str
    first_year: int | None
    last_year: int | None
    places: list[str]
    tables: int
    statistics: int
    rows: int
    family: int
    error: str
    dataset_title: str = ""
    """The title that a portal gives to the dataset of the file; '' where no list names it."""
    description: str = ""
    licence: str = ""
    publisher: str = ""
    source_modified: str = ""
    """When the portal says that the file or its dataset was changed."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table in a dataset."""

    id: int
    dataset: int
    number: int
    place: str
    """Where it is, for people to read."""
    address: dict[str, Any]
    """Where it is, for `table_reader.read_table`."""
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
    unit: str = ""
    notes: str = ""
    """Sources, footnotes and flags below the table."""


@dataclass(frozen=True, slots=True)
class Query:
    """A search; the defaults match every dataset."""

    text: str = ""
    formats: tuple[str, ...] = ()
    first_year: int | None = None
    last_year: int | None = None
    section: str | None = None
    statistics_only: bool = False
    family: int | None = None
    sort: str = "relevance"
    """relevance, title, newest or size."""


@dataclass(frozen=True, slots=True)
class Hits:
    """One page of the results of a search, and how many there are in total."""

    total: int
    entries: list[Entry]
    missing: list[str] = field(default_factory=list)
    """Words of the query that no dataset has; the others were searched."""
    partial: bool = False
    """Whether no dataset has all other words: then those with some of them are listed."""

    @property
    def remark(self) -> str:
        """What was searched in place of the query; '' if it was the query itself."""
        lost = f"found nowhere: {', '.join(self.missing)}" if self.missing else ""
        some = "no dataset has all words, these have some of them" if self.partial else ""
        return "; ".join(filter(None, [lost, some]))


@dataclass(frozen=True, slots=True)
class Facets:
    """Counts of datasets by format, section and year."""

    formats: dict[str, int]
    sections: dict[str, int]
    years: dict[int, int]
    """Datasets that cover each year."""
    statistics: int
    """Datasets with a statistics table."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Totals of the catalogue."""

    datasets: int
    tables: int
    statistics_tables: int
    targets_with_statistics: int
    errors: int
    rows: int
    bytes: int
    families: int
    first_year: int | None
    last_year: int | None
    formats: dict[str, int]

    @property
    def sd_yield(self) -> float:
        """The share of targets with at least one statistics table."""
        return self.targets_with_statistics / self.datasets if self.datasets else 0.0

    @property
    def mean_statistics(self) -> float:
        """Statistics tables per target."""
        return self.statistics_tables / self.datasets if self.datasets else 0.0
