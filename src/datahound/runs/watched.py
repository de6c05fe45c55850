"""The web, with what is being fetched on show."""

import time

from datahound.engines.live import WebGetter
from datahound.model import Answer, Fetch
from datahound.runs.gate import Gate
from datahound.runs.progress import Progress

PAUSED = "paused"


class Watched:
    """Answers as the web does; the progress says what is being asked for."""

    def __init__(self, web: WebGetter, progress: Progress, gate: Gate | None = None) -> None:
        self._web = web
        self._progress = progress
        self._gate = gate

    async def get(self, fetch: Fetch) -> Answer:
        progress = self._progress
        progress.pause = ""
        if self._gate:
            self._gate.look()
            if self._gate.paused:
                progress.pause = PAUSED
                await self._gate.passing()
                progress.pause = ""
        progress.fetching, progress.fetching_since = fetch, time.time()
        try:
            return await self._web.get(fetch)
        finally:
            progress.fetching = None
            progress.pause = ""
