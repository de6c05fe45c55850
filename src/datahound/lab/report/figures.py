"""Draw figures: the paper's, made from results, and the curves of a few trials."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import patheffects
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, NullFormatter
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
from datahound.lab.report.study_tables import to_file_name
from datahound.lab.results import Points, RunFigures
from datahound.lab.results_view import CRAWLERS, ResultsView
from datahound.lab.trials import TrialResult
from datahound.units import show_count

_PALETTE = "#999999 #56B4E9 #0072B2 #D55E00 #CC79A7 #F0E442 #882255 #009E73 #E69F00 #000000"
COLOURS = dict(zip(CRAWLERS, _PALETTE.split(), strict=True))
"""Okabe and Ito's palette and one more, which the colour-blind can tell apart: one per crawler."""

_STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "svg.hashsalt": "datahound",
}

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
_KINDS = ("page", "target", "other")
_PATH_WIDTH = 64
_PANEL_COLUMNS = 3
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
                    if any(
                        (site, strategy, v) == key[:3] for _, v in rows if v for key in view.curves
                    ):
                        caption = f"{site}: {what}, targets against requests"
                        drawn = _draw_variants(view, site, strategy, rows)
                        yield f"{study}-{name}", caption, drawn
                if any(run.stop_requests is not None for run in view.select_runs(site, STUDIED)):
                    caption = f"{site}: where early stopping cuts"
                    yield f"early-stopping-{name}", caption, _draw_early_stopping(view, site)
            if any(key[0] == site for key in view.groups):
                caption = f"{site}: the ten groups of tag paths with the highest mean reward"
                yield f"groups-{to_file_name(site)}", caption, _draw_groups(view, site)
        drawn_sites = [site for site in view.sites if any(k[0] == site for k in view.curves)]
        if len(drawn_sites) > 1:
            caption = "All sites: targets against requests"
            yield "curves", caption, _draw_panel(view, drawn_sites)
        if any(key[1] == STUDIED for key in view.groups):
            caption = "Mean rewards of the ten best groups of each site, mean over runs"
            yield "top-groups", caption, _draw_top_groups(view)
        for site in view.sites:
            own = {c: m for c in CLASSIFIERS if (m := _average_variant(view, site, *c)) is not None}
            if own and len(view.sites) > 1:
                caption = f"{site}: what URLs were and what they were taken for, in percent"
                yield f"confusion-{to_file_name(site)}", caption, _draw_confusion(own)
        matrices = {c: m for c in CLASSIFIERS if (m := _average_shares(view, *c)) is not None}
        if matrices:
            caption = "What URLs were and what they were taken for, in percent, mean over sites"
            yield "confusion", caption, _draw_confusion(matrices)


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
        points = [p for key, p in view.curves.items() if key[:3] == (site, crawler, "")]
        if points:
            _draw_band(left, crawler, points, 0, 1, whole.requests)
            _draw_band(right, crawler, points, 3, 2, whole.other_bytes, _MEGABYTE)
    left.set(xlabel="requests", ylabel="targets found", xlim=(0, None), ylim=(0, None))
    right.set(
        xlabel="non-target volume (MB)", ylabel="target volume (MB)", xlim=(0, None), ylim=(0, None)
    )
    left.xaxis.set_major_formatter(EngFormatter(sep=""))
    left.yaxis.set_major_formatter(EngFormatter(sep=""))
    _add_legend(figure, left)
    figure.suptitle(site)
    return figure


def _draw_panel(view: ResultsView, sites: Sequence[str]) -> Figure:
    """Draw targets against requests of many sites, with one legend."""
    columns = min(_PANEL_COLUMNS, len(sites))
    lines = math.ceil(len(sites) / columns)
    figure = Figure(figsize=(3.4 * columns, 2.7 * lines + 0.6), layout="constrained")
    grid = figure.subplots(lines, columns, squeeze=False)
    for axes in grid.flat[len(sites) :]:
        axes.set_visible(False)
    for axes, site in zip(grid.flat, sites, strict=False):
        for crawler in view.list_crawlers():
            points = [p for key, p in view.curves.items() if key[:3] == (site, crawler, "")]
            if points:
                _draw_band(axes, crawler, points, 0, 1, view.sites[site].requests)
        axes.set(title=site, xlim=(0, None), ylim=(0, None))
        axes.xaxis.set_major_formatter(EngFormatter(sep=""))
        axes.yaxis.set_major_formatter(EngFormatter(sep=""))
    for axes in grid[-1]:
        axes.set_xlabel("requests")
    for axes in grid[:, 0]:
        axes.set_ylabel("targets found")
    _add_legend(figure, grid.flat[0])
    return figure


