"""Compare two versions of data files, table by table, in sandboxed workers."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

from datahound.catalog.inspect import choose_worker_count, inspect_file, shorten_error
from datahound.catalog.readers.task import Limits, Task
from datahound.catalog.table_reader import read_table
from datahound.catalog.tables.difference import (
    TableDifference,
    TableVersion,
    compare_columns,
    compare_rows,
    load_rows,
)
from datahound.catalog.tables.profile import TableProfile
from datahound.errors import DatahoundError
from datahound.files import storage_errors
from datahound.machine import read_memory_bytes
from datahound.sandbox import Failure, Job, OutOfTime, Workers
from datahound.text import show_text

_LIMITS = Limits(seconds=60.0, memory_bytes=3 << 30, tables=20)
# A nightly refresh of a site with thousands of changed files must end.
_TOTAL_SECONDS = 600.0
_MAX_CELLS = 8_000_000
"""Of a version of a table; of larger ones only the columns and the numbers of rows are compared."""
_MAX_NAME = 120
_TOO_MANY = "too many files have changed to compare them all"
_MISSING = "one of the two versions is not in the folder"


@dataclass(frozen=True, slots=True)
class FilePair:
    """Two versions of one file."""

    before: Path
    now: Path
    name: str
    """The name of the file, for its extension."""


def compare_files(
    pairs: Sequence[FilePair], folder: Path, seconds: float = _TOTAL_SECONDS
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The place of each pair, and its difference as plain data: `tables` and `error`.

    Work files are made in the folder. After the seconds the pairs that are left get an error.
    """
    left = dict.fromkeys(range(len(pairs)), _TOO_MANY)
    until = monotonic() + seconds
    with storage_errors(folder):
        scratch = tempfile.TemporaryDirectory(prefix=".compare-", dir=folder)
    with scratch as place:
        jobs = _make_jobs(pairs, until, left)
        count = choose_worker_count(_LIMITS.memory_bytes, read_memory_bytes())
        with Workers(f"{__name__}:compare_payload", Path(place), count) as pool:
            for job, answer in pool.run_all(jobs):
                del left[job.key]
                if isinstance(answer, Failure):
                    yield job.key, {"tables": [], "error": answer.reason}
                else:
                    yield job.key, answer
    for number, error in left.items():
        yield number, {"tables": [], "error": error}


def compare_payload(payload: tuple[FilePair, Limits], scratch: Path) -> dict[str, Any]:
    """Compare two versions of a file inside a worker."""
    pair, limits = payload
    tables: list[TableDifference] = []
    error = ""
    try:
        error = _compare(pair, limits, scratch, tables)
    except OutOfTime:
        error = f"took longer than {limits.seconds:.0f} s: only what was found by then is listed"
    except MemoryError:
        error = "needs more memory than is allowed"
    except DatahoundError as trouble:
        error = str(trouble)
    except Exception as trouble:  # noqa: BLE001 a hostile file breaks libraries
        error = f"can't be compared: {type(trouble).__name__}: {trouble}"
    plain = [{**asdict(one), "changes_schema": one.changes_schema} for one in tables]
    return {"tables": plain, "error": shorten_error(error)}


def _make_jobs(pairs: Sequence[FilePair], until: float, left: dict[int, str]) -> Iterator[Job]:
    for number, pair in enumerate(pairs):
        if monotonic() > until:
            return
        if not (pair.before.is_file() and pair.now.is_file()):
            left[number] = _MISSING
            continue
        # Both versions are read, each within the limits of one file.
        seconds, memory = 2 * _LIMITS.seconds, _LIMITS.memory_bytes
        yield Job(number, (pair, _LIMITS), seconds, memory, 2 * _LIMITS.unpacked_bytes)


def _compare(pair: FilePair, limits: Limits, scratch: Path, found: list[TableDifference]) -> str:
    """Add the tables that differ; what could not be read."""
    old, new = (
        inspect_file(path, Task(limits, scratch, name=pair.name))
        for path in (pair.before, pair.now)
    )
    error = "; ".join(dict.fromkeys(filter(None, (old.error, new.error))))
    # A version that can't be read has not lost its tables.
    if any(one.error and not one.tables for one in (old, new)):
        return error
    for before, now in match_tables(old.tables, new.tables):
        table = _compare_tables(pair, before, now, limits)
        if table.lines:
            table.table = show_text((now or before or _NO_TABLE).title, _MAX_NAME)
            found.append(table)
    return error


_NO_TABLE = TableProfile("", {}, "", 0, 0, 0.0, None, None, [], statistics=False, fields=[],
                         sample=[], terms=[])  # fmt: skip


def match_tables(
    before: Sequence[TableProfile], now: Sequence[TableProfile]
) -> list[tuple[TableProfile | None, TableProfile | None]]:
    """Pair the tables of two versions of a file: by place and title, by place, then in turn.

    A table of one version alone is paired with None.
    """
    old, new = list(before), list(now)
    pairs: list[tuple[TableProfile | None, TableProfile | None]] = []
    # The surest pairs first: a table that moved to another sheet is paired by what is left.
    for name in (lambda t: (t.place, t.title), lambda t: t.place, lambda _: ""):
        for table in list(new):
            other = next((one for one in old if name(one) == name(table)), None)
            if other is not None:
                pairs.append((other, table))
                old.remove(other)
                new.remove(table)
    return [*pairs, *((table, None) for table in old), *((None, table) for table in new)]


def _compare_tables(
    pair: FilePair, before: TableProfile | None, now: TableProfile | None, limits: Limits
) -> TableDifference:
    if before is None or now is None:
        return _describe_lone_table(before, now)
    names = (before.address["names"], now.address["names"])
    found = compare_columns(names, (before.fields, now.fields))
    if max(one.rows * one.columns for one in (before, now)) > _MAX_CELLS:
        if before.rows != now.rows:
            found.lines.append(f"{before.rows:,} rows before, {now.rows:,} now")
        return replace(found, lines=[*found.lines, "too large to compare row by row"])
    old, new = (
        _load(path, table, limits) for path, table in ((pair.before, before), (pair.now, now))
    )
    compare_rows(old, new, found)
    return found


def _describe_lone_table(before: TableProfile | None, now: TableProfile | None) -> TableDifference:
    """A table that only one version has changes the schema of the file by all its columns."""
    table, what = (now, "new") if now else (before or _NO_TABLE, "no longer here")
    names = [show_text(name, _MAX_NAME) for name in table.address.get("names", [])]
    place = show_text(table.place, _MAX_NAME)
    found = TableDifference(lines=[f"the table in {place} is {what}"])
    if now:
        found.columns_added, found.rows_added = names, table.rows
    else:
        found.columns_lost, found.rows_removed = names, table.rows
    return found


def _load(path: Path, table: TableProfile, limits: Limits) -> TableVersion:
    with closing(read_table(path, table.address, limits)) as reader:
        return TableVersion(table.fields, load_rows(reader.header, _cap(reader.rows)))


def _cap(rows: Iterable[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    """Rows up to the most cells: a profile may have counted fewer than a file has."""
    left = 2 * _MAX_CELLS
    for row in rows:
        left -= len(row)
        if left < 0:
            return
        yield row
