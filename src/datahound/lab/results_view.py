"""Results as a reader finds them: by site, crawler and variant, as shares of the whole site."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from datahound.errors import UserError
from datahound.lab.observers import Group
from datahound.lab.report.plots import COLOURS
from datahound.lab.results import ResultFolder, RunKey, SiteRow, run_key
from datahound.lab.run import Points, Run
from datahound.settings import Settings

UNREAL = ("omniscient", "sb-oracle")
"""Crawlers that are told what no crawler can know: bounds, not competitors."""

BASELINES = ("focused", "tp-off", "bfs", "dfs", "random")
"""The crawlers that the paper compares its own with."""


@dataclass(frozen=True, slots=True)
class Book:
    """All results of a folder."""

    path: Path
    version: str
    base: Settings
    sites: dict[str, SiteRow]
    characteristics: dict[str, dict[str, str]]
    failures: dict[RunKey, str]
    curves: dict[RunKey, Points]
    groups: dict[RunKey, list[Group]]
    _runs: dict[tuple[str, str, str], list[Run]]

    def of(self, site: str, strategy: str, variant: str = "") -> list[Run]:
        """The runs of a crawler on a site, by their seeds."""
        return self._runs.get((site, strategy, variant), [])

    def crawlers(self) -> list[str]:
        """The crawlers with runs, in the order of their colours."""
        found = {run.strategy for run in self.runs() if not run.variant}
        return [*(c for c in COLOURS if c in found), *sorted(found - set(COLOURS))]

    def runs(self) -> Iterable[Run]:
        return (run for runs in self._runs.values() for run in runs)

    def requests_percent(self, run: Run) -> float | None:
        """Requests to 90 % of the targets, in percent of those that visit everything."""
        return _percent(run.requests_to_90, self.sites[run.site].requests)

    def volume_percent(self, run: Run) -> float | None:
        """Non-target bytes before 90 % of target bytes, in percent of all non-target bytes."""
        return _percent(run.other_bytes_to_90, self.sites[run.site].other_bytes)


def open_book(path: Path) -> Book:
    """The results in a folder; an error if there are none."""
    folder = ResultFolder.open(path)
    sites = folder.sites()
    runs = {key: run for key, run in folder.runs().items() if run.site in sites}
    if not runs and not folder.characteristics():
        raise UserError(f"{path}: no result yet (go on with: datahound lab run)")
    by_crawler: dict[tuple[str, str, str], list[Run]] = {}
    for run in sorted(runs.values(), key=run_key):
        by_crawler.setdefault((run.site, run.strategy, run.variant), []).append(run)
    return Book(
        path,
        folder.origin.version,
        folder.origin.settings(),
        sites,
        folder.characteristics(),
        {key: why for key, why in folder.failures().items() if key not in runs},
        {key: points for key, points in folder.curves().items() if key in runs},
        {key: groups for key, groups in folder.groups().items() if key in runs},
        by_crawler,
    )


def _percent(part: int | None, whole: int) -> float | None:
    return 100 * part / whole if part is not None and whole else None
