"""A recorded site on loopback, as slow as asked for, in a process that counts who asks for what.

    .venv/bin/python benchmarks/speed/slow_site.py SITE.warc.gz

Commands come on standard input, one per line, and each is answered by one line of JSON:

    open LATENCY    a new port where every answer comes that many seconds late; {"start": URL}
    read URL        what was asked for at that port so far: `Count` as JSON
    close URL       stop serving there

Requests wait side by side, not one after the other. All hosts of the site are rewritten to one
address, so that any crawler can be pointed at it, and pages are rewritten before the first request.
"""

import asyncio
import json
import math
import sys
import time
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field

from aiohttp import web

from datahound.archive import MemoryArchive, Recorded, open_archive
from datahound.archive.server import ArchiveServer, HostRewriter, is_html
from datahound.model import Fetch, Kind, Response
from datahound.web.site import Site
from datahound.web.targets import kind_of

LOCAL = "http://127.0.0.1"
FILE_BYTES = 1000


@dataclass
class Count:
    """What was asked for at one port; seconds are counted from the first request."""

    all_files: int
    requests: int = 0
    seconds: float = 0.0
    """When the last request came."""
    files: int = 0
    """Different files that were sent."""
    to_50: float | None = None
    """When half of the site's files had been sent."""
    to_90: float | None = None
    begun: float | None = field(default=None, repr=False)

    def ask(self, now):
        if self.begun is None:
            self.begun = now
        self.requests += 1
        self.seconds = now - self.begun

    def send_file(self, now):
        self.files += 1
        if self.files == math.ceil(0.5 * self.all_files):
            self.to_50 = now - self.begun
        if self.files == math.ceil(0.9 * self.all_files):
            self.to_90 = now - self.begun


class SlowSite:
    """A site at any number of ports, each with its latency and its count."""

    def __init__(self, archive):
        self.files, holder = rewrite_site(archive)
        self.start = HostRewriter(Site(archive.seed), "").to_local(archive.seed)
        self._server = ArchiveServer(holder)
        self._open = {}

    async def open(self, latency):
        count, sent = Count(len(self.files)), set()

        async def handle(request):
            count.ask(time.monotonic())
            await asyncio.sleep(latency)
            path = request.raw_path
            if request.method == "GET" and path in self.files and path not in sent:
                sent.add(path)
                count.send_file(time.monotonic())
            return await self._server.handle(request)

        stack = AsyncExitStack()
        runner = web.ServerRunner(web.Server(handle, access_log=None), shutdown_timeout=0.1)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        url = f"{LOCAL}:{runner.addresses[0][1]}{self.start}"
        self._open[url] = count, stack
        return {"start": url}

    def read(self, url):
        return asdict(self._open[url][0])

    async def close(self, url):
        await self._open.pop(url)[1].aclose()
        return {}


def rewrite_site(archive):
    """The paths of the site's files, and the site under one address."""
    rewriter, files = HostRewriter(Site(archive.seed), ""), set()
    holder = MemoryArchive(f"{LOCAL}/")
    for fetch, answer in archive:
        path = rewriter.to_local(fetch.url)
        if fetch.method != "GET" or not isinstance(answer, Response) or not path.startswith("/"):
            continue
        headers, body = dict(answer.headers), b""
        if "location" in headers:
            headers["location"] = rewriter.rewrite_location(answer.url, headers["location"])
        if kind_of(answer) is Kind.TARGET:
            files.add(path)
            body = (path.encode() * FILE_BYTES)[:FILE_BYTES]
        elif is_html(answer) and answer.body:
            headers["content-type"] = "text/html; charset=utf-8"
            body = rewriter.rewrite_page(answer)
        response = Response(LOCAL + path, answer.status, headers, body, len(body))
        holder.put(*Recorded(Fetch(LOCAL + path), response))
    return files, holder


async def obey(site, line):
    command, argument = line.split()
    if command == "open":
        return await site.open(float(argument))
    return site.read(argument) if command == "read" else await site.close(argument)


async def main(spec):
    site = SlowSite(open_archive(spec))
    lines = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    print(json.dumps({"files": len(site.files)}), flush=True)
    while line := (await lines.readline()).decode():
        print(json.dumps(await obey(site, line)), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
