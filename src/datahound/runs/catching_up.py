"""Telling a crawl again what the journal recorded after its last checkpoint."""

import asyncio
from collections.abc import Iterable

from datahound.archive.archive import Recorded
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import Observer
from datahound.model import Fetch, Postponed

_AT_ONCE = 20


async def catch_up(crawl: Crawl, recorded: Iterable[Recorded], observe: Observer) -> int:
    """Answer the crawl's fetches with the records in their order; how many there were.

    A crawl asks the same again, as long as it is the same: then every record finds its fetch. Where
    one does not (a newer version may read pages otherwise), the fetch is laid aside, and the
    archive answers it later by its URL.
    """
    count = 0
    for fetch, answer in recorded:
        asked = next(crawl, None)
        if asked is None:
            break
        same = _key(asked) == _key(fetch)
        crawl.answer(answer if same else Postponed(asked.url))
        observe(crawl.take_events())
        count += 1
        if not same:
            break
        if count % _AT_ONCE == 0:
            await asyncio.sleep(0)
    return count


def _key(fetch: Fetch) -> tuple[str, str]:
    return fetch.url, fetch.method
