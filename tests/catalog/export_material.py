"""A crawl's folder with a catalogue, written by hand, as strange as a test wants it."""

import hashlib
import json
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from datahound.archive import record_warc
from datahound.catalog import database
from datahound.catalog.catalog import Catalog
from datahound.catalog.exports import Crawled, Job, Kept, Page
from datahound.model import Fetch, Purpose, Response

SEED = "https://www.site.example/"

HOSTILE = '=HYPERLINK("http://x")\x00\x1b[31m\u202egpj.exe <script>alert(1)</script>\r\nX: y'
HOSTILE_URL = "https://www.site.example/a%0d%0aX:y/{b}|c?q=<d>&e=%E2%80%AE"

_ENTRY = {
    "title": "A title",
    "link_title": "A link",
    "page": SEED + "page",
    "page_title": "A page",
    "section": "",
    "mime_type": "text/csv",
    "format": "csv",
    "encoding": "utf-8",
    "delimiter": ",",
    "found_at": "2026-01-02T03:04:05Z",
    "last_modified": "Fri, 16 Oct 2020 04:06:23 GMT",
    "first_year": None,
    "last_year": None,
    "places": [],
    "family": 0,
    "error": "",
}
_TABLE = {
    "place": "the file",
    "address": {},
    "title": "",
    "number_share": 0.5,
    "first_year": None,
    "last_year": None,
    "places": [],
    "statistics": 1,
    "sample": [],
}


@dataclass
class Material:
    """A folder that fills with files, and a crawl that would have kept them."""

    folder: Path
    kept: list[Kept] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def __post_init__(self):
        (self.folder / "files").mkdir(parents=True)
        database.open_to_write(self.folder).close()

    @property
    def crawled(self) -> Crawled:
        return Crawled(
            self.folder,
            SEED,
            "2026-01-01T00:00:00Z",
            "2026-01-02T00:00:00Z",
            "datahound 0.0",
            lambda: iter(self.kept),
            lambda: iter(self.pages),
        )

    def keep(self, url: str, body: bytes, path: str = "", mime: str = "text/csv") -> Kept:
        """A file in its place."""
        path = path or "www.site.example/" + url.removeprefix(SEED)
        file = self.folder / "files" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)
        sha256 = hashlib.sha256(body).hexdigest()
        found = Kept(url, path, len(body), sha256, mime, "", "2026-01-02T03:04:05Z")
        self.kept.append(found)
        return found

    def add(self, url: str, body: bytes, path: str = "", tables=(), **more) -> Kept:
        """A file that is in the catalogue."""
        kept = self.keep(url, body, path, more.get("mime_type", "text/csv"))
        row = {**_ENTRY, **more, "url": url, "path": kept.path}
        row |= {"bytes": kept.bytes, "sha256": kept.sha256, "tables": len(tables)}
        row |= {"statistics": sum(t.get("statistics", 1) for t in tables)}
        row |= {"rows": sum(t["rows"] for t in tables), "places": json.dumps(row["places"])}
        with closing(database.open_to_write(self.folder)) as connection:
            id_ = _insert(connection, "dataset", row)
            if not row["family"]:
                connection.execute("UPDATE dataset SET family = id WHERE id = ?", (id_,))
            for number, table in enumerate(tables):
                filled = {**_TABLE, **table, "dataset": id_, "number": number}
                filled["columns"] = len(filled["fields"])
                for name in ("address", "places", "fields", "sample"):
                    filled[name] = json.dumps(filled[name])
                _insert(connection, "data_table", filled)
        return kept

    def record(self, *exchanges: tuple[Fetch, Response]) -> None:
        """What the crawl read."""
        (self.folder / "pages").mkdir(exist_ok=True)
        with closing(record_warc(self.folder / "pages" / "site.warc.gz", SEED)) as journal:
            for fetch, answer in exchanges:
                journal.put(fetch, answer)

    def job(self, output: Path, **more) -> Job:
        catalog = Catalog(self.folder)
        return Job(self.crawled, output, catalog, tell=self.told.append, **more)

    def export(self, run, output: Path, **more):
        """Run an export, and close what it read."""
        job = self.job(output, **more)
        with closing(job.catalog):
            return run(job)


def column(name: str, kind: str = "string", role: str = "other") -> dict:
    """A field of a table."""
    return {"name": name, "type": kind, "nulls": 0, "role": role, "values": []}


def collected(url: str, size: int, mime: str = "text/csv", **headers) -> tuple[Fetch, Response]:
    """A target whose answer was recorded up to its headers."""
    named = {"content-type": mime, "content-length": str(size), **headers}
    answer = Response(url, 200, named, b"", size, truncated=True)
    return Fetch(url, Purpose.COLLECT), answer


def visited(url: str, body: bytes = b"<title>x</title>") -> tuple[Fetch, Response]:
    """A page that was read."""
    headers = {"content-type": "text/html", "content-length": str(len(body))}
    return Fetch(url), Response(url, 200, headers, body, len(body))


def probed(url: str) -> tuple[Fetch, Response]:
    """A HEAD."""
    return Fetch(url, Purpose.PROBE), Response(url, 200, {"content-type": "text/csv"}, b"", 60)


def _insert(connection, table: str, row: dict) -> int:
    marks = ", ".join("?" * len(row))
    statement = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})"
    return connection.execute(statement, list(row.values())).lastrowid


def delimited(names: list[str], types: list[str], rows: int, **more) -> dict:
    """A table that fills a CSV file, under a header of one row."""
    address = {"format": "csv", "encoding": "utf-8", "delimiter": ",", "first": 1, "last": None}
    address |= {"left": 0, "decimal": ".", "names": names, "types": types}
    fields = [column(name, kind) for name, kind in zip(names, types, strict=True)]
    return {"address": address, "fields": fields, "rows": rows, **more}
