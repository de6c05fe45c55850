"""Make the runs of experiments: over all cores, saved one by one, going on where they were."""

import contextlib
import gc
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from datahound.archive import Archive, open_archive
from datahound.archive.synthetic import SCHEME, paper_sites, parse_spec
from datahound.errors import DatahoundError, StorageError, UserError
from datahound.lab.characteristics import characteristics
from datahound.lab.experiments import CHARACTERISTICS, Job, plan
from datahound.lab.results import ResultFolder, SiteRow
from datahound.lab.run import Exhaustive, Finding, run_job
from datahound.lab.trials import Progress, Trial, TrialGround
from datahound.parameters import with_parameters
from datahound.settings import Settings
from datahound.web.kinds import DEFAULT_TARGETS

_WAIT_SECONDS = 0.5
_DIED = "its worker died, perhaps for want of memory"
_SUFFIXES = (".warc.gz", ".warc", ".sqlite", ".db")

Say = Callable[[str], None]
"""Told, in one line, what the user should know."""


@dataclass(frozen=True, slots=True)
class Work:
    """What to make: experiments on sites, so many runs of each crawler that is random."""

    sites: tuple[str, ...]
    experiments: tuple[str, ...]
    runs: int = 15
    crawlers: tuple[str, ...] = ()
    """All of them if none is given."""
    workers: int | None = None


def site_name(spec: str) -> str:
    """The short name of a site: of a file, its own without what it ends with."""
    if spec.startswith(SCHEME):
        return spec.removeprefix(SCHEME)
    name = Path(spec.partition("?seed=")[0]).name
    return next((name.removesuffix(s) for s in _SUFFIXES if name.endswith(s)), name)


def work(todo: Work, folder: ResultFolder, progress: Progress, say: Say) -> int:
    """Make every run that is not there yet, and give how many failed.

    A site that can't be used and a run that fails are told and do not stop the rest.
    """
    names = [site_name(spec) for spec in todo.sites]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"two sites are called {name}: give them other names")
    for spec in todo.sites:
        open_archive(spec).close()
    shift = _Shift(todo, folder, progress, say)
    for spec, name in zip(todo.sites, names, strict=True):
        shift.do_site(spec, name)
    return shift.failed


class _Shift:
    """The work of one command."""

    def __init__(self, todo: Work, folder: ResultFolder, progress: Progress, say: Say) -> None:
        self._todo = todo
        self._folder = folder
        self._progress = progress
        self._say = say
        self._base = folder.origin.settings()
        self._jobs = plan(todo.experiments, todo.runs, self._base, todo.crawlers)
        self._kept = set(folder.runs())
        names = [site_name(spec) for spec in todo.sites]
        self._total = sum(len(self._missing(name)) for name in names)
        self._done = 0
        self._made = 0
        self._seconds = 0.0
        self.failed = 0

    def do_site(self, spec: str, name: str) -> None:
        jobs = self._missing(name)
        described = CHARACTERISTICS not in self._todo.experiments or (
            name in self._folder.characteristics()
        )
        if not jobs and described and name in self._folder.sites():
            return
        archive = open_archive(spec, lambda n, of: self._progress(f"{name}: indexing", n, of))
        try:
            self._do(archive, spec, name, jobs, describe=not described)
        except StorageError:
            raise
        except DatahoundError as error:
            self._say(f"{name}: left out: {error}")
            self.failed += max(len(jobs), 1)
            self._done += len(jobs)
        finally:
            archive.close()

    def _do(
        self, archive: Archive, spec: str, name: str, jobs: list[Job], *, describe: bool
    ) -> None:
        _refuse_endless(spec, self._base)
        ground = TrialGround(archive, self._reading(), self._tell(name))
        site = self._measure(ground, spec, name)
        if describe:
            self._describe(ground, name)
        begun = time.monotonic()
        for job, outcome in self._outcomes(ground, site, jobs):
            self._done += 1
            self._made += 1
            self._seconds, begun = self._seconds + time.monotonic() - begun, time.monotonic()
            if isinstance(outcome, Finding):
                self._folder.add(outcome)
            else:
                self.failed += 1
                self._say(f"{name}, {job.strategy} {job.variant}, run {job.seed}: {outcome}")
                self._folder.add_failure((name, job.strategy, job.variant, job.seed), outcome)

    def _describe(self, ground: TrialGround, name: str) -> None:
        found = characteristics(
            ground.site,
            self._base.crawl.targets or DEFAULT_TARGETS,
            ground.site.read,
            lambda *_: self._tell(name)("describing", 0, 0),
            self._base.crawl.max_requests,
        )
        self._folder.add_characteristics(name, found)

    def _measure(self, ground: TrialGround, spec: str, name: str) -> SiteRow:
        """Visit everything once, which also remembers it: what that costs measures all runs."""
        tell = self._tell(name)
        bfs = Trial("bfs", 0, self._base)
        curve = ground.run(bfs, lambda _: tell("visiting everything", 0, 0)).curve
        census = ground.census
        site = SiteRow(
            name,
            spec,
            _preset(spec),
            curve.requests,
            curve.other_bytes,
            census.targets,
            census.target_bytes,
        )
        kept = self._folder.sites().get(name)
        if kept is None:
            self._folder.add_site(site)
        elif kept.whole != site.whole:
            raise UserError(f"not the site that {self._folder.path} has results of by this name")
        return site

    def _reading(self) -> Settings:
        """How pages are read once for all: with the texts around links if any run needs them."""
        needed = any("features=context" in job.variant for job in self._jobs)
        return with_parameters(self._base, ["surrounding=yes"]) if needed else self._base

    def _missing(self, name: str) -> list[Job]:
        return [j for j in self._jobs if (name, j.strategy, j.variant, j.seed) not in self._kept]

    def _tell(self, name: str) -> Progress:
        return lambda doing, *_: self._progress(
            f"{name}: {doing}{self._time_left()}", self._done, self._total
        )

    def _time_left(self) -> str:
        if not self._made:
            return ""
        left = self._seconds / self._made * (self._total - self._done)
        return f", about {round(left / 60)} min left" if left > 90 else f", {left:.0f} s left"

    def _outcomes(
        self, ground: TrialGround, site: SiteRow, jobs: list[Job]
    ) -> Iterator[tuple[Job, Finding | str]]:
        crew = _Crew(ground, self._base, site, self._folder.origin.version)
        workers = self._todo.workers or os.cpu_count() or 1
        return crew.work(jobs, workers, self._tell(site.name))


