"""Archives: their members, their limits, and whether they can be opened."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import pytest
from catalog_files import FIGURES, looked

from datahound.catalog.archives import can_open, list_members, trim_zip, unpack_member
from datahound.catalog.readers.task import Limits, Task, Unreadable
from datahound.catalog.table_reader import read_table


def zipped(members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return file.getvalue()


def tarred(members):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, body in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(body)
            archive.addfile(info, io.BytesIO(body.encode()))
        link = tarfile.TarInfo("link.csv")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    return file.getvalue()


@pytest.fixture
def task(tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    return Task(Limits(members=3, unpacked_bytes=1000), scratch, name="x.csv.gz")


def write(tmp_path, body, name="x"):
    path = tmp_path / name
    path.write_bytes(body)
    return path


@pytest.mark.parametrize(
    ("kind", "pack", "place"),
    [
        ("zip", lambda: zipped({"d/x.csv": FIGURES}), "d/x.csv in the archive"),
        ("tar", lambda: tarred({"d/x.csv": FIGURES}), "d/x.csv in the archive"),
        ("gz", lambda: gzip.compress(FIGURES.encode()), "file in the archive"),
        ("bz2", lambda: bz2.compress(FIGURES.encode()), "file in the archive"),
        ("xz", lambda: lzma.compress(FIGURES.encode()), "file in the archive"),
        ("gz", lambda: gzip.compress(tarred({"x.csv": FIGURES})), "x.csv in the archive of file"),
    ],
)
def test_tables_in_archives(tmp_path, kind, pack, place):
    """They have a place for people, and an address by which they are read again."""
    name = f"file.{kind}"
    found = looked(tmp_path, name, pack())
    (table,) = found.tables
    assert (found.format, found.error, table.place) == (kind, "", place)
    with read_table(tmp_path / name, table.address) as reader:
        assert len(list(reader)) == 3


def test_members(tmp_path, task):
    """Without folders, links and what file managers add."""
    litter = {"__MACOSX/a.csv": "x", "d/.DS_Store": "x", "Thumbs.db": "x", "d/": ""}
    path = write(tmp_path, zipped({"a.csv": "x", **litter}))
    assert list_members(path, "zip", task) == ["a.csv"]
    assert list_members(write(tmp_path, tarred({"a.csv": "x"})), "tar", task) == ["a.csv"]
    assert list_members(path, "gz", task) == ["x.csv"]
    assert list_members(path, "bz2", task) == ["x.csv.gz unpacked"]


def test_members_beyond_the_limit_are_noted(tmp_path, task):
    """The first ones are listed."""
    path = write(tmp_path, zipped({f"{n}.csv": "x" for n in range(5)}))
    assert list_members(path, "zip", task) == ["0.csv", "1.csv", "2.csv"]
    assert task.notes == ["only 3 of 5 files in it were looked into"]


def test_a_member_is_a_file_for_the_time_of_the_block(tmp_path, task):
    """Wherever its name would lead."""
    path = write(tmp_path, zipped({"../../evil.csv": "abc"}))
    with unpack_member(path, "zip", "../../evil.csv", task) as file:
        assert file.parent == task.scratch
        assert file.read_text() == "abc"
    assert not list(task.scratch.iterdir())
    assert task.unpacked == 3


def test_the_limit_is_for_all_members_together(tmp_path, task):
    """A bomb is stopped before it is on the disk."""
    path = write(tmp_path, zipped({"a": "x" * 600, "b": "x" * 600}))
    with unpack_member(path, "zip", "a", task):
        pass
    with pytest.raises(Unreadable, match="unpacks to more"), unpack_member(path, "zip", "b", task):
        pass
    assert not list(task.scratch.iterdir())


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_broken_archives_are_one_line(tmp_path, task, kind):
    """Whatever the library raises."""
    path = write(tmp_path, b"PK\x03\x04 no archive" * 99)
    with pytest.raises(Unreadable, match=f"broken {kind.upper()} archive"):
        list_members(path, kind, task)


def test_a_member_that_is_not_there_can_not_be_unpacked(tmp_path, task):
    """The address may be of an older file."""
    path = write(tmp_path, zipped({"a": "x"}))
    with (
        pytest.raises(Unreadable, match="can't be unpacked"),
        unpack_member(path, "zip", "b", task),
    ):
        pass


def test_bytes_after_the_end_of_a_zip_are_trimmed(tmp_path, task):
    """A good file is not copied, and neither is one without an end."""
    body = zipped({"a": "x"})
    good = write(tmp_path, body)
    assert trim_zip(good, task.scratch) == good
    long = write(tmp_path, body + b"<!-- -->" * 9000, "long")
    assert trim_zip(long, task.scratch).read_bytes() == body
    cut = write(tmp_path, body[:-10], "cut")
    assert trim_zip(cut, task.scratch) == cut
    text = write(tmp_path, b"plain", "text")
    assert trim_zip(text, task.scratch) == text


@pytest.mark.parametrize(
    ("name", "body", "opens"),
    [
        ("a.zip", zipped({"a": "x" * 99}), True),
        ("a.zip", zipped({}), False),
        ("a.zip", b"PK no zip", False),
        ("a.ZIP", zipped({"a": "x" * 99})[:40], False),
        ("a.gz", gzip.compress(b"x", mtime=0), True),
        ("a.gz", b"plain", False),
        ("a.gz", gzip.compress(b"x" * 99, mtime=0)[:-9], False),
        ("a.bz2", bz2.compress(b"x"), True),
        ("a.bz2", b"plain", False),
        ("a.xz", lzma.compress(b"x"), True),
        ("a.xz", b"plain", False),
        ("a.csv", b"anything", True),
    ],
    # Archives hold the time at which they were made: names of tests must not.
    ids=lambda value: "bytes" if isinstance(value, bytes) else None,
)
def test_whether_a_file_can_be_opened(tmp_path, name, body, opens):
    """By its name; files that are not archives by name always can."""
    assert can_open(write(tmp_path, body, name)) is opens
