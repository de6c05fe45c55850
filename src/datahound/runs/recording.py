"""Recording a website into an archive, for experiments: pages, and of files the headers."""

import asyncio
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from datahound.archive import record_warc
from datahound.crawl.crawl import Crawl
from datahound.engines.live import live
from datahound.events import Event, Stop, Visited, VisitOutcome
from datahound.http.client import Web
from datahound.model import Answer, Fetch, Response
from datahound.readers import Readers
from datahound.runs.endings import Ended, as_planned, interrupted, no_start_page, time_is_up
from datahound.runs.options import MOST_IN_FLIGHT, Options
from datahound.runs.progress import Progress
from datahound.runs.watched import Watched
from datahound.strategies import make_strategy
from datahound.web.body import Body, NoAnswer, OpenBody
from datahound.web.urls import host_of

_MAX_BODY = 100 << 20


class Recording:
    """A website on its way into an archive; begun again, it goes on with what is missing.

    There is no checkpoint: the archive answers for itself, from its first record on.
    """

    def __init__(self, options: Options, path: Path, *, bodies: bool = False) -> None:
        self.options = options
        self.settings = options.settings()
        self.path = path
        self.name = host_of(options.url)
        self.crawl = Crawl(
            options.url,
            make_strategy(
                options.strategy,
                self.settings.strategy,
                seed=options.seed,
                targets=self.settings.crawl.targets,
            ),
            settings=self.settings.crawl,
            in_flight=MOST_IN_FLIGHT,
            per_host=self.settings.web.concurrency,
            read=Readers(self.settings.pages).read,
        )
        self.progress = Progress(self.crawl)
        self.files_under_way = 0
        self.ended: Ended | None = None
        self._bodies = HeldBodies(options.max_file_size or _MAX_BODY) if bodies else None
        self._stop = asyncio.Event()
        self._told: Ended | None = None
        self._read_a_page = False

    @property
    def remarks(self) -> list[str]:
        return self.progress.remarks

    def stop(self, ended: Ended | None = None) -> None:
        """End soon; the same recording can be gone on with."""
        self._told = self._told or ended or interrupted()
        self._stop.set()

    async def go(self) -> Ended:
        """Record until the end, or until told to stop."""
        timer = None
        if self.options.max_time is not None:
            ending = time_is_up(self.options.max_time)
            timer = asyncio.get_running_loop().call_later(self.options.max_time, self.stop, ending)
        try:
            with closing(record_warc(self.path, self.options.url)) as archive:
                async with self._web() as web:
                    getter = Watched(_Whole(web, self._bodies), self.progress)
                    await live(self.crawl, archive, getter, self._observe, stop=self._stop)
        finally:
            if timer:
                timer.cancel()
        return self._told or self._ending()

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
        if not self._read_a_page and not self.crawl.tally.targets:
            return no_start_page("no page was found there")
        return as_planned(self.crawl.stopped or Stop.EXHAUSTED)


class HeldBodies:
    """Takes the bodies of targets into memory, up to a size, for whoever records them."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held: dict[str, tuple[bytes, bool]] = {}

    def attach(self, opener: OpenBody) -> None:
        """A body is read once, or not at all."""

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
        stream.close()
        self._held[url] = (bytes(body[: self._limit]), whole)

    def give(self, url: str) -> tuple[bytes, bool] | None:
        """The body that was taken for a URL, and whether it is all of it; given once."""
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
        size = max(answer.size, len(body))
        return replace(answer, body=body, size=size, truncated=not whole)
