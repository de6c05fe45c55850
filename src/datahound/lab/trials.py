"""Trials: replay a strategy on a recorded site; many of them over all cores."""

import csv
import math
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

from datahound.archive import Archive, Recorded, glance
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import replay
from datahound.errors import ArchiveError, DatahoundError, UserError
from datahound.events import Event, Fetched, TargetFound
from datahound.lab.bounds import (
    ArchiveOracle,
    CrawlGraph,
    find_greedy_cost,
    find_optimum,
    read_graph,
)
from datahound.lab.fork_pool import map_forked
from datahound.lab.metrics import WATCHED, Curve
from datahound.model import Answer, Fetch, Kind, Page, Purpose, Response
from datahound.readers import Readers
from datahound.settings import CrawlSettings, Settings
from datahound.strategies import make_strategy, registered
from datahound.web.targets import drop_body, find_wanted, is_shown, kind_of

# A bound on memory: pages beyond it are parsed again in every trial.
_MAX_CACHED_LINKS = 4_000_000
_REPORT_EVERY = 200
_CURVE_COLUMNS = ("site", "strategy", "seed", "request", "targets", "target_bytes", "other_bytes")

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much is done, and how much there is (0 if unknown)."""
Observer = Callable[[list[Event]], None]


@dataclass(frozen=True, slots=True)
class Trial:
    """One crawl to replay: a strategy, a seed for what is random, and settings."""

    strategy: str
    seed: int
    settings: Settings


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The curve of a trial, and what its site has in all."""

    site: str
    strategy: str
    seed: int
    curve: Curve = field(repr=False)
    total_targets: int
    total_target_bytes: int
    seconds: float
    """Processor time."""
    stopped: str
    slowest_step: float = 0.0
    """Processor time of the crawler's longest step, from an answer to the next request."""

    def figures(self) -> dict[str, Any]:
        """Return the figures for machines; their names are part of the command line's output."""
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
    """A recorded site on which trials are run: its pages are parsed once for all of them."""

    def __init__(self, archive: Archive, settings: Settings, progress: Progress) -> None:
        self.site = ParsedSite(archive, settings)
        self.census = take_census(self.site, settings.crawl, lambda n: progress("reading", n, 0))
        if not self.census.targets:
            raise UserError(f"{archive.name}: no target can be reached from {archive.seed}")
        wanted = find_wanted(settings.crawl.targets)
        # Only a census by a crawl has read all pages: what is known must not grow with the trials.
        pages = None if self.census.requests is None else dict(self.site.pages)
        self._oracle = ArchiveOracle(archive, wanted, self.census.target_urls, pages)

    def run(
        self,
        trial: Trial,
        observers: Iterable[Observer] = (),
        watch: Collection[type] = WATCHED,
        max_step_seconds: float = math.inf,
    ) -> TrialResult:
        """Crawl the site from its seed to the end; the observers get the events in `watch`.

        A step that takes the crawler more processor time than `max_step_seconds` ends the trial.
        """
        curve = Curve()
        crawl = self._make_crawl(trial, watch)
        observe = _tell_all((curve.observe, *observers))
        timed = TimedSite(self.site, max_step_seconds)
        begun = time.process_time()
        try:
            replay(crawl, timed, observe)
            stopped = crawl.stopped.value if crawl.stopped else ""
        except StepTooSlow as error:
            stopped = str(error)
        seconds = time.process_time() - begun
        planned = self.site.name, trial.strategy, trial.seed
        there = self.census.targets, self.census.target_bytes
        return TrialResult(*planned, curve, *there, seconds, stopped, timed.slowest)

    def find_greedy_cost(self, share: float) -> int | None:
        """Return requests that suffice for a share of the targets, as far as pages were read."""
        return find_greedy_cost(self.read_graph(), share)

    def read_graph(self) -> CrawlGraph:
        """Return the site as a graph, as far as its pages were read."""
        return read_graph(self.site.seed, self.site.pages, self._oracle)

    def _make_crawl(self, trial: Trial, watch: Collection[type]) -> Crawl:
        settings = trial.settings
        strategy = make_strategy(
            trial.strategy,
            settings.strategy,
            seed=trial.seed,
            oracle=self._oracle if registered(trial.strategy).needs_oracle else None,
            targets=settings.crawl.targets,
        )
        site = self.site
        return Crawl(site.seed, strategy, settings=settings.crawl, read=site.read, watch=watch)


