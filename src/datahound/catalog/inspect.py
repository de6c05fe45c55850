"""Looking into one file: what it is, which tables are in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from datahound.catalog.archives import ARCHIVES, members_of, mended, unpacked
from datahound.catalog.formats import format_of
from datahound.catalog.readers.task import Reader, Task, Unreadable
from datahound.catalog.tables.profile import TableLook
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
}
"""The module that knows each format; loaded when the first such file comes."""
_LONGEST_ERROR = 300


class OutOfTime(BaseException):
    """The time for a file is over; raised by a signal, wherever it may be."""


@dataclass(slots=True)
class Look:
    """What was seen of a file."""

    format: str = "unknown"
    encoding: str = ""
    delimiter: str = ""
    title: str = ""
    tables: list[TableLook] = field(default_factory=list)
    error: str = ""

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "format": self.format,
            "encoding": self.encoding,
            "delimiter": self.delimiter,
            "title": self.title,
            "tables": [table.plain() for table in self.tables],
            "error": self.error,
        }


def reader_of(format_: str) -> Reader | None:
    """What reads a format, or None."""
    name = _READERS.get(format_)
    if name is None:
        return None
    return cast("Reader", import_module(f"datahound.catalog.readers.{name}"))


def look(path: Path, task: Task) -> Look:
    """Look into a file; whatever is wrong with it is said in `error`."""
    found = Look()
    try:
        _look(path, task, found)
    except Unreadable as error:
        task.note(str(error))
    except OutOfTime:
        task.note(f"took longer than {task.limits.seconds:.0f} s: what was found until then")
    except MemoryError:
        task.note("needs more memory than is allowed")
    except RecursionError:
        task.note("nested too deeply")
    except Exception as error:  # noqa: BLE001 the outermost loop: a hostile file breaks libraries
        task.note(f"can't be read: {type(error).__name__}: {error}")
    found.title = task.title
    found.error = one_line("; ".join(task.notes))
    return found


def one_line(text: str) -> str:
    """A complaint as one short line that can be shown."""
    return " ".join(blank_unprintable(text).split())[:_LONGEST_ERROR]


def _look(path: Path, task: Task, found: Look) -> None:
    path = mended(path, task.scratch)
    found.format, found.encoding, found.delimiter = format_of(path, task.name)
    task.encoding, task.delimiter = found.encoding, found.delimiter
    for table in _tables(path, found.format, task, task.limits.depth):
        found.tables.append(table)
        if len(found.tables) >= task.limits.tables:
            task.note(f"only the first {task.limits.tables} tables are listed")
            return
    found.encoding = found.encoding or (task.encoding if found.format == "gz" else "")
    found.delimiter = found.delimiter or (task.delimiter if found.format == "gz" else "")


def _tables(path: Path, format_: str, task: Task, depth: int) -> Iterator[TableLook]:
    if format_ in ARCHIVES:
        yield from _in_archive(path, format_, task, depth)
        return
    reader = reader_of(format_)
    if reader is not None:
        for table in reader.tables(path, task):
            table.address = {"format": format_, **table.address}
            yield table


def _in_archive(path: Path, kind: str, task: Task, depth: int) -> Iterator[TableLook]:
    if depth == 0:
        task.note("archives inside archives are not looked into any deeper")
        return
    for member in members_of(path, kind, task):
        try:
            with unpacked(path, kind, member, task) as file:
                yield from _in_member(file, kind, member, task, depth)
        except Unreadable as error:
            task.note(f"{member}: {error}")
            if task.unpacked > task.limits.unpacked_bytes:
                return


def _in_member(file: Path, kind: str, member: str, task: Task, depth: int) -> Iterator[TableLook]:
    inner = replace(task, name=member, notes=[], title="")
    format_, inner.encoding, inner.delimiter = format_of(file, member)
    if kind in ("gz", "bz2", "xz"):
        task.encoding, task.delimiter = inner.encoding, inner.delimiter
    try:
        for table in _tables(file, format_, inner, depth - 1):
            table.address = _inside(table.address, kind, member)
            table.place = _place(table.place, member)
            table.title = table.title or inner.title or member
            yield table
    finally:
        task.unpacked = inner.unpacked
        for note in inner.notes:
            task.note(f"{member}: {note}")


def _inside(address: Mapping[str, Any], kind: str, member: str) -> dict[str, Any]:
    return {**address, "members": [[kind, member], *address.get("members", [])]}


def _place(place: str, member: str) -> str:
    return f"{member} in the archive" if place == "the file" else f"{place} of {member}"
