"""The view of many crawls: totals, and those that need attention first, as many as fit."""

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from datahound.display.shown import Shown
from datahound.display.symbols import Symbols
from datahound.display.work import describe_work
from datahound.report.status import Estimate
from datahound.units import show_count, show_size
from datahound.web.urls import host_of

_LINES_AROUND = 4
_NAME = 28
_FIGURE = 8


class Attention(IntEnum):
    """How much a crawl needs somebody to look at it; the lower the more."""

    FAILED = 0
    PAUSED = 1
    RESTING = 2
    """Its host told it to wait, or is out of reach."""
    LOSING_FILES = 3
    RUNNING = 4
    DONE = 5
    QUEUED = 6


def judge_attention(run: Shown) -> Attention:
    """How much a crawl needs attention."""
    progress = run.progress
    if run.ended is not None:
        return Attention.FAILED if run.ended.status else Attention.DONE
    if progress.paused:
        return Attention.PAUSED
    if not run.crawl.tally.requests and not progress.fetching and not progress.phase:
        return Attention.QUEUED
    waits = (progress.find_wait(host_of(url)) for url in progress.fetching)
    if any(wait and wait[0] != "politeness" for wait in waits):
        return Attention.RESTING
    return Attention.LOSING_FILES if progress.failed else Attention.RUNNING


def draw_many(runs: Sequence[Shown], height: int, symbols: Symbols) -> RenderableType:
    """Totals, and a row for each site that fits on the screen."""
    judged = sorted(((judge_attention(run), -run.crawl.tally.requests, n, run)
                     for n, run in enumerate(runs)), key=lambda item: item[:3])  # fmt: skip
    counts = Counter(attention for attention, *_ in judged)
    rows = [run for attention, *_, run in judged if attention is not Attention.QUEUED]
    most = max(1, height - _LINES_AROUND)
    table = _draw_table(rows[:most], symbols)
    left = len(rows) - most
    below = [Text(f"and {show_count(left, 'site')} more", style="dim")] if left > 0 else []
    return Group(Text(describe_states(counts), style="bold"), Text(describe_totals(runs)),
                 table, *below)  # fmt: skip


def count_attention(runs: Sequence[Shown]) -> Counter[Attention]:
    return Counter(judge_attention(run) for run in runs)


def describe_states(counts: Counter[Attention]) -> str:
    """How many crawls are in which state.

    >>> describe_states(Counter({Attention.RUNNING: 2, Attention.DONE: 1}))
    '3 sites: 2 crawled now, 0 waiting for their turn, 1 done, 0 failed'
    """
    now = sum(counts[a] for a in Attention if Attention.FAILED < a < Attention.DONE)
    return (
        f"{show_count(counts.total(), 'site')}: {now:,} crawled now,"
        f" {counts[Attention.QUEUED]:,} waiting for their turn,"
        f" {counts[Attention.DONE]:,} done, {counts[Attention.FAILED]:,} failed"
    )


def describe_totals(runs: Sequence[Shown]) -> str:
    """What all crawls have found together."""
    requests = sum(run.crawl.tally.requests for run in runs)
    found = sum(run.crawl.tally.targets for run in runs)
    size = sum(run.progress.file_bytes for run in runs)
    return (
        f"{show_count(found, 'file')} found in {show_count(requests, 'request')},"
        f" {show_size(size)} kept"
    )


def _draw_table(runs: Sequence[Shown], symbols: Symbols) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0))
    name = min(_NAME, max((len(run.name) for run in runs), default=0))
    table.add_column("site", min_width=name, no_wrap=True, overflow=symbols.overflow)
    for heading in ("requests", "files", "left"):
        table.add_column(heading, justify="right", min_width=_FIGURE, no_wrap=True)
    table.add_column("", no_wrap=True, overflow=symbols.overflow, ratio=1)
    for run in runs:
        state = str(run.ended) if run.ended else describe_work(run)
        table.add_row(
            run.name[:_NAME],
            f"{run.crawl.tally.requests:,}",
            f"{run.crawl.tally.targets:,}",
            _show_remaining(run.progress.remaining),
            Text(state, style="red" if run.ended and run.ended.status else ""),
        )
    return table


def _show_remaining(remaining: Estimate | None) -> str:
    return "" if remaining is None else f"~{remaining.likely:,}"