def _tell_all(observers: Sequence[Observer]) -> Observer:
    def observe(events: list[Event]) -> None:
        for observer in observers:
            observer(events)

    return observe


class SiteBounds(NamedTuple):
    """Requests of crawls of a site: of everything, and by crawlers that know the site."""

    targets: int
    everything: int
    greedy: int
    greedy_to_90: int
    optimum: int | None
    """None for a site of too many pages to try all crawls."""


def measure_bounds(archive: Archive, budget: int, progress: Progress) -> SiteBounds:
    """Measure what a crawler that knows a site needs at least, or what is known to suffice."""
    settings = Settings(crawl=CrawlSettings(max_requests=budget))
    ground = TrialGround(archive, settings, progress)
    whole = ground.run(Trial("bfs", 0, settings)).curve
    if whole.requests >= budget:
        raise UserError(f"{archive.name}: more than {budget:,} requests, give --budget")
    graph = ground.read_graph()
    greedy, to_90 = (find_greedy_cost(graph, share) or 0 for share in (1.0, 0.9))
    return SiteBounds(whole.targets, whole.requests, greedy, to_90, find_optimum(graph))


def plan_trials(
    strategies: Sequence[str], runs: int, first_seed: int, settings: Settings
) -> list[Trial]:
    """Plan `runs` trials of each strategy that is random, and one of each that is not."""
    return [
        Trial(name, first_seed + run, settings)
        for name in strategies
        for run in range(runs if registered(name).is_random else 1)
    ]


def run_trials(
    ground: TrialGround, trials: Sequence[Trial], progress: Progress
) -> Iterator[TrialResult]:
    """Run trials over all cores; yields their results in the order of the trials."""
    ended: dict[int, TrialResult] = {}
    given = 0

    def tick(index: int) -> None:
        progress(trials[index].strategy, given + len(ended), len(trials))

    for index, result in map_forked(ground.run, trials, os.cpu_count() or 1, tick):
        if isinstance(result, Exception):
            raise result
        ended[index] = result
        # Trials end in any order; their results are given in the order of the trials.
        while given in ended:
            yield ended.pop(given)
            given += 1


