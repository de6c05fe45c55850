"""Record a website into an archive, for experiments: pages, and the headers of files."""

import asyncio
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from datahound.archive import record_warc
from datahound.engines.live import live
from datahound.events import Event, Stop, Visited, VisitOutcome
from datahound.http.client import Web
from datahound.model import Answer, Fetch, Response
from datahound.runs.options import Options
from datahound.runs.outcome import Ended, as_planned, interrupted, no_start_page, set_timer
from datahound.runs.progress import Progress
from datahound.runs.resume import build_crawl
from datahound.runs.session import ObservedWeb
from datahound.web.messages import Body, NoAnswer, OpenBody
from datahound.web.urls import host_of

# In memory, one per fetch under way.
_MAX_BODY = 100 << 20


class Recording:
    """Records a website into an archive; a second recording fetches what is missing.

    It needs no checkpoint: the archive itself answers what it has recorded.
    """

    def __init__(self, options: Options, path: Path, *, bodies: bool = False) -> None:
        self.options = options
        self.settings = options.settings()
        self.path = path
        self.name = host_of(options.url)
        self.crawl = build_crawl(options)
        self.progress = Progress(self.crawl)
        self.files_under_way = 0
        self.ended: Ended | None = None
        self._bodies = HeldBodies(options.max_file_size or _MAX_BODY) if bodies else None
        self._stop = asyncio.Event()
        self._stopped_as: Ended | None = None
        self._read_a_page = False

    @property
    def remarks(self) -> list[str]:
        return self.progress.remarks

    @property
    def stopping(self) -> bool:
        """Whether `stop` was called."""
        return self._stop.is_set()

    def stop(self, ended: Ended | None = None) -> None:
        """End soon; another recording into the same archive continues."""
        self._stopped_as = self._stopped_as or ended or interrupted()
        self._stop.set()

    async def go(self) -> Ended:
        """Record until the end, or until `stop` is called."""
        timer = set_timer(self.options.max_time, self.stop)
        try:
            with closing(record_warc(self.path, self.options.url)) as archive:
                async with self._web() as web:
                    getter = ObservedWeb(_Whole(web, self._bodies), self.progress)
                    await live(self.crawl, archive, getter, self._observe, stop=self._stop)
        finally:
            timer.cancel()
        return self._stopped_as or self._ending()

    def _web(self) -> Web:
        return Web(
            self.options.url,
            self.settings.web,
            self._bodies,
            lambda w: self.progress.wait(w.reason, w.host, w.seconds),
        )

    def _observe(self, events: list[Event]) -> None:
        self.progress.observe(events)
        for event in events:
            if isinstance(event, Visited) and event.outcome is VisitOutcome.READ:
                self._read_a_page = True

    def _ending(self) -> Ended:
        # A start page that is a file itself is a fine recording.
        if not self._read_a_page and not self.crawl.tally.targets:
            return no_start_page("no page was found there")
        return as_planned(self.crawl.stopped or Stop.EXHAUSTED)


class HeldBodies:
    """Holds the bodies of targets in memory, up to a size, until they are recorded."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held: dict[str, tuple[bytes, bool]] = {}

    def attach(self, opener: OpenBody) -> None:
        """Ignore the opener: a body is read once and never resumed."""

    async def take(self, url: str, headers: Mapping[str, str], stream: Body) -> None:  # noqa: ARG002
        body, whole = bytearray(), False
        try:
            async for chunk in stream.chunks():
                body += chunk
                if len(body) > self._limit:
                    break
            else:
                whole = True
        except NoAnswer:
            pass
        # The rest is not read: the connection is closed.
        stream.close()
        self._held[url] = (bytes(body[: self._limit]), whole)

    def give(self, url: str) -> tuple[bytes, bool] | None:
        """The body of a URL, and whether it is complete; it is held no longer."""
        return self._held.pop(url, None)


class _Whole:
    """The web, with the bodies of targets put back into their answers."""

    def __init__(self, web: Web, bodies: HeldBodies | None) -> None:
        self._web = web
        self._bodies = bodies

    async def get(self, fetch: Fetch) -> Answer:
        answer = await self._web.get(fetch)
        held = self._bodies.give(fetch.url) if self._bodies else None
        if held is None or not isinstance(answer, Response):
            return answer
        body, whole = held
        # The announced size counts where the body was cut off.
        size = max(answer.size, len(body))
        return replace(answer, body=body, size=size, truncated=not whole)
