"""A crawl's pulse: once a second, what it is doing can be seen from outside."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from datahound.errors import DatahoundError

_EVERY_SECONDS = 1.0


@asynccontextmanager
async def beating(
    beat: Callable[[], None], stop: asyncio.Event, every_seconds: float = _EVERY_SECONDS
) -> AsyncIterator[None]:
    """Do something again and again while the block lasts; its trouble ends the block."""
    trouble: list[DatahoundError] = []

    async def go() -> None:
        while True:
            await asyncio.sleep(every_seconds)
            try:
                beat()
            except DatahoundError as error:
                trouble.append(error)
                stop.set()
                return

    task = asyncio.create_task(go())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    if trouble:
        raise trouble[0]
