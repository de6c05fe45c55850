"""`--max-bytes` counts what came, not what was announced."""

import asyncio

from websites import SEED, Website, data, page

from datahound.report.phrases import Cause
from datahound.report.status import read_status
from datahound.runs.options import make_options
from datahound.runs.run import Run


async def boast(exchange):
    """Announce 200 MB, send 2 kB and hang up."""
    head = "HTTP/1.1 200 OK\r\ncontent-type: application/pdf\r\ncontent-length: 200000000\r\n\r\n"
    await exchange.send(head, b"%PDF-1.4" + bytes(2000))


def crawl(paths, folder, **given):
    site = Website(paths)

    async def run():
        async with site.served() as address:
            options = {"output": str(folder), "delay": 0, "connect-to": address, **given}
            options["set"] = ["downloads.max_retries=0"]
            return await Run(make_options(SEED, options)).go()

    return asyncio.run(run()), site


def test_a_file_that_was_announced_too_large_does_not_end_the_crawl(tmp_path):
    """The rest of the site is crawled."""
    names = [f"/{number}.csv" for number in range(5)]
    paths = {"/": page("/big.pdf", *names), "/big.pdf": boast, **{n: data(b"a,b") for n in names}}
    ended, _ = crawl(paths, tmp_path / "crawl", **{"max-bytes": "1MB"})
    assert ended.cause is Cause.EXHAUSTED
    assert read_status(tmp_path / "crawl").targets == 6


def test_the_budget_ends_the_crawl_and_a_larger_one_goes_on(tmp_path):
    """Bytes of earlier runs count."""
    pages = {f"/{n}": page(f"/{n + 1}", text="x" * 4000) for n in range(20)}
    paths = {"/": page("/0"), **pages, "/20": page("/x.csv"), "/x.csv": data(b"a,b")}
    folder = tmp_path / "crawl"
    ended, first = crawl(paths, folder, **{"max-bytes": "30kB"})
    assert ended.cause is Cause.SPENT_BYTES
    assert 5 < len(first.asked) < 15
    ended, second = crawl(paths, folder, **{"max-bytes": "30kB"})
    assert ended.cause is Cause.SPENT_BYTES
    assert len(second.asked) <= 2
    ended, third = crawl(paths, folder, **{"max-bytes": "1MB"})
    assert ended.cause is Cause.EXHAUSTED
    assert not third.requests("/0")
