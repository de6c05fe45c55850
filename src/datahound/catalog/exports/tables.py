"""The recognised tables of a crawl, one after the other, each read again from its file."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path, PurePosixPath

from datahound.catalog.catalog import Catalog, Entry, Table
from datahound.catalog.exports.crawled import Job, Outcome
from datahound.catalog.exports.folder import ExportFolder
from datahound.catalog.table_reader import read_table
from datahound.errors import InternalError
from datahound.text import claim_name, hash_text, make_slug, replace_surrogates, show_text

Value = str | int | float | bool | date | None
Row = Sequence[Value]

FOLDER = "tables"
_VERSION = "1"
"""Of what is written: another one makes every table anew."""
_LONGEST_NAME = 200


class Unreadable(Exception):
    """A table can't be read again; the rest can."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A table, where it comes from, and the file that it becomes."""

    entry: Entry
    table: Table
    source: Path
    name: str
    software: str

    @property
    def made_of(self) -> str:
        """Changes when the file must be made anew."""
        parts = [_VERSION, self.provenance(), self.table.address, self.table.rows]
        return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def provenance(self) -> dict[str, str]:
        """Where the table comes from, as plain texts."""
        return {
            "url": replace_surrogates(self.entry.url),
            "page": replace_surrogates(self.entry.page or ""),
            "page_title": show_text(self.entry.page_title or ""),
            "title": show_text(self.entry.title or ""),
            "table_title": show_text(self.table.title or ""),
            "place": show_text(self.table.place or ""),
            "file": replace_surrogates(self.entry.path),
            "sha256": self.entry.sha256 or "",
            "found_at": self.entry.found_at or "",
            "last_modified": show_text(self.entry.last_modified or ""),
            "software": self.software,
        }

    @contextmanager
    def reading(self) -> Iterator[tuple[list[str], Iterator[list[Value]]]]:
        """Names of columns, made claim_name, and rows, all as long as those."""
        with unreadable():
            reader = read_table(self.source, self.table.address)
        with closing(reader):
            names = column_names(reader.header)
            yield names, _rows(reader.rows, len(names))


Write = Callable[[Exported, Path], None]
"""Writes a table as the draft of its file."""


def write_tables(
    job: Job, folder: ExportFolder, ending: str, write: Write, outcome: Outcome
) -> Iterator[Exported]:
    """Write every table into a file of its own; gives those that are there in the end."""
    outcome.written["tables"] = 0
    total = _catalog_of(job).summary().tables
    for number, exported in enumerate(_each_table(job, ending, outcome)):
        job.progress("writing tables", number, 0 if job.statistics_only else total)
        try:
            if not folder.has(exported.name, exported.made_of):
                with folder.making(exported.name, exported.made_of) as draft:
                    write(exported, draft)
        except Unreadable as error:
            outcome.left_out += 1
            job.tell(f"{show_text(exported.entry.url)}, {show_text(exported.table.place)}: {error}")
            continue
        outcome.written["tables"] += 1
        yield exported


def column_names(header: Iterable[object]) -> list[str]:
    r"""A header as names that are there, plain, and different from each other in any case.

    >>> column_names(["Year", "", "year", "a\x00b"])
    ['Year', 'column_2', 'year_2', 'ab']
    """
    taken: set[str] = set()
    named = [show_text(name if name is not None else "", _LONGEST_NAME) for name in header]
    return [claim_name(name or f"column_{n}", taken, "_") for n, name in enumerate(named, 1)]


@contextmanager
def unreadable() -> Iterator[None]:
    """Whatever a file does to the libraries that read it, as one line."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit, Unreadable):
        raise
    except BaseException as error:  # noqa: BLE001 libraries in Rust panic past Exception
        reason = show_text(error, 200) or type(error).__name__
        raise Unreadable(f"could not be read again: {reason}") from None


def _each_table(job: Job, ending: str, outcome: Outcome) -> Iterator[Exported]:
    catalog = _catalog_of(job)
    taken: set[str] = set()
    contents: set[str] = set()
    for entry in catalog.entries():
        if not entry.tables or (job.statistics_only and not entry.statistics):
            continue
        if entry.sha256 and entry.sha256 in contents:
            continue  # the same file, found at another address
        contents.add(entry.sha256)
        source = job.crawled.file(entry.path)
        if source is None:
            outcome.left_out += entry.tables
            job.tell(f"{show_text(entry.url)}: its file is missing")
            continue
        for table in catalog.tables(entry.id):
            if table.statistics or not job.statistics_only:
                name = f"{FOLDER}/{claim_name(_stem(entry, table), taken)}{ending}"
                yield Exported(entry, table, source, name, job.crawled.software)


def _catalog_of(job: Job) -> Catalog:
    if job.catalog is None:
        raise InternalError("tables are exported from a catalogue")
    return job.catalog


def _stem(entry: Entry, table: Table) -> str:
    """The same in every export, whatever else was found."""
    named = make_slug(PurePosixPath(entry.path).stem.split("~")[0], 60) or "table"
    return f"{named}-{hash_text(entry.url)}-{table.number + 1}"


def _rows(rows: Iterable[Row], width: int) -> Iterator[list[Value]]:
    iterator = iter(rows)
    while True:
        with unreadable():
            row = next(iterator, None)
        if row is None:
            return
        cells = list(row[:width])
        yield cells if len(cells) == width else cells + [None] * (width - len(cells))