@contextmanager
def open_curve_csv(path: Path | None) -> Iterator[Callable[[TrialResult], None]]:
    """Write curves to a CSV file, one row per target; the file appears only when it is complete."""
    if path is None:
        yield lambda _: None
        return
    part = path.with_name(path.name + ".part")
    try:
        file = part.open("w", newline="", encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: can't be written ({error.strerror})") from None
    try:
        with file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(_CURVE_COLUMNS)
            yield lambda result: rows.writerows(
                (result.site, result.strategy, result.seed, *row) for row in result.curve.rows()
            )
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Census:
    """The targets that an exhaustive crawl of a site finds."""

    targets: int
    target_bytes: int
    target_urls: Iterable[str]
    requests: int | None = None
    """Requests of that crawl; None where the site lists its targets and was not crawled."""


class ParsedSite:
    """An archive whose pages are parsed once: it caches answers without bodies, and pages.

    The cache is bounded; what does not fit is parsed again each time.
    """

    def __init__(self, archive: Archive, settings: Settings) -> None:
        self.archive = archive
        self.name = archive.name
        self.seed = archive.seed
        self._reader = Readers(settings.pages)
        self._wanted = find_wanted(settings.crawl.targets)
        self._answers: dict[tuple[str, bool], Answer | None] = {}
        self.pages: dict[str, Page] = {}
        """By URL, the pages that were read so far."""
        self._room = _MAX_CACHED_LINKS

    def get(self, fetch: Fetch) -> Answer | None:
        key = (fetch.url, fetch.purpose is Purpose.PROBE)
        try:
            return self._answers[key]
        except KeyError:
            return self._cache_answer(key, fetch)

    def read(self, response: Response) -> Page | None:
        """Return the page of an answer of this site."""
        page = self.pages.get(response.url)
        return page if page is not None else self._reader.read(response)

    def put(self, fetch: Fetch, answer: Answer) -> None:  # noqa: ARG002
        raise ArchiveError(f"{self.name}: a site prepared for experiments is read-only")

    def __iter__(self) -> Iterator[Recorded]:
        return iter(self.archive)

    def close(self) -> None:
        self.archive.close()

    def _cache_answer(self, key: tuple[str, bool], fetch: Fetch) -> Answer | None:
        answer = self.archive.get(fetch)
        # Not least recently used: a replay visits every URL once per trial, so that such a cache
        # would never hit.
        if self._room <= 0:
            return answer
        self._room -= 1
        if isinstance(answer, Response) and answer.body:
            answer = self._drop_body(answer)
        self._answers[key] = answer
        return answer

    def _drop_body(self, answer: Response) -> Response:
        page = self._reader.read(answer) if is_shown(answer.status, answer.headers) else None
        if page is not None:
            self.pages[answer.url] = page
            self._room -= len(page.links) + len(page.declared)
        return drop_body(answer, self._wanted)


TOO_SLOW = "step over"
"""How the reason begins why a trial with a slow step was ended."""


class StepTooSlow(DatahoundError):
    """A crawler took too long from an answer to its next request."""


class TimedSite:
    """A site that measures the time of a crawler's steps, without the time of its own answers.

    Processor time, so that other work of the machine neither slows a crawler nor ends it.
    """

    def __init__(self, site: ParsedSite, limit: float) -> None:
        self.site = site
        self.name, self.seed = site.name, site.seed
        self.slowest = 0.0
        self._limit = limit
        self._answered: float | None = None

    def get(self, fetch: Fetch) -> Answer | None:
        if self._answered is not None:
            self.slowest = max(self.slowest, time.process_time() - self._answered)
            if self.slowest > self._limit:
                raise StepTooSlow(f"{TOO_SLOW} {self._limit:g} s")
        answer = self.site.get(fetch)
        self._answered = time.process_time()
        return answer

    def put(self, fetch: Fetch, answer: Answer) -> None:
        self.site.put(fetch, answer)

    def __iter__(self) -> Iterator[Recorded]:
        return iter(self.site)

    def close(self) -> None:
        self.site.close()


@runtime_checkable
class _ListsTargets(Protocol):
    """A synthetic site, which knows its targets without a crawl."""

    def targets(self) -> Iterable[str]: ...


def take_census(
    site: ParsedSite, settings: CrawlSettings, progress: Callable[[int], None]
) -> Census:
    """Count the targets that can be reached: from the site's own list, else by a full crawl."""
    if isinstance(site.archive, _ListsTargets):
        return _count_listed(site.archive, settings)
    return _count_crawled(site, settings, progress)


def _count_listed(archive: Archive, settings: CrawlSettings) -> Census:
    assert isinstance(archive, _ListsTargets)
    wanted = find_wanted(settings.targets)
    urls, size = [], 0
    for url in archive.targets():
        seen = glance(archive, url)
        answer = seen and Response(url, seen.status, {"content-type": seen.content_type})
        if seen and answer and kind_of(answer, wanted) is Kind.TARGET:
            urls.append(url)
            size += seen.size
    return Census(len(urls), size, urls)


def _count_crawled(
    site: ParsedSite, settings: CrawlSettings, progress: Callable[[int], None]
) -> Census:
    if site.get(Fetch(site.seed)) is None:
        raise ArchiveError(f"{site.name}: the start page {site.seed} is not recorded")
    # No budget and no early stopping, whatever the settings of the trials say.
    exhaustive = CrawlSettings(targets=settings.targets, block_extensions=settings.block_extensions)
    watch = (Fetched, TargetFound)
    crawl = Crawl(site.seed, make_strategy("bfs"), settings=exhaustive, read=site.read, watch=watch)
    found: list[TargetFound] = []

    def observe(events: list[Event]) -> None:
        found.extend(event for event in events if isinstance(event, TargetFound))
        if crawl.tally.requests % _REPORT_EVERY == 0:
            progress(crawl.tally.requests)

    replay(crawl, site, observe)
    urls = [event.link.url for event in found]
    return Census(len(urls), sum(event.size for event in found), urls, crawl.tally.requests)
