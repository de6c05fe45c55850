"""Events of crawls as JSON lines: printed, or kept in a file that rotates.

`docs/events.schema.json` is made from the classes of the events.
"""

import json
import logging
import logging.handlers
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum, StrEnum
from pathlib import Path

from datahound.errors import StorageError, UserError
from datahound.events import ALL_EVENTS, Event, Fetched
from datahound.model import FileRecord
from datahound.runs import Ended
from datahound.runs.options import Options

KINDS = frozenset({"files", "errors", "all"})
# With the old files, 120 MB at most for a log that nobody looks after.
_MOST_BYTES = 20_000_000
_OLD_FILES = 5
_FIRST_ERROR = 400


class Severity(StrEnum):
    """How much an event matters."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


_QUIET = frozenset({"Discovered", "Skipped", "Chosen", "GroupCreated", "FileElsewhere", "Foreseen"})


def parse_selection(text: str) -> frozenset[str]:
    """The kinds of events that a user names, with commas.

    >>> sorted(parse_selection("files, errors")), parse_selection("all")
    (['errors', 'files'], frozenset())
    """
    kinds = {kind.strip() for kind in text.split(",")} - {""}
    if unknown := kinds - KINDS:
        raise UserError(f"--events: {min(unknown)!r} is none of files, errors and all")
    return frozenset() if "all" in kinds else frozenset(kinds)


@dataclass(frozen=True, slots=True)
class JsonLog:
    """Writes events of a selection of kinds as lines."""

    write: Callable[[str], None]
    selection: frozenset[str] = frozenset()
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    def note(self, options: Options, events: list[Event]) -> None:
        """Write what happened in a crawl."""
        if self.selection == {"files"}:
            return
        for event in events:
            self._note(options, type(event).__name__, _judge_event(event), plain(event))

    def note_file(self, options: Options, record: FileRecord) -> None:
        """Write that the download of a file has ended."""
        level = Severity.WARNING if record.status == "failed" else Severity.INFO
        found = plain(record)
        found["path"] = found.pop("file")
        self._note(options, "File", level, found)

    def note_end(self, options: Options, ended: Ended) -> None:
        """Write why a crawl ended."""
        level = Severity.ERROR if ended.status else Severity.INFO
        self._note(options, "Ended", level, ended.plain())

    def _note(self, options: Options, name: str, level: Severity, what: dict[str, object]) -> None:
        if not self._is_selected(name, level):
            return
        head = {
            "time": self.now().isoformat(timespec="milliseconds"),
            "crawl": str(options.output),
            "site": options.url,
            "level": level.value,
            "event": name,
        }
        self.write(json.dumps({**head, **what}, ensure_ascii=False))

    def _is_selected(self, name: str, level: Severity) -> bool:
        if not self.selection or name == "Ended":
            return True
        is_error = level in (Severity.WARNING, Severity.ERROR)
        return ("files" in self.selection and name == "File") or (
            "errors" in self.selection and is_error
        )


def _judge_event(event: Event) -> Severity:
    if isinstance(event, Fetched):
        failed = event.status is None or event.status >= _FIRST_ERROR
        return Severity.WARNING if failed else Severity.INFO
    return Severity.DEBUG if type(event).__name__ in _QUIET else Severity.INFO


@contextmanager
def open_log(
    path: Path | None, selection: frozenset[str], *, printed: bool
) -> Iterator[JsonLog | None]:
    """Open the log of events for the block: into a file, to the output, to both, or None."""
    writers: list[Callable[[str], None]] = [_print_line] if printed else []
    handler = _open_file(path) if path else None
    if handler:
        writers.append(lambda line: handler.emit(_make_record(line)))

    def write(line: str) -> None:
        for one in writers:
            one(line)

    try:
        yield JsonLog(write, selection) if writers else None
    finally:
        if handler:
            handler.close()
        # The program that reads the lines may have ended.
        with suppress(BrokenPipeError):
            sys.stdout.flush()


def _print_line(line: str) -> None:
    print(line)


def _open_file(path: Path) -> logging.handlers.RotatingFileHandler:
    try:
        return logging.handlers.RotatingFileHandler(
            path, maxBytes=_MOST_BYTES, backupCount=_OLD_FILES, encoding="utf-8", errors="replace"
        )
    except OSError as error:
        raise StorageError(f"{path}: can't be written: {error.strerror or error}") from None


def _make_record(line: str) -> logging.LogRecord:
    return logging.LogRecord("datahound", logging.INFO, "", 0, line, None, None)


def plain(value: object) -> dict[str, object]:
    """A dataclass as JSON can hold it."""
    found = _make_plain(value)
    return found if isinstance(found, dict) else {}


def _make_plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: _make_plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [_make_plain(item) for item in value]
    return value


EVENT_NAMES = (*sorted(event.__name__ for event in ALL_EVENTS), "File", "Ended")
"""What `event` can be."""
