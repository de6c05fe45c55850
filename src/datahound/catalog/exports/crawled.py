"""What an export needs to know of a crawl, handed in by whoever opened its folder."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG

from datahound.catalog.catalog import Catalog

Tell = Callable[[str], None]
"""Called with a line for people: what was left out, and why."""

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how far it is and how far there is to go (0: not known)."""


def silent(doing: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A target whose body is a file."""

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
    """Who made the export, as `datahound 1.0`."""
    kept: Callable[[], Iterator[Kept]]
    pages: Callable[[], Iterator[Page]]

    def file(self, path: str) -> Path | None:
        """The file that was kept under a path; None for what is no plain file in its place."""
        home = (self.folder / "files").resolve()
        try:
            found = (home / path).resolve()
            inside = found.is_relative_to(home) and S_ISREG(found.lstat().st_mode)
        except (OSError, ValueError):
            return None
        return found if inside else None


@dataclass(slots=True)
class Job:
    """One export: of what, to where, and how."""

    crawled: Crawled
    output: Path
    catalog: Catalog | None = None
    statistics_only: bool = False
    force: bool = False
    tell: Tell = print
    progress: Progress = silent


@dataclass(slots=True)
class Outcome:
    """What an export wrote."""

    path: Path
    written: dict[str, int] = field(default_factory=dict)
    """Numbers by what they count, such as `tables`."""
    left_out: int = 0

    def __str__(self) -> str:
        """The outcome in one line."""
        counts = ", ".join(f"{count:,} {what}" for what, count in self.written.items())
        rest = f"; {self.left_out:,} could not be exported" if self.left_out else ""
        return f"{self.path}: {counts or 'nothing'}{rest}"
