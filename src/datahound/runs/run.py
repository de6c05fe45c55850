"""One crawl of one website into its folder: begun, or resumed where it stopped."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Any

from datahound.archive import WarcArchive, record_warc
from datahound.engines.live import ending_at, live
from datahound.errors import DatahoundError
from datahound.events import Event, SiteMoved, Stop
from datahound.model import Answer, Fetch, FileRecord
from datahound.runs import outcome, refresh, session
from datahound.runs.online import (
    GoingOnline,
    Ledger,
    Needs,
    Online,
    ReadingPool,
    go_online,
    read_recorded,
)
from datahound.runs.options import Options
from datahound.runs.outcome import Ended
from datahound.runs.progress import Progress
from datahound.runs.refresh import RoundRequest, exit_status
from datahound.runs.resume import (
    Crawl,
    build_crawl,
    claim_identity,
    collect_left_out,
    complete_untried,
    describe_misfit,
    list_left_out,
    narrow_reach,
    replay_journal,
    widen_reach,
)
from datahound.store.folder import Folder
from datahound.store.writer import Store
from datahound.web.urls import host_of

_CONCURRENCY = "concurrency"
"""The fact that keeps how many fetches per host the journal was made with."""

__all__ = ["RoundRequest", "Run", "Watcher", "exit_status"]
Watcher = Callable[["Run", list[Event]], None]


class Run:
    """A crawl into a folder; after any crash, another run of the same options resumes it."""

    online: Online | None = None
    ended: Ended | None = None
    catching_up = False
    """Whether the crawl replays its journal: its events then are those of an earlier process."""
    request: RoundRequest | None = None
    """The round to begin if the crawl has ended."""

    def __init__(
        self,
        options: Options,
        *,
        watch: Watcher | None = None,
        on_file: Callable[[FileRecord], None] | None = None,
        going_online: GoingOnline = go_online,
        reader: ReadingPool | None = None,  # several runs share one
        checkpoint_seconds: float = 5.0,
        may_ask: Callable[[], bool] | None = None,
    ) -> None:
        self.options = options
        self.settings = options.settings()
        self.folder = Folder(options.output)
        self._bytes = session.ByteBudget(options.max_bytes)
        self.progress = Progress()
        self._on_file = on_file
        self._watch = watch
        self._going_online = going_online
        self._reader = reader
        self._pace = session.CheckpointPace(checkpoint_seconds)
        self._stop, self._is_restored = asyncio.Event(), False
        self._stopped_as: Ended | None = None
        self._last_remarks: list[str] = []
        self._gate = session.Gate(self.folder.control, self.stop, may_ask)
        self._shown: object = None

    @property
    def crawl(self) -> Crawl:
        """The algorithm, made when it is first needed: a thousand runs may wait for their turn."""
        if self.progress.crawl is None:
            # The budget of bytes is kept by the run: what is announced may be untrue.
            self.progress.crawl = build_crawl(replace(self.options, max_bytes=None))
        return self.progress.crawl

    def release_crawl(self) -> None:
        """Free the memory of what the crawl has learned; its figures stay."""
        self._last_remarks = self.remarks
        self.progress.release_crawl()
        self.online = self._shown = None

    @property
    def name(self) -> str:
        """The host, which names the crawl where several are shown."""
        return host_of(self.options.url)

    @property
    def files_under_way(self) -> int:
        return self.online.files_under_way if self.online else 0

    @property
    def remarks(self) -> list[str]:
        if self._last_remarks:
            return self._last_remarks
        return [*self.progress.remarks, *(self.online.remarks if self.online else [])]

    @property
    def stopping(self) -> bool:
        """Whether `stop` was called."""
        return self._stop.is_set()

    def stop(self, ended: Ended | None = None) -> None:
        """End soon, whatever the server does; a run of the same options resumes the crawl."""
        self._stopped_as = self._stopped_as or ended or outcome.interrupted()
        self._stop.set()

    async def go(self) -> Ended:
        """Crawl until the end, or until `stop` is called."""
        try:
            return await self._go()
        except DatahoundError as error:
            online = self.online is not None
            if ended := outcome.explain_failure(self.folder, error, was_online=online):
                return ended
            raise

    async def _go(self) -> Ended:
        async with session.held_in_thread(self._opened()) as store:
            self._find_lost_files(store)
            if self.request and refresh.may_begin(store, self.request):
                await self._begin_round(store, self.request)
            is_finished = outcome.was_finished(store, list_only=self.options.list_only)
            if is_finished and not list_left_out(store, self.crawl):
                return outcome.already_finished(store)
            outcome.forget_failed_start(store, self.folder)
            async with session.held_in_thread(self._journal(store)) as archive:
                async with self._reading():
                    if not self._is_restored:
                        await self._resume(store, archive)
                    collect_left_out(store, self.crawl, archive.recorded)
                    await self._go_on(store, archive)
                ended = self._ending(store)
            refresh.end_round(self.crawl, store)
            store.write_datasets(self.folder.datasets)
            store.show(self._describe_now())
            store.note("ended", ended.plain())
            if not ended.status:
                self.progress.succeeded_at = store.clock()
                store.note("succeeded_at", self.progress.succeeded_at)
        return ended

    async def _begin_round(self, store: Store, request: RoundRequest) -> None:
        """Begin the next round, where the last one has ended."""
        async with session.held_in_thread(self._journal(store)) as archive:
            async with self._reading():
                await self._resume(store, archive)
            refresh.begin_round(self.crawl, store, self.options, request, archive.recorded)
            self._bytes.recall(store)
            store.note(_CONCURRENCY, self.crawl.per_host)
        self._is_restored = True

    async def fetch(self) -> Ended:
        """Download the files of all known targets, and crawl no further."""
        async with session.held_in_thread(self._opened()) as store:
            # Replaying a damaged journal does not find all of them: remember those known now.
            known = store.ledger().missing()
            async with session.held_in_thread(self._journal(store)) as archive, self._reading():
                await self._resume(store, archive)
                await self._find_rest(store, archive)
            self._find_lost_files(store)
            self.progress.phase = "getting files"
            async with (
                self._beating(store),
                ending_at(self._stop),
                self._connected(store) as online,
            ):
                await online.finish()
                tried = set(store.ledger().tried())
                online.complete([body for body in known if body.url not in tried])
                await online.finish()
            store.write_datasets(self.folder.datasets)
            return self._stopped_as or outcome.files_fetched(len(store.ledger().missing()))

    async def _find_rest(self, store: Store, archive: WarcArchive) -> None:
        """Find targets that the journal holds but that replaying it in order did not reach."""
        if self.crawl.stopped is None and not self._stop.is_set():
            web = session.NoWeb(lambda: self.crawl.tally.requests)
            await live(self.crawl, archive, web, self._observer(store), stop=web.needed)
            store.flush()

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[None]:
        if self._reader is not None:
            yield
            return
        async with ReadingPool() as reader:
            self._reader = reader
            try:
                yield
            finally:
                self._reader = None

    @contextmanager
    def _opened(self) -> Iterator[Store]:
        with self.folder.claimed(), closing(Store(self.folder.database)) as store:
            claim_identity(store, self.options)
            self._gate.reset()
            yield store

    @contextmanager
    def _journal(self, store: Store) -> Iterator[WarcArchive]:
        journal = self.folder.make_journal(self.options.url)
        with closing(record_warc(journal, self.options.url, round=store.round)) as archive:
            yield archive

    async def _resume(self, store: Store, archive: WarcArchive) -> None:
        """Restore the newest checkpoint, and replay the journal from there."""
        self.progress.phase = "resuming the crawl"
        narrow_reach(self.crawl, store)
        refresh.wrap_if_later(self.crawl, store, self.options)
        position = store.restore(self.crawl)
        if archive.recorded < position:
            # A power cut may lose the journal's end but not the checkpoint, which does not need it.
            position = archive.recorded
            if self.crawl.can_snapshot:
                store.checkpoint(self.crawl, position)
        refresh.resume_round(self.crawl, store)
        self.progress.recall(store)
        self._bytes.recall(store)
        await self._replay_since(position, store, archive)
        widen_reach(self.crawl, store, self.options)
        store.flush()
        if not self._stop.is_set() and self.crawl.stopped is None:
            # All of the journal was replayed: a smaller budget would have ended the crawl before.
            store.note(_CONCURRENCY, self.crawl.per_host)
            if self.crawl.can_snapshot:
                store.checkpoint(self.crawl, archive.recorded)
        self.progress.phase = ""

    async def _replay_since(self, position: int, store: Store, archive: WarcArchive) -> None:
        """Give the crawl the answers in the journal from a position on."""
        # The journal can only be replayed with as many fetches in flight as it was made with.
        self.crawl.per_host = store.fact(_CONCURRENCY) or 1
        left = takewhile(lambda _: not self._stop.is_set(), archive.since(position))
        self.catching_up = True
        write = partial(session.write_backlog, store)
        used = await replay_journal(self.crawl, left, self._observer(store), self._prepare, write)
        self.catching_up = False
        is_over = self.stopping or self.crawl.stopped is not None
        self.progress.mended += describe_misfit(archive, position, used, is_over=is_over)
        self.crawl.per_host = self.settings.web.concurrency

    async def _go_on(self, store: Store, archive: WarcArchive) -> None:
        chores = session.make_chores(store, archive.sync, self.folder.datasets)
        timer = outcome.set_timer(self.options.max_time, self.stop)
        try:
            async with (
                self._beating(store),
                ending_at(self._stop),
                self._connected(store) as online,
            ):
                await live(
                    self.crawl,
                    archive,
                    session.ObservedWeb(online, self.progress, self._gate, archive.pack),
                    self._observer(store, online),
                    lambda: self._after_answer(store, archive, chores),
                    prepare=self._prepare,
                )
                self.progress.phase = "waiting for the last files"
                await online.finish()
                await complete_untried(store, online, list_only=self.options.list_only)
        finally:
            timer.cancel()
            for chore in chores:
                await chore.wait_done()
            self.progress.phase = ""
            self._bytes.keep(store, self._watch_bytes())
        store.flush()

    def _find_lost_files(self, store: Store) -> None:
        """Count files as missing that are not on the disk as they were kept."""
        if lost := store.ledger().lose_changed(self.folder.files):
            self.progress.mended.append(
                f"files that were missing or changed, and are fetched again: {lost:,}"
            )

    def _beating(self, store: Store) -> AbstractAsyncContextManager[None]:
        """Once per second, obey the control file and show what the crawl does."""

        def beat() -> None:
            self._gate.read_control()
            self.progress.paused = self._gate.paused
            self._watch_disk()
            self._bytes.keep(store, self._watch_bytes())
            now, shown = self._describe_now(), self._shown
            store.write_some() if now == shown else store.show(now)
            self._shown = now

        return session.run_heartbeat(beat, self._stop)

    def _describe_now(self) -> dict[str, Any]:
        return session.describe_activity(
            self.progress,
            self.online.paces if self.online else {},
            paused=self._gate.paused,
            files_under_way=self.files_under_way,
        )

    def _watch_disk(self) -> None:
        """Stop if little disk is left, or if the folder is gone."""
        ended = outcome.find_disk_trouble(self.folder, self.settings.downloads.min_free_disk)
        if ended is not None:
            self.stop(ended)

    def _watch_bytes(self) -> int:
        """Stop when the budget of bytes is spent; the bytes that this process has received."""
        if self._bytes.is_spent(received := self.online.bytes_received if self.online else 0):
            self.stop(outcome.as_planned(Stop.SPENT_BYTES))
        return received

    @asynccontextmanager
    async def _connected(self, store: Store) -> AsyncIterator[Online]:
        """The web, with the downloads of missing files begun."""
        ledger = store.ledger(self._keep)
        async with self._going_online(self._needs(store, ledger)) as online:
            self.online = online
            if not self.options.list_only:
                online.complete(ledger.missing())
            yield online

    def _ending(self, store: Store) -> Ended:
        if self._stopped_as and not (self.crawl.stopped and not store.ledger().missing()):
            return self._stopped_as
        return refresh.judge_end(self.crawl, store)

    def _needs(self, store: Store, ledger: Ledger) -> Needs:
        return Needs(
            self.options.url,
            self.crawl.site,
            refresh.allow_bytes(self.settings, store),
            ledger,
            None if self.options.list_only else self.folder.files,
            lambda waiting: self.progress.wait(waiting.reason, waiting.host, waiting.seconds),
            self._gate,
            outcome.origins_that_answered(store),
            self._reader,
            store.ledger().conditions if store.round else None,
        )

    async def _prepare(self, fetch: Fetch, answer: Answer) -> Answer:
        """Read a large page of the journal before the crawl gets it."""
        reader, pages = self._reader, self.settings.pages
        return await read_recorded(reader, fetch, answer, pages) if reader else answer

    def _keep(self, record: FileRecord) -> None:
        self.progress.keep(record)
        if self._on_file:
            self._on_file(record)

    async def _after_answer(
        self, store: Store, archive: WarcArchive, chores: list[session.Chore]
    ) -> None:
        await session.write_backlog(store)
        if self.crawl.can_snapshot:
            self._pace.write_if_due(lambda: store.checkpoint(self.crawl, archive.recorded))
        for chore in chores:
            chore.start_if_due()

    def _observer(
        self, store: Store, online: Online | None = None
    ) -> Callable[[list[Event]], None]:
        def observe(events: list[Event]) -> None:
            store.observe(events)
            self.progress.observe(events)
            self._watch_bytes()
            if online and any(isinstance(event, SiteMoved) for event in events):
                online.moved(self.crawl.site)
            if self._watch:
                self._watch(self, events)

        return observe
