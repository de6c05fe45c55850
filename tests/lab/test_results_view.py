"""Results as reports read them."""

import pytest
from made_results import ORIGIN, make_run, make_site, make_view, save_results

from datahound.errors import UserError
from datahound.lab.report.page import list_caveats
from datahound.lab.results import ResultFolder, RunRecord
from datahound.lab.results_view import BASELINES, BOUNDS, CRAWLERS, open_results
from datahound.strategies import STRATEGIES


def test_every_strategy_has_its_place():
    """The order of crawlers has each strategy once; bounds and baselines are among them."""
    assert sorted(CRAWLERS) == sorted(STRATEGIES)
    assert {*BOUNDS, *BASELINES} == set(CRAWLERS) - {"sb-classifier", "hound"}


def test_runs_are_found_by_crawler(tmp_path):
    """Ordered by seed; a variant is not the crawler itself."""
    runs = [make_run(seed=2), make_run(seed=0), make_run(variant="ngram=3"), make_run("bfs")]
    view = open_results(save_results(tmp_path / "r", *runs))
    assert [run.seed for run in view.select_runs("one", "sb-classifier")] == [0, 2]
    assert len(view.select_runs("one", "sb-classifier", "ngram=3")) == 1
    assert view.select_runs("two", "bfs") == []
    assert view.list_crawlers() == ["sb-classifier", "bfs"]
    assert len(list(view.iter_runs())) == 4
    assert (view.version, view.base) == ("1.2.3", ORIGIN.make_settings())


def test_a_crawler_with_variants_only_is_not_listed():
    """Tables of crawlers show runs with the settings as they are."""
    assert make_view(make_run("sb-oracle", variant="ngram=3")).list_crawlers() == []


def test_percentages_are_of_the_whole_site():
    """Of all requests and of all non-target bytes; what was never reached has none."""
    view = make_view(sites=(make_site(requests=2000, other_bytes=4000),))
    assert view.requests_percent(make_run(requests_to_90=500)) == 25.0
    assert view.volume_percent(make_run(other_bytes_to_90=1000)) == 25.0
    assert view.requests_percent(make_run(requests_to_90=None)) is None
    nothing = make_view(sites=(make_site(other_bytes=0),))
    assert nothing.volume_percent(make_run()) is None


def test_a_failure_that_was_mended_is_gone(tmp_path):
    """A run that failed once and was made later is not a failure; others are."""
    folder = ResultFolder.open(save_results(tmp_path / "r", make_run()))
    folder.add_failure(make_run().key, "once")
    folder.add_failure(make_run(seed=1).key, "still")
    assert list(open_results(folder.path).failures.values()) == ["still"]


def test_a_curve_without_its_run_is_left_out(tmp_path):
    """After a crash between a curve and its row, the run is made again."""
    folder = ResultFolder.open(save_results(tmp_path / "r", make_run("bfs")))
    folder.add_run(RunRecord(make_run(), {}, ((1, 1, 1, 1),), ()))
    text = (folder.path / "results.csv").read_text().splitlines(keepends=True)
    (folder.path / "results.csv").write_text("".join(text[:-1]))
    assert open_results(folder.path).curves == {}


def test_runs_of_an_unknown_site_are_left_out(tmp_path):
    """A run is measured against its site, so it can't be shown without."""
    runs = (make_run(), make_run(site="gone"))
    view = open_results(save_results(tmp_path / "r", *runs))
    assert {run.site for run in view.iter_runs()} == {"one"}


def test_a_folder_without_results_is_refused(tmp_path):
    """Nothing to report is said at once."""
    ResultFolder.create(tmp_path / "new", ORIGIN)
    with pytest.raises(UserError, match="no result yet"):
        open_results(tmp_path / "new")
    with pytest.raises(UserError, match="not a folder of results"):
        open_results(tmp_path)


def test_rows_that_cannot_be_read_are_counted(tmp_path):
    """Rows of another version below this one's header are not left out in silence."""
    path = save_results(tmp_path / "r", make_run(), make_run(seed=1))
    with (path / "results.csv").open("a") as file:
        file.write((path / "results.csv").read_text().splitlines()[-1] + ",more\n")
    view = open_results(path)
    assert (len(list(view.iter_runs())), view.unread) == (2, 1)
    assert "1 row of results.csv can't be read" in " ".join(list_caveats(view, "1.2.3"))
