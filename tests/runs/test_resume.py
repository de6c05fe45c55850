"""A crawl that was cut off anywhere goes on as if it had not been.

With one host and one fetch at a time nothing is asked twice. With several under way, those that
were are asked again, and the journal's order alone decides what happens.
"""

import asyncio
import shutil
import sqlite3
from dataclasses import replace
from random import Random

import pytest
from pretend import PretendWeb, small_site

from datahound.archive import MemoryArchive
from datahound.model import Failure, Fetch, Postponed
from datahound.report.phrases import Cause
from datahound.runs.options import make_options, options_of
from datahound.runs.run import Run
from datahound.settings import CrawlSettings, EarlyStopSettings, Settings


@pytest.fixture(scope="module")
def site():
    return small_site()


ONE_HOST = {"subdomains": False}


def crawl(site, folder, *, before=None, checkpoint_seconds=0.0, **options):
    """Run to the end; the run, its web, and why it ended."""
    web = PretendWeb(site, before)
    given = {"output": str(folder), "delay": 0, **options}
    run = Run(
        make_options(site.seed, given),
        going_online=web.going_online,
        checkpoint_seconds=checkpoint_seconds,
    )
    return run, web, asyncio.run(run.go())


def story(folder):
    """What crawl.db tells, but for the times."""
    connection = sqlite3.connect(folder / "crawl.db")
    tables = {
        "request": "number, url, purpose, status, kind, expected, size, failure, redirected_from",
        "link": "number, url, anchor, depth, expected, action",
        "skip": "url, reason, anchor",
        "visit": "number, url, title, depth, action, reward, new_links, outcome",
        "target": "number, url, anchor, depth, mime_type, size",
        "action": "number, tag_path, place",
        "choice": "number, link, url, action, score, expected, evidence",
    }
    told = {
        table: connection.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2").fetchall()
        for table, columns in tables.items()
    }
    connection.close()
    return told


CUTS = [("sb-classifier", 0.0), ("sb-classifier", 0.05), ("sb-classifier", 1e9), ("bfs", 0.05)]
CUTS += [("dfs", 0.05), ("random", 0.05), ("focused", 0.05)]


@pytest.mark.parametrize(("strategy", "checkpoint_seconds"), CUTS)
def test_a_folder_as_a_kill_leaves_it_is_gone_on_with(site, tmp_path, strategy, checkpoint_seconds):
    """Whatever the instant: the same story, the same learned state, no request made twice."""
    whole, web, _ = crawl(site, tmp_path / "whole", strategy=strategy, **ONE_HOST)
    asked = web.asked
    rng = Random(strategy + str(checkpoint_seconds))
    instants = {rng.randrange(len(asked)) for _ in range(2)} | {1, len(asked) - 1}

    def copy(web):
        if len(web.asked) in instants:
            shutil.copytree(tmp_path / "cut", tmp_path / f"at-{len(web.asked)}")

    crawl(
        site,
        tmp_path / "cut",
        before=copy,
        strategy=strategy,
        checkpoint_seconds=checkpoint_seconds,
        **ONE_HOST,
    )
    for instant in instants:
        folder = tmp_path / f"at-{instant}"
        resumed, web, ended = crawl(site, folder, strategy=strategy, **ONE_HOST)
        assert web.asked == asked[instant:]
        assert story(folder) == story(tmp_path / "whole")
        assert resumed.crawl.snapshot() == whole.crawl.snapshot()
        assert ended.status == 0


def test_a_larger_budget_goes_on_where_the_smaller_ended(site, tmp_path):
    """A crawl in three parts tells the story of one, though budgets end in the midst of visits."""
    whole, web, _ = crawl(site, tmp_path / "whole", **ONE_HOST)
    budgets = (37, 60, None)
    parts = [crawl(site, tmp_path / "parts", budget=budget, **ONE_HOST) for budget in budgets]
    assert [ended.cause for _, _, ended in parts[:2]] == [Cause.SPENT_REQUESTS] * 2
    assert "--budget" in str(parts[0][2])
    assert [entry for _, web, _ in parts for entry in web.asked] == web.asked
    assert story(tmp_path / "parts") == story(tmp_path / "whole")
    assert parts[-1][0].crawl.snapshot() == whole.crawl.snapshot()


def test_a_budget_that_was_spent_before_loses_nothing(site, tmp_path):
    """A smaller budget than what was made ends at once; a larger one goes on all the same."""
    _, web, _ = crawl(site, tmp_path / "whole", **ONE_HOST)
    # No checkpoint but the first: all is in the journal.
    _, first, _ = crawl(site, tmp_path / "cut", budget=60, checkpoint_seconds=1e9, **ONE_HOST)
    _, second, ended = crawl(site, tmp_path / "cut", budget=30, **ONE_HOST)
    assert ended.cause is Cause.SPENT_REQUESTS
    assert not second.asked
    _, last, _ = crawl(site, tmp_path / "cut", **ONE_HOST)
    assert first.asked + last.asked == web.asked
    assert story(tmp_path / "cut") == story(tmp_path / "whole")


