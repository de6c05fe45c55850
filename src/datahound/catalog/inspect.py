"""Inspect one file: its format, and a profile of every table in it."""

import os
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from datahound.catalog.archives import ARCHIVES, list_members, trim_zip, unpack_member
from datahound.catalog.formats import detect_format
from datahound.catalog.readers.task import Limits, Reader, Task, Unreadable
from datahound.catalog.tables.profile import TableProfile
from datahound.machine import read_memory_bytes
from datahound.sandbox import Failure, Job, OutOfTime, Workers
from datahound.text import blank_unprintable

_READERS = {
    "csv": "delimited",
    "tsv": "delimited",
    "xls": "sheets",
    "xlsx": "sheets",
    "xlsb": "sheets",
    "ods": "sheets",
    "json": "json_text",
    "ndjson": "json_text",
    "xml": "markup",
    "sdmx": "markup",
    "html": "web_page",
    "pdf": "pdf",
    "parquet": "parquet",
    "px": "pc_axis",
    "spreadsheetml": "spreadsheet_xml",
    "dbf": "dbase",
    "text": "text_columns",
    "sqlite": "databases",
    **dict.fromkeys(("dta", "sas7bdat", "sav", "por", "xpt", "rdata"), "statistics_files"),
}
"""The module that reads each format; imported when the first such file comes."""
# One line in a list of files.
_MAX_ERROR = 300
_MAPPED_BYTES = 64 << 20


@dataclass(slots=True)
class FileProfile:
    """What is inside a file."""

    format: str = "unknown"
    encoding: str = ""
    delimiter: str = ""
    title: str = ""
    tables: list[TableProfile] = field(default_factory=list)
    error: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As plain data, which JSON can hold."""
        return asdict(self)


def find_reader(format_: str) -> Reader | None:
    """The reader of a format; None if there is none."""
    name = _READERS.get(format_)
    if name is None:
        return None
    return cast("Reader", import_module(f"datahound.catalog.readers.{name}"))


def inspect_all(
    files: Iterable[tuple[int, Path, str]],
    scratch: Path,
    limits: Limits,
    workers: int | None = None,
) -> Generator[tuple[int, dict[str, Any]]]:
    """Inspect files, given by key, path and name, in sandboxed workers.

    Yields the key and the profile of each as soon as it is ready.
    """
    count = workers or choose_worker_count(limits.memory_bytes, read_memory_bytes())
    with Workers(f"{__name__}:inspect_payload", scratch, count) as pool:
        for job, answer in pool.run_all(_make_job(*file, limits) for file in files):
            if isinstance(answer, Failure):
                yield job.key, FileProfile(error=answer.reason).to_dict()
            else:
                yield job.key, answer


def inspect_payload(payload: tuple[Path, str, Limits], scratch: Path) -> dict[str, Any]:
    """Inspect a file inside a worker."""
    path, name, limits = payload
    return inspect_file(path, Task(limits, scratch, name=name)).to_dict()


def inspect_file(path: Path, task: Task) -> FileProfile:
    """Inspect a file; `error` says in one line what could not be read."""
    found = FileProfile()
    try:
        _inspect(path, task, found)
    except Unreadable as error:
        task.note(str(error))
    except OutOfTime:
        task.note(
            f"took longer than {task.limits.seconds:.0f} s: only what was found by then is listed"
        )
    except MemoryError:
        task.note("needs more memory than is allowed")
    except RecursionError:
        task.note("nested too deeply")
    except Exception as error:  # noqa: BLE001 the outermost loop: a hostile file breaks libraries
        task.note(f"can't be read: {type(error).__name__}: {error}")
    found.title = task.title
    found.error = shorten_error("; ".join(task.notes))
    return found


def choose_worker_count(memory_bytes: int, machine_bytes: int) -> int:
    """Up to 4 workers, one per processor, that fit into three quarters of the machine's memory.

    >>> choose_worker_count(3 << 30, 8 << 30) <= 2
    True
    """
    # The last quarter is for the crawl and the system.
    fitting = machine_bytes * 3 // 4 // memory_bytes
    return max(1, min(4, os.cpu_count() or 1, fitting))


def shorten_error(text: str) -> str:
    """An error message as one short printable line."""
    return " ".join(blank_unprintable(text).split())[:_MAX_ERROR]


def _make_job(key: int, path: Path, name: str, limits: Limits) -> Job:
    size = path.stat().st_size
    # Large delimited files are mapped, which counts as address space but takes no memory.
    memory = limits.memory_bytes + (size if size > _MAPPED_BYTES else 0)
    # Twice: an archive in an archive is unpacked beside the one that it came from.
    return Job(key, (path, name, limits), limits.seconds, memory, limits.unpacked_bytes * 2)


def _inspect(path: Path, task: Task, found: FileProfile) -> None:
    path = trim_zip(path, task.scratch)
    found.format, found.encoding, found.delimiter = detect_format(path, task.name)
    task.encoding, task.delimiter = found.encoding, found.delimiter
    for table in _find_tables(path, found.format, task, task.limits.depth):
        found.tables.append(table)
        if len(found.tables) >= task.limits.tables:
            task.note(f"only the first {task.limits.tables} tables are listed")
            return
    if found.format == "gz":
        found.encoding = found.encoding or task.encoding
        found.delimiter = found.delimiter or task.delimiter


def _find_tables(path: Path, format_: str, task: Task, depth: int) -> Iterator[TableProfile]:
    if format_ in ARCHIVES:
        yield from _open_archive(path, format_, task, depth)
        return
    reader = find_reader(format_)
    if reader is not None:
        for table in reader.find_tables(path, task):
            table.address = {"format": format_, **table.address}
            yield table


def _open_archive(path: Path, kind: str, task: Task, depth: int) -> Iterator[TableProfile]:
    if depth == 0:
        task.note("archives inside archives are not looked into any deeper")
        return
    for member in list_members(path, kind, task):
        try:
            with unpack_member(path, kind, member, task) as file:
                yield from _open_member(file, kind, member, task, depth)
        except Unreadable as error:
            task.note(f"{member}: {error}")
            # The limit is of the whole archive: further members would end the same way.
            if task.unpacked > task.limits.unpacked_bytes:
                return


def _open_member(
    file: Path, kind: str, member: str, task: Task, depth: int
) -> Iterator[TableProfile]:
    inner = replace(task, name=member, notes=[], title="")
    format_, inner.encoding, inner.delimiter = detect_format(file, member)
    # A compressed file has one member, whose encoding is as good as its own.
    if kind in ("gz", "bz2", "xz"):
        task.encoding, task.delimiter = inner.encoding, inner.delimiter
    try:
        for table in _find_tables(file, format_, inner, depth - 1):
            table.address = _add_member(table.address, kind, member)
            table.place = _name_place(table.place, member)
            table.title = table.title or inner.title or member
            yield table
    finally:
        task.unpacked = inner.unpacked
        for note in inner.notes:
            task.note(f"{member}: {note}")


def _add_member(address: Mapping[str, Any], kind: str, member: str) -> dict[str, Any]:
    return {**address, "members": [[kind, member], *address.get("members", [])]}


def _name_place(place: str, member: str) -> str:
    return f"{member} in the archive" if place == "the file" else f"{place} of {member}"
