"""A running crawl can be paused, continued and stopped from outside, and tells what it does."""

import asyncio
import json
import sqlite3
import threading
from contextlib import closing

import pytest
from pretend import PretendWeb, small_site

from datahound.errors import StorageError
from datahound.events import Fetched
from datahound.model import Fetch, Kind, Purpose, Response
from datahound.runs.options import make_options
from datahound.runs.progress import Progress
from datahound.runs.run import Run
from datahound.runs.session import (
    CheckpointPace,
    Chore,
    Gate,
    ObservedWeb,
    describe_activity,
    run_heartbeat,
)
from datahound.store.folder import Folder, command_crawl


class SlowWeb(PretendWeb):
    """Takes a little time for each answer."""

    async def get(self, fetch):
        await asyncio.sleep(0.004)
        return await super().get(fetch)


@pytest.fixture(scope="module")
def site():
    return small_site()


def begun(site, folder):
    web = SlowWeb(site)
    options = make_options(site.seed, {"output": str(folder), "delay": 0})
    return web, Run(options, going_online=web.going_online)


async def until(condition, seconds=20.0):
    for _ in range(int(seconds / 0.02)):
        if condition():
            return
        await asyncio.sleep(0.02)
    pytest.fail("it never came to that")


def test_pause_continue_and_stop(site, tmp_path):
    """Paused, not one request is begun; continued, it goes on; stopped, it ends as by Ctrl-C."""

    async def scene():
        web, run = begun(site, tmp_path)
        going = asyncio.create_task(run.go())
        await until(lambda: len(web.asked) > 20)
        command_crawl(tmp_path, "pause")
        await asyncio.sleep(0.1)
        asked = len(web.asked)
        await asyncio.sleep(0.6)
        assert len(web.asked) == asked
        assert not going.done()
        command_crawl(tmp_path, "continue")
        await until(lambda: len(web.asked) > asked + 10)
        command_crawl(tmp_path, "stop")
        ended = await going
        assert ended.status == 130
        return len(web.asked)

    asked = asyncio.run(scene())
    assert not Folder(tmp_path).control.exists()
    web, run = begun(site, tmp_path)
    assert asyncio.run(run.go()).status == 0
    whole, last = begun(site, tmp_path.with_name("whole"))
    asyncio.run(last.go())
    # The fetch that was under way when it was stopped may be made again.
    assert asked + len(web.asked) - len(whole.asked) in (0, 1)


def test_what_an_earlier_crawl_was_told_is_forgotten(site, tmp_path):
    """A stale file neither pauses nor stops the next crawl."""
    tmp_path.joinpath("crawl").mkdir()
    Folder(tmp_path / "crawl").control.write_text("stop")
    _, run = begun(site, tmp_path / "crawl")
    assert asyncio.run(run.go()).status == 0


def test_whoever_watches_sees_what_happens_within_a_second_or_two(site, tmp_path):
    """Rows reach the disk by time, not only by hundreds; so does what is being fetched."""

    def seen():
        if not (tmp_path / "crawl.db").exists():
            return None, 0
        uri = f"{(tmp_path / 'crawl.db').as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            try:
                found = connection.execute("SELECT value FROM fact WHERE name = 'now'").fetchone()
                (requests,) = connection.execute("SELECT count(*) FROM request").fetchone()
            except sqlite3.OperationalError:
                return None, 0
        return json.loads(found[0]) if found else None, requests

    async def scene():
        web, run = begun(site, tmp_path)
        going = asyncio.create_task(run.go())
        await until(lambda: len(web.asked) > 30)
        command_crawl(tmp_path, "pause")
        await asyncio.sleep(2.2)
        now, requests = seen()
        run.stop()
        await going
        return now, requests, len(web.asked)

    now, requests, asked = asyncio.run(scene())
    assert now["paused"]
    assert now["waiting_links"] > 0
    assert requests >= asked - 1


def test_all_fetches_under_way_are_on_show(site, tmp_path):
    """Several at a time, each until its answer comes, whatever becomes of the others."""

    class Slow:
        def __init__(self):
            self.answers = {}

        async def get(self, fetch):
            answer = self.answers[fetch.url] = asyncio.get_running_loop().create_future()
            return await answer

    async def scene():
        _, run = begun(site, tmp_path)
        web, progress = Slow(), run.progress
        watched = ObservedWeb(web, progress, Gate(tmp_path / "crawl.control", lambda: None))
        fetches = [Fetch(f"https://h{n}.example/") for n in range(30)]
        tasks = [asyncio.create_task(watched.get(fetch)) for fetch in fetches]
        await asyncio.sleep(0.01)
        progress.wait("politeness", "h1.example", 60)
        now = describe_activity(progress, {}, paused=False, files_under_way=0)
        web.answers[fetches[0].url].set_result(Response(fetches[0].url, 200))
        web.answers[fetches[1].url].set_exception(OSError())
        tasks[2].cancel()
        await asyncio.gather(*tasks[:3], return_exceptions=True)
        left = set(progress.fetching), set(progress.waits)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return now, left, [fetch.url for fetch in fetches], progress.fetching

    now, (left, waits), urls, after = asyncio.run(scene())
    assert now["fetches"] == 30
    shown = now["fetching"]
    assert [fetch["url"] for fetch in shown] == urls[: len(shown)]
    assert [fetch["waiting_for"] for fetch in shown[:2]] == ["", "politeness (60s)"]
    assert left == set(urls[3:])
    assert not waits
    assert not after


