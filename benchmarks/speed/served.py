"""A built-in site on loopback in a process of its own, with nothing left to make per request.

    .venv/bin/python benchmarks/speed/served.py SPEC

All hosts of the site are folded into one address, so that any crawler can be pointed at it. Pages
are made and folded before the first request: what is measured is the crawler.
"""

import asyncio
import contextlib
import subprocess
import sys
from pathlib import Path

from datahound.archive import MemoryArchive, Recorded, open_archive
from datahound.archive.server import HostRewriter, is_html, serve_archive
from datahound.model import Fetch, Response
from datahound.web.site import Site


@contextlib.contextmanager
def site_process(spec):
    """The URL of the start page, while the server lives."""
    command = [sys.executable, str(Path(__file__)), spec]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield server.stdout.readline().strip()
        finally:
            server.kill()


async def serve(spec):
    """Serve until killed; the address is known before the pages that name it are made."""
    archive = open_archive(spec)
    holder = MemoryArchive("http://127.0.0.1/", [])
    async with serve_archive(holder) as served:
        rewriter = HostRewriter(Site(archive.seed), served.address)
        for recorded in archive:
            holder.put(*folded(recorded, rewriter))
        print(rewriter.to_local(archive.seed), flush=True)
        await asyncio.Event().wait()


def folded(recorded, rewriter):
    """An exchange as it is under the one address."""
    answer = recorded.answer
    url = rewriter.to_local(recorded.fetch.url).replace(rewriter.address, "http://127.0.0.1")
    headers = dict(answer.headers)
    if "location" in headers:
        headers["location"] = rewriter.rewrite_location(answer.url, headers["location"])
    body = rewriter.rewrite_page(answer) if is_html(answer) and answer.body else answer.body
    return Recorded(Fetch(url), Response(url, answer.status, headers, body, len(body)))


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1]))
