"""A crawl's connection to the web: it answers fetches, and downloads bodies to files."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from datahound.downloads.downloads import Downloads
from datahound.downloads.downloads import Ledger as Ledger  # noqa: PLC0414 for runs
from datahound.engines.reading_pool import ReadingPool as ReadingPool  # noqa: PLC0414 for runs
from datahound.engines.reading_pool import read_recorded as read_recorded  # noqa: PLC0414 for runs
from datahound.http.client import Web
from datahound.http.host_pace import HostPace
from datahound.http.politeness import Clock, HostClocks, Waiting
from datahound.model import Answer, Fetch, Unfinished
from datahound.readers.job import BodyReader
from datahound.runs.session import Gate
from datahound.settings import Settings
from datahound.web.messages import Body, OpenBody
from datahound.web.site import Site
from datahound.web.urls import host_of


@dataclass(frozen=True, slots=True)
class Needs:
    """What `go_online` builds a connection from."""

    seed: str
    """Where the user's headers may be sent; a site that moves does not take them along."""
    site: Site
    settings: Settings
    ledger: Ledger
    files: Path | None
    """Where bodies are kept; None to keep none."""
    on_wait: Callable[[Waiting], None]
    gate: Gate
    """Every new request waits for it; it is closed while the crawl is paused."""
    origins: tuple[str, ...] = ()
    """Origins that answered in an earlier process."""
    reader: BodyReader | None = None
    """Reads what websites send; None to read it on the event loop."""
    conditions: Callable[[str], Mapping[str, str]] | None = None
    """The headers that ask for a file only if it has changed."""


class Online(Protocol):
    """The web, as far as a run needs it."""

    async def get(self, fetch: Fetch) -> Answer: ...

    def moved(self, site: Site) -> None:
        """The site has moved: note its new seed."""
        ...

    def complete(self, bodies: list[Unfinished]) -> None:
        """Download these bodies too, in the background."""
        ...

    async def finish(self) -> None:
        """Wait until every download has ended."""
        ...

    @property
    def files_under_way(self) -> int: ...

    @property
    def bytes_received(self) -> int:
        """Bytes received, whatever was announced."""
        ...

    @property
    def paces(self) -> Mapping[str, Waiting]:
        """By host, the pause between two requests, or the rest and its reason."""
        ...

    @property
    def remarks(self) -> list[str]:
        """Remarks for the user."""
        ...


GoingOnline = Callable[[Needs], AbstractAsyncContextManager[Online]]


@asynccontextmanager
async def go_online(needs: Needs, clocks: HostClocks | None = None) -> AsyncIterator[Online]:
    """The real web, for as long as the context lasts; `clocks` are shared by several crawls."""
    settings = needs.settings
    downloads = None
    if needs.files is not None:
        downloads = Downloads(needs.files, needs.ledger, settings.downloads)
    clock = Clock(sleep=needs.gate.sleep, hold=needs.gate.hold)
    async with Web(
        needs.seed,
        settings.web,
        downloads,
        needs.on_wait,
        clock=clock,
        clocks=clocks,
        reader=needs.reader,
        pages=settings.pages,
        conditions=needs.conditions,
    ) as web:
        if downloads is not None:
            # A download that resumes is a new request, so a pause must hold it back, too.
            downloads.attach(_gated(web, needs.gate))
        web.recall(needs.origins)
        online = _Online(web, downloads)
        online.moved(needs.site)
        try:
            yield online
        finally:
            # After an error as well: a download that goes on would write into a closed folder.
            await online.hang_up()


def share_online() -> GoingOnline:
    """The real web for several crawls, which ask each host at one pace together."""
    return partial(go_online, clocks=HostClocks())


def _gated(web: Web, gate: Gate) -> OpenBody:
    async def reopen(url: str, start: int, validator: str) -> Body:
        await gate.wait_open()
        return await web.reopen(url, start, validator)

    return reopen


def pace_remark(host: str, pace: HostPace) -> str:
    """The option that makes the crawl faster, or '' if the delay sets the pace as it should.

    >>> pace_remark("www.x", HostPace(0.5, 1.0, 1, 1, answers=50))
    'www.x answers in 1.0 s and the delay is 0.5 s: --concurrency 2 would be about 2 times as fast'
    """
    suggested = pace.suggest()
    if suggested is None:
        return ""
    concurrency, times = suggested
    return (
        f"{host} answers in {pace.latency:.1f} s and the delay is {pace.delay:g} s: "
        f"--concurrency {concurrency} would be about {times:.2g} times as fast"
    )


class _Online:
    def __init__(self, web: Web, downloads: Downloads | None) -> None:
        self._web = web
        self._downloads = downloads
        self._completing: asyncio.Task[None] | None = None
        self._seed = ""

    @property
    def files_under_way(self) -> int:
        return self._downloads.under_way if self._downloads else 0

    @property
    def bytes_received(self) -> int:
        return self._web.bytes_received

    @property
    def remarks(self) -> list[str]:
        delays = [
            f"{host} asks for {asked:g}s between two requests; {kept:g}s are kept"
            for host, (asked, kept) in self._web.stats.crawl_delays.items()
            if kept < asked
        ]
        changes = [str(change) for change in self._web.limit_changes.values()]
        slow = (pace_remark(*item) for item in self._web.measured_paces.items())
        kept = []
        if self._seed and self._web.keeps_headers_from(self._seed):
            moved = f"the site moved to {host_of(self._seed)}, which does not get your headers"
            kept = [f"{moved}: crawl that address to send them"]
        return [*kept, *delays, *changes, *filter(None, slow)]

    @property
    def paces(self) -> Mapping[str, Waiting]:
        return self._web.paces

    async def get(self, fetch: Fetch) -> Answer:
        return await self._web.get(fetch)

    def moved(self, site: Site) -> None:
        self._seed = site.seed

    def complete(self, bodies: list[Unfinished]) -> None:
        if self._downloads and bodies:
            self._completing = asyncio.create_task(self._downloads.resume(bodies))

    async def finish(self) -> None:
        if self._completing:
            await self._completing
        if self._downloads:
            await self._downloads.close(wait=True)

    async def hang_up(self) -> None:
        """Cancel the downloads under way; they can be resumed."""
        if self._completing:
            # Parts of files stay on the disk with their sizes, and go on from there.
            self._completing.cancel()
            await asyncio.gather(self._completing, return_exceptions=True)
        if self._downloads:
            await self._downloads.close(wait=False)
