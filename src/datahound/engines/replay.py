"""Drive a crawl from an archive."""

from collections import deque
from collections.abc import Callable

from datahound.archive import Archive
from datahound.crawl.crawl import Crawl
from datahound.events import Event
from datahound.model import Fetch, Response

Observer = Callable[[list[Event]], None]


def replay(crawl: Crawl, archive: Archive, observe: Observer | None = None) -> None:
    """Answer every fetch from a recording, first asked, first answered, to the crawl's end."""
    asked: deque[Fetch] = deque(crawl.open_fetches())
    while True:
        # All that may be asked for, as the live engine does: only then do both tell the same story
        # with several fetches in flight.
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
    """What a URL without a record answers, as the site itself would."""
    return Response(fetch.url, 404)
