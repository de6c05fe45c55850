"""Experiments from the first run to the report."""

import csv
import json
import os
import re
import shutil
from pathlib import Path

import pytest
from shared import shared

from datahound.errors import UserError
from datahound.lab import report
from datahound.lab.experiments import (
    EXPERIMENTS,
    PlannedRun,
    choose_experiments,
    name_variant,
    plan_runs,
)
from datahound.lab.report import RequestCosts, compare_results, write_report
from datahound.lab.report.caveats import list_caveats
from datahound.lab.report.crawler_tables import requests_table
from datahound.lab.report.paper_values import read_crawler_value, read_hyperparameter_value
from datahound.lab.report.study_tables import hyperparameters_table
from datahound.lab.results import Origin, ResultFolder
from datahound.lab.results_view import open_results
from datahound.lab.runner import Experiment, ExperimentRunner, name_site
from datahound.parameters import with_parameters
from datahound.settings import Settings
from datahound.strategies import STRATEGIES

SITES = ("synthetic:cl?pages=120", "synthetic:demo?pages=100")
ORIGIN = Origin("1.2.3")


def quiet(*_):
    pass


def make(path, todo, origin=ORIGIN, say=quiet):
    folder = ResultFolder.create(path, origin)
    return ExperimentRunner(todo, folder, quiet, say).run_sites()


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """All experiments, two runs, two sites."""
    path = tmp_path_factory.mktemp("lab") / "results"
    assert make(path, Experiment(SITES, EXPERIMENTS, runs=2)) == 0
    return path


def test_no_run_is_made_twice():
    """Experiments that need the same crawl share it; crawlers that are not random run once."""
    jobs = plan_runs(EXPERIMENTS, 3, Settings())
    assert len(jobs) == len(set(jobs))
    assert sum(job.strategy == "bfs" for job in jobs) == 1
    assert sum(job.strategy == "sb-oracle" for job in jobs) == 3 * 7
    assert sum(job.strategy == "sb-classifier" for job in jobs) == 3 * 8
    assert {job.strategy for job in jobs} == set(STRATEGIES)


def test_a_value_that_is_set_already_is_no_variant():
    """The paper's default in a grid is the run with the settings as they are."""
    base = with_parameters(Settings(), ["ngram=3"])
    assert name_variant(base, "ngram=3") == ""
    assert name_variant(base, "ngram=2") == "ngram=2"
    assert (
        PlannedRun("sb-oracle", 0, "ngram=2").make_trial(base).settings.strategy.actions.ngram == 2
    )


def test_experiments_by_name():
    """Named ones, all for none or `all`; an unknown one is told with what there is."""
    assert choose_experiments(["rewards", "crawlers"]) == ("crawlers", "rewards")
    assert choose_experiments([]) == choose_experiments(["all"]) == EXPERIMENTS
    with pytest.raises(UserError, match="unknown experiment 'x': choose one of characteristics"):
        choose_experiments(["x"])


def test_sites_have_short_names():
    """Files go by their names, presets by theirs."""
    specs = ("a/uima.warc.gz", "kit.db?seed=http://x/", "synthetic:ju?scale=0.1")
    assert list(map(name_site, specs)) == ["uima", "kit", "ju?scale=0.1"]


def test_a_row_a_run_with_every_setting(results):
    """The results are one CSV row a run, with settings and version."""
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
    book = open_results(results)
    for site, row in book.sites.items():
        (bfs,) = book.select_runs(site, "bfs")
        assert bfs.requests == row.requests
        assert bfs.targets == row.targets == bfs.total_targets
        (omniscient,) = book.select_runs(site, "omniscient")
        assert omniscient.area > 0.97 > bfs.area
        for run in book.select_runs(site, "sb-classifier"):
            assert run.misclassified is not None
            assert run.group_reward_mean > 0
            assert 0 < book.requests_percent(run) <= 110


def test_going_on_makes_only_what_is_missing(results, tmp_path):
    """An interrupted experiment goes on where it was, half a row and all."""
    path = tmp_path / "results"
    shutil.copytree(results, path)
    text = (path / "results.csv").read_text().splitlines(keepends=True)
    (path / "results.csv").write_text("".join(text[:-3]) + text[-3][:50])
    before = ResultFolder.open(path).read_runs()
    assert make(path, Experiment(SITES, EXPERIMENTS, runs=2)) == 0
    after, whole = ResultFolder.open(path).read_runs(), ResultFolder.open(results).read_runs()
    assert len(after) == len(before) + 3
    assert {k: r.requests_to_90 for k, r in after.items()} == {
        k: r.requests_to_90 for k, r in whole.items()
    }


