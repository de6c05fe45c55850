"""Results as reports read them: by site, crawler and variant, as shares of the whole site."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from datahound.errors import UserError
from datahound.lab.metrics import Points
from datahound.lab.observers import RankedGroup
from datahound.lab.results import ResultFolder, RunFigures, RunKey, SiteRow
from datahound.settings import Settings

_Value = TypeVar("_Value")

CRAWLERS = (
    "omniscient", "sb-oracle", "sb-classifier", "hound", "focused", "tp-off", "tres", "bfs",
    "dfs", "random",
)  # fmt: skip
"""The order of the crawlers in every table and figure."""

_PALETTE = "#999999 #56B4E9 #0072B2 #D55E00 #CC79A7 #F0E442 #882255 #009E73 #E69F00 #000000"
COLOURS = dict(zip(CRAWLERS, _PALETTE.split(), strict=True))
"""Okabe and Ito's palette and one more, which the colour-blind can tell apart: one per crawler."""

BOUNDS = ("omniscient", "sb-oracle")
"""Crawlers that know what no real crawler can: bounds, not competitors."""

BASELINES = ("focused", "tp-off", "tres", "bfs", "dfs", "random")
"""The crawlers that the paper compares its own with."""


@dataclass(frozen=True, slots=True)
class ResultsView:
    """All results of a folder."""

    path: Path
    version: str
    base: Settings
    is_partial: bool
    """Whether sites were crawled up to a limit: shares are of what bfs reached within it."""
    sites: dict[str, SiteRow]
    characteristics: dict[str, dict[str, str]]
    failures: dict[RunKey, str]
    curves: dict[RunKey, Points]
    groups: dict[RunKey, list[RankedGroup]]
    _runs: dict[tuple[str, str, str], list[RunFigures]]
    unread: int = 0
    """Rows of runs that could not be read."""

    def select_runs(self, site: str, strategy: str, variant: str = "") -> list[RunFigures]:
        """Return the runs of a crawler on a site, ordered by seed."""
        return self._runs.get((site, strategy, variant), [])

    def list_crawlers(self) -> list[str]:
        """Return the crawlers that have runs: those with a fixed place first, then by name."""
        found = {run.strategy for run in self.iter_runs() if not run.variant}
        return [*(c for c in CRAWLERS if c in found), *sorted(found - set(CRAWLERS))]

    def iter_runs(self) -> Iterable[RunFigures]:
        return (run for runs in self._runs.values() for run in runs)

    def requests_percent(self, run: RunFigures) -> float | None:
        """Requests to 90 % of the targets, in percent of those of an exhaustive crawl."""
        return _percent(run.requests_to_90, self.sites[run.site].requests)

    def volume_percent(self, run: RunFigures) -> float | None:
        """Non-target bytes before 90 % of target bytes, in percent of all non-target bytes."""
        return _percent(run.other_bytes_to_90, self.sites[run.site].other_bytes)


def select(
    values: Mapping[RunKey, _Value], site: str, strategy: str, variant: str = ""
) -> list[_Value]:
    """Return the curves or groups of the runs of a crawler on a site."""
    return [value for key, value in values.items() if key[:3] == (site, strategy, variant)]


def open_results(path: Path) -> ResultsView:
    """Read the results of a folder; it is an error if there are none."""
    folder = ResultFolder.open(path)
    sites = folder.read_sites()
    # Runs cannot be compared on a site whose own row was lost in a crash.
    runs = {key: run for key, run in folder.read_runs().items() if run.site in sites}
    if not runs and not folder.read_characteristics():
        raise UserError(f"{path}: no result yet (go on with: datahound lab run)")
    by_crawler: dict[tuple[str, str, str], list[RunFigures]] = {}
    for run in sorted(runs.values(), key=lambda run: run.key):
        by_crawler.setdefault((run.site, run.strategy, run.variant), []).append(run)
    return ResultsView(
        path,
        folder.origin.version,
        folder.origin.make_settings(),
        folder.origin.is_partial,
        sites,
        folder.read_characteristics(),
        # A run that failed and was repeated later does not count as a failure.
        {key: why for key, why in folder.read_failures().items() if key not in runs},
        {key: points for key, points in folder.read_curves().items() if key in runs},
        {key: groups for key, groups in folder.read_groups().items() if key in runs},
        by_crawler,
        folder.count_unread_runs(),
    )


def _percent(part: int | None, whole: int) -> float | None:
    return 100 * part / whole if part is not None and whole else None
