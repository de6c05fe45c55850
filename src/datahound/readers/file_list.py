"""Files that name others: JSON, XML, feeds, tables, plain text and PDF with URLs of data files.

Their structure is not known: each word that is a URL and ends like the name of a data file is a
link. Answers of portals, sitemaps and feeds that are requested as lists have their own readers.
"""

import re
from collections.abc import Iterator
from itertools import chain, islice

from datahound.model import Link, Page, Response
from datahound.readers.folder_list import list_bucket, list_folder, list_folder_xml, list_names
from datahound.readers.json_list import find_next_part, list_typed
from datahound.readers.json_text import parse_json
from datahound.readers.link_sources import find_next
from datahound.readers.lists import decode_text
from datahound.readers.script_state import (
    find_asked,
    find_named_pages,
    find_script_links,
    names_certain_data,
)
from datahound.web.targets import is_blocked_type, mime_type_of
from datahound.web.urls import join

MAX_LIST_BYTES = 1 << 20
"""Larger files are data, and go to the disk unread."""
FILE_LIST = "@list"
_NAMING_FILES = re.compile(
    r"json|xml|rss|atom|javascript|csv|tab-separated|turtle|yaml|markdown|text/plain|/pdf\Z"
)
_WORD = re.compile(r"""[^\s"'<>,;|()\[\]{}`\\]{4,2000}""")
# Data packages name the files beside them.
_BESIDE = re.compile(r"""["'](?:path|url|href)["']\s{0,9}:\s{0,9}["']([^"'\s/]{1,500})["']""")
_SCRIPT_FOLDERS = re.compile(
    r"(?:/(?:assets|build|dist|inc|includes|javascripts?|js|lib|scripts?|src|static))+\Z"
)
_HEAD = 1000
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
    text = decode_text(response.body, response.headers)
    named = list(islice(dict.fromkeys(_list_named(response, text)), _MAX_LINKS))
    if not named:
        return None
    further = (*named, *_list_next(response, text))
    base = _find_page(response.url) if _is_script(response) else response.url
    urls = dict.fromkeys(join(base, reference) for reference in further)
    urls.pop(response.url, None)
    links = tuple(Link(url, f"file {FILE_LIST}", found_on=response.url) for url in urls if url)
    return Page(response.url, "", (), (), links, names_files=True) if links else None


def _is_script(response: Response) -> bool:
    return "javascript" in mime_type_of(response)


def _find_page(url: str) -> str:
    """The folder of the page that a file of scripts is for: beside the folder of scripts.

    >>> _find_page("https://a.example/map/js/main.js?v=1")
    'https://a.example/map/'
    """
    folder = url.partition("?")[0].rpartition("/")[0]
    return _SCRIPT_FOLDERS.sub("", folder) + "/"


def _list_named(response: Response, text: str) -> Iterator[str]:
    """References to the data files that a text names, whatever its format."""
    if _is_script(response):
        yield from chain(find_script_links(text), find_asked(text), find_named_pages(text))
        return
    plain = text.replace("\\/", "/")
    words = (word[0] for word in _WORD.finditer(plain) if "/" in word[0])
    beside = (match[1] for match in _BESIDE.finditer(plain))
    yield from filter(names_certain_data, chain(words, beside))
    start = text[:_HEAD].lstrip()[:1]
    if start in ("{", "["):
        data = parse_json(text)
        yield from chain(list_folder(data), list_typed(data))
    elif start == "<":
        yield from chain(list_bucket(response.url, text), list_folder_xml(text))
    elif mime_type_of(response) == "text/plain":
        yield from list_names(text)


def _list_next(response: Response, text: str) -> Iterator[str]:
    """References to what follows in a list that comes in parts."""
    if text[:_HEAD].lstrip()[:1] in ("{", "["):
        yield from filter(None, (find_next_part(parse_json(text)), find_next(response.headers)))
