"""From records to rows: methods, revisits, seeds and notes."""

import pytest
from records_by_hand import PAGE, URL, make_record

from datahound.archive.warc.exchange import write_exchange
from datahound.archive.warc.index import open_in_memory
from datahound.archive.warc.records import parse_record_head
from datahound.archive.warc.rows import RowMaker
from datahound.archive.warc.scan import Found
from datahound.model import Failure, Fetch, Postponed, Purpose, Response

DATE = "2026-01-02T03:04:05Z"


def make_index(*records: bytes):
    """An index over these records, each as if it began where the one before ended."""
    index = open_in_memory()
    maker = RowMaker(index)
    offset = 0
    for data in records:
        head = parse_record_head(data)
        maker.add(Found(offset, len(data), head, data[head.start : head.end]), 0)
        offset += len(data)
    maker.flush()
    index.commit()
    return index


def rows_of(*records):
    return [(row.url, row.probed) for row in make_index(*records).rows()]


def request(method, record_id="<urn:q>", to="<urn:r>"):
    block = f"{method} / HTTP/1.1\r\n\r\n".encode()
    return make_record(block, kind="request", WARC_Record_ID=record_id, WARC_Concurrent_To=to)


RESPONSE = make_record(WARC_Record_ID="<urn:r>")


@pytest.mark.parametrize(
    ("method", "rows"),
    [("GET", [(URL, 0)]), ("HEAD", [(URL, 1)]), ("POST", []), ("OPTIONS", []), ("get", [(URL, 0)])],
)
def test_the_request_says_what_a_response_answers(method, rows):
    """Whether it comes before its response or after it."""
    assert rows_of(request(method), RESPONSE) == rows
    assert rows_of(RESPONSE, request(method)) == rows


def test_a_response_may_name_its_request():
    response = make_record(WARC_Record_ID="<urn:r>", WARC_Concurrent_To="<urn:q>")
    assert rows_of(request("HEAD", to="<urn:other>"), response) == [(URL, 1)]


def test_a_method_counts_for_one_response():
    """A record id that is used twice does not turn two responses into probes."""
    assert rows_of(request("HEAD"), RESPONSE, RESPONSE) == [(URL, 1), (URL, 0)]


def test_the_size_of_a_probe_is_that_of_its_head():
    index = make_index(request("HEAD"), RESPONSE)
    assert index.glance(URL) is None
    assert index.find(URL, probed=True) is not None


@pytest.mark.parametrize("kind", ["metadata", "conversion", "continuation", "request", "x"])
def test_other_records_are_not_answers(kind):
    assert rows_of(make_record(kind=kind)) == []


@pytest.mark.parametrize("url", ["dns:site.example", "urn:x", "", "screenshot:x", "not a url"])
def test_only_web_addresses_answer(url):
    assert rows_of(make_record(url=url)) == []


def test_the_first_seed_stays():
    info = [make_record(f"datahound-seed: {URL}{n}\r\n".encode(), kind="warcinfo") for n in (1, 2)]
    assert make_index(*info, RESPONSE).seed() == URL + "1"


def test_a_row_has_what_a_glance_needs():
    block = b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Type: text/html\r\n\r\nmoved"
    assert make_index(make_record(block)).glance(URL) == (URL, 302, "text/html", 5, "/b")


@pytest.mark.parametrize("answer", [Failure(URL, "timeout", 9), Postponed(URL)])
def test_an_exchange_without_an_answer_has_status_0(answer):
    (record,) = write_exchange(Fetch(URL), answer, DATE)
    assert make_index(record).glance(URL) == (URL, 0, "", 0, "")


def test_the_noted_size_counts():
    """The record holds the decoded body; the server sent fewer bytes."""
    answer = Response(URL, 200, {"content-encoding": "gzip"}, b"decoded body", 5)
    (record,) = write_exchange(Fetch(URL), answer, DATE)
    assert make_index(record).glance(URL).size == 5


def test_our_probe_needs_no_request_record():
    answer = Response(URL, 200, {}, b"", 40)
    _, record = write_exchange(Fetch(URL, Purpose.PROBE), answer, DATE)
    assert rows_of(record) == [(URL, 1)]


def revisit(url, digest="", refers=""):
    block = b"HTTP/1.1 200 OK\r\nX: again\r\n\r\n"
    fields = {"WARC_Payload_Digest": digest, "WARC_Refers_To_Target_URI": refers}
    return make_record(block, url=url, kind="revisit", **{k: v for k, v in fields.items() if v})


def test_a_revisit_finds_its_original_by_digest_then_by_url():
    original = make_record(WARC_Payload_Digest="sha1:A")
    other = make_record(url=URL + "2", block=PAGE + b"longer")
    index = make_index(
        original,
        other,
        revisit(URL + "3", digest="sha1:A", refers=URL + "2"),
        revisit(URL + "4", digest="sha1:unknown", refers=URL + "2"),
        revisit(URL + "2"),
        revisit(URL + "5", digest="sha1:unknown"),
    )
    originals = {row.url: row.original for row in index.rows()}
    assert originals[URL + "3"] == 1
    assert originals[URL + "4"] == 2
    assert originals[URL + "2"] == 2
    assert originals[URL + "5"] == -1
    assert index.glance(URL + "4").size == len(b"bodylonger")
