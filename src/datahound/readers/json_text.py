"""JSON from the web: parsed as far as it is valid, and read whatever its structure is."""

import json
import re
from collections.abc import Iterator
from typing import Any

_LIST_START = re.compile(r'"([\w:@.-]{1,60})"\s{0,20}:\s{0,20}\[\s{0,20}(?=\{)')
_HEAD = 20_000
"""Characters at the beginning of a cut text in which its list begins."""
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_BETWEEN = re.compile(r"[\s,]*+")


def parse_json(text: str) -> Any:
    """The value of a text; of a text that was cut, as much as is whole; None if it is not JSON."""
    if text[:1000].lstrip()[:1] not in ("{", "["):
        return None
    try:
        value = _parse_whole(text)
        return _replace_surrogates(value) if _SURROGATE.search(text) else value
    except RecursionError:
        return None


def _parse_whole(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return _parse_cut(text)


def _replace_surrogates(value: Any) -> Any:
    """The value with ? for halves of characters, which JSON can write and nothing can encode."""
    text = json.dumps(value, ensure_ascii=False)
    return json.loads(text.encode("utf-8", "replace"))


def _parse_cut(text: str) -> dict[str, Any] | None:
    """The first list of objects in an object whose end is missing: its entries that are whole."""
    found = _LIST_START.search(text, 0, _HEAD)
    if found is None:
        return None
    entries: list[Any] = []
    position = found.end()
    decoder = json.JSONDecoder()
    while text[position : position + 1] == "{":
        try:
            # One entry after the other, until the one that was cut.
            entry, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            break
        entries.append(entry)
        between = _BETWEEN.match(text, position)
        position = between.end() if between else position
    return {found[1]: entries} if entries else None


def dicts_of(value: Any) -> Iterator[dict[str, Any]]:
    """The objects of a list; an object alone counts as a list of one."""
    if isinstance(value, dict):
        yield value
    elif isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def dig(value: Any, *keys: str) -> Any:
    """The value at the end of a path of keys, or None."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def text_of(value: Any) -> str:
    """A text, a number, or the first text of a translation or a list; else ''.

    >>> text_of({"de": "Daten", "en": "data"}), text_of([None, "a"]), text_of({})
    ('data', 'a', '')
    """
    if value is None:
        return ""
    # Translations of lists of objects: deeper nesting does not hold texts.
    for _ in range(4):
        if isinstance(value, str):
            return value.strip()
        if isinstance(value, dict):
            named = (value.get(key) for key in ("@value", "en", "@id", "id", "title", "name"))
            value = next((v for v in named if v), None) or next(
                (v for v in value.values() if isinstance(v, str) and v), ""
            )
        elif isinstance(value, list):
            value = next((item for item in value if item), "")
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def count_of(value: Any) -> int | None:
    """A count; None for a value that cannot be one.

    >>> count_of("12"), count_of(-1), count_of(True), count_of("9" * 50)
    (12, None, None, None)
    """
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        value = int(value) if len(value) <= 18 else None
    is_number = isinstance(value, int) and not isinstance(value, bool)
    # SQLite stores signed 64-bit numbers.
    return value if is_number and 0 <= value < 1 << 62 else None
