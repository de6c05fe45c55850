"""Heads of WARC and ARC records, and the records that we write."""

import hashlib
from base64 import b32encode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from records_by_hand import PAGE, URL, make_record

from datahound.archive.warc.records import (
    digest,
    format_digest,
    new_record_id,
    parse_record_head,
    strip_brackets,
    write_record,
)


def test_a_head_says_where_its_block_is():
    data = make_record(WARC_Record_ID="<urn:x>")
    head = parse_record_head(data + b"more")
    assert (head.type, head.uri, head.record_id) == ("response", URL, "<urn:x>")
    assert data[head.start : head.end] == PAGE
    assert not head.is_arc


@pytest.mark.parametrize("length", ["", "-1", "x", "9" * 16, "１２", "1.5"])
def test_a_record_without_a_length_is_not_one(length):
    assert parse_record_head(make_record(Content_Length=length)) is None


def test_a_head_must_end():
    assert parse_record_head(b"WARC/1.0\r\nContent-Length: 3\r\n") is None
    assert parse_record_head(b"") is None
    assert parse_record_head(PAGE) is None


def test_lines_may_end_with_a_newline_alone():
    head = parse_record_head(b"WARC/1.1\nWARC-Type: Resource\nContent-Length: 2\n\nab")
    assert (head.type, head.start, head.length) == ("resource", 48, 2)


def test_names_of_fields_have_any_case():
    head = parse_record_head(b"WARC/1.0\r\nwarc-TYPE: response\r\nCONTENT-length: 0\r\n\r\n")
    assert head.fields == {"warc-type": "response", "content-length": "0"}


@pytest.mark.parametrize(
    ("text", "bare"), [("<http://a/>", "http://a/"), ("http://a/", "http://a/"), ("<a", "<a")]
)
def test_old_wget_put_brackets_around_uris(text, bare):
    assert strip_brackets(text) == bare
    assert parse_record_head(make_record(url=text)).uri == bare


@pytest.mark.parametrize(
    ("line", "kind", "uri"),
    [
        (
            b"http://a.example/ 192.0.2.1 20260101000000 text/html 5\n",
            "response",
            "http://a.example/",
        ),
        (
            b"http://a.example/b c 1.2.3.4 20260101 text/html 5\r\n",
            "response",
            "http://a.example/b c",
        ),
        (b"filedesc://x.arc 0.0.0.0 20260101000000 text/plain 5\n", "warcinfo", "filedesc://x.arc"),
    ],
)
def test_arc_records_are_known_by_their_line(line, kind, uri):
    head = parse_record_head(line + b"hello")
    assert (head.type, head.uri, head.start, head.length) == (kind, uri, len(line), 5)
    assert head.is_arc


@pytest.mark.parametrize(
    "line",
    [
        b"http://a.example/ 192.0.2.1 yesterday text/html 5\n",
        b"http://a.example/ 192.0.2.1 20260101000000 text/html many\n",
        b"no colon 192.0.2.1 20260101000000 text/html 5\n",
        b"http://a.example/ 192.0.2.1 20260101000000 text/html 5",
    ],
)
def test_other_lines_are_not_arc_records(line):
    assert parse_record_head(line) is None


@given(st.binary(max_size=100))
def test_what_is_written_is_parsed(block):
    data = write_record({"WARC-Type": "response", "WARC-Target-URI": URL}, block)
    head = parse_record_head(data)
    assert data[head.start : head.end] == block
    assert data[head.end :] == b"\r\n\r\n"
    assert head.fields["warc-block-digest"] == digest(block)


def test_digests_are_base32_of_sha1():
    expected = "sha1:" + b32encode(hashlib.sha1(b"abc", usedforsecurity=False).digest()).decode()
    assert digest(b"abc") == expected
    assert format_digest(hashlib.sha1(b"abc", usedforsecurity=False).digest()) == expected


def test_every_record_has_an_id_of_its_own():
    ids = {new_record_id() for _ in range(100)}
    assert len(ids) == 100
    assert all(one.startswith("<urn:uuid:") and one.endswith(">") for one in ids)


def test_a_given_id_is_kept():
    record = write_record({"WARC-Record-ID": "<urn:mine>", "WARC-Type": "request"}, b"")
    assert parse_record_head(record).record_id == "<urn:mine>"


@given(st.binary(max_size=200))
def test_any_bytes_can_be_tried(data):
    head = parse_record_head(b"WARC/1.0\r\n" + data)
    assert head is None or head.length >= 0
