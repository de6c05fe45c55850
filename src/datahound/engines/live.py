"""Drive a crawl from the network, and record every answer."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from typing import Protocol

from datahound.archive import Archive
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import Observer
from datahound.errors import UNFORESEEN
from datahound.model import Answer, Failure, Fetch, Postponed

_RECORDED_AT_ONCE = 10
_LINKS_AT_ONCE = 200
"""Links that a crawl may look at before other tasks of the event loop may run."""


class WebGetter(Protocol):
    """Answers fetches from the web; several at a time."""

    async def get(self, fetch: Fetch, /) -> Answer: ...


async def live(
    crawl: Crawl,
    archive: Archive,
    web: WebGetter,
    observe: Observer,
    after_answer: Callable[[], Awaitable[None]] | None = None,
    stop: asyncio.Event | None = None,
    prepare: Callable[[Fetch, Answer], Awaitable[Answer]] | None = None,
) -> None:
    """Answer every fetch from the recording, or else from the web.

    Ends early once `stop` is set, whatever the server does; fetches under way stay unanswered.
    A recorded `Postponed` is not an answer, so its URL is requested again. It is recorded so that
    the crawl can be replayed record by record.

    Before each answer, all fetches that the crawl may give are taken from it. A resumed crawl is
    driven in the same way, so the order of the answers alone decides what happens.

    `prepare` may read a recorded answer before the crawl gets it.
    """
    asking = _Asking(web)
    try:
        async with ending_at(stop):
            await _drive(crawl, archive, asking, observe, after_answer, prepare)
    finally:
        await asking.cancel()
    observe(crawl.take_events())


async def _drive(
    crawl: Crawl,
    archive: Archive,
    asking: "_Asking",
    observe: Observer,
    after_answer: Callable[[], Awaitable[None]] | None,
    prepare: Callable[[Fetch, Answer], Awaitable[Answer]] | None,
) -> None:
    recorded: list[tuple[Fetch, Answer]] = []
    answered = 0
    fetches = crawl.open_fetches()
    while True:
        await _begin_fetches(crawl, fetches, archive, asking, recorded)
        fetches = []
        observe(crawl.take_events())
        if recorded:
            fetch, answer = await _take_recorded(recorded, prepare)
            answered += 1
            if answered % _RECORDED_AT_ONCE == 0:
                # A recording answers without waiting, so other tasks could not run.
                await asyncio.sleep(0)
        elif asking:
            fetch, answer = await _next_answer(asking, crawl, archive)
            archive.put(fetch, answer)
        else:
            break
        crawl.answer(fetch, answer)
        observe(crawl.take_events())
        if after_answer:
            await after_answer()


async def _take_recorded(
    recorded: list[tuple[Fetch, Answer]],
    prepare: Callable[[Fetch, Answer], Awaitable[Answer]] | None,
) -> tuple[Fetch, Answer]:
    fetch, answer = recorded.pop(0)
    return fetch, await prepare(fetch, answer) if prepare else answer


async def _begin_fetches(
    crawl: Crawl,
    begun: list[Fetch],
    archive: Archive,
    asking: "_Asking",
    recorded: list[tuple[Fetch, Answer]],
) -> None:
    """Begin all fetches that may start now; those that the archive answers go to `recorded`."""
    async for fetch in next_fetches(crawl, begun):
        answer = None if fetch.again else archive.get(fetch)
        if answer is None or isinstance(answer, Postponed):
            asking.begin(fetch)
        else:
            recorded.append((fetch, answer))


async def _next_answer(asking: "_Asking", crawl: Crawl, archive: Archive) -> tuple[Fetch, Answer]:
    """The next answer; if the crawl is stopped while it waits, finished answers are kept."""
    try:
        return await asking.next_answer()
    except asyncio.CancelledError:
        for fetch, answer in asking.take_finished():
            archive.put(fetch, answer)
            crawl.answer(fetch, answer)
        raise


async def next_fetches(crawl: Crawl, begun: Iterable[Fetch] = ()) -> AsyncIterator[Fetch]:
    """The fetches to make now; other tasks may run while a page with many links is processed."""
    for fetch in begun:
        yield fetch
    while (found := crawl.next_fetch(_LINKS_AT_ONCE)) is not None or crawl.is_reading:
        if found is None:
            await asyncio.sleep(0)
        else:
            yield found


class _Asking:
    """The fetches that wait for the web, one task each."""

    def __init__(self, web: WebGetter) -> None:
        self._web = web
        self._tasks: dict[asyncio.Task[Answer], Fetch] = {}
        self._done: list[asyncio.Task[Answer]] = []

    def __len__(self) -> int:
        return len(self._tasks)

    def begin(self, fetch: Fetch) -> None:
        """Start a fetch in the background."""
        self._tasks[asyncio.create_task(self._ask(fetch))] = fetch

    async def _ask(self, fetch: Fetch) -> Answer:
        try:
            return await self._web.get(fetch)
        except UNFORESEEN as error:
            # A failure of one fetch, since a resumed crawl would meet the same error again.
            return Failure(fetch.url, f"internal error: {type(error).__name__}")

    async def next_answer(self) -> tuple[Fetch, Answer]:
        """The next fetch that is answered; raises what its task raised."""
        if not self._done:
            done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            # In the order in which they began: a set would give simultaneous answers in any order.
            self._done = [task for task in self._tasks if task in done]
        task = self._done.pop(0)
        return self._tasks.pop(task), task.result()

    def take_finished(self) -> Iterator[tuple[Fetch, Answer]]:
        """The fetches that were answered and not taken yet."""
        for task in [task for task in self._tasks if task.done()]:
            if not task.cancelled() and task.exception() is None:
                yield self._tasks.pop(task), task.result()

    async def cancel(self) -> None:
        """Cancel the fetches that are still under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


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
        # Raised on if the task was cancelled by others, too: `uncancel` returns how many are left.
        if not stop.is_set() or task.uncancel():
            raise
    finally:
        watching.cancel()


async def _cancel_at(stop: asyncio.Event, task: "asyncio.Task[object]") -> None:
    await stop.wait()
    task.cancel()
