"""Datahound and Scrapy on recorded sites that are served slowly: what latency costs each of them.

    .venv/bin/python benchmarks/speed/latency.py ../shared/sites

A server per site has a process of its own (`slow_site.py`); it delays every answer by the latency,
side by side, and counts requests and files, so that both crawlers are measured in the same way.
Datahound runs as `datahound crawl` with its default strategy; Scrapy has a spider that follows all
links breadth-first. Both get the same delay (not randomised) and concurrency, neither reads
robots.txt. A measurement ends when 90 % of the site's files were sent, when the crawler ends, or
when its time is up; `to_50` and `to_90` are empty where that came first. Times count from the first
request. `allowed_per_second` is min(1 / delay, concurrency / latency), empty without a bound.

Where the pace is slow enough for the machine to be idle, crawlers are measured side by side; the
others one after the other. Rows that the table has already are kept: delete it to begin again.
"""

import argparse
import asyncio
import csv
import json
import os
import signal
import sys
import tempfile
import time
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import scrapy
from scrapy.crawler import CrawlerProcess

HERE = Path(__file__).parent
SITES = ("uima", "seacoahuila", "innovazione", "dnsde", "trcimplan")
TOOLS = ("datahound", "scrapy")
KEY = ("site", "latency", "delay", "concurrency", "tool")
COLUMNS = (
    *KEY, "requests", "seconds", "requests_per_second", "allowed_per_second", "to_50", "to_90",
    "files", "all_files",
)  # fmt: skip
POLL_SECONDS = 0.1
START_SECONDS = 30.0
ENOUGH_REQUESTS = 240
BUSY_PER_SECOND = 20
"""Requests per second, of all crawlers together, up to which they do not disturb one another."""
DATAHOUND = "import sys; from datahound.cli import run; sys.exit(run(sys.argv[1:]))"


