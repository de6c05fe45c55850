"""What an export to a web archive reads of a crawl, and what it reports."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol


class KeptFile(Protocol):
    """A target whose body is a file; its path is relative to the folder of files."""

    @property
    def url(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def sha256(self) -> str: ...
    @property
    def mime_type(self) -> str: ...
    @property
    def found_at(self) -> str: ...


class VisitedPage(Protocol):
    """A page that was read."""

    @property
    def url(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def at(self) -> str: ...


class CrawlSource(Protocol):
    """A crawl and its folder; times are ISO 8601 in UTC, or empty."""

    @property
    def folder(self) -> Path: ...
    @property
    def seed(self) -> str: ...
    @property
    def began_at(self) -> str: ...
    @property
    def last_at(self) -> str: ...
    @property
    def software(self) -> str: ...
    @property
    def kept(self) -> Callable[[], Iterator[KeptFile]]: ...
    @property
    def pages(self) -> Callable[[], Iterator[VisitedPage]]: ...
    def file(self, path: str) -> Path | None: ...


class ExportTask(Protocol):
    """The crawl to export, and the callbacks for remarks and progress."""

    @property
    def crawled(self) -> CrawlSource: ...
    @property
    def tell(self) -> Callable[[str], None]: ...
    @property
    def progress(self) -> Callable[[str, int, int], None]: ...


@dataclass(slots=True)
class Written:
    """Numbers by what they count, such as `records`, and how many files were left out."""

    counts: dict[str, int] = field(default_factory=dict)
    left_out: int = 0
