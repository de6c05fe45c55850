"""Several crawls in one process: made, run a few at a time, and stopped by signals."""

import asyncio
import contextlib
import logging
import os
import resource
import signal
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Protocol, TypeVar

from datahound.errors import DatahoundError
from datahound.model import FileRecord
from datahound.runs.online import ReadingPool, share_online
from datahound.runs.options import Options
from datahound.runs.outcome import INTERRUPTED, Ended, describe_error, interrupted
from datahound.runs.run import Run, Watcher

_MOST_AT_ONCE = 50
_FILES_PER_SITE = 16
"""Open files of one crawl: databases, journal, index, connections and downloads."""
_OTHER_FILES = 64
_START_SECONDS = 0.005


def make_runs(
    planned: Iterable[Options],
    watch: Watcher,
    reader: ReadingPool,
    on_file: Callable[[Options, FileRecord], None] | None = None,
) -> list[Run]:
    """Crawls for one event loop; those that ask the same host or address share one pace."""
    online = share_online()
    return [
        Run(
            options,
            watch=watch,
            on_file=partial(on_file, options) if on_file else None,
            going_online=online,
            reader=reader,
        )
        for options in planned
    ]


class Runnable(Protocol):
    """A run or a recording."""

    ended: Ended | None

    @property
    def name(self) -> str:
        """The host."""
        ...

    def stop(self) -> None: ...

    @property
    def stopping(self) -> bool:
        """Whether `stop` was called."""
        ...


T = TypeVar("T", bound=Runnable)


async def go_all(
    runs: Sequence[T], go: Callable[[T], Awaitable[Ended]], at_once: int | None = None
) -> list[Ended]:
    """Let all of them run to their ends, `at_once` at a time, and say why each ended.

    A free place goes to a site whose host is asked by the fewest crawls: those of one host share
    its pace, so that together they would keep others out and be no faster.
    """
    waiting, under_way = [(run.name, run) for run in runs], Counter[str]()
    starting = asyncio.Lock()

    async def take_turns() -> None:
        # Between two starts the loop serves those begun: opening a folder takes some 30 ms, and
        # nobody would ask for a page before all have opened theirs.
        async with starting:
            await asyncio.sleep(_START_SECONDS)
        while waiting:
            name, run = waiting.pop(_find_idlest([under_way[name] for name, _ in waiting]))
            under_way[name] += 1
            if run.stopping:
                run.ended = interrupted()
            else:
                run.ended = await _judge_end(go(run))
            under_way[name] -= 1

    places = min(at_once or len(runs), len(runs))
    await asyncio.gather(*(take_turns() for _ in range(places)))
    return [run.ended or interrupted() for run in runs]


def _find_idlest(crawls: Sequence[int]) -> int:
    """The index of the smallest number, the first of equal ones."""
    return crawls.index(min(crawls))


def default_at_once() -> int:
    """Sites at a time: up to 50, fewer where a process may open few files."""
    # Each site holds sockets, a journal, two databases: at the limit all crawls would fail.
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(1, min(_MOST_AT_ONCE, (soft - _OTHER_FILES) // _FILES_PER_SITE))


async def _judge_end(going: Awaitable[Ended]) -> Ended:
    """Wait for the end of a crawl; an error is an ending, too."""
    try:
        return await going
    except Exception as error:
        # One crawl must not end the others, but a fault in Datahound needs its traceback.
        if not isinstance(error, DatahoundError):
            logging.getLogger(__name__).exception("a fault in Datahound, please report it")
        return describe_error(error)


@contextlib.contextmanager
def stopped_by_signals(
    runs: Sequence[Runnable], before_exit: Callable[[], None] = lambda: None
) -> Iterator[None]:
    """During the block, SIGINT and SIGTERM stop the runs; a second one exits at once.

    Exiting at once is safe: every crawl can resume after a crash.
    """
    loop = asyncio.get_running_loop()
    asked: list[bool] = []

    def stop() -> None:
        if asked:
            before_exit()
            # Not sys.exit: threads that wait for a disk or a server would keep the process alive.
            os._exit(INTERRUPTED)
        asked.append(True)
        for run in runs:
            run.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


@contextlib.contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """During the block, SIGTERM raises KeyboardInterrupt as SIGINT does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
