"""The fork pool: results as they end, whatever happens to a worker."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from datahound.lab.fork_pool import WorkerDied, map_forked


def ignore(_):
    pass


def double(task):
    return os.getpid(), 2 * task


@pytest.mark.parametrize("workers", [1, 2, 3, 20])
def test_each_task_has_one_result(workers):
    """Every task is done once, by however many workers, in this process if there is one."""
    found = dict(map_forked(double, [5, 6, 7, 8], workers, ignore))
    assert {index: value for index, (_, value) in found.items()} == {0: 10, 1: 12, 2: 14, 3: 16}
    processes = {process for process, _ in found.values()}
    assert (os.getpid() in processes) == (workers == 1)
    assert len(processes) <= workers


def test_nothing_to_do():
    """No tasks, no workers."""
    assert list(map_forked(double, [], 4, ignore)) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_raised_is_a_result(workers):
    """A task that fails does not stop the others; its exception comes back."""
    found = dict(map_forked(lambda task: 1 / task, [1, 0, 2], workers, ignore))
    assert (found[0], found[2]) == (1.0, 0.5)
    assert isinstance(found[1], ZeroDivisionError)


def test_a_death_costs_one_task():
    """The task whose worker was killed is known; the others are done by a new worker."""

    def kill_itself(task):
        if task == 2:
            os._exit(9)
        return task

    found = dict(map_forked(kill_itself, range(6), 2, ignore))
    assert isinstance(found.pop(2), WorkerDied)
    assert found == {index: index for index in (0, 1, 3, 4, 5)}


KILLED = """
import os, signal, time
from datahound.lab.fork_pool import map_forked

for _ in map_forked(time.sleep, [0.0, 0.1, 0.2, 0.3], 3, lambda _: None):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_workers_end_with_the_first_process():
    """Where it is killed: nobody is left who holds its output open, and nothing is said."""
    command = [sys.executable, "-c", KILLED]
    ended = subprocess.run(command, capture_output=True, timeout=30, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGKILL, b"", b"")


def test_nothing_is_pickled_but_results():
    """The function may hold what can't be pickled: forked workers have the memory of this one."""
    lock = threading.Lock()

    def use_lock(task):
        with lock:
            return task

    assert dict(map_forked(use_lock, [1, 2, 3], 2, ignore)) == {0: 1, 1: 2, 2: 3}


def test_results_come_as_tasks_end():
    """A slow task does not hold up the others."""
    order = [index for index, _ in map_forked(time.sleep, [0.5, 0.01, 0.01], 2, ignore)]
    assert order == [1, 2, 0]


def test_waiting_is_told():
    """The index of a task under way is reported while nothing ends, and before each task alone."""
    seen = []
    list(map_forked(time.sleep, [1.2, 0.0], 2, seen.append))
    assert seen.count(0) >= 2
    seen.clear()
    list(map_forked(time.sleep, [0, 0], 1, seen.append))
    assert seen == [0, 1]


def test_stopping_early_ends_the_workers():
    """A caller that has enough leaves no process behind."""
    results = map_forked(time.sleep, [0.01, 60, 60], 2, ignore)
    assert next(results)[0] == 0
    results.close()
    assert multiprocessing.active_children() == []


def test_ctrl_c_is_left_to_this_process():
    """Workers ignore it, so that this process can end them in good order."""
    # Shells let jobs in the background ignore it, this process among them.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        handlers = dict(map_forked(lambda _: signal.getsignal(signal.SIGINT), [1, 2], 2, ignore))
        assert set(handlers.values()) == {signal.SIG_IGN}
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
