"""A crawl as an export to a web archive sees it: a journal, files and pages."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from datahound.archive import record_warc
from datahound.model import Failure, Fetch, Purpose, Response

SEED = "https://www.site.example/"
CSV = SEED + "a.csv"
BODY = b"a,b\n1,2\n" * 40_000
HOSTILE = '=HYPERLINK("http://x")\x00\x1b[31m\u202egpj.exe <script>alert(1)</script>\r\nX: y'
HOSTILE_URL = "https://www.site.example/a%0d%0aX:y/{b}|c?q=<d>&e=%E2%80%AE"


@dataclass(frozen=True)
class Kept:
    url: str
    path: str
    sha256: str
    mime_type: str = "text/csv"
    found_at: str = "2026-01-02T03:04:05Z"


@dataclass(frozen=True)
class Visited:
    url: str
    title: str
    at: str


@dataclass
class Source:
    """A folder that fills with files and records."""

    folder: Path
    files: list[Kept] = field(default_factory=list)
    visited: list[Visited] = field(default_factory=list)
    seed: str = SEED
    began_at: str = "2026-01-01T00:00:00Z"
    last_at: str = "2026-01-02T00:00:00Z"
    software: str = "datahound 0.0"

    def kept(self) -> Iterator[Kept]:
        return iter(self.files)

    def pages(self) -> Iterator[Visited]:
        return iter(self.visited)

    def file(self, path: str) -> Path | None:
        found = self.folder / "files" / path
        return found if found.is_file() else None

    def keep(self, url: str, body: bytes, path: str, mime: str = "text/csv") -> None:
        file = self.folder / "files" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)
        self.files.append(Kept(url, path, hashlib.sha256(body).hexdigest(), mime))

    def record(self, *exchanges, name: str = "site.warc.gz", round_number: int = 0) -> None:
        pages = self.folder / "pages"
        pages.mkdir(parents=True, exist_ok=True)
        with closing(record_warc(pages / name, SEED, round=round_number)) as journal:
            for fetch, answer in exchanges:
                journal.put(fetch, answer)


@dataclass
class Task:
    """An export under way, and what it said."""

    crawled: Source
    told: list[str] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)

    @property
    def tell(self) -> Callable[[str], None]:
        return self.told.append

    def progress(self, doing: str, done: int, total: int) -> None:
        assert (doing, total) == ("writing records", 0)
        self.steps.append(done)


def make_source(folder: Path) -> Source:
    """A page, a probe, a failure, files whole and compressed in transit, and equal files."""
    source = Source(folder)
    source.keep(CSV, BODY, "a.csv")
    source.keep(SEED + "twin.csv", BODY, "a.csv")
    source.keep(HOSTILE_URL, b"x\n", "odd")
    source.keep(SEED + "later.pdf", b"%PDF", "later.pdf", "application/pdf")
    source.visited = [
        Visited(SEED, "Home", "2026-01-01T00:00:00Z"),
        Visited(HOSTILE_URL, HOSTILE, "2026-01-01T00:00:01Z"),
    ]
    source.record(
        visited(SEED),
        (Fetch(CSV, Purpose.PROBE), Response(CSV, 200, {"content-type": "text/csv"}, b"", 60)),
        collected(CSV, 512, **{"content-encoding": "gzip"}),
        collected(SEED + "twin.csv", len(BODY)),
        collected(HOSTILE_URL, 2, x=HOSTILE),
        collected(SEED + "lost.csv", 99),
        (Fetch(SEED + "gone"), Failure(SEED + "gone", "no answer")),
    )
    return source


def visited(url: str, body: bytes = b"<title>x</title>") -> tuple[Fetch, Response]:
    headers = {"content-type": "text/html", "content-length": str(len(body))}
    return Fetch(url), Response(url, 200, headers, body, len(body))


def collected(url: str, size: int, **headers) -> tuple[Fetch, Response]:
    """A target whose answer was recorded up to its headers."""
    named = {"content-type": "text/csv", "content-length": str(size), **headers}
    return Fetch(url, Purpose.COLLECT), Response(url, 200, named, b"", size, truncated=True)
