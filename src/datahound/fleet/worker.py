"""A worker: one process that crawls many sites of a fleet side by side."""

import asyncio
import logging
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from datahound.engines.reading_pool import ReadingPool
from datahound.errors import DatahoundError, StorageError, UserError
from datahound.fleet.board import Board, Seen
from datahound.fleet.control import count_requests, read_control, write_figures
from datahound.fleet.records import FleetSite, Group
from datahound.fleet.sessions import Session, Watch, read_clocks, try_renewal
from datahound.fleet.site_crawl import SiteCrawler, SiteEnding
from datahound.fleet.station import Station
from datahound.fleet.work_folder import open_work
from datahound.remote.objects import Objects, open_objects
from datahound.report.phrases import Cause
from datahound.runs import INTERRUPTED, default_at_once

_MORE_THREADS = 8
# Records are small, so reading many is a matter of latency.
_READERS = 8
_BEATS = 4
"""Renewals of a session in a term."""
_FAILURES = (Cause.NO_START_PAGE, Cause.TROUBLE, Cause.FAULT, Cause.FOLDER_GONE)
"""Endings after which a site is tried again."""

_T = TypeVar("_T")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """How a worker works."""

    work: Path
    """Where the folders of the sites are that are crawled now."""
    at_once: int = 0
    """Sites at a time; 0 for as many as a process can."""
    term: float = 60.0
    """A worker that was silent for this many seconds is taken for dead."""
    ship_seconds: float = 30.0
    name: str = field(default_factory=socket.gethostname)


