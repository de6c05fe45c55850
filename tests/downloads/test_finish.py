"""Finishing a download: its encodings are undone, and pages in place of data are flagged."""

import asyncio
import gzip
import hashlib

import pytest

from datahound.downloads.finish import finish_file
from datahound.downloads.partial_file import PartialFile, TooLarge
from datahound.web.messages import NoAnswer

CSV = b"a,b\n1,2\n"


def finish(tmp_path, data, url="https://a.example/data.csv", limit=None, **headers):
    part = PartialFile(tmp_path / "x.part", url)
    part.begin({name.replace("_", "-"): value for name, value in headers.items()})
    part.append(data)
    return asyncio.run(finish_file(part, limit)), part


def test_plain_bytes(tmp_path):
    """Size and hash are those of the bytes; there is nothing to remark."""
    finished, part = finish(tmp_path, CSV)
    assert finished == (len(CSV), hashlib.sha256(CSV).hexdigest(), "", "")
    assert part.result.read_bytes() == CSV


def test_an_encoding_is_undone(tmp_path):
    """Size and hash are those of the decoded file."""
    finished, part = finish(tmp_path, gzip.compress(CSV), content_encoding="gzip")
    assert finished.sha256 == hashlib.sha256(CSV).hexdigest()
    assert finished.size == len(CSV)
    assert part.result.read_bytes() == CSV


@pytest.mark.parametrize(
    ("url", "content_type"),
    [
        ("https://a.example/data.csv.gz", "text/csv"),
        ("https://a.example/data.tgz", ""),
        ("https://a.example/get", "application/x-gzip"),
        ("https://a.example/get", "application/x-gtar"),
    ],
)
def test_a_gzip_file_stays_gzip(tmp_path, url, content_type):
    """Servers declare the gzip of a .gz file as its Content-Encoding."""
    data = gzip.compress(CSV)
    _, part = finish(tmp_path, data, url, content_encoding="gzip", content_type=content_type)
    assert part.result.read_bytes() == data


def test_a_gzip_file_in_two_encodings_is_decoded_as_declared(tmp_path):
    """Only a single gzip can be the file's own."""
    data = gzip.compress(gzip.compress(CSV))
    url = "https://a.example/data.csv.gz"
    _, part = finish(tmp_path, data, url, content_encoding="gzip, gzip")
    assert part.result.read_bytes() == CSV


def test_an_encoding_that_was_only_declared(tmp_path):
    """Bytes that do not begin like gzip are kept as they are, with a note."""
    finished, part = finish(tmp_path, CSV, content_encoding="gzip")
    assert part.result.read_bytes() == CSV
    assert "gzip" in finished.note


def test_a_broken_encoding_is_retried_from_the_start(tmp_path):
    """Nothing of the broken body is left to resume."""
    with pytest.raises(NoAnswer, match="broken encoding"):
        finish(tmp_path, gzip.compress(CSV * 100)[:-20], content_encoding="gzip")
    assert not list(tmp_path.iterdir())


def test_a_file_that_decodes_to_too_much(tmp_path):
    """The limit holds for the decoded bytes."""
    with pytest.raises(TooLarge):
        finish(tmp_path, gzip.compress(b"0" * 10_000), limit=5_000, content_encoding="gzip")


@pytest.mark.parametrize(
    ("url", "data", "is_suspicious"),
    [
        ("https://a.example/data.csv", b"<!doctype html><title>Login</title>", True),
        ("https://a.example/data", b"<html>", True),
        ("https://a.example/page.html", b"<html>", False),
        ("https://a.example/data.xml", b"<?xml version='1.0'?><rows/>", False),
        ("https://a.example/data.csv", b"", True),
    ],
)
def test_suspicious_files(tmp_path, url, data, is_suspicious):
    """A login page in place of data is flagged, and so is an empty file; a saved page is not."""
    finished, _ = finish(tmp_path, data, url)
    assert bool(finished.suspicion) is is_suspicious
