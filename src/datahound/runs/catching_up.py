"""Replaying to a crawl what the journal recorded after its last checkpoint."""

import asyncio
from collections.abc import Iterable

from datahound.archive import Recorded
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import Observer
from datahound.model import Fetch

_AT_ONCE = 20


async def catch_up(crawl: Crawl, recorded: Iterable[Recorded], observe: Observer) -> int:
    """Answer the crawl's fetches with the records in their order; how many there were.

    A crawl asks the same again, as long as it is the same: then every record finds its fetch. Where
    one does not (a newer version may read pages otherwise), the archive answers later, by URL.
    """
    count = 0
    waiting = {_key(fetch): fetch for fetch in crawl.open_fetches()}
    for fetch, answer in recorded:
        while (asked := crawl.next_fetch()) is not None:
            waiting[_key(asked)] = asked
        same = waiting.pop(_key(fetch), None)
        if same is None:
            break
        crawl.answer(same, answer)
        observe(crawl.take_events())
        count += 1
        if count % _AT_ONCE == 0:
            await asyncio.sleep(0)
    return count


def _key(fetch: Fetch) -> tuple[str, str]:
    return fetch.url, fetch.method
