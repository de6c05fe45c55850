"""The journal as a WARC file, checked with the tools that web archives use."""

import os
import re
import subprocess
import sys
import warnings
import zlib
from contextlib import closing
from pathlib import Path

import pytest
from crawl_to_export import (
    BODY,
    CSV,
    HOSTILE_URL,
    SEED,
    Source,
    Task,
    collected,
    make_source,
    visited,
)
from warcio.archiveiterator import ArchiveIterator

from datahound.archive import open_warc
from datahound.archive.export import write_warc
from datahound.errors import ArchiveError, StorageError
from datahound.model import Fetch


@pytest.fixture
def source(tmp_path):
    return make_source(tmp_path / "crawl")


def export_warc(source, to, listen=lambda _: None):
    with to.open("wb") as file:
        return write_warc(Task(source), file, to.name, listen)


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


def test_kept_files_stand_whole_in_the_warc(source, tmp_path):
    """Responses that the journal cut at their headers have their bodies; probes are left out."""
    to = tmp_path / "out.warc.gz"
    written = export_warc(source, to)
    found = [(kind, url, body) for kind, url, _, body in records(to)]
    assert [kind for kind, _, _ in found] == [
        "warcinfo", "response", "response", "revisit", "response", "response", "metadata",
        "resource",
    ]  # fmt: skip
    assert found[2][2] == BODY
    assert found[4][2] == b"x\n"
    assert found[5] == ("response", SEED + "lost.csv", b"")
    assert found[7] == ("resource", SEED + "later.pdf", b"%PDF")
    assert written.counts == {"records": 7, "whole files": 4}
    assert not written.left_out


def test_the_archives_own_tools_find_no_fault(source, tmp_path):
    """Warcio checks every digest; the index that it makes has every file."""
    to = tmp_path / "out.warc.gz"
    export_warc(source, to)
    status, said = tool("warcio", "check", "-v", to)
    assert status == 0, said
    assert said.count("digest pass") == 7  # the payload of the twin stands elsewhere
    assert "fail" not in said.lower()


