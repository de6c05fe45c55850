"""What is seen of crawls while they run: a live view, a line now and then, or events as JSON."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from datahound.cli.tables import shorten_path
from datahound.crawl.crawl import Crawl
from datahound.events import Event
from datahound.model import Fetch
from datahound.runs import Ended, Progress, Run
from datahound.runs.options import Options
from datahound.settings import Settings
from datahound.units import show_duration, show_size
from datahound.web.urls import host_of

_REFRESH_SECONDS = 0.25
_LINE_SECONDS = 5.0
_BEST = 5
_FETCHES = 5


class Shown(Protocol):
    """What a display looks at: a run, or a recording."""

    options: Options
    settings: Settings
    crawl: Crawl
    progress: Progress
    ended: Ended | None

    @property
    def name(self) -> str: ...

    @property
    def files_under_way(self) -> int: ...

    @property
    def remarks(self) -> list[str]: ...


class Display(Protocol):
    """Shows crawls while they run."""

    def watch(self, run: Run, events: list[Event]) -> None: ...

    def show(self, runs: Sequence[Shown]) -> None: ...

    def end(self, runs: Sequence[Shown]) -> None:
        """Say how each ended; the last line says why."""
        ...


def make_display(*, as_json: bool) -> "Terminal | Lines | JsonLines":
    """The display that suits the place where the output goes."""
    if as_json:
        return JsonLines()
    console = Console()
    return Terminal(console) if console.is_terminal else Lines()


@asynccontextmanager
async def on_display(display: Display, runs: Sequence[Shown]) -> AsyncIterator[None]:
    """Show the runs while the context lasts, and their ends at its end."""
    task = asyncio.create_task(_keep_showing(display, runs))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        display.end(runs)


async def _keep_showing(display: Display, runs: Sequence[Shown]) -> None:
    every = _LINE_SECONDS if isinstance(display, Lines) else _REFRESH_SECONDS
    while True:
        await asyncio.sleep(every)
        display.show(runs)


class JsonLines:
    """One event a line."""

    def watch(self, run: Run, events: list[Event]) -> None:
        if run.catching_up:
            return
        for event in events:
            self._print(run, type(event).__name__, plain(event))

    def show(self, runs: Sequence[Shown]) -> None:
        """Events are shown as they come."""

    def end(self, runs: Sequence[Shown]) -> None:
        for run in runs:
            self._print(run, "Ended", plain(run.ended))
        sys.stdout.flush()

    def _print(self, run: Shown, name: str, what: object) -> None:
        told = what if isinstance(what, dict) else {}
        print(json.dumps({"site": run.options.url, "event": name, **told}, ensure_ascii=False))


class Lines:
    """A line every few seconds, for logs."""

    def watch(self, run: Run, events: list[Event]) -> None:
        """Only figures are shown."""

    def show(self, runs: Sequence[Shown]) -> None:
        for run in runs:
            if run.ended is None:
                print(line(run), flush=True)

    def end(self, runs: Sequence[Shown]) -> None:
        for run in runs:
            print(*ending(run), sep="\n", flush=True)


class Terminal:
    """A view that is redrawn in place."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def watch(self, run: Run, events: list[Event]) -> None:
        """The view is drawn from the runs' progress."""

    def show(self, runs: Sequence[Shown]) -> None:
        self._live.start()
        view = one_site(runs[0]) if len(runs) == 1 else many_sites(runs)
        self._live.update(view, refresh=True)

    def end(self, runs: Sequence[Shown]) -> None:
        self._live.stop()
        for run in runs:
            for text in ending(run):
                self._console.print(text, highlight=False, markup=False, soft_wrap=True)


def line(run: Shown) -> str:
    """How a crawl stands, in one line."""
    tally, progress = run.crawl.tally, run.progress
    if not tally.requests:
        return f"{run.name}: {_doing(run) or 'starting'}"
    parts = [
        f"{run.name}: {_of(tally.requests, run.settings.crawl.max_requests)} requests",
        f"{tally.targets} targets",
        f"{progress.targets_per_100:.0f} per 100 lately",
        f"{show_size(tally.bytes)}",
        f"{progress.files} files, {show_size(progress.file_bytes)}",
        f"{max(0, progress.waiting)} links waiting",
    ]
    if doing := _doing(run):
        parts.append(doing)
    return ", ".join(parts)


