"""Files that name others: JSON, XML, feeds, tables, plain text and PDF with URLs of data files.

Nothing of their structure is known; a word that is a URL and ends like the name of a data file is
a link. Documents of portals, sitemaps and feeds that are asked for as lists have readers of their
own.
"""

import re

from datahound.model import Link, Page, Response
from datahound.readers.lists import decode_text
from datahound.readers.script_state import names_certain_data
from datahound.web.targets import is_blocked_type, mime_type_of
from datahound.web.urls import join

MAX_LIST_BYTES = 1 << 20
"""Larger files are data, and go to the disk unread."""
FILE_LIST = "@list"
_NAMING_FILES = re.compile(r"json|xml|rss|atom|csv|tab-separated|turtle|yaml|text/plain|/pdf\Z")
_WORD = re.compile(r"""[^\s"'<>,;|()\[\]{}`\\]{4,2000}""")
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
    found: dict[str, None] = {}
    for word in _WORD.finditer(text):
        if "/" in word[0] and names_certain_data(word[0]) and len(found) < _MAX_LINKS:
            found.setdefault(word[0])
    urls = dict.fromkeys(join(response.url, reference) for reference in found)
    links = tuple(Link(url, f"file {FILE_LIST}", found_on=response.url) for url in urls if url)
    return Page(response.url, "", (), (), links, names_files=True) if links else None
