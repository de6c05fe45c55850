"""Progress on whatever takes longer than two seconds, on the terminal's error stream."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn

_QUIET_SECONDS = 2.0
_LINE_SECONDS = 5.0

Report = Callable[[str, int, int], None]
"""Called with the task, the amount done and the amount in all (0: not known)."""


@contextmanager
def progress(subject: str) -> Iterator[Report]:
    """Show progress: a bar on a terminal, a line now and then elsewhere."""
    if not sys.stderr.isatty():
        yield _Lines(subject).report
        return
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    shown = _Bar(bar, subject)
    try:
        yield shown.report
    finally:
        bar.stop()


class _Bar:
    """Appears only once the wait has become noticeable."""

    def __init__(self, bar: Progress, subject: str) -> None:
        self._bar = bar
        self._subject = subject
        self._task = bar.add_task(subject, total=None)
        self._begun = time.monotonic()

    def report(self, doing: str, done: int, total: int) -> None:
        if not self._bar.live.is_started and time.monotonic() - self._begun > _QUIET_SECONDS:
            self._bar.start()
        description = f"{self._subject}: {doing}"
        self._bar.update(self._task, description=description, completed=done, total=total or None)


class _Lines:
    """One line every few seconds, for logs."""

    def __init__(self, subject: str) -> None:
        self._subject = subject
        self._next = time.monotonic() + _QUIET_SECONDS

    def report(self, doing: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _LINE_SECONDS
        of = f" of {total:,}" if total else ""
        print(f"{self._subject}: {doing}, {done:,}{of}", file=sys.stderr, flush=True)
