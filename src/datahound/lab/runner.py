"""Run experiments: over all cores, saved run by run, and resumed where they were interrupted."""

import math
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from datahound.archive import Archive, open_archive
from datahound.archive.synthetic import SCHEME, paper_sites, parse_spec
from datahound.errors import DatahoundError, StorageError, UserError
from datahound.lab.characteristics import measure_site
from datahound.lab.experiments import (
    ALL,
    CHARACTERISTICS,
    EXPERIMENTS,
    STUDIED,
    PlannedRun,
    choose_experiments,
    plan_runs,
)
from datahound.lab.experiments import REFRESH as REFRESH  # noqa: PLC0414 the door
from datahound.lab.fork_pool import WorkerDied, map_forked
from datahound.lab.metrics import WATCHED as CURVE_EVENTS
from datahound.lab.metrics import Curve, thin_curve
from datahound.lab.observers import WATCHED, Confusion, EarlyCut, Rewards
from datahound.lab.results import (
    Origin,
    ResultFolder,
    RunFigures,
    RunRecord,
    SiteRow,
    installed_version,
)
from datahound.lab.trials import Progress, Trial, TrialGround, TrialResult
from datahound.model import Kind
from datahound.parameters import parameters, read_setting, with_parameters
from datahound.settings import Settings
from datahound.strategies import registered
from datahound.web.targets import find_wanted

_MAX_VARIANT_POINTS = 25
"""Variants are most of the runs and only their mean curve is drawn: results stay small."""
# As many as the paper shows.
_TOP_GROUPS = 10


def measure_run(
    ground: TrialGround,
    planned: PlannedRun,
    base: Settings,
    site: SiteRow,
    version: str,
    max_step_seconds: float = math.inf,
) -> RunRecord:
    """Crawl the site once and return what the experiments need of it."""
    trial = planned.make_trial(base)
    confusion, rewards, cut = Confusion(ground.site.seed), Rewards(), EarlyCut()
    # Only the studied crawler has a classifier and groups that any table shows.
    is_studied = planned.strategy == STUDIED
    watching = [cut.observe, *((confusion.observe, rewards.observe) if is_studied else ())]
    watched = WATCHED if is_studied else CURVE_EVENTS
    result = ground.run(trial, watching, watched, max_step_seconds)
    figures = RunFigures(
        site=site.name,
        version=version,
        **_trial_figures(planned, result, cut),
        **_curve_figures(result.curve, site),
        **_confusion_figures(confusion),
        **_reward_figures(rewards),
    )
    rows, settings = tuple(result.curve.rows()), list_settings(trial.settings)
    if planned.variant:  # no table shows the groups of a variant
        return RunRecord(figures, settings, thin_curve(rows, _MAX_VARIANT_POINTS), ())
    return RunRecord(
        figures, settings, thin_curve(rows), tuple(rewards.rank_groups()[:_TOP_GROUPS])
    )


def list_settings(settings: Settings) -> dict[str, str]:
    """Return every simple setting by name."""
    return {one.name: str(read_setting(settings, one.path)) for one in parameters()}


def _trial_figures(planned: PlannedRun, result: TrialResult, cut: EarlyCut) -> dict[str, Any]:
    return {
        "strategy": planned.strategy,
        "variant": planned.variant,
        "seed": planned.seed,
        "stop_requests": cut.requests,
        "stop_targets": cut.targets,
        "seconds": round(result.seconds, 3),
        "stopped": result.stopped,
        "slowest_step": round(result.slowest_step, 4),
    }


def _curve_figures(curve: Curve, site: SiteRow) -> dict[str, Any]:
    return {
        "requests": curve.requests,
        "targets": curve.targets,
        "total_targets": site.targets,
        "requests_to_50": curve.requests_to(0.5, site.targets),
        "requests_to_90": curve.requests_to(0.9, site.targets),
        "requests_to_99": curve.requests_to(0.99, site.targets),
        "other_bytes_to_90": curve.other_bytes_to(0.9, site.target_bytes),
        "received_to_90": curve.received_to(0.9, site.targets),
        "area": round(curve.area(site.targets, site.requests), 6),
    }


def _confusion_figures(confusion: Confusion) -> dict[str, Any]:
    return {
        f"{was}_as_{expected}": confusion.counts.get((Kind(was), Kind(expected)), 0)
        for was in ("page", "target", "other")
        for expected in ("page", "target")
    }


