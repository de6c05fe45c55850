"""Several runs in one event loop: one site's trouble never stops another."""

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from datahound.errors import DatahoundError, UserError
from datahound.runs.outcome import BAD_INPUT, INTERRUPTED, TROUBLE, Ended
from datahound.runs.reasons import Cause


class Goer(Protocol):
    """A run or a recording."""

    ended: Ended | None

    def stop(self) -> None: ...


T = TypeVar("T", bound=Goer)


async def go_all(runs: Sequence[T], go: Callable[[T], Awaitable[Ended]]) -> list[Ended]:
    """Let all of them run to their ends, and say why each ended."""
    return list(await asyncio.gather(*(_ending(run, go(run)) for run in runs)))


def exit_status(endings: Sequence[Ended]) -> int:
    """One number for all: interrupted, something wrong, the user's mistake, or all as planned."""
    statuses = {ended.status for ended in endings}
    return next((s for s in (INTERRUPTED, TROUBLE, BAD_INPUT) if s in statuses), 0)


@contextlib.contextmanager
def stopped_by_signals(runs: Sequence[Goer]) -> Iterator[None]:
    """While it lasts, Ctrl-C or a request to end stops the runs; a second one ends at once.

    Ending at once is safe: a crash is what crawls are made for.
    """
    loop = asyncio.get_running_loop()
    asked: list[bool] = []

    def stop() -> None:
        if asked:
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


def describe_error(error: Exception) -> Ended:
    """The ending of a run that raised an error."""
    match error:
        case UserError():
            return Ended(Cause.BAD_INPUT, str(error), BAD_INPUT)
        case DatahoundError():
            return Ended(Cause.TROUBLE, str(error), TROUBLE)
    reason = f"a fault in Datahound: {type(error).__name__}: {error}"
    return Ended(Cause.FAULT, reason, TROUBLE)


async def _ending(run: Goer, going: Awaitable[Ended]) -> Ended:
    try:
        ended = await going
    except Exception as error:
        if not isinstance(error, DatahoundError):
            logging.getLogger(__name__).exception("a fault in Datahound, please report it")
        ended = describe_error(error)
    run.ended = ended
    return ended
