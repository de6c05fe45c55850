"""Drive a crawl from the network, recording as it goes."""

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
"""Links that a crawl may look at before others get the event loop."""


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
    """Answer every fetch, from the recording where it has one and from the web where not.

    Ends early once `stop` is set, whatever the server does; fetches under way stay unanswered.
    A recorded `Postponed` answers nothing: it says how a host was. It is recorded so that the same
    story can be replayed, record by record.

    Before each answer the crawl is asked for all the fetches that it may give. A resumed crawl is
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
                # Others share this loop, and a recording answers without ever letting go of it.
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
    """Begin all fetches that may be made now: `recorded` gets those that the archive answers."""
    async for fetch in next_fetches(crawl, begun):
        answer = None if fetch.again else archive.get(fetch)
        if answer is None or isinstance(answer, Postponed):
            asking.begin(fetch)
        else:
            recorded.append((fetch, answer))


async def _next_answer(asking: "_Asking", crawl: Crawl, archive: Archive) -> tuple[Fetch, Answer]:
    """The next answer; when the crawl is stopped here, those that have come are kept."""
    try:
        return await asking.next_answer()
    except asyncio.CancelledError:
        for fetch, answer in asking.take_finished():
            archive.put(fetch, answer)
            crawl.answer(fetch, answer)
        raise


async def next_fetches(crawl: Crawl, begun: Iterable[Fetch] = ()) -> AsyncIterator[Fetch]:
    """The fetches to be made now; others may run while a page with many links is looked through."""
    for fetch in begun:
        yield fetch
    while (found := crawl.next_fetch(_LINKS_AT_ONCE)) is not None or crawl.is_reading:
        if found is None:
            await asyncio.sleep(0)
        else:
            yield found


class _Asking:
    """The fetches that the web is being asked for, a task each."""

    def __init__(self, web: WebGetter) -> None:
        self._web = web
        self._tasks: dict[asyncio.Task[Answer], Fetch] = {}
        self._done: list[asyncio.Task[Answer]] = []

    def __len__(self) -> int:
        return len(self._tasks)

    def begin(self, fetch: Fetch) -> None:
        """Ask for a fetch in the background."""
        self._tasks[asyncio.create_task(self._ask(fetch))] = fetch

    async def _ask(self, fetch: Fetch) -> Answer:
        try:
            return await self._web.get(fetch)
        except UNFORESEEN as error:
            # A resumed crawl would meet the same answer again: it costs one failure, no crawl.
            return Failure(fetch.url, f"internal error: {type(error).__name__}")

    async def next_answer(self) -> tuple[Fetch, Answer]:
        """The next fetch that is answered; raises what its task raised."""
        if not self._done:
            done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            # In the order of asking, not in that of a set, so that answers of one moment come in
            # the same order every time.
            self._done = [task for task in self._tasks if task in done]
        task = self._done.pop(0)
        return self._tasks.pop(task), task.result()

    def take_finished(self) -> Iterator[tuple[Fetch, Answer]]:
        """The fetches that were answered and not taken yet."""
        for task in [task for task in self._tasks if task.done()]:
            if not task.cancelled() and task.exception() is None:
                yield self._tasks.pop(task), task.result()

    async def cancel(self) -> None:
        """Give up what is still under way."""
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
        # Cancelled by anybody else as well: then it is not ours to swallow.
        # `uncancel` counts down: 0 means that no other cancellation is left.
        if not stop.is_set() or task.uncancel():
            raise
    finally:
        watching.cancel()


async def _cancel_at(stop: asyncio.Event, task: "asyncio.Task[object]") -> None:
    await stop.wait()
    task.cancel()
