"""The catalogue and its exports of known files are exactly those that are pinned here.

`python tests/catalog/test_pinned_contents.py` prints the digests of the code as it is now. A digest
is replaced only by a commit that means to change what is catalogued or exported, and says so.
"""

import json
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import polars as pl

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks" / "quality"))

from datahound.archive import open_archive
from datahound.catalog.catalog import Catalog
from datahound.catalog.exports import FORMATS, Crawled, Job, Kept
from datahound.catalog.update import Source, update
from datahound.model import Fetch

PINNED = Path(__file__).with_name("pinned_contents.json")
TABLES = ("dataset", "facet", "brief", "data_table", "search")
EXPORTS = ("datapackage", "dcat", "csv", "parquet")
SITE = "https://www.site.example/"
TITLES = (
    "",
    "Download (PDF, 2 MB)",
    "Pupils by school, 2019 (CSV)",
    "=1+1 \u202e<b>x</b>",
    "人口 2020",
)
QUICK_SITE = "synthetic:demo?scale=0.2&max_body=60000&bodies=on"

Files = Iterator[tuple[str, bytes]]


def files_of_the_demo() -> Files:
    """The data files of the built-in site, cut to a size that a test can read."""
    with closing(open_archive(QUICK_SITE)) as archive:
        for url in archive.targets():
            answer = archive.get(Fetch(url))
            yield url, answer.body


def labelled_files() -> Files:
    """The labelled files, without those whose writers put the time of writing into them."""
    from labelled_files import write_all

    with tempfile.TemporaryDirectory() as name:
        write_all(Path(name))
        for path in sorted(Path(name).iterdir()):
            if path.suffix not in (".xlsx", ".ods", ".zip"):
                yield SITE + path.name, path.read_bytes()


CORPORA: dict[str, Callable[[], Files]] = {"demo": files_of_the_demo, "labelled": labelled_files}


def keep(folder: Path, files: Files) -> list[Source]:
    """Write files as a crawl keeps them, with links and pages of all kinds."""
    sources = []
    for number, (url, body) in enumerate(files):
        path = f"{number:04}-{url.rpartition('/')[2].partition('?')[0][-60:]}"
        place = folder / "files" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(body)
        title = TITLES[number % len(TITLES)]
        page = f"{SITE}section-{number % 7}/page-{number % 31}"
        modified = "" if number % 3 else f"Fri, {number % 27 + 1:02} Oct 2020 04:06:23 GMT"
        at = f"2026-01-02T03:{number // 60 % 60:02}:{number % 60:02}Z"
        digest = sha256(body).hexdigest()
        mime = ("text/csv", "application/x-odd", "")[number % 3]
        sources.append(
            Source(url, path, title, page, title[::-1], mime, len(body), digest, modified, at)
        )
    return sources


def rows_digest(path: Path) -> str:
    """A digest of the columns, rows and metadata of a Parquet file, whoever wrote it."""
    frame = pl.read_parquet(path)
    said = pl.read_parquet_metadata(path)
    said.pop("ARROW:schema", None)
    parts = (repr(frame.schema), repr(frame.rows()), sorted(said.items()))
    return sha256(repr(parts).encode("utf-8", "replace")).hexdigest()


def bytes_digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def digests(folder: Path, files: Files, of_parquet: Callable[[Path], str]) -> dict[str, str]:
    """A digest of every table of the catalogue and of every export."""
    sources = keep(folder, files)
    update(folder, sources, workers=1)
    found = {}
    with closing(sqlite3.connect(folder / "catalog.db")) as connection:
        for table in TABLES:
            rows = connection.execute(f"SELECT rowid, * FROM {table} ORDER BY rowid").fetchall()
            found[table] = f"{len(rows)} {sha256(repr(rows).encode()).hexdigest()[:32]}"
    kept = [Kept(s.url, s.path, s.bytes, s.sha256, s.mime_type, s.last_modified, s.found_at)
            for s in sources]  # fmt: skip
    times = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"
    crawled = Crawled(folder, SITE, *times, "datahound 0.0", lambda: iter(kept), lambda: iter(()))
    for form in EXPORTS:
        found[form] = export_digest(
            crawled, form, folder.with_name(f"{folder.name}-{form}"), of_parquet
        )
    return found


def export_digest(
    crawled: Crawled, form: str, output: Path, of_parquet: Callable[[Path], str]
) -> str:
    """A digest of the files of an export and of what was left out of it."""
    lines: list[str] = []
    output.mkdir()
    target = output / "catalog.jsonld" if form == "dcat" else output
    with Catalog(crawled.folder) as catalog:
        outcome = FORMATS[form].export(Job(crawled, target, catalog, tell=lines.append))
    lines.append(str(outcome).replace(str(output), ""))
    paths = sorted(path for path in output.rglob("*") if path.is_file())
    for path in paths:
        digest = (of_parquet if path.suffix == ".parquet" else bytes_digest)(path)
        lines.append(f"{path.relative_to(output)} {digest}")
    said = "\n".join(lines).encode()
    return f"{len(paths)} {sha256(said).hexdigest()[:32]}"


def test_contents_are_those_that_are_pinned():
    """Every row of the catalogue, and every export.

    In a process of its own: the libraries that write the labelled files have state.
    """
    command = [sys.executable, __file__]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert json.loads(printed) == json.loads(PINNED.read_text())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        found = {
            name: digests(Path(made) / name, files(), rows_digest)
            for name, files in CORPORA.items()
        }
    print(json.dumps(found, indent=2))
