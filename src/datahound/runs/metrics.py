"""The figures of crawls in the text format of Prometheus."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from datahound.errors import StorageError
from datahound.runs.progress import Progress
from datahound.store import reading

_EVERY_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one crawl."""

    requests: int = 0
    targets: int = 0
    visits: int = 0
    skipped: int = 0
    links: int = 0
    files: int = 0
    file_bytes: int = 0
    files_failed: int = 0
    running: bool = False
    last_request_at: float | None = None
    waiting: int | None = None
    bytes: int | None = None


_METRICS = {
    "requests": ("requests_total", "counter", "Requests made."),
    "targets": ("targets_total", "counter", "Data files found."),
    "visits": ("visits_total", "counter", "Links that were chosen and dealt with."),
    "skipped": ("skipped_total", "counter", "Links left out."),
    "links": ("links_total", "counter", "Links met."),
    "files": ("files", "gauge", "Data files kept."),
    "file_bytes": ("file_bytes", "gauge", "Bytes of the data files kept."),
    "files_failed": ("files_failed", "gauge", "Data files that could not be had."),
    "running": ("running", "gauge", "1 while a process crawls."),
    "last_request_at": ("last_request_timestamp_seconds", "gauge", "When the last answer came."),
    "waiting": ("links_waiting", "gauge", "Links that wait for a visit."),
    "bytes": ("received_bytes_total", "counter", "Bytes that requests brought."),
}


class Measured(Protocol):
    """A run, as far as metrics need it."""

    @property
    def name(self) -> str: ...

    @property
    def progress(self) -> Progress: ...

    @property
    def ended(self) -> object: ...


def figures_of(connection: sqlite3.Connection, *, running: bool) -> Figures:
    """The figures of a crawl, from its database."""
    counts = reading.read_quick_counts(connection)
    totals = reading.read_file_totals(connection)
    at = counts.last_request_at
    return Figures(*counts[:5], *totals, running=running, last_request_at=at)


def figures_now(run: Measured) -> Figures:
    """The figures of a run of this process."""
    progress = run.progress
    tally = progress.crawl.tally
    return Figures(
        tally.requests,
        tally.targets,
        tally.visits,
        sum(progress.skipped.values()),
        len(progress.crawl.known),
        progress.files,
        progress.file_bytes,
        progress.failed,
        running=run.ended is None,
        last_request_at=time.time() if progress.fetching else None,
        waiting=progress.waiting,
        bytes=tally.bytes,
    )


def metrics_text(crawls: Mapping[str, Figures]) -> str:
    """The figures of all crawls in the text format of Prometheus."""
    lines: list[str] = []
    for name, (metric, kind, text) in _METRICS.items():
        samples = [
            f'datahound_{metric}{{crawl="{_label(crawl)}"}} {float(value):.17g}'
            for crawl, figures in crawls.items()
            if (value := getattr(figures, name)) is not None
        ]
        if samples:
            lines += [f"# HELP datahound_{metric} {text}", f"# TYPE datahound_{metric} {kind}"]
            lines += samples
    return "\n".join(lines) + "\n" if lines else ""


def write_metrics(path: Path, runs: Sequence[Measured]) -> None:
    """Write the figures of this process's runs into a file, all of them or nothing."""
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.write_text(metrics_text({run.name: figures_now(run) for run in runs}))
        draft.replace(path)
    except OSError as error:
        raise StorageError(f"{path}: can't be written: {error.strerror or error}") from None


@asynccontextmanager
async def metrics_written(
    path: Path | None, runs: Sequence[Measured], every_seconds: float = _EVERY_SECONDS
) -> AsyncIterator[None]:
    """Keep a file of figures up to date while the block lasts; None keeps none."""
    if path is None:
        yield
        return
    write_metrics(path, runs)
    task = asyncio.create_task(_again(path, runs, every_seconds))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        write_metrics(path, runs)


async def _again(path: Path, runs: Sequence[Measured], seconds: float) -> None:
    while True:
        await asyncio.sleep(seconds)
        write_metrics(path, runs)


def _label(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
