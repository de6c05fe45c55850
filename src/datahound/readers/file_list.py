"""Files that name others: JSON, XML, feeds, tables, plain text and PDF with URLs of data files.

Their structure is not known: each word that is a URL and ends like the name of a data file is a
link. Three forms are known: lists of a folder that servers make (of buckets, in JSON and XML of
nginx, of checksums), which say where their next part is; JSON with the type of a file beside its
URL; and packages of data. Answers of portals, sitemaps and feeds that are requested as lists have
their own readers.
"""

import re
from collections.abc import Iterator
from html import unescape
from itertools import chain, islice
from typing import Any
from urllib.parse import quote

from datahound.model import Link, Page, Response
from datahound.readers.json_text import dicts_of, dig, parse_json, text_of
from datahound.readers.link_sources import find_next
from datahound.readers.lists import decode_text
from datahound.readers.portals.paging import with_query
from datahound.readers.script_state import (
    find_asked,
    find_named_pages,
    find_script_links,
    is_certain_extension,
    names_certain_data,
    names_data,
)
from datahound.web.targets import is_blocked_type, mime_type_of
from datahound.web.types import extension_of_format
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
_JSON_SIGNS = ("{", "[")
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
    data = parse_json(text)
    named = list(islice(dict.fromkeys(_list_named(response, text, data)), _MAX_LINKS))
    if not named:
        return None
    is_json = _first_sign(text) in _JSON_SIGNS  # which may be a list in parts
    following = (_find_next_part(data), find_next(response.headers)) if is_json else ()
    further = (*named, *filter(None, following))
    base = _find_page(response.url) if _is_script(response) else response.url
    urls = dict.fromkeys(join(base, reference) for reference in further)
    urls.pop(response.url, None)
    links = tuple(Link(url, f"file {FILE_LIST}", found_on=response.url) for url in urls if url)
    return Page(response.url, "", (), (), links, names_files=True) if links else None


def _first_sign(text: str) -> str:
    return text[:_HEAD].lstrip()[:1]


def _is_script(response: Response) -> bool:
    return "javascript" in mime_type_of(response)


def _find_page(url: str) -> str:
    """The folder of the page that a file of scripts is for: beside the folder of scripts.

    >>> _find_page("https://a.example/map/js/main.js?v=1")
    'https://a.example/map/'
    """
    folder = url.partition("?")[0].rpartition("/")[0]
    return _SCRIPT_FOLDERS.sub("", folder) + "/"


def _list_named(response: Response, text: str, data: Any) -> Iterator[str]:
    """References to the data files that a text names, whatever its format; `data` is its JSON."""
    if _is_script(response):
        yield from chain(find_script_links(text), find_asked(text), find_named_pages(text))
        return
    plain = text.replace("\\/", "/")
    words = (word[0] for word in _WORD.finditer(plain) if "/" in word[0])
    beside = (match[1] for match in _BESIDE.finditer(plain))
    yield from filter(names_certain_data, chain(words, beside))
    sign = _first_sign(text)
    if sign in _JSON_SIGNS:
        yield from chain(_list_folder(data), _list_typed(data))
    elif sign == "<":
        yield from chain(_list_bucket(response.url, text), _list_folder_xml(text))
    elif mime_type_of(response) == "text/plain":
        yield from _list_names(text)


_S3, _AZURE = "<ListBucketResult", "<EnumerationResults"
_KEYS = re.compile(r"<Key>([^<]{1,1000})</Key>")
_BLOBS = re.compile(r"<Blob>\s{0,20}<Name>([^<]{1,1000})</Name>")
_PREFIXES = re.compile(
    r"<(?:CommonPrefixes|BlobPrefix)>\s{0,20}<(?:Prefix|Name)>([^<]{1,1000})</(?:Prefix|Name)>"
)
_BUCKET = re.compile(r"<Name>([^<]{1,100})</Name>|\bContainerName=\"([^\"]{1,500})\"")
_TOKEN = re.compile(r"<NextContinuationToken>([^<]{1,2000})</NextContinuationToken>")
_MARKER = re.compile(r"<NextMarker>([^<]{1,2000})</NextMarker>")
_IS_CUT = re.compile(r"<IsTruncated>\s{0,9}true", re.IGNORECASE)
_NGINX = re.compile(r"<(file|directory)\s[^<>]{0,200}mtime=[^<>]{0,200}>([^<>]{1,500})</")
_PLACES = frozenset({"marker", "continuation-token", "start-after"})
# A line of nothing but a name, or of a checksum and a name.
_ALONE = re.compile(
    r"^(?:[0-9a-fA-F]{32,128}[ \t]{1,3}\*?)?(?:\./)?([^\s/:,;|\"<>]{1,250})[ \t]{0,9}\r?$",
    re.MULTILINE,
)


