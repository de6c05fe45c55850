"""A worker alone: when it ends, what it crawls first, and what it says."""

import fleet_trial as trial
import pytest

from datahound.cli import run
from datahound.fleet.control import Control, write_control, write_figures
from datahound.fleet.station import Station
from datahound.fleet.status import read_fleet, read_groups
from datahound.remote.objects import open_objects


@pytest.fixture
def store(tmp_path):
    return str(tmp_path / "store")


@pytest.fixture
def work(store, tmp_path):
    """Be a worker on the store; its exit status."""

    def go(*words):
        rest = ["--term", "2s", "--work", str(tmp_path / "work"), "--at-once", "1"]
        return run(["fleet", "worker", "--store", store, *rest, *words])

    return go


def add(store, tmp_path, *lines):
    listed = tmp_path / "sites.txt"
    listed.write_text("\n".join(lines))
    assert run(["fleet", "add", str(listed), "--store", store]) == 0


def test_a_worker_that_is_to_stop_takes_nothing(store, work, tmp_path):
    """A group that it took would be given back at once, and taken again without end."""
    add(store, tmp_path, "http://127.0.0.1:1/ --delay 0.1")
    objects = open_objects(store)
    write_figures(objects, "earlier", {"requests": 7, "running": {}, "at": 0})
    write_control(objects, Control(budget=5))
    assert work("--at-once", "9") == 0
    assert [group.epoch for group in read_groups(objects)] == [0]


@pytest.mark.slow
def test_the_first_site_of_all_groups_comes_first(store, work, tmp_path):
    """A group with one important site does not bring its other sites before those of others."""
    with trial.served_sites(tmp_path, ["127.7.5.1", "127.7.5.1", "127.7.5.2"], 1, 1) as (
        sites,
        log,
    ):
        first, last, second = sites
        wanted = [(first, 3), (last, 1), (second, 2)]
        add(store, tmp_path, *(f"{site} --delay 0.05 --priority {n}" for site, n in wanted))
        assert work() == 0
        order = dict.fromkeys(row[2] for row in trial.read_log(log))
    assert list(order) == [first, second, last]


@pytest.mark.slow
def test_a_worker_without_room_ends_and_blames_no_site(store, work, tmp_path, capsys):
    """Others may have room: the site is due at once, and has not failed."""
    with trial.served_sites(tmp_path, ["127.7.5.3"], 3, 1) as (sites, _):
        add(store, tmp_path, f"{sites[0]} --delay 0.6 --set min_free_disk=1000000000000000000")
        assert work() == 2
    assert "little disk is left" in capsys.readouterr().err
    (found,) = read_fleet(open_objects(store)).sites
    assert (found.state, found.site.failures) == ("waiting", 0)


@pytest.mark.slow
def test_a_group_is_given_back_by_the_write_of_its_result(store, work, tmp_path, monkeypatch):
    """A second write could give back what this worker has taken again, and crawls, meanwhile."""
    written = []
    write = Station.write

    def note(station, key, change):
        seen = write(station, key, change)
        written.append(seen.group.holder)
        return seen

    monkeypatch.setattr(Station, "write", note)
    with trial.served_sites(tmp_path, ["127.7.5.4", "127.7.5.4"], 1, 1) as (sites, _):
        add(store, tmp_path, *(f"{site} --delay 0.05" for site in sites))
        assert work("--at-once", "3") == 0
    assert read_fleet(open_objects(store)).counts == {"finished": 2}
    assert written == ["", ""]
