"""Tables of single studies, from results made by hand."""

import pytest
from made_results import make_run, make_site, make_view, rows_of

from datahound.lab.experiments import CLASSIFIERS, GRID, name_classifier_variant, name_variant
from datahound.lab.observers import RankedGroup
from datahound.lab.report.study_tables import (
    characteristics_table,
    classifiers_table,
    early_stopping_table,
    find_stop_behaviour,
    groups_tables,
    hyperparameters_table,
    list_classifiers,
    misclassification_table,
    note_runs,
    rewards_table,
    to_file_name,
    top_groups_table,
)
from datahound.settings import Settings

MEASURED = {
    "site": "one", "pages": "80", "targets": "20", "available": "100", "linking_pages": "8",
    "target_size_mean": "1500000", "target_size_std": "250000", "target_depth_mean": "3.5",
    "target_depth_std": "1.25", "errors": "30", "complete": "True",
    "start": "https://one.example/", "languages": "de:700 en:290 fr:9 es:1",
}  # fmt: skip


def test_characteristics_are_shares():
    """Density is of what is available, linking pages are of pages, sizes are megabytes."""
    table = characteristics_table(make_view(characteristics={"one": MEASURED}))
    cells = rows_of(table)["one"]
    assert cells[:6] == ["100", "20", "20.0", "10.00", "1.50 ± 0.25", "3.50 ± 1.25"]
    neither = 30 + 100 - 20 - int(MEASURED["pages"])
    start = "https://one.example/"
    assert cells[6:] == [f"{3000 / neither:.1f}", "de, en", "whole", start, "one.warc.gz"]
    assert not table.note


def test_many_languages_are_counted():
    """Four are named; results of earlier versions name neither languages nor a start."""
    many = {**MEASURED, "languages": "de:5 en:4 fr:3 es:2 it:1 ja:1"}
    cells = rows_of(characteristics_table(make_view(characteristics={"one": many})))["one"]
    assert cells[7] == "de, en, fr, es and 2 more"
    earlier = {name: MEASURED[name] for name in MEASURED if name not in ("start", "languages")}
    cells = rows_of(characteristics_table(make_view(characteristics={"one": earlier})))["one"]
    assert (cells[7], cells[9]) == ("–", "–")


def test_characteristics_beside_the_papers():
    """A synthetic site has the figures of the one that it imitates."""
    sites = (make_site(preset="ju"),)
    table = characteristics_table(make_view(characteristics={"one": MEASURED}, sites=sites))
    cells = table.rows[0].cells
    assert [cell.paper for cell in cells[:3]] == ["56,610", "14,850", "26.2"]
    assert cells[4].paper.startswith("0.48 ±")


def test_the_grid_has_a_row_per_value():
    """Requests and volume in one cell, the best of each parameter in bold, rules between them."""
    runs = []
    for name, values in GRID.items():
        for requests, value in zip((300, 200, 100), values, strict=True):
            variant = name_variant(Settings(), f"{name}={value}")
            runs.append(make_run("sb-oracle", variant=variant, requests_to_90=requests))
    unique = {run.variant: run for run in runs}.values()
    table = hyperparameters_table(make_view(*unique))
    assert [row.head for row in table.rows] == [
        "α = 0.1", "α = 2√2", "α = 30", "n = 1", "n = 2", "n = 3",
        "θ = 0.55", "θ = 0.75", "θ = 0.95",
    ]  # fmt: skip
    assert [row.head for row in table.rows if row.ruled] == ["n = 1", "θ = 0.55"]
    rows = rows_of(table)
    assert rows["α = 30"] == ["*10.0* | *25.0*"]
    assert rows["α = 0.1"] == ["30.0 | *25.0*"]


def test_the_grid_beside_the_papers():
    """The paper's pair of values is beside ours."""
    run = make_run("sb-oracle")
    table = hyperparameters_table(make_view(run, sites=(make_site(preset="cl"),)))
    assert table.rows[1].cells[0].paper == "76.4 | 56.3"


@pytest.fixture
def classified():
    """A run per classifier, each wrong about more than the one before."""
    return [
        make_run(
            variant=name_classifier_variant(Settings(), *classifier),
            requests_to_90=100 * (wrong + 1),
            page_as_page=50,
            target_as_target=50 - wrong,
            target_as_page=wrong,
            page_as_target=0,
        )
        for wrong, classifier in enumerate(CLASSIFIERS)
    ]


def test_classifiers_are_compared(classified):
    """Requests to 90 % and the misclassification rate; a rule between URLs and context."""
    table = classifiers_table(make_view(*classified))
    rows = rows_of(table)
    assert list(rows)[:2] == ["URL_ONLY-LR", "URL_ONLY-SVM"]
    assert rows["URL_ONLY-LR"] == ["10.0", "*0.00*"]
    assert rows["URL_CONT-PA"] == ["80.0", "7.00"]
    assert [row.head for row in table.rows if row.ruled] == ["URL_CONT-LR"]
    assert table.columns == ("classifier", "one", "MR (%)")