def test_fastwarc_verifies_the_digests(source, tmp_path):
    """Another reader, another check."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from fastwarc.warc import ArchiveIterator as Fast
    to = tmp_path / "out.warc.gz"
    export_warc(source, to)
    with to.open("rb") as file:
        checked = [
            (record.verify_block_digest(), record.headers.get("WARC-Type"))
            for record in Fast(file, parse_http=False)
        ]
    assert len(checked) == 8
    assert all(ok for ok, _ in checked)


def test_headers_say_what_the_body_is(source, tmp_path):
    """A body that was unpacked is no longer called packed, and its length is its own."""
    to = tmp_path / "out.warc.gz"
    export_warc(source, to)
    record = next(r for kind, url, r, _ in records(to) if url == CSV and kind == "response")
    headers = {name.lower(): value for name, value in record.http_headers.headers}
    assert headers["content-length"] == str(len(BODY))
    assert headers["x-archive-orig-content-encoding"] == "gzip"
    assert "content-encoding" not in headers
    assert "WARC-Truncated" not in record.rec_headers.to_str()


def test_the_export_can_be_replayed(source, tmp_path):
    """Our own archive reads it, twins included."""
    to = tmp_path / "out.warc.gz"
    export_warc(source, to)
    with closing(open_warc(to)) as archive:
        assert archive.seed == SEED
        assert archive.get(Fetch(CSV)).body == BODY
        assert archive.get(Fetch(SEED + "twin.csv")).body == BODY
        assert archive.get(Fetch(HOSTILE_URL)).body == b"x\n"


def test_a_torn_journal_gives_what_is_whole(source, tmp_path):
    """A crawl that was cut off, or still runs, can be exported."""
    journal = next((source.folder / "pages").glob("*.warc.gz"))
    os.truncate(journal, journal.stat().st_size - 10)
    written = export_warc(source, tmp_path / "out.warc.gz")
    assert written.counts["whole files"] == 4
    assert tool("warcio", "check", tmp_path / "out.warc.gz")[0] == 0


def test_a_file_that_changed_is_not_passed_off_as_what_was_found(source, tmp_path):
    """Its record stays cut, and the user is told."""
    (source.folder / "files/a.csv").write_bytes(b"other")
    task = Task(source)
    with (tmp_path / "out.warc.gz").open("wb") as file:
        written = write_warc(task, file, "out.warc.gz")
    assert written.left_out == 2
    assert any("a.csv" in line and "changed" in line for line in task.told)
    assert task.steps == list(range(1, written.counts["records"] + 1))
    assert not any(body == b"other" for *_, body in records(tmp_path / "out.warc.gz"))


@pytest.mark.parametrize("change", [b"", b"longer than before"])
def test_a_file_that_changes_during_the_export_stops_it(tmp_path, monkeypatch, change):
    """What was digested is no longer what is written: better no export than a wrong one."""
    source = Source(tmp_path / "crawl")
    source.keep(CSV, BODY, "a.csv")
    from datahound.archive.export import warc

    digest_file = warc.digest_file

    def digest_and_change(file, before):
        payload = digest_file(file, before)
        file.write_bytes(change)
        return payload

    monkeypatch.setattr(warc, "digest_file", digest_and_change)
    with pytest.raises(StorageError, match="changed while it was exported"):
        export_warc(source, tmp_path / "out.warc.gz")


def test_no_journal_at_all(tmp_path):
    """Files without a recording are resources."""
    source = Source(tmp_path / "crawl")
    source.keep(CSV, BODY, "a.csv")
    written = export_warc(source, tmp_path / "out.warc.gz")
    assert written.counts == {"records": 1, "whole files": 1}


def test_a_journal_that_is_not_a_recording_is_refused(tmp_path):
    """A gzip file of something else gets one clear line."""
    source = Source(tmp_path / "crawl")
    source.record(visited(SEED))
    journal = source.folder / "pages/site.warc.gz"
    journal.write_bytes(zlib.compress(b"my precious notes" * 100, wbits=31))
    with pytest.raises(ArchiveError, match=r"site\.warc\.gz: is not the recording of a crawl"):
        export_warc(source, tmp_path / "out.warc.gz")


def test_the_rows_of_the_index_name_answers_only(source, tmp_path):
    """One row per answer that can be shown: no failure, no probe, nothing cut at its headers."""
    rows = []
    to = tmp_path / "out.warc.gz"
    export_warc(source, to, rows.append)
    assert [(row.url, row.mime, row.status) for row in rows] == [
        (SEED, "text/html", 200),
        (CSV, "text/csv", 200),
        (SEED + "twin.csv", "warc/revisit", 200),
        (HOSTILE_URL, "text/csv", 200),
        (SEED + "later.pdf", "application/pdf", 200),
    ]
    data = to.read_bytes()
    for row in rows:
        begin, length = row.place
        record = zlib.decompress(data[begin : begin + length], wbits=31)
        assert f"WARC-Target-URI: {row.url}\r\n".encode() in record
        assert f"WARC-Payload-Digest: {row.digest}\r\n".encode() in record


def test_a_plain_journal_is_exported_like_a_compressed_one(tmp_path):
    """Records are the same but for their ids, their dates and the name of the file."""
    contents = []
    for name in ("site.warc", "site.warc.gz"):
        source = Source(tmp_path / name)
        source.record(visited(SEED), collected(CSV, 4), name=name)
        source.keep(CSV, b"a,b\n", "a.csv")
        to = tmp_path / name / "out.warc.gz"
        export_warc(source, to)
        contents.append([(kind, url, body) for kind, url, _, body in records(to)])
    assert contents[0] == contents[1]


def test_every_round_is_exported(tmp_path):
    """The export is the whole journal, whichever round recorded a page."""
    source = Source(tmp_path / "crawl")
    source.record(visited(SEED, b"first"))
    source.record(visited(SEED, b"second"), round_number=1)
    export_warc(source, tmp_path / "out.warc.gz")
    found = [body for kind, _, _, body in records(tmp_path / "out.warc.gz") if kind == "response"]
    assert found == [b"first", b"second"]


def test_the_first_record_says_who_made_the_file(source, tmp_path):
    """The seed in it is where our own archive starts; an export of ours is known by it."""
    to = tmp_path / "out.warc.gz"
    export_warc(source, to)
    kind, _, record, body = next(records(to))
    assert kind == "warcinfo"
    assert re.search(rb"software: datahound 0.0\r\n", body)
    assert f"datahound-seed: {SEED}\r\n".encode() in body
    assert record.rec_headers.get_header("WARC-Date") == source.last_at
    assert record.rec_headers.get_header("WARC-Filename") == "out.warc.gz"
