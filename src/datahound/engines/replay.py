"""Drive a crawl from an archive."""

from collections import deque
from collections.abc import Callable

from datahound.archive import Archive
from datahound.crawl.crawl import Crawl
from datahound.events import Event
from datahound.model import Fetch, Response

Observer = Callable[[list[Event]], None]


def replay(crawl: Crawl, archive: Archive, observe: Observer | None = None) -> None:
    """Answer every fetch from a recording, in the order of the fetches, until the crawl ends."""
    asked: deque[Fetch] = deque(crawl.open_fetches())
    while True:
        # All fetches that the crawl may give are taken first, as the live engine does: so both give
        # the same events with several fetches in flight.
        while (fetch := crawl.next_fetch()) is not None:
            asked.append(fetch)
        if not asked:
            break
        fetch = asked.popleft()
        crawl.answer(fetch, archive.get(fetch) or not_recorded(fetch))
        if observe:
            observe(crawl.take_events())
    if observe:
        observe(crawl.take_events())


def not_recorded(fetch: Fetch) -> Response:
    """The answer for a URL without a record."""
    return Response(fetch.url, 404)
