"""Header fields as clients, servers and archives share them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datahound.web.messages import (
    clean_headers,
    content_length,
    decode_header,
    header_size,
    parse_fields,
)


@given(st.binary(max_size=50))
def test_any_bytes_are_text(data):
    assert isinstance(decode_header(data), str)


@given(st.text(max_size=50))
def test_utf_8_is_read_as_such(text):
    assert (
        decode_header(text.encode("utf-8", "replace")) == text.encode("utf-8", "replace").decode()
    )


def test_anything_else_is_latin_1():
    assert decode_header(b"caf\xe9") == "café"


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("A: 1\r\nB:2\r\n", {"a": "1", "b": "2"}),
        ("Vary: a\nvary: b", {"vary": "a, b"}),
        ("X: 1\r\n\t 2 \r\n 3", {"x": "1 2 3"}),
        (" leading: x", {"leading": "x"}),
        ("no colon\r\nX: a:b", {"x": "a:b"}),
        ("X:", {"x": ""}),
        ("", {}),
    ],
)
def test_fields_are_read_as_servers_write_them(text, fields):
    """Lower case names, joined repetitions, continued lines; a line without a colon is skipped."""
    assert parse_fields(text) == fields


def test_the_size_counts_the_status_line_and_every_field():
    """A field adds its name, its value, a colon, a space and a line end."""
    empty = header_size(200, {})
    assert 15 < empty < 20
    assert header_size(200, {"content-type": "text/html"}) == empty + len(
        "content-type: text/html\r\n"
    )
    assert header_size(0, {}) == empty - 2


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("0", 0),
        ("123", 123),
        ("9" * 15, 10**15 - 1),
        ("9" * 18, 10**15),
        ("9" * 19, None),
        ("-1", None),
        ("+1", None),
        ("1.5", None),
        ("1, 1", None),
        ("\u0663", None),
        ("", None),
    ],
)
def test_content_length(text, length):
    """Digits only, of a size that a file can have; anything else promises nothing."""
    assert content_length({"content-length": text}) == length


def test_cleaned_headers():
    """Control characters are blanks; of fields that must be unique, the first counts."""
    raw = [(b"Location", b"/a"), (b"LOCATION", b"/b"), (b"Vary", b"x"), (b"vary", b"x")]
    assert clean_headers(raw) == {"location": "/a", "vary": "x"}
    assert clean_headers([(b"X\x00y ", b" a\r\nb\xe9 ")]) == {"xy": "a b\xe9"}
