"""The steps after a crawl: its catalogue, then its report; both are made from the folder.

A failed step costs the user a line and never the crawl, whose results are on the disk by then.
"""

import logging
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from datahound.archive import open_archive
from datahound.catalog.update import Source, Updated, update
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import replay
from datahound.errors import DatahoundError
from datahound.events import Event, Fetched, TargetFound
from datahound.readers import Readers
from datahound.report.page import write_report
from datahound.report.phrases import Cause, cause_of
from datahound.runs.options import Options, options_of
from datahound.runs.outcome import BAD_INPUT, INTERRUPTED, Ended, had_no_host
from datahound.settings import CrawlSettings
from datahound.store.folder import Folder
from datahound.store.queries import iterate_kept_files, open_snapshot, read_facts
from datahound.strategies import make_strategy

# A report is written at the end of each crawl: nobody waits minutes for one curve in it.
_COMPARISON_SECONDS = 5.0

Catalogue = Callable[[Path], object]
"""Brings the catalogue of a folder up to date."""


def finish_crawls(
    crawls: Iterable[tuple[Options, Ended]],
    *,
    catalogue: Catalogue | None,
    complain: Callable[[str], None],
    advance: Callable[[int, int], None] | None = None,
) -> None:
    """Write the catalogue and the report of crawls that have ended; None: no catalogue.

    `advance` is called with the number of crawls that are done, and of all.
    """
    # Bad input means that the folder may belong to another crawl.
    ended = [(options, ended) for options, ended in crawls if ended.status != BAD_INPUT]
    for done, (options, ending) in enumerate(ended, start=1):
        if had_no_host(ending):
            # A mistyped address should leave nothing behind, and nothing was ever found there.
            Folder(options.output).remove()
        # A user who interrupts a crawl wants the prompt back, and a catalogue takes minutes.
        if catalogue and not options.list_only and ending.status != INTERRUPTED:
            _try_step("catalogue", catalogue, options.output, complain)
        _try_step("report", report_crawl, options.output, complain)
        if advance:
            advance(done, len(ended))


def finish_crawl(options: Options, ended: Ended) -> None:
    """Write the catalogue and the report of one crawl; errors go to the log."""
    complain = logging.getLogger(__name__).warning
    finish_crawls([(options, ended)], catalogue=update_catalog, complain=complain)


def _try_step(
    name: str, step: Callable[[Path], object], folder: Path, complain: Callable[[str], None]
) -> None:
    try:
        if Folder(folder).database.exists():
            step(folder)
    except DatahoundError as error:
        complain(f"no {name}: {error}")
    except Exception as error:  # noqa: BLE001 files of strangers must not lose the crawl
        reason = " ".join(str(error).split())
        complain(f"no {name}: a fault in Datahound: {type(error).__name__}: {reason}")


def update_catalog(
    folder: Path, *, again: bool = False, progress: Callable[[int, int], None] | None = None
) -> Updated:
    """Bring the catalogue up to date with the files that the crawl has kept."""
    kept = iterate_kept_files(Folder(folder).database)
    sources = [Source(*file[:-1]) for file in kept if file.is_readable]
    return update(folder, sources, again=again, progress=progress)


def report_crawl(
    folder: Path, *, output: Path | None = None, seconds: float = _COMPARISON_SECONDS
) -> Path:
    """Write the report; its comparison with breadth-first order may take this many seconds."""
    found_at = replay_breadth_first(folder, seconds)
    return write_report(folder, output=output, bfs_found_at=found_at)


class _TooLong(Exception):
    """The replay takes more time than it may."""


def replay_breadth_first(path: Path, seconds: float) -> list[int] | None:
    """The requests at which breadth-first order finds each target of the crawl in a folder.

    None if the crawl has not seen the whole site, or if the replay takes longer than `seconds`.
    """
    folder = Folder(path)
    # Breadth-first order would ask for pages that this crawl never saw.
    if folder.is_claimed() or not _is_exhausted(folder):
        return None
    journals = sorted(folder.pages.glob("*.warc.gz"))
    # Later rounds have journals of their own, with other answers for the same URLs.
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
        # Other events are not even made: it is the same crawl in a tenth of the work.
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
    with open_snapshot(folder.database) as connection:
        return cause_of(read_facts(connection, ["ended"]).get("ended")) is Cause.EXHAUSTED
