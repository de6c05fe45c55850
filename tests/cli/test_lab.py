"""`datahound lab`."""

import pytest

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


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("run", "nowhere.warc.gz"), "nowhere.warc.gz: no such site"),
        (("run", SITE, "--experiment", "x"), "unknown experiment 'x'"),
        (("run", SITE, "--crawler", "x"), "unknown strategy 'x'"),
        (("run", SITE, "--param", "x=1"), "unknown parameter 'x=1'"),
        (("run", "synthetic:?pages=100&targets=0"), "none of the sites could be used"),
        (("report", "nowhere"), "not a folder of results"),
        (("compare", "nowhere", "nowhere"), "not a folder of results"),
    ],
)
def test_mistakes_are_told_in_one_line(datahound, tmp_path, monkeypatch, arguments, complaint):
    """What the user can mend has exit status 2 and one line that says it."""
    monkeypatch.chdir(tmp_path)
    status, _, err = datahound("lab", *arguments)
    assert status == 2
    assert complaint in err.splitlines()[-1]
