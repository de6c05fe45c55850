"""Views of crawls while they run: one in detail, many by who needs attention."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from datahound.display.endings import shorten_reason
from datahound.display.shown import Shown
from datahound.display.symbols import Symbols, draw_bar, draw_spark
from datahound.display.work import describe_next, describe_work
from datahound.report.status import Estimate
from datahound.text import blank_unprintable
from datahound.units import show_count, show_duration, show_size
from datahound.web.urls import host_of

# Small corrections are passed over: a countdown that jumps is not believed.
_TOLERANCE = 0.1
# Also added to the tolerance: a tenth of a minute is not worth a line.
_LEAST_SECONDS = 10.0
_REASON_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class _Expectation:
    end: float
    """When the crawl ends at the latest."""
    links: int
    pace: float
    cost: float
    """Requests per link."""
    is_bounded: bool
    """Whether the budget ends the crawl before the links do."""


class TimeLeft:
    """The time left; when the estimate grows, with the reason for half a minute."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._expected: _Expectation | None = None
        self._reason = ""
        self._reason_until = 0.0

    def describe(self, run: Shown) -> str:
        """The time that is left, in words; '' while nothing is known."""
        progress = run.progress
        seconds, pace = progress.seconds_left, progress.seconds_per_request
        if seconds is None or pace is None:
            return ""
        now, cost = self._now(), progress.requests_per_link
        bounded = progress.is_bounded
        found = _Expectation(now + seconds, progress.waiting, pace, cost, bounded)
        before = self._expected
        # An end that comes nearer needs no explanation.
        if before is None or found.end <= before.end:
            self._expected = found
        elif seconds > max(0.0, before.end - now) * (1 + _TOLERANCE) + _LEAST_SECONDS:
            self._expected = found
            self._reason, self._reason_until = _explain(before, found), now + _REASON_SECONDS
        left = (self._expected or found).end - now
        if left < _LEAST_SECONDS:
            # The countdown may be over before the crawl is.
            return "less than 10s"
        span = show_duration(left)
        # Only a budget is a limit: pages that are read next may have more links.
        text = f"at most {span}" if bounded else f"{span} for the links known so far"
        return f"{text}; more than before: {self._reason}" if now < self._reason_until else text


def _explain(before: _Expectation, found: _Expectation) -> str:
    if before.is_bounded and found.is_bounded:
        return f"a request now takes {found.pace:.1f}s"
    more = found.links - before.links
    slower = found.pace / before.pace if before.pace else 1.0
    dearer = found.cost / before.cost
    # The reason that changed the estimate most.
    if more > 0 and found.links / max(1, before.links) >= max(slower, dearer):
        return f"{show_count(more, 'more link')} to follow"
    if dearer > slower:
        return f"a link now takes {found.cost:.1f} requests"
    return f"a request now takes {found.pace:.1f}s"


_BAR = 30
_BEST = 5
_FETCHES = 5
_LABEL = 9
_PATH = 50


@dataclass(slots=True)
class OneSite:
    """Draws one crawl, at most as wide as the terminal; `verbose` shows how it decides, too."""

    symbols: Symbols
    verbose: bool
    now: Callable[[], float] = time.monotonic
    _left: TimeLeft | None = None
    _begun: float | None = None

    def draw(self, run: Shown) -> RenderableType:
        """Everything that is shown of a crawl."""
        if self._left is None or self._begun is None:
            self._left, self._begun = TimeLeft(self.now), self.now()
        rows = [*_describe_figures(run, self.symbols)]
        # A pause ends when somebody ends it.
        if not run.progress.paused and (left := self._left.describe(run)):
            rows.append(("time left", left))
        rows.append(("now", describe_work(run)))
        most = _FETCHES if self.verbose else 1
        nexts = describe_next(run, limit=most)
        rows += [("" if number else "next", text) for number, text in enumerate(nexts)]
        rows += [("note", remark) for remark in run.remarks]
        elapsed = show_duration(self.now() - self._begun)
        head = Text(f"{run.name}  ", style="bold").append(elapsed, style="not bold dim")
        parts: list[RenderableType] = [head, *(self._write_row(*row) for row in rows)]
        return Group(*parts, *(_draw_inside(run) if self.verbose else ()))

    def _write_row(self, label: str, text: str) -> Text:
        written = Text(f"{label:<{_LABEL}} ", style="dim").append(text, style="not dim")
        written.no_wrap = True
        written.overflow = self.symbols.overflow
        return written


def _describe_figures(run: Shown, symbols: Symbols) -> list[tuple[str, str]]:
    tally, progress = run.progress.tally, run.progress
    share, label = measure_progress(run)
    bar = f"{draw_bar(share, _BAR, symbols)} {label}" if share is not None else label
    under_way = f", {run.files_under_way:,} downloading" if run.files_under_way else ""
    failed = f", {progress.failed:,} failed" if progress.failed else ""
    kept = f"{progress.files:,} kept ({show_size(progress.file_bytes)}){under_way}{failed}"
    spark = draw_spark(progress.found.counts, symbols)
    rows = [("progress", bar), ("files", f"{tally.targets:,} found, {kept}")]
    rows += [("", f"{spark} found over time")] if spark else []
    if progress.remaining is not None:
        sentence = progress.remaining.sentence.rstrip(".")
        rows.append(("left", sentence[:1].lower() + sentence[1:]))
    elif tally.requests:
        rows.append(("left", "too early to say"))
    return rows


def measure_progress(run: Shown) -> tuple[float | None, str]:
    """How far a crawl is: against its budget, else against the estimate of its files."""
    tally, remaining = run.progress.tally, run.progress.remaining
    budget = run.settings.crawl.max_requests
    if budget:
        return tally.requests / budget, f"{tally.requests:,} of {show_count(budget, 'request')}"
    if remaining is None:
        return None, show_count(tally.requests, "request")
    total = tally.targets + remaining.likely
    share = tally.targets / total if total else 1.0
    return share, f"{share:.0%} of the files, in {show_count(tally.requests, 'request')}"


