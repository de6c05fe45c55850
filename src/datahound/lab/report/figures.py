"""Draw figures: the paper's, made from results, and the curves of a few trials."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import patheffects
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter
from numpy.typing import NDArray

from datahound.lab.experiments import (
    CLASSIFIERS,
    GRID,
    STUDIED,
    STUDIES,
    TUNED,
    name_classifier_variant,
    name_variant,
)
from datahound.lab.metrics import Points, read_heights
from datahound.lab.report.study_figures import draw_study_figures, make_grid
from datahound.lab.report.study_tables import find_stop_behaviour, name_grid_value, to_file_name
from datahound.lab.results_view import COLOURS, CRAWLERS, ResultsView, select
from datahound.lab.trials import TrialResult

_STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    # Ids in an SVG are random otherwise, and the same results would give other files.
    "svg.hashsalt": "datahound",
}

# More points than a printed figure can show.
_POINTS = 240
_TRIAL_POINTS = 400
_MEGABYTE = 1_000_000
_OTHER_COLOUR = "#666666"
_DASHES: dict[str, Any] = {
    "omniscient": "--",
    "sb-oracle": "-.",
    "random": ":",
    "tp-off": (0, (5, 2)),
    "tres": (0, (6, 2, 1, 2)),
}
_PANEL_COLUMNS = 3
_FEATURES = {"url": "URL", "context": "URL and context"}
_LEGEND_COLUMNS = 6

_Floats = NDArray[np.float64]


def draw_figures(view: ResultsView) -> Iterator[tuple[str, str, Figure]]:
    """Draw every figure that there are results for; yields its name, a caption and itself."""
    with mpl.rc_context(_STYLE):
        for site in view.sites:
            if any(key[0] == site for key in view.curves):
                name = to_file_name(site)
                caption = f"{site}: targets against requests, and target against non-target volume"
                yield f"curves-{name}", caption, _draw_site_curves(view, site)
                for study, what, strategy, rows in _list_variant_studies(view):
                    if any(select(view.curves, site, strategy, v) for _, v in rows if v):
                        caption = f"{site}: {what}, targets against requests"
                        drawn = _draw_variants(view, site, strategy, rows)
                        yield f"{study}-{name}", caption, drawn
        drawn_sites = [site for site in view.sites if any(k[0] == site for k in view.curves)]
        if len(drawn_sites) > 1:
            caption = "All sites: targets against requests"
            yield "curves", caption, _draw_panel(view, drawn_sites)
        if stopping := _choose_stopping_sites(view):
            caption = "Where early stopping cuts (black; grey: from the first run to the last)"
            yield "early-stopping", caption, _draw_early_stopping(view, stopping)
        yield from draw_study_figures(view)


def draw_curves(results: Sequence[TrialResult]) -> Figure:
    """Draw targets against requests, the mean of each crawler's runs, shaded by their spread."""
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(7.5, 4.5), layout="constrained")
        axes = figure.add_subplot()
        for crawler in CRAWLERS:
            curves = [result.curve for result in results if result.strategy == crawler]
            if not curves:
                continue
            at = np.linspace(0, max(curve.requests for curve in curves), _TRIAL_POINTS)
            found = [np.searchsorted(curve.found_at, at, side="right") for curve in curves]
            line = {"linewidth": 1.8, "linestyle": "--" if crawler == "omniscient" else "-"}
            _draw_mean(axes, crawler, at, np.array(found, dtype=np.float64), 0.15, line)
        axes.set(
            xlim=(0, max(result.curve.requests for result in results)), ylim=(0, None),
            xlabel="requests", ylabel="targets found",
            title=f"{results[0].site}: who finds the data files first",
        )  # fmt: skip
        axes.legend(frameon=False, loc="lower right")
        return figure


