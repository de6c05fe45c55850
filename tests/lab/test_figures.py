"""What figures show."""

import numpy as np
import pytest
from made_results import make_run, make_site, make_view

from datahound.lab.metrics import Curve
from datahound.lab.observers import RankedGroup
from datahound.lab.report.figures import COLOURS, draw_curves, draw_figures
from datahound.lab.results_view import CRAWLERS
from datahound.lab.trials import TrialResult

STEPS = ((2, 1, 10, 5), (10, 2, 30, 40))
SITE = make_site(requests=10, other_bytes=40)


def figures(view):
    return {name: figure for name, _, figure in draw_figures(view)}


def line_of(figure, label, axes=0):
    return next(line for line in figure.axes[axes].lines if line.get_label() == label)


def trial(strategy, found_at, requests=10, seed=0):
    curve = Curve(requests=requests, found_at=found_at)
    return TrialResult("site", strategy, seed, curve, 2, 2, 0.1, "")


def test_each_crawler_has_its_own_colour():
    """No two crawlers share one."""
    assert tuple(COLOURS) == CRAWLERS
    assert len(set(COLOURS.values())) == len(CRAWLERS)


def test_a_curve_is_a_step_at_each_target():
    """Targets against requests, and bytes in megabytes, from 0 to the whole site."""
    view = make_view(make_run("bfs"), sites=(SITE,), curves={("one", "bfs", "", 0): STEPS})
    figure = figures(view)["curves-one"]
    line = line_of(figure, "bfs")
    heights = dict(zip(line.get_xdata(), line.get_ydata(), strict=True))
    assert heights[0.0] == 0
    assert heights[10.0] == 2
    assert all(height == int(at >= 2) + int(at >= 10) for at, height in heights.items())
    assert line_of(figure, "bfs", 1).get_ydata()[-1] == pytest.approx(30e-6)


def test_several_runs_are_a_mean_with_a_band():
    """The mean is drawn, and shaded by the standard deviation."""
    curves = {
        ("one", "bfs", "", 0): STEPS,
        ("one", "bfs", "", 1): ((10, 4, 30, 40),),
        ("one", "bfs", "ngram=3", 0): ((1, 99, 1, 1),),
    }
    figure = figures(make_view(make_run("bfs"), sites=(SITE,), curves=curves))["curves-one"]
    assert line_of(figure, "bfs").get_ydata()[-1] == 3
    assert len(figure.axes[0].collections) == 1


def test_the_omniscient_crawler_ends_when_it_has_everything():
    """Its line is not drawn on to the end of the site; the others' are."""
    steps = ((1, 1, 10, 0), (2, 2, 30, 0))
    curves = {("one", name, "", 0): steps for name in ("omniscient", "bfs")}
    runs = (make_run("omniscient"), make_run("bfs"))
    figure = figures(make_view(*runs, sites=(SITE,), curves=curves))["curves-one"]
    assert line_of(figure, "omniscient").get_xdata()[-1] == 2
    assert line_of(figure, "bfs").get_xdata()[-1] == 10


def test_the_panel_names_every_crawler():
    """Also one that has no run on the first site; in the order of crawlers."""
    sites = (SITE, make_site("two", requests=10))
    has = {"one": ("random", "bfs"), "two": ("bfs", "tres")}
    runs = [make_run(name, site=site) for site, names in has.items() for name in names]
    curves = {(run.site, run.strategy, "", 0): STEPS for run in runs}
    legend = figures(make_view(*runs, sites=sites, curves=curves))["curves"].legends[0]
    assert [text.get_text() for text in legend.get_texts()] == ["tres", "bfs", "random"]


def test_a_line_at_hardly_any_volume_is_beside_the_axis():
    """The omniscient crawler receives one page, and then targets only."""
    curves = {("one", "omniscient", "", 0): ((2, 1, 10, 1), (3, 2, 30, 1))}
    view = make_view(make_run("omniscient"), sites=(SITE,), curves=curves)
    axes = figures(view)["curves-one"].axes[1]
    line = line_of(axes.figure, "omniscient", 1)
    assert (line.get_ydata()[0], line.get_ydata()[-1]) == (0, pytest.approx(30e-6))
    assert axes.get_xlim()[0] < 0


def test_early_stopping_has_a_line_per_site():
    """At the mean of the cuts, beside the largest site without one; never without any cut."""
    sites = (SITE, make_site("small", requests=8), make_site("large", requests=9))
    curves = {(site.name, "sb-classifier", "", 0): STEPS for site in sites}
    runs = [make_run(site=site.name) for site in sites[1:]]
    view = make_view(
        make_run(stop_requests=4), make_run(seed=1, stop_requests=8), *runs,
        sites=sites, curves=curves,
    )  # fmt: skip
    figure = figures(view)["early-stopping"]
    assert list(line_of(figure, "early stopping").get_xdata()) == [6, 6]
    titles = [axes.get_title() for axes in figure.axes]
    assert titles == ["one: (i) stops in 2 of 2 runs", "large: (iii) too small"]
    assert "early-stopping" not in figures(make_view(make_run(), sites=(SITE,), curves=curves))


