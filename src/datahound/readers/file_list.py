"""Files that name others: JSON, XML, feeds, tables, plain text and PDF with URLs of data files.

Their structure is not known: each word that is a URL and ends like the name of a data file is a
link. Answers of portals, sitemaps and feeds that are requested as lists have their own readers.
"""

import re
from collections.abc import Iterator
from html import unescape
from itertools import chain, islice
from urllib.parse import quote

from datahound.model import Link, Page, Response
from datahound.readers.lists import decode_text
from datahound.readers.script_state import names_certain_data
from datahound.web.targets import is_blocked_type, mime_type_of
from datahound.web.urls import join

MAX_LIST_BYTES = 1 << 20
"""Larger files are data, and go to the disk unread."""
FILE_LIST = "@list"
_NAMING_FILES = re.compile(
    r"json|xml|rss|atom|csv|tab-separated|turtle|yaml|markdown|text/plain|/pdf\Z"
)
_WORD = re.compile(r"""[^\s"'<>,;|()\[\]{}`\\]{4,2000}""")
# Data packages name the files beside them, and listings of storage buckets their files.
_BESIDE = re.compile(r"""["'](?:path|url|href)["']\s{0,9}:\s{0,9}["']([^"'\s/]{1,500})["']""")
_KEYS = re.compile(r"<Key>([^<]{1,1000})</Key>")
_BUCKET = "<ListBucketResult"
_MAX_LINKS = 1000


def may_name_files(response: Response) -> bool:
    """Whether files of the MIME type of an answer may name others."""
    mime_type = mime_type_of(response)
    if "html" in mime_type or is_blocked_type(mime_type):
        return False
    return _NAMING_FILES.search(mime_type) is not None


def read_file_list(response: Response) -> Page | None:
    """The files of data that a file names; None if it names none, or is large."""
    if not response.body or len(response.body) > MAX_LIST_BYTES or not may_name_files(response):
        return None
    text = decode_text(response.body, response.headers).replace("\\/", "/")
    words = (word[0] for word in _WORD.finditer(text) if "/" in word[0])
    beside = (match[1] for match in _BESIDE.finditer(text))
    named = chain(filter(names_certain_data, chain(words, beside)), _list_bucket(text))
    found = islice(dict.fromkeys(named), _MAX_LINKS)
    urls = dict.fromkeys(join(response.url, reference) for reference in found)
    links = tuple(Link(url, f"file {FILE_LIST}", found_on=response.url) for url in urls if url)
    return Page(response.url, "", (), (), links, names_files=True) if links else None


def _list_bucket(text: str) -> Iterator[str]:
    """The files of data in a bucket of object storage, as it lists them."""
    if _BUCKET in text[:1000]:
        keys = (quote(unescape(match[1])) for match in _KEYS.finditer(text))
        yield from (key for key in keys if names_certain_data(f"/{key}"))