@dataclass(slots=True)
class _Crew:
    """Workers on one site; they are forked, so that they share the pages that were read."""

    ground: TrialGround
    base: Settings
    site: SiteRow
    version: str

    def run(self, job: Job) -> Finding | str:
        """One run, or why it failed."""
        whole: Exhaustive = self.site.whole
        try:
            return run_job(self.ground, job, self.base, whole, self.site.name, self.version)
        except Exception as error:  # noqa: BLE001 one run must not stop the others
            return f"{type(error).__name__}: {error}"

    def work(
        self, jobs: Sequence[Job], workers: int, progress: Progress
    ) -> Iterator[tuple[Job, Finding | str]]:
        if min(workers, len(jobs)) <= 1 or "fork" not in multiprocessing.get_all_start_methods():
            for job in jobs:
                progress(job.strategy, 0, 0)
                yield job, self.run(job)
            return
        left = dict.fromkeys(jobs)
        for job, outcome in self._in_pool(jobs, workers, progress):
            if outcome is not None:
                del left[job]
                yield job, outcome
        # If a worker died, the rest go one by one: so it is known which run it is that kills.
        for job in left:
            for _, outcome in self._in_pool([job], 1, progress):
                yield job, outcome or _DIED

    def _in_pool(
        self, jobs: Sequence[Job], workers: int, progress: Progress
    ) -> Iterator[tuple[Job, Finding | str | None]]:
        """Each run as it ends; None for those that a worker's death prevented."""
        gc.freeze()
        _crews.append(self)
        context = multiprocessing.get_context("fork")
        pool = ProcessPoolExecutor(min(workers, len(jobs)), mp_context=context)
        running: dict[Future[Finding | str], Job] = {}
        try:
            with contextlib.suppress(BrokenProcessPool):
                for job in jobs:
                    running[pool.submit(_run_forked, job)] = job
            for future in _as_they_end(set(running), progress):
                died = isinstance(future.exception(), BrokenProcessPool)
                yield running[future], None if died else future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            _crews.remove(self)
            gc.unfreeze()


_crews: list[_Crew] = []


def _run_forked(job: Job) -> Finding | str:
    return _crews[-1].run(job)


def _as_they_end(
    left: "set[Future[Finding | str]]", progress: Progress
) -> Iterator["Future[Finding | str]"]:
    while left:
        ended, left = wait(left, timeout=_WAIT_SECONDS, return_when=FIRST_COMPLETED)
        progress("crawling", 0, 0)
        yield from ended


def _preset(spec: str) -> str:
    """The paper's site in whose likeness a synthetic one is made, if it is."""
    name = parse_spec(spec).name if spec.startswith(SCHEME) else ""
    return name if name in paper_sites() else ""


def _refuse_endless(spec: str, base: Settings) -> None:
    if spec.startswith(SCHEME) and parse_spec(spec).traps and base.crawl.max_requests is None:
        raise UserError("a site with traps has no end: give --budget")
