"""A fleet whose sites are finished refreshes them, once per round, as far as it is allowed."""

import json

import pytest
from changing_site import ChangingSite, page, serve_site

from datahound.cli import run
from datahound.fleet.status import read_fleet
from datahound.remote.objects import open_objects
from datahound.remote.pull import pull_folder

FILES = {f"/f{n}.csv": b"a,b\n1,%d\n" % n for n in range(4)}


@pytest.fixture
def site():
    bodies = {"/": page("/list.html"), "/list.html": page(*FILES), **FILES}
    with serve_site(ChangingSite(bodies)) as site:
        yield site


@pytest.fixture
def fleet(site, tmp_path):
    """A command that works on a fleet of one finished site."""
    listed = tmp_path / "sites.txt"
    listed.write_text(f"{site.url} --delay 0.02\n")
    store = str(tmp_path / "store")
    rest = ["--store", store, "--term", "2s", "--work", str(tmp_path / "work")]

    def go(name, *words):
        return run(["fleet", name, *([str(listed)] if name == "run" else []), *rest, *words])

    assert go("run") == 0
    site.requests.clear()
    go.store, go.objects, go.work = store, open_objects(store), rest[2:]
    return go


def read_site(fleet):
    return read_fleet(fleet.objects).sites[0].site


def change(site):
    site.bodies |= {"/new.csv": b"x,y\n1,2\n", "/f1.csv": b"a,b\n9,9\n"}
    site.bodies["/list.html"] = page(*FILES, "/new.csv")


@pytest.mark.slow
def test_a_finished_fleet_is_refreshed(site, fleet, tmp_path, capsys):
    """By `run` and by `refresh`: what is new is in the record, in `status` and in the folder."""
    change(site)
    assert fleet("run") == 0
    assert "1 new, 1 changed, 0 gone" in capsys.readouterr().out
    first = read_site(fleet)
    assert (first.round, first.files, first.is_finished) == (1, 5, True)
    assert first.news["requests"] == len([r for r in site.requests if r[0] != "/robots.txt"])
    pulled = tmp_path / "pulled"
    pull_folder(open_objects(f"{fleet.store}/crawls/{first.slug}"), pulled)
    assert len(json.loads((pulled / "whatsnew.json").read_text())["new"]) == 1
    assert fleet("refresh", "--budget", "2") == 0
    second = read_site(fleet)
    assert (second.round, second.news["new"], second.news["requests"]) == (2, 0, 2)
    assert second.left["requests"] > 0
    assert second.requests == first.requests + 2
    assert run(["fleet", "status", "--store", fleet.store, "--prometheus"]) == 0
    assert 'datahound_fleet_news{kind="new"} 0' in capsys.readouterr().out


@pytest.mark.slow
def test_a_round_that_was_finished_is_not_begun_again(site, fleet):
    """A worker that died between its last shipment and its record costs no second round."""
    assert fleet("refresh") == 0
    asked = len(site.requests)
    stored = fleet.objects.get(key := next(k for k, _ in fleet.objects.list("fleet/groups/")))
    fields = json.loads(stored.data)
    fields["sites"][0] |= {"due": 0.0, "news": {}, "left": {}}
    assert fleet.objects.replace(key, json.dumps(fields).encode(), stored.mark)
    assert run(["fleet", "worker", "--store", fleet.store, *fleet.work]) == 0
    assert read_site(fleet).round == 1
    assert read_site(fleet).news["requests"] > 0
    assert [r for r in site.requests[asked:] if r[0] != "/robots.txt"] == []


@pytest.mark.slow
def test_only_workers_elsewhere(site, fleet):
    """With no worker here, the round waits for them; `refresh` again does not begin another."""
    for _ in range(2):
        assert fleet("refresh", "--workers", "0", "--share", "0.5") == 0
    waiting = read_site(fleet)
    assert (waiting.round, waiting.limits, site.requests) == (1, {"share": 0.5}, [])


def test_bad_input_is_one_line(tmp_path, capsys):
    """Limits that exclude each other, a share of nothing, a fleet without sites."""
    (tmp_path / "store").mkdir()
    command = ["fleet", "refresh", "--store", str(tmp_path / "store")]
    assert run([*command, "--share", "0.1", "--budget", "3"]) == 2
    assert run([*command, "--share", "7"]) == 2
    assert run(command) == 2
    assert len(capsys.readouterr().err.splitlines()) == 3
