"""Several runs in one event loop: one site's trouble never stops another."""

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from datahound.errors import DatahoundError, UserError
from datahound.runs.endings import INTERRUPTED, Ended
from datahound.runs.reasons import Cause

_BAD_INPUT, _TROUBLE = 2, 1


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
    return next((s for s in (INTERRUPTED, _TROUBLE, _BAD_INPUT) if s in statuses), 0)


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


async def _ending(run: Goer, going: Awaitable[Ended]) -> Ended:
    try:
        ended = await going
    except UserError as error:
        ended = Ended(Cause.BAD_INPUT, str(error), _BAD_INPUT)
    except DatahoundError as error:
        ended = Ended(Cause.TROUBLE, str(error), _TROUBLE)
    except Exception as error:  # the outermost loop: others go on
        logging.getLogger(__name__).exception("a fault in Datahound, please report it")
        reason = f"a fault in Datahound: {type(error).__name__}: {error}"
        ended = Ended(Cause.FAULT, reason, _TROUBLE)
    run.ended = ended
    return ended
