"""Replays over time: on time, late, the cover, and a refresh without a budget."""

import csv
import json

import pytest
from lapses import make_growing_site, page, write_lapse
from shared import shared

from datahound.cli import run
from datahound.lab.refresh.experiment import RefreshResults, run_refresh
from datahound.lab.refresh.policies import POLICIES
from datahound.lab.refresh.rounds import PolicyRun, count_checks, replay_rounds
from datahound.lab.refresh.site import LapseSite, find_cover
from datahound.settings import RefreshSettings, Settings


@pytest.fixture
def path(tmp_path):
    return write_lapse(tmp_path / "grows.lapse.warc", make_growing_site())


@pytest.fixture
def site(path):
    site = LapseSite(path)
    yield site
    site.close()


def test_the_census_says_what_is_new(site):
    """Each round has one more file in the index, and one more page with a file."""
    assert [len(truth.new) for truth in site.truths] == [0, 2, 2, 2]
    assert len(site.truths[0].links) == 23


def test_the_cover_reads_the_fewest_pages(site):
    """The index, and the new page by its own index: three requests for two files."""
    known = set(site.truths[0].links)
    assert find_cover(site.truths[1], known) == (2, 3)
    assert find_cover(site.truths[1], known, budget=1) == (1, 1)


def test_rounds_learn_where_files_appear(tmp_path):
    """With a quarter of the requests, far more is found on time than by visits at random."""
    site = LapseSite(write_lapse(tmp_path / "long.lapse.warc", make_growing_site(8)))
    on_time = {}
    for name in ("hound", "uniform"):
        runs = [PolicyRun(name, POLICIES[name], seed, 0.25) for seed in range(3)]
        results = [result for one in runs for result in replay_rounds(site, one, Settings())]
        on_time[name] = sum(result.on_time for result in results)
        assert all(result.requests <= result.budget + 1 for result in results)
    site.close()
    assert on_time["hound"] > 1.3 * on_time["uniform"]


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_finds_all_without_a_limit(site, name):
    """With a request for each page, nothing is late."""
    results = replay_rounds(site, PolicyRun(name, POLICIES[name], 0, 2.0), Settings())
    assert [(result.on_time, result.late) for result in results] == [(2, 0)] * 3


def test_checks_find_bulk_changes(tmp_path):
    """Of ten files that change together, most are found with half of the checks."""
    rounds = []
    for version in range(4):
        files = {f"/live/f{n}.csv": b"1,%d" % version for n in range(10)}
        files |= {f"/still/f{n}.csv": b"1,2" for n in range(30)}
        rounds.append({"/": page(*files), **files})
    site = LapseSite(write_lapse(tmp_path / "bulk.lapse.warc", rounds))
    changes, caught = count_checks(site, 0, 0.5, RefreshSettings())
    site.close()
    assert changes == 30
    assert caught >= 20


def test_rows_are_written(path, tmp_path):
    """The experiment gives a row per policy, share and seed, and the bounds."""
    results = RefreshResults(tmp_path / "out", ())
    run_refresh([path], 1, Settings(), results, lambda *_: None)
    with (tmp_path / "out" / "refresh.csv").open() as file:
        read = list(csv.DictReader(file))
    assert {row["policy"] for row in read} >= {*POLICIES, "full recrawl", "cover with hindsight"}


def test_an_experiment_goes_on_where_it_was(path, tmp_path, capfd):
    """Rows that are there are not measured again; half a row is; other settings are refused."""
    out = tmp_path / "out"
    command = ["lab", "run", str(path), "--experiment", "refresh", "--runs", "1", "--out", str(out)]
    assert run(command) == 0
    whole = (out / "refresh.csv").read_text()
    lines = whole.splitlines(keepends=True)
    # As a run would not measure it.
    lines[1] = lines[1].replace(lines[1].split(",")[-1], "777\n")
    (out / "refresh.csv").write_text("".join(lines)[:-2])
    assert run(command) == 0
    assert (out / "refresh.csv").read_text().splitlines(keepends=True) == lines
    assert (out / "refresh.png").stat().st_size > 1000
    capfd.readouterr()
    assert run([*command, "--set", "discount=0.5"]) == 2
    assert "other settings" in capfd.readouterr().err


def test_replay_goes_through_the_rounds(path, capfd):
    """The command has a line for each round, with the figures of the replay."""
    assert run(["replay", str(path), "--share", "0.3", "--json"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert [json.loads(line)["new"] for line in lines] == [2, 2, 2]


def test_a_recorded_site_meets_its_bar():
    """trcimplan: four fifths of the new files on time, with a tenth of the requests."""
    site = LapseSite(shared("lapses/trcimplan.lapse.warc.gz"))
    hound = PolicyRun("hound", POLICIES["hound"], 0, 0.1)
    results = replay_rounds(site, hound, Settings())
    site.close()
    new = sum(result.new for result in results)
    assert sum(result.on_time for result in results) > 0.75 * new
