"""The crawl as a WACZ file, checked with the tool of the format's makers."""

import gzip
import hashlib
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from crawl_to_export import HOSTILE_URL, SEED, Task, make_source
from warcio.archiveiterator import ArchiveIterator

from datahound.archive.export import write_wacz


@pytest.fixture
def package(tmp_path):
    """An exported WACZ file, and what the export reported."""
    to = tmp_path / "out.wacz"
    with zipfile.ZipFile(to, "w") as file:
        written = write_wacz(Task(make_source(tmp_path / "crawl")), file)
    assert written.counts == {"records": 7, "whole files": 4, "pages": 2}
    return to


def test_the_wacz_validates(package):
    tool = Path(sys.executable).parent / "wacz"
    command = [tool, "validate", "-f", package]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Validation succeeded" in done.stdout + done.stderr


def test_the_recording_is_stored_for_random_access(package):
    """Replay tools read ranges of it, so it is not compressed again."""
    with zipfile.ZipFile(package) as file:
        stored = {i.filename for i in file.infolist() if i.compress_type == zipfile.ZIP_STORED}
        assert file.testzip() is None
    assert stored == {"archive/data.warc.gz", "indexes/index.cdx.gz"}


def test_the_index_leads_to_every_record(package):
    with zipfile.ZipFile(package) as file:
        archive = file.read("archive/data.warc.gz")
        index = gzip.decompress(file.read("indexes/index.cdx.gz")).decode().splitlines()
        blocks = file.read("indexes/index.idx").decode().splitlines()
    assert json.loads(blocks[0].split(" ", 2)[2])["filename"] == "index.cdx.gz"
    assert index == sorted(index)
    assert len(index) == 5
    for line in index:
        _, stamp, fields = line.split(" ", 2)
        row = json.loads(fields)
        begin, length = int(row["offset"]), int(row["length"])
        record = next(ArchiveIterator(io.BytesIO(archive[begin : begin + length])))
        assert record.rec_headers.get_header("WARC-Target-URI") == row["url"]
        assert record.rec_headers.get_header("WARC-Payload-Digest") == row["digest"]
        assert row["filename"] == "data.warc.gz"
        assert len(stamp) == 14


def test_pages_are_plain_text(package):
    """A hostile title is one printable line; a hostile URL is an IRI."""
    with zipfile.ZipFile(package) as file:
        lines = [json.loads(line) for line in file.read("pages/pages.jsonl").splitlines()]
    first, home, hostile = lines
    assert first["format"] == "json-pages-1.0"
    assert (home["url"], home["title"], home["ts"]) == (SEED, "Home", "2026-01-01T00:00:00Z")
    assert not set(hostile["title"]) & set("\x00\x1b\u202e\r\n")
    assert not set(hostile["url"]) & set("{}|<>")
    assert hostile["url"] != HOSTILE_URL
    assert home["id"] != hostile["id"]


def test_the_description_has_the_hash_of_everything(package):
    with zipfile.ZipFile(package) as file:
        text = file.read("datapackage.json")
        described = json.loads(text)
        digest = json.loads(file.read("datapackage-digest.json"))
        for resource in described["resources"]:
            data = file.read(resource["path"])
            assert resource["bytes"] == len(data)
            assert resource["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
        listed = {resource["path"] for resource in described["resources"]}
        assert listed == {n for n in file.namelist() if not n.startswith("datapackage")}
    assert digest == {
        "path": "datapackage.json",
        "hash": f"sha256:{hashlib.sha256(text).hexdigest()}",
    }
    assert described["wacz_version"] == "1.1.1"
    assert described["mainPageUrl"] == SEED
    assert described["created"] == "2026-01-02T00:00:00Z"
