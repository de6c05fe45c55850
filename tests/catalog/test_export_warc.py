"""The recording as WARC and WACZ, checked with the tools that web archives use."""

import gzip
import io
import json
import os
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
import surt as reference
from export_material import HOSTILE, HOSTILE_URL, SEED, Material, collected, probed, visited
from warcio.archiveiterator import ArchiveIterator

from datahound.archive import open_warc
from datahound.catalog.exports import Page
from datahound.catalog.exports.cdxj import surt
from datahound.catalog.exports.wacz import export_wacz
from datahound.catalog.exports.warc import export_warc
from datahound.errors import StorageError, UserError
from datahound.model import Failure, Fetch, Purpose

BODY = b"a,b\n1,2\n" * 40_000
CSV = SEED + "a.csv"


@pytest.fixture
def material(tmp_path):
    """A page, a probe, a failure, files whole and compressed for the way, and twins."""
    found = Material(tmp_path / "crawl")
    found.keep(CSV, BODY)
    found.keep(SEED + "twin.csv", BODY, path="www.site.example/a.csv")
    found.keep(HOSTILE_URL, b"x\n", path="www.site.example/odd", mime="text/csv")
    found.keep(SEED + "later.pdf", b"%PDF", mime="application/pdf")
    found.pages = [
        Page(SEED, "Home", "2026-01-01T00:00:00Z"),
        Page(HOSTILE_URL, HOSTILE, "2026-01-01T00:00:01Z"),
    ]
    found.record(
        visited(SEED),
        probed(CSV),
        collected(CSV, 512, **{"content-encoding": "gzip"}),
        collected(SEED + "twin.csv", len(BODY)),
        collected(HOSTILE_URL, 2, x=HOSTILE),
        collected(SEED + "lost.csv", 99),
        (Fetch(SEED + "gone", Purpose.VISIT), Failure(SEED + "gone", "no answer")),
    )
    return found


