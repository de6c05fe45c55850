"""Running experiments: what is made, resumed, refused and survived."""

import csv
import os
import shutil

import pytest
from made_results import SITES, ignore, run_into

from datahound.errors import UserError
from datahound.lab.experiments import EXPERIMENTS, plan_runs
from datahound.lab.report.page import list_caveats
from datahound.lab.results import ResultFolder
from datahound.lab.results_view import open_results
from datahound.lab.runner import CHOICES, Experiment, name_site, run_experiment
from datahound.settings import Settings
from datahound.strategies import STRATEGIES


def test_sites_have_short_names():
    """Files go by their names, presets by theirs."""
    specs = ("a/uima.warc.gz", "kit.db?seed=http://x/", "synthetic:ju?scale=0.1")
    assert list(map(name_site, specs)) == ["uima", "kit", "ju?scale=0.1"]


def test_each_run_has_a_row_with_every_setting(results):
    """The results are one CSV row per run, with settings and version."""
    with (results / "results.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * len(plan_runs(EXPERIMENTS, 2, Settings()))
    assert {row["version"] for row in rows} == {"1.2.3"}
    changed = [row for row in rows if row["variant"] == "min_similarity=0.95"]
    assert {row["min_similarity"] for row in changed} == {"0.95"}
    context = next(row for row in rows if "features=context" in row["variant"])
    assert context["features"] == "context"


def test_everything_is_measured(results):
    """Runs find every target, cost what they cost, and are judged against the whole site."""
    view = open_results(results)
    for site, row in view.sites.items():
        (bfs,) = view.select_runs(site, "bfs")
        assert bfs.requests == row.requests
        assert bfs.targets == row.targets == bfs.total_targets
        (omniscient,) = view.select_runs(site, "omniscient")
        assert omniscient.area > 0.97 > bfs.area
        for run in view.select_runs(site, "sb-classifier"):
            assert run.misclassified is not None
            assert run.group_reward_mean > 0
            assert 0 < view.requests_percent(run) <= 110


def test_going_on_makes_only_what_is_missing(results, tmp_path):
    """An interrupted experiment goes on where it was, half a row and all."""
    path = tmp_path / "results"
    shutil.copytree(results, path)
    text = (path / "results.csv").read_text().splitlines(keepends=True)
    (path / "results.csv").write_text("".join(text[:-3]) + text[-3][:50])
    before = ResultFolder.open(path).read_runs()
    assert run_into(path, Experiment(SITES, EXPERIMENTS, runs=2)) == 0
    after, whole = ResultFolder.open(path).read_runs(), ResultFolder.open(results).read_runs()
    assert len(after) == len(before) + 3
    assert {k: r.requests_to_90 for k, r in after.items()} == {
        k: r.requests_to_90 for k, r in whole.items()
    }


def test_results_do_not_depend_on_the_number_of_workers(results, tmp_path):
    """One process makes the runs that two make."""
    run_into(tmp_path / "r", Experiment(SITES[:1], ("crawlers",), runs=2, workers=1))
    alone = ResultFolder.open(tmp_path / "r").read_runs()
    together = ResultFolder.open(results).read_runs()
    assert alone
    assert all(together[key].area == run.area for key, run in alone.items())


def test_a_site_without_targets_does_not_stop_the_rest(tmp_path):
    """It costs one warning; the other sites are done."""
    said = []
    todo = Experiment(("synthetic:?pages=100&targets=0", SITES[1]), ("crawlers",), runs=1)
    assert run_into(tmp_path / "r", todo, warn=said.append) > 0
    assert len(said) == 1
    assert "no target can be reached" in said[0]
    assert list(open_results(tmp_path / "r").sites) == ["demo?pages=100"]


def test_a_run_that_fails_does_not_stop_the_rest(tmp_path, monkeypatch):
    """It is saved as a failure, named in the report and tried again the next time."""
    broken = STRATEGIES["dfs"]

    def fail(*_):
        raise RuntimeError("no way")

    said = []
    todo = Experiment(SITES[1:], ("crawlers",), runs=1)
    monkeypatch.setitem(STRATEGIES, "dfs", type(broken)(fail))
    assert run_into(tmp_path / "r", todo, warn=said.append) == 1
    assert "dfs" in said[0]
    assert "no way" in said[0]
    view = open_results(tmp_path / "r")
    assert any("no way" in note for note in list_caveats(view, "1.2.3"))
    monkeypatch.undo()
    assert run_into(tmp_path / "r", todo) == 0
    assert not open_results(tmp_path / "r").failures


def test_a_killed_worker_costs_its_run(tmp_path, monkeypatch):
    """A killed worker costs its run, not the experiment."""

    def die(*_):
        os._exit(9)

    said = []
    monkeypatch.setitem(STRATEGIES, "dfs", type(STRATEGIES["dfs"])(die))
    todo = Experiment(
        SITES[1:], ("crawlers",), runs=1, crawlers=("bfs", "dfs", "random"), workers=2
    )
    assert run_into(tmp_path / "r", todo, warn=said.append) == 1
    assert len(said) == 1
    assert "dfs" in said[0]
    assert "worker died" in said[0]
    assert {key[1] for key in ResultFolder.open(tmp_path / "r").read_runs()} == {"bfs", "random"}


def test_another_site_of_the_same_name_is_refused(tmp_path, results):
    """Results of two sites are never mixed under one name."""
    path = tmp_path / "results"
    shutil.copytree(results, path)
    sites = (path / "sites.csv").read_text()
    row = next(line for line in sites.splitlines() if line.startswith("cl"))
    changed = ",".join(value + "0" if value.isdigit() else value for value in row.split(","))
    (path / "sites.csv").write_text(sites.replace(row, changed))
    said = []
    run_into(path, Experiment(SITES[:1], ("crawlers",), runs=3), warn=said.append)
    assert "not the site that" in said[0]


def test_sites_must_have_an_end(tmp_path):
    """Traps without a budget are refused."""
    said = []
    run_into(tmp_path / "b", Experiment((SITES[0] + "&traps=on",), ("crawlers",)), warn=said.append)
    assert "has no end: give --budget" in said[0]


def test_a_finished_experiment_opens_no_site(results, monkeypatch):
    """The same command again has nothing to do: sites are not crawled again."""

    def refuse(*_):
        raise AssertionError("crawled again")

    monkeypatch.setattr("datahound.lab.runner.TrialGround", refuse)
    assert run_into(results, Experiment(SITES, EXPERIMENTS, runs=2)) == 0


def test_progress_ends_with_everything_done(tmp_path):
    """Each report has the site, what is being done, and the runs done of all."""
    seen = []
    todo = Experiment(SITES[1:], ("crawlers",), 2, ("bfs", "random"), workers=1)
    outcome = run_experiment(todo, tmp_path / "r", lambda *told: seen.append(told), ignore)
    assert outcome == (3, 0)
    name = "demo?pages=100"
    doing = {what.partition(",")[0].removeprefix(f"{name}: ") for what, _, _ in seen}
    assert {"visiting everything", "bfs", "random"} <= doing
    assert {total for what, _, total in seen if "random" in what} == {3}
    assert max(done for what, done, _ in seen if "random" in what) == 2


def test_settings_and_budget_are_for_every_run(tmp_path):
    """They are the origin of the folder, which refuses to go on with others."""
    todo = Experiment(SITES[1:], ("crawlers",), 1, ("bfs",))
    run_experiment(todo, tmp_path / "r", ignore, ignore, params=("ngram=3",), budget=20)
    folder = ResultFolder.open(tmp_path / "r")
    (run,) = folder.read_runs().values()
    assert run.requests == 20
    assert folder.origin.params == ("ngram=3",)
    with pytest.raises(UserError, match="made with other settings"):
        run_experiment(todo, tmp_path / "r", ignore, ignore, params=("ngram=3",))


def test_a_budget_is_judged_by_what_bfs_finds_within_it(tmp_path):
    """The totals of a site are those of the part that bfs visits, so bfs itself reaches 90 %."""
    todo = Experiment(SITES[1:], ("crawlers",), 1, ("bfs", "omniscient"))
    run_experiment(todo, tmp_path / "r", ignore, ignore, budget=60)
    folder = ResultFolder.open(tmp_path / "r")
    (site,) = folder.read_sites().values()
    runs = {run.strategy: run for run in folder.read_runs().values()}
    assert runs["bfs"].requests == site.requests == 60
    assert runs["bfs"].total_targets == runs["bfs"].targets == site.targets
    assert runs["bfs"].requests_to_90 <= 60
    assert runs["omniscient"].targets > site.targets, "it finds more than bfs within the budget"
    assert runs["bfs"].area < runs["omniscient"].area <= 1


@pytest.mark.parametrize(
    ("experiment", "params", "complaint"),
    [
        (Experiment(SITES, ("x",)), (), "unknown experiment 'x'"),
        (Experiment(SITES, crawlers=("x",)), (), "unknown strategy 'x'"),
        (Experiment(SITES), ("x=1",), "unknown parameter 'x=1'"),
        (Experiment((SITES[0], SITES[0])), (), "two sites are called"),
        (Experiment((SITES[0], "nowhere.warc")), (), "no such site"),
    ],
)
def test_mistakes_leave_no_folder(tmp_path, experiment, params, complaint):
    """What was misspelt is found before anything is made."""
    with pytest.raises(UserError, match=complaint):
        run_experiment(experiment, tmp_path / "r", ignore, ignore, params=params)
    assert not (tmp_path / "r").exists()


def test_no_site_that_can_be_used(tmp_path):
    """Without any site there is nothing to report."""
    said = []
    todo = Experiment(("synthetic:?pages=100&targets=0",), ("crawlers",), 1)
    with pytest.raises(UserError, match="none of the sites could be used"):
        run_experiment(todo, tmp_path / "r", ignore, said.append)
    assert len(said) == 1


def test_the_characteristics_need_no_run(tmp_path):
    """A site is described once, without any crawler."""
    todo = Experiment(SITES[1:], ("characteristics",))
    assert run_into(tmp_path / "r", todo) == run_into(tmp_path / "r", todo) == 0
    folder = ResultFolder.open(tmp_path / "r")
    assert folder.read_runs() == {}
    assert (folder.path / "characteristics.csv").read_text().count("\n") == 2


def test_choices_are_all_experiments_and_all():
    """What the command offers is what can be run."""
    assert (*EXPERIMENTS, "all", "refresh") == CHOICES
