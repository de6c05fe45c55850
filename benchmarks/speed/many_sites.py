"""A hundred sites at one request a second each, in one process: how much of a core it takes.

    .venv/bin/python benchmarks/speed/many_sites.py [sites] [seconds] \
        > benchmarks/results/many_sites.csv

Every site is another one, by the default strategy into a folder of its own, files kept and a line
of display every few seconds, as `datahound crawl --sites FILE` does it. The server has its own
process. Every row is a stretch of time; the share is that of the whole process, threads included.
"""

import asyncio
import contextlib
import csv
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from aiohttp import web

from datahound.archive import open_archive
from datahound.archive.server import ArchiveServer
from datahound.display.display import Lines, on_display
from datahound.runs.options import make_options
from datahound.runs.outcome import go_all
from datahound.runs.run import Run

COLUMNS = (
    "from_s",
    "to_s",
    "sites",
    "requests",
    "requests_per_s",
    "targets",
    "share_of_a_core",
    "cpu_ms_per_request",
)
STRETCHES = 6


def host(number):
    return f"www.site{number}.example"


def spec(number):
    return (
        f"synthetic:demo?host={host(number)}&seed={number}&size_mb=0.05&size_std_mb=0.01&bodies=on"
    )


async def crawl_all(sites, seconds, address, folder, note):
    """Crawl them for so long, and note each stretch of time."""
    given = {"connect-to": address, "delay": 1, "max-time": seconds}
    runs = [
        Run(make_options(f"https://{host(n)}/", given | {"output": f"{folder}/{n}"}))
        for n in range(sites)
    ]
    noting = asyncio.create_task(note_stretches(runs, seconds / STRETCHES, note))
    with contextlib.redirect_stdout(sys.stderr):
        async with on_display(Lines(), runs):
            await go_all(runs, Run.go)
    noting.cancel()


async def note_stretches(runs, length, note):
    begun = time.perf_counter()
    before = (0.0, 0, time.process_time())
    while True:
        await asyncio.sleep(length)
        requests = sum(run.crawl.tally.requests for run in runs)
        now = (time.perf_counter() - begun, requests, time.process_time())
        took, made, used = (a - b for a, b in zip(now, before, strict=True))
        targets = sum(run.crawl.tally.targets for run in runs)
        shares = (round(used / took, 3), round(1000 * used / made, 2) if made else "")
        rate = round(made / took, 1)
        note([round(before[0]), round(now[0]), len(runs), made, rate, targets, *shares])
        before = now


@contextlib.contextmanager
def sites_process(sites):
    """The address where all of the sites are served."""
    command = [sys.executable, str(Path(__file__)), "serve", str(sites)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield server.stdout.readline().strip()
        finally:
            server.kill()


async def serve(sites):
    servers = {f"site{n}.example": ArchiveServer(open_archive(spec(n))) for n in range(sites)}

    async def handle(request):
        asked = ".".join(request.headers["Host"].split(".")[-2:])
        return await servers[asked].handle(request)

    runner = web.ServerRunner(web.Server(handle, access_log=None), handle_signals=False)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1000).start()
    print(f"127.0.0.1:{runner.addresses[0][1]}", flush=True)
    await asyncio.Event().wait()


def main(sites=100, seconds=90):
    table = csv.writer(sys.stdout)
    table.writerow(COLUMNS)

    def note(row):
        table.writerow(row)
        sys.__stdout__.flush()

    with tempfile.TemporaryDirectory() as folder, sites_process(sites) as address:
        asyncio.run(crawl_all(sites, seconds, address, folder, note))


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        asyncio.run(serve(int(sys.argv[2])))
    else:
        main(*map(int, sys.argv[1:]))
