"""Keys and lines of the index that replay tools read."""

import io
import json
import zlib

import pytest
import surt as reference
from crawl_to_export import HOSTILE, HOSTILE_URL, SEED
from hypothesis import given
from hypothesis import strategies as st

from datahound.archive.export.wacz import IndexDraft, surt
from datahound.archive.export.warc import Indexed, Place


@pytest.mark.parametrize(
    "url",
    [
        SEED,
        "https://site.example",
        "http://www2.Site.Example:8080/A//b/?B=2&a=1&a",
        "https://user:pass@sub.site.example:443/x%20y/%C3%A9?q=%7Bz%7D#top",
        "https://site.example/a/b.aspx?sid=0123456789abcdef0123456789abcdef&x=1",
        "http://192.0.2.7/x?",
        "https://www.site.example/p?PHPSESSID=0123456789abcdef0123456789abcdef",
        "https://www.site.example/%2561/x",
        "https://www.site.example/a;b=1,2?x=a%26b",
        "https://site.example/?a=1&&b=",
    ],
)
def test_keys_are_those_of_web_archives(url):
    """The key under which a page is filed is the one that replay tools compute."""
    assert surt(url) == reference.surt(url)


def test_strange_addresses_have_keys():
    """Whatever a URL is, its key is one word on one line."""
    for url in (HOSTILE_URL, HOSTILE, "", "x:", "https://[2001:db8::1]:8443/x", "https://a b/{ }"):
        assert not set(surt(url)) & set(" \r\n\x00\u202e")


@given(st.text(max_size=30))
def test_a_key_has_no_space_or_line_end(rest):
    """The key is the first word of its line, whatever the URL holds."""
    assert not set(surt("https://site.example/" + rest)) & set(" \t\r\n")


def make_row(number: int, url: str = "") -> Indexed:
    url = url or f"{SEED}{number:05}"
    return Indexed(
        url, "2026-01-02T03:04:05Z", "text/html", 200, f"sha1:{number}", Place(number, 7)
    )


def test_a_line_has_its_key_its_time_and_its_place():
    to = io.BytesIO()
    with IndexDraft("data.warc.gz") as draft:
        draft.add(make_row(3)._replace(mime=""))
        list(draft.write_blocks(to, "index.cdx.gz"))
    key, stamp, fields = zlib.decompress(to.getvalue(), wbits=31).decode().split(" ", 2)
    assert (key, stamp) == ("example,site)/00003", "20260102030405")
    assert json.loads(fields) == {
        "url": SEED + "00003",
        "mime": "unk",
        "status": "200",
        "digest": "sha1:3",
        "length": "7",
        "offset": "3",
        "filename": "data.warc.gz",
    }


def test_lines_are_sorted_into_blocks_that_can_be_read_alone():
    """The index of the index names the first line, the place and the digest of every block."""
    to = io.BytesIO()
    with IndexDraft("data.warc.gz") as draft:
        for number in reversed(range(2500)):
            draft.add(make_row(number))
        assert draft.rows == 2500
        meta, *blocks = draft.write_blocks(to, "index.cdx.gz")
    assert meta == '!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}\n'
    assert [line.split(" ")[0][-5:] for line in blocks] == ["00000", "01024", "02048"]
    data, lines = to.getvalue(), []
    for line in blocks:
        place = json.loads(line.split(" ", 2)[2])
        begin, length = place["offset"], place["length"]
        lines += zlib.decompress(data[begin : begin + length], wbits=31).decode().splitlines()
    assert lines == sorted(lines)
    assert len(lines) == 2500


def test_an_empty_index_has_only_its_head():
    to = io.BytesIO()
    with IndexDraft("data.warc.gz") as draft:
        assert len(list(draft.write_blocks(to, "index.cdx.gz"))) == 1
    assert to.getvalue() == b""