def ending(run: Shown) -> list[str]:
    """What a crawl brought, if it got to do something; the last line says why it ended."""
    why = f"{run.name}: {run.ended}"
    remarks = [f"{run.name}: {remark}" for remark in run.remarks]
    return [line(run), *remarks, why] if run.crawl.tally.requests else [why]


def one_site(run: Shown) -> RenderableType:
    """All there is to see of one crawl."""
    doing = _under_way(run) or [" "]
    parts: list[RenderableType] = [_figures(run)]
    parts += [Text(text, overflow="ellipsis", no_wrap=True) for text in doing[:_FETCHES]]
    if len(doing) > _FETCHES:
        parts.append(Text(f"and {len(doing) - _FETCHES} more", style="dim"))
    if why := _why(run):
        parts.append(Text(why, style="dim", overflow="ellipsis", no_wrap=True))
    if best := run.progress.best_actions(_BEST):
        table = Table("targets a page", "pages", "links found by", box=None, title_justify="left")
        for action in best:
            table.add_row(f"{action.mean:.2f}", str(action.visits), shorten_path(action.tag_path))
        parts.append(table)
    parts.extend(Text(remark, style="yellow") for remark in run.remarks)
    return Group(*parts)


def many_sites(runs: Sequence[Shown]) -> RenderableType:
    """One row for each site."""
    table = Table(box=None)
    for heading in ("site", "requests", "targets", "per 100", "files", "waiting", ""):
        table.add_column(heading, justify="left" if heading in ("site", "") else "right")
    for run in runs:
        tally, progress = run.crawl.tally, run.progress
        table.add_row(
            run.name,
            _of(tally.requests, run.settings.crawl.max_requests),
            str(tally.targets),
            f"{progress.targets_per_100:.0f}",
            str(progress.files),
            str(max(0, progress.waiting)),
            Text(str(run.ended) if run.ended else _doing(run), no_wrap=True, overflow="ellipsis"),
        )
    return table


def plain(value: object) -> object:
    """A value as JSON can hold it."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


def _figures(run: Shown) -> Table:
    tally, progress = run.crawl.tally, run.progress
    table = Table.grid(padding=(0, 3))
    table.add_row(Text(run.name, style="bold"), run.options.strategy)
    table.add_row("requests", _of(tally.requests, run.settings.crawl.max_requests))
    table.add_row("targets", f"{tally.targets}  ({progress.targets_per_100:.0f} per 100 lately)")
    under_way = f", {run.files_under_way} on their way" if run.files_under_way else ""
    files = f"{progress.files}, {show_size(progress.file_bytes)}{under_way}"
    table.add_row("files", files + (f", {progress.failed} failed" if progress.failed else ""))
    table.add_row("bytes", show_size(tally.bytes))
    table.add_row("links waiting", str(max(0, progress.waiting)))
    if (left := progress.seconds_left) is not None:
        table.add_row("time left", f"at most about {show_duration(left)}")
    if early := run.crawl.early_stop:
        table.add_row("early stopping", f"{early.nearness:.0%} of the way")
    return table


def _doing(run: Shown) -> str:
    """What a crawl does now, in one line."""
    first, *more = _under_way(run) or [""]
    return f"{first} and {len(more)} more" if more else first


def _under_way(run: Shown) -> list[str]:
    """What a crawl does now: its phase, or a line per fetch."""
    progress = run.progress
    if progress.phase:
        return [progress.phase]
    if progress.paused and not progress.fetching:
        return ["paused"]
    return [_fetch_line(progress, under_way.fetch) for under_way in progress.fetching.values()]


def _fetch_line(progress: Progress, fetch: Fetch) -> str:
    waits = progress.waiting_for(host_of(fetch.url))
    return f"{fetch.purpose.value} {fetch.url}" + (f", waiting: {waits}" if waits else "")


def _why(run: Shown) -> str:
    chosen = run.progress.chosen
    if chosen is None or chosen.choice.group is None or chosen.why.score is None:
        return ""
    group = run.progress.actions.get(chosen.choice.group)
    path = shorten_path(group.tag_path) if group else ""
    return f"because links by {path} score {chosen.why.score:.2f}"


def _of(count: int, budget: int | None) -> str:
    return str(count) if budget is None else f"{count} of {budget}"
