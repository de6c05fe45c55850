"""Parse and format sizes, durations and counts."""

import re

from datahound.errors import UserError

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?", re.IGNORECASE)
_DURATION = re.compile(r"(?:(\d+(?:\.\d+)?)\s*(d|h|min|m|sec|s)\s*)+", re.IGNORECASE)
_STEP = re.compile(r"(\d+(?:\.\d+)?)\s*(d|h|min|m|sec|s)", re.IGNORECASE)
_SECONDS = {"d": 86_400, "h": 3600, "min": 60, "m": 60, "sec": 1, "s": 1}


def parse_size(text: str) -> int:
    """Parse a size into bytes, such as `2GB` (thousands) or `512 KiB` (1024s).

    >>> parse_size("2GB"), parse_size("1.5 MiB"), parse_size("700")
    (2000000000, 1572864, 700)
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None or (match[3] and not match[2]):
        raise UserError(f"{text!r} is not a size: give bytes, or a number with kB, MB, GB or TB")
    power = " kmgt".index(match[2].lower() or " ")
    return int(float(match[1]) * (1024 if match[3] else 1000) ** power)


def parse_duration(text: str) -> float:
    """Parse a duration into seconds, such as `12h`, `90m`, `1d 6h` or plain seconds.

    >>> parse_duration("12h"), parse_duration("1d 30m"), parse_duration("45")
    (43200.0, 88200.0, 45.0)
    """
    text = text.strip()
    # A number alone is seconds: `45` and not `45s` is what other tools take.
    if re.fullmatch(r"\d+(?:\.\d+)?", text):
        return float(text)
    if not _DURATION.fullmatch(text):
        raise UserError(f"{text!r} is not a duration: give seconds, or text such as 90m, 12h or 2d")
    return float(sum(float(n) * _SECONDS[unit.lower()] for n, unit in _STEP.findall(text)))


def show_size(count: float) -> str:
    """Format bytes in the largest fitting unit of thousands.

    >>> show_size(999), show_size(1_234_567)
    ('999 B', '1.2 MB')
    """
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} B" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"


def show_duration(seconds: float) -> str:
    """Format seconds in the two largest units.

    >>> show_duration(59), show_duration(3_720), show_duration(200_000)
    ('59s', '1h 02m', '2d 07h')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days}d {hours:02}h"
    if hours:
        return f"{hours}h {minutes:02}m"
    return f"{minutes}m {rest:02}s" if minutes else f"{rest}s"


def show_count(number: int, noun: str) -> str:
    """Format a number with its noun.

    >>> show_count(1, "page"), show_count(1_234, "page")
    ('1 page', '1,234 pages')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
