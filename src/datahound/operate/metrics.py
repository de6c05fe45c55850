"""Figures of crawls that run, in a file for Prometheus."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

from datahound.files import storage_errors, write_whole
from datahound.report.status import Figures, choose_name, has_failed, metrics_text
from datahound.runs import Ended, Progress
from datahound.runs.options import Options

# How often Prometheus looks, by default.
_EVERY_SECONDS = 15.0


class Measured(Protocol):
    """A run, as far as metrics need it."""

    @property
    def options(self) -> Options: ...

    @property
    def progress(self) -> Progress: ...

    @property
    def ended(self) -> Ended | None: ...


def figures_now(run: Measured) -> Figures:
    """The figures of a run of this process."""
    progress, ended = run.progress, run.ended
    tally = progress.tally
    return Figures(
        tally.requests,
        tally.targets,
        tally.visits,
        sum(progress.skipped.values()),
        progress.links,
        progress.files,
        progress.file_bytes,
        progress.failed,
        running=ended is None,
        ended=ended is not None,
        failed=ended is not None and has_failed(ended.status),
        succeeded_at=progress.succeeded_at,
        last_request_at=progress.answered_at,
        live=progress.figures,
    )


def write_metrics(path: Path, runs: Sequence[Measured]) -> None:
    """Write the figures of this process's runs into a file, all of them or nothing."""
    found: dict[str, Figures] = {}
    for run in runs:
        found[choose_name(run.options.output.name, found)] = figures_now(run)
    with storage_errors(path), write_whole(path) as draft:
        draft.write_text(metrics_text(found))


@asynccontextmanager
async def metrics_written(
    path: Path | None, runs: Sequence[Measured], every_seconds: float = _EVERY_SECONDS
) -> AsyncIterator[None]:
    """Keep a file of figures up to date while the block lasts; None keeps none."""
    if path is None:
        yield
        return
    write_metrics(path, runs)
    task = asyncio.create_task(_keep_writing(path, runs, every_seconds))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        write_metrics(path, runs)


async def _keep_writing(path: Path, runs: Sequence[Measured], seconds: float) -> None:
    while True:
        await asyncio.sleep(seconds)
        write_metrics(path, runs)