def test_results_do_not_depend_on_the_number_of_workers(results, tmp_path):
    """One process makes the runs that two make."""
    make(tmp_path / "r", Experiment(SITES[:1], ("crawlers",), runs=2, workers=1))
    alone = ResultFolder.open(tmp_path / "r").read_runs()
    together = ResultFolder.open(results).read_runs()
    assert alone
    assert all(together[key].area == run.area for key, run in alone.items())


def test_the_report_works_offline(results, tmp_path):
    """Every table in three forms, every figure in two, and a page that needs nothing else."""
    path = tmp_path / "results"
    shutil.copytree(results, path)
    report = write_report(path, RequestCosts())
    names = {p.stem for p in (path / "report/tables").iterdir()}
    assert names >= {
        "characteristics", "requests-to-90", "volume-to-90", "hyperparameters", "classifiers",
        "rewards", "early-stopping", "area", "against-baselines", "significance", "time",
    }  # fmt: skip
    for name in names:
        for ending in ("md", "csv", "tex"):
            assert (path / f"report/tables/{name}.{ending}").stat().st_size
    drawn = {p.name for p in (path / "report/figures").iterdir()}
    assert {"confusion.svg", "confusion.png", "curves-cl-pages-120.png"} <= drawn
    page = report.page.read_text()
    assert page.count("<svg") == len(drawn) / 2
    assert not re.search(r'(?:src|href)="(?!#)', page.replace("xlink:href", "href"))
    assert "<script" not in page
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_the_papers_value_stands_beside_ours(results):
    """A site in the likeness of a paper's has the paper's value in brackets."""
    book = open_results(results)
    row = next(row for row in requests_table(book).rows if row.head == "sb-classifier")
    assert [c.paper for c in row.cells] == ["74.4", ""]
    assert hyperparameters_table(book).rows[1].cells[0].paper == "76.4 | 56.3"
    assert read_crawler_value("requests", "focused", "il") == "+∞"
    assert read_crawler_value("requests", "sb-oracle", "ab") == ""
    assert read_hyperparameter_value("ngram", "3", "demo") == ""


def test_what_makes_results_doubtful_is_said(tmp_path, results):
    """Few targets, too few pages for tp-off, another version, missing runs, one run."""
    path = tmp_path / "results"
    shutil.copytree(results, path)
    text = (path / "results.csv").read_text().splitlines(keepends=True)
    (path / "results.csv").write_text("".join(text[:-1]))
    said = " ".join(list_caveats(open_results(path), "9.9"))
    assert "made by datahound 1.2.3; this report by 9.9" in said
    assert "demo?pages=100: only 20 targets" in said
    assert "tp-off is bfs where a site has fewer pages than the 3,000" in said
    assert "Early stopping takes 15,000 requests" in said
    assert "1 runs are missing" in said
    make(tmp_path / "one", Experiment(SITES[:1], ("crawlers",), runs=1))
    said = " ".join(list_caveats(open_results(tmp_path / "one"), "1.2.3"))
    assert "One run of each random crawler" in said


def test_a_site_without_targets_does_not_stop_the_rest(tmp_path):
    """It is told in one line and left out; the other sites are done."""
    said = []
    todo = Experiment(("synthetic:?pages=100&targets=0", SITES[1]), ("crawlers",), runs=1)
    assert make(tmp_path / "r", todo, say=said.append) > 0
    assert len(said) == 1
    assert "no target can be reached" in said[0]
    assert list(open_results(tmp_path / "r").sites) == ["demo?pages=100"]


def test_a_run_that_fails_does_not_stop_the_rest(tmp_path, monkeypatch):
    """It is told, kept as a failure, named in the report and tried again the next time."""
    broken = STRATEGIES["dfs"]

    def fail(*_):
        raise RuntimeError("no way")

    said = []
    todo = Experiment(SITES[1:], ("crawlers",), runs=1)
    monkeypatch.setitem(STRATEGIES, "dfs", type(broken)(fail))
    assert make(tmp_path / "r", todo, say=said.append) == 1
    assert "dfs" in said[0]
    assert "no way" in said[0]
    book = open_results(tmp_path / "r")
    assert any("no way" in note for note in list_caveats(book, "1.2.3"))
    monkeypatch.undo()
    assert make(tmp_path / "r", todo) == 0
    assert not open_results(tmp_path / "r").failures


