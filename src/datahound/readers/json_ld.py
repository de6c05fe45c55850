"""Files that a page's metadata names: the distributions of its datasets, in JSON-LD.

Pages made for search engines of data say where the files are, even where a script shows the links.
"""

import json
from collections.abc import Iterator
from typing import Any

_DISTRIBUTIONS = frozenset(
    {"distribution", "dcat:distribution", "http://www.w3.org/ns/dcat#distribution"}
)
_ADDRESSES = (
    "contentUrl",
    "downloadURL",
    "downloadUrl",
    "dcat:downloadURL",
    "http://www.w3.org/ns/dcat#downloadURL",
)
_LONGEST = 1 << 20
_MOST_FILES = 1000


def declared_files(text: str) -> list[tuple[str, str]]:
    """References to the files that a JSON-LD text names, each with its name.

    >>> declared_files('{"@type": "Dataset", "distribution": {"contentUrl": "/a.csv"}}')
    [('/a.csv', '')]
    """
    if len(text) > _LONGEST or "istribution" not in text:
        return []
    try:
        found = _distributions(json.loads(text))
    except (ValueError, RecursionError):
        return []
    return list(dict.fromkeys(found))[:_MOST_FILES]


def _distributions(data: Any) -> list[tuple[str, str]]:
    """The files of every distribution, at any depth."""
    files: list[tuple[str, str]] = []
    waiting = [(data, False)]
    while waiting:
        value, is_distribution = waiting.pop()
        if isinstance(value, list):
            waiting += ((item, is_distribution) for item in reversed(value))
        elif isinstance(value, dict):
            if is_distribution:
                files += _files(value)
            waiting += ((item, key in _DISTRIBUTIONS) for key, item in reversed(value.items()))
    return files


def _files(distribution: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for key in _ADDRESSES:
        for reference in _texts(distribution.get(key)):
            yield reference, next(_texts(distribution.get("name")), "")


def _texts(value: Any) -> Iterator[str]:
    """The texts of a value, as JSON-LD may write them."""
    for item in value if isinstance(value, list) else [value]:
        text = item.get("@id", item.get("@value")) if isinstance(item, dict) else item
        if isinstance(text, str):
            # JSON escapes can produce control characters and lone surrogates.
            yield "".join(letter if letter.isprintable() else " " for letter in text)
