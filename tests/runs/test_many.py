"""Several runs in one event loop."""

import asyncio
import resource
import threading
import time
import tracemalloc
from contextlib import contextmanager, suppress

import pytest

from datahound.report.phrases import Cause
from datahound.runs.many import default_at_once, go_all, make_runs
from datahound.runs.options import make_options
from datahound.runs.outcome import INTERRUPTED, Ended, exit_status
from datahound.runs.session import held_in_thread


class Counted:
    """A run that counts how many are under way."""

    under_way = most = 0

    def __init__(self, name="www.a.example"):
        self.name = name
        self.ended = None
        self.stopping = False

    def stop(self):
        self.stopping = True

    async def go(self):
        Counted.under_way += 1
        Counted.most = max(Counted.most, Counted.under_way)
        await asyncio.sleep(0.05)
        Counted.under_way -= 1
        return Ended(Cause.EXHAUSTED, "done")


def test_a_few_run_at_once_and_the_others_wait():
    runs = [Counted() for _ in range(40)]
    endings = asyncio.run(go_all(runs, Counted.go, at_once=5))
    assert Counted.most == 5
    assert [ended.cause for ended in endings] == [Cause.EXHAUSTED] * 40


def test_sites_of_one_host_do_not_keep_others_out():
    """They share its pace, so a second one would wait for the first."""
    begun, all_places = [], asyncio.Event()

    async def go(run):
        begun.append(run.name)
        if len(begun) == 3:
            all_places.set()
        await all_places.wait()
        return await run.go()

    runs = [Counted(name) for name in ["a", "a", "a", "b", "c"]]
    asyncio.run(go_all(runs, go, at_once=3))
    assert sorted(begun[:3]) == ["a", "b", "c"]


def test_the_first_run_goes_on_before_all_have_begun():
    """To begin takes time in which nothing else happens: to open a folder, to make a database."""
    begun, begun_when_served = [], []

    async def go(run):
        begun.append(run)
        time.sleep(0.05)
        for _ in range(5):
            await asyncio.sleep(0)
        begun_when_served.append(len(begun))
        return await run.go()

    asyncio.run(go_all([Counted(str(n)) for n in range(20)], go, at_once=20))
    assert begun_when_served[0] <= 3


def test_runs_that_wait_are_not_begun_after_a_stop():
    """They end as interrupted; nothing of them is on the disk."""
    runs = [Counted() for _ in range(4)]

    async def go(run):
        for other in runs:
            other.stop()
        return await run.go()

    endings = asyncio.run(go_all(runs, go, at_once=1))
    assert [ended.cause for ended in endings] == [Cause.EXHAUSTED, *[Cause.INTERRUPTED] * 3]
    assert exit_status(endings) == INTERRUPTED


def test_runs_that_wait_or_have_ended_hold_no_crawl(tmp_path):
    """Of a thousand sites in a file only those that are crawled now take the memory of a crawl."""
    tracemalloc.start()
    runs = make_runs(
        [make_options(f"http://n{n}.example/", {"output": tmp_path / str(n)}) for n in range(50)],
        lambda _run, _events: None,
        None,
    )
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert used / len(runs) < 40_000
    run = runs[0]
    assert run.progress.crawl is None
    run.crawl.tally.requests = 7
    run.release_crawl()
    assert run.progress.crawl is None
    assert run.progress.tally.requests == 7


def test_a_context_of_the_disk_is_entered_and_left_in_a_thread():
    """Others have the event loop meanwhile; what a cancelled task has opened is closed."""
    done, may_enter = [], threading.Event()

    @contextmanager
    def slow():
        may_enter.wait(5)
        done.append(threading.current_thread() is threading.main_thread())
        try:
            yield 7
        finally:
            done.append("left")

    async def hold():
        async with held_in_thread(slow()) as entered:
            done.append(entered)
            raise KeyError("x")

    async def cancelled():
        task = asyncio.create_task(hold())
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.sleep(0.05)
        may_enter.set()
        with suppress(asyncio.CancelledError):
            await task
        return task.cancelled()

    assert asyncio.run(cancelled())
    assert done == [False, "left"]
    done.clear()
    with pytest.raises(KeyError):
        asyncio.run(hold())
    assert done == [False, 7, "left"]


def test_fewer_at_once_where_few_files_may_be_open(monkeypatch):
    limits = {}
    monkeypatch.setattr(resource, "getrlimit", lambda _: (limits["soft"], 4096))
    found = []
    for soft in (32, 256, 1024, 1 << 20):
        limits["soft"] = soft
        found.append(default_at_once())
    assert found == [1, 12, 50, 50]