def _list_bucket(url: str, text: str) -> Iterator[str]:
    """What a list of a bucket (S3, Google, Azure) names: data files, folders, its next part."""
    head = text[:_HEAD]
    if _S3 not in head and _AZURE not in head:
        return
    base = _find_base(url, head)
    keys = [unescape(match[1]) for match in (_KEYS if _S3 in head else _BLOBS).finditer(text)]
    yield from (base + quote(key) for key in keys if names_data(f"/{key}"))
    plain = _without_place(url)
    for match in _PREFIXES.finditer(text):
        yield with_query(plain, prefix=unescape(match[1]))
    if token := _TOKEN.search(text):
        yield with_query(plain, **{"continuation-token": unescape(token[1])})
    elif marker := _MARKER.search(text):
        yield with_query(plain, marker=unescape(marker[1]))
    elif _IS_CUT.search(text) and keys:
        yield with_query(plain, marker=keys[-1])


def _without_place(url: str) -> str:
    """The address of a list without the place in it at which it begins."""
    path, _, query = url.partition("?")
    kept = [part for part in query.split("&") if part.partition("=")[0] not in _PLACES]
    return f"{path}?{'&'.join(kept)}"


def _find_base(url: str, head: str) -> str:
    """The address that keys are relative to: a bucket may be the last part of the path."""
    path = url.partition("?")[0]
    named = _BUCKET.search(head)
    name = unescape(named[1] or named[2]) if named else ""
    if name.startswith(("http://", "https://")):
        return name.rstrip("/") + "/"
    last = path.rpartition("/")[2]
    return path + "/" if last and last == name else path.removesuffix(last)


def _list_folder(data: Any) -> Iterator[str]:
    """What nginx lists of a folder in JSON: data files, and folders."""
    for entry in dicts_of(data) if isinstance(data, list) else ():
        name = text_of(entry.get("name"))
        if name and "mtime" in entry:
            yield from _name_entry(name, text_of(entry.get("type")))


def _list_folder_xml(text: str) -> Iterator[str]:
    """The same in XML."""
    for match in _NGINX.finditer(text) if "<list>" in text[:_HEAD] else ():
        yield from _name_entry(unescape(match[2]), match[1])


def _name_entry(name: str, kind: str) -> Iterator[str]:
    if kind == "directory":
        yield f"./{quote(name)}/"
    elif names_data(f"/{name}"):
        yield f"./{quote(name)}"


def _list_names(text: str) -> Iterator[str]:
    """The data files that a text names one on a line, alone or behind their checksums.

    >>> list(_list_names("d41d8cd98f00b204e9800998ecf8427e  a.csv" + chr(10) + "see b.csv"))
    ['./a.csv']
    """
    names = (match[1] for match in _ALONE.finditer(text))
    yield from (f"./{quote(name)}" for name in names if names_certain_data(f"/{name}"))


_MOST_VALUES = 200_000
_ADDRESSES = re.compile(r"url|uri|href|link|src|path|file|download", re.IGNORECASE)
_FORMATS = re.compile(r"type|format|mime|encoding|extension", re.IGNORECASE)
_BEGINS = ("http://", "https://", "/", "./", "../")
_MAX_FORMAT = 100
_NEXT = ("next", "nextLink", "@odata.nextLink", "odata.nextLink", "__next", "next_page_url",
         "nextPageUrl", "next_page", "nextPage", "next_url", "nextUrl")  # fmt: skip
_AROUND = ("links", "_links", "meta", "pagination", "paging", "d", "page", "info")


def _list_typed(data: Any) -> Iterator[str]:
    """Addresses of objects that give the type of a data file, and of files with blanks in names.

    >>> list(_list_typed([{"mimeType": "text/csv", "url": "/api/files/3"}, {"url": "/b"}]))
    ['/api/files/3']
    """
    waiting = [data]
    seen = 0
    while waiting and seen < _MOST_VALUES:
        value = waiting.pop()
        seen += 1
        if isinstance(value, dict):
            yield from _addresses(value)
            waiting += reversed([item for item in value.values() if not isinstance(item, int)])
        elif isinstance(value, list):
            waiting += reversed(value[:_MOST_VALUES])
        elif isinstance(value, str) and " " in value and names_certain_data(value):
            yield value


def _addresses(entry: dict[str, Any]) -> Iterator[str]:
    found = [
        value
        for key, value in entry.items()
        if isinstance(value, str) and value.startswith(_BEGINS) and _ADDRESSES.search(key)
    ]
    if found and any(_says_data(key, value) for key, value in entry.items()):
        yield from (address for address in found if " " not in address)


def _says_data(key: str, value: Any) -> bool:
    """Whether a property says that its object is a data file."""
    if not isinstance(value, str) or len(value) > _MAX_FORMAT or not _FORMATS.search(key):
        return False
    return is_certain_extension(extension_of_format(value))


def _find_next_part(data: Any) -> str:
    """The address of the next part of a list, where common interfaces have it, or ''.

    >>> _find_next_part({"value": [], "links": {"next": {"href": "/a?page=2"}}})
    '/a?page=2'
    """
    for place in (data, *(dig(data, name) for name in _AROUND)):
        for name in _NEXT if isinstance(place, dict) else ():
            value = place.get(name)
            address = text_of(value.get("href") if isinstance(value, dict) else value)
            if address.startswith((*_BEGINS, "?")):
                return address
    return ""
