"""One crawl of one website into its folder: begun, or taken up where it was left."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager
from itertools import takewhile

from datahound.archive import WarcArchive, record_warc
from datahound.crawl.crawl import Crawl
from datahound.engines.live import ending_at, live
from datahound.events import Event, SiteMoved
from datahound.http.politeness import Waiting
from datahound.model import FileRecord
from datahound.readers import Readers
from datahound.runs.catching_up import catch_up
from datahound.runs.checkpointing import Pace
from datahound.runs.chores import Chore
from datahound.runs.endings import Ended, files_fetched, interrupted, time_is_up
from datahound.runs.gate import Gate
from datahound.runs.identity import claim_identity
from datahound.runs.now import what_happens
from datahound.runs.online import GoingOnline, Needs, Online, go_online
from datahound.runs.options import MOST_IN_FLIGHT, Options
from datahound.runs.progress import Progress
from datahound.runs.pulse import beating
from datahound.runs.standing import (
    already_finished,
    forget_failed_start,
    hosts_that_answered,
    how_it_ended,
    was_finished,
)
from datahound.runs.watched import Watched
from datahound.store.datasets import write_datasets
from datahound.store.files import FileLedger
from datahound.store.folder import Folder
from datahound.store.sqlite import open_to_read
from datahound.store.writer import Store
from datahound.strategies import make_strategy
from datahound.web.urls import host_of

_LIST_EVERY_SECONDS = 60.0
_TIDY_EVERY_SECONDS = 30.0
_CONCURRENCY = "concurrency"

Watcher = Callable[["Run", list[Event]], None]


class Run:
    """A crawl into a folder; after any crash, another run of the same options goes on with it."""

    def __init__(
        self,
        options: Options,
        *,
        watch: Watcher | None = None,
        on_file: Callable[[FileRecord], None] | None = None,
        going_online: GoingOnline = go_online,
        checkpoint_seconds: float = 5.0,
    ) -> None:
        self.options = options
        self.settings = options.settings()
        self.folder = Folder(options.output)
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
        self.online: Online | None = None
        self.ended: Ended | None = None
        self.catching_up = False
        """Whether the events of now are those of an earlier process, told again."""
        self._on_file = on_file
        self._watch = watch
        self._going_online = going_online
        self._pace = Pace(checkpoint_seconds)
        self._stop = asyncio.Event()
        self._told: Ended | None = None
        self._gate = Gate(self.folder.control, self.stop)
        self._shown: object = None

    @property
    def name(self) -> str:
        """What the crawl is called where several are shown."""
        return host_of(self.options.url)

    @property
    def files_under_way(self) -> int:
        return self.online.files_under_way if self.online else 0

    @property
    def remarks(self) -> list[str]:
        return [*self.progress.remarks, *(self.online.remarks if self.online else [])]

    def stop(self, ended: Ended | None = None) -> None:
        """End soon, whatever the server does; the same options go on from there."""
        self._told = self._told or ended or interrupted()
        self._stop.set()

    async def go(self) -> Ended:
        """Crawl until the end, or until told to stop."""
        with self._opened() as store:
            if was_finished(store, list_only=self.options.list_only):
                return already_finished(store)
            forget_failed_start(store, self.folder)
            with self._journal() as archive:
                await self._take_up(store, archive)
                await self._go_on(store, archive)
                ended = self._ending(store)
            write_datasets(store.connection, self.folder.datasets)
            store.note("ended", ended.plain())
        return ended

    async def fetch(self) -> Ended:
        """Get the files of all targets that are known, and go no further."""
        with self._opened() as store:
            with self._journal() as archive:
                await self._take_up(store, archive)
            self.progress.phase = "getting files"
            async with (
                self._beating(store),
                ending_at(self._stop),
                self._connected(store) as online,
            ):
                await online.finish()
            write_datasets(store.connection, self.folder.datasets)
            return self._told or files_fetched(len(FileLedger(store).missing()))

    @contextmanager
    def _opened(self) -> Iterator[Store]:
        with self.folder.claimed(), closing(Store(self.folder.database)) as store:
            claim_identity(store, self.options)
            self._gate.open_anew()
            yield store

    def _journal(self) -> "closing[WarcArchive]":
        journal = self.folder.make_journal(self.options.url)
        return closing(record_warc(journal, self.options.url))

    async def _take_up(self, store: Store, archive: WarcArchive) -> None:
        """Become the crawl that the folder holds, as far as it is known."""
        self.progress.phase = "taking up the crawl"
        position = store.restore(self.crawl)
        if archive.recorded < position:
            # The machine lost the journal's end, but not the checkpoint, which needs none of it.
            position = archive.recorded
            if self.crawl.can_snapshot:
                store.checkpoint(self.crawl, position)
        self.progress.recall(store)
        # The journal goes on as it was made: with as many fetches in flight as then.
        self.crawl.per_host = store.fact(_CONCURRENCY) or 1
        left = takewhile(lambda _: not self._stop.is_set(), archive.since(position))
        self.catching_up = True
        await catch_up(self.crawl, left, self._observer(store))
        self.catching_up = False
        self.crawl.per_host = self.settings.web.concurrency
        store.flush()
        if not self._stop.is_set():
            store.note(_CONCURRENCY, self.crawl.per_host)
            if self.crawl.can_snapshot:
                store.checkpoint(self.crawl, archive.recorded)
        self.progress.phase = ""

    async def _go_on(self, store: Store, archive: WarcArchive) -> None:
        chores = [
            Chore(store.tidy, _TIDY_EVERY_SECONDS),
            Chore(self._list, _LIST_EVERY_SECONDS),
        ]
        timer = self._set_timer()
        try:
            async with (
                self._beating(store),
                ending_at(self._stop),
                self._connected(store) as online,
            ):
                await live(
                    self.crawl,
                    archive,
                    Watched(online, self.progress, self._gate),
                    self._observer(store, online),
                    lambda: self._after_answer(store, archive, chores),
                )
                self.progress.phase = "waiting for the last files"
                await online.finish()
        finally:
            if timer:
                timer.cancel()
            for chore in chores:
                await chore.done()
            self.progress.phase = ""
        store.flush()

    def _beating(self, store: Store) -> AbstractAsyncContextManager[None]:
        """Once a second, the crawl heeds what it is told and shows what it does."""

        def beat() -> None:
            self._gate.look()
            now = what_happens(
                self.progress,
                self.online.paces if self.online else {},
                paused=self._gate.paused,
                files_under_way=self.files_under_way,
            )
            if now == self._shown:
                store.flush()
            else:
                store.show(now)
                self._shown = now

        return beating(beat, self._stop)

    @asynccontextmanager
    async def _connected(self, store: Store) -> AsyncIterator[Online]:
        """The web, with the bodies that are missing on their way."""
        ledger = FileLedger(store, self._keep)
        async with self._going_online(self._needs(store, ledger)) as online:
            self.online = online
            if not self.options.list_only:
                online.complete(ledger.missing())
            yield online

    def _ending(self, store: Store) -> Ended:
        if self._told and not (self.crawl.stopped and not FileLedger(store).missing()):
            return self._told
        return how_it_ended(store, self.crawl)

    def _needs(self, store: Store, ledger: FileLedger) -> Needs:
        return Needs(
            self.crawl.site,
            self.settings,
            ledger,
            None if self.options.list_only else self.folder.files,
            self._on_wait,
            self._gate,
            hosts_that_answered(store),
        )

    def _keep(self, record: FileRecord) -> None:
        self.progress.keep(record)
        if self._on_file:
            self._on_file(record)

    def _on_wait(self, waiting: Waiting) -> None:
        self.progress.wait(waiting.reason, waiting.host, waiting.seconds)

    def _after_answer(self, store: Store, archive: WarcArchive, chores: list[Chore]) -> None:
        if self.crawl.can_snapshot:
            self._pace.keep(lambda: store.checkpoint(self.crawl, archive.recorded))
        for chore in chores:
            chore.remind()

    def _observer(
        self, store: Store, online: Online | None = None
    ) -> Callable[[list[Event]], None]:
        def observe(events: list[Event]) -> None:
            store.observe(events)
            self.progress.observe(events)
            if online and any(isinstance(event, SiteMoved) for event in events):
                online.moved(self.crawl.site)
            if self._watch:
                self._watch(self, events)

        return observe

    def _set_timer(self) -> asyncio.TimerHandle | None:
        seconds = self.options.max_time
        if seconds is None:
            return None
        loop = asyncio.get_running_loop()
        return loop.call_later(seconds, self.stop, time_is_up(seconds))

    def _list(self) -> None:
        with closing(open_to_read(self.folder.database)) as connection:
            write_datasets(connection, self.folder.datasets)
