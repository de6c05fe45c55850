"""Lists: sitemaps, feeds and the answers of portals, recognized by what they are."""

from dataclasses import replace

from datahound.model import Page, Response
from datahound.readers import feed, sitemap
from datahound.readers.json_text import parse_json
from datahound.readers.portals import platforms
from datahound.readers.portals.dcat_ap import read_turtle
from datahound.readers.text_bytes import decode_text, unpack_body
from datahound.readers.xml_tree import parse_xml

_HEAD = 1000


def read_listing(response: Response) -> Page | None:
    """What an answer lists, whatever it claims to be; None if it is no list that is known."""
    url = response.url
    text = decode_text(unpack_body(response.body), response.headers).replace("\0", "").lstrip()
    if text[:1] in ("{", "["):
        page = _read_json(url, text)
    elif text[:1] == "<":
        page = _read_markup(url, text)
    else:
        page = sitemap.read_url_list(url, text) or read_turtle(url, text)
    if page is not None and page.listing and response.truncated:
        return replace(page, listing=replace(page.listing, remark="the answer was cut"))
    return page


def _read_json(url: str, text: str) -> Page | None:
    data = parse_json(text)
    for platform in platforms() if data is not None else ():
        if platform.read_json and (page := platform.read_json(url, data)) is not None:
            return page
    return None


def _read_markup(url: str, text: str) -> Page | None:
    head = text[:_HEAD].lower()
    if "<html" in head or "<!doctype html" in head:
        return None
    if sitemap.looks_like_sitemap(text):
        return sitemap.read_sitemap(url, text)
    if (turtle := read_turtle(url, text)) is not None:
        return turtle
    root = parse_xml(text)
    if root is None:
        return None
    for platform in platforms():
        if platform.read_xml and (page := platform.read_xml(url, root)) is not None:
            return page
    return feed.read_feed(url, root)
