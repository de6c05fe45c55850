"""Crawls from the command line: shown and measured while they run, and summed up at their end."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console

from datahound.cli.catalog import show_update
from datahound.cli.progress import progress
from datahound.display.display import make_display, on_display
from datahound.display.endings import (
    describe_ending,
    describe_endings,
    describe_shipped,
    wrap_lines,
)
from datahound.engines.reading_pool import ReadingPool
from datahound.errors import DatahoundError
from datahound.events import Event
from datahound.operate.estimates import estimates_kept
from datahound.operate.event_log import JsonLog, open_log
from datahound.operate.metrics import metrics_written
from datahound.operate.summary import summarize_crawl, write_summaries
from datahound.report.phrases import Cause
from datahound.runs import (
    INTERRUPTED,
    TROUBLE,
    Catalogue,
    Ended,
    RoundRequest,
    Run,
    default_at_once,
    exit_status,
    finish_crawls,
    go_all,
    go_shipped,
    make_runs,
    ship_ended,
    stopped_by_signals,
    terminated_as_interrupted,
    update_catalog,
)
from datahound.runs.options import Options
from datahound.text import show_text

Going = Callable[[Run], Awaitable[Ended]]


@dataclass(frozen=True, slots=True)
class EndedCrawl:
    """A crawl that has ended, why, and what its user should know."""

    options: Options
    ended: Ended
    remarks: list[str]
    begun: bool = True
    """Whether the crawl came as far as a request, in this process or before."""

    @property
    def was_refused(self) -> bool:
        """Whether a mistake of the user, such as a folder of something else, kept it from going."""
        return self.ended.cause is Cause.BAD_INPUT and not self.begun


@dataclass(frozen=True, slots=True)
class Manner:
    """How crawls are shown and measured while they run."""

    as_json: bool = False
    hidden: bool = False
    """Whether the command prints output of its own, so that no display may be shown."""
    plain: bool = False
    verbose: bool = False
    catalog: bool = True
    metrics_file: Path | None = None
    at_once: int | None = None
    log: Path | None = None
    events: frozenset[str] = frozenset()
    """Which events are printed or logged; empty for all."""

    @property
    def shown(self) -> bool:
        return not (self.as_json or self.hidden)


def run_all(planned: Sequence[Options], manner: Manner, go: Going = Run.go) -> int:
    """Crawl side by side, then write catalogues, reports and a summary; the exit status."""
    crawled = asyncio.run(crawl_all(planned, manner, go))
    finished = finish_shown(crawled, catalog=manner.catalog, shown=manner.shown, plain=manner.plain)
    if not finished:
        return INTERRUPTED
    places, is_whole = ship_ended([run.options for run in crawled], _complain)
    if is_whole and manner.shown:
        for line in describe_shipped(places):
            print(line)
    return exit_status([run.ended for run in crawled]) or (0 if is_whole else TROUBLE)


async def refresh_run(run: Run, request: RoundRequest) -> Ended:
    """Continue a crawl that has not ended, or else begin a round that looks for what is new."""
    run.request = request
    return await run.go()


def _complain(line: str) -> None:
    print(f"datahound: {line}", file=sys.stderr)


def finish_shown(
    crawled: Sequence[EndedCrawl], *, catalog: bool, shown: bool, plain: bool = False
) -> bool:
    """Write catalogues and reports, then say what was found; False if that was interrupted.

    Complaints go to the error stream.
    """
    finished = False
    with terminated_as_interrupted(), progress("finishing") as report:
        try:
            finish_crawls(
                [(run.options, run.ended) for run in crawled],
                catalogue=_choose_catalogue(len(crawled), shown=shown) if catalog else None,
                complain=_complain,
                advance=partial(report, "catalogues and reports") if len(crawled) > 1 else None,
            )
            finished = True
        except KeyboardInterrupt:
            pass
    if not finished:
        # Hundreds of catalogues take minutes; the summary of the crawls is printed all the same.
        _complain("interrupted: the same command writes the catalogues and reports not yet there")
    if shown and len(crawled) == 1 and crawled[0].was_refused:
        _complain(show_text(crawled[0].ended.reason))
    elif shown:
        print("\n".join(_fit_terminal(_describe_ends(crawled), plain=plain)))
    return finished


def _fit_terminal(lines: list[str], *, plain: bool) -> list[str]:
    # Programs that read lines, and screen readers, want each of them whole.
    console = Console()
    whole = plain or not console.is_terminal or console.is_dumb_terminal
    return lines if whole else wrap_lines(lines, console.width)


def _choose_catalogue(count: int, *, shown: bool) -> Catalogue:
    """A catalogue of one crawl shows its own progress; of many, their number does."""
    return show_update if shown and count == 1 else update_catalog


def _describe_ends(crawled: Sequence[EndedCrawl]) -> list[str]:
    summaries = [summarize_crawl(run.options, run.ended) for run in crawled]
    if len(summaries) == 1:
        return describe_ending(summaries[0], crawled[0].remarks)
    try:
        path = write_summaries(summaries)
    except DatahoundError as error:
        _complain(f"no summary: {error}")
        path = None
    return describe_endings(summaries, path)


async def crawl_all(
    planned: Sequence[Options], manner: Manner, go: Going = Run.go
) -> list[EndedCrawl]:
    """Crawl them all in this event loop, on one display, and say why each ended."""
    display = make_display(hidden=not manner.shown, plain=manner.plain, verbose=manner.verbose)
    with open_log(manner.log, manner.events, printed=manner.as_json) as log:
        async with ReadingPool() as reader:
            watch = partial(_watch, log) if log else _ignore
            runs = make_runs(planned, watch, reader, log.note_file if log else None)
            with stopped_by_signals(
                runs, partial(_leave_at_once, display.end if display else None, runs)
            ):
                async with (
                    on_display(display, runs),
                    estimates_kept(runs),
                    metrics_written(manner.metrics_file, runs),
                ):
                    going = partial(_go_through, go)
                    endings = await go_all(runs, going, manner.at_once or default_at_once())
        ended = [
            EndedCrawl(run.options, ending, run.remarks, begun=bool(run.progress.tally.requests))
            for run, ending in zip(runs, endings, strict=True)
        ]
        if log:
            for crawl in ended:
                log.note_end(crawl.options, crawl.ended)
    return ended


def _leave_at_once(end_display: Callable[[Sequence[Run]], None] | None, runs: list[Run]) -> None:
    """Give the terminal back, which hides its cursor while a view is drawn."""
    if end_display:
        end_display(runs)
    _complain("ended at once; the same command goes on from here")


async def _go_through(go: Going, run: Run) -> Ended:
    try:
        return await go_shipped(run, go)
    finally:
        run.release_crawl()


def _watch(log: JsonLog, run: Run, events: list[Event]) -> None:
    if not run.catching_up:
        log.note(run.options, events)


def _ignore(_run: Run, _events: list[Event]) -> None:
    """Ignore events: no log is kept."""
