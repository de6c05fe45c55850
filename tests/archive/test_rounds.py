"""Rounds of a crawl in one journal, and journals and indexes from before there were rounds."""

import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from datahound.archive import Recorded, open_warc, record_warc
from datahound.archive.warc.exchange import write_exchange
from datahound.archive.warc.index import VERSION
from datahound.errors import ArchiveError
from datahound.model import Failure, Fetch, Postponed, Purpose, Response

SEED = "https://site.example/"
RELEASED = Path(__file__).parent / "released"
DATE = "2026-01-02T03:04:05Z"
RELEASED_EXCHANGES = [
    (Fetch(SEED), Response(SEED, 200, {"content-type": "text/html"}, b"<p>home</p>", 11)),
    (
        Fetch(SEED + "a.csv", Purpose.PROBE),
        Response(SEED + "a.csv", 200, {"content-type": "text/csv"}, b"", 40),
    ),
    (Fetch(SEED + "a.csv", Purpose.COLLECT), Postponed(SEED + "a.csv")),
    (Fetch(SEED + "b", patient=True), Failure(SEED + "b", "no answer", 0, 3)),
    (
        Fetch(SEED + "a.csv", Purpose.COLLECT, patient=True),
        Response(SEED + "a.csv", 200, {"content-type": "text/csv"}, b"", 500, truncated=True),
    ),
]


def page(path: str, text: str) -> tuple[Fetch, Response]:
    body = text.encode()
    return Fetch(SEED + path), Response(SEED + path, 200, {}, body, len(body))


@pytest.fixture(params=["site.warc", "site.warc.gz"])
def path(request, tmp_path):
    return tmp_path / request.param


def test_a_recording_answers_from_its_own_round(path):
    """A URL of an earlier round is unknown until this round has recorded it."""
    with record_warc(path, SEED) as first:
        first.put(*page("a", "old"))
        first.put(Fetch(SEED + "a", Purpose.PROBE), Response(SEED + "a", 200, {}, b"", 20))
        first.put(*page("b", "old b"))
    with record_warc(path, SEED, round=1) as second:
        assert second.get(Fetch(SEED + "a")) is None
        assert second.get(Fetch(SEED + "a", Purpose.PROBE)) is None
        assert second.glance(SEED + "a") is None
        second.put(*page("a", "new"))
        assert second.get(Fetch(SEED + "a")).body == b"new"
        assert second.glance(SEED + "a").url == SEED + "a"
    with record_warc(path, SEED, round=0) as first_again:
        assert first_again.get(Fetch(SEED + "a")).body == b"old"
        assert [fetch.url for fetch, _ in first_again] == [SEED + "a", SEED + "a", SEED + "b"]


def test_resuming_reads_the_present_round_in_journal_order(path):
    """Positions count all rounds; records of other rounds are left out."""
    with record_warc(path, SEED) as first:
        first.put(*page("a", "1"))
        first.put(*page("b", "2"))
    given = [
        (Fetch(SEED + "a", Purpose.PROBE), Response(SEED + "a", 405, {}, b"", 20)),
        page("a", "3"),
        (Fetch(SEED + "x", Purpose.COLLECT), Postponed(SEED + "x")),
        (Fetch(SEED + "x", Purpose.COLLECT, patient=True), Failure(SEED + "x", "timeout")),
    ]
    with record_warc(path, SEED, round=1) as second:
        assert (second.recorded, list(second)) == (2, [])
        for fetch, answer in given:
            second.put(fetch, answer)
    with record_warc(path, SEED, round=1) as second:
        assert list(second) == list(second.since(2)) == given
        assert list(second.since(4)) == given[2:]
        assert [(position, recorded) for position, recorded in second.entries(3)] == [
            (4, given[1]),
            (5, given[2]),
            (6, given[3]),
        ]
        assert second.recorded == 6


def test_a_lost_index_is_rebuilt_with_its_rounds(path):
    """The round stands in the WARC file, not only in the index."""
    for number in range(3):
        with record_warc(path, SEED, round=number) as archive:
            archive.put(*page("a", f"round {number}"))
    path.with_name(path.name + ".index").unlink()
    with record_warc(path, SEED, round=1) as archive:
        assert archive.get(Fetch(SEED + "a")).body == b"round 1"


def test_reading_a_file_shows_all_rounds(path):
    """Outside of a crawl the last recording wins, whatever its round."""
    for number in range(2):
        with record_warc(path, SEED, round=number) as archive:
            archive.put(*page("a", f"round {number}"))
    with open_warc(path) as archive:
        assert archive.get(Fetch(SEED + "a")).body == b"round 1"
        assert [answer.body for _, answer in archive] == [b"round 0", b"round 1"]


@pytest.mark.parametrize(("fetch", "answer"), RELEASED_EXCHANGES)
def test_round_0_is_written_as_before_there_were_rounds(fetch, answer):
    """Only the record ids differ between two writings; the round is noted from 1 on."""
    plain, zero, one = (
        [re.sub(rb"urn:uuid:[0-9a-f-]+", b"id", r) for r in write_exchange(fetch, answer, DATE, *n)]
        for n in ((), (0,), (1,))
    )
    assert plain == zero
    assert b'"round"' not in b"".join(zero)
    assert b'"round": 1' in one[-1]


@pytest.mark.parametrize("noted", ["-1", "true", '"1"', "1e400", "null", "[1]", str(10**30)])
def test_a_nonsensical_round_stops_nobody(tmp_path, noted):
    """Whatever a file claims, it can be indexed and read."""
    path = tmp_path / "site.warc"
    fetch, answer = page("a", "text")
    (record,) = write_exchange(fetch, answer, DATE, 7)
    path.write_bytes(record.replace(b'"round": 7', b'"round": ' + noted.encode()))
    with open_warc(path) as archive:
        assert list(archive) == [Recorded(fetch, answer)]


def test_a_negative_round_is_refused(tmp_path):
    with pytest.raises(ArchiveError, match="counted from 0"):
        record_warc(tmp_path / "site.warc", SEED, round=-1)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def released(tmp_path):
    """A recording and its index as the version before rounds wrote them."""
    for file in RELEASED.iterdir():
        shutil.copy2(file, tmp_path)
    return tmp_path / "site.warc.gz"


def version_of(index):
    with sqlite3.connect(index) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def test_a_released_index_is_built_again(released):
    """Its recording reads as round 0, for reading and for recording alike."""
    index = released.with_name("site.warc.gz.index")
    assert version_of(index) == 1
    with open_warc(released) as archive:
        assert list(archive) == RELEASED_EXCHANGES
    assert version_of(index) == VERSION


def test_a_released_recording_goes_on(released):
    """As round 0 with every position as it was, and as round 1 with nothing answered yet."""
    before = released.read_bytes()
    with record_warc(released, SEED) as archive:
        assert archive.recorded == 5
        assert list(archive.since(3)) == RELEASED_EXCHANGES[3:]
        assert archive.get(Fetch(SEED)) == RELEASED_EXCHANGES[0][1]
    assert released.read_bytes() == before
    with record_warc(released, SEED, round=1) as archive:
        assert (archive.get(Fetch(SEED)), archive.recorded) == (None, 5)


def test_a_released_index_that_a_crash_left_is_not_trusted(released):
    """The unpublished index of an older version is built again as well."""
    index = released.with_name("site.warc.gz.index")
    index.rename(index.with_name(index.name + ".part"))
    with record_warc(released, SEED) as archive:
        assert list(archive) == RELEASED_EXCHANGES
    assert version_of(index) == VERSION
