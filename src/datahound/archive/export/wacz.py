"""The crawl as a WACZ file (1.1.1): the recording, its index and its pages in one ZIP file."""

import hashlib
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import RawIOBase
from typing import IO, BinaryIO, cast

from datahound.archive.export.cdxj import IndexDraft
from datahound.archive.export.source import CrawlSource, ExportTask, VisitedPage, Written
from datahound.archive.export.warc import write_warc
from datahound.text import escape_iri, show_text
from datahound.web.urls import host_of

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
