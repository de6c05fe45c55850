"""Drive a crawl from the network, recording as it goes."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Protocol

from datahound.archive.archive import Archive
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import Observer
from datahound.model import Answer, Fetch, Postponed

_RECORDED_AT_ONCE = 10


class WebGetter(Protocol):
    """Whatever answers fetches from the web."""

    async def get(self, fetch: Fetch) -> Answer: ...


async def live(
    crawl: Crawl,
    archive: Archive,
    web: WebGetter,
    observe: Observer,
    at_boundary: Callable[[], None] | None = None,
    stop: asyncio.Event | None = None,
) -> None:
    """Answer every fetch, from the recording where it has one and from the web where not.

    Ends early once `stop` is set, whatever the server does; the fetch under way stays unanswered.
    A recorded `Postponed` answers nothing: it says how a host was. It is recorded for whoever tells
    the same story again, record by record.
    """
    async with ending_at(stop):
        recorded = 0
        for fetch in crawl:
            answer = archive.get(fetch)
            if answer is None or isinstance(answer, Postponed):
                answer = await web.get(fetch)
                archive.put(fetch, answer)
                recorded = 0
            elif (recorded := recorded + 1) % _RECORDED_AT_ONCE == 0:
                # Others share this loop, and a recording answers without ever letting go of it.
                await asyncio.sleep(0)
            crawl.answer(answer)
            observe(crawl.take_events())
            if at_boundary and crawl.at_boundary:
                at_boundary()
    observe(crawl.take_events())


@contextlib.asynccontextmanager
async def ending_at(stop: asyncio.Event | None) -> AsyncIterator[None]:
    """Leave the block, without an error, as soon as the event is set."""
    task = asyncio.current_task()
    if stop is None or task is None:
        yield
        return
    watching = asyncio.create_task(_cancel_at(stop, task))
    try:
        yield
    except asyncio.CancelledError:
        # Cancelled by anybody else as well: then it is not ours to swallow.
        if not stop.is_set() or task.uncancel():
            raise
    finally:
        watching.cancel()


async def _cancel_at(stop: asyncio.Event, task: "asyncio.Task[object]") -> None:
    await stop.wait()
    task.cancel()
