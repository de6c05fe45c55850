"""Files that grow by a row at a time, and survive being cut short in the middle of one."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from datahound.errors import StorageError


class RowFile:
    """A CSV file with a heading; a row is written in one go, or can be told to be half a row."""

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self.path = path
        self._columns = tuple(columns)

    def append(self, row: dict[str, Any]) -> None:
        text = "" if self._has_heading() else _line(self._columns)
        append_text(self.path, text + _line([_one_line(row.get(c)) for c in self._columns]))

    def rows(self) -> Iterator[dict[str, str]]:
        """The rows that are whole."""
        lines = whole_lines(self.path)
        for row in csv.DictReader(lines):
            if None not in row and None not in row.values():
                yield row

    def _has_heading(self) -> bool:
        if not self.path.exists():
            return False
        with self.path.open("rb") as file:
            return file.readline().endswith(b"\n")


def append_text(path: Path, text: str) -> None:
    """Add to a file; what a crash left of its last line is cut off first."""
    try:
        with path.open("a+b") as file:
            file.truncate(_end_of_whole_lines(file))
            file.write(text.encode())
    except OSError as error:
        raise StorageError(f"{path}: can't be written ({error.strerror})") from None


def append_json(path: Path, value: object) -> None:
    """Add a value to a file of one JSON value a line."""
    append_text(path, json.dumps(value, separators=(",", ":"), ensure_ascii=False) + "\n")


def read_json_lines(path: Path) -> Iterator[Any]:
    """The values of a file of one JSON value a line; broken lines are passed over."""
    for line in whole_lines(path):
        try:
            yield json.loads(line)
        except ValueError:
            continue


def whole_lines(path: Path) -> list[str]:
    """The lines of a file, without what a crash left of the last one; none if it is not there."""
    if not path.exists():
        return []
    try:
        text = path.read_text("utf-8", errors="replace")
    except OSError as error:
        raise StorageError(f"{path}: can't be read ({error.strerror})") from None
    return text[: text.rfind("\n") + 1].split("\n")[:-1]


def _end_of_whole_lines(file: io.BufferedRandom) -> int:
    size = file.seek(0, io.SEEK_END)
    at = size
    while at:
        start = max(0, at - 65536)
        file.seek(start)
        newline = file.read(at - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        at = start
    return 0


def _line(values: Sequence[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(values)
    return text.getvalue()


def _one_line(value: object) -> object:
    return " ".join(value.split()) if isinstance(value, str) else value
