"""A long crawl of a faulty site: what grows, and what leaks.

    .venv/bin/python benchmarks/soak.py [pages] > benchmarks/results/soak.csv

The built-in site is crawled over HTTP with the default strategy and every file kept. Of its links
some lead nowhere or are redirected, and its server drops connections: once, always, or in the
middle of a page. Every row but the last is a moment of the crawl; memory may grow with the known
URLs, and with nothing else. The last row is another process that takes up the same crawl from its
folder: it has no past, so its memory is what the state costs.
"""

import asyncio
import contextlib
import csv
import subprocess
import sys
import tempfile
import threading
import zlib
from collections import Counter
from contextlib import closing
from dataclasses import astuple, dataclass, replace
from pathlib import Path

from aiohttp import web

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from watchdog import LoopWatch

from datahound.archive import open_archive
from datahound.archive.server import ArchiveServer
from datahound.events import Fetched, Visited, VisitOutcome
from datahound.runs.options import make_options
from datahound.runs.run import Run
from datahound.settings import Settings, WebSettings
from datahound.store.writer import Store

PAGES = 200_000
ROWS = 40
FAULTS = {"drop once": 15, "drop always": 3, "cut once": 10, "cut always": 2}
"""How many URLs of a thousand do so."""


@dataclass(frozen=True)
class Moment:
    """How the crawl stands."""

    when: str
    requests: int
    pages: int
    targets: int
    files: int
    failures: int
    known: int
    waiting: int
    rss_mb: float
    sockets: int
    tasks: int
    threads: int
    longest_block_ms: float = 0.0
    """Of the event loop, in CPU time."""


def spec(pages):
    targets = pages // 50
    small = "size_mb=0.012&size_std_mb=0.001&max_body=12000&bodies=on"
    odd = "dead_links=0.1&redirects=0.1&linking=0.02"
    return f"synthetic:?pages={pages}&targets={targets}&{odd}&{small}"


def soak(pages, folder, note):
    """Crawl a faulty site to its end, and note how it stood before, during and after."""
    with faulty_site(pages) as address:
        asyncio.run(_soak(pages, folder, address, note))


async def _soak(pages, folder, address, note):
    note(_moment("before", None, Counter()))
    counts = Counter()

    def watch(run, events):
        for event in events:
            counts["pages"] += isinstance(event, Visited) and event.outcome is VisitOutcome.READ
            counts["failures"] += isinstance(event, Fetched) and event.status is None
        if run.crawl.tally.requests >= (counts["rows"] + 1) * pages / ROWS:
            counts["rows"] += 1
            note(_moment("during", run, counts))

    run = Run(options(pages, folder, address), watch=watch)
    with LoopWatch() as loop_watch:
        ended = await run.go()
    assert run.crawl.stopped, ended
    await asyncio.sleep(0.1)
    note(_moment("after", run, counts, loop_watch))


def options(pages, folder, address):
    # Retries wait for a second or two as a rule, which would be most of the time here.
    base = Settings(web=replace(WebSettings(), retry_seconds=0.001))
    base = replace(base, downloads=replace(base.downloads, retry_seconds=0.001))
    given = {"output": folder, "delay": 0, "connect-to": address, "early-stop": False}
    return make_options(open_archive(spec(pages)).seed, given, base)


def _moment(when, run, counts, watch=None):
    sockets = sum(_is_socket(fd) for fd in Path("/proc/self/fd").iterdir())
    idle = (rss_mb(), sockets, len(asyncio.all_tasks()), threading.active_count())
    if run is None:
        return Moment(when, *[0] * 7, *idle)
    tally, known = run.crawl.tally, len(run.crawl.known)
    brought = (tally.requests, counts["pages"], tally.targets, run.progress.files)
    block = round(1000 * watch.longest, 1) if watch else 0.0
    return Moment(when, *brought, counts["failures"], known, run.progress.waiting, *idle, block)


def _is_socket(fd):
    with contextlib.suppress(OSError):
        return str(fd.readlink()).startswith("socket:")
    return False


def rss_mb():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return round(pages * 4096 / 1e6, 1)


def resumed(pages, folder):
    """What the state costs: the memory that taking it up adds to an empty process."""
    run = Run(options(pages, folder, "127.0.0.1:1"))
    with closing(Store(run.folder.database)) as store:
        empty = rss_mb()
        store.restore(run.crawl)
        run.progress.recall(store)
    known, waiting = len(run.crawl.known), run.progress.waiting
    tally = run.crawl.tally
    grown = round(rss_mb() - empty, 1)
    return Moment("state", tally.requests, 0, tally.targets, 0, 0, known, waiting, grown, 0, 0, 0)


@contextlib.contextmanager
def faulty_site(pages):
    """The address of a faulty server in a process of its own."""
    command = [sys.executable, str(Path(__file__)), "serve", str(pages)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield server.stdout.readline().strip()
        finally:
            server.kill()


async def serve(pages):
    site, asked = ArchiveServer(open_archive(spec(pages))), Counter()

    async def handle(request):
        fault = _fault(request.raw_path)
        asked[request.raw_path] += bool(fault)
        if not fault or (fault.endswith("once") and asked[request.raw_path] > 1):
            return await site.handle(request)
        if fault.startswith("cut"):
            response = web.StreamResponse(headers={"Content-Type": "text/html"})
            response.content_length = 5000
            await response.prepare(request)
            await response.write(b"<html><body><p>The beginning of a page")
        request.transport.abort()
        return web.Response(status=502)

    runner = web.ServerRunner(web.Server(handle, access_log=None), handle_signals=False)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(f"127.0.0.1:{runner.addresses[0][1]}", flush=True)
    await asyncio.Event().wait()


def _fault(path):
    """What the server does to a URL, if anything; the start page is spared."""
    place = zlib.crc32(path.encode()) % 1000
    for fault, share in FAULTS.items():
        if 0 <= place < share and path not in ("/", "/robots.txt"):
            return fault
        place -= share
    return ""


def main(pages):
    table = csv.writer(sys.stdout)
    table.writerow(Moment.__dataclass_fields__)

    def note(moment):
        table.writerow(astuple(moment))
        sys.stdout.flush()

    with tempfile.TemporaryDirectory() as folder:
        soak(pages, folder, note)
        command = [sys.executable, str(Path(__file__)), "resume", str(pages), folder]
        print(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["serve", pages]:
            asyncio.run(serve(int(pages)))
        case ["resume", pages, folder]:
            csv.writer(sys.stdout).writerow(astuple(resumed(int(pages), folder)))
        case [*given]:
            main(int(given[0]) if given else PAGES)
