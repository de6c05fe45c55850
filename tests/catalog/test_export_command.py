"""`datahound export` on a crawl of a hostile website, over loopback HTTP."""

import asyncio
import csv
import io
import json
import signal
import subprocess
import sys
import time
import warnings
import zipfile
from contextlib import closing

import polars as pl
import pytest
from frictionless import validate
from websites import Website, data, page

from datahound.archive import open_archive
from datahound.catalog.exports import FORMATS
from datahound.cli import run
from datahound.cli.running import Manner, crawl_all
from datahound.model import Fetch
from datahound.runs.options import make_options

pytestmark = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)

SEED = "http://www.site.example/"
ROWS = "".join(f"Region {n},2019,{n * 7},{n / 4}\n" for n in range(60))
CLEAN = f"Region,Year,Pupils,Share\n{ROWS}".encode()
TRICKY = "=cmd|' /C calc'!A0,<script>alert(1)</script>,\u202egpj,x\n" + ROWS
BOMB = io.BytesIO()
with zipfile.ZipFile(BOMB, "w", zipfile.ZIP_DEFLATED) as _archive:
    _archive.writestr("../../evil.csv", CLEAN)
    _archive.writestr("zeros.csv", b"0" * (8 << 20))


def hostile_site():
    named = 'attachment; filename="../../=evil\u202e|<b>.csv"'
    return Website(
        {
            "/": page(
                "/clean.csv", "/twin.csv", "/tricky.csv", "/get?x=<b>&y={z}|", "/bomb.zip",
                "/broken.zip", "/not.xlsx", "/%0d%0aX-Evil:1.csv", "/page.html",
                text="=1+1 \u202e <script>alert(1)</script>",
            ),
            "/page.html": page("/clean.csv"),
            "/clean.csv": data(CLEAN),
            "/twin.csv": data(CLEAN),
            "/tricky.csv": data(TRICKY.encode()),
            "/get?x=%3Cb%3E&y={z}|": data(CLEAN + b"West,2020,1,2\n", content_disposition=named),
            "/bomb.zip": data(BOMB.getvalue(), "application/zip"),
            "/broken.zip": data(b"PK\x03\x04 broken", "application/zip"),
            "/not.xlsx": data(b"<html>log in", "application/vnd.ms-excel"),
            "/%0d%0aX-Evil:1.csv": data(b"a,b\n1,2\n"),
        }
    )  # fmt: skip


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """The folder of a crawl, without a catalogue."""
    folder = tmp_path_factory.mktemp("crawl") / "site"

    async def go():
        async with hostile_site().served() as address:
            given = {"output": str(folder), "delay": "0", "connect-to": address}
            given |= {"target": ["csv", "zip", "excel"], "ignore-robots": True}
            (ended,) = await crawl_all([make_options(SEED, given)], Manner(as_json=True))
            assert ended.ended.status == 0

    asyncio.run(go())
    return folder


def export(capfd, folder, form, *more):
    capfd.readouterr()
    status = run(["export", str(folder), "--format", form, *map(str, more)])
    said = capfd.readouterr()
    return status, said.out, said.err


def test_every_format(crawled, tmp_path, capfd):
    """Every export is made, and none of what the site sent gets out of its place."""
    for form in FORMATS:
        status, out, err = export(capfd, crawled, form, "--output", tmp_path / "out" / form)
        assert status == 0, err
        assert out.count("\n") == 1
        assert not set("\x1b\u202e\x00") & set(out + err)
    report = validate(str(tmp_path / "out/datapackage/datapackage.json"))
    assert report.valid, [(task.name, task.errors) for task in report.tasks if not task.valid]
    assert {path.name for path in (tmp_path / "out").iterdir()} == set(FORMATS)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_tables_of_a_real_crawl(crawled, tmp_path, capfd):
    """Clean, tricky and packed tables come out; the twin comes once."""
    assert export(capfd, crawled, "parquet", "--output", tmp_path / "p")[0] == 0
    index = pl.read_parquet(tmp_path / "p/index.parquet")
    clean = index.filter(pl.col("url").str.ends_with("clean.csv")).to_dicts()
    twin = index.filter(pl.col("url").str.ends_with("twin.csv")).to_dicts()
    (found,) = clean + twin
    frame = pl.read_parquet(tmp_path / "p" / found["file"])
    assert frame.columns == ["Region", "Year", "Pupils", "Share"]
    assert frame.height == found["rows"] == 60
    assert frame["Pupils"].dtype == pl.Int64
    assert any("evil.csv" in place for place in index["place"])
    assert export(capfd, crawled, "csv", "--output", tmp_path / "c")[0] == 0
    for path in (tmp_path / "c").rglob("*.csv"):
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.reader(file):
                assert not [cell for cell in row if cell.startswith(("=", "@", "+c"))]