def _draw_inside(run: Shown) -> list[RenderableType]:
    """The figures that a crawl decides by, for `--verbose`."""
    progress = run.progress
    facts = [
        run.options.strategy,
        f"{show_count(max(0, progress.waiting), 'link')} waiting",
        f"{progress.targets_per_100:.0f} targets per 100 requests lately",
        show_size(run.progress.tally.bytes),
    ]
    if early := progress.crawl and progress.crawl.early_stop:
        facts.append(f"early stopping {early.nearness:.0%} of the way")
    parts: list[RenderableType] = [Text(", ".join(facts), style="dim")]
    if why := _explain_choice(run):
        parts.append(Text(why, style="dim", no_wrap=True, overflow="crop"))
    if best := progress.best_actions(_BEST):
        table = Table("targets per page", "pages", "links found by", box=None)
        for action in best:
            # The end of a tag path tells links apart.
            path = blank_unprintable(action.tag_path)[-_PATH:]
            table.add_row(f"{action.mean:.2f}", f"{action.visits:,}", Text(path, no_wrap=True))
        parts.append(table)
    return parts


def _explain_choice(run: Shown) -> str:
    chosen = run.progress.chosen
    if chosen is None or chosen.choice.group is None or chosen.why.score is None:
        return ""
    group = run.progress.actions.get(chosen.choice.group)
    path = blank_unprintable(group.tag_path)[-_PATH:] if group else ""
    return f"because links by {path} score {chosen.why.score:.2f}"


# Two lines of totals, the head of the table, and the line below it.
_LINES_AROUND = 4


class Attention(IntEnum):
    """How much a crawl needs attention; a lower value needs more."""

    FAILED = 0
    PAUSED = 1
    RESTING = 2
    """Its host asked it to wait, or is out of reach."""
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
    if not run.progress.tally.requests and not progress.fetching and not progress.phase:
        return Attention.QUEUED
    waits = (progress.find_wait(host_of(url)) for url in progress.fetching)
    # Politeness is the usual state and needs no attention.
    if any(wait and wait[0] != "politeness" for wait in waits):
        return Attention.RESTING
    return Attention.LOSING_FILES if progress.failed else Attention.RUNNING


def draw_many(runs: Sequence[Shown], height: int, symbols: Symbols) -> RenderableType:
    """Totals, and a row for each site that fits on the screen."""
    # With the place, so that runs themselves are never compared.
    judged = sorted(((judge_attention(run), -run.progress.tally.requests, n, run)
                     for n, run in enumerate(runs)), key=lambda item: item[:3])  # fmt: skip
    counts = Counter(attention for attention, *_ in judged)
    # Hundreds of sites may be queued: they are only counted.
    rows = [run for attention, *_, run in judged if attention is not Attention.QUEUED]
    most = max(1, height - _LINES_AROUND)
    table = _draw_table(rows[:most], symbols)
    left = len(rows) - most
    below = [Text(f"and {show_count(left, 'site')} more", style="dim")] if left > 0 else []
    totals = [(describe_states(counts), "bold"), (describe_totals(runs), "")]
    above = (Text(text, style, no_wrap=True, overflow=symbols.overflow) for text, style in totals)
    return Group(*above, table, *below)


def count_attention(runs: Sequence[Shown]) -> Counter[Attention]:
    return Counter(judge_attention(run) for run in runs)


def describe_states(counts: Counter[Attention]) -> str:
    """How many crawls are in which state.

    >>> describe_states(Counter({Attention.RUNNING: 2, Attention.DONE: 1}))
    '3 sites: 0 failed, 2 crawled now, 0 waiting for their turn, 1 done'
    """
    now = sum(counts[a] for a in Attention if Attention.FAILED < a < Attention.DONE)
    return (
        f"{show_count(counts.total(), 'site')}: {counts[Attention.FAILED]:,} failed,"
        f" {now:,} crawled now, {counts[Attention.QUEUED]:,} waiting for their turn,"
        f" {counts[Attention.DONE]:,} done"
    )


def describe_totals(runs: Sequence[Shown]) -> str:
    """What all crawls have found together."""
    requests = sum(run.progress.tally.requests for run in runs)
    found = sum(run.progress.tally.targets for run in runs)
    size = sum(run.progress.file_bytes for run in runs)
    return (
        f"{show_count(found, 'file')} found in {show_count(requests, 'request')},"
        f" {show_size(size)} kept"
    )


def _draw_table(runs: Sequence[Shown], symbols: Symbols) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), expand=True)
    # Shares, not widths of the contents: long names and reasons would leave figures no room.
    table.add_column("site", no_wrap=True, overflow=symbols.overflow, ratio=4)
    for heading in ("requests", "files", "left"):
        table.add_column(heading, justify="right", width=len("requests"), no_wrap=True)
    table.add_column("", no_wrap=True, overflow=symbols.overflow, ratio=5)
    for run in runs:
        table.add_row(
            # As in events and metrics: several crawls may be of one host.
            run.options.output.name,
            f"{run.progress.tally.requests:,}",
            f"{run.progress.tally.targets:,}",
            _show_remaining(run.progress.remaining),
            Text(_describe_state(run), style="red" if run.ended and run.ended.status else ""),
        )
    return table


def _describe_state(run: Shown) -> str:
    if run.ended is None:
        return describe_work(run)
    return shorten_reason(run.ended.reason) if run.ended.status else str(run.ended)


def _show_remaining(remaining: Estimate | None) -> str:
    return "" if remaining is None else f"~{remaining.likely:,}"