@pytest.mark.parametrize(("requests", "is_bold"), [(981, False), (980, True), (None, False)])
def test_a_better_classifier_needs_two_percent_less(requests, is_bold):
    """The paper's rule: bold is what needs at least 2 % fewer requests than URL_ONLY-LR."""
    usual, other = (name_classifier_variant(Settings(), *CLASSIFIERS[n]) for n in (0, 1))
    runs = [
        make_run(variant=usual, requests_to_90=1000),
        make_run(variant=other, requests_to_90=requests),
    ]
    usual_row, other_row = classifiers_table(make_view(*runs)).rows
    assert other_row.cells[0].parts[0].bold is is_bold
    assert not usual_row.cells[0].parts[0].bold


def test_misclassification_by_site(classified):
    """The same rates, site by site; classifiers without runs have no row."""
    rows = rows_of(misclassification_table(make_view(*classified)))
    assert rows["URL_ONLY-SVM"] == ["1.00"]
    assert rows["URL_ONLY-LR"] == ["*0.00*"]
    alone = make_view(make_run())
    assert list_classifiers(alone) == [("lr", "url")]
    assert rows_of(misclassification_table(alone)) == {"URL_ONLY-LR": ["15.00"]}


def test_context_alone_has_no_rule_above_it(classified):
    """The first row of a table never has a rule."""
    rows = misclassification_table(make_view(*classified[4:])).rows
    assert rows[0].head == "URL_CONT-LR"
    assert not any(row.ruled for row in rows)


def test_rewards_have_mean_and_spread():
    """Of groups, beside the paper's, and of pages."""
    table = rewards_table(make_view(make_run(), sites=(make_site(preset="ju"),)))
    assert rows_of(table) == {
        "mean of groups": ["2.00"],
        "std of groups": ["1.00"],
        "mean of pages": ["4.00"],
        "std of pages": ["3.00"],
    }
    assert [row.cells[0].paper for row in table.rows] == ["5.4", "10.5", "", ""]


def test_early_stopping_saves_and_loses():
    """In percent of the run's own requests and targets; a run that never stops saves nothing."""
    view = make_view(
        make_run(stop_requests=600, stop_targets=95, total_targets=400),
        make_run(seed=1),
        make_run("bfs", stop_requests=1, stop_targets=0),
    )
    assert rows_of(early_stopping_table(view)) == {
        "Saved req.": ["20.0 ± 28.3"],
        "Lost targets": ["2.5 ± 3.5"],
        "stops at request": ["600 (1/2)"],
        "behaviour": ["(i) stops in 1 of 2 runs"],
    }
    never = make_view(make_run())
    assert rows_of(early_stopping_table(never))["stops at request"] == ["+∞"]


@pytest.mark.parametrize(
    ("requests", "cut", "behaviour"),
    [
        (20_000, 15_000, "(i) stops in 1 of 1 run"),
        (15_000, None, "(ii) never met"),
        (14_999, None, "(iii) too small"),
    ],
)
def test_the_papers_three_behaviours(requests, cut, behaviour):
    """Stopping takes 15 windows of 1,000 requests, which a small site does not have."""
    view = make_view(make_run(requests=requests, stop_requests=cut))
    assert find_stop_behaviour(view, "one") == behaviour
    assert find_stop_behaviour(view, "two") == "–"


def test_groups_of_the_first_run():
    """The groups of one run of the studied crawler, in their order, one table per site."""
    groups = {
        ("one", "bfs", "", 0): [RankedGroup(9.0, 9, "html bfs")],
        ("one", "sb-classifier", "", 0): [RankedGroup(2.5, 1200, "html ul a")],
        ("one", "sb-classifier", "", 1): [RankedGroup(7.0, 1, "html p a")],
    }
    (table,) = groups_tables(make_view(make_run(), groups=groups))
    assert rows_of(table) == {"1": ["2.50", "1,200", "html ul a"]}
    assert table.name == "groups-one"
    assert groups_tables(make_view(make_run())) == []


def test_top_groups_over_runs_and_sites():
    """The mean over runs by rank, then over sites; a site with fewer groups counts where it has."""
    groups = {
        ("one", "sb-classifier", "", 0): [RankedGroup(9.0, 9, "a"), RankedGroup(4.0, 1, "b")],
        ("one", "sb-classifier", "", 1): [RankedGroup(7.0, 1, "b")],
        ("two", "sb-classifier", "", 0): [RankedGroup(2.0, 1, "c")],
        ("two", "sb-classifier", "ngram=3", 0): [RankedGroup(99.0, 1, "d")],
    }
    runs = (make_run(), make_run(seed=1), make_run(site="two"))
    view = make_view(*runs, sites=(make_site(), make_site("two")), groups=groups)
    table = top_groups_table(view)
    assert table.columns == ("rank", "one", "two", "mean of sites")
    assert rows_of(table) == {"1": ["8.00", "2.00", "5.00"], "2": ["4.00", "–", "4.00"]}
    assert top_groups_table(make_view(make_run())) is None


def test_the_note_tells_one_run_from_several():
    """One run has no spread."""
    assert note_runs(make_view(make_run())).startswith("One run: no spread.")
    assert note_runs(make_view(make_run(), make_run(seed=1))).startswith("Mean ± standard")


def test_a_site_name_fits_a_file_name():
    """What a preset's options have is replaced."""
    assert to_file_name("cl?pages=1&x/..:é") == "cl-pages-1-x-..-é"
