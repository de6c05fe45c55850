"""Estimates of what is left: of running crawls only, in a small share of the time."""

import asyncio
import time
from types import SimpleNamespace

from datahound.errors import UserError
from datahound.operate import estimates
from datahound.operate.estimates import estimates_kept


def make_run(name, *, requests=5, ended=None, phase=""):
    return SimpleNamespace(
        ended=ended,
        progress=SimpleNamespace(
            tally=SimpleNamespace(requests=requests), phase=phase, remaining=None
        ),
        folder=SimpleNamespace(path=name),
    )


def keep(runs, seconds, monkeypatch, estimate):
    monkeypatch.setattr(estimates, "estimate_remaining", estimate)

    async def go():
        async with estimates_kept(runs, least_seconds=0.01):
            await asyncio.sleep(seconds)

    asyncio.run(go())


def test_running_crawls_are_estimated(monkeypatch):
    runs = [make_run("a"), make_run("b", ended="done"), make_run("c", requests=0),
            make_run("d", phase="catalogue")]  # fmt: skip
    keep(runs, 0.3, monkeypatch, lambda folder: f"left in {folder}")
    assert [run.progress.remaining for run in runs] == ["left in a", None, None, None]


def test_a_folder_that_is_gone_costs_nothing(monkeypatch):
    def fail(_folder):
        raise UserError("no crawl")

    runs = [make_run("a"), make_run("b")]
    keep(runs, 0.2, monkeypatch, fail)
    assert runs[0].progress.remaining is None


def test_slow_estimates_are_made_seldom(monkeypatch):
    begun = []

    def be_slow(folder):
        begun.append(folder)
        time.sleep(0.1)

    keep([make_run("a")], 1.0, monkeypatch, be_slow)
    assert len(begun) == 1  # the next one is due after 0.1 s / 5 % = 2 s


def test_the_end_of_the_block_ends_them(monkeypatch):
    begun = []
    keep([make_run("a")], 0.1, monkeypatch, begun.append)
    count = len(begun)
    assert count
    time.sleep(0.1)
    assert len(begun) == count
