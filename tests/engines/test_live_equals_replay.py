"""Live tells the same story as replay."""

import asyncio

import pytest
from websites import MemoryLedger

from datahound.archive import MemoryArchive, open_archive
from datahound.archive.server import serve_archive
from datahound.crawl.crawl import Crawl
from datahound.downloads.downloads import Downloads
from datahound.engines.live import live
from datahound.engines.replay import replay
from datahound.events import TargetFound
from datahound.http.client import Web
from datahound.settings import CrawlSettings, WebSettings
from datahound.strategies import STRATEGIES, make_strategy

BUDGET = CrawlSettings(max_requests=500)
ORDINARY = [name for name, strategy in STRATEGIES.items() if not strategy.needs_oracle]


@pytest.fixture(scope="module")
def demo():
    return open_archive("synthetic:demo")


@pytest.mark.parametrize("name", ORDINARY)
def test_the_same_site_over_http_and_from_memory_gives_the_same_events(name, demo, tmp_path):
    """Event for event, sizes and all; and every target it tells of is a file of that size."""
    replayed, lived, ledger = [], [], MemoryLedger()
    replay(Crawl(demo.seed, make_strategy(name), settings=BUDGET), demo, replayed.extend)
    crawl = Crawl(demo.seed, make_strategy(name), settings=BUDGET)
    recording = MemoryArchive(demo.seed)

    async def run():
        downloads = Downloads(tmp_path, ledger)
        async with serve_archive(demo) as served:
            address = served.address.removeprefix("http://")
            settings = WebSettings(delay_seconds=0, connect_to=address)
            async with Web(demo.seed, settings, downloads) as web:
                await live(crawl, recording, web, lived.extend)
                await downloads.close(wait=True)

    asyncio.run(run())
    assert lived == replayed
    told = {event.link.url: event.size for event in lived if isinstance(event, TargetFound)}
    assert {url: record.bytes for url, record in ledger.files.items()} == told

    again = []
    replay(Crawl(demo.seed, make_strategy(name), settings=BUDGET), recording, again.extend)
    assert again == replayed
