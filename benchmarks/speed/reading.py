"""Pages per second when pages are read in worker processes, beside reading them on the event loop.

    python benchmarks/speed/reading.py [--pages 1500] [--out benchmarks/results/reading.csv]

A process serves pages of about 12 KB over loopback HTTP; both ways crawl it in turns. Three or more
processes share the processors, so pages per second depend on how many of those are free. Processor
time per page, in the crawler, in its workers and in the server, is the sum that they have to do.
"""

import argparse
import asyncio
import csv
import multiprocessing
import resource
import sys
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from datahound.archive import MemoryArchive
from datahound.crawl.crawl import Crawl
from datahound.engines.live import live
from datahound.engines.reading_pool import ReadingPool
from datahound.http.client import Web
from datahound.settings import WebSettings
from datahound.strategies import make_strategy

SEED = "http://www.site.example/p0"
LINKS = 100
ROUNDS = 3
WATCH_SECONDS = 0.005


def make_page(number: int, pages: int) -> bytes:
    """A page of about 12 KB that links to others."""
    numbers = [(number * 7 + step * 13 + 1) % pages for step in range(LINKS - 1)]
    rows = "".join(
        f'<li class="item"><a href="/p{n}" title="Page {n}">Table {n} of the yearbook</a> '
        f"<span>updated lately, in a text of some length</span></li>\n"
        for n in (*numbers, (number + 1) % pages)
    )
    return f"<!doctype html><title>{number}</title><body><ul>{rows}</ul>".encode()


def serve(pages: int, tell: Connection) -> None:
    """Serve until the process is ended."""
    bodies = [make_page(number, pages) for number in range(pages)]

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            while (await reader.readline()).strip():
                pass
            body = bodies[int(line.split()[1][2:])]
            head = (
                f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            writer.write(head.encode() + body)
            await writer.drain()

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        tell.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


@dataclass(frozen=True, slots=True)
class Round:
    """What one crawl took, in milliseconds; processor time is per page."""

    pages_per_second: float
    longest_block: float
    crawler: float
    workers: float
    server: float

    @property
    def total(self) -> float:
        """Processor time per page without that of the website."""
        return self.crawler + self.workers


def spent_ms(server: int) -> list[float]:
    """The processor time of this process, of its workers and of the server, until now."""
    children = [
        int(child)
        for listing in Path("/proc/self/task").glob("*/children")
        for child in listing.read_text().split()
    ]
    # The clock of another process, as clock_getcpuclockid makes it.
    clocks = {child: time.clock_gettime((~child << 3) | 2) for child in children}
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    workers = ended.ru_utime + ended.ru_stime + sum(clocks.values()) - clocks[server]
    return [seconds * 1000 for seconds in (time.process_time(), workers, clocks[server])]


async def watch(gaps: list[float]) -> None:
    """Note for how long the event loop was busy."""
    while True:
        begun = time.perf_counter()
        await asyncio.sleep(WATCH_SECONDS)
        gaps.append((time.perf_counter() - begun - WATCH_SECONDS) * 1000)


async def crawl(
    address: str, server: int, pages: int, concurrency: int, pool: ReadingPool | None
) -> Round:
    """Crawl all pages."""
    settings = WebSettings(
        delay_seconds=0, concurrency=concurrency, ignore_robots=True, connect_to=address
    )
    crawl = Crawl(SEED, make_strategy("bfs"), in_flight=concurrency, per_host=concurrency)
    gaps: list[float] = []
    async with Web(SEED, settings, reader=pool) as web:
        watching = asyncio.create_task(watch(gaps))
        before, begun = spent_ms(server), time.perf_counter()
        await live(crawl, MemoryArchive(SEED), web, lambda _: None)
        seconds, after = time.perf_counter() - begun, spent_ms(server)
        watching.cancel()
    assert crawl.tally.requests == pages, crawl.tally
    spent = [(late - early) / pages for early, late in zip(before, after, strict=True)]
    return Round(pages / seconds, max(gaps), *spent)


async def compare(address: str, server: int, pages: int, concurrency: int) -> dict[str, float]:
    """The best of some rounds for each way, in turns, by the processor time that both have."""
    found: dict[str, list[Round]] = {"inline": [], "workers": []}
    async with ReadingPool() as pool:
        # The first crawl starts the workers, and does not count.
        await crawl(address, server, pages, concurrency, pool)
        for _ in range(ROUNDS):
            found["inline"].append(await crawl(address, server, pages, concurrency, None))
            found["workers"].append(await crawl(address, server, pages, concurrency, pool))
    row: dict[str, float] = {"concurrency": concurrency}
    best = {}
    for name, rounds in found.items():
        row[f"{name}_pages_per_second"] = round(max(one.pages_per_second for one in rounds))
        row[f"{name}_longest_block_ms"] = round(min(one.longest_block for one in rounds), 1)
        best[name] = min(rounds, key=lambda one: one.total)
        row[f"{name}_crawler_cpu_ms"] = round(best[name].crawler, 2)
        row[f"{name}_workers_cpu_ms"] = round(best[name].workers, 2)
        row[f"{name}_server_cpu_ms"] = round(best[name].server, 2)
    speeds = [row[f"{name}_pages_per_second"] for name in ("workers", "inline")]
    row["ratio"] = round(speeds[0] / speeds[1], 2)
    row["crawler_cpu_ratio"] = round(best["workers"].crawler / best["inline"].crawler, 2)
    row["total_cpu_ratio"] = round(best["workers"].total / best["inline"].total, 2)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--out", default="")
    arguments = parser.parse_args()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(arguments.pages, there), daemon=True)
    server.start()
    assert server.pid
    address = f"127.0.0.1:{here.recv()}"
    rows = [asyncio.run(compare(address, server.pid, arguments.pages, number)) for number in (1, 8)]
    server.terminate()
    with Path(arguments.out).open("w", newline="") if arguments.out else sys.stdout as out:
        writer = csv.DictWriter(out, rows[0])
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