def _draw_variants(
    view: ResultsView, site: str, strategy: str, rows: Sequence[tuple[str, str]]
) -> Figure:
    """Draw the curves of one crawler with different settings, each with a name and a variant."""
    figure = Figure(figsize=(6.5, 4.2), layout="constrained")
    axes = figure.add_subplot()
    colours = mpl.colormaps["tab10"].colors  # type: ignore[attr-defined]
    for (label, variant), colour in zip(rows, colours, strict=False):
        points = [p for key, p in view.curves.items() if key[:3] == (site, strategy, variant)]
        if points:
            at = np.linspace(0, view.sites[site].requests, _POINTS)
            mean = np.mean([_find_heights(p, 0, 1, at) for p in points], axis=0)
            axes.plot(at, mean, label=label, color=colour, linewidth=1.5)
    axes.set(
        xlabel="requests", ylabel="targets found", xlim=(0, None), ylim=(0, None),
        title=f"{site}: {strategy}",
    )  # fmt: skip
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.yaxis.set_major_formatter(EngFormatter(sep=""))
    axes.legend(frameon=False, fontsize=8, loc="lower right")
    return figure


def _list_variant_studies(
    view: ResultsView,
) -> Iterator[tuple[str, str, str, list[tuple[str, str]]]]:
    """Yield name, caption, crawler and rows of each study whose curves are compared."""
    for name, values in GRID.items():
        shown = [
            (f"{name} = {value[:4]}", name_variant(view.base, f"{name}={value}"))
            for value in values
        ]
        yield f"{name.replace('_', '-')}", f"hyper-parameter {name}", TUNED, shown
    classifiers = [
        (f"{model.upper()}, {features}", name_classifier_variant(view.base, model, features))
        for model, features in CLASSIFIERS
    ]
    yield "classifiers", "URL classifiers", STUDIED, classifiers
    for study in ("policies", "dimension"):
        rows = [(head, name_variant(view.base, *pairs)) for head, _, pairs in STUDIES[study]]
        yield study, study, TUNED, rows


def _add_legend(figure: Figure, axes: Axes) -> None:
    """Put the names of the crawlers below, in as many rows as they need."""
    handles, labels = axes.get_legend_handles_labels()
    columns = math.ceil(len(labels) / math.ceil(len(labels) / _LEGEND_COLUMNS))
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, frameon=False)


def _draw_early_stopping(view: ResultsView, site: str) -> Figure:
    """Draw the studied crawler's curve, and a black line where early stopping would end it."""
    figure = Figure(figsize=(5.5, 3.8), layout="constrained")
    axes = figure.add_subplot()
    points = [p for key, p in view.curves.items() if key[:3] == (site, STUDIED, "")]
    _draw_band(axes, STUDIED, points, 0, 1, view.sites[site].requests)
    cuts = [
        run.stop_requests
        for run in view.select_runs(site, STUDIED)
        if run.stop_requests is not None
    ]
    axes.axvline(float(np.mean(cuts)), color="black", linewidth=1.5, label="early stopping")
    axes.axvspan(min(cuts), max(cuts), color="black", alpha=0.12, lw=0)
    axes.set(xlabel="requests", ylabel="targets found", xlim=(0, None), ylim=(0, None), title=site)
    figure.legend(loc="outside lower center", ncols=2, frameon=False)
    return figure


def _draw_groups(view: ResultsView, site: str) -> Figure:
    """Draw the mean rewards of the ten best groups on a log scale, with their tag paths."""
    groups = next(g for key, g in view.groups.items() if key[:3] == (site, STUDIED, ""))
    figure = Figure(figsize=(9, 1.1 + 0.3 * len(groups)), layout="constrained")
    axes = figure.add_subplot()
    rows = range(len(groups))
    axes.barh(rows, [g.mean for g in groups], color=COLOURS[STUDIED], log=True)
    axes.set_yticks(
        rows, [_shorten_path(g.tag_path) for g in groups], fontsize=8, family="monospace"
    )
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(visible=False, axis="y")
    for row, group in enumerate(groups):
        label = f" {group.mean:.3g} ({show_count(group.pages, 'page')})"
        axes.text(group.mean, row, label, va="center", fontsize=8)
    low = min(g.mean for g in groups)
    axes.set_xlim(10 ** math.floor(math.log10(low / 1.5)), max(g.mean for g in groups) * 4)
    axes.set(xlabel="mean reward (targets a page)", title=site)
    return figure


