"""Trials: one strategy, one recorded site, one seed; many of them over all cores."""

import multiprocessing
import os
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

from datahound.archive import Archive
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import replay
from datahound.errors import UserError
from datahound.events import Event
from datahound.lab.metrics import WATCHED, Curve
from datahound.lab.sites import ArchiveOracle, RememberedSite, take_census
from datahound.settings import Settings
from datahound.strategies import make_strategy, registered
from datahound.web import kinds

Progress = Callable[[str, int, int], None]
"""Told what is being done, how far it is and how far there is to go (0 where that is not known)."""


_PROGRESS_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Trial:
    """What to try."""

    strategy: str
    seed: int
    settings: Settings


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a trial."""

    site: str
    strategy: str
    seed: int
    curve: Curve = field(repr=False)
    total_targets: int
    total_target_bytes: int
    seconds: float
    stopped: str

    def figures(self) -> dict[str, Any]:
        """The figures that machines read, under names that do not change."""
        return {
            "site": self.site,
            "strategy": self.strategy,
            "seed": self.seed,
            "requests": self.curve.requests,
            "targets": self.curve.targets,
            "total_targets": self.total_targets,
            "requests_to_50": self.curve.requests_to(0.5, self.total_targets),
            "requests_to_90": self.curve.requests_to(0.9, self.total_targets),
            "requests_to_99": self.curve.requests_to(0.99, self.total_targets),
            "bytes_to_90": self.curve.other_bytes_to(0.9, self.total_target_bytes),
            "seconds": round(self.seconds, 3),
        }


class TrialGround:
    """A recorded site on which trials are run: its pages are read once for all of them."""

    def __init__(self, archive: Archive, settings: Settings, progress: Progress) -> None:
        self.site = RememberedSite(archive, settings)
        self.settings = settings
        self.census = take_census(self.site, settings.crawl, lambda n: progress("reading", n, 0))
        if not self.census.targets:
            raise UserError(f"{archive.name}: no target can be reached from {archive.seed}")
        targets = settings.crawl.targets or kinds.DEFAULT_TARGETS
        self._oracle = ArchiveOracle(archive, targets, self.census.target_urls)

    def run(
        self,
        trial: Trial,
        observe: Callable[[list[Event]], None] | None = None,
        watch: Collection[type] = WATCHED,
    ) -> Result:
        """One crawl of the site, from its seed to its end; `observe` is told what it watches."""
        oracle = self._oracle if registered(trial.strategy).needs_oracle else None
        strategy = make_strategy(
            trial.strategy,
            trial.settings.strategy,
            seed=trial.seed,
            oracle=oracle,
            targets=trial.settings.crawl.targets,
        )
        curve = Curve()
        crawl = Crawl(
            self.site.seed,
            strategy,
            settings=trial.settings.crawl,
            read=self.site.read,
            watch=watch,
        )
        begun = time.perf_counter()
        replay(crawl, self.site, _both(curve.observe, observe))
        return Result(
            self.site.name,
            trial.strategy,
            trial.seed,
            curve,
            self.census.targets,
            self.census.target_bytes,
            time.perf_counter() - begun,
            crawl.stopped.value if crawl.stopped else "",
        )


def plan_trials(
    strategies: Sequence[str], runs: int, first_seed: int, settings: Settings
) -> list[Trial]:
    """So many runs of each strategy that is random, one of each that is not."""
    return [
        Trial(name, first_seed + run, settings)
        for name in strategies
        for run in range(runs if registered(name).is_random else 1)
    ]


def run_trials(
    ground: TrialGround, trials: Sequence[Trial], progress: Progress, workers: int | None = None
) -> Iterator[Result]:
    """Run trials over all cores and give their results in the order of the trials.

    Workers are forked where the system can, so that they share the pages that were read.
    """
    workers = min(workers or os.cpu_count() or 1, len(trials))
    if workers <= 1 or "fork" not in multiprocessing.get_all_start_methods():
        for done, trial in enumerate(trials):
            progress(trial.strategy, done, len(trials))
            yield ground.run(trial)
        return
    _forked.append(ground)
    try:
        context = multiprocessing.get_context("fork")
        with ProcessPoolExecutor(workers, mp_context=context) as pool:
            running = [pool.submit(_run_forked, trial) for trial in trials]
            for trial, future in zip(trials, running, strict=True):
                while not wait([future], timeout=_PROGRESS_SECONDS).done:
                    progress(trial.strategy, sum(f.done() for f in running), len(trials))
                yield future.result()
    finally:
        _forked.clear()


_forked: list[TrialGround] = []


def _run_forked(trial: Trial) -> Result:
    return _forked[0].run(trial)


def _both(
    first: Callable[[list[Event]], None], second: Callable[[list[Event]], None] | None
) -> Callable[[list[Event]], None]:
    if second is None:
        return first

    def observe(events: list[Event]) -> None:
        first(events)
        second(events)

    return observe
