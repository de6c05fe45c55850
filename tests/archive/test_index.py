"""The index file: versions, damage, and look-ups in order."""

import sqlite3

import pytest

from datahound.archive.warc.index import (
    VERSION,
    IndexedFile,
    NewRow,
    is_sound,
    open_growing,
    open_in_memory,
    open_published,
    publish_index,
)
from datahound.errors import ArchiveError

URL = "https://site.example/"


def make_row(number, url=URL, *, probed=False, round_number=0):
    place = (0, 100 * number, 50)
    seen = (200, "text/html", 10 * number, "")
    return NewRow(number, url, probed, *place, *seen, "", None, None, round_number)


@pytest.fixture
def index():
    made = open_in_memory()
    yield made
    made.close()


def test_the_last_row_of_a_url_and_method_is_found(index):
    index.add([make_row(1), make_row(2), make_row(3, probed=True), make_row(4, URL + "b")])
    index.commit()
    assert index.find(URL, probed=False).number == 2
    assert index.find(URL, probed=True).number == 3
    assert index.find(URL + "b", probed=True) is None
    assert index.find(URL + "c", probed=False) is None


def test_a_round_sees_its_own_rows_only(index):
    index.add([make_row(1), make_row(2, round_number=1), make_row(3), make_row(4, round_number=2)])
    index.commit()
    views = [index.limit_to_round(number) for number in range(4)]
    assert [[row.number for row in view.rows()] for view in views] == [[1, 3], [2], [4], []]
    found = [view.find(URL, probed=False) for view in views]
    assert [row and row.number for row in found] == [3, 2, 4, None]
    seen = [view.glance(URL) for view in views]
    assert [glance and glance.size for glance in seen] == [30, 20, 40, None]
    assert index.find(URL, probed=False).number == 4
    assert {view.last_number() for view in views} == {4}


def test_rows_are_paged_and_may_be_added_meanwhile(index):
    index.add(make_row(number, f"{URL}{number}") for number in range(1, 1501))
    rows = index.rows()
    first = [next(rows).number for _ in range(1200)]
    index.add([make_row(1501)])
    assert first + [row.number for row in rows] == list(range(1, 1502))
    assert [row.number for row in index.rows(after=1499)] == [1500, 1501]


def test_the_seed_is_noted_or_the_first_page(index):
    assert index.seed() == ""
    index.add([make_row(1, URL + "x", probed=True)])
    assert index.seed() == URL + "x"
    index.add([make_row(2, URL + "robots.txt"), make_row(3, URL + "a")])
    assert index.seed() == URL + "a"
    index.note_seed(URL)
    index.note_seed(URL + "later")
    assert index.seed() == URL


def test_what_was_published_is_read_again(tmp_path):
    draft, place = tmp_path / "draft", tmp_path / "index"
    growing = open_growing(draft)
    growing.add([make_row(1)])
    file = IndexedFile(0, "x.warc", 1, 2, 3, 4, None)
    growing.note_file(file)
    growing.commit()
    growing.close()
    publish_index(draft, place)
    assert not draft.exists()
    published = open_published(place)
    assert published.files() == [file]
    assert published.find(URL, probed=False).offset == 100
    published.close()


@pytest.mark.parametrize("version", [0, VERSION - 1, VERSION + 1])
def test_another_version_is_not_read(tmp_path, version):
    place = tmp_path / "index"
    open_growing(place).close()
    with sqlite3.connect(place) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    assert open_published(place) is None
    growing = open_growing(place)
    assert growing.last_number() == 0
    growing.close()
    assert open_published(place) is not None


@pytest.mark.parametrize("content", [b"", b"notes", b"SQLite format 3\0" + b"\0" * 100])
def test_something_else_is_not_an_index(tmp_path, content):
    place = tmp_path / "index"
    place.write_bytes(content)
    assert open_published(place) is None
    assert open_published(tmp_path / "missing") is None


def test_a_damaged_index_is_not_sound(tmp_path):
    place = tmp_path / "index"
    growing = open_growing(place)
    growing.add(make_row(number, f"{URL}{number}") for number in range(1, 2000))
    growing.commit()
    growing.close()
    assert is_sound(place)
    data = bytearray(place.read_bytes())
    data[5000:9000] = b"\xff" * 4000
    place.write_bytes(bytes(data))
    assert not is_sound(place)


def test_trouble_with_the_database_is_one_line(index):
    index.add([make_row(1)])
    with pytest.raises(ArchiveError, match="the index of a recorded site can't be used"):
        index.add([make_row(1)])
