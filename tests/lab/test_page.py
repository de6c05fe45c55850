"""The report of a folder."""

import re
import shutil

import pytest
from jinja2 import Environment, PackageLoader
from made_results import make_run, make_view, save_results

from datahound.errors import StorageError, UserError
from datahound.lab.metrics import Curve
from datahound.lab.report import RequestCosts, write_curves, write_report
from datahound.lab.report.page import make_tables
from datahound.lab.trials import TrialResult

ALL_TABLES = {
    "characteristics", "requests-to-90", "volume-to-90", "hyperparameters", "classifiers",
    "misclassification", "rewards", "top-groups", "matching", "early-stopping", "area",
    "against-baselines", "significance", "time", "steps", "policies", "dimension", "departures",
    "multiples", "groups-cl-pages-120", "groups-demo-pages-100",
}  # fmt: skip


@pytest.fixture(scope="module")
def reported(results, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "results"
    shutil.copytree(results, path)
    return write_report(path, RequestCosts())


def test_every_table_is_written_in_three_forms(reported):
    """Each table as Markdown, CSV and LaTeX."""
    files = {path.name for path in (reported.page.parent / "tables").iterdir()}
    assert files == {f"{name}.{ending}" for name in ALL_TABLES for ending in ("md", "csv", "tex")}


def test_every_figure_is_written_in_three_forms(reported):
    """Each figure as SVG, PNG and PDF; variants have curves, and all sites a panel."""
    files = list((reported.page.parent / "figures").iterdir())
    names = {path.stem for path in files}
    assert {"confusion", "curves-cl-pages-120", "groups-demo-pages-100"} <= names
    assert {"curves", "top-groups", "ngram-cl-pages-120", "policies-demo-pages-100"} <= names
    assert {"classifiers-demo-pages-100", "confusion-cl-pages-120"} <= names
    assert {path.name for path in files} == {
        f"{n}.{e}" for n in names for e in ("svg", "png", "pdf")
    }
    for path in files:
        magic = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}[path.suffix]
        assert path.read_bytes().startswith(magic)


def test_the_page_works_offline(reported):
    """All figures are inside; nothing is loaded, nothing runs, no two elements share an id."""
    page = reported.page.read_text()
    figures = list((reported.page.parent / "figures").glob("*.svg"))
    assert page.count("<svg") == len(figures)
    assert not re.search(r'(?:src|href)="(?!#)', page.replace("xlink:href", "href"))
    assert "<script" not in page
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for name in ALL_TABLES:
        assert f'<section id="{name}">' in page


def test_references_inside_a_figure_hold(reported):
    """Ids were renamed together with what refers to them."""
    page = reported.page.read_text()
    ids = set(re.findall(r'\bid="([^"]+)"', page))
    referred = set(re.findall(r'href="#([^"]+)"', page)) | set(re.findall(r"url\(#([^)]+)\)", page))
    assert referred
    assert referred <= ids


def test_caveats_are_on_the_page(reported):
    """What limits the results is said and shown."""
    assert any("Early stopping takes" in caveat for caveat in reported.caveats)
    assert reported.page.read_text().count("<li>") == len(reported.caveats)


@pytest.mark.parametrize(
    ("runs", "names"),
    [
        ((), []),
        ((make_run("bfs"),), ["requests-to-90", "volume-to-90", "area", "time", "steps"]),
        (
            (make_run(),),
            ["requests-to-90", "volume-to-90", "area", "time", "steps", "misclassification",
             "rewards", "early-stopping"],
        ),
        (
            (make_run("sb-oracle", variant="ngram=3"),),
            ["requests-to-90", "volume-to-90", "area", "time", "steps", "hyperparameters"],
        ),
    ],
)  # fmt: skip
def test_only_tables_with_results_are_made(runs, names):
    """An experiment that was not run has no table."""
    assert [table.name for table in make_tables(make_view(*runs), RequestCosts())] == names


def test_a_report_that_cannot_be_written(tmp_path):
    """One line, not a traceback."""
    path = save_results(tmp_path / "r", make_run())
    (path / "report").write_text("in the way")
    with pytest.raises(StorageError, match="report: can't be written"):
        write_report(path, RequestCosts())


def test_curves_of_trials_are_drawn(tmp_path):
    """A picture of trials, in a folder that is made; a file in its place is one line."""
    curve = Curve(requests=9, found_at=[2, 5], sizes=[1, 1], other_bytes_at=[0, 0])
    results = [TrialResult("a", name, 0, curve, 2, 2, 0.1, "") for name in ("bfs", "omniscient")]
    write_curves(results, tmp_path / "new" / "picture.png")
    assert (tmp_path / "new" / "picture.png").read_bytes().startswith(b"\x89PNG")
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="file: can't be written"):
        write_curves(results, tmp_path / "file" / "picture.png")


def test_it_looks_like_the_report_of_a_crawl(reported):
    """The same colours, by day and by night; figures, which are drawn for paper, stay on white."""

    def read_colours(text):
        blocks = re.findall(r":root \{(.*?)\}", text, re.DOTALL)[:2]
        return [dict(re.findall(r"(--\w+): (#\w+)", block)) for block in blocks]

    style = PackageLoader("datahound.report").get_source(Environment(), "style.html")[0]
    own, crawls = read_colours(reported.page.read_text()), read_colours(style)
    assert [len(colours) for colours in own] == [6, 6]
    for colours, same in zip(own, crawls, strict=True):
        assert colours.items() <= same.items()