def test_top_groups_have_a_mean_over_sites():
    """A line per site by rank, mean over runs, and a black one over sites, on a log scale."""
    groups = {
        ("one", "sb-classifier", "", 0): [RankedGroup(8.0, 9, "a")],
        ("two", "sb-classifier", "", 0): [RankedGroup(2.0, 9, "a"), RankedGroup(1.0, 9, "b")],
    }
    view = make_view(
        make_run(), make_run(site="two"), sites=(SITE, make_site("two")), groups=groups
    )
    figure = figures(view)["top-groups"]
    assert list(line_of(figure, "mean of sites").get_ydata()) == [5, 1]
    assert list(line_of(figure, "two").get_ydata()) == [2, 1]
    assert figure.axes[0].get_yscale() == "log"
    figure.draw_without_rendering()
    marks = [label.get_text() for label in figure.axes[0].get_yticklabels(which="both")]
    assert {"1", "2", "5"} <= set(marks), "plain numbers, also between powers of ten"
    assert not any("times" in mark for mark in marks)


def test_groups_are_bars():
    """One bar per group of the studied crawler, its pages counted, a long path cut at its start."""
    path = "html " + "div " * 30 + "a"
    groups = {("one", "sb-classifier", "", 0): [RankedGroup(4.0, 1, path), RankedGroup(2, 30, "a")]}
    axes = figures(make_view(make_run(), sites=(SITE,), groups=groups))["groups-one"].axes[0]
    assert [bar.get_width() for bar in axes.patches] == [4.0, 2]
    assert [text.get_text() for text in axes.texts] == [" 4 (1 page)", " 2 (30 pages)"]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels[0].startswith("…div")
    assert labels[0].endswith("div a")
    assert labels[1] == "a"


def test_a_group_with_a_long_element_is_named():
    """The end of the path is shown as far as there is room, not its last letter alone."""
    groups = {("one", "sb-classifier", "", 0): [RankedGroup(4.0, 1, f"html li.{'b' * 90} a")]}
    axes = figures(make_view(make_run(), sites=(SITE,), groups=groups))["groups-one"].axes[0]
    assert axes.get_yticklabels()[0].get_text() == f"…{'b' * 62} a"


def test_the_confusion_matrix_is_a_mean_of_sites():
    """Percent of all guesses, each site with the same weight."""
    counts = dict.fromkeys(
        ("page_as_page", "page_as_target", "target_as_page", "target_as_target", "other_as_page",
         "other_as_target"),
        0,
    )  # fmt: skip
    one = make_run(**{**counts, "page_as_page": 1})
    two = make_run(site="two", **{**counts, "page_as_page": 300, "other_as_target": 100})
    sites = (SITE, make_site("two"))
    figure = figures(make_view(one, two, sites=sites))["confusion"]
    shares = [float(text.get_text()) for text in figure.axes[0].texts]
    assert shares == [87.5, 0, 0, 0, 0, 12.5]
    assert figure.axes[0].get_title() == "LR, URL"


def test_confusion_matrices_are_of_the_same_sites():
    """A site that lacks a classifier is left out of the mean of all."""
    one = make_run()
    two, other = (make_run(site="two", variant=variant) for variant in ("", "model=nb"))
    sites = (SITE, make_site("two"))
    made = draw_figures(make_view(one, two, other, sites=sites))
    figure = next((f, caption) for name, caption, f in made if name == "confusion")
    assert figure[1].endswith("mean over 1 site")
    assert [axes.get_title() for axes in figure[0].axes if axes.get_visible()] == [
        "LR, URL", "NB, URL",
    ]  # fmt: skip


def test_nothing_to_draw():
    """Results without curves, groups and guesses have no figure."""
    counts = dict.fromkeys(
        ("page_as_page", "page_as_target", "target_as_page", "target_as_target"), 0
    )
    assert figures(make_view(make_run("bfs", **counts))) == {}


def test_trials_are_drawn_to_their_own_end():
    """Each crawler's mean to its last request; the axis ends with the longest."""
    figure = draw_curves(
        [trial("bfs", [5, 10]), trial("random", [1, 2]), trial("random", [2, 8], 20, seed=1)]
    )
    axes = figure.axes[0]
    assert [line.get_label() for line in axes.lines] == ["bfs", "random"]
    assert axes.lines[0].get_xdata()[-1] == 10
    assert axes.get_xlim() == (0, 20)
    assert np.interp(2.05, axes.lines[1].get_xdata(), axes.lines[1].get_ydata()) == 1.5
    assert len(axes.collections) == 1