def _draw_site_curves(view: ResultsView, site: str) -> Figure:
    """Draw targets against requests and target against non-target volume, shaded ± std."""
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    whole = view.sites[site]
    for crawler in view.list_crawlers():
        if points := select(view.curves, site, crawler):
            _draw_band(left, crawler, points, 0, 1, whole.requests)
            _draw_band(right, crawler, points, 3, 2, whole.other_bytes, _MEGABYTE)
    left.set(xlabel="requests", ylabel="targets found", xlim=(0, None), ylim=(0, None))
    # The omniscient crawler receives nothing else: its line would lie on the axis.
    begin = -0.01 * whole.other_bytes / _MEGABYTE
    right.set(
        xlabel="non-target volume (MB)", ylabel="target volume (MB)", xlim=(begin, None),
        ylim=(0, None),
    )  # fmt: skip
    _shorten_counts(left)
    _add_legend(figure)
    figure.suptitle(site)
    return figure


def _draw_panel(view: ResultsView, sites: Sequence[str]) -> Figure:
    """Draw targets against requests of many sites, with one legend."""
    figure, grid = make_grid(len(sites), _PANEL_COLUMNS, (3.4, 2.7), (0, 0.6))
    for axes, site in zip(grid.flat, sites, strict=False):
        for crawler in view.list_crawlers():
            if points := select(view.curves, site, crawler):
                _draw_band(axes, crawler, points, 0, 1, view.sites[site].requests)
        axes.set(title=site, xlim=(0, None), ylim=(0, None))
        _shorten_counts(axes)
    for axes in grid.flat[max(len(sites) - grid.shape[1], 0) : len(sites)]:
        axes.set_xlabel("requests")  # the lowest panel of each column
    for axes in grid[:, 0]:
        axes.set_ylabel("targets found")
    _add_legend(figure)
    return figure


def _draw_variants(
    view: ResultsView, site: str, strategy: str, rows: Sequence[tuple[str, str]]
) -> Figure:
    """Draw the curves of one crawler with different settings, each with a name and a variant."""
    figure = Figure(figsize=(6.5, 4.2), layout="constrained")
    axes = figure.add_subplot()
    colours = mpl.colormaps["tab10"].colors  # type: ignore[attr-defined]
    models = len(CLASSIFIERS) // 2
    for number, (label, variant) in enumerate(rows):
        if points := select(view.curves, site, strategy, variant):
            at = np.linspace(0, view.sites[site].requests, _POINTS)
            mean = np.mean([read_heights(p, 0, 1, at) for p in points], axis=0)
            # Models of the classifier have their colour, and a dashed line for the other features.
            line = "-" if number < models or strategy != STUDIED else "--"
            colour = colours[number % (models if strategy == STUDIED else len(colours))]
            axes.plot(at, mean, label=label, color=colour, linewidth=1.5, linestyle=line)
    axes.set(
        xlabel="requests", ylabel="targets found", xlim=(0, None), ylim=(0, None),
        title=f"{site}: {strategy}",
    )  # fmt: skip
    _shorten_counts(axes)
    axes.legend(frameon=False, fontsize=8, loc="lower right")
    return figure


def _list_variant_studies(
    view: ResultsView,
) -> Iterator[tuple[str, str, str, list[tuple[str, str]]]]:
    """Yield name, caption, crawler and rows of each study whose curves are compared."""
    for name, values in GRID.items():
        shown = [
            (name_grid_value(name, value), name_variant(view.base, f"{name}={value}"))
            for value in values
        ]
        yield f"{name.replace('_', '-')}", f"hyper-parameter {name}", TUNED, shown
    classifiers = [
        (
            f"{model.upper()}, {_FEATURES[features]}",
            name_classifier_variant(view.base, model, features),
        )
        for model, features in CLASSIFIERS
    ]
    yield "classifiers", "URL classifiers", STUDIED, classifiers
    for study in ("policies", "dimension"):
        rows = [(head, name_variant(view.base, *pairs)) for head, _, pairs in STUDIES[study]]
        yield study, study, TUNED, rows


def _shorten_counts(axes: Axes) -> None:
    """Write 10k for 10000 on both axes."""
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.yaxis.set_major_formatter(EngFormatter(sep=""))


