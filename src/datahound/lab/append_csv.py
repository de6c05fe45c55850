"""Files that grow line by line, and survive a crash in the middle of one."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from datahound.errors import StorageError


class AppendCsv:
    """A CSV file with a header; a row that a crash cut short is recognised and left out."""

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self.path = path
        self._columns = tuple(columns)

    def append(self, row: dict[str, Any]) -> None:
        # A crash may have cut the header itself short: `append_text` then removes what is left of
        # it.
        text = "" if self._has_header() else _format_line(self._columns)
        append_text(
            self.path, text + _format_line([_join_lines(row.get(c)) for c in self._columns])
        )

    def read_rows(self) -> Iterator[dict[str, str]]:
        """Yield the complete rows."""
        for row in csv.DictReader(_read_lines(self.path)):
            # DictReader gives None for missing cells, and under None what is beyond the last
            # column.
            if None not in row and None not in row.values():
                yield row

    def count_rows(self) -> int:
        """Count the rows, broken ones included."""
        return max(len(_read_lines(self.path)) - 1, 0)

    def fits(self) -> bool:
        """Whether rows can be appended: there is no header yet, or it has these columns."""
        lines = _read_lines(self.path)
        return not lines or next(csv.reader(lines[:1])) == list(self._columns)

    def _has_header(self) -> bool:
        if not self.path.exists():
            return False
        with self.path.open("rb") as file:
            return file.readline().endswith(b"\n")


def append_text(path: Path, text: str) -> None:
    """Append to a file; what a crash left of its last line is cut off first."""
    try:
        with path.open("a+b") as file:
            file.truncate(_end_of_lines(file))
            file.write(text.encode())
    except OSError as error:
        raise StorageError(f"{path}: can't be written ({error.strerror})") from None


def append_json(path: Path, value: object) -> None:
    """Append a value to a file with one JSON value per line."""
    append_text(path, json.dumps(value, separators=(",", ":"), ensure_ascii=False) + "\n")


def read_json_lines(path: Path) -> Iterator[Any]:
    """Yield the values of a file with one JSON value per line; broken lines are skipped."""
    for line in _read_lines(path):
        try:
            yield json.loads(line)
        except ValueError:
            continue


def _read_lines(path: Path) -> list[str]:
    """Return the complete lines of a file; none if it does not exist."""
    if not path.exists():
        return []
    try:
        text = path.read_text("utf-8", errors="replace")
    except OSError as error:
        raise StorageError(f"{path}: can't be read ({error.strerror})") from None
    # What follows the last line end was being written when a crash came.
    return text[: text.rfind("\n") + 1].split("\n")[:-1]


def _end_of_lines(file: io.BufferedRandom) -> int:
    """Find the end of the last complete line, reading backwards: the file may be large."""
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


def _format_line(values: Sequence[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(values)
    return text.getvalue()


def _join_lines(value: object) -> object:
    # A row is one line, so that half a row is recognized by its missing line end.
    return " ".join(value.split()) if isinstance(value, str) else value
