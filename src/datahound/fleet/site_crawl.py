"""Crawl one site of a fleet: fetch its folder from the store, go on, ship it, remove it here."""

import asyncio
import logging
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from datahound.engines.reading_pool import ReadingPool
from datahound.errors import DatahoundError, StorageError, UserError
from datahound.fleet.records import CRAWLS, FleetSite
from datahound.machine import read_free_disk
from datahound.news.whatsnew import read_whatsnew, write_whatsnew
from datahound.remote.manifest import TakenOver
from datahound.remote.objects import join_place
from datahound.report.phrases import Cause
from datahound.runs import (
    Ended,
    RoundRequest,
    Run,
    begin_shipping,
    describe_error,
    finish_crawl,
    go_shipping,
    share_online,
)
from datahound.runs.options import make_options
from datahound.store import queries, queries_counts
from datahound.store.folder import Folder

# A little more than crawls leave free: what could not be written then had no room.
_FULL_DISK = 110 << 20

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SiteEnding:
    """How the crawl of a site ended here, with what it has asked for and found in all."""

    ended: Ended
    requests: int
    files: int
    round: int = 0
    """Of the folder: a first crawl that had failed is completed before a refresh begins."""
    news: Mapping[str, int] = field(default_factory=dict)
    left: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunningSite:
    """A crawl of now, and the record of its site when it began here."""

    site: FleetSite
    run: Run

    @property
    def requests(self) -> int:
        """Requests of the site so far, by all workers."""
        return max(self.site.requests, self.run.progress.tally.requests)

    @property
    def files(self) -> int:
        """Data files of the site so far."""
        return max(self.site.files, self.run.progress.tally.targets)


class SiteCrawler:
    """Crawls sites of one store, side by side; they share the pace of each host and address."""

    def __init__(self, place: str, work: Path, reader: ReadingPool, ship_seconds: float) -> None:
        self.running: dict[str, RunningSite] = {}
        """By slug, the crawls of now."""
        self.stopping = False
        self._place = place
        self._work = work
        self._reader = reader
        self._ship_seconds = ship_seconds
        self._going_online = share_online()

    async def crawl(
        self, site: FleetSite, epoch: int, may_ask: Callable[[], bool]
    ) -> SiteEnding | None:
        """Crawl a site until it ends or is stopped; None if it may belong to another worker.

        The epoch is that of its group: what began under an earlier one ships nothing.
        """
        folder = self._work / site.slug
        keep = False
        try:
            ending = await self._crawl(site, folder, epoch, may_ask)
            keep = ending is None and may_ask()
        except TakenOver as error:
            _log.warning("%s: left to another worker: %s", site.url, error)
            return None
        except DatahoundError as error:
            # The folder holds what could not be shipped: the next try here goes on with it.
            # One that was fetched in part holds nothing, and would be refused.
            keep = not isinstance(error, UserError) and Folder(folder).remote.exists()
            return SiteEnding(
                self._describe(error), site.requests, site.files, site.round, site.news, site.left
            )
        finally:
            self.running.pop(site.slug, None)
            if not keep:
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        return ending

    def _describe(self, error: DatahoundError) -> Ended:
        ended = describe_error(error)
        if not isinstance(error, StorageError):
            return ended
        # It is the disk of this machine, and not what the user gave: the site is tried again.
        is_full = read_free_disk(self._work) < _FULL_DISK
        return replace(ended, cause=Cause.DISK_LOW if is_full else Cause.TROUBLE)

    def stop(self) -> None:
        """Stop all crawls of now; each can be resumed."""
        self.stopping = True
        for running in list(self.running.values()):
            running.run.stop()

    async def _crawl(
        self, site: FleetSite, folder: Path, epoch: int, may_ask: Callable[[], bool]
    ) -> SiteEnding | None:
        options = make_options(site.url, {**site.options, "output": str(folder)})
        options = replace(options, remote=join_place(self._place, f"{CRAWLS}/{site.slug}"))
        # The last request to this address may have been made by another worker, just now.
        await asyncio.sleep(options.delay)
        if self.stopping or not may_ask():
            return None
        shipper = await asyncio.to_thread(begin_shipping, options, epoch)
        run = Run(options, going_online=self._going_online, reader=self._reader, may_ask=may_ask)
        if site.round:
            # The number says which round: a worker that takes over does not begin another one.
            run.request = RoundRequest(**site.limits, number=site.round)
        self.running[site.slug] = RunningSite(site, run)
        if self.stopping:
            run.stop()
        ended = await go_shipping(run, shipper, seconds=self._ship_seconds, may_ship=may_ask)
        if not may_ask():
            return None
        if not run.stopping:
            await asyncio.to_thread(finish_crawl, options, ended)
        ending = await asyncio.to_thread(_read_ending, site, folder, ended)
        await asyncio.to_thread(shipper.ship, ended=True)
        return ending


def _read_ending(site: FleetSite, folder: Path, ended: Ended) -> SiteEnding:
    """What a folder says of its crawl; after a refresh, what is new is written into it."""
    if not Folder(folder).database.exists():
        return SiteEnding(ended, site.requests, site.files, site.round, site.news, site.left)
    with queries.open_folder(folder) as connection:
        counts = queries_counts.read_quick_counts(connection)
        plans = queries.read_fact(connection, "rounds") or []
    if not plans:
        return SiteEnding(ended, counts.requests, counts.targets)
    found = read_whatsnew(folder)
    write_whatsnew(folder, found)
    news = {kind: len(found[kind]) for kind in ("new", "changed", "gone")}
    news["requests"] = counts.requests - plans[-1]["first"]
    left = found["left"] or {}
    return SiteEnding(ended, counts.requests, counts.targets, len(plans), news, left)