class Worker:
    """Takes groups of sites from the store, crawls them, and gives them back."""

    def __init__(self, place: str, settings: WorkerSettings) -> None:
        self._place = place
        self._settings = settings
        self._at_once = settings.at_once or default_at_once()
        self._objects: Objects = open_objects(place)
        self._board = Board(self._objects)
        self._stop = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopped = False
        self._trouble = ""
        self._finished = self._had_session = False
        self._asked = self._found = self._sites = 0
        self._tasks: dict[str, asyncio.Task[None]] = {}
        # Decisions are made one after another; they wait for the store.
        self._thread = ThreadPoolExecutor(1)
        self._readers = ThreadPoolExecutor(_READERS)

    def stop(self) -> None:
        """Stop soon, from any thread: crawls are shipped and given back."""
        self._stopped = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)

    async def go(self) -> None:
        """Work until every site is finished, or until `stop`; an error if the disk here is full."""
        self._loop = loop = asyncio.get_running_loop()
        if self._stopped:
            self._stop.set()
        loop.set_default_executor(ThreadPoolExecutor(self._at_once + _MORE_THREADS))
        # In a thread of Ray, signals are not ours.
        with suppress(ValueError, RuntimeError):
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, self.stop)
        async with ReadingPool() as reader:
            crawler = SiteCrawler(
                self._place, self._settings.work, reader, self._settings.ship_seconds
            )
            while not self._finished and not self._stop.is_set():
                await self._hold_session(crawler)
        if self._trouble:
            raise StorageError(f"{self._settings.work}: {self._trouble}: other workers go on")

    async def _hold_session(self, crawler: SiteCrawler) -> None:
        """Work under one session until it is lost, or nothing is left to do."""
        settings = self._settings
        session = await self._begin_session()
        crawler.stopping = False
        over = threading.Event()
        renewing = threading.Thread(target=_keep_renewing, args=(session, over), daemon=True)
        renewing.start()
        watch = Watch(self._objects, settings.term)
        station = Station(self._board, session, watch, read_clocks, self._read_many)
        try:
            while not self._stop.is_set() and not self._finished and not session.is_lost:
                await self._beat(station, crawler)
        finally:
            await self._leave(station, crawler)
            over.set()
            await asyncio.to_thread(renewing.join)
            await self._end(session)

    async def _begin_session(self) -> Session:
        """Begin a session; a store that has answered once is waited for."""
        settings = self._settings
        while True:
            try:
                session = await self._call(Session, self._objects, settings.name, settings.term)
            except DatahoundError as error:
                if not self._had_session or self._stop.is_set():
                    raise
                _log.warning("the store does not answer, tried again: %s", error)
                await asyncio.sleep(settings.term / _BEATS)
            else:
                self._had_session = True
                return session

    async def _beat(self, station: Station, crawler: SiteCrawler) -> None:
        """Look around once, then keep all places filled for a quarter of a term."""
        until = time.monotonic() + self._settings.term / _BEATS
        try:
            await self._call(station.look_around)
            await self._obey(station, crawler)
            idle = await self._fill(station, crawler)
            if idle and not self._stop.is_set():
                finished = await self._call(station.look_at_others)
                self._finished = finished and not station.held
        except UserError:
            raise  # what is wrong does not mend itself
        except DatahoundError as error:
            _log.warning("the store does not answer, tried again: %s", error)
        while (left := until - time.monotonic()) > 0 and not self._finished:
            if station.session.is_lost or self._stop.is_set():
                return
            if not await self._wait_for_change(left):
                continue
            with suppress(DatahoundError):
                await self._fill(station, crawler)

    async def _wait_for_change(self, seconds: float) -> bool:
        """Wait until a group was left, a stop, or the time; whether a group was left."""
        stop = asyncio.ensure_future(self._stop.wait())
        pause = min(seconds, 1.0)
        done, _ = await asyncio.wait(
            [stop, *self._tasks.values()], timeout=pause, return_when=asyncio.FIRST_COMPLETED
        )
        stop.cancel()
        return bool(done - {stop})

    async def _fill(self, station: Station, crawler: SiteCrawler) -> bool:
        """Begin groups until all places are taken; whether places are left."""
        self._tasks = {key: task for key, task in self._tasks.items() if not task.done()}
        for key in station.held.keys() - self._tasks.keys():
            self._begin(station, crawler, key)  # after a time without the store
        # Once it is to stop, a group that was taken would be given back at once, again and again.
        while not self._stop.is_set() and station.session.is_valid:
            if len(self._tasks) >= self._at_once:
                return False
            seen = await self._call(station.take_next)
            if seen is None:
                return True
            self._begin(station, crawler, seen.group.key)
        return False

    def _begin(self, station: Station, crawler: SiteCrawler, key: str) -> None:
        self._tasks[key] = asyncio.create_task(self._work(station, crawler, key))

    async def _work(self, station: Station, crawler: SiteCrawler, key: str) -> None:
        """Crawl the first site of a group, and give the group back: others may come before."""
        try:
            after = await self._crawl_due(station, crawler, key)
            if key in station.held and station.session.is_valid:
                # One write: once the group is given back, this worker may take it again at once.
                await self._call(station.write, key, lambda group: _give_back(group, after))
        except DatahoundError as error:
            # The group stays held; its record is written when the store answers again.
            _log.warning("the store does not answer, tried again: %s", error)
            await asyncio.sleep(1)
        except Exception:  # noqa: BLE001 one group must not end the others
            _log.exception("a fault in Datahound, please report it")
            await asyncio.sleep(self._settings.term)

    async def _crawl_due(
        self, station: Station, crawler: SiteCrawler, key: str
    ) -> FleetSite | None:
        """Crawl the site of a group that is due first; the site afterwards, if it was crawled."""
        group = station.held[key].group
        site = group.find_due(time.time())
        if site is None or not station.session.is_valid or self._stop.is_set():
            return None
        ending = await crawler.crawl(site, group.epoch, lambda: station.session.is_valid)
        if ending is None or not station.session.is_valid:
            return None
        if ending.ended.cause is Cause.DISK_LOW:
            self._trouble = ending.ended.reason
            self._stop.set()
        self._asked += ending.requests - site.requests
        self._found += ending.files - site.files
        after = judge_ending(site, ending, time.time())
        self._sites += after.is_finished
        return after

    async def _obey(self, station: Station, crawler: SiteCrawler) -> None:
        """Write figures, and stop if the fleet is to stop or its budget is spent."""
        await self._call(
            write_figures, self._objects, station.session.name, self._describe(crawler)
        )
        control = await self._call(read_control, self._objects)
        asked = await self._call(count_requests, self._objects) if control.budget else 0
        if control.stop or control.is_spent(asked):
            self._stop.set()

    def _describe(self, crawler: SiteCrawler) -> dict[str, object]:
        running = list(crawler.running.items())
        now = {
            slug: {
                "requests": each.requests, "files": each.files, "failed": each.run.progress.failed
            }
            for slug, each in running
        }  # fmt: skip
        # Sites may have been asked before: by other workers, and in the rounds before.
        under_way = sum(each.requests - each.site.requests for _, each in running)
        found = sum(each.files - each.site.files for _, each in running)
        return {
            "requests": self._asked + under_way,
            "files": self._found + found,
            "sites": self._sites,
            "running": now,
            "at": time.time(),
        }

    async def _leave(self, station: Station, crawler: SiteCrawler) -> None:
        """Stop all crawls; those of a valid session are shipped and given back."""
        crawler.stop()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._tasks = {}
        with suppress(DatahoundError):
            await self._call(
                write_figures, self._objects, station.session.name, self._describe(crawler)
            )

    async def _end(self, session: Session) -> None:
        with suppress(DatahoundError):
            await self._call(session.end)

    async def _call(self, function: Callable[..., _T], *arguments: object) -> _T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, function, *arguments)

    def _read_many(
        self, read: Callable[[str], Seen | None], keys: Iterable[str]
    ) -> Iterable[Seen | None]:
        return self._readers.map(read, keys)


def judge_ending(site: FleetSite, ending: SiteEnding, now: float) -> FleetSite:
    """The site after its crawl ended here: finished, due at once, or after a pause."""
    ended = ending.ended
    counted = replace(
        site, requests=ending.requests, files=ending.files, news=ending.news, left=ending.left
    )
    # Nothing is wrong with a site whose worker has no room left.
    if ended.status == INTERRUPTED or ended.cause is Cause.DISK_LOW:
        return counted
    if ended.cause in _FAILURES:
        return counted.postpone(now, ended.reason)
    return replace(counted, round=ending.round).finish(
        cause=ended.cause.value, reason=ended.reason, requests=ending.requests, files=ending.files
    )


def _give_back(group: Group, after: FleetSite | None) -> Group:
    """Free a group for other workers, with the site that was crawled."""
    return replace(_put_site(group, after) if after else group, holder="")


def _put_site(group: Group, site: FleetSite) -> Group:
    """Put the site; what was asked for may have been changed meanwhile."""
    there = next((other for other in group.sites if other.slug == site.slug), site)
    return group.put(site.order_again(there))


def _keep_renewing(session: Session, over: threading.Event) -> None:
    while not over.wait(session.term / _BEATS):
        if not try_renewal(session):
            return


def run_worker(place: str, settings: WorkerSettings) -> None:
    """Work in an event loop of its own."""
    with open_work(settings.work) as work:
        asyncio.run(Worker(place, replace(settings, work=work)).go())
