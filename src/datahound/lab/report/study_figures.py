"""Draw the figures of one study each: rewards of groups, and confusion matrices."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter
from numpy.typing import NDArray

from datahound.lab.experiments import CLASSIFIERS, STUDIED, name_classifier_variant
from datahound.lab.report.study_tables import rank_mean_rewards, to_file_name
from datahound.lab.results import RunFigures
from datahound.lab.results_view import COLOURS, ResultsView, select
from datahound.units import show_count

_KINDS = ("page", "target", "other")
_PATH_WIDTH = 64

_Floats = NDArray[np.float64]


def draw_study_figures(view: ResultsView) -> Iterator[tuple[str, str, Figure]]:
    """Draw what there are results for; yields the name of a figure, a caption and itself."""
    for site in view.sites:
        if select(view.groups, site, STUDIED):
            caption = f"{site}: the ten groups of tag paths with the highest mean reward"
            yield f"groups-{to_file_name(site)}", caption, _draw_groups(view, site)
    if any(key[1] == STUDIED for key in view.groups):
        caption = "Mean rewards of the ten best groups of each site, mean over runs"
        yield "top-groups", caption, _draw_top_groups(view)
    by_site = {
        site: {c: m for c in CLASSIFIERS if (m := _average_variant(view, site, *c)) is not None}
        for site in view.sites
    }
    for site, own in by_site.items():
        if own and len(view.sites) > 1:
            caption = f"{site}: what URLs were and what they were taken for, in percent"
            yield f"confusion-{to_file_name(site)}", caption, _draw_confusion(own)
    # Means over different sites would say more of the sites than of the classifiers.
    most: dict[tuple[str, str], _Floats] = max(by_site.values(), key=len, default={})
    common = [own for own in by_site.values() if own.keys() >= most.keys()]
    if most:
        shown = show_count(len(common), "site")
        caption = f"What URLs were and what they were taken for, in percent, mean over {shown}"
        matrices = {c: np.mean([own[c] for own in common], axis=0) for c in most}
        yield "confusion", caption, _draw_confusion(matrices)


def _draw_groups(view: ResultsView, site: str) -> Figure:
    """Draw the mean rewards of the ten best groups on a log scale, with their tag paths."""
    groups = select(view.groups, site, STUDIED)[0]
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
    axes.set(xlabel="mean reward (targets per page)", title=site)
    return figure


def _draw_top_groups(view: ResultsView) -> Figure:
    """Draw the mean reward by rank of group, a line per site and their mean, on a log scale."""
    figure = Figure(figsize=(7.5, 4.2), layout="constrained")
    axes = figure.add_subplot()
    ranked = {site: means for site in view.sites if (means := rank_mean_rewards(view, site))}
    for number, (site, means) in enumerate(ranked.items()):
        line = ("-", "--", ":")[number // 10 % 3]
        axes.plot(range(1, len(means) + 1), means, marker="o", ms=3, ls=line, label=site)
    if len(ranked) > 1:
        most = max(map(len, ranked.values()))
        overall = [
            np.mean([means[rank] for means in ranked.values() if rank < len(means)])
            for rank in range(most)
        ]
        axes.plot(range(1, most + 1), overall, color="black", lw=2.2, label="mean of sites")
    axes.set(xlabel="rank of the group", ylabel="mean reward (targets per page)", yscale="log")
    axes.set_xticks(range(1, 11))
    axes.yaxis.set_major_formatter("{x:g}")
    # Named between powers of ten where these alone would not say what the scale is.
    low, high = axes.get_ylim()
    axes.yaxis.set_minor_locator(LogLocator(subs=(2, 5) if high < 100 * low else ()))
    axes.yaxis.set_minor_formatter("{x:g}")
    figure.legend(loc="outside right upper", frameon=False, fontsize=8)
    return figure


def _draw_confusion(found: dict[tuple[str, str], _Floats]) -> Figure:
    """Draw a matrix per classifier: rows are actual kinds of URLs, columns expected kinds."""
    figure, grid = make_grid(len(found), 4, (2.6, 2.7), (0.8, 0.4))
    for axes, ((model, features), shares) in zip(grid.flat, found.items(), strict=False):
        _draw_matrix(axes, shares)
        axes.set_title(f"{model.upper()}, {'URL' if features == 'url' else 'URL and context'}")
    for axes in grid[:, 0]:
        axes.set_ylabel("was")
    for axes in grid[-1]:
        axes.set_xlabel("taken for")
    return figure


def make_grid(
    count: int, columns: int, panel: tuple[float, float], margin: tuple[float, float]
) -> tuple[Figure, Any]:
    """Make a figure of `count` panels in at most this number of columns; sizes are in inches."""
    columns = min(columns, count)
    lines = math.ceil(count / columns)
    size = (panel[0] * columns + margin[0], panel[1] * lines + margin[1])
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(lines, columns, squeeze=False)
    for axes in grid.flat[count:]:
        axes.set_visible(False)
    return figure, grid


def _shorten_path(tag_path: str) -> str:
    if len(tag_path) <= _PATH_WIDTH:
        return tag_path
    end = tag_path[-_PATH_WIDTH:]
    whole = end.partition(" ")[2]
    # One long element may fill it nearly all.
    return "…" + (whole if len(whole) > _PATH_WIDTH // 2 else end)


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
    # The root of the shares, since most cells have a few percent and would all be white.
    axes.pcolormesh(*edges, np.sqrt(shares), cmap="Blues", vmin=0, vmax=10)
    axes.invert_yaxis()
    axes.grid(visible=False)
    axes.set_xticks(range(2), _KINDS[:2])
    axes.set_yticks(range(3), _KINDS)
    for (row, column), share in np.ndenumerate(shares):
        # Above 6 of 10 on the root scale, the blue is too dark for black digits.
        colour = "white" if share > 36 else "black"
        axes.text(column, row, f"{share:.2f}", ha="center", va="center", color=colour)