def test_a_crawl_without_early_stopping_goes_on(site, tmp_path):
    """A state in which something is not there comes back so."""
    off = {"early-stop": False}
    crawl(site, tmp_path, budget=50, **off)
    run, _, ended = crawl(site, tmp_path, **off)
    assert (run.crawl.early_stop, ended.status) == (None, 0)


def test_a_finished_crawl_says_so_and_asks_nothing(site, tmp_path):
    """The same command on a finished crawl makes no request."""
    crawl(site, tmp_path / "crawl")
    _, web, ended = crawl(site, tmp_path / "crawl")
    assert not web.asked
    assert "finished before" in ended.reason
    assert ended.status == 0


def test_an_interrupted_crawl_goes_on(site, tmp_path):
    """A stop at any request ends with 130 and loses nothing."""
    _, web, _ = crawl(site, tmp_path / "whole", **ONE_HOST)
    asked = web.asked

    class Stopping(PretendWeb):
        async def get(self, fetch):
            if len(self.asked) == 50:
                self.run.stop()
                await asyncio.sleep(60)
            return await super().get(fetch)

    web = Stopping(site)
    given = {"output": str(tmp_path / "cut"), **ONE_HOST}
    run = Run(make_options(site.seed, given), going_online=web.going_online)
    web.run = run
    ended = asyncio.run(run.go())
    assert ended.status == 130
    assert web.asked == asked[:50]
    _, again, _ = crawl(site, tmp_path / "cut", **ONE_HOST)
    assert again.asked == asked[50:]
    assert story(tmp_path / "cut") == story(tmp_path / "whole")


def test_hosts_that_rested_are_told_of_again(site, tmp_path):
    """Postponed links are part of the story: a resumed crawl lays the same ones aside."""

    class Resting(PretendWeb):
        async def get(self, fetch):
            count = self.counts[fetch.url] = self.counts.get(fetch.url, 0) + 1
            if len(fetch.url) % 5 == 0 and count == 1 and not fetch.patient:
                self.asked.append(("postponed", fetch.url))
                return Postponed(fetch.url)
            return await super().get(fetch)

    def go(folder, counts, budget=None):
        web = Resting(site)
        web.counts = counts
        given = {"output": str(folder), "budget": budget, **ONE_HOST}
        run = Run(make_options(site.seed, given), going_online=web.going_online)
        asyncio.run(run.go())
        return run, web

    whole, web = go(tmp_path / "whole", {})
    assert [entry for entry in web.asked if entry[0] == "postponed"]
    counts = {}
    _, first = go(tmp_path / "cut", counts, 60)
    last, second = go(tmp_path / "cut", counts)
    assert first.asked + second.asked == web.asked
    assert story(tmp_path / "cut") == story(tmp_path / "whole")
    assert last.crawl.snapshot() == whole.crawl.snapshot()


def test_targets_without_a_file_are_fetched_by_the_next_run(site, tmp_path):
    """A body that a crash cut off before the ledger knew of it is not forgotten."""
    _, web, _ = crawl(site, tmp_path / "crawl", budget=100)
    lost = web.bodies[::2]
    connection = sqlite3.connect(tmp_path / "crawl" / "crawl.db")
    for number, url in enumerate(lost):
        state = "UPDATE file SET state = 'started'" if number % 2 else "DELETE FROM file"
        connection.execute(f"{state} WHERE url = ?", (url,))
    connection.commit()
    connection.close()
    _, web, _ = crawl(site, tmp_path / "crawl", budget=100)
    assert sorted(web.bodies) == sorted(lost)


def test_a_list_is_fetched_later(site, tmp_path):
    """--list-only keeps no file; fetching gets every one of them and asks for no page."""
    _, web, ended = crawl(site, tmp_path / "crawl", **{"list-only": True})
    assert not web.bodies
    assert ended.status == 0
    web = PretendWeb(site)
    options = options_of(tmp_path / "crawl", {})
    ended = asyncio.run(Run(options, going_online=web.going_online).fetch())
    assert ended.reason == "every file is here"
    assert not web.asked
    assert len(web.bodies) == 40


def test_a_state_of_another_version_is_told_again_from_the_journal(site, tmp_path):
    """Learned state that can't be read is learned anew from what was recorded."""
    whole, web, _ = crawl(site, tmp_path / "whole", **ONE_HOST)
    crawl(site, tmp_path / "cut", budget=50, **ONE_HOST)
    connection = sqlite3.connect(tmp_path / "cut" / "crawl.db")
    connection.execute("UPDATE state SET data = x'4a30' WHERE part = 'crawl/version'")
    connection.commit()
    connection.close()
    resumed, rest, _ = crawl(site, tmp_path / "cut", **ONE_HOST)
    assert rest.asked == web.asked[50:]
    assert story(tmp_path / "cut") == story(tmp_path / "whole")
    assert resumed.crawl.snapshot() == whole.crawl.snapshot()


