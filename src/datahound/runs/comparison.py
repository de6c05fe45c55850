"""A crawl compared with breadth-first order over the same pages, replayed from its journal."""

import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from datahound.archive import open_archive
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import replay
from datahound.errors import DatahoundError
from datahound.events import Event, Fetched, TargetFound
from datahound.readers import Readers
from datahound.runs.identity import options_of
from datahound.runs.outcome import cause_of
from datahound.runs.reasons import Cause
from datahound.settings import CrawlSettings
from datahound.store import reading
from datahound.store.folder import Folder
from datahound.strategies import make_strategy


class _TooLong(Exception):
    """The replay takes more time than it may."""


def replay_breadth_first(path: Path, seconds: float) -> list[int] | None:
    """The requests at which breadth-first order finds each target of the crawl in a folder.

    None if the crawl has not seen the whole site, or if the replay takes longer than `seconds`.
    """
    folder = Folder(path)
    if folder.is_claimed() or not _is_exhausted(folder):
        return None
    journals = sorted(folder.pages.glob("*.warc.gz"))
    if len(journals) != 1:
        return None
    targets = _FoundTargets(seconds)
    try:
        with closing(open_archive(str(journals[0]))) as archive:
            replay(_prepare_crawl(path), archive, targets.observe)
    except (_TooLong, DatahoundError):
        return None
    return targets.found_at


def _prepare_crawl(path: Path) -> Crawl:
    options = options_of(path, {})
    settings = options.settings()
    return Crawl(
        options.url,
        make_strategy("bfs"),
        settings=_without_limits(settings.crawl),
        read=Readers(settings.pages).read,
        watch=(Fetched, TargetFound),
    )


class _FoundTargets:
    """Notes at which request each target is found; raises when the time is up."""

    def __init__(self, seconds: float) -> None:
        self.found_at: list[int] = []
        self._until = time.monotonic() + seconds

    def observe(self, events: list[Event]) -> None:
        self.found_at += [event.number for event in events if isinstance(event, TargetFound)]
        if time.monotonic() > self._until:
            raise _TooLong


def _without_limits(settings: CrawlSettings) -> CrawlSettings:
    """The same site and targets, with no budget and no early stop."""
    return replace(settings, max_requests=None, max_bytes=None, early_stop=None)


def _is_exhausted(folder: Folder) -> bool:
    with reading.open_folder(folder.path) as connection:
        return cause_of(reading.read_fact(connection, "ended")) is Cause.EXHAUSTED
