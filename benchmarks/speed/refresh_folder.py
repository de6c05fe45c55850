"""How soon `datahound refresh` makes its first request on a large folder, and what memory it takes.

    python benchmarks/speed/refresh_folder.py --pages 1000000

Crawls a small site on loopback, grows its folder to the size by the program's own writers (rows,
known URLs, files, checkpoint, and `--records` answers in the journal), and runs the command on it
twice, with nothing new and `--budget 20`: the second round restores what the first has learned.
Prints a row per round; benchmarks/results/refresh_folder.csv keeps them. Seconds are of the
processor, up to the first request that the server gets; wall time and load stand beside them.
"""

import argparse
import csv
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from datahound.archive import record_warc
from datahound.model import Fetch, Response
from datahound.runs.options import options_of
from datahound.runs.resume import build_crawl
from datahound.store.folder import Folder
from datahound.store.writer import Store

COLUMNS = (
    "pages",
    "records",
    "round",
    "first_request_cpu_s",
    "first_request_s",
    "memory_mb",
    "load",
)
_SMALL = 500
_VISIT = """INSERT INTO visit (number, at, url, title, depth, action, reward, new_links, outcome,
    file_links) VALUES (?1, ?2, ?3, 'A page', 3, 0, 0, 0, 'read', ?4)"""
_REQUEST = """INSERT INTO request (number, at, url, purpose, status, kind, expected, size, failure,
    mime_type) VALUES (?1, ?2, ?3, 'visit', 200, 'page', 'page', 90, '', 'text/html')"""
_LINK = """INSERT INTO link (number, url, tag_path, anchor, surrounding, found_on, depth, expected,
    action) VALUES (?1, ?2, 1, 'A page', '', 1, 3, 'page', 0)"""
_TARGET = """INSERT INTO target (number, at, url, anchor, found_on, depth, mime_type, size)
    VALUES (?1, ?2, ?3, 'A table', 1, 4, 'text/csv', 10)"""
_FILE = """INSERT INTO file (url, state, path, size, sha256, mime_type, last_modified, note, at,
    etag) SELECT ?1, 'complete', path, size, sha256, mime_type, '', '', at, etag
    FROM file WHERE rowid = 1"""


class _Handler(BaseHTTPRequestHandler):
    """A start page with links to pages, of which every tenth has a file."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.server.asked.append(time.time())  # type: ignore[attr-defined]
        status, kind, body = 200, "text/html", b"<html><ul>"
        if self.path.endswith(".csv"):
            kind, body = "text/csv", b"a,b\n1,2\n"
        elif self.path == "/":
            body += b"".join(b'<li><a href="%b">p</a>' % _name(n).encode() for n in range(_SMALL))
        elif self.path.endswith("0.html"):
            body += b'<li><a href="%b">t</a>' % _name_file(int(self.path[6:-5])).encode()
        elif "/page-" not in self.path:
            status = 404
        if self.headers.get("If-None-Match"):
            status, body = 304, b""
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("ETag", '"1"'), ("Content-Length", len(body))):
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


def _name(number: int) -> str:
    return f"/page-{number}.html"


def _name_file(number: int) -> str:
    return f"/data/{number % 503}/file-{number}.csv"


def grow(folder: Path, pages: int, records: int) -> None:
    """Add pages to the folder of a crawl that has ended, as if it had read them."""
    options = options_of(folder, {})
    crawl, place = build_crawl(options), Folder(folder)
    numbers, seed = range(_SMALL, pages), options.url.rstrip("/")
    with closing(Store(place.database)) as store:
        store.restore(crawl)
        first, at = store.connection.execute("SELECT max(number), max(at) FROM request").fetchone()
        with store.transaction():
            run = store.connection.executemany
            run(_VISIT, ((first + n, at, seed + _name(n), n % 10 == 0) for n in numbers))
            run(_REQUEST, ((first + n, at, seed + _name(n)) for n in numbers))
            run(_LINK, ((10 * _SMALL + n, seed + _name(n)) for n in numbers))
            files = [seed + _name_file(n) for n in numbers if n % 10 == 0]
            run(_TARGET, ((first + pages, at, url) for url in files))
            run(_FILE, ((url,) for url in files))
        crawl._fetches.known |= dict.fromkeys(seed + _name(n) for n in numbers)  # noqa: SLF001
        crawl._fetches.known |= dict.fromkeys(files)  # noqa: SLF001
        with closing(record_warc(place.make_journal(options.url), options.url)) as archive:
            for n in numbers[:records]:
                url = seed + _name(n)
                archive.put(
                    Fetch(url), Response(url, 200, {"content-type": "text/html"}, b"<html>")
                )
            store.checkpoint(crawl, archive.recorded)


def _read_process(number: int) -> tuple[float, int]:
    """The seconds of the processor that a process has used, and its most memory in MB."""
    fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    lines = Path(f"/proc/{number}/status").read_text().splitlines()
    memory = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    return (int(fields[11]) + int(fields[12])) / 100, memory // 1024


def _watch(
    command: subprocess.Popen[bytes], asked: list[float]
) -> Iterator[tuple[bool, float, int]]:
    while command.poll() is None:
        try:
            yield bool(asked), *_read_process(command.pid)
        except (OSError, StopIteration):
            return
        time.sleep(0.1)


def measure(pages: int, records: int) -> Iterator[dict[str, float]]:
    """Make the folder, and refresh it twice."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.asked = []  # type: ignore[attr-defined]
    asked: list[float] = server.asked  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as root:
        folder, run = Path(root) / "site", [sys.executable, "-m", "datahound"]
        url = f"http://127.0.0.1:{server.server_port}/"
        quiet = ["--delay", "0", "--no-catalog", "--plain"]
        crawl = [*run, "crawl", url, "--output", str(folder), "--no-early-stop", *quiet]
        subprocess.run(crawl, check=True, stdout=subprocess.DEVNULL)
        grow(folder, pages, records)
        refresh = [*run, "refresh", str(folder), "--budget", "20", *quiet]
        for number in (1, 2):
            asked.clear()
            yield {"pages": pages, "records": records, "round": number, **_refresh(refresh, asked)}
    server.shutdown()


def _refresh(command: list[str], asked: list[float]) -> dict[str, float]:
    begun = time.time()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        seen = list(_watch(process, asked))
    until = next((cpu for was_asked, cpu, _ in seen if was_asked), seen[-1][1])
    load = Path("/proc/loadavg").read_text().split()[0]
    values = [until, asked[0] - begun, max(mb for *_, mb in seen), float(load)]
    return dict(zip(COLUMNS[3:], (round(value, 1) for value in values), strict=True))


def main() -> None:
    """Write a row per number of pages."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--records", type=int, default=100_000)
    arguments = parser.parse_args()
    writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for pages in arguments.pages:
        for row in measure(pages, arguments.records):
            writer.writerow(row)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
