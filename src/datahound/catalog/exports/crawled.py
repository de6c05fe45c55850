"""The input and the outcome of an export; the caller reads the crawl folder."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG

from datahound.catalog.catalog import Catalog
from datahound.errors import InternalError

Tell = Callable[[str], None]
"""Called with one line per item that was left out, and why."""

Progress = Callable[[str, int, int], None]
"""Called with the activity, the items done and the total (0 if it is not known)."""


def silent(doing: str, done: int, total: int) -> None:
    """Ignore progress."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A target that was kept as a file."""

    url: str
    path: str
    """Relative to the folder of files."""
    bytes: int
    sha256: str
    mime_type: str = ""
    last_modified: str = ""
    found_at: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page that was read."""

    url: str
    title: str
    at: str


@dataclass(frozen=True, slots=True)
class Crawled:
    """A crawl and its folder; times are ISO 8601 in UTC, or ''."""

    folder: Path
    seed: str
    began_at: str
    last_at: str
    software: str
    """The program that makes the export, as `datahound 1.0`."""
    kept: Callable[[], Iterator[Kept]]
    pages: Callable[[], Iterator[Page]]

    def file(self, path: str) -> Path | None:
        """The kept file at a path; None unless it is a regular file inside the folder."""
        home = (self.folder / "files").resolve()
        try:
            found = (home / path).resolve()
            # The folder may have been changed since the crawl: nothing outside it is ever exported.
            inside = found.is_relative_to(home) and S_ISREG(found.lstat().st_mode)
        except (OSError, ValueError):
            return None
        return found if inside else None


@dataclass(slots=True)
class Job:
    """One export: its input, its output and its options."""

    crawled: Crawled
    output: Path
    catalog: Catalog | None = None
    statistics_only: bool = False
    force: bool = False
    tell: Tell = print
    progress: Progress = silent

    def require_catalog(self) -> Catalog:
        """The catalogue, for a format that is made from it."""
        if self.catalog is None:
            raise InternalError("this export is made from a catalogue")
        return self.catalog


@dataclass(slots=True)
class Outcome:
    """What an export wrote and left out."""

    path: Path
    written: dict[str, int] = field(default_factory=dict)
    """Counts by name, such as `tables`."""
    left_out: int = 0

    def __str__(self) -> str:
        """One line for the user."""
        counts = ", ".join(f"{count:,} {what}" for what, count in self.written.items())
        rest = f"; {self.left_out:,} could not be exported" if self.left_out else ""
        return f"{self.path}: {counts or 'nothing'}{rest}"
