"""Finding records: their places, and what is torn, damaged or something else."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from records_by_hand import PAGE, URL, compress, make_record

from datahound.archive.http_message import MAX_BODY
from datahound.archive.warc import scan as scanning
from datahound.archive.warc.scan import (
    NotPerRecordError,
    is_foreign_gzip,
    is_gzip,
    open_file,
    read_record,
    scan,
    unpack,
)
from datahound.errors import ArchiveError

PACKINGS = pytest.mark.parametrize("pack", [bytes, compress], ids=["plain", "gzip"])


def found_in(path, start=0):
    with open_file(path) as fd:
        return list(scan(fd, start))


def urls(found):
    return [one.head.uri for one in found]


@pytest.fixture
def file(tmp_path):
    """Writes bytes to a file and gives its path."""

    def write(*parts):
        path = tmp_path / "x.warc"
        path.write_bytes(b"".join(parts))
        return path

    return write


@PACKINGS
def test_a_record_can_be_read_at_the_place_where_it_was_found(file, pack):
    path = file(*(pack(make_record(url=f"{URL}{n}", block=PAGE * n)) for n in range(1, 5)))
    found = found_in(path)
    assert urls(found) == [f"{URL}{n}" for n in range(1, 5)]
    with open_file(path) as fd:
        for one in found:
            assert read_record(fd, one.offset, one.length) == (one.head, one.block)


@PACKINGS
def test_a_scan_goes_on_where_another_ended(file, pack):
    path = file(*(pack(make_record(url=f"{URL}{n}")) for n in range(4)))
    found = found_in(path)
    end = found[1].offset + found[1].length
    assert found_in(path, end) == found[2:]
    assert found_in(path, found[3].offset + found[3].length) == []


@PACKINGS
def test_every_cut_leaves_the_records_before_it(file, pack):
    """A file cut at any byte has exactly the records that end before the cut."""
    records = [pack(make_record(url=f"{URL}{n}")) for n in range(2)]
    data = b"".join(records)
    # A plain record is complete without the two line ends after its block.
    complete = len(records[0]) - (0 if pack is compress else 4)
    for end in range(len(data)):
        expected = [URL + "0"] if end >= complete else []
        if end >= len(data) - (0 if pack is compress else 4):
            expected = [URL + "0", URL + "1"]
        assert urls(found_in(file(data[:end]))) == expected, end


def test_a_damaged_member_costs_one_record(file):
    """The next member is found by its magic number."""
    records = [compress(make_record(url=f"{URL}{n}", block=PAGE * 9)) for n in range(3)]
    middle = bytearray(records[1])
    middle[len(middle) // 2] ^= 0xFF
    assert urls(found_in(file(records[0], bytes(middle), records[2]))) == [URL + "0", URL + "2"]


def test_a_damaged_plain_record_costs_one_record(file):
    """The next record is found by its version line."""
    records = [make_record(url=f"{URL}{n}") for n in range(3)]
    broken = records[1].replace(b"Content-Length", b"Content-Weight")
    assert urls(found_in(file(records[0], broken, records[2]))) == [URL + "0", URL + "2"]


def test_litter_between_members_is_skipped(file):
    parts = [compress(make_record()), b"\0" * 300_000, compress(make_record(url=URL + "2"))]
    assert urls(found_in(file(*parts))) == [URL, URL + "2"]


@pytest.mark.parametrize(
    "content",
    [
        make_record() + make_record(),
        make_record()[:-20],
        b"my precious notes",
        make_record()[:-4] + b"and more",
    ],
    ids=["two records", "half a record", "something else", "a longer block"],
)
def test_a_member_must_hold_one_record(file, content):
    """Otherwise records can't be read by their offset, and the caller decompresses the file."""
    with pytest.raises(NotPerRecordError):
        found_in(file(compress(content)))


def test_an_empty_member_is_skipped(file):
    found = found_in(file(compress(make_record()), compress(b""), compress(b"\r\n")))
    assert urls(found) == [URL]


def test_the_last_record_of_an_arc_file_may_be_short(file):
    """Old tools counted inexactly; in a WARC file a short record is torn."""
    arc = b"http://site.example/ 192.0.2.1 20260101000000 text/html 99\n" + PAGE
    (found,) = found_in(file(arc))
    assert (found.head.uri, found.block, found.length) == (URL, PAGE, len(arc))


def test_large_blocks_are_held_up_to_the_limit(file, monkeypatch):
    monkeypatch.setattr(scanning, "MAX_BODY", 1000)
    path = file(make_record(block=b"x" * 5000), make_record(url=URL + "2"))
    large, small = found_in(path)
    assert (len(large.block), large.head.length) == (1000, 5000)
    assert small.head.uri == URL + "2"
    assert MAX_BODY > 1000


def test_a_head_may_be_longer_than_the_first_read(file):
    long = make_record(Note="x" * 200_000)
    assert urls(found_in(file(long, make_record(url=URL + "2")))) == [URL, URL + "2"]


def test_a_place_without_a_record_is_an_error(file):
    path = file(make_record())
    with open_file(path) as fd, pytest.raises(ValueError, match="no record at byte 3"):
        read_record(fd, 3, 10)


def test_gzip_files_of_other_things_are_known(file):
    for content, foreign in ((b"notes", True), (make_record(), False), (b"", False)):
        with open_file(file(compress(content))) as fd:
            assert (is_gzip(fd), is_foreign_gzip(fd)) == (True, foreign)
    with open_file(file(make_record())) as fd:
        assert not is_gzip(fd)


def test_unpacking_stops_at_the_first_damage(file):
    to = io.BytesIO()
    with open_file(file(compress(b"one "), compress(b"two "), compress(b"three")[:-3])) as fd:
        unpack(fd, to)
    assert to.getvalue() in (b"one two ", b"one two three")


def test_a_file_that_cannot_be_opened_is_named(tmp_path):
    with pytest.raises(ArchiveError, match=r"missing\.warc: can't be read: No such file"):
        found_in(tmp_path / "missing.warc")


@given(data=st.binary(max_size=300), gzip=st.booleans())
def test_no_bytes_make_a_scan_fail(data, gzip, tmp_path_factory):
    """Whatever a file holds, a scan ends, with records or with the one error it knows."""
    path = tmp_path_factory.mktemp("scan") / "x"
    path.write_bytes((b"\x1f\x8b\x08" if gzip else b"WARC/1.0\r\n") + data)
    try:
        found_in(path)
    except NotPerRecordError:
        assert gzip
