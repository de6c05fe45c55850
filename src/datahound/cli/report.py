"""`datahound report`: a crawl told on one page."""

import json
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from datahound.archive import open_archive
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import replay
from datahound.errors import DatahoundError, UserError
from datahound.events import Event, Fetched, TargetFound
from datahound.readers import Readers
from datahound.report.page import write_report
from datahound.runs.endings import cause_of
from datahound.runs.identity import options_of
from datahound.runs.reasons import Cause
from datahound.settings import CrawlSettings
from datahound.store.folder import Folder
from datahound.store.sqlite import open_to_read, trouble
from datahound.strategies import make_strategy

_SECONDS = 20.0
_SECONDS_AT_END = 5.0
_ENDED = "SELECT value FROM fact WHERE name = 'ended'"


class _TooLong(Exception):
    """The comparison is not worth more time."""


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a crawl.")],
    *,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="DIR/report.html by default.")
    ] = None,
) -> None:
    """Tell a crawl on one page that works offline and prints well.

    datahound report www.example.org
    """
    if output is not None and output.is_dir():
        raise UserError(f"{output}: is a folder; give a file to write the report to")
    bfs = bfs_found_at(folder, _SECONDS)
    typer.echo(write_report(folder, output=output, bfs_found_at=bfs))


def report_ended(folders: Sequence[Path]) -> None:
    """Write the report of each crawl that has ended; what can't be written costs a line."""
    for folder in folders:
        try:
            if (folder / "crawl.db").exists():
                write_report(folder, bfs_found_at=bfs_found_at(folder, _SECONDS_AT_END))
        except DatahoundError as error:
            print(f"datahound: no report: {error}", file=sys.stderr)


def bfs_found_at(folder: Path, seconds: float) -> list[int] | None:
    """When breadth-first order would have found each target, replayed from the crawl's journal.

    Known only if the crawl has seen the whole site; None too where it takes longer than that.
    """
    if Folder(folder).is_claimed() or not _is_exhausted(folder):
        return None
    journals = sorted((folder / "pages").glob("*.warc.gz"))
    if len(journals) != 1:
        return None
    try:
        with closing(open_archive(str(journals[0]))) as archive:
            options = options_of(folder, {})
            settings = options.settings()
            crawl = Crawl(
                options.url,
                make_strategy("bfs"),
                settings=_whole(settings.crawl),
                read=Readers(settings.pages).read,
                watch=(Fetched, TargetFound),
            )
            watching = _Watching(seconds)
            replay(crawl, archive, watching.observe)
    except (_TooLong, DatahoundError):
        return None
    return watching.found


class _Watching:
    def __init__(self, seconds: float) -> None:
        self.found: list[int] = []
        self._until = time.monotonic() + seconds

    def observe(self, events: list[Event]) -> None:
        self.found += [event.number for event in events if isinstance(event, TargetFound)]
        if time.monotonic() > self._until:
            raise _TooLong


def _whole(settings: CrawlSettings) -> CrawlSettings:
    """The same site and targets, without an end before the end."""
    return replace(settings, max_requests=None, max_bytes=None, early_stop=None)


def _is_exhausted(folder: Path) -> bool:
    database = folder / "crawl.db"
    with closing(open_to_read(database)) as connection, trouble(database):
        row = connection.execute(_ENDED).fetchone()
    ended = (json.loads(row[0]) if row else None) or {}
    return cause_of(ended) is Cause.EXHAUSTED
