"""Finishing a download: encodings are undone, pages are flagged, no file overwrites another."""

import asyncio
import errno
import gzip
import hashlib
import os
import time

import pytest

from datahound.downloads.finish import FilePlacer, finish_file
from datahound.downloads.transfer import PartialFile, TooLarge
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


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate", "zstd", "compress", "gzip, x-odd"])
def test_an_encoding_that_was_only_declared(tmp_path, encoding):
    """Bytes that do not begin like gzip, or are plain text, are kept as they are, with a note."""
    finished, part = finish(tmp_path, CSV, content_encoding=encoding)
    assert part.result.read_bytes() == CSV
    assert encoding in finished.note


@pytest.mark.parametrize("encoding", ["aws-chunked", "UTF-8", "binary", "8bit"])
def test_what_is_no_encoding_is_ignored(tmp_path, encoding):
    """Servers name charsets there, and S3 how a file was uploaded."""
    finished, part = finish(tmp_path, CSV, content_encoding=encoding)
    assert part.result.read_bytes() == CSV
    assert finished.note == ""


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


@pytest.fixture
def placed(tmp_path):
    """Place some bytes under a name; returns the name that the file got."""
    folder = tmp_path / "files"
    placer = FilePlacer(folder)

    def place(name, data=b"1", url="https://a.org/x"):
        part = tmp_path / "x.part"
        part.write_bytes(data)
        got = placer.place(part, name, url, hashlib.sha256(data).hexdigest())
        assert not part.exists()
        assert (folder / got).read_bytes() == data
        return got

    place.folder = folder
    return place


def test_a_free_name(placed):
    """Folders are made as needed."""
    assert placed("a.org/d/x.csv") == "a.org/d/x.csv"


def test_a_taken_name_gets_a_number(placed):
    """Other bytes never replace a file, also if the names differ by case only."""
    assert placed("a.org/x.csv", b"1") == "a.org/x.csv"
    assert placed("a.org/x.csv", b"2") == "a.org/x~2.csv"
    assert placed("a.org/X.CSV", b"3") == "a.org/X~3.CSV"


def test_the_same_bytes_under_the_same_name_are_one_file(placed):
    """The file was placed before a crash."""
    assert placed("a.org/x.csv") == "a.org/x.csv"
    assert placed("a.org/X.csv") == "a.org/x.csv"
    assert [path.name for path in (placed.folder / "a.org").iterdir()] == ["x.csv"]


def test_a_file_where_a_folder_should_be(placed):
    """`/data` may be a file and a folder of the website."""
    assert placed("a.org/data") == "a.org/data"
    assert placed("a.org/data/x.csv") == "a.org/data~2/x.csv"
    assert placed("a.org/data/y.csv") == "a.org/data~2/y.csv"


def test_folders_that_differ_by_case_are_one(placed):
    """As on file systems that ignore case."""
    assert placed("a.org/Data/x.csv") == "a.org/Data/x.csv"
    assert placed("a.org/data/y.csv") == "a.org/Data/y.csv"


def test_a_name_that_the_file_system_rejects(placed):
    """The file gets a name of hash digits, and keeps its extension."""
    got = placed(f"a.org/{'x' * 300}.csv")
    assert got.startswith("a.org/~")
    assert got.endswith(".csv")


def test_a_file_system_without_links(placed, monkeypatch):
    """Then the file is renamed, and an existing file still is not replaced."""

    def refuse(*_args):
        raise OSError(errno.EPERM, "no links")

    monkeypatch.setattr(os, "link", refuse)
    assert placed("a.org/x.csv", b"1") == "a.org/x.csv"
    (placed.folder / "a.org" / "y.csv").write_bytes(b"made by another program")
    assert placed("a.org/y.csv", b"2") == "a.org/y~2.csv"


def test_other_errors_are_raised(placed, monkeypatch):
    """A full disk is not a bad name."""

    def refuse(*_args):
        raise OSError(errno.ENOSPC, "disk full")

    monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(OSError, match="disk full"):
        placed("a.org/x.csv")


def test_links_in_the_folder_are_not_followed(placed, tmp_path):
    """A link to a folder or to a file is a taken name."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.csv").write_bytes(b"1")
    placed.folder.mkdir()
    (placed.folder / "a.org").symlink_to(outside)
    (placed.folder / "b.org").mkdir()
    (placed.folder / "b.org" / "x.csv").symlink_to(outside / "x.csv")
    assert placed("a.org/y.csv") == "a.org~2/y.csv"
    assert placed("b.org/x.csv", b"1") == "b.org/x~2.csv"
    assert [path.name for path in outside.iterdir()] == ["x.csv"]


def test_equal_names_and_sizes_are_hashed_once(placed, monkeypatch):
    """A hundred different files of one name and size: each is hashed at most once."""
    hashed = []
    digest = hashlib.file_digest
    monkeypatch.setattr(
        hashlib, "file_digest", lambda file, kind: hashed.append(file.name) or digest(file, kind)
    )
    names = {placed("a.csv", f"{number:08}".encode()) for number in range(100)}
    assert len(names) == 100
    assert len(hashed) == len(set(hashed))


def test_thousands_of_files_of_one_name_are_placed_in_no_time(placed):
    """As exports are that are all called `export.csv`: the last ones cost as much as the first."""

    def place(first):
        begun = time.thread_time()
        names = {
            placed("a/export.csv", f"{number:08}".encode()) for number in range(first, first + 200)
        }
        assert len(names) == 200
        return time.thread_time() - begun

    costs = [place(first) for first in range(0, 1600, 200)]
    assert costs[-1] < 4 * min(costs)


def test_equal_files_of_an_earlier_process_are_found(placed, tmp_path):
    """A crash may come between a file and its row: it is not kept a second time then."""
    for number in range(20):
        placed("a/export.csv", f"{number:08}".encode())
    later = FilePlacer(placed.folder)
    part = tmp_path / "y.part"
    for number in (7, 99, 7):
        data = f"{number:08}".encode()
        part.write_bytes(data)
        got = later.place(part, "a/export.csv", "", hashlib.sha256(data).hexdigest())
        assert got == ("a/export~8.csv" if number == 7 else "a/export~21.csv")