@dataclass(frozen=True)
class Point:
    """How slow a site is, and how it may be asked."""

    latency: float
    delay: float
    concurrency: int

    @property
    def allowed_per_second(self):
        bounds = [1 / self.delay] if self.delay else []
        bounds += [self.concurrency / self.latency] if self.latency else []
        return min(bounds, default=None)

    @property
    def at_once(self):
        """How many crawlers are measured side by side."""
        return max(1, min(10, int(BUSY_PER_SECOND // (self.allowed_per_second or BUSY_PER_SECOND))))

    def seconds(self, least):
        """A slow pace gets more time, up to four times as much."""
        needed = ENOUGH_REQUESTS / self.allowed_per_second if self.allowed_per_second else 0.0
        return min(4 * least, max(least, needed))


class Server:
    """The process that serves a site."""

    def __init__(self, process):
        self._process = process
        self._turn = asyncio.Lock()

    async def ask(self, *words):
        async with self._turn:
            self._process.stdin.write((" ".join(map(str, words)) + "\n").encode())
            return await self.answer()

    async def answer(self):
        return json.loads(await self._process.stdout.readline())


@asynccontextmanager
async def served(path):
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        str(HERE / "slow_site.py"),
        str(path),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        server = Server(process)
        await server.answer()
        yield server
    finally:
        process.kill()
        await process.wait()


def command_of(tool, url, point, folder):
    """How a crawler is started."""
    delay, concurrency = str(point.delay), str(point.concurrency)
    if tool == "scrapy":
        return [str(Path(__file__)), "follow", url, delay, concurrency]
    manners = ["--ignore-robots", "--no-early-stop", "--no-catalog", "--output", str(folder)]
    return ["-c", DATAHOUND, "crawl", url, "--delay", delay, "--concurrency", concurrency, *manners]


@asynccontextmanager
async def crawling(tool, url, point):
    """A crawler at work, and the file that it writes what it says to; ended at the end."""
    with tempfile.TemporaryDirectory() as name:
        folder, said = Path(name, "crawl"), Path(name, "said.txt")
        with said.open("wb") as output:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                *command_of(tool, url, point, folder),
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        try:
            yield process, said
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()


async def measure(server, site, point, tool, least_seconds):
    """One crawl, as one row; None if it found nothing."""
    url = (await server.ask("open", point.latency))["start"]
    limit = point.seconds(least_seconds)
    async with crawling(tool, url, point) as (process, said):
        latest = time.monotonic() + limit + START_SECONDS
        while True:
            await asyncio.sleep(POLL_SECONDS)
            count = await server.ask("read", url)
            ended = process.returncode is not None or time.monotonic() > latest
            if ended or count["to_90"] or count["seconds"] >= limit:
                break
        if not count["files"]:
            last = (said.read_text().strip() or "nothing").splitlines()[-1]
            print(f"{tool} found no file of {site}; it said: {last}", file=sys.stderr)
            return None
    await server.ask("close", url)
    made, allowed = count["requests"], point.allowed_per_second
    rate = (made - 1) / count["seconds"]
    return {
        "site": site, "latency": point.latency, "delay": point.delay,
        "concurrency": point.concurrency, "tool": tool, "requests": made,
        "seconds": rounded(count["seconds"]), "requests_per_second": rounded(rate),
        "allowed_per_second": rounded(allowed), "to_50": rounded(count["to_50"]),
        "to_90": rounded(count["to_90"]), "files": count["files"], "all_files": count["all_files"],
    }  # fmt: skip


def rounded(value):
    return "" if value is None else round(value, 2)


async def measure_all(options, table, known):
    """Every row that is missing, written as soon as it is there."""
    async with AsyncExitStack() as stack:
        paths = {site: options.folder / f"{site}.warc.gz" for site in options.sites}
        servers = {
            site: await stack.enter_async_context(served(path)) for site, path in paths.items()
        }

        async def write_row(places, site, point, tool):
            async with places:
                row = await measure(servers[site], site, point, tool, options.seconds)
            if row is not None:
                table.writerow(row)
                options.file.flush()
                print(*row.values(), flush=True)

        for how in product(options.latencies, options.delays, options.concurrencies):
            point = Point(*how)
            places = asyncio.Semaphore(point.at_once)
            await asyncio.gather(
                *(
                    write_row(places, site, point, tool)
                    for site, tool in product(options.sites, options.tools)
                    if row_key(site, point, tool) not in known
                )
            )


def row_key(site, point, tool):
    return tuple(map(str, (site, point.latency, point.delay, point.concurrency, tool)))


def follow_all_links(url, delay, concurrency):
    """Crawl with Scrapy in this process."""

    class FollowAll(scrapy.Spider):
        name = "follow-all"
        start_urls = (url,)
        allowed_domains = ("127.0.0.1",)

        def parse(self, response):
            if not isinstance(response, scrapy.http.HtmlResponse):
                return
            for address in response.css("a::attr(href)").getall():
                if not address.startswith(("mailto:", "tel:", "javascript:")):
                    yield response.follow(address, self.parse)

    process = CrawlerProcess(
        {
            "LOG_LEVEL": "ERROR",
            "TELNETCONSOLE_ENABLED": False,
            "ROBOTSTXT_OBEY": False,
            # On its own the limit per domain is overstepped by what is queued at the same moment.
            "CONCURRENT_REQUESTS": int(concurrency),
            "CONCURRENT_REQUESTS_PER_DOMAIN": int(concurrency),
            "DOWNLOAD_DELAY": float(delay),
            "DOWNLOAD_DELAY_JITTER": 0,
            "DEPTH_PRIORITY": 1,
            "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
        }
    )
    process.crawl(FollowAll)
    process.start()


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the recorded sites are")
    parser.add_argument("--sites", nargs="+", default=SITES)
    parser.add_argument("--latencies", nargs="+", type=float, default=(0.0, 0.1, 0.3, 1.0))
    parser.add_argument("--delays", nargs="+", type=float, default=(0.0, 0.5))
    parser.add_argument("--concurrencies", nargs="+", type=int, default=(1, 8))
    parser.add_argument("--tools", nargs="+", choices=TOOLS, default=TOOLS)
    parser.add_argument("--seconds", type=float, default=20.0, help="for each, or up to 4 times")
    parser.add_argument("--output", type=Path, default=HERE.parent / "results" / "latency.csv")
    return parser.parse_args()


def main():
    options = read_options()
    known = set()
    if options.output.exists():
        with options.output.open(newline="") as file:
            known = {tuple(row[name] for name in KEY) for row in csv.DictReader(file)}
    with options.output.open("a", newline="") as options.file:
        table = csv.DictWriter(options.file, COLUMNS)
        if not known:
            table.writeheader()
        asyncio.run(measure_all(options, table, known))


if __name__ == "__main__":
    if sys.argv[1:2] == ["follow"]:
        follow_all_links(*sys.argv[2:])
    else:
        main()
