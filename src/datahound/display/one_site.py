"""The view of one crawl: a bar, the files found, what is left, what it does now."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from datahound.display.shown import Shown
from datahound.display.symbols import Symbols, draw_bar, draw_spark
from datahound.display.time_left import TimeLeft
from datahound.display.work import describe_next, describe_work
from datahound.text import blank_unprintable
from datahound.units import show_count, show_duration, show_size

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
        """All there is to see of a crawl."""
        if self._left is None or self._begun is None:
            self._left, self._begun = TimeLeft(self.now), self.now()
        rows = [*_describe_figures(run, self.symbols)]
        if left := self._left.describe(run):
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
    tally, progress = run.crawl.tally, run.progress
    share, label = measure_progress(run)
    bar = f"{draw_bar(share, _BAR, symbols)} {label}" if share is not None else label
    under_way = f", {run.files_under_way:,} on their way" if run.files_under_way else ""
    failed = f", {progress.failed:,} failed" if progress.failed else ""
    kept = f"{progress.files:,} kept ({show_size(progress.file_bytes)}){under_way}{failed}"
    spark = draw_spark(progress.found.counts, symbols)
    rows = [("progress", bar), ("files", f"{tally.targets:,} found, {kept}")]
    rows += [("", f"{spark} found over time")] if spark else []
    if progress.remaining is not None:
        sentence = progress.remaining.sentence.rstrip(".")
        rows.append(("left", sentence[:1].lower() + sentence[1:]))
    return rows


def measure_progress(run: Shown) -> tuple[float | None, str]:
    """How far a crawl is: against its budget, else against the estimate of its files."""
    tally, remaining = run.crawl.tally, run.progress.remaining
    budget = run.settings.crawl.max_requests
    if budget:
        return tally.requests / budget, f"{tally.requests:,} of {show_count(budget, 'request')}"
    if remaining is None:
        return None, show_count(tally.requests, "request")
    total = tally.targets + remaining.likely
    share = tally.targets / total if total else 1.0
    return share, f"{share:.0%} of the files, in {show_count(tally.requests, 'request')}"


def _draw_inside(run: Shown) -> list[RenderableType]:
    """What a crawl decides by, for those who know the words."""
    progress = run.progress
    facts = [
        run.options.strategy,
        f"{show_count(max(0, progress.waiting), 'link')} waiting",
        f"{progress.targets_per_100:.0f} targets per 100 requests lately",
        show_size(run.crawl.tally.bytes),
    ]
    if early := run.crawl.early_stop:
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
