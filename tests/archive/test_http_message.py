"""HTTP messages as archives keep them."""

import pytest

from datahound.archive.http_message import dechunk, parse_head


def test_a_head_is_read_as_browsers_read_it():
    """Names are lower case, folded lines are joined, repeated fields are a list."""
    head = parse_head(b"HTTP/1.1 200 OK\r\nA: 1\r\na: 2\r\nB: x\r\n  y\r\nnonsense\r\n\r\nbody")
    assert head == (200, {"a": "1, 2", "b": "x y"}, 52)


def test_a_head_need_not_be_well_formed():
    """Bare line ends, no reason, no headers, no end: a status is found wherever there is one."""
    assert parse_head(b"HTTP/1.0 404\nServer: x\n\nbody") == (404, {"server": "x"}, 24)
    assert parse_head(b"HTTP/1.1 200 OK") == (200, {}, 15)
    assert parse_head(b"HTTP/1.1 abc\r\n\r\n") == (0, {}, 16)
    assert parse_head(b"<html>") is None


def test_headers_in_any_encoding_are_text():
    """UTF-8 is read as such, anything else as Latin-1."""
    assert parse_head("HTTP/1.1 200\r\nx: é\r\n\r\n".encode()).headers == {"x": "é"}
    assert parse_head("HTTP/1.1 200\r\nx: é\r\n\r\n".encode("latin-1")).headers == {"x": "é"}


@pytest.mark.parametrize(
    ("chunked", "plain"),
    [
        (b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", b"abcde"),
        (b"3\nabc\n0\n\n", b"abc"),
        (b"not chunked", b"not chunked"),
        (b"3\r\nabc\r\nrest is plain", b"abcrest is plain"),
        (b"ff\r\ncut", b"cut"),
        (b"", b""),
    ],
)
def test_chunks_are_put_together(chunked, plain):
    """Chunk marks go away; what only claims to be chunked stays as it is."""
    assert dechunk(chunked) == plain
