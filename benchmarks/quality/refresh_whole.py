"""Does a refresh without a limit end with the files of a fresh crawl at that date?

    python benchmarks/quality/refresh_whole.py SITE.lapse.warc.gz... > refresh_whole.csv

Serves every round of a recording over time on this machine, crawls the first one with `datahound
crawl`, and goes through the others with `datahound refresh`, all in one folder. Beside it, hound
crawls each round afresh, by replay. The bodies of files were not recorded: each file is served with
its validator as its body, so that another version is other bytes.

A row per round has the files of the fresh crawl, and how many of them the folder has with the same
bytes, has with others (`stale`), or lacks (`missing`). What else the folder has is served but
linked from nowhere (`unlinked`), or was missing once (`missed_once`): gone after another day.
"""

import argparse
import csv
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from datetime import UTC, datetime
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path

from datahound.cli import run
from datahound.crawl.crawl import Crawl
from datahound.events import TargetFound
from datahound.lab.refresh.site import LapseSite
from datahound.model import Fetch, Kind, Response
from datahound.settings import Settings
from datahound.store.writer import Store
from datahound.strategies import make_strategy
from datahound.web.targets import kind_of

COLUMNS = (
    "site", "round", "date", "requests", "unchanged", "fresh", "same", "stale", "missing",
    "unlinked", "missed_once",
)  # fmt: skip


class Served:
    """The website as of a round; `asked` counts the answers by status."""

    def __init__(self, site: LapseSite) -> None:
        self.site = site
        self.number = 0
        self.asked: list[int] = []
        self.origin = site.seed.partition("://")[0]

    def answer(self, url: str, condition: str | None) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of a URL."""
        found = self.site.lapse.find(url, self.number)
        answer = found.answer if found else None
        if not isinstance(answer, Response):
            return 404, {"content-type": "text/html"}, b"<p>not here"
        names = ("content-type", "etag", "last-modified", "location")
        headers = {name: answer.headers[name] for name in names if name in answer.headers}
        if condition is not None and condition == headers.get("etag"):
            return 304, headers, b""
        body = make_body(answer) if kind_of(answer) is Kind.TARGET else answer.body
        return answer.status, headers, body


def make_body(answer: Response) -> bytes:
    """The bytes of a file, which are others for each of its versions."""
    return f"{drop_scheme(answer.url)} {answer.headers.get('etag', '')}".encode()


def drop_scheme(url: str) -> str:
    """A URL without its scheme, which a server on this machine is not told."""
    return url.partition("://")[2]


@contextmanager
def serving(served: Served) -> Iterator[str]:
    """Serve the website; gives `host:port`."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            url = f"{served.origin}://{self.headers['Host']}{self.path}"
            status, headers, body = served.answer(url, self.headers.get("If-None-Match"))
            served.asked.append(status)
            self.send_response_only(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def crawl_afresh(site: LapseSite, number: int) -> dict[str, str]:
    """The files that hound finds in a round, each with the hash of its bytes."""
    strategy = make_strategy("hound", Settings().strategy, seed=0)
    crawl = Crawl(site.seed, strategy, watch=(TargetFound,))
    found = {}
    while (fetch := crawl.next_fetch()) is not None:
        crawl.answer(fetch, site.get(fetch, number))
        for event in crawl.take_events():
            if isinstance(event, TargetFound):
                answer = site.get(Fetch(event.link.url), number)
                found[drop_scheme(event.link.url)] = sha256(make_body(answer)).hexdigest()
    return found


def read_folder(folder: Path) -> dict[str, str]:
    """The files that are not gone, with their hashes."""
    with (folder / "datasets.csv").open(encoding="utf-8-sig") as file:
        rows = csv.DictReader(file)
        return {drop_scheme(row["url"]): row["sha256"] for row in rows if not row["gone"]}


def compare(served: Served, folder: Path) -> dict[str, object]:
    """A row on the round that has just ended."""
    site, number = served.site, served.number
    fresh, kept = crawl_afresh(site, number), read_folder(folder)
    more = kept.keys() - fresh.keys()
    origin = served.origin
    answers = {url: site.get(Fetch(f"{origin}://{url}"), number) for url in more}
    there = [url for url, answer in answers.items() if kind_of(answer) is Kind.TARGET]
    date = datetime.fromtimestamp(site.dates[number], UTC).strftime("%Y-%m-%d")
    same = sum(kept.get(url) == digest for url, digest in fresh.items())
    missing = len(fresh.keys() - kept.keys())
    counts = (len(served.asked), served.asked.count(304), len(fresh), same)
    rest = (len(fresh) - same - missing, missing, len(there), len(more) - len(there))
    return dict(zip(COLUMNS, (site.name, number, date, *counts, *rest), strict=True))


def measure(path: Path, rounds: int | None) -> Iterator[dict[str, object]]:
    """Go through the rounds of a recording."""
    served = Served(LapseSite(path))
    with tempfile.TemporaryDirectory() as place, serving(served) as address:
        folder = Path(place) / "site"
        manner = ["--delay", "0", "--concurrency", "4", "--ignore-robots", "--no-catalog"]
        manner += ["--connect-to", address]
        for number, date in enumerate(served.site.dates[:rounds]):
            served.number, began = number, time.monotonic()
            served.asked.clear()
            # The rounds are as many days apart as those of the recording.
            Store.__init__.__defaults__ = (lambda d=date, b=began: d + time.monotonic() - b,)
            command = ["refresh", str(folder)]
            if not number:
                command = ["crawl", served.site.seed, "--output", str(folder), "--plain"]
            with redirect_stdout(StringIO()) as said:
                status = run([*command, *manner])
            if status not in (0, 3):
                raise SystemExit(f"{path}: round {number}: status {status}: {said.getvalue()}")
            yield compare(served, folder)


def main() -> None:
    """Write a row per round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lapses", type=Path, nargs="+")
    parser.add_argument("--rounds", type=int, help="the first ones only")
    writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    writer.writeheader()
    given = parser.parse_args()
    for path in given.lapses:
        for row in measure(path, given.rounds):
            writer.writerow(row)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
