"""What the catalogue costs beside the bare reads of the libraries under it, and how fast it finds.

    python benchmarks/speed/catalog.py [--datasets 100000]

The files are those of the built-in site, larger, and pages and spreadsheets that
`benchmarks/quality/labelled_files.py` writes. Seconds are of the processor, in this process,
medians of three rounds; the peak of memory is that of a worker that looked into all of them. Then
as many datasets as asked for are written into a catalogue and searched. Writes
benchmarks/results/catalog_speed.csv.
"""

import argparse
import csv
import json
import random
import resource
import statistics
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "quality"))

import pdfplumber
import polars as pl
import pypdfium2
from labelled_contents import statistics as contents
from labelled_files import pdf as ruled_pdf
from labelled_files import web_page, xls, xml
from python_calamine import CalamineWorkbook
from selectolax.lexbor import LexborHTMLParser

from datahound.archive.synthetic.bodies import make_body
from datahound.archive.synthetic.targets import Target
from datahound.catalog import database, writer
from datahound.catalog.catalog import Catalog, Query
from datahound.catalog.families import write_families
from datahound.catalog.inspect import inspect_all, inspect_file
from datahound.catalog.model import Source
from datahound.catalog.readers.task import Limits, Task

RESULTS = Path(__file__).parents[1] / "results" / "catalog_speed.csv"
SIZES = {
    "csv": 20_000_000,
    "json": 4_000_000,
    "ods": 4_000_000,
    "pdf": 200_000,
    "xlsx": 6_000_000,
    "zip": 8_000_000,
}
MANY = 3000
QUERIES = {
    "no words": Query(),
    "a word in few": Query("place1999"),
    "a word in 5 %": Query("pupils"),
    "two words": Query("population region"),
    "a word in all": Query("statistics"),
    "the beginning of a word in all": Query("place"),
    "a word in all, filtered": Query("statistics", ("csv",), 2000, 2010, None, True),
    "a word in all, by title": Query("statistics", sort="title"),
    "only filters": Query("", ("csv", "xlsx"), 2000, 2005),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", type=int, default=100_000)
    arguments = parser.parse_args()
    rows: list[list[object]] = [["what", "size", "bare_seconds", "catalogue_seconds", "ratio"]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rows += reading(folder)
        rows += searching(folder, arguments.datasets)
    for row in rows:
        print(*row, sep="\t")
    with RESULTS.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def reading(folder: Path) -> list[list[object]]:
    """Each format bare and catalogued, and the memory that it took."""
    files = write_files(folder / "files")
    rows, bare_all, ours_all = [], 0.0, 0.0
    for kind, path in files.items():
        bare = median(lambda k=kind, p=path: BARE[k](p))
        ours = median(lambda p=path: looked(p, folder))
        bare_all, ours_all = bare_all + bare, ours_all + ours
        rows.append([f"reading {kind}", path.stat().st_size, *figures(bare, ours)])
    rows.append(
        ["reading all", sum(p.stat().st_size for p in files.values()), *figures(bare_all, ours_all)]
    )
    paths = [(n, path, path.name) for n, path in enumerate(files.values())]
    errors = [found["error"] for _, found in inspect_all(paths, folder / "scratch", Limits(), 1)]
    assert not any(errors), errors
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    return [*rows, ["peak of a worker's memory, MB", peak, "", "", ""]]


def figures(bare: float, ours: float) -> list[object]:
    return [f"{bare:.4f}", f"{ours:.4f}", f"{ours / bare:.2f}"]


def looked(path: Path, folder: Path) -> None:
    found = inspect_file(path, Task(Limits(), folder, name=path.name))
    assert found.tables, (path, found.error)
    assert not found.error, (path, found.error)


def write_files(folder: Path) -> dict[str, Path]:
    folder.mkdir()
    found = {}
    for kind, size in SIZES.items():
        target = Target(
            1, "theme", "en", "Wages by region", "wages", 2019, 5, kind, size, False, False, 7919
        )
        found[kind] = folder / f"wages.{kind}"
        found[kind].write_bytes(make_body(target, size))
    head, *body = contents()["hospital_beds"]
    rows = [head, *(body * MANY)]
    for kind, write in (("html", web_page), ("xml", xml), ("xls", xls)):
        found[kind] = folder / f"beds.{kind}"
        write(found[kind], rows, "Beds")
    found["pdf with rules"] = folder / "beds.pdf"
    ruled_pdf(found["pdf with rules"], rows[:400], "Beds")
    return found


def bare_sheets(path: Path) -> None:
    book = CalamineWorkbook.from_path(str(path))
    for name in book.sheet_names:
        book.get_sheet_by_name(name).to_python()


def bare_pdf(path: Path) -> None:
    document = pypdfium2.PdfDocument(path)
    for page in document:
        text = page.get_textpage()
        for number in range(text.count_chars()):
            text.get_charbox(number, loose=True)
        text.close()
        page.close()
    document.close()


def bare_ruled_pdf(path: Path) -> None:
    with pdfplumber.open(path) as document:
        for page in document.pages:
            page.extract_tables()


def bare_zip(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith(".csv"):
                pl.read_csv(archive.read(name), separator=";")


BARE: dict[str, Callable[[Path], object]] = {
    "csv": lambda path: pl.read_csv(path, skip_rows=1, comment_prefix="#"),
    "json": lambda path: json.loads(path.read_bytes()),
    "ods": bare_sheets,
    "xlsx": bare_sheets,
    "xls": bare_sheets,
    "pdf": bare_pdf,
    "pdf with rules": bare_ruled_pdf,
    "zip": bare_zip,
    "html": lambda path: [c.text() for c in LexborHTMLParser(path.read_bytes()).css("td")],
    "xml": ET.parse,
}


def median(job: Callable[[], object]) -> float:
    seconds = []
    for _ in range(3):
        begun = time.process_time()
        job()
        seconds.append(time.process_time() - begun)
    return statistics.median(seconds)


def searching(folder: Path, count: int) -> list[list[object]]:
    """Write so many datasets, then search them; the slowest of three rounds counts."""
    begun = time.process_time()
    write_catalogue(folder, count)
    rows: list[list[object]] = [
        [f"writing {count} datasets", count, "", f"{time.process_time() - begun:.1f}", ""]
    ]
    with Catalog(folder) as catalog:
        for what, query in QUERIES.items():
            for verb, ask in (("searching", catalog.search), ("counting", catalog.facets)):
                seconds = []
                for _ in range(3):
                    begun = time.process_time()
                    ask(query)
                    seconds.append(time.process_time() - begun)
                hits = catalog.search(query).total
                rows.append([f"{verb}: {what}", hits, "", f"{max(seconds):.4f}", ""])
    return rows


def write_catalogue(folder: Path, count: int) -> None:
    chance = random.Random(1)
    topics = "population pupils schools births deaths jobs earnings housing trade energy".split()
    topics += "waste water health crime transport tourism farming prices income migration".split()
    kinds = "region municipality sex age industry month quarter year country education".split()
    places = [f"Place{n}" for n in range(2000)]
    connection = database.open_to_write(folder)
    connection.execute("BEGIN")
    for number in range(count):
        topic, by, year = chance.choice(topics), chance.choice(kinds), chance.randint(1990, 2024)
        kind, chosen = chance.choice(("csv", "xlsx", "pdf", "json")), chance.sample(places, 20)
        title = f"{topic.title()} by {by}, {year}"
        fields = [
            {"name": name, "type": "string", "nulls": 0, "role": "dimension", "values": chosen[:12]}
            for name in ("place", "period", topic, "rate")
        ]
        table = {
            "place": "the file",
            "address": {},
            "title": title,
            "rows": 99,
            "columns": 4,
            "number_share": 0.5,
            "first_year": year - 3,
            "last_year": year,
            "places": chosen[:5],
            "statistics": chance.random() < 0.6,
            "fields": fields,
            "sample": [["a", 1, 2, 3]] * 5,
            "terms": chosen,
        }
        host = "https://www.example.org"
        source = Source(
            f"{host}/files/{year}/{topic}-{by}-{number}.{kind}",
            f"{number}.{kind}",
            title,
            f"{host}/s{number % 30}/p{number // 10}",
            f"Statistics on {topic}",
            "text/csv",
            1000,
            f"{number:064x}",
            "",
            f"{year}-01-01T00:00:00Z",
        )
        look_ = {"format": kind, "title": "", "error": "", "tables": [table]}
        writer.write_dataset(connection, source, look_)
    connection.execute("COMMIT")
    write_families(connection)
    connection.close()


if __name__ == "__main__":
    main()
