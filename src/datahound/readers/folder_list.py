"""Lists of a folder that servers make: of buckets, in JSON and XML of nginx, of checksums.

They name files relative to the folder, and say where the next part of the list is.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import quote

from datahound.readers.json_text import dicts_of, text_of
from datahound.readers.portals.paging import with_query
from datahound.readers.script_state import names_certain_data, names_data

_HEAD = 1000
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


def list_bucket(url: str, text: str) -> Iterator[str]:
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


def list_folder(data: Any) -> Iterator[str]:
    """What nginx lists of a folder in JSON: data files, and folders."""
    for entry in dicts_of(data) if isinstance(data, list) else ():
        name = text_of(entry.get("name"))
        if name and "mtime" in entry:
            yield from _name_entry(name, text_of(entry.get("type")))


def list_folder_xml(text: str) -> Iterator[str]:
    """The same in XML."""
    for match in _NGINX.finditer(text) if "<list>" in text[:_HEAD] else ():
        yield from _name_entry(unescape(match[2]), match[1])


def _name_entry(name: str, kind: str) -> Iterator[str]:
    if kind == "directory":
        yield f"./{quote(name)}/"
    elif names_data(f"/{name}"):
        yield f"./{quote(name)}"


def list_names(text: str) -> Iterator[str]:
    """The data files that a text names one on a line, alone or behind their checksums.

    >>> list(list_names("d41d8cd98f00b204e9800998ecf8427e  a.csv" + chr(10) + "see b.csv"))
    ['./a.csv']
    """
    names = (match[1] for match in _ALONE.finditer(text))
    yield from (f"./{quote(name)}" for name in names if names_certain_data(f"/{name}"))
