"""HTTP messages as archives keep them."""

import zlib
from pathlib import Path

import pytest

from datahound.archive.http_message import dechunk, decode, parse_head

COMPRESSED = Path(__file__).parents[2].parent / "shared" / "suites" / "compressed"
suite = pytest.mark.skipif(not COMPRESSED.is_dir(), reason=f"no public suite at {COMPRESSED}")


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


def test_a_wrong_encoding_leaves_the_body():
    """A body that isn't what its header says, and an unknown encoding, are left alone."""
    assert decode(b"plain", "gzip") == (b"plain", True)
    assert decode(b"plain", "br") == (b"plain", True)
    assert decode(b"plain", "rot13, identity") == (b"plain", True)
    assert decode(b"", "gzip") == (b"", True)


def test_a_torn_body_is_read_as_far_as_it_goes():
    """What can be inflated is there, and it is said that it isn't all."""
    packed = zlib.compress(bytes(range(256)) * 99, wbits=31)
    body, whole = decode(packed[:-20], "gzip")
    assert not whole
    assert body == (bytes(range(256)) * 99)[: len(body)]
    assert body


def test_members_of_gzip_are_read_to_the_last():
    """A body of several gzip members is one body."""
    assert decode(zlib.compress(b"a", wbits=31) + zlib.compress(b"b", wbits=31), "gzip") == (
        b"ab",
        True,
    )


@suite
@pytest.mark.parametrize(
    ("file", "encodings"),
    [
        ("html-br.bin", "br"),
        ("html-gzip.bin", "gzip"),
        ("html-gzip.bin", "X-GZIP"),
        ("html-rawdeflate.bin", "deflate"),
        ("html-zlibdeflate.bin", "deflate"),
        ("html-zstd-static-content-size.bin", "zstd"),
        ("html-zstd-static-no-content-size.bin", "zstd"),
        ("html-zstd-streaming-no-content-size.bin", "zstd"),
        ("html-gzip-deflate.bin", "gzip, deflate"),
        ("html-gzip-deflate-gzip.bin", "gzip, deflate, gzip"),
    ],
)
def test_every_encoding_of_the_web_is_read(file, encodings):
    """A whole page comes out of each encoding, and of several on top of each other."""
    body, whole = decode((COMPRESSED / file).read_bytes(), encodings)
    assert whole
    assert len(body) == (74840 if encodings == "deflate" else 74837)
    assert body.rstrip().endswith(b"</html>")


@suite
@pytest.mark.parametrize("encoding", ["br", "deflate", "gzip", "zstd"])
def test_a_bomb_is_cut_at_the_limit(encoding):
    """A few bytes that unpack to many never take more memory than the limit."""
    body, whole = decode((COMPRESSED / f"bomb-{encoding}.bin").read_bytes(), encoding, 10_000)
    assert (len(body), whole) == (10_000, False)


@suite
@pytest.mark.parametrize(
    "file", ["truncated-crc-error.gz", "truncated-crc-error-short.gz", "unexpected-eof.gz"]
)
def test_broken_streams_give_what_they_have(file):
    """Torn gzip streams from the wild are read without failing."""
    body, whole = decode((COMPRESSED / file).read_bytes(), "gzip")
    assert body
    assert not whole
