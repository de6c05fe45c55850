"""The index of a WARC file as replay tools read it (CDXJ): sorted lines of a key and JSON."""

import hashlib
import json
import re
import sqlite3
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Self
from urllib.parse import quote_from_bytes, unquote_to_bytes

from datahound.archive.export.warc import Indexed

# Replay tools load one block per look-up, so that a block should be neither long nor tiny.
_BLOCK_LINES = 1024
_DEFAULT_PORTS = {"http": "80", "https": "443"}
_PLAIN = "".join(chr(code) for code in range(33, 127) if chr(code) not in "#%")
_WWW = re.compile(r"www\d*\.")
_SLASHES = re.compile(r"/{2,}")
# What servers put into queries to tell visitors apart; archives look pages up without it.
_SESSIONS = re.compile(
    r"(?:jsessionid|phpsessid|sid)=[0-9a-z]{32}(?:&|\Z)|aspsessionid[a-z]{8}=[a-z]{24}(?:&|\Z)"
    r"|cfid=[^&]+&cftoken=[^&]+(?:&|\Z)",
    re.IGNORECASE,
)
# Escapes may be nested; a hostile URL must not keep the loop busy.
_MAX_UNQUOTED = 10


def surt(url: str) -> str:
    """The key that archives file a URL under: its host backwards, then its path, in small letters.

    >>> surt("https://www.Example.org:443/A/b/?z=1&a=2#top")
    'org,example)/a/b?a=2&z=1'
    """
    scheme, separator, rest = url.partition("#")[0].partition("://")
    if not separator:
        return _escaped_once(url).lower()
    place, _, query = rest.partition("?")
    authority, _, path = place.partition("/")
    host, port = _host_and_port(authority, scheme.lower())
    path = _SLASHES.sub("/", "/" + _escaped_once(path)).lower()
    path = path.removesuffix("/") if len(path) > 1 else path
    query = _SESSIONS.sub("", _escaped_once(query)).lower()
    # Parameters are sorted, so that their order does not matter for a look-up.
    query = "&".join("=".join(pair) for pair in sorted(a.split("=", 1) for a in query.split("&")))
    backwards = ",".join(reversed(_escaped_once(_WWW.sub("", host, count=1)).split(".")))
    return f"{backwards}{port}){path}{'?' if query else ''}{query}"


class IndexDraft:
    """Collects the rows of an index, then gives them sorted, in little memory."""

    def __init__(self, file_name: str) -> None:
        self._file_name = file_name
        self.rows = 0
        # A database without a name lives in a temporary file, and only as long as we do.
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute("CREATE TABLE line (text TEXT)")
        self._database.execute("BEGIN")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._database.close()

    def add(self, row: Indexed) -> None:
        self._database.execute("INSERT INTO line VALUES (?)", (self._line(row),))
        self.rows += 1

    def write_blocks(self, to: BinaryIO, name: str) -> Iterator[str]:
        """Write the sorted lines as gzip members; the lines of the index of those."""
        yield f"!meta 0 {json.dumps({'format': 'cdxj-gzip-1.0', 'filename': name})}\n"
        offset = 0
        lines = self._database.execute("SELECT text FROM line ORDER BY text")
        while block := [text for (text,) in lines.fetchmany(_BLOCK_LINES)]:
            data = zlib.compress("".join(block).encode(), wbits=31)
            to.write(data)
            digest = "sha256:" + hashlib.sha256(data).hexdigest()
            place = {"offset": offset, "length": len(data), "digest": digest}
            yield f"{' '.join(block[0].split(' ', 2)[:2])} {json.dumps(place)}\n"
            offset += len(data)

    def _line(self, row: Indexed) -> str:
        stamp = "".join(filter(str.isdigit, row.date))[:14]
        fields = {
            "url": row.url,
            "mime": row.mime or "unk",
            "status": str(row.status),
            "digest": row.digest,
            "length": str(row.place.length),
            "offset": str(row.place.offset),
            "filename": self._file_name,
        }
        return f"{surt(row.url)} {stamp} {json.dumps(fields)}\n"


def _host_and_port(authority: str, scheme: str) -> tuple[str, str]:
    host = authority.rpartition("@")[2].lower()
    found = re.fullmatch(r"(.*?)(?::(\d*))?", host, re.DOTALL)
    if host.startswith("[") or found is None:
        return host, ""
    port = found[2] or ""
    return found[1].strip("."), f":{port}" if port not in ("", _DEFAULT_PORTS.get(scheme)) else ""


def _escaped_once(text: str) -> str:
    data = text.encode("utf-8", "replace")
    for _ in range(_MAX_UNQUOTED):
        plain = unquote_to_bytes(data)
        if plain == data:
            break
        data = plain
    return quote_from_bytes(data, safe=_PLAIN)
