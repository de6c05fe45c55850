"""The gate that every new request passes: shut while the crawl is paused."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from datahound.store.control import PAUSE, STOP, forget, told

_LOOK_EVERY_SECONDS = 0.25


class Gate:
    """Looks at the control file before each request; to stop is to call `stop`."""

    def __init__(self, control: Path, stop: Callable[[], None]) -> None:
        self._control = control
        self._stop = stop
        self.paused = False

    def open_anew(self) -> None:
        """What an earlier crawl in the folder was told is not for this one."""
        forget(self._control)
        self.paused = False

    def look(self) -> None:
        """Heed what the file says now."""
        word = told(self._control)
        self.paused = word == PAUSE
        if word == STOP:
            forget(self._control)
            self._stop()

    async def passing(self) -> None:
        """Wait as long as the crawl is paused."""
        self.look()
        while self.paused:
            await asyncio.sleep(_LOOK_EVERY_SECONDS)
            self.look()

    async def sleep(self, seconds: float) -> None:
        """Sleep, and wake up no sooner than the gate is open."""
        await asyncio.sleep(seconds)
        await self.passing()