def test_early_stopping_can_be_overruled(site, tmp_path):
    """A crawl that stopped early says how to go on, and then tells what the others tell."""
    whole, _, _ = crawl(site, tmp_path / "whole", **{"early-stop": False}, **ONE_HOST)
    early = EarlyStopSettings(window=10, min_slope=2.0, patience=3)
    web = PretendWeb(site)
    options = make_options(site.seed, {"output": str(tmp_path / "cut"), **ONE_HOST})
    options = replace(options, base=Settings(crawl=CrawlSettings(early_stop=early)))
    ended = asyncio.run(Run(options, going_online=web.going_online).go())
    assert ended.status == 0
    assert "--no-early-stop" in str(ended)
    assert len(web.asked) < 60
    resumed, _, _ = crawl(site, tmp_path / "cut", **{"early-stop": False}, **ONE_HOST)
    assert story(tmp_path / "cut") == story(tmp_path / "whole")
    assert learned(resumed) == learned(whole)


def learned(run):
    return run.crawl.strategy.snapshot()


def test_time_is_a_limit_too(site, tmp_path):
    """--max-time ends as planned, and the same command goes on."""
    _, web, ended = crawl(site, tmp_path, **{"max-time": 0.05}, **ONE_HOST)
    assert (ended.status, "time is up" in ended.reason) == (0, True)
    _, rest, ended = crawl(site, tmp_path, **ONE_HOST)
    assert "followed" in ended.reason
    assert not set(web.asked) & set(rest.asked)


def test_a_start_page_that_fails_is_tried_again(site, tmp_path):
    """A crawl that never began is not taken for one that ended."""
    away = MemoryArchive(site.seed)
    away.put(Fetch(site.seed), Failure(site.seed, "host not found"))
    _, _, ended = crawl(away, tmp_path / "crawl")
    assert (ended.status, "host not found" in ended.reason) == (1, True)
    _, web, ended = crawl(site, tmp_path / "crawl")
    assert ended.status == 0
    assert len(web.asked) > 100


class SlowWeb(PretendWeb):
    """Each answer takes a time of its own, so that they come in another order."""

    def __init__(self, archive, before=None):
        super().__init__(archive, before)
        self.answered = []

    async def get(self, fetch):
        answer = await super().get(fetch)
        await asyncio.sleep(len(fetch.url) % 7 / 2000)
        self.answered.append((fetch.method, fetch.url))
        return answer


def crawl_slowly(site, folder, before=None, **options):
    web = SlowWeb(site, before)
    options = make_options(site.seed, {"output": str(folder), "delay": 0, **options})
    run = Run(options, going_online=web.going_online, checkpoint_seconds=0.02)
    return run, web, asyncio.run(run.go())


@pytest.mark.parametrize("strategy", ["hound", "sb-classifier", "bfs"])
def test_with_several_in_flight_only_those_are_asked_again(site, tmp_path, strategy):
    """Cut off anywhere: nothing is lost, and nothing that was answered is asked again."""
    instants = {1, 3, 40, 41, 97}
    answered = {}

    def copy(web):
        if len(web.asked) in instants:
            shutil.copytree(tmp_path / "cut", tmp_path / f"at-{len(web.asked)}")
            answered[len(web.asked)] = set(web.answered)

    given = {"strategy": strategy, "concurrency": 8}
    crawl_slowly(site, tmp_path / "cut", copy, **given)
    for instant in instants:
        folder = tmp_path / f"at-{instant}"
        run, web, ended = crawl_slowly(site, folder, **given)
        assert ended.cause is Cause.EXHAUSTED
        assert run.crawl.tally.targets == 40
        # Some answers may have come that the journal did not have when the folder was copied.
        assert len(answered[instant] & set(web.asked)) < 8
        assert len(web.asked) == len(set(web.asked))


@pytest.mark.parametrize("strategy", ["hound", "sb-classifier", "bfs"])
def test_live_equals_replay_in_the_recorded_order(site, tmp_path, strategy):
    """The journal has the answers in the order in which the crawl got them: it gives the story."""
    run, _, _ = crawl_slowly(site, tmp_path / "crawl", strategy=strategy, concurrency=8)
    connection = sqlite3.connect(tmp_path / "crawl" / "crawl.db")
    connection.execute("DELETE FROM state")
    connection.execute("DELETE FROM known")
    connection.execute("UPDATE fact SET value = 'null' WHERE name = 'ended'")
    connection.commit()
    connection.close()
    told = story(tmp_path / "crawl")
    again, web, _ = crawl_slowly(site, tmp_path / "crawl", strategy=strategy, concurrency=8)
    assert not web.asked
    assert story(tmp_path / "crawl") == told
    assert learned(again) == learned(run)


def test_another_concurrency_goes_on_from_the_journal(site, tmp_path):
    """The journal is replayed as it was made, and the rest is asked for as the user wants."""
    crawl_slowly(site, tmp_path / "crawl", concurrency=8, budget=80)
    run, web, ended = crawl_slowly(site, tmp_path / "crawl", concurrency=1)
    assert ended.cause is Cause.EXHAUSTED
    assert run.crawl.tally.targets == 40
    assert run.crawl.tally.requests == 80 + len(web.asked)
