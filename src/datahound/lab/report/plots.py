"""Figures that could go into a publication: one colour a crawler, for the colour-blind too."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from datahound.lab.trials import Result

COLOURS = {
    "omniscient": "#999999",
    "sb-oracle": "#56B4E9",
    "sb-classifier": "#0072B2",
    "hound": "#D55E00",
    "focused": "#CC79A7",
    "tp-off": "#F0E442",
    "bfs": "#009E73",
    "dfs": "#E69F00",
    "random": "#000000",
}
"""Okabe and Ito's palette: one colour a crawler, everywhere."""

STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "svg.hashsalt": "datahound",
}
_POINTS = 400


def draw_curves(results: Sequence[Result], path: Path) -> None:
    """Targets against requests, the mean of each crawler's runs, shaded by their spread."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(7.5, 4.5), layout="constrained")
        axes = figure.add_subplot()
        for name in COLOURS:
            runs = [result for result in results if result.strategy == name]
            if runs:
                _draw_crawler(axes, name, runs)
        last = max(result.curve.requests for result in results)
        axes.set(
            xlim=(0, last), ylim=(0, None), xlabel="requests", ylabel="targets found",
            title=f"{results[0].site}: who finds the data files first",
        )  # fmt: skip
        axes.legend(frameon=False, loc="lower right")
        figure.savefig(path, dpi=150)


def _draw_crawler(axes: Axes, name: str, runs: Sequence[Result]) -> None:
    last = max(run.curve.requests for run in runs)
    at = np.linspace(0, last, _POINTS)
    heights = np.array([_targets_at(run, at) for run in runs])
    mean, spread = heights.mean(axis=0), heights.std(axis=0)
    style = "--" if name == "omniscient" else "-"
    axes.plot(at, mean, style, color=COLOURS[name], label=name, linewidth=1.8)
    if len(runs) > 1:
        axes.fill_between(at, mean - spread, mean + spread, color=COLOURS[name], alpha=0.15, lw=0)


def _targets_at(run: Result, requests: Iterable[float]) -> NDArray[np.float64]:
    return np.searchsorted(run.curve.found_at, np.asarray(requests), side="right").astype(float)
