"""Cookies of the user, from a file in Netscape's cookie format: for sites behind a login.

A line has seven fields between tabs: domain, whether subdomains get it, path, whether it needs TLS,
the time it ends (0: never), name and value. Values are secrets: no message shows them.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from datahound.errors import UserError
from datahound.web.site import is_public_suffix

_FIELDS = 7
_HTTP_ONLY = "#HttpOnly_"
# A cookie file has kilobytes; a wrong path may lead to anything.
_MAX_BYTES = 1 << 20


class UserCookie(NamedTuple):
    """A cookie as a server would set it: where, and the header."""

    url: str
    header: str


def read_cookie_lines(path: Path) -> tuple[str, ...]:
    """The cookies in a file, a line each, checked."""
    try:
        text = path.read_bytes()[:_MAX_BYTES].decode("utf-8")
    except OSError as error:
        raise UserError(f"{path}: can't be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: not a text file") from None
    numbered = enumerate(text.splitlines(), 1)
    lines = [(number, line) for number, line in numbered if _is_cookie(line)]
    if not lines:
        raise UserError(f"{path}: no cookie in it; it must be in Netscape's cookie format")
    for number, line in lines:
        try:
            _parse_line(line)
        except ValueError:
            raise UserError(f"{path}: line {number} is not a cookie in Netscape's format") from None
    return tuple(line for _, line in lines)


def parse_cookies(lines: Iterable[str]) -> Iterator[UserCookie]:
    """The cookies of lines that were checked."""
    return map(_parse_line, lines)


def _is_cookie(line: str) -> bool:
    return bool(line.strip()) and (not line.startswith("#") or line.startswith(_HTTP_ONLY))


def _parse_line(line: str) -> UserCookie:
    fields = line.removeprefix(_HTTP_ONLY).rstrip("\r\n").split("\t")
    if len(fields) != _FIELDS:
        raise ValueError
    domain, subdomains, path, secure, ends, name, value = fields
    host = domain.lstrip(".").lower()
    if not host or "/" in host or not name or any(c in ";,\r\n\x00" for c in name + path):
        raise ValueError
    # A cookie for `co.uk` would go to everyone there, and control characters could add headers.
    if is_public_suffix(host) or any(ord(c) < 32 or c == ";" for c in value):
        raise ValueError
    parts = [f"{name}={value}", f"Path={path if path.startswith('/') else '/'}"]
    if subdomains.upper() == "TRUE":
        parts.append(f"Domain={host}")
    if secure.upper() == "TRUE":
        parts.append("Secure")
    if int(float(ends or 0)) > 0:
        # Browsers write years beyond 9999 for cookies that never end; 4e9 is the year 2096.
        until = datetime.fromtimestamp(min(float(ends), 4e9), UTC)
        parts.append(f"Expires={until:%a, %d %b %Y %H:%M:%S} GMT")
    scheme = "https" if secure.upper() == "TRUE" else "http"
    return UserCookie(f"{scheme}://{host}/", "; ".join(parts))
