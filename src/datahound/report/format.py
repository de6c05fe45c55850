"""Values as text for people: no hidden characters, readable numbers; and the templates."""

import json
import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from datahound.units import show_duration, show_size
from datahound.web.types import shorten_type

# Controls, line separators, what turns the direction of writing, what takes no room, half
# characters and tags: all of it can make a text look like another.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_PICTURES = 0x2400
_TINY = 1e-4


def reveal_hidden(text: str) -> str:
    r"""A text whose hidden characters are replaced by visible signs.

    >>> reveal_hidden("gpj.\u202eexe"), reveal_hidden("a\x00b")
    ('gpj.‹U+202E›exe', 'a␀b')
    """
    return _HIDDEN.sub(_sign, text)


def _sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code == 0x7F:
        return "\u2421"
    # The block "Control Pictures" has a sign for each of the first 32.
    return chr(_PICTURES + code) if code < 0x20 else f"‹U+{code:04X}›"


def show_value(value: object) -> object:
    """A value for a template; our own markup is left as it is."""
    if isinstance(value, Markup):
        return value
    if value is None:
        return ""
    return reveal_hidden(value) if isinstance(value, str) else value


def format_number(value: float | None) -> str:
    """A number for people.

    >>> format_number(1234567), format_number(0.04153), format_number(8.6e-11), format_number(None)
    ('1,234,567', '0.0415', '≈0', '–')
    """
    if value is None:
        return "–"
    if float(value).is_integer():
        return f"{int(value):,}"
    if abs(value) < _TINY:
        return "≈0"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def describe_error(status: int | None, failure: str) -> str:
    """The error of a request: the phrase of its status, or its failure.

    >>> describe_error(404, ""), describe_error(None, "timed out"), describe_error(799, "")
    ('404 not found', 'timed out', 'status 799')
    """
    if status is None:
        return failure
    try:
        return f"{status} {HTTPStatus(status).phrase.lower()}"
    except ValueError:
        return f"status {status}"


def format_time(at: float | None) -> str:
    """A time for people, in UTC."""
    if at is None:
        return "–"
    try:
        return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, OSError, ValueError):
        return "–"


def format_size(count: float | None) -> str:
    return "–" if count is None else show_size(count)


def format_duration(seconds: float | None) -> str:
    return "–" if seconds is None else show_duration(max(0.0, seconds))


def keep_web_url(url: object) -> str:
    """A URL that a page may link to; '' for schemes other than http and https."""
    text = str(url or "")
    return text if text.startswith(("https://", "http://")) else ""


def load_templates(
    package: str,
    filters: Mapping[str, Callable[..., Any]] = MappingProxyType({}),
    finalize: Callable[[Any], object] = show_value,
) -> Environment:
    """The templates of a package; values are escaped, and their hidden characters are shown.

    `filters` come on top of the ones that all templates have.
    """
    templates = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        # A misspelt name in a template is an error in a test, not a blank on a page.
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {
        "number": format_number,
        "moment": format_time,
        "size": format_size,
        "span": format_duration,
        "web_address": keep_web_url,
        "short_type": shorten_type,
        **filters,
    }
    return templates


def to_json(value: Any) -> str:
    """Standard JSON: infinite numbers and NaN become null."""
    # ASCII, so that no proxy or editor can break it by guessing an encoding.
    return json.dumps(_finite(value), ensure_ascii=True, default=str)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