def _add_legend(figure: Figure) -> None:
    """Put the names of all lines below, in the order of crawlers and as many rows as they need."""
    named: dict[str, Any] = {}
    for axes in figure.axes:
        # A site may lack the runs of a crawler that another one has.
        named |= {
            label: line for line, label in zip(*axes.get_legend_handles_labels(), strict=True)
        }
    order = {name: rank for rank, name in enumerate(CRAWLERS)}
    labels = sorted(named, key=lambda label: order.get(label, len(order)))
    columns = math.ceil(len(labels) / math.ceil(len(labels) / _LEGEND_COLUMNS))
    lines = [named[label] for label in labels]
    figure.legend(lines, labels, loc="outside lower center", ncols=columns, frameon=False)


def _choose_stopping_sites(view: ResultsView) -> list[str]:
    """Return the sites on which early stopping cuts, with the largest other one beside one alone.

    None if it never cuts.
    """
    drawn = [site for site in view.sites if select(view.curves, site, STUDIED)]
    cut = [site for site in drawn if _list_cuts(view, site)]
    others = sorted(set(drawn) - set(cut), key=lambda site: -view.sites[site].requests)
    return [*cut, *others[: 2 - len(cut)]] if cut else []


def _draw_early_stopping(view: ResultsView, sites: Sequence[str]) -> Figure:
    """Draw the studied crawler's curve per site, and a black line where early stopping ends it."""
    figure, grid = make_grid(len(sites), _PANEL_COLUMNS, (4.4, 3.3), (0, 0.5))
    for axes, site in zip(grid.flat, sites, strict=False):
        points = select(view.curves, site, STUDIED)
        _draw_band(axes, STUDIED, points, 0, 1, view.sites[site].requests)
        if cuts := _list_cuts(view, site):
            axes.axvline(float(np.mean(cuts)), color="black", linewidth=1.5, label="early stopping")
            axes.axvspan(min(cuts), max(cuts), color="black", alpha=0.12, lw=0)
        axes.set(xlabel="requests", ylabel="targets found", xlim=(0, None), ylim=(0, None))
        axes.set_title(f"{site}: {find_stop_behaviour(view, site)}", fontsize=10)
        _shorten_counts(axes)
    _add_legend(figure)
    return figure


def _list_cuts(view: ResultsView, site: str) -> list[int]:
    found = (run.stop_requests for run in view.select_runs(site, STUDIED))
    return [requests for requests in found if requests is not None]


def _draw_band(
    axes: Axes, crawler: str, runs: Sequence[Points], x: int, y: int, end: int, unit: int = 1
) -> None:
    """Draw column y of the curves of some runs against column x, up to `end`."""
    # The omniscient crawler ends when it has all targets: its line must not go on as if it made
    # requests.
    reach = min(end, max(points[-1][x] for points in runs)) if crawler == "omniscient" else end
    at = np.linspace(0, reach, _POINTS)
    heights = np.array([read_heights(points, x, y, at) for points in runs]) / unit
    # A thin dark edge keeps light colours legible on white.
    edge = [patheffects.Stroke(linewidth=2.4, foreground="#555555"), patheffects.Normal()]
    line = {
        "linewidth": 1.7,
        "linestyle": _DASHES.get(crawler, "-"),
        "path_effects": edge if crawler == "tp-off" else None,
        "zorder": 3 if crawler in _DASHES else 2,
    }
    _draw_mean(axes, crawler, at / unit, heights, 0.18, line)


def _draw_mean(
    axes: Axes, crawler: str, at: _Floats, heights: _Floats, opacity: float, line: dict[str, Any]
) -> None:
    """Draw the mean of the runs of a crawler as a line, shaded by their standard deviation."""
    mean, spread = heights.mean(axis=0), heights.std(axis=0)
    colour = COLOURS.get(crawler, _OTHER_COLOUR)
    axes.plot(at, mean, color=colour, label=crawler, **line)
    if len(heights) > 1:
        axes.fill_between(at, mean - spread, mean + spread, color=colour, alpha=opacity, lw=0)
