"""Tables for people."""

import statistics
import sys
from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from datahound.lab.trials import Result
from datahound.units import show_size

_FIGURES = {
    "requests": "requests",
    "targets": "targets",
    "requests_to_50": "to 50 %",
    "requests_to_90": "to 90 %",
    "requests_to_99": "to 99 %",
    "bytes_to_90": "waste",
    "seconds": "seconds",
}


_LOG_WIDTH = 110


def console() -> Console:
    """Where tables go: as wide as the terminal, or wide enough for a log."""
    return Console(width=None if sys.stdout.isatty() else _LOG_WIDTH)


def trial_table(results: Sequence[Result]) -> Table:
    """One row a site and crawler; the median where there were several runs."""
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        groups.setdefault((result.site, result.strategy), []).append(result)
    most = max(map(len, groups.values()), default=1)
    caption = "waste: bytes of anything but targets before 90 % of the target bytes"
    if most > 1:
        caption += f"; medians of {most} runs where a crawler is random"
    table = Table(box=SIMPLE_HEAD, pad_edge=False, caption=caption)
    for heading in ("site", "strategy"):
        table.add_column(heading, no_wrap=True)
    for heading in _FIGURES.values():
        table.add_column(heading, justify="right")
    for (site, strategy), group in groups.items():
        figures = [result.figures() for result in group]
        cells = [_median(name, [f[name] for f in figures]) for name in _FIGURES]
        table.add_row(site, strategy, *cells)
    return table


def _median(name: str, values: Iterable[float | None]) -> str:
    """The median as people read it; a run that never got there is later than all others."""
    middle = statistics.median(float("inf") if value is None else value for value in values)
    if middle == float("inf"):
        return "–"
    if name == "seconds":
        return f"{middle:.2f}"
    return show_size(middle) if name.startswith("bytes") else f"{middle:,.0f}"
