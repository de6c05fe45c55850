"""`datahound lab`."""

from random import Random

import pytest

from datahound.lab.bounds import find_optimum, make_hard_sets, set_cover_graph

SITE = "synthetic:demo?pages=100"
FEW = ("--crawler", "bfs", "--crawler", "sb-classifier", "--experiment", "crawlers", "--runs", "2")


@pytest.fixture
def results(datahound, tmp_path):
    path = tmp_path / "lab"
    status, out, _ = datahound("lab", "run", SITE, *FEW, "--out", path)
    assert (status, out) == (0, f"3 runs in {path}; next: datahound lab report {path}\n")
    return path


def test_run_report_compare(datahound, results):
    """The three commands, one after the other, each saying what comes next."""
    status, out, _ = datahound("lab", "report", results, "--delay", "2", "--bandwidth", "10")
    assert status == 0
    assert out.splitlines()[-1] == f"the report: {results}/report/index.html"
    assert "at 2 s a request and 10 Mbit/s" in (results / "report/tables/time.md").read_text()
    status, out, _ = datahound("lab", "compare", results, results, "--markdown")
    assert status == 0
    assert "| sb-classifier | " in out
    status, out, _ = datahound("lab", "compare", results, results)
    assert "Means over sites" in out


def test_the_same_command_again_does_nothing(datahound, results):
    """What is there is not made again."""
    before = (results / "results.csv").read_bytes()
    status, _, _ = datahound("lab", "run", SITE, *FEW, "--out", results)
    assert status == 0
    assert (results / "results.csv").read_bytes() == before


def test_a_budget_ends_every_run(datahound, tmp_path):
    """With a budget even a site without end can be measured; what is not reached is infinite."""
    out = tmp_path / "lab"
    site = "synthetic:demo?pages=100&traps=on"
    status, _, _ = datahound("lab", "run", site, *FEW, "--budget", "30", "--out", out)
    assert status == 0
    assert datahound("lab", "report", out)[0] == 0
    assert "+∞" in (out / "report/tables/requests-to-90.md").read_text()


def test_a_site_left_out_shows_in_the_exit_status(datahound, tmp_path):
    """The other sites are measured all the same."""
    bad = "synthetic:?pages=100&targets=0"
    status, out, err = datahound("lab", "run", bad, SITE, *FEW, "--out", tmp_path / "lab")
    assert status == 1
    assert out.startswith("3 runs in ")
    assert "left out" in err


def test_a_hard_site_is_recorded_and_measured(datahound, tmp_path):
    """The two commands agree with the construction: 9 targets in a hidden cover of 3 sets."""
    path = tmp_path / "hard.warc.gz"
    size = ("--elements", "9", "--cover", "3", "--decoys", "5")
    status, out, _ = datahound("lab", "hard", path, *size)
    assert status == 0
    assert out.startswith(
        "8 pages behind the first, 9 targets; the cheapest crawl makes at most 13 "
    )
    status, out, _ = datahound("lab", "bound", path)
    optimum = find_optimum(set_cover_graph(make_hard_sets(Random(0), 9, 3, 5)))
    assert status == 0
    assert out.startswith(f"hard: 9 targets; the least is {optimum} requests;")
    assert out.endswith("a crawl of everything 18\n")
    status, _, err = datahound("lab", "hard", path, *size)
    assert (status, len(err.splitlines())) == (2, 1)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("run", "nowhere.warc.gz"), "nowhere.warc.gz: no such site"),
        (("run", SITE, "--experiment", "x"), "departures, all, or refresh alone"),
        (("run", SITE, "--experiment", "refresh", "--budget", "9"), "has no --crawler, --budget"),
        (("run", SITE, "--crawler", "x"), "unknown strategy 'x'"),
        (("run", SITE, "--param", "x=1"), "unknown parameter 'x=1'"),
        (("run", "synthetic:?pages=100&targets=0"), "none of the sites could be used"),
        (("report", "nowhere"), "not a folder of results"),
        (("hard", "x.warc.gz", "--elements", "2"), "2 elements can't be covered by 5 sets"),
        (("hard", "x.warc.gz", "--elements", "20000"), "at most 10,000 sets"),
        (("hard", "nowhere/x.warc.gz"), "there is no folder nowhere"),
        (("bound", "nowhere.warc.gz"), "nowhere.warc.gz: no such site"),
        (("bound", "synthetic:demo?pages=100&traps=on", "--budget", "90"), "more than 90 requests"),
        (("compare", "nowhere", "nowhere"), "not a folder of results"),
    ],
)
def test_mistakes_are_told_in_one_line(datahound, tmp_path, monkeypatch, arguments, complaint):
    """What the user can mend has exit status 2 and one line that says it."""
    monkeypatch.chdir(tmp_path)
    status, _, err = datahound("lab", *arguments)
    assert status == 2
    assert complaint in err.splitlines()[-1]
    if complaint.endswith("no such site"):
        assert not list(tmp_path.iterdir())