def tool(*command):
    """Run one of the tools that are installed beside Python."""
    path = Path(sys.executable).parent / command[0]
    done = subprocess.run([path, *command[1:]], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def records(path):
    with path.open("rb") as file:
        for record in ArchiveIterator(file):
            body = record.content_stream().read()
            headers = record.rec_headers
            yield record.rec_type, headers.get_header("WARC-Target-URI"), record, body


def test_kept_files_stand_whole_in_the_warc(material, tmp_path):
    """Responses that the journal cut at their headers have their bodies; probes are left out."""
    to = tmp_path / "out.warc.gz"
    outcome = material.export(export_warc, to)
    found = [(kind, url, body) for kind, url, _, body in records(to)]
    assert [kind for kind, _, _ in found] == [
        "warcinfo", "response", "response", "revisit", "response", "response", "metadata",
        "resource",
    ]  # fmt: skip
    assert found[2][2] == BODY
    assert found[4][2] == b"x\n"
    assert found[5] == ("response", SEED + "lost.csv", b"")
    assert found[7] == ("resource", SEED + "later.pdf", b"%PDF")
    assert outcome.written == {"records": 7, "whole files": 4}
    assert not outcome.left_out


def test_the_archives_own_tools_find_no_fault(material, tmp_path):
    """Warcio checks every digest; the index that it makes has every file."""
    to = tmp_path / "out.warc.gz"
    material.export(export_warc, to)
    status, said = tool("warcio", "check", "-v", to)
    assert status == 0, said
    assert said.count("digest pass") == 7  # the payload of the twin stands elsewhere
    assert "fail" not in said.lower()


def test_fastwarc_verifies_the_digests(material, tmp_path):
    """Another reader, another check."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from fastwarc.warc import ArchiveIterator as Fast
    to = tmp_path / "out.warc.gz"
    material.export(export_warc, to)
    with to.open("rb") as file:
        checked = [
            (record.verify_block_digest(), record.headers.get("WARC-Type"))
            for record in Fast(file, parse_http=False)
        ]
    assert len(checked) == 8
    assert all(ok for ok, _ in checked)


def test_headers_say_what_the_body_is(material, tmp_path):
    """A body that was unpacked is no longer called packed, and its length is its own."""
    to = tmp_path / "out.warc.gz"
    material.export(export_warc, to)
    record = next(r for kind, url, r, _ in records(to) if url == CSV and kind == "response")
    headers = {name.lower(): value for name, value in record.http_headers.headers}
    assert headers["content-length"] == str(len(BODY))
    assert headers["x-archive-orig-content-encoding"] == "gzip"
    assert "content-encoding" not in headers
    assert "WARC-Truncated" not in record.rec_headers.to_str()


def test_the_export_can_be_replayed(material, tmp_path):
    """Our own archive reads it, twins included."""
    to = tmp_path / "out.warc.gz"
    material.export(export_warc, to)
    with closing(open_warc(to)) as archive:
        assert archive.seed == SEED
        assert archive.get(Fetch(CSV)).body == BODY
        assert archive.get(Fetch(SEED + "twin.csv")).body == BODY
        assert archive.get(Fetch(HOSTILE_URL)).body == b"x\n"


def test_a_file_that_changed_is_not_passed_off_as_what_was_found(material, tmp_path):
    """Its record stays cut, and that is said."""
    (material.folder / "files/www.site.example/a.csv").write_bytes(b"other")
    outcome = material.export(export_warc, tmp_path / "out.warc.gz")
    assert outcome.left_out == 2
    assert any("a.csv" in line and "changed" in line for line in material.told)
    assert not any(body == b"other" for *_, body in records(tmp_path / "out.warc.gz"))


def test_links_out_of_the_folder_are_not_followed(material, tmp_path):
    """A path or a symbolic link that leads outside brings nothing in."""
    secret = tmp_path / "secret"
    secret.write_text("secret")
    (material.folder / "files/link.csv").symlink_to(secret)
    crawled = material.crawled
    assert crawled.file("link.csv") is None
    assert crawled.file("../../secret") is None
    assert crawled.file("www.site.example") is None
    assert crawled.file("a\0b") is None


def test_a_torn_journal_gives_what_is_whole(material, tmp_path):
    """A crawl that was cut off, or still runs, can be exported."""
    journal = next((material.folder / "pages").glob("*.warc.gz"))
    os.truncate(journal, journal.stat().st_size - 10)
    outcome = material.export(export_warc, tmp_path / "out.warc.gz")
    assert outcome.written["whole files"] == 4
    assert tool("warcio", "check", tmp_path / "out.warc.gz")[0] == 0


def test_no_journal_at_all(tmp_path):
    """Files without a recording are resources."""
    material = Material(tmp_path / "crawl")
    material.keep(CSV, BODY)
    outcome = material.export(export_warc, tmp_path / "out.warc.gz")
    assert outcome.written == {"records": 1, "whole files": 1}


def test_nothing_half_written_stays(material, tmp_path, monkeypatch):
    """An export that fails leaves neither the file nor a draft, and keeps the one before."""
    to = tmp_path / "out.warc.gz"
    material.export(export_warc, to)
    before = to.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("datahound.catalog.exports.warc.WarcWriter.put_file", full)
    with pytest.raises(StorageError, match="No space left"):
        material.export(export_warc, to)
    assert to.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if "part" in path.name] == []


@pytest.mark.parametrize("export", [export_warc, export_wacz])
def test_what_is_not_ours_stays(material, tmp_path, export):
    """A file of somebody else's is refused, one of ours is replaced, --force means it."""
    to = tmp_path / "out.file"
    to.write_text("a letter")
    with pytest.raises(UserError, match="--force"):
        material.export(export, to)
    assert to.read_text() == "a letter"
    material.export(export, to, force=True)
    material.export(export, to)
    with pytest.raises(UserError, match="is a folder"):
        material.export(export, tmp_path)


def test_the_wacz_validates(material, tmp_path):
    """The tool of the format's makers finds it valid."""
    to = tmp_path / "out.wacz"
    outcome = material.export(export_wacz, to)
    status, said = tool("wacz", "validate", "-f", to)
    assert status == 0, said
    assert "Validation succeeded" in said
    assert outcome.written["pages"] == 2


def test_the_wacz_holds_what_it_says(material, tmp_path):
    """Stored for random access; pages as plain text; the index leads to every record."""
    to = tmp_path / "out.wacz"
    material.export(export_wacz, to)
    with zipfile.ZipFile(to) as package:
        assert package.getinfo("archive/data.warc.gz").compress_type == zipfile.ZIP_STORED
        pages = [json.loads(line) for line in package.read("pages/pages.jsonl").splitlines()]
        archive = package.read("archive/data.warc.gz")
        index = gzip.decompress(package.read("indexes/index.cdx.gz")).decode().splitlines()
        blocks = package.read("indexes/index.idx").decode().splitlines()
        described = json.loads(package.read("datapackage.json"))
    assert pages[0]["format"] == "json-pages-1.0"
    assert "\u202e" not in pages[2]["title"]
    assert "\x00" not in pages[2]["title"]
    assert described["wacz_version"] == "1.1.1"
    assert described["mainPageUrl"] == SEED
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
        assert len(stamp) == 14


@pytest.mark.parametrize(
    "url",
    [
        SEED,
        "https://site.example",
        "http://www2.Site.Example:8080/A//b/?B=2&a=1&a",
        "https://user:pass@sub.site.example:443/x%20y/%C3%A9?q=%7Bz%7D#top",
        "https://site.example/a/b.aspx?sid=0123456789abcdef0123456789abcdef&x=1",
        "http://192.0.2.7/x?",
        "https://www.site.example/p?PHPSESSID=0123456789abcdef0123456789abcdef",
        "https://www.site.example/%2561/x",
        "https://www.site.example/a;b=1,2?x=a%26b",
        "https://site.example/?a=1&&b=",
    ],
)
def test_keys_are_those_of_web_archives(url):
    """The key under which a page is filed is the one that replay tools compute."""
    assert surt(url) == reference.surt(url)


def test_strange_addresses_have_keys():
    """Whatever a URL is, its key is one word on one line."""
    for url in (HOSTILE_URL, HOSTILE, "", "x:", "https://[2001:db8::1]:8443/x", "https://a b/{ }"):
        assert not set(surt(url)) & set(" \r\n\x00\u202e")
