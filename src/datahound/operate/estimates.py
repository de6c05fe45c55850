"""Keeps the estimates of running crawls up to date, in a thread and a small share of the time."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from datahound.errors import DatahoundError
from datahound.report.page import estimate_remaining
from datahound.report.status import Estimate
from datahound.runs import Run

_LEAST_SECONDS = 2.0
_SHARE = 0.05


@asynccontextmanager
async def estimates_kept(
    runs: Sequence[Run], least_seconds: float = _LEAST_SECONDS
) -> AsyncIterator[None]:
    """Estimate what is left on the site of one run after the other, while the block lasts."""
    task = asyncio.create_task(_keep_estimating(runs, least_seconds))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _keep_estimating(runs: Sequence[Run], least_seconds: float) -> None:
    while True:
        await asyncio.sleep(least_seconds)
        for run in runs:
            if run.ended is None and run.progress.tally.requests and not run.progress.phase:
                begun = time.perf_counter()
                run.progress.remaining = await asyncio.to_thread(_estimate, run.folder.path)
                # An estimate reads all visits, so it takes longer as the crawl grows.
                await asyncio.sleep((time.perf_counter() - begun) / _SHARE)


def _estimate(folder: Path) -> Estimate | None:
    try:
        return estimate_remaining(folder)
    except DatahoundError:
        # The folder may be gone or locked; the crawl itself will say so.
        return None
