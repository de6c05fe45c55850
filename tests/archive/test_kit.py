"""Replicas of the paper's kit: which row answers, and what odd rows become."""

import gzip
import sqlite3
from contextlib import closing

import pytest

from datahound.archive.kit import is_database, open_kit
from datahound.errors import ArchiveError
from datahound.model import Fetch, Purpose

SEED = "https://kit.example/"
COLUMNS = "url, http_response, headers, body, content_length"
HTML = repr({b"Content-Type": [b"text/html"]})


@pytest.fixture
def kit(tmp_path):
    """Make a replica of rows, in a table of any name."""
    opened = []

    def make(*rows, table="site", columns=COLUMNS, seed=""):
        path = tmp_path / "replica.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f'CREATE TABLE "{table}" ({columns})')
            marks = ", ".join("?" * len(columns.split(",")))
            connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)
            connection.commit()
        opened.append(open_kit(path, seed))
        return opened[-1]

    yield make
    for archive in opened:
        archive.close()


def row(url=SEED, status=200, headers=HTML, body=b"<p>", length=3):
    return url, status, headers, body, length


def test_a_url_without_a_row_is_an_error_page(kit):
    archive = kit(row())
    assert archive.get(Fetch(SEED)).status == 200
    assert archive.get(Fetch(f"{SEED}x")).status == 404


def test_the_last_of_two_rows_with_one_url_wins_and_the_first_says_where_to_begin(kit):
    """URLs are compared in their canonical form."""
    archive = kit(row(body=b"old"), row(f"{SEED}a"), row("HTTPS://kit.example", body=b"new"))
    assert archive.seed == SEED
    assert archive.get(Fetch(SEED)).body == b"new"
    assert [found.fetch.url for found in archive] == [SEED, f"{SEED}a"]


def test_another_start_page_can_be_given(kit):
    assert kit(row(), seed="https://KIT.example/b").seed == f"{SEED}b"


def test_a_head_has_headers_and_no_body(kit):
    answer = kit(row()).get(Fetch(SEED, Purpose.PROBE))
    assert answer.body == b""
    assert answer.headers["content-type"] == "text/html"


def test_headers_are_joined_and_named_in_lower_case(kit):
    headers = repr({b"X-Many": [b"a", b"b"], "Plain": "text", b"Latin": b"caf\xe9"})
    answer = kit(row(headers=headers)).get(Fetch(SEED))
    assert answer.headers["x-many"] == "a, b"
    assert answer.headers["plain"] == "text"
    assert answer.headers["latin"] == "café"


@pytest.mark.parametrize(
    "headers",
    ["", None, "{", "[1, 2]", "12", "__import__('os').abort()", "(" * 5000, b"\xff\xfe"],
)
def test_headers_that_cannot_be_read_are_none(kit, headers):
    """They are never run, and the page is there without them."""
    answer = kit(row(headers=headers)).get(Fetch(SEED))
    assert answer.headers == {}
    assert answer.body == b"<p>"


def test_a_body_is_unpacked_if_it_was_kept_packed(kit):
    """The kit has the same headers for both."""
    headers = repr({b"Content-Encoding": [b"gzip"]})
    packed, plain = gzip.compress(b"year,people\n"), b"year,people\n"
    archive = kit(row(headers=headers, body=packed), row(f"{SEED}b", headers=headers, body=plain))
    assert archive.get(Fetch(SEED)).body == plain
    assert archive.get(Fetch(f"{SEED}b")).body == plain


@pytest.mark.parametrize(
    ("length", "size", "truncated"),
    [(3, 3, False), (1000, 1000, True), (1, 3, False), (None, 3, False), ("many", 3, False)],
)
def test_a_body_that_is_shorter_than_announced_was_cut(kit, length, size, truncated):
    answer = kit(row(length=length)).get(Fetch(SEED))
    assert (answer.size, answer.truncated) == (size, truncated)


def test_a_status_may_be_a_text_and_is_0_if_it_is_no_number(kit):
    archive = kit(row(status="200"), row(f"{SEED}b", status="gone"))
    assert archive.get(Fetch(SEED)).status == 200
    assert archive.get(Fetch(f"{SEED}b")).status == 0


def test_a_table_may_have_any_name_and_more_columns(kit):
    archive = kit((1, *row()), table="odd [name]'s", columns=f"id, {COLUMNS}")
    assert archive.get(Fetch(SEED)).body == b"<p>"


def test_of_two_tables_the_one_with_the_columns_is_read(kit):
    kit(row(body=b"site"), table="middle")
    assert kit((1,), table="another", columns="url").get(Fetch(SEED)).body == b"site"


def test_a_replica_is_for_reading_only(kit):
    archive = kit(row())
    with pytest.raises(ArchiveError, match="for reading only"):
        archive.put(Fetch(SEED), archive.get(Fetch(SEED)))


def test_a_database_is_known_by_its_first_bytes(tmp_path):
    path = tmp_path / "x"
    assert not is_database(path)
    path.write_bytes(b"SQLite format 3")
    assert not is_database(path)
    path.write_bytes(b"SQLite format 3\0 and more")
    assert is_database(path)
    assert not is_database(tmp_path)


def test_a_replica_without_pages_is_refused(kit):
    with pytest.raises(ArchiveError, match="holds no page"):
        kit()
