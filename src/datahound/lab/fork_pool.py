"""Run a function on many tasks in forked processes, which share the memory of this one."""

import gc
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from datahound.errors import DatahoundError

_TICK_SECONDS = 0.5

Task = TypeVar("Task")
Value = TypeVar("Value")


class WorkerDied(DatahoundError):
    """The process that worked on a task was killed."""


def map_forked(
    function: Callable[[Task], Value],
    tasks: Sequence[Task],
    workers: int,
    tick: Callable[[int], None],
) -> Iterator[tuple[int, Value | Exception]]:
    """Yield the index of each task and what the function returned or raised, as tasks end.

    Workers are forked, so neither the function nor the tasks are pickled, only the results. `tick`
    gets the index of a task under way, at least twice a second. One worker, or a system without
    fork, works in this process.
    """
    if min(workers, len(tasks)) <= 1 or "fork" not in multiprocessing.get_all_start_methods():
        for index, task in enumerate(tasks):
            tick(index)
            yield index, _call(function, task)
        return
    # Without this, the garbage collector of each worker copies every page of shared memory.
    gc.freeze()
    pool = _Pool(function, tasks)
    try:
        yield from pool.run(workers, tick)
    finally:
        pool.close()
        gc.unfreeze()


class _Pool:
    """Workers that get one task at a time, so that a death costs the task it happened in.

    `_busy` has the task of each worker, by the connection to it.
    """

    def __init__(self, function: Callable[[Any], Any], tasks: Sequence[Any]) -> None:
        self._function = function
        self._tasks = tasks
        self._left = iter(range(len(tasks)))
        self._busy: dict[Connection, int] = {}
        self._connections: list[Connection] = []
        self._processes: list[BaseProcess] = []

    def run(self, workers: int, tick: Callable[[int], None]) -> Iterator[tuple[int, Any]]:
        for _ in range(min(workers, len(self._tasks))):
            self._fork()
        while self._busy:
            tick(next(iter(self._busy.values())))
            # One connection per worker, and not one queue for all: a worker that is killed while it
            # holds the lock of a queue would block the others for ever.
            ended = wait(list(self._busy), _TICK_SECONDS)
            for connection in [c for c in self._busy if c in ended]:
                index = self._busy.pop(connection)
                try:
                    result = connection.recv()
                    self._give_task(connection)
                except (EOFError, OSError):
                    # The system's out-of-memory killer leaves no message of its own.
                    result = WorkerDied("its worker died, perhaps because memory ran out")
                    self._fork()
                yield index, result

    def close(self) -> None:
        for process in self._processes:
            process.terminate()
            process.join()

    def _fork(self) -> None:
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        self._connections.append(ours)
        arguments = (self._function, self._tasks, theirs, self._connections)
        self._processes.append(context.Process(target=_work, args=arguments, daemon=True))
        self._processes[-1].start()
        # The worker has the only open end now, so that its death ends the connection.
        theirs.close()
        self._give_task(ours)

    def _give_task(self, connection: Connection) -> None:
        index = next(self._left, None)
        if index is not None:
            self._busy[connection] = index
        with suppress(OSError):  # the death of a worker shows when its result is received
            connection.send(index)


def _work(
    function: Callable[[Any], Any],
    tasks: Sequence[Any],
    connection: Connection,
    inherited: Sequence[Connection],
) -> None:
    """Work on tasks by their indices until none is left; runs in a worker process."""
    # Ctrl-C reaches all processes of a terminal; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Copies of the other ends: with them open, the death of the first process would not show.
    for other in inherited:
        other.close()
    with suppress(EOFError, OSError):
        while (index := connection.recv()) is not None:
            connection.send(_call(function, tasks[index]))


def _call(function: Callable[[Any], Any], task: Any) -> Any:
    try:
        return function(task)
    except Exception as error:  # noqa: BLE001 the caller decides what a failed task means
        return error
