"""The figures of the paper, made of results."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import patheffects
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter
from numpy.typing import NDArray

from datahound.lab.experiments import FEATURES, MODELS, STUDIED, variant_of
from datahound.lab.report.plots import COLOURS, STYLE
from datahound.lab.report.study_tables import file_name
from datahound.lab.results_view import Book
from datahound.lab.run import Points, Run

_GRID = 240
_MEGABYTE = 1_000_000
_OTHER_COLOUR = "#666666"
_DASHES: dict[str, Any] = {
    "omniscient": "--",
    "sb-oracle": "-.",
    "random": ":",
    "tp-off": (0, (5, 2)),
}
_KINDS = ("page", "target", "other")
_SHOWN_PATH = 64


def all_figures(book: Book) -> Iterator[tuple[str, str, Figure]]:
    """Each figure with its name and a caption."""
    with mpl.rc_context(STYLE):
        for site in book.sites:
            if any(key[0] == site for key in book.curves):
                name = file_name(site)
                caption = f"{site}: targets against requests, and target against non-target volume"
                yield f"curves-{name}", caption, curves_figure(book, site)
                if any(run.stop_requests is not None for run in book.of(site, STUDIED)):
                    caption = f"{site}: where early stopping cuts"
                    yield f"early-stopping-{name}", caption, early_stopping_figure(book, site)
            if any(key[0] == site for key in book.groups):
                caption = f"{site}: the ten groups of tag paths with the highest mean reward"
                yield f"groups-{file_name(site)}", caption, groups_figure(book, site)
        if any(run.misclassified is not None for run in book.runs()):
            caption = "What URLs were and what they were taken for, in percent, mean over sites"
            yield "confusion", caption, confusion_figure(book)


def curves_figure(book: Book, site: str) -> Figure:
    """Targets against requests and target against non-target volume, shaded ± std."""
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    whole = book.sites[site]
    for crawler in book.crawlers():
        points = [p for key, p in book.curves.items() if key[:3] == (site, crawler, "")]
        if points:
            _band(left, crawler, points, 0, 1, whole.requests)
            _band(right, crawler, points, 3, 2, whole.other_bytes, _MEGABYTE)
    left.set(xlabel="requests", ylabel="targets found", xlim=(0, None), ylim=(0, None))
    right.set(
        xlabel="non-target volume (MB)", ylabel="target volume (MB)", xlim=(0, None), ylim=(0, None)
    )
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    figure.suptitle(site)
    return figure


def early_stopping_figure(book: Book, site: str) -> Figure:
    """The studied crawler's curve, and a black rule where early stopping would have ended it."""
    figure = Figure(figsize=(5.5, 3.8), layout="constrained")
    axes = figure.add_subplot()
    points = [p for key, p in book.curves.items() if key[:3] == (site, STUDIED, "")]
    _band(axes, STUDIED, points, 0, 1, book.sites[site].requests)
    cuts = [run.stop_requests for run in book.of(site, STUDIED) if run.stop_requests is not None]
    axes.axvline(float(np.mean(cuts)), color="black", linewidth=1.5, label="early stopping")
    axes.axvspan(min(cuts), max(cuts), color="black", alpha=0.12, lw=0)
    axes.set(xlabel="requests", ylabel="targets found", xlim=(0, None), ylim=(0, None), title=site)
    axes.legend(frameon=False, loc="lower right")
    return figure


def groups_figure(book: Book, site: str) -> Figure:
    """The mean rewards of the ten best groups on a log scale, each with one of its tag paths."""
    groups = next(g for key, g in book.groups.items() if key[:3] == (site, STUDIED, ""))
    figure = Figure(figsize=(9, 1.1 + 0.3 * len(groups)), layout="constrained")
    axes = figure.add_subplot()
    places = range(len(groups))
    axes.barh(places, [g.mean for g in groups], color=COLOURS[STUDIED], log=True)
    axes.set_yticks(
        places, [_shortened(g.tag_path) for g in groups], fontsize=8, family="monospace"
    )
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(visible=False, axis="y")
    for place, group in enumerate(groups):
        pages = "1 page" if group.pages == 1 else f"{group.pages:,} pages"
        label = f" {group.mean:.3g} ({pages})"
        axes.text(group.mean, place, label, va="center", fontsize=8)
    low = min(g.mean for g in groups)
    axes.set_xlim(10 ** math.floor(math.log10(low / 1.5)), max(g.mean for g in groups) * 4)
    axes.set(xlabel="mean reward (targets a page)", title=site)
    return figure


