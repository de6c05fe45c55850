"""A fleet on one machine: a worker killed, a worker frozen and thawed, and nothing is lost."""

import asyncio
import os
import signal
import time

import fleet_trial as trial
import pytest

from datahound.cli import run
from datahound.fleet.orders import find_addresses, make_site
from datahound.fleet.status import read_fleet
from datahound.fleet.worker import Worker, WorkerSettings
from datahound.remote.objects import RemoteError, join_place, open_objects

PAGES, FILES, DELAY, TERM = 3, 3, 0.3, 8.0


@pytest.fixture(params=["folder", "bucket"])
def store(request, tmp_path):
    if request.param == "folder":
        return str(tmp_path / "store")
    place, day = request.getfixturevalue("bucket")
    day.fail_every = 17
    return place


def list_addresses(count):
    """A third of the sites share an address with the one before."""
    return [f"127.7.0.{n - (n % 3 == 2)}" for n in range(1, count + 1)]


@pytest.mark.slow
def test_nothing_is_lost_or_doubled(store, tmp_path):
    """Every file of every site is in the store, whatever became of two of three workers."""
    objects = open_objects(store)
    processes = []
    with trial.served_sites(tmp_path, list_addresses(12), PAGES, FILES) as (sites, log):
        listed = tmp_path / "sites.txt"
        listed.write_text("".join(f"{site}/ --delay {DELAY}\n" for site in sites))
        assert run(["fleet", "add", str(listed), "--store", store]) == 0
        try:
            for number in range(3):
                work = tmp_path / f"work{number}"
                processes.append(trial.start_worker(store, work, TERM, at_once=3))
            killed, frozen, _ = processes
            asked = lambda: {row[4] for row in trial.read_log(log)}  # noqa: E731
            assert trial.wait_for(lambda: {p.pid for p in processes} <= asked(), 120)
            killed.kill()
            os.kill(frozen.pid, signal.SIGSTOP)
            time.sleep(TERM * 1.6)
            os.kill(frozen.pid, signal.SIGCONT)
            assert trial.wait_for(lambda: read_fleet(objects).is_finished, 150)
            for process in processes[1:]:
                assert process.wait(60) == 0
        finally:
            for process in processes:
                trial.end_process(process)
        rows = trial.read_log(log)
    assert read_fleet(objects).counts == {"finished": 12}
    place = lambda name: open_objects(join_place(store, name))  # noqa: E731
    assert trial.find_wrong_files(objects, place, tmp_path / "pulled", PAGES, FILES) == []
    assert trial.find_overlaps(rows) == []
    assert trial.find_fast_addresses(rows, DELAY) == []
    # At most what was asked since the last shipment, by the two workers that stopped.
    assert trial.count_repeats(rows) <= 2 * 3 * (1 + 6 / DELAY)


@pytest.mark.slow
def test_a_fleet_is_run_by_one_command(tmp_path, capsys):
    """Sites are added and crawled; its state, figures and merged catalogue can be had."""
    store = str(tmp_path / "store")
    with trial.served_sites(tmp_path, ["127.7.1.1", "127.7.1.2"], 2, 2) as (sites, _):
        listed = tmp_path / "sites.txt"
        listed.write_text("".join(f"{site}/\n" for site in sites))
        words = ["--store", store, "--delay", "0.1", "--term", "8s", "--workers", "2"]
        work = ["--work", str(tmp_path / "work")]
        assert run(["fleet", "run", str(listed), *words, *work]) == 0
    assert "2 finished; 8 files" in capsys.readouterr().out
    assert run(["fleet", "status", "--store", store]) == 0
    assert run(["fleet", "status", "--store", store, "--prometheus"]) == 0
    assert 'datahound_fleet_sites{state="finished"} 2' in capsys.readouterr().out
    output = tmp_path / "all.parquet"
    assert run(["fleet", "catalog", "--store", store, "--output", str(output)]) == 0
    assert "8 datasets of 2 sites" in capsys.readouterr().out
    assert output.exists()


def test_sites_that_share_an_address_share_a_group(tmp_path, capsys):
    """Added at once or later; sites added again keep their state."""
    store, listed = str(tmp_path / "store"), tmp_path / "sites.txt"
    listed.write_text("http://127.7.2.1:81/\nhttp://127.7.2.1:82/\nhttp://127.7.2.2/ --priority 3")
    assert run(["fleet", "add", str(listed), "--store", store]) == 0
    assert "3 sites in 2 groups" in capsys.readouterr().out
    listed.write_text("http://127.7.2.1:83/\nhttp://127.7.2.1:81/ --priority 2\n")
    assert run(["fleet", "add", str(listed), "--store", store]) == 0
    found = read_fleet(open_objects(store))
    assert (len(found.sites), found.groups) == (4, 2)
    assert [status.site.priority for status in found.sites] == [3, 2, 0, 0]
    assert run(["fleet", "stop", "--store", store]) == 0
    assert run(["fleet", "worker", "--store", store, "--work", str(tmp_path / "w")]) == 0
    assert "is stopped" in capsys.readouterr().err


def test_a_site_whose_address_has_changed_stays_in_its_group(tmp_path, capsys):
    """In two groups, two workers could crawl it at a time."""
    store, listed = str(tmp_path / "store"), tmp_path / "sites.txt"
    for address in ("127.7.3.1:80", "127.7.3.2:80", "127.7.3.1:80"):
        listed.write_text(f"http://moves.example/ --connect-to {address}\n")
        assert run(["fleet", "add", str(listed), "--store", store]) == 0
    found = read_fleet(open_objects(store))
    assert (len(found.sites), found.groups) == (1, 1)
    assert found.sites[0].site.options["connect-to"] == "127.7.3.1:80"
    capsys.readouterr()


def test_sites_of_one_network_share_a_group():
    """Its addresses differ from answer to answer; the name that the hosts stand for does not."""

    def look_up(host, *_, **__):
        address = "192.0.2.1" if host == "a.example" else "192.0.2.2"
        return [(2, 1, 6, "edge.network.example.", (address, 0))]

    one, other = (
        find_addresses(make_site(f"https://{host}/", {})[1], look_up)
        for host in ("a.example", "b.example")
    )
    assert set(one) & set(other) == {"edge.network.example"}


class Unsteady:
    """A store that fails while it is told to."""

    def __init__(self, objects):
        self._objects, self.fails = objects, False

    def __getattr__(self, name):
        if self.fails:
            raise RemoteError("down")
        return getattr(self._objects, name)


def test_a_worker_waits_for_a_store_that_has_answered_once(tmp_path, monkeypatch):
    """Between two sessions, too; a store that never answered ends the worker at once."""
    store = Unsteady(open_objects(str(tmp_path / "store")))
    monkeypatch.setattr("datahound.fleet.worker.open_objects", lambda _: store)

    async def begin_two():
        worker = Worker("", WorkerSettings(tmp_path / "work", term=0.2))
        store.fails = True
        with pytest.raises(RemoteError):
            await worker._begin_session()
        store.fails = False
        first = await worker._begin_session()
        store.fails = True
        second = asyncio.create_task(worker._begin_session())
        await asyncio.sleep(0.2)
        assert not second.done()
        store.fails = False
        assert (await second).name != first.name

    asyncio.run(begin_two())
