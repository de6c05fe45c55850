"""The web, with the fetches under way on show."""

import time

from datahound.engines.live import WebGetter
from datahound.model import Answer, Fetch
from datahound.runs.gate import Gate
from datahound.runs.progress import Progress


class Watched:
    """Answers as the web does; the progress has the fetches that wait for an answer."""

    def __init__(self, web: WebGetter, progress: Progress, gate: Gate | None = None) -> None:
        self._web = web
        self._progress = progress
        self._gate = gate

    async def get(self, fetch: Fetch) -> Answer:
        if self._gate:
            await self._pass_gate(self._gate)
        self._progress.begin_fetch(fetch, time.time())
        try:
            return await self._web.get(fetch)
        finally:
            self._progress.end_fetch(fetch)

    async def _pass_gate(self, gate: Gate) -> None:
        gate.look()
        if gate.paused:
            self._progress.paused = True
            await gate.passing()
        self._progress.paused = False