def confusion_figure(book: Book) -> Figure:
    """One matrix a classifier: rows are what URLs were, columns what they were taken for."""
    variants = [(m, f) for f in FEATURES for m in MODELS]
    found = [(v, shares) for v in variants if (shares := _shares(book, *v)) is not None]
    columns = min(4, len(found))
    lines = math.ceil(len(found) / columns)
    size = (2.6 * columns + 0.8, 2.7 * lines + 0.4)
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(lines, columns, squeeze=False)
    for axes in grid.flat[len(found) :]:
        axes.set_visible(False)
    for axes, ((model, features), shares) in zip(grid.flat, found, strict=False):
        _matrix(axes, shares)
        axes.set_title(f"{model.upper()}, {'URL' if features == 'url' else 'URL and context'}")
    for axes in grid[:, 0]:
        axes.set_ylabel("was")
    for axes in grid[-1]:
        axes.set_xlabel("taken for")
    return figure


def _band(
    axes: Axes, crawler: str, runs: Sequence[Points], x: int, y: int, end: int, unit: int = 1
) -> None:
    """The mean of some runs as a line, shaded by their spread."""
    reach = min(end, max(points[-1][x] for points in runs)) if crawler == "omniscient" else end
    at = np.linspace(0, reach, _GRID)
    heights = np.array([_at(points, x, y, at) for points in runs]) / unit
    mean, spread = heights.mean(axis=0), heights.std(axis=0)
    colour = COLOURS.get(crawler, _OTHER_COLOUR)
    # A thin dark edge keeps light colours legible on white.
    edge = [patheffects.Stroke(linewidth=2.4, foreground="#555555"), patheffects.Normal()]
    effects = edge if crawler == "tp-off" else None
    axes.plot(
        at / unit,
        mean,
        color=colour,
        label=crawler,
        linewidth=1.7,
        linestyle=_DASHES.get(crawler, "-"),
        path_effects=effects,
        zorder=3 if crawler in _DASHES else 2,
    )
    if len(runs) > 1:
        low, high = mean - spread, mean + spread
        axes.fill_between(at / unit, low, high, color=colour, alpha=0.18, lw=0)


def _at(points: Points, x: int, y: int, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """The height of a curve of steps at some places."""
    table = np.array([(0, 0, 0, 0), *points], dtype=np.float64)
    places = np.searchsorted(table[:, x], at, side="right") - 1
    heights: NDArray[np.float64] = table[places, y]
    return heights


def _shortened(tag_path: str) -> str:
    if len(tag_path) <= _SHOWN_PATH:
        return tag_path
    return "…" + tag_path[-_SHOWN_PATH:].partition(" ")[2]


def _shares(book: Book, model: str, features: str) -> NDArray[np.float64] | None:
    """The matrix of a classifier in percent of all, the mean over sites of the mean over runs."""
    variant = variant_of(book.base, f"model={model}", f"features={features}")
    sites = [_site_shares(book.of(site, STUDIED, variant)) for site in book.sites]
    given = [shares for shares in sites if shares is not None]
    return np.mean(given, axis=0) if given else None


def _site_shares(runs: Sequence[Run]) -> NDArray[np.float64] | None:
    tables = [
        np.array([[getattr(r, f"{was}_as_{taken}") for taken in _KINDS[:2]] for was in _KINDS])
        for r in runs
        if r.misclassified is not None
    ]
    return np.mean([100 * table / table.sum() for table in tables], axis=0) if tables else None


def _matrix(axes: Axes, shares: NDArray[np.float64]) -> None:
    edges = np.arange(3) - 0.5, np.arange(4) - 0.5
    axes.pcolormesh(*edges, np.sqrt(shares), cmap="Blues", vmin=0, vmax=10)
    axes.invert_yaxis()
    axes.grid(visible=False)
    axes.set_xticks(range(2), _KINDS[:2])
    axes.set_yticks(range(3), _KINDS)
    for (row, column), share in np.ndenumerate(shares):
        colour = "white" if share > 36 else "black"
        axes.text(column, row, f"{share:.2f}", ha="center", va="center", color=colour)
