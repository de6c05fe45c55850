"""WACZ: WARC files with an index of their records (CDXJ) and a list of pages, in one ZIP."""

import hashlib
import json
import re
import sqlite3
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import RawIOBase
from typing import IO, BinaryIO, Self, cast
from urllib.parse import quote_from_bytes, unquote_to_bytes

from datahound.archive.export.source import CrawlSource, ExportTask, VisitedPage, Written
from datahound.archive.export.warc import Indexed, write_warc
from datahound.model import split_query
from datahound.text import escape_iri, show_text
from datahound.web.urls import host_of

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
    """The key of a URL in web archives: its host backwards, then its path, in lower case.

    >>> surt("https://www.Example.org:443/A/b/?z=1&a=2#top")
    'org,example)/a/b?a=2&z=1'
    """
    address, query = split_query(url)
    if query:  # of what is posted to one URL, each query is a capture of its own
        return f"{surt(address)}#{query}".lower()
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
        # A database without a name is a temporary file, which is deleted when it is closed.
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
        """Write the sorted lines as gzip members; yields the lines of the index of the members."""
        yield f"!meta 0 {json.dumps({'format': 'cdxj-gzip-1.0', 'filename': name})}\n"
        offset = 0
        # SQLite sorts on disk: an index may be larger than the memory.
        lines = self._database.execute("SELECT text FROM line ORDER BY text")
        while block := [text for (text,) in lines.fetchmany(_BLOCK_LINES)]:
            # wbits=31: with a gzip header, so that each block can be unpacked alone.
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
            # As pywb writes it where no type is known.
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


_ARCHIVE, _INDEX, _INDEX_OF_INDEX = "data.warc.gz", "index.cdx.gz", "index.idx"
# The earliest time that ZIP can hold: the same crawl gives the same bytes.
_EPOCH = (1980, 1, 1, 0, 0, 0)


def write_wacz(task: ExportTask, file: zipfile.ZipFile) -> Written:
    """Write the recording, its index and its pages into a ZIP file."""
    package = _Package(file)
    with IndexDraft(_ARCHIVE) as index:
        with package.open_stored(f"archive/{_ARCHIVE}") as to:
            written = write_warc(task, to, _ARCHIVE, index.add)
        with package.open_stored(f"indexes/{_INDEX}") as to:
            lines = list(index.write_blocks(to, _INDEX))
    package.add(f"indexes/{_INDEX_OF_INDEX}", (line.encode() for line in lines))
    package.add("pages/pages.jsonl", _pages(task.crawled, written))
    described = _indented(_describe(task.crawled, package.resources))
    package.add("datapackage.json", [described], listed=False)
    digest = {"path": "datapackage.json", "hash": _hash(described)}
    package.add("datapackage-digest.json", [_indented(digest)], listed=False)
    return written


class _Package:
    """A ZIP file that lists what it holds."""

    def __init__(self, package: zipfile.ZipFile) -> None:
        self.resources: list[dict[str, object]] = []
        self._package = package

    @contextmanager
    def open_stored(self, path: str) -> Iterator[BinaryIO]:
        """A file to write without compression: replay tools read parts of it."""
        # ZIP64 from the start: the size is not known when the header is written.
        info = zipfile.ZipInfo(path, _EPOCH)
        with self._package.open(info, "w", force_zip64=True) as file:
            hashed = _Hashed(file)
            yield cast("BinaryIO", hashed)
        self._note(path, hashed)

    def add(self, path: str, parts: Iterable[bytes], *, listed: bool = True) -> None:
        """A small file, compressed."""
        info = zipfile.ZipInfo(path, _EPOCH)
        info.compress_type = zipfile.ZIP_DEFLATED
        with self._package.open(info, "w", force_zip64=True) as file:
            hashed = _Hashed(file)
            for part in parts:
                hashed.write(part)
        if listed:
            self._note(path, hashed)

    def _note(self, path: str, written: "_Hashed") -> None:
        name = path.rpartition("/")[2]
        hash_ = f"sha256:{written.digest.hexdigest()}"
        self.resources.append({"name": name, "path": path, "hash": hash_, "bytes": written.size})


class _Hashed(RawIOBase):
    """Counts and hashes what goes through it."""

    def __init__(self, to: IO[bytes]) -> None:
        self.digest = hashlib.sha256()
        self.size = 0
        self._to = to

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        self.digest.update(data)
        self.size += len(data)
        return self._to.write(data)


def _pages(crawled: CrawlSource, written: Written) -> Iterator[bytes]:
    written.counts["pages"] = 0
    yield _line({"format": "json-pages-1.0", "id": "pages", "title": "All pages"})
    for page in crawled.pages():
        written.counts["pages"] += 1
        yield _line(_page(page))


def _page(page: VisitedPage) -> dict[str, object]:
    id_ = hashlib.sha256(f"{page.at} {page.url}".encode("utf-8", "replace")).hexdigest()[:22]
    url = escape_iri(page.url)
    return {"id": id_, "url": url, "ts": page.at, "title": show_text(page.title) or url}


def _describe(crawled: CrawlSource, resources: list[dict[str, object]]) -> dict[str, object]:
    host = show_text(host_of(crawled.seed))
    return {
        "profile": "data-package",
        "wacz_version": "1.1.1",
        "title": host,
        "description": f"What was read and kept in a crawl of {host} for its data files.",
        "created": crawled.last_at or crawled.began_at,
        "modified": crawled.last_at or crawled.began_at,
        "software": crawled.software,
        "mainPageUrl": escape_iri(crawled.seed),
        "mainPageDate": crawled.began_at,
        "resources": resources,
    }


def _indented(described: Mapping[str, object]) -> bytes:
    return json.dumps(described, indent=2).encode() + b"\n"


def _line(value: dict[str, object]) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _hash(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"