def _draw_top_groups(view: ResultsView) -> Figure:
    """Draw the mean reward by rank of group, one line a site, on a log scale."""
    figure = Figure(figsize=(6.5, 4.2), layout="constrained")
    axes = figure.add_subplot()
    for number, site in enumerate(view.sites):
        runs = [g for key, g in view.groups.items() if key[:3] == (site, STUDIED, "")]
        ranks = range(max((len(groups) for groups in runs), default=0))
        means = [np.mean([g[rank].mean for g in runs if rank < len(g)]) for rank in ranks]
        line = ("-", "--", ":")[number // 10 % 3]
        axes.plot([r + 1 for r in ranks], means, marker="o", ms=3, ls=line, label=site)
    axes.set(xlabel="rank of the group", ylabel="mean reward (targets a page)", yscale="log")
    axes.set_xticks(range(1, 11))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.legend(frameon=False, fontsize=8, ncols=2)
    return figure


def _draw_confusion(found: dict[tuple[str, str], _Floats]) -> Figure:
    """Draw a matrix per classifier: rows are actual kinds of URLs, columns expected kinds."""
    columns = min(4, len(found))
    lines = math.ceil(len(found) / columns)
    size = (2.6 * columns + 0.8, 2.7 * lines + 0.4)
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(lines, columns, squeeze=False)
    for axes in grid.flat[len(found) :]:
        axes.set_visible(False)
    for axes, ((model, features), shares) in zip(grid.flat, found.items(), strict=False):
        _draw_matrix(axes, shares)
        axes.set_title(f"{model.upper()}, {'URL' if features == 'url' else 'URL and context'}")
    for axes in grid[:, 0]:
        axes.set_ylabel("was")
    for axes in grid[-1]:
        axes.set_xlabel("taken for")
    return figure


def _draw_band(
    axes: Axes, crawler: str, runs: Sequence[Points], x: int, y: int, end: int, unit: int = 1
) -> None:
    """Draw column y of the curves of some runs against column x, up to `end`."""
    reach = min(end, max(points[-1][x] for points in runs)) if crawler == "omniscient" else end
    at = np.linspace(0, reach, _POINTS)
    heights = np.array([_find_heights(points, x, y, at) for points in runs]) / unit
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


def _find_heights(points: Points, x: int, y: int, at: _Floats) -> _Floats:
    """Return the heights of a step curve at some places."""
    table = np.array([(0, 0, 0, 0), *points], dtype=np.float64)
    places = np.searchsorted(table[:, x], at, side="right") - 1
    heights: _Floats = table[places, y]
    return heights


def _shorten_path(tag_path: str) -> str:
    if len(tag_path) <= _PATH_WIDTH:
        return tag_path
    return "…" + tag_path[-_PATH_WIDTH:].partition(" ")[2]


def _average_shares(view: ResultsView, model: str, features: str) -> _Floats | None:
    """Return the matrix of a classifier in percent: the mean over sites of the mean over runs."""
    variant = name_classifier_variant(view.base, model, features)
    sites = [_average_site(view.select_runs(site, STUDIED, variant)) for site in view.sites]
    given = [shares for shares in sites if shares is not None]
    return np.mean(given, axis=0) if given else None


def _average_variant(view: ResultsView, site: str, model: str, features: str) -> _Floats | None:
    variant = name_classifier_variant(view.base, model, features)
    return _average_site(view.select_runs(site, STUDIED, variant))


def _average_site(runs: Sequence[RunFigures]) -> _Floats | None:
    tables = [
        np.array([[getattr(r, f"{was}_as_{taken}") for taken in _KINDS[:2]] for was in _KINDS])
        for r in runs
        if r.misclassified is not None
    ]
    return np.mean([100 * table / table.sum() for table in tables], axis=0) if tables else None


def _draw_matrix(axes: Axes, shares: _Floats) -> None:
    edges = np.arange(3) - 0.5, np.arange(4) - 0.5
    axes.pcolormesh(*edges, np.sqrt(shares), cmap="Blues", vmin=0, vmax=10)
    axes.invert_yaxis()
    axes.grid(visible=False)
    axes.set_xticks(range(2), _KINDS[:2])
    axes.set_yticks(range(3), _KINDS)
    for (row, column), share in np.ndenumerate(shares):
        colour = "white" if share > 36 else "black"
        axes.text(column, row, f"{share:.2f}", ha="center", va="center", color=colour)