def test_a_pause_is_heeded_after_a_wait(tmp_path):
    """A request that waits for its host's turn is not begun either."""

    async def scene():
        gate = Gate(tmp_path / "crawl.control", lambda: None)
        (tmp_path / "crawl.control").write_text("pause")
        sleeping = asyncio.create_task(gate.sleep(0.01))
        await asyncio.sleep(0.3)
        assert not sleeping.done()
        (tmp_path / "crawl.control").unlink()
        await asyncio.wait_for(sleeping, 5)

    asyncio.run(scene())


def test_a_pause_is_no_time_of_the_site(site, tmp_path):
    """What a request takes is measured anew: the time that is left would grow for no reason."""
    progress = Progress(now=iter(range(0, 9000, 100)).__next__)
    for number in range(3):
        progress.observe([Fetched(number, Fetch(site.seed), 200, Kind.PAGE, Kind.PAGE, 10)])
    assert progress.seconds_per_request == 100
    web = ObservedWeb(SlowWeb(site), progress, Gate(tmp_path / "crawl.control", lambda: None))

    async def scene():
        (tmp_path / "crawl.control").write_text("pause")
        asking = asyncio.create_task(web.get(Fetch(site.seed, Purpose.PROBE)))
        await until(lambda: progress.paused)
        (tmp_path / "crawl.control").unlink()
        await asyncio.wait_for(asking, 5)

    asyncio.run(scene())
    assert progress.seconds_per_request is None


def test_trouble_while_showing_ends_the_crawl():
    """A disk that is full is not passed over."""

    def beat():
        raise StorageError("the disk is full")

    async def scene():
        stop = asyncio.Event()
        async with run_heartbeat(beat, stop, every_seconds=0.01):
            await asyncio.wait_for(stop.wait(), 5)

    with pytest.raises(StorageError, match="full"):
        asyncio.run(scene())


def test_every_choice_is_written_down(site, tmp_path):
    """With its score, what it rests on, and whom it beat."""
    _, run = begun(site, tmp_path)
    asyncio.run(run.go())
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as connection:
        chosen, explained, beaten = connection.execute(
            """SELECT count(*), count(expected),
            total(json_array_length(evidence, '$.runners_up') > 0) FROM choice"""
        ).fetchone()
        (visits,) = connection.execute("SELECT count(*) FROM visit").fetchone()
        (lost,) = connection.execute(
            "SELECT count(*) FROM choice c WHERE NOT EXISTS (SELECT 1 FROM link l "
            "WHERE l.number = c.link)"
        ).fetchone()
        numbers = [n for (n,) in connection.execute("SELECT number FROM choice ORDER BY id")]
    assert chosen == explained
    assert 0 < chosen <= visits
    assert beaten
    assert lost == 0
    assert numbers == sorted(numbers)


def test_checkpoints_take_a_small_share_of_the_time():
    """However long one takes, the next waits a hundred times as long."""
    time = [0.0]
    taken = []
    pace = CheckpointPace(5.0, now=lambda: time[0])

    def checkpoint():
        taken.append(time[0])
        time[0] += 0.2

    while time[0] < 1000:
        pace.write_if_due(checkpoint)
        time[0] += 0.5
    assert taken[0] >= 5
    assert len(taken) * 0.2 <= 0.02 * 1000


@pytest.mark.parametrize(("answers_per_second", "checkpoints"), [(10, 11), (1, 2), (0.02, 2)])
def test_a_slow_crawl_needs_fewer_checkpoints(answers_per_second, checkpoints):
    """After twenty answers, or half a minute: its journal is soon replayed."""
    time = [0.0]
    taken = []
    pace = CheckpointPace(5.0, now=lambda: time[0])
    while time[0] < 59:
        time[0] += 1 / answers_per_second
        pace.write_if_due(lambda: taken.append(time[0]))
    assert len(taken) == checkpoints


def test_a_chore_is_never_under_way_twice():
    """It starts again once it has ended and its time has come, and its errors are raised."""
    begun, ending = [], threading.Event()

    def work():
        begun.append(1)
        assert ending.wait(5)
        if len(begun) > 1:
            raise StorageError("the disk is full")

    async def scene():
        chore = Chore(work, every_seconds=0)
        chore.start_if_due()
        chore.start_if_due()
        await until(lambda: begun)
        chore.start_if_due()
        assert len(begun) == 1
        ending.set()
        await chore.wait_done()
        chore.start_if_due()
        with pytest.raises(StorageError, match="full"):
            await chore.wait_done()
        assert len(begun) == 2

    asyncio.run(scene())


def test_a_chore_waits_for_its_time():
    async def scene():
        begun = []
        chore = Chore(lambda: begun.append(1), every_seconds=60)
        chore.start_if_due()
        await chore.wait_done()
        return begun

    assert asyncio.run(scene()) == []


def test_a_request_is_held_for_good_once_the_crawl_belongs_to_another(tmp_path):
    """A process that was frozen while it connected sends nothing when it goes on."""
    mine, stopped = [True], []

    async def scene():
        gate = Gate(tmp_path / "crawl.control", lambda: stopped.append(True), lambda: mine[0])
        await gate.hold()
        mine[0] = False
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(gate.hold(), 0.05)

    asyncio.run(scene())
    assert stopped
