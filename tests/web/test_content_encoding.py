"""Undoing Content-Encoding: strictly for what servers send, tolerantly for recordings."""

import gzip
import io
import time
import zlib
from itertools import product
from pathlib import Path

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datahound.web.messages import (
    BadEncoding,
    layers_of,
    read_step,
    unpack,
    unpack_tolerantly,
    unpacking,
)

COMPRESSED = Path(__file__).parents[2].parent / "shared" / "suites" / "compressed"
LIMIT = 64 << 20
PACKING = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": pytest.importorskip("backports.zstd").compress,
}
suite = pytest.mark.skipif(not COMPRESSED.is_dir(), reason=f"no public suite at {COMPRESSED}")


def decode(payload, encodings, limit=LIMIT):
    """As archives decode."""
    body, whole, _ = unpack_tolerantly(payload, encodings, limit)
    return body, whole


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


GZIP, ZLIB, RAW = 31, 15, -15


@given(st.binary(max_size=300), st.sampled_from([GZIP, ZLIB, RAW]), st.integers(0, 400))
def test_both_ways_agree_on_what_is_well_formed(body, wbits, limit):
    """The strict way and the tolerant one give the same bytes, and cut at the same limit."""
    encoding = "gzip" if wbits == GZIP else "deflate"
    payload = zlib.compress(body, wbits=wbits)
    strict, tolerant = unpack(payload, encoding, limit), decode(payload, encoding, limit)
    assert strict[:2] == tolerant == (body[:limit], len(body) <= limit)


@given(st.binary(max_size=200), st.integers(0, 199), st.integers(0, 255))
def test_damage_never_raises(body, position, value):
    """A damaged payload ends with a problem that is named, or is read; nothing else."""
    payload = bytearray(zlib.compress(body, wbits=GZIP))
    payload[position % len(payload)] = value
    got = unpack(bytes(payload), "gzip", LIMIT)
    assert got.whole != bool(got.problem)
    assert isinstance(decode(bytes(payload), "gzip")[0], bytes)


@pytest.mark.parametrize(
    ("payload", "encodings", "problem"),
    [
        (b"plain", "gzip", "broken encoding"),
        (b"plain", "rot13", "unknown encoding 'rot13'"),
        (b"plain", "gzip, gzip, gzip, gzip", "encoded too many times"),
        (zlib.compress(b"x" * 99, wbits=GZIP)[:-4], "gzip", "cut short"),
    ],
)
def test_what_a_server_sends_must_be_what_it_says(payload, encodings, problem):
    """Live, a wrong encoding is a problem of the answer and not swept aside."""
    got = unpack(payload, encodings, LIMIT)
    assert not got.whole
    assert problem in got.problem


def test_zeros_after_the_last_member_do_not_count():
    """Some servers pad; the body is complete all the same."""
    payload = zlib.compress(b"a", wbits=GZIP) + b"\0" * 100
    assert unpack(payload, "gzip", LIMIT) == (b"a", True, "")
    assert decode(payload, "gzip") == (b"a", True)


def test_an_empty_body_may_be_compressed():
    for wbits, encoding in ((GZIP, "gzip"), (ZLIB, "deflate"), (RAW, "deflate")):
        payload = zlib.compress(b"", wbits=wbits)
        assert decode(payload, encoding) == unpack(payload, encoding, LIMIT)[:2] == (b"", True)


def test_only_the_layer_that_fails_is_left_on():
    """Outer layers are undone; the inner one, which is not what it says, stays."""
    payload = zlib.compress(b"plain", wbits=GZIP)
    assert decode(payload, "br, gzip") == (b"plain", True)


@pytest.mark.parametrize(
    ("named", "layers"),
    [
        ("", []),
        ("identity", []),
        ("none, GZIP", ["gzip"]),
        (" deflate ,, br ", ["deflate", "br"]),
        ("aws-chunked,gzip", ["gzip"]),
        ("UTF-8", []),
    ],
)
def test_layers_are_those_that_change_the_body(named, layers):
    assert layers_of(named) == layers


def test_a_stream_is_decoded_in_small_parts():
    """A large body never stands in memory as a whole."""
    stream = unpacking(io.BytesIO(zlib.compress(bytes(1 << 20), wbits=GZIP)), "gzip")
    parts = []
    while part := read_step(stream):
        parts.append(len(part))
    assert sum(parts) == 1 << 20
    assert max(parts) <= 64 << 10


def test_a_stream_says_when_it_is_broken():
    stream = unpacking(io.BytesIO(b"plain"), "gzip")
    with pytest.raises(BadEncoding, match="broken encoding"):
        read_step(stream)


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_endless_empty_members_are_refused(layers):
    """A few kilobytes that unpack to millions of gzip members with nothing in them."""
    payload = zlib.compress(b"", wbits=GZIP) * 100_000
    for _ in range(layers - 1):
        payload = zlib.compress(payload * (20 if layers == 3 else 1), wbits=GZIP)
    begun = time.perf_counter()
    unpacked = unpack(payload, ", ".join(["gzip"] * layers), LIMIT)
    assert unpacked.problem
    assert not unpacked.body
    assert time.perf_counter() - begun < 2


def test_no_layer_brings_more_than_the_limit():
    inner = zlib.compress(b"x" * 100, wbits=GZIP) + bytes(10_000_000)
    unpacked = unpack(zlib.compress(inner, wbits=GZIP), "gzip, gzip", 1000)
    assert len(unpacked.body) <= 1000


@pytest.mark.parametrize("named", list(product(PACKING, repeat=2)), ids=", ".join)
@pytest.mark.parametrize("limit", [None, LIMIT])
def test_encodings_may_follow_each_other_in_any_order(named, limit):
    body = b"hello, world " * 9999
    payload = PACKING[named[1]](PACKING[named[0]](body))
    stream = unpacking(io.BytesIO(payload), ", ".join(named), limit)
    assert b"".join(iter(lambda: read_step(stream), b"")) == body


def test_many_members_with_bytes_are_one_file():
    """Files packed block by block (bgzip) have tens of thousands of members."""
    payload = zlib.compress(b"x" * 100, wbits=GZIP) * 30_000
    assert unpack(payload, "gzip", LIMIT) == (b"x" * 3_000_000, True, "")
