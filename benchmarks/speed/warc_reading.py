"""Finding WARC records and writing CDXJ: our code against fastwarc, surt and cdxj-indexer.

    python benchmarks/speed/warc_reading.py SITE.warc.gz > benchmarks/results/warc_reading.csv

`expected` is the number of complete records, `found` what a tool gives, or -1 where it ends with an
error. Seconds are the best of three runs, one after the other. A journal must survive a kill at any
byte: every complete record has to be found, and a torn one must not.
"""

import argparse
import contextlib
import csv
import io
import sys
import tempfile
import time
import warnings
import zlib
from dataclasses import dataclass
from pathlib import Path

import surt as reference
from cdxj_indexer.main import CDXJIndexer

from datahound.archive import open_warc, record_warc
from datahound.archive.export.wacz import IndexDraft, surt
from datahound.archive.export.warc import Indexed, Place
from datahound.archive.warc.scan import NotPerRecordError, open_file, scan
from datahound.model import Fetch, Response

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.warc import ArchiveIterator

RECORDS = 1000
SEED = "https://www.site.example/"
ARC = (
    b"filedesc://x.arc 0.0.0.0 20260101000000 text/plain 9\n1 0 test\n\n"
    b"http://site.example/ 192.0.2.1 20260101000000 text/html 24\nHTTP/1.1 200 OK\r\n\r\nhello\n"
)


@dataclass(frozen=True)
class Case:
    name: str
    path: Path
    expected: int


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=Path, help="a recorded website")
    site = parser.parse_args().site
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(("task", "case", "tool", "expected", "found", "seconds"))
    with tempfile.TemporaryDirectory() as folder:
        for case in (measure_site(site), *make_cases(Path(folder))):
            for tool in (ours, fastwarc):
                table.writerow(
                    (
                        "find records",
                        case.name,
                        tool.__name__,
                        case.expected,
                        *best(tool, case.path),
                    )
                )
        with open_warc(site) as archive:
            urls = [fetch.url for fetch, _ in archive]
        for name, keys in (("ours", surt), ("surt", reference.surt)):
            found = best(lambda _, keys=keys: len([keys(url) for url in urls]), site)
            table.writerow(("make keys", site.name, name, len(urls), *found))
        for tool in (our_lines, cdxj_indexer):
            table.writerow(("write index", site.name, tool.__name__, "", *best(tool, site)))


def measure_site(site):
    return Case(site.name, site, ours(site))


def make_cases(folder):
    """A journal complete, torn and damaged; one gzip member for all; an ARC file."""
    journal = folder / "journal.warc.gz"
    with record_warc(journal, SEED) as archive:
        for number in range(RECORDS):
            body = b"<p>%d</p>" % number * 200
            url = f"{SEED}{number}"
            archive.put(
                Fetch(url), Response(url, 200, {"content-type": "text/html"}, body, len(body))
            )
    data = journal.read_bytes()
    offsets = [found.offset for found in found_in(journal)]
    middle = (offsets[500] + offsets[501]) // 2
    whole = len(offsets)
    for name, changed, expected in (
        ("journal", data, whole),
        ("journal, last record torn", data[:-40], whole - 1),
        ("journal, one record damaged", data[:middle] + b"\0" * 8 + data[middle + 8 :], whole - 1),
        ("one gzip member for all", zlib.compress(inflate(data), wbits=31), whole),
        ("ARC file", ARC, 2),
    ):
        path = folder / f"{len(name)}.warc.gz"
        path.write_bytes(changed)
        yield Case(name, path, expected)


def inflate(data):
    parts = []
    while data:
        member = zlib.decompressobj(wbits=31)
        parts.append(member.decompress(data))
        data = member.unused_data
    return b"".join(parts)


def found_in(path):
    with open_file(path) as fd:
        return list(scan(fd))


def ours(path):
    """As an archive opens it: a file that is one gzip member is decompressed first."""
    try:
        return len(found_in(path))
    except NotPerRecordError:
        with tempfile.NamedTemporaryFile() as plain:
            plain.write(inflate(path.read_bytes()))
            plain.flush()
            return len(found_in(Path(plain.name)))


def fastwarc(path):
    with path.open("rb") as file:
        return sum(
            1 for record in ArchiveIterator(file, parse_http=False) if record.reader.read() or 1
        )


def our_lines(path):
    """The index of a file whose records are known, as an export writes it."""
    with IndexDraft("data.warc.gz") as draft:
        for found in found_in(path):
            if found.head.type == "response":
                place = Place(found.offset, found.length)
                date = found.head.fields.get("warc-date", "")
                draft.add(Indexed(found.head.uri, date, "text/html", 200, "", place))
        list(draft.write_blocks(io.BytesIO(), "index.cdx.gz"))
        return draft.rows


def cdxj_indexer(path):
    lines = io.StringIO()
    with contextlib.redirect_stdout(lines):
        CDXJIndexer(lines, [str(path)], sort=True, records="response").process_all()
    return lines.getvalue().count("\n")


def best(tool, path):
    """What the tool found, and its best time of three."""
    times = []
    for _ in range(3):
        began = time.perf_counter()
        try:
            found = tool(path)
        except (OSError, EOFError) as error:
            print(f"{tool.__name__}, {path}: {error}", file=sys.stderr)
            return -1, ""
        times.append(time.perf_counter() - began)
    return found, f"{min(times):.3f}"


if __name__ == "__main__":
    main()
