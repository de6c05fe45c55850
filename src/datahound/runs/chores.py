"""Work that a crawl does now and then, beside its event loop."""

import asyncio
import time
from collections.abc import Callable


class Chore:
    """Something to be done every so often, in a thread and never twice at a time."""

    def __init__(self, do: Callable[[], object], every_seconds: float) -> None:
        self._do = do
        self._every = every_seconds
        self._next = time.monotonic() + every_seconds
        self._task: asyncio.Task[object] | None = None

    def remind(self) -> None:
        """Start it if it is time to."""
        if time.monotonic() < self._next or (self._task and not self._task.done()):
            return
        if self._task:
            self._task.result()
        self._next = time.monotonic() + self._every
        self._task = asyncio.create_task(asyncio.to_thread(self._do))

    async def done(self) -> None:
        """Wait until nobody works on it any more."""
        if self._task:
            await self._task
            self._task = None
