"""Write every table of a catalogue into a file, each by a sandboxed worker."""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Self

from datahound.catalog.catalog import Entry, Table
from datahound.catalog.exports.crawled import Job, Outcome
from datahound.catalog.exports.folder import ExportFolder
from datahound.catalog.readers.task import Limits, Unreadable
from datahound.catalog.table_reader import read_table
from datahound.catalog.tables.cells import Value
from datahound.catalog.tables.layout import Row
from datahound.errors import StorageError
from datahound.sandbox import Failure, OutOfTime, Workers
from datahound.sandbox import Job as WorkerJob
from datahound.text import claim_name, hash_text, make_slug, replace_surrogates, show_text

FOLDER = "tables"
_VERSION = "1"
"""Version of the written files; a new one makes all tables again."""
_MAX_NAME = 200
# Reading a table again takes longer than profiling it, since every row is converted.
_MIN_SECONDS, _BYTES_PER_SECOND = 300.0, 100_000
_THREADS = 4
_TOO_SLOW = "took too long to read again"


@dataclass(frozen=True, slots=True)
class Exported:
    """A table, its origin, and the name of its file."""

    entry: Entry
    table: Table
    source: Path
    name: str
    software: str

    @property
    def made_of(self) -> str:
        """A hash that differs when the file must be written again."""
        parts = [_VERSION, self.provenance(), self.table.address, self.table.rows]
        return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def provenance(self) -> dict[str, str]:
        """The origin of the table as printable texts."""
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
    def open_rows(self) -> Iterator[tuple[list[str], Iterator[list[Value]]]]:
        """Unique column names, and rows of that width."""
        with convert_errors():
            reader = read_table(self.source, self.table.address)
        with closing(reader):
            names = make_column_names(reader.header)
            yield names, _pad_rows(reader.rows, len(names))


Write = Callable[[Exported, Path], None]
"""Writes a table into the draft of its file."""


def write_tables(
    job: Job, folder: ExportFolder, ending: str, write: Write, outcome: Outcome
) -> Iterator[Exported]:
    """Write every table into a file of its own; yields those that have one."""
    outcome.written["tables"] = 0
    total = job.require_catalog().summary().tables
    for number, exported in enumerate(_list_tables(job, ending, outcome)):
        job.progress("writing tables", number, 0 if job.statistics_only else total)
        try:
            if not folder.has(exported.name, exported.made_of):
                with folder.write_file(exported.name, exported.made_of) as draft:
                    write(exported, draft)
        except Unreadable as error:
            outcome.left_out += 1
            job.tell(f"{show_text(exported.entry.url)}, {show_text(exported.table.place)}: {error}")
            continue
        outcome.written["tables"] += 1
        yield exported


class TableWorker:
    """Writes tables in a sandboxed worker; use it as a context."""

    def __init__(self, module: str, scratch: Path) -> None:
        self._module = module
        """The module whose `write_table` is called."""
        self._scratch = scratch
        self._pool = Workers(f"{__name__}:write_payload", scratch, 1, _THREADS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._pool.__exit__()
        finally:
            shutil.rmtree(self._scratch, ignore_errors=True)

    def write(self, exported: Exported, draft: Path) -> None:
        """Write a table into the draft of its file."""
        size = exported.entry.bytes
        seconds = _MIN_SECONDS + size / _BYTES_PER_SECOND
        payload = (self._module, exported, draft)
        job = WorkerJob(0, payload, seconds, Limits().memory_bytes + size)
        ((_, answer),) = self._pool.run_all([job])
        if isinstance(answer, Failure):
            died = "breaks its reader, or needs too much memory"
            raise Unreadable(_TOO_SLOW if answer.too_slow else died)
        if reason := answer.get("unreadable"):
            raise Unreadable(reason)
        if reason := answer.get("storage"):
            raise StorageError(reason)


def write_payload(payload: tuple[str, Exported, Path], _scratch: Path) -> dict[str, str]:
    """Write a table inside a worker; the answer is empty, or names the kind of error."""
    module, exported, draft = payload
    try:
        import_module(module).write_table(exported, draft)
    except Unreadable as error:
        return {"unreadable": str(error)}
    except StorageError as error:
        return {"storage": str(error)}
    except OutOfTime:
        return {"unreadable": _TOO_SLOW}
    except MemoryError:
        return {"unreadable": "needs more memory than is allowed"}
    except Exception as error:  # noqa: BLE001 the outermost loop: a hostile file breaks libraries
        return {"unreadable": f"could not be written: {type(error).__name__}"}
    return {}


def make_column_names(header: Iterable[object]) -> list[str]:
    r"""Printable names for all columns, unique in any case.

    >>> make_column_names(["Year", "", "year", "a\x00b"])
    ['Year', 'column_2', 'year_2', 'ab']
    """
    taken: set[str] = set()
    named = [show_text(name if name is not None else "", _MAX_NAME) for name in header]
    return [claim_name(name or f"column_{n}", taken, "_") for n, name in enumerate(named, 1)]


@contextmanager
def convert_errors() -> Iterator[None]:
    """Raise whatever a hostile file makes a library raise as `Unreadable`, in one line."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit, OutOfTime, Unreadable):
        raise
    except BaseException as error:  # noqa: BLE001 libraries in Rust panic past Exception
        reason = show_text(error, 200) or type(error).__name__
        raise Unreadable(f"could not be read again: {reason}") from None


def _list_tables(job: Job, ending: str, outcome: Outcome) -> Iterator[Exported]:
    catalog = job.require_catalog()
    taken: set[str] = set()
    contents: set[str] = set()
    for entry in catalog.entries():
        if not entry.tables or (job.statistics_only and not entry.statistics):
            continue
        # Twins would be written twice under two names.
        if entry.sha256 and entry.sha256 in contents:
            continue  # the same file under another URL
        contents.add(entry.sha256)
        source = job.crawled.file(entry.path)
        if source is None:
            outcome.left_out += entry.tables
            job.tell(f"{show_text(entry.url)}: its file is missing")
            continue
        for table in catalog.tables(entry.id):
            if table.statistics or not job.statistics_only:
                name = f"{FOLDER}/{claim_name(_make_stem(entry, table), taken)}{ending}"
                yield Exported(entry, table, source, name, job.crawled.software)


def _make_stem(entry: Entry, table: Table) -> str:
    """A file name that does not depend on the other tables of the export."""
    named = make_slug(PurePosixPath(entry.path).stem.split("~")[0], 60) or "table"
    # The hash keeps the same name from run to run, whatever other files there are.
    return f"{named}-{hash_text(entry.url)}-{table.number + 1}"


def _pad_rows(rows: Iterable[Row], width: int) -> Iterator[list[Value]]:
    iterator = iter(rows)
    while True:
        with convert_errors():
            row = next(iterator, None)
        if row is None:
            return
        cells = list(row[:width])
        yield cells if len(cells) == width else cells + [None] * (width - len(cells))
