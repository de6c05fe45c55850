"""Pages per second when pages are read in worker processes, beside reading them on the event loop.

    python benchmarks/speed/reading.py [--pages 1500] [--out benchmarks/results/reading.csv]

A process serves pages of about 12 KB over loopback HTTP; both ways crawl it in turns.
"""

import argparse
import asyncio
import csv
import multiprocessing
import sys
import time
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


async def crawl(port: int, pages: int, concurrency: int, pool: ReadingPool | None) -> list[float]:
    """Crawl all pages: pages per second, and the longest time that the event loop was busy."""
    settings = WebSettings(
        delay_seconds=0,
        concurrency=concurrency,
        ignore_robots=True,
        connect_to=f"127.0.0.1:{port}",
    )
    crawl = Crawl(SEED, make_strategy("bfs"), in_flight=concurrency, per_host=concurrency)
    longest = 0.0

    async def watch() -> None:
        nonlocal longest
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(WATCH_SECONDS)
            longest = max(longest, time.perf_counter() - begun - WATCH_SECONDS)

    async with Web(SEED, settings, reader=pool) as web:
        watching = asyncio.create_task(watch())
        begun = time.perf_counter()
        await live(crawl, MemoryArchive(SEED), web, lambda _: None)
        seconds = time.perf_counter() - begun
        watching.cancel()
    assert crawl.tally.requests == pages, crawl.tally
    return [pages / seconds, longest * 1000]


async def compare(port: int, pages: int, concurrency: int) -> dict[str, float]:
    """The best of some rounds for each way, in turns."""
    found: dict[str, list[list[float]]] = {"inline": [], "workers": []}
    async with ReadingPool() as pool:
        for _ in range(ROUNDS):
            found["inline"].append(await crawl(port, pages, concurrency, None))
            found["workers"].append(await crawl(port, pages, concurrency, pool))
    inline, workers = (max(found[name]) for name in ("inline", "workers"))
    return {
        "concurrency": concurrency,
        "inline_pages_per_second": round(inline[0]),
        "workers_pages_per_second": round(workers[0]),
        "ratio": round(workers[0] / inline[0], 2),
        "inline_longest_block_ms": round(inline[1], 1),
        "workers_longest_block_ms": round(workers[1], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--out", default="")
    arguments = parser.parse_args()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(arguments.pages, there), daemon=True)
    server.start()
    port = here.recv()
    rows = [asyncio.run(compare(port, arguments.pages, number)) for number in (1, 8)]
    server.terminate()
    with Path(arguments.out).open("w", newline="") if arguments.out else sys.stdout as out:
        writer = csv.DictWriter(out, rows[0])
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
