"""Run a function on many tasks in forked processes, which share the memory of this one."""

import gc
import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from datahound.errors import DatahoundError

_TICK_SECONDS = 0.5

Task = TypeVar("Task")
Value = TypeVar("Value")


class WorkerDied(DatahoundError):
    """The process that worked on a task was killed."""


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    connection: Connection
    index: int
    """The task that it works on."""


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
    """Workers that get one task at a time, so that a death costs the task it happened in."""

    def __init__(self, function: Callable[[Any], Any], tasks: Sequence[Any]) -> None:
        self._function = function
        self._tasks = tasks
        self._left = iter(range(len(tasks)))
        self._busy: dict[Connection, _Worker] = {}

    def run(self, workers: int, tick: Callable[[int], None]) -> Iterator[tuple[int, Any]]:
        for _ in range(min(workers, len(self._tasks))):
            self._fork()
        while self._busy:
            tick(next(iter(self._busy.values())).index)
            for connection in wait(list(self._busy), _TICK_SECONDS):
                assert isinstance(connection, Connection)
                yield self._receive(self._busy.pop(connection))

    def close(self) -> None:
        for worker in self._busy.values():
            worker.process.terminate()
            worker.process.join()

    def _receive(self, worker: _Worker) -> tuple[int, Any]:
        """The result of a worker, which gets the next task; one that died is replaced."""
        done = worker.index
        try:
            result = worker.connection.recv()
        except (EOFError, OSError):
            worker.process.join()
            worker.connection.close()
            self._fork()
            return done, WorkerDied("its worker died, perhaps for want of memory")
        self._give_task(worker)
        return done, result

    def _fork(self) -> None:
        context = multiprocessing.get_context("fork")
        ours, theirs = context.Pipe()
        arguments = (self._function, self._tasks, theirs)
        process = context.Process(target=_work, args=arguments, daemon=True)
        process.start()
        # The worker has the only open end now, so that its death ends the connection.
        theirs.close()
        self._give_task(_Worker(process, ours, -1))

    def _give_task(self, worker: _Worker) -> None:
        worker.index = next(self._left, -1)
        if worker.index >= 0:
            self._busy[worker.connection] = worker
        with suppress(OSError):  # a worker that is dead already shows as the end of its connection
            worker.connection.send(worker.index)
        if worker.index < 0:
            worker.process.join()
            worker.connection.close()


def _work(function: Callable[[Any], Any], tasks: Sequence[Any], connection: Connection) -> None:
    """What a worker does: tasks by their indices, until there are no more."""
    # Ctrl-C reaches all processes of a terminal; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError):
        while (index := connection.recv()) >= 0:
            connection.send(_call(function, tasks[index]))


def _call(function: Callable[[Any], Any], task: Any) -> Any:
    try:
        return function(task)
    except Exception as error:  # noqa: BLE001 the caller decides what a failed task means
        return error
