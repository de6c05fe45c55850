"""Lists: sitemaps, feeds and the answers of portals, recognized by what they are."""

import codecs
import re
from collections.abc import Mapping
from dataclasses import replace

import webencodings

from datahound.model import Page, Response
from datahound.readers import feed, sitemap
from datahound.readers.html_bytes import find_charset
from datahound.readers.json_text import count_of, parse_json
from datahound.readers.link_sources import find_next
from datahound.readers.listing import make_endpoint
from datahound.readers.portals import platforms
from datahound.readers.portals.dcat_ap import read_turtle
from datahound.readers.xml_tree import parse_xml
from datahound.web.messages import unpack
from datahound.web.urls import join

MAX_UNPACKED = 64 << 20
"""Bytes that a compressed list may have when it is decompressed."""
_GZIP = b"\x1f\x8b"
# A server may compress a file that is compressed already, without a header for either.
_MAX_LAYERS = 2
_DECLARATION = re.compile(
    rb"""\A[\s\xef\xbb\xbf]{0,100}<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([-\w.:]{2,40})"""
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\x00", "utf-16-le"),
    (b"\x00<", "utf-16-be"),
    (b"{\x00", "utf-16-le"),
    (b"\x00{", "utf-16-be"),
)


def unpack_body(body: bytes) -> bytes:
    """Decompress a body that begins like gzip, as far as that is possible."""
    for _ in range(_MAX_LAYERS):
        if not body.startswith(_GZIP):
            break
        body = unpack(body, "gzip", MAX_UNPACKED).body
    return body


def decode_text(body: bytes, headers: Mapping[str, str]) -> str:
    """The text of a body: by its leading bytes, as UTF-8, by what it declares, or by a guess."""
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return body.decode(codec, "replace").lstrip("\ufeff")
    try:
        return body.decode()
    except UnicodeDecodeError:
        encoding = _find_encoding(body, headers)
    if encoding is not None:
        text: str = encoding.codec_info.decode(body, "replace")[0]
        return text
    return body.decode("cp1252", "replace")


def _find_encoding(body: bytes, headers: Mapping[str, str]) -> webencodings.Encoding | None:
    declared = _DECLARATION.match(body[:1000])
    if declared is not None:
        return webencodings.lookup(declared[1].decode("ascii", "ignore"))
    return find_charset(headers)


_HEAD = 1000
# WordPress has the first; other software without an envelope around its lists the second.
_TOTALS = ("x-wp-total", "x-total-count")


def read_listing(response: Response) -> Page | None:
    """What an answer lists, whatever it claims to be; None if it is not a known kind of list."""
    url = response.url
    text = decode_text(unpack_body(response.body), response.headers).replace("\0", "").lstrip()
    # By the text, since the MIME types of portals are often wrong.
    if text[:1] in ("{", "["):
        page = _read_json(url, text)
    elif text[:1] == "<":
        page = _read_markup(url, text)
    else:
        page = sitemap.read_url_list(url, text) or read_turtle(url, text)
    if page is None or page.listing is None:
        return page
    if response.truncated:
        page = replace(page, listing=replace(page.listing, remark="the answer was cut"))
    return _add_headers(page, response.headers)


def _add_headers(page: Page, headers: Mapping[str, str]) -> Page:
    """A page with the total and the next page that headers state, for answers without an envelope.

    A total in a header counts more than that of the body, which may be the length of one page.
    """
    listing = page.listing
    total = next(filter(None, (count_of(headers.get(name)) for name in _TOTALS)), None)
    if listing is None:
        return page
    if total is not None:
        page = replace(page, listing=replace(listing, total=total))
    reference = "" if page.next_pages else find_next(headers)
    following = join(page.url, reference) if reference else None
    if following and following != page.url:
        link = make_endpoint(following, listing.platform, listing.request, "next page", page.url)
        page = replace(page, next_pages=(link,))
    return page


def _read_json(url: str, text: str) -> Page | None:
    data = parse_json(text)
    for platform in platforms() if data is not None else ():
        if platform.read_json and (page := platform.read_json(url, data)) is not None:
            return page
    return None


def _read_markup(url: str, text: str) -> Page | None:
    # Before HTML is looked for: browsers save a sitemap inside a page of HTML.
    if sitemap.looks_like_sitemap(text):
        return sitemap.read_sitemap(url, text)
    head = text[:_HEAD].lower()
    if "<html" in head or "<!doctype html" in head:
        return None
    if (turtle := read_turtle(url, text)) is not None:
        return turtle
    root = parse_xml(text)
    if root is None:
        return None
    for platform in platforms():
        if platform.read_xml and (page := platform.read_xml(url, root)) is not None:
            return page
    return feed.read_feed(url, root)
