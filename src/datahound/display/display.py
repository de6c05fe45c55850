"""Displays of crawls that run: a view redrawn in place, a line now and then, or nothing."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from rich.console import Console
from rich.live import Live
from rich.padding import Padding

from datahound.display.shown import Display, Shown
from datahound.display.symbols import symbols_for
from datahound.display.views import (
    OneSite,
    count_attention,
    describe_states,
    describe_totals,
    draw_many,
)
from datahound.display.work import describe_wait, describe_work
from datahound.units import show_count, show_size

_MANY = 20
_SLOW_SECONDS = 1.0


def make_display(
    *, hidden: bool = False, plain: bool = False, verbose: bool = False
) -> Display | None:
    """The display that suits the place where the output goes; None if nothing is to be shown."""
    if hidden:
        return None
    console = Console()
    if plain or not console.is_terminal or console.is_dumb_terminal:
        return Lines(verbose=verbose)
    return Terminal(console, verbose=verbose)


@asynccontextmanager
async def on_display(display: Display | None, runs: Sequence[Shown]) -> AsyncIterator[None]:
    """Show the runs while the context lasts."""
    if display is None:
        yield
        return
    task = asyncio.create_task(_keep_showing(display, runs))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        display.end(runs)


async def _keep_showing(display: Display, runs: Sequence[Shown]) -> None:
    while True:
        # A thousand rows take time to count.
        slow = _SLOW_SECONDS if len(runs) > _MANY else 0.0
        await asyncio.sleep(max(display.every_seconds, slow))
        display.show(runs)


class Lines:
    """A line every few seconds, for logs and for screen readers."""

    every_seconds = 5.0

    def __init__(self, *, verbose: bool = False) -> None:
        self._verbose = verbose
        self._last = ""

    def show(self, runs: Sequence[Shown]) -> None:
        text = self._describe(runs)
        if text != self._last:
            print(text, flush=True)
        self._last = text

    def end(self, runs: Sequence[Shown]) -> None:
        """The end of a crawl says what it brought."""

    def _describe(self, runs: Sequence[Shown]) -> str:
        if len(runs) == 1:
            return describe_line(runs[0], verbose=self._verbose)
        return "; ".join([describe_states(count_attention(runs)), describe_totals(runs)])


class Terminal:
    """A view that is redrawn in place."""

    every_seconds = 0.25

    def __init__(self, console: Console, *, verbose: bool = False) -> None:
        self._console = console
        self._symbols = symbols_for(console.encoding)
        self._one = OneSite(self._symbols, verbose)
        # Refreshed by us: a thread of its own would read crawls while they change.
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def show(self, runs: Sequence[Shown]) -> None:
        self._live.start()
        if len(runs) == 1:
            view = self._one.draw(runs[0])
        else:
            view = draw_many(runs, self._console.height, self._symbols)
        # A terminal shows Ctrl-C as ^C behind the last line, and what does not fit moves the view.
        self._live.update(Padding(view, (0, len("^C"), 0, 0)), refresh=True)

    def end(self, runs: Sequence[Shown]) -> None:  # noqa: ARG002
        self._live.stop()


def describe_line(run: Shown, *, verbose: bool = False) -> str:
    """How a crawl goes, in one line."""
    tally, progress = run.progress.tally, run.progress
    doing = describe_wait(run) or describe_work(run)
    if not tally.requests:
        return f"{run.name}: {doing}"
    budget = run.settings.crawl.max_requests
    of = f" of {budget:,}" if budget is not None else ""
    requests = f"{tally.requests:,}{of} request{'' if tally.requests == 1 and not of else 's'}"
    parts = [
        f"{run.name}: {show_count(tally.targets, 'file')} found in {requests}",
        f"{progress.files:,} kept ({show_size(progress.file_bytes)})",
    ]
    if progress.failed:
        parts.append(f"{progress.failed:,} failed")
    if verbose:
        parts.append(f"{show_count(max(0, progress.waiting), 'link')} waiting")
        parts.append(f"{progress.targets_per_100:.0f} targets per 100 requests lately")
    if progress.remaining is not None:
        sentence = progress.remaining.sentence.rstrip(".")
        parts.append(f"left: {sentence[:1].lower()}{sentence[1:]}")
    return ", ".join(parts) + (f"; {doing}" if doing else "")