def test_the_archive_of_a_real_crawl(crawled, tmp_path, capfd):
    """The WARC file is a site that can be crawled again, bodies and all."""
    to = tmp_path / "site.warc.gz"
    assert export(capfd, crawled, "warc", "--output", to)[0] == 0
    with closing(open_archive(str(to))) as archive:
        assert archive.seed == SEED
        assert archive.get(Fetch(SEED + "clean.csv")).body == CLEAN
        assert archive.get(Fetch(SEED + "twin.csv")).body == CLEAN


def test_into_the_folder_itself(crawled, capfd):
    """Without --output everything goes where the crawl is, and validates there."""
    for form in ("datapackage", "dcat", "wacz"):
        status, _, err = export(capfd, crawled, form)
        assert status == 0, err
    assert (crawled / "exports/www.site.example.wacz").is_file()
    catalog = json.loads((crawled / "exports/catalog.jsonld").read_text("utf-8"))
    assert catalog["@graph"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert validate(str(crawled / "datapackage.json")).valid


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("{crawl}", "--format", "word"), "unknown format"),
        (("{crawl}",), "--format"),
        (("{empty}", "--format", "csv"), "no crawl in this folder"),
        (("{empty}/none", "--format", "warc"), "no crawl in this folder"),
        (("{crawl}", "--format", "warc", "--statistics-only"), "--statistics-only is for"),
        (("{crawl}", "--format", "csv", "--output", "{crawl}"), "belongs to the crawl"),
        (("{crawl}", "--format", "dcat", "--output", "{crawl}/crawl.db", "--force"), "belongs to"),
        (("{crawl}", "--format", "csv", "--output", "{crawl}/files/x", "--force"), "belongs to"),
        (("{crawl}", "--format", "dcat", "--output", "{taken}"), "--force"),
        (("{crawl}", "--format", "csv", "--output", "{taken}"), "is a file"),
        (("{crawl}", "--format", "csv", "--output", "{full}"), "holds other things"),
        (("{crawl}", "--format", "wacz", "--output", "{taken}/x"), "can't be written"),
    ],
)
def test_mistakes_are_one_line(crawled, tmp_path, capfd, arguments, said):
    """And status 2, and nothing is lost."""
    taken, full, empty = tmp_path / "taken", tmp_path / "full", tmp_path / "empty"
    taken.write_text("mine")
    full.mkdir()
    (full / "mine").write_text("mine")
    empty.mkdir()
    places = {"crawl": crawled, "empty": empty, "taken": taken, "full": full}
    status = run(["export", *(argument.format(**places) for argument in arguments)])
    out, err = capfd.readouterr()
    assert status == 2
    assert not out
    lines = [line for line in err.splitlines() if not line.startswith("catalogue:")]
    assert len(lines) == 1
    assert said in lines[0]
    assert taken.read_text() == (full / "mine").read_text() == "mine"


def test_interrupted_and_run_again(crawled, tmp_path):
    """Ctrl-C leaves no half file, and the second run ends what the first began."""
    out = tmp_path / "out"
    command = [sys.executable, "-c", "from datahound.cli import main; main()"]
    command += ["export", str(crawled), "--format", "parquet", "--output", str(out)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    deadline = time.monotonic() + 30
    while not list(out.glob("tables/*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    # While Python itself ends, it dies of the signal: a shell says 130 of that, too.
    assert process.returncode in (0, 130, -signal.SIGINT), err
    assert b"Traceback" not in err
    assert b"panicked" not in err
    assert not list(out.rglob("*.part"))
    assert not (out / ".scratch").exists()
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    index = pl.read_parquet(out / "index.parquet")
    assert {path.name for path in (out / "tables").iterdir()} == {
        name.rpartition("/")[2] for name in index["file"]
    }