def test_a_worker_that_dies_is_told(tmp_path, monkeypatch):
    """A killed worker costs its run, not the experiment."""

    def die(*_):
        os._exit(9)

    said = []
    monkeypatch.setitem(STRATEGIES, "dfs", type(STRATEGIES["dfs"])(die))
    todo = Experiment(
        SITES[1:], ("crawlers",), runs=1, crawlers=("bfs", "dfs", "random"), workers=2
    )
    assert make(tmp_path / "r", todo, say=said.append) == 1
    assert len(said) == 1
    assert "dfs" in said[0]
    assert "worker died" in said[0]
    assert {key[1] for key in ResultFolder.open(tmp_path / "r").read_runs()} == {"bfs", "random"}


def test_folders_of_another_kind_are_refused(tmp_path, results):
    """Nothing is mixed: other versions, other settings, strange folders, no results."""
    with pytest.raises(UserError, match=r"made by datahound 1\.2\.3, this is 2; give another"):
        ResultFolder.create(results, Origin("2"))
    with pytest.raises(UserError, match="made with other settings"):
        ResultFolder.create(results, Origin("1.2.3", ("ngram=3",)))
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(UserError, match="not empty, and not a folder of results"):
        ResultFolder.create(tmp_path, ORIGIN)
    with pytest.raises(UserError, match="not a folder of results"):
        open_results(tmp_path)
    ResultFolder.create(tmp_path / "new", ORIGIN)
    with pytest.raises(UserError, match="no result yet"):
        open_results(tmp_path / "new")
    future = {"format": 99, "version": "7", "params": [], "budget": None}
    (tmp_path / "new/lab.json").write_text(json.dumps(future))
    with pytest.raises(UserError, match="made by datahound 7, in a form unknown here"):
        open_results(tmp_path / "new")


def test_another_site_of_the_same_name_is_refused(tmp_path, results):
    """Results of two sites are never mixed under one name."""
    path = tmp_path / "results"
    shutil.copytree(results, path)
    sites = (path / "sites.csv").read_text()
    row = next(line for line in sites.splitlines() if line.startswith("cl"))
    (path / "sites.csv").write_text(sites.replace(row, row + "0"))
    said = []
    make(path, Experiment(SITES[:1], ("crawlers",), runs=3), say=said.append)
    assert "not the site that" in said[0]


def test_sites_must_differ_in_name_and_have_an_end(tmp_path):
    """Two sites of one name, and traps without a budget, are refused."""
    with pytest.raises(UserError, match="two sites are called"):
        make(tmp_path / "a", Experiment((SITES[0], SITES[0]), ("crawlers",)))
    said = []
    make(tmp_path / "b", Experiment((SITES[0] + "&traps=on",), ("crawlers",)), say=said.append)
    assert "has no end: give --budget" in said[0]


def test_comparing_before_and_after(tmp_path, results):
    """The same runs are the same; a change shows; what is not in both is told."""
    same = compare_results(results, results)
    assert {row.cells[2].parts[0].text for row in same.overall.rows} == {"+0.000"}
    make(
        tmp_path / "b",
        Experiment(SITES[:1], ("crawlers",), 2),
        Origin("1.3", ("min_similarity=0.3",)),
    )
    changed = compare_results(results, tmp_path / "b")
    row = next(row for row in changed.overall.rows if row.head == "sb-classifier")
    assert row.cells[2].parts[0].text != "+0.000"
    assert changed.notes == (
        "A was made by datahound 1.2.3, B by 1.3.",
        "A and B were made with different settings.",
        "Only in A: demo?pages=100.",
    )


def test_nothing_in_common_is_an_error(tmp_path, results):
    """Folders that share no crawler on one site can't be compared."""
    make(tmp_path / "b", Experiment(("synthetic:be?pages=150",), ("rewards",), 1))
    with pytest.raises(UserError, match="no run of one crawler on one site in common"):
        compare_results(results, tmp_path / "b")


def test_time_under_politeness():
    """Requests times delay, plus bytes over bandwidth."""
    assert RequestCosts(2.0, 8.0).count_hours(1800, 3_600_000_000) == pytest.approx(1 + 1)


def test_the_papers_tables_are_those_that_are_shared():
    """The copies inside the package are the shared files."""
    for path in (Path(report.__file__).parent / "paper").iterdir():
        assert path.read_text() == shared(f"data/{path.name}").read_text()
