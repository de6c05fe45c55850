"""Exchanges as WARC records and back: nothing of a fetch or its answer may be lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datahound.archive.warc.exchange import (
    read_exchange,
    read_extension,
    read_message,
    read_url,
    write_exchange,
)
from datahound.archive.warc.records import RecordHead, parse_record_head
from datahound.model import Failure, Fetch, Postponed, Purpose, Response
from datahound.web.messages import header_size

SEED = "https://site.example/"
DATE = "2026-01-02T03:04:05Z"
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NUMBER = st.integers(0, 10**12)
FETCHES = st.builds(
    Fetch, st.one_of(st.just(SEED), TEXT.map(SEED.__add__)), st.sampled_from(Purpose), st.booleans()
)
HEADERS = st.dictionaries(
    st.sampled_from(
        ["content-type", "content-encoding", "transfer-encoding", "content-length", "x"]
    ),
    TEXT,
)
RESPONSES = st.builds(
    Response,
    TEXT.map(SEED.__add__),
    st.integers(0, 999),
    HEADERS,
    st.binary(max_size=50),
    NUMBER,
    NUMBER,
    st.booleans(),
)
FAILURES = st.builds(Failure, TEXT, TEXT, NUMBER, NUMBER)
ANSWERS = st.one_of(RESPONSES, FAILURES, st.builds(Postponed, TEXT))


def read_back(records):
    """The exchange in the last of the records, as a scan would hand it over."""
    head = parse_record_head(records[-1])
    block = records[-1][head.start : head.end]
    return read_exchange(head, block, read_url(head), probed=False)


@given(FETCHES, ANSWERS, st.integers(0, 3))
def test_what_is_written_is_read(fetch, answer, round_number):
    """URL, purpose, patience and every field of the answer come back, in any round."""
    assert read_back(write_exchange(fetch, answer, DATE, round_number)) == (fetch, answer)


@pytest.mark.parametrize("patient", [False, True])
@pytest.mark.parametrize("purpose", Purpose)
@pytest.mark.parametrize(
    "answer",
    [Response(SEED, 200, {}, b"x", 1), Failure(SEED, "timeout"), Postponed(SEED)],
    ids=["response", "failure", "postponed"],
)
def test_a_record_finds_its_fetch(purpose, answer, patient):
    """With several fetches in flight a record is matched by URL, method and purpose."""
    fetch = Fetch(SEED, purpose, patient)
    assert read_back(write_exchange(fetch, answer, DATE)).fetch == fetch


@pytest.mark.parametrize("field", ["not json", "[]", '"x"', "{", "1"])
def test_a_field_that_is_not_ours_is_ignored(field):
    """Somebody else's field of that name makes their record neither ours nor unreadable."""
    head = RecordHead("response", SEED, {"datahound-exchange": field}, 0, 0)
    assert read_extension(head) is None
    recorded = read_exchange(head, b"HTTP/1.1 200 OK\r\n\r\n", SEED, probed=False)
    assert recorded.fetch == Fetch(SEED)


def test_notes_of_a_wrong_type_are_dropped():
    """A note that has not its type is as good as absent; the others count."""
    head = RecordHead("response", SEED, {"datahound-exchange": '{"size": "1", "status": 3}'}, 0, 0)
    assert read_extension(head) == {"status": 3}


def test_somebody_elses_record_is_a_visit_or_a_probe():
    """Without notes the request says which of the two it was."""
    head = RecordHead("response", SEED, {}, 0, 21)
    block = b"HTTP/1.1 200 OK\r\n\r\nabc"
    assert read_exchange(head, block, SEED, probed=False).fetch == Fetch(SEED)
    assert read_exchange(head, block, SEED, probed=True).fetch == Fetch(SEED, Purpose.PROBE)


def test_a_resource_has_no_http_head():
    """Its content type is the record's, its status 200."""
    head = RecordHead("resource", SEED, {"content-type": "text/csv"}, 0, 3)
    headers = {"content-type": "text/csv"}
    assert read_message(head, b"a,b") == (200, headers, b"a,b", 3, header_size(200, headers))


def test_a_revisit_without_a_head_says_not_modified():
    assert read_message(RecordHead("revisit", SEED, {}, 0, 0), b"").status == 304


def test_the_size_of_a_cut_response_is_what_the_server_announced():
    """A truncated record says by Content-Length how much there would have been."""
    block = b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nabc"
    cut = RecordHead("response", SEED, {"warc-truncated": "length"}, 0, len(block))
    whole = RecordHead("response", SEED, {}, 0, len(block))
    assert read_message(cut, block).size == 5000
    assert read_message(whole, block).size == 3
    assert read_exchange(cut, block, SEED, probed=False).answer.truncated
