"""Several runs in one event loop."""

import asyncio
import resource
import time

from datahound.report.phrases import Cause
from datahound.runs.outcome import INTERRUPTED, Ended, default_at_once, exit_status, go_all


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


def test_fewer_at_once_where_few_files_may_be_open(monkeypatch):
    limits = {}
    monkeypatch.setattr(resource, "getrlimit", lambda _: (limits["soft"], 4096))
    found = []
    for soft in (32, 256, 1024, 1 << 20):
        limits["soft"] = soft
        found.append(default_at_once())
    assert found == [1, 12, 50, 50]
