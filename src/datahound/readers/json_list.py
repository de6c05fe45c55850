"""Files in JSON of any structure: by the type that an object gives beside an address."""

import re
from collections.abc import Iterator
from typing import Any

from datahound.readers.json_text import dig, text_of
from datahound.readers.script_state import is_certain_extension, names_certain_data
from datahound.web.types import extension_of_format

_MOST_VALUES = 200_000
_ADDRESSES = re.compile(r"url|uri|href|link|src|path|file|download", re.IGNORECASE)
_FORMATS = re.compile(r"type|format|mime|encoding|extension", re.IGNORECASE)
_BEGINS = ("http://", "https://", "/", "./", "../")
_MAX_FORMAT = 100
_NEXT = ("next", "nextLink", "@odata.nextLink", "odata.nextLink", "__next", "next_page_url",
         "nextPageUrl", "next_page", "nextPage", "next_url", "nextUrl")  # fmt: skip
_AROUND = ("links", "_links", "meta", "pagination", "paging", "d", "page", "info")


def list_typed(data: Any) -> Iterator[str]:
    """Addresses of objects that give the type of a data file, and of files with blanks in names.

    >>> list(list_typed([{"mimeType": "text/csv", "url": "/api/files/3"}, {"url": "/b"}]))
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


def find_next_part(data: Any) -> str:
    """The address of the next part of a list, where common interfaces have it, or ''.

    >>> find_next_part({"value": [], "links": {"next": {"href": "/a?page=2"}}})
    '/a?page=2'
    """
    for place in (data, *(dig(data, name) for name in _AROUND)):
        for name in _NEXT if isinstance(place, dict) else ():
            value = place.get(name)
            address = text_of(value.get("href") if isinstance(value, dict) else value)
            if address.startswith((*_BEGINS, "?")):
                return address
    return ""
