"""Folders of results."""

import csv
import json

import pytest
from made_results import ORIGIN, RUN, SITE, make_run, save_results

from datahound.errors import StorageError, UserError
from datahound.lab.characteristics import Characteristics, Spread
from datahound.lab.observers import RankedGroup
from datahound.lab.results import Origin, ResultFolder, RunRecord
from datahound.settings import Settings

POINTS = ((1, 0, 0, 10), (4, 2, 99, 30))


@pytest.fixture
def folder(tmp_path):
    return ResultFolder.create(tmp_path / "results", ORIGIN)


def test_a_run_comes_back(folder):
    """Every figure, None and text alike, is read as it was saved."""
    run = make_run(requests_to_99=None, stopped='a "budget", spent', variant="ngram=3")
    folder.add_run(RunRecord(run, {"ngram": "3"}, POINTS, (RankedGroup(1.5, 2, "html a"),)))
    again = ResultFolder.open(folder.path)
    assert again.read_runs() == {run.key: run}
    assert again.read_curves() == {run.key: POINTS}
    assert again.read_groups() == {run.key: [RankedGroup(1.5, 2, "html a")]}
    with (folder.path / "results.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert (row["ngram"], row["requests_to_99"]) == ("3", "")


def test_a_run_without_a_curve_has_none(folder):
    """Variants have neither curve nor groups."""
    folder.add_run(RunRecord(RUN, {}, (), ()))
    assert folder.read_curves() == folder.read_groups() == {}
    assert not (folder.path / "curves.jsonl").exists()


def test_a_run_made_again_replaces_the_first(folder):
    """The last row of a run counts."""
    save_results(folder.path, make_run(area=0.1), make_run(area=0.2))
    assert folder.read_runs()[RUN.key].area == 0.2


@pytest.mark.parametrize("broken", ["x", "", "1.5"])
def test_a_broken_row_is_left_out(folder, broken):
    """A row with a number that isn't one is as if it were not there; the others are read."""
    save_results(folder.path, make_run(seed=0), make_run(seed=1))
    text = (folder.path / "results.csv").read_text()
    (folder.path / "results.csv").write_text(text.replace(",1,1.2.3,", f",{broken},1.2.3,"))
    assert [key[3] for key in folder.read_runs()] == [0]


def test_sites_and_characteristics_come_back(folder):
    """With their totals, and with the spreads in columns of their own."""
    folder.add_site(SITE)
    assert folder.read_sites() == {"one": SITE}
    spreads = (Spread(10.5, 2.5, 20), Spread(3.0, 1.0, 4))
    folder.add_characteristics("one", Characteristics("x", 8, 2, 11, 1, *spreads, 3, 4, {}))
    found = folder.read_characteristics()["one"]
    assert (found["site"], found["pages"], found["available"]) == ("one", "8", "11")
    assert (found["target_size_mean"], found["target_depth_std"]) == ("10.5", "1.0")
    assert found["complete"] == "True"


def test_failures_come_back(folder):
    """By run, with the reason in one line."""
    folder.add_failure(RUN.key, "RuntimeError: no\nway")
    assert folder.read_failures() == {RUN.key: "RuntimeError: no way"}


def test_the_origin_is_kept(tmp_path):
    """Version, settings and budget, from which the settings of all runs follow."""
    origin = Origin("9", ("ngram=3",), 500)
    ResultFolder.create(tmp_path / "r", origin)
    assert ResultFolder.open(tmp_path / "r").origin == origin
    settings = origin.make_settings()
    assert (settings.strategy.actions.ngram, settings.crawl.max_requests) == (3, 500)
    assert Origin("9").make_settings() == Settings()


def test_results_are_not_mixed(folder):
    """Another version or other settings are refused; the same ones go on."""
    assert ResultFolder.create(folder.path, ORIGIN).origin == ORIGIN
    with pytest.raises(UserError, match=r"made by datahound 1\.2\.3, this is 2; give another"):
        ResultFolder.create(folder.path, Origin("2"))
    for other in (Origin("1.2.3", ("ngram=3",)), Origin("1.2.3", (), 9)):
        with pytest.raises(UserError, match="made with other settings"):
            ResultFolder.create(folder.path, other)


def test_rows_of_other_columns_are_not_mixed(folder):
    """A file of a version with another setting is refused, and left as it is."""
    folder.add_run(RunRecord(RUN, {}, (), ()))
    assert ResultFolder.create(folder.path, ORIGIN).read_runs() == {RUN.key: RUN}
    path = folder.path / "results.csv"
    path.write_text(path.read_text().replace("ngram", "hash_prime,ngram", 1))
    before = path.read_bytes()
    with pytest.raises(UserError, match="with other figures or settings; give another --out"):
        ResultFolder.create(folder.path, ORIGIN)
    assert path.read_bytes() == before


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    """A folder with other files is not made into results, and not read as such."""
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(UserError, match="not empty, and not a folder of results"):
        ResultFolder.create(tmp_path, ORIGIN)
    with pytest.raises(UserError, match="not a folder of results"):
        ResultFolder.open(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', '{"format": 1, "version": "1"}'])
def test_a_broken_description_is_refused(folder, text):
    """Whatever lab.json is, it is one line."""
    (folder.path / "lab.json").write_text(text)
    with pytest.raises(UserError, match="not a folder of results"):
        ResultFolder.open(folder.path)


def test_a_newer_form_is_refused(folder):
    """A form that is not known is not guessed at."""
    future = {"format": 99, "version": "7", "params": [], "budget": None}
    (folder.path / "lab.json").write_text(json.dumps(future))
    with pytest.raises(UserError, match="made by datahound 7, in a form unknown here"):
        ResultFolder.open(folder.path)


def test_a_folder_that_cannot_be_made(tmp_path):
    """A file in its place is one line."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="can't be written"):
        ResultFolder.create(tmp_path / "file" / "results", ORIGIN)


def test_misclassified_is_a_share_of_pages_and_targets():
    """Other kinds do not count; without pages and targets there is no share."""
    assert RUN.misclassified == pytest.approx(30 / 200)
    nothing = make_run(page_as_page=0, page_as_target=0, target_as_page=0, target_as_target=0)
    assert nothing.misclassified is None