def _reward_figures(rewards: Rewards) -> dict[str, Any]:
    groups, pages = [group.mean for group in rewards.rank_groups()], rewards.list_page_rewards()
    return {
        "group_reward_mean": round(statistics.fmean(groups), 4) if groups else 0.0,
        "group_reward_std": round(statistics.pstdev(groups), 4) if groups else 0.0,
        "page_reward_mean": round(statistics.fmean(pages), 4) if pages else 0.0,
        "page_reward_std": round(statistics.pstdev(pages), 4) if pages else 0.0,
    }


CHOICES = (*EXPERIMENTS, ALL, REFRESH)
"""The names of experiments that a user can give."""
_SUFFIXES = (".warc.gz", ".warc", ".sqlite", ".db")

Warn = Callable[[str], None]
"""Called with one line that the user should read."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """What to run: experiments by name, on sites, `runs` times for each crawler that is random."""

    sites: tuple[str, ...]
    names: tuple[str, ...] = ()
    """All of them if none is given."""
    runs: int = 15
    crawlers: tuple[str, ...] = ()
    """All of them if none is given."""
    workers: int | None = None
    """Processes; one per core if None."""
    max_step_seconds: float = 60.0
    """A crawler that takes more processor time from an answer to its next request is ended, as the
    paper ends one that takes longer than a minute."""


class ExperimentOutcome(NamedTuple):
    """How many runs a folder has after an experiment, and how many failed."""

    runs: int
    failed: int


def run_experiment(
    experiment: Experiment,
    path: Path,
    progress: Progress,
    warn: Warn,
    *,
    params: tuple[str, ...] = (),
    budget: int | None = None,
    targets: tuple[str, ...] = (),
) -> ExperimentOutcome:
    """Make every run that the folder does not have yet, with these settings and request budget.

    A site that can't be used and a run that fails get a warning and do not stop the rest.
    """
    for name in experiment.crawlers:
        registered(name).check()
    choose_experiments(experiment.names)
    origin = Origin(installed_version(), params, budget, targets)
    origin.make_settings()
    _check_sites(experiment.sites)
    folder = ResultFolder.create(path, origin)
    failed = ExperimentRunner(experiment, folder, progress, warn).run_sites()
    if not folder.read_sites():
        raise UserError("none of the sites could be used")
    return ExperimentOutcome(len(folder.read_runs()), failed)


def name_site(spec: str) -> str:
    """Return the short name of a site: a preset's own, or a file's without its suffix."""
    if spec.startswith(SCHEME):
        return spec.removeprefix(SCHEME)
    name = Path(spec.partition("?seed=")[0]).name
    return next((name.removesuffix(s) for s in _SUFFIXES if name.endswith(s)), name)


def _check_sites(specs: tuple[str, ...]) -> None:
    """Refuse a misspelt site at once, not after hours on the sites before it."""
    names = [name_site(spec) for spec in specs]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"two sites are called {name}: give them other names")
    for spec in specs:
        open_archive(spec).close()


class ExperimentRunner:
    """Runs one experiment into a folder, site by site."""

    def __init__(
        self, experiment: Experiment, folder: ResultFolder, progress: Progress, warn: Warn
    ) -> None:
        self._experiment = experiment
        self._folder = folder
        self._progress = progress
        self._warn = warn
        self._base = folder.origin.make_settings()
        self._names = choose_experiments(experiment.names)
        self._planned = plan_runs(self._names, experiment.runs, self._base, experiment.crawlers)
        self._saved = set(folder.read_runs())
        self._total = sum(len(self._missing(name_site(spec))) for spec in experiment.sites)
        self._done = 0
        self._run_seconds: list[float] = []
        self._failed = 0

    def run_sites(self) -> int:
        """Run everything on every site; returns how many runs failed."""
        for spec in self._experiment.sites:
            self._run_site(spec, name_site(spec))
        return self._failed

    def _run_site(self, spec: str, name: str) -> None:
        missing = self._missing(name)
        describes = CHARACTERISTICS in self._names and (
            name not in self._folder.read_characteristics()
        )
        if not missing and not describes and name in self._folder.read_sites():
            return
        archive = open_archive(spec, lambda n, of: self._progress(f"{name}: indexing", n, of))
        try:
            ground = self._prepare_ground(archive, spec, name)
            site = self._measure_site(ground, spec, name)
            if describes:
                self._describe_site(ground, name)
            self._run_all(ground, site, missing)
        # A full disk fails for every site; other errors are of this one only.
        except StorageError:
            raise
        except DatahoundError as error:
            self._warn(f"{name}: left out: {error}")
            self._failed += max(len(missing), 1)
            self._done += len(missing)
        finally:
            archive.close()

    def _prepare_ground(self, archive: Archive, spec: str, name: str) -> TrialGround:
        endless = spec.startswith(SCHEME) and parse_spec(spec).traps
        if endless and self._base.crawl.max_requests is None:
            raise UserError("a site with traps has no end: give --budget")
        # Pages are parsed once for all runs, so with the texts around links if any run needs them.
        needs_context = any("features=context" in planned.variant for planned in self._planned)
        reading = with_parameters(self._base, ["surrounding=yes"] if needs_context else [])
        return TrialGround(archive, reading, self._report_on(name))

    def _measure_site(self, ground: TrialGround, spec: str, name: str) -> SiteRow:
        """Crawl breadth first: its cost and its targets are what all runs are measured against.

        With a budget, that is the part of the site which this crawl reaches within it.
        """
        report = self._report_on(name)
        bfs = Trial("bfs", 0, self._base)
        curve = ground.run(bfs, [lambda _: report("visiting everything", 0, 0)]).curve
        totals = ground.census.targets, ground.census.target_bytes
        if self._folder.origin.is_partial:
            totals = curve.targets, curve.target_bytes
        whole = curve.requests, curve.other_bytes
        greedy = None if self._folder.origin.is_partial else ground.find_greedy_cost(0.9)
        site = SiteRow(name, spec, _find_preset(spec), *whole, *totals, greedy)
        saved = self._folder.read_sites().get(name)
        if saved is None:
            self._folder.add_site(site)
        # The runs of another recording of the same name must not be mixed with earlier runs.
        elif saved.totals != site.totals:
            raise UserError(f"not the site that {self._folder.path} has results of by this name")
        return site

    def _describe_site(self, ground: TrialGround, name: str) -> None:
        # Pages were read before, but only the archive still has their bytes, which name languages.
        found = measure_site(
            ground.site.archive,
            find_wanted(self._base.crawl.targets),
            ground.site.read,
            lambda *_: self._report_on(name)("describing", 0, 0),
            self._base.crawl.max_requests,
        )
        self._folder.add_characteristics(name, found)

    def _run_all(self, ground: TrialGround, site: SiteRow, planned: list[PlannedRun]) -> None:
        report = self._report_on(site.name)
        workers = self._experiment.workers or os.cpu_count() or 1

        def run(one: PlannedRun) -> RunRecord:
            version, limit = self._folder.origin.version, self._experiment.max_step_seconds
            return measure_run(ground, one, self._base, site, version, limit)

        begun = time.monotonic()
        for index, outcome in map_forked(
            run, planned, workers, lambda i: report(planned[i].strategy, 0, 0)
        ):
            self._done += 1
            # From one result to the next: with several workers, that is what a run costs in time.
            self._run_seconds.append(time.monotonic() - begun)
            begun = time.monotonic()
            if isinstance(outcome, Exception):
                self._save_failure(site.name, planned[index], outcome)
            else:
                self._folder.add_run(outcome)

    def _save_failure(self, site: str, planned: PlannedRun, error: Exception) -> None:
        self._failed += 1
        died = isinstance(error, WorkerDied)
        reason = str(error) if died else f"{type(error).__name__}: {error}"
        crawler = f"{planned.strategy} {planned.variant}".strip()
        self._warn(f"{site}, {crawler}, run {planned.seed}: {reason}")
        self._folder.add_failure((site, planned.strategy, planned.variant, planned.seed), reason)

    def _missing(self, name: str) -> list[PlannedRun]:
        return [
            p for p in self._planned if (name, p.strategy, p.variant, p.seed) not in self._saved
        ]

    def _report_on(self, name: str) -> Progress:
        return lambda doing, *_: self._progress(
            f"{name}: {doing}{self._estimate_time()}", self._done, self._total
        )

    def _estimate_time(self) -> str:
        if not self._run_seconds:
            return ""
        left = sum(self._run_seconds) / len(self._run_seconds) * (self._total - self._done)
        return f", about {round(left / 60)} min left" if left > 90 else f", {left:.0f} s left"


def _find_preset(spec: str) -> str:
    """Return the paper's site that a synthetic one imitates; empty for any other site."""
    name = parse_spec(spec).name if spec.startswith(SCHEME) else ""
    return name if name in paper_sites() else ""
