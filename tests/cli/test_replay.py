"""`datahound replay`."""

import csv
import json

import pytest

from datahound.archive import import_archive, open_archive
from datahound.cli import tables

SITE = "synthetic:demo?scale=0.1"
OTHER = "synthetic:demo?scale=0.1&pages=120"
FIGURES = {
    "site", "strategy", "seed", "requests", "targets", "total_targets", "requests_to_50",
    "requests_to_90", "requests_to_99", "bytes_to_90", "seconds",
}  # fmt: skip


@pytest.fixture(scope="module")
def warc(tmp_path_factory):
    path = tmp_path_factory.mktemp("sites") / "small.warc.gz"
    import_archive(open_archive(SITE), path)
    return path


def test_one_object_a_run(datahound):
    """JSON has the promised names, one object a run, seeds counting up."""
    status, out, _ = datahound(
        "replay",
        SITE,
        "--strategy",
        "random",
        "--strategy",
        "bfs",
        "--runs",
        3,
        "--seed",
        5,
        "--json",
    )
    runs = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert all(set(run) == FIGURES for run in runs)
    assert [(r["strategy"], r["seed"]) for r in runs] == [
        ("random", 5), ("random", 6), ("random", 7), ("bfs", 5),
    ]  # fmt: skip
    assert all(r["targets"] == r["total_targets"] == 42 for r in runs)


def test_a_figure_not_reached_is_null(datahound):
    """With a budget too small, what was not reached is null, and the rest is there."""
    _, out, _ = datahound("replay", SITE, "--strategy", "bfs", "--budget", 30, "--json")
    run = json.loads(out)
    assert run["requests"] == 30
    assert run["requests_to_90"] is run["bytes_to_90"] is None


def test_the_table(datahound):
    """People get a table with a row for each site and crawler."""
    status, out, _ = datahound("replay", SITE, SITE, "--strategy", "sb-oracle", "--strategy", "dfs")
    assert status == 0
    assert out.count("sb-oracle") == 1
    assert out.count("dfs") == 1


@pytest.mark.parametrize("sites", [[SITE], [SITE, OTHER]])
def test_no_figure_is_cut_on_a_terminal(sites, datahound, monkeypatch):
    """On 80 columns; the name of one site stands above its rows."""
    monkeypatch.setattr(tables, "_LOG_WIDTH", 80)
    status, out, _ = datahound("replay", *sites, "--strategy", "sb-oracle", "--strategy", "bfs")
    assert status == 0
    assert "…" not in out
    assert max(map(len, out.splitlines())) <= 80
    heading = next(line for line in out.splitlines() if "requests" in line)
    for word in ("strategy", "requests", "targets", "to 99 %", "waste", "seconds"):
        assert word in heading


def test_from_a_warc_file(datahound, warc):
    """A site tells the same story from its rule and from a WARC file of it."""
    stories = []
    for site in (SITE, warc):
        _, out, _ = datahound("replay", site, "--strategy", "sb-classifier", "--json")
        run = json.loads(out)
        stories.append({k: run[k] for k in FIGURES - {"site", "seconds"}})
    assert stories[0] == stories[1]


def test_curves(datahound, tmp_path):
    """The curve file has a row for each target found, and the last point."""
    path = tmp_path / "curve.csv"
    datahound("replay", SITE, "--strategy", "bfs", "--curve", path)
    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 43
    assert int(rows[-1]["targets"]) == 42
    assert not list(tmp_path.glob("*.part"))


def test_set_is_the_same_as_param(datahound):
    """One name for settings in all commands, dotted or short."""
    figures = []
    for words in (("--param", "min_similarity=0"), ("--set", "actions.min_similarity=0"), ()):
        _, out, _ = datahound("replay", SITE, "--strategy", "sb-classifier", *words, "--json")
        figures.append({k: v for k, v in json.loads(out).items() if k != "seconds"})
    assert figures[0] == figures[1] != figures[2]


def test_parameters_change_the_crawl(datahound):
    """A parameter is heard: with one action for all links the bandit learns nothing."""
    results = set()
    for value in ("0.0", "0.75"):
        _, out, _ = datahound("replay", SITE, "--param", f"min_similarity={value}", "--json")
        results.add(json.loads(out)["requests_to_90"])
    assert len(results) == 2


def test_targets_can_be_named(datahound):
    """Only what the user wants counts."""
    _, out, _ = datahound("replay", SITE, "--target", "pdf", "--strategy", "bfs", "--json")
    assert 0 < json.loads(out)["total_targets"] < 42


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nowhere.warc.gz"], "nowhere.warc.gz: no such site"),
        (["synthetic:zz"], "unknown synthetic site 'zz': give one of demo, ab"),
        ([SITE, "--strategy", "wild"], "unknown strategy 'wild': choose one of hound"),
        ([SITE, "--param", "theta=1"], "unknown parameter 'theta=1'"),
        ([SITE, "--param", "min_similarity=x"], "min_similarity can't be 'x': it is a number"),
        ([SITE, "--param", "model=cnn"], "model can't be 'cnn': it is one of lr, svm, nb, pa"),
        ([SITE, "--target", "films"], "unknown target type 'films'"),
        ([SITE, "--target", "text/x-none"], "no target can be reached"),
        ([SITE, "--runs", "0"], "--runs"),
        ([SITE, "--curve", "/nowhere/at/all.csv"], "/nowhere/at/all.csv: can't be written"),
        ([], "Missing argument 'SITE...'"),
        ([SITE, "--wrong"], "No such option"),
    ],
)
def test_bad_input_is_one_line(datahound, arguments, complaint):
    """The line names the thing and what is allowed; the exit status is 2."""
    status, out, err = datahound("replay", *arguments)
    assert status == 2
    assert complaint in err
    assert err.count("\n") == 1
    assert out == ""


def test_broken_archives(datahound, warc, tmp_path):
    """An empty file, one that is no WARC, an empty folder: one line each. A cut one is read."""
    empty, text, folder = tmp_path / "empty.warc.gz", tmp_path / "text.warc", tmp_path / "folder"
    empty.write_bytes(b"")
    text.write_text("hello")
    folder.mkdir()
    for path in (empty, text, folder):
        status, _, err = datahound("replay", path)
        assert (status, err.count("\n")) == (2, 1), err
        assert str(path) in err
    cut = tmp_path / "cut.warc.gz"
    cut.write_bytes(warc.read_bytes()[: warc.stat().st_size * 99 // 100])
    status, out, _ = datahound("replay", cut, "--strategy", "bfs", "--json")
    assert status == 0
    assert 0 < json.loads(out)["targets"] < 42
    stub = tmp_path / "stub.warc.gz"
    stub.write_bytes(warc.read_bytes()[:200])
    status, _, err = datahound("replay", stub)
    assert (status, err.count("\n")) == (2, 1), err


def test_a_start_page_that_is_not_recorded(datahound, warc):
    """It is named, and nothing else happens."""
    status, _, err = datahound("replay", f"{warc}?seed=https://www.demo.example/nowhere")
    assert status == 2
    assert "start page" in err


def test_a_recording_that_is_cut_off_says_so(datahound, warc, tmp_path):
    """The last record is left out, and a line on the error stream names the file."""
    cut = tmp_path / "cut.warc.gz"
    whole = warc.read_bytes()
    cut.write_bytes(whole[: len(whole) - 40])
    status, _, error = datahound("replay", cut, "--strategy", "bfs")
    assert status == 0
    assert "cut.warc.gz is cut off" in error
    assert "cut off" not in datahound("replay", warc, "--strategy", "bfs")[2]
