"""Placing files: every file gets a name of its own, and no file is overwritten."""

import errno
import hashlib
import os

import pytest

from datahound.downloads.placement import FilePlacer


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
