"""Replay the rounds of a recorded site with a policy, and count what is found on time."""

from collections import deque
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from random import Random
from typing import NamedTuple

import numpy as np

from datahound.crawl.crawl import Crawl
from datahound.events import TargetFound
from datahound.lab.refresh.policies import Maker
from datahound.lab.refresh.site import LapseSite, RoundTruth
from datahound.model import Fetch, Kind, Purpose, Response
from datahound.refresh.files import FileChecks
from datahound.refresh.history import PageHistory
from datahound.refresh.strategy import DeadLink, RefreshStrategy, RoundPlan
from datahound.settings import RefreshSettings, Settings
from datahound.strategies import make_strategy
from datahound.web.targets import kind_of

_REDIRECTS = 300


class RoundResult(NamedTuple):
    """What a policy did in one round."""

    number: int
    date: float
    pages: int
    """Pages that the round has."""
    budget: int
    requests: int
    """All but those that brought a file."""
    new: int
    on_time: int
    late: int
    """Files of earlier rounds that were found in this one."""


@dataclass(frozen=True, slots=True)
class PolicyRun:
    """A policy to replay: its name, how its values are made, and its seed."""

    name: str
    make: Maker
    seed: int
    share: float


def replay_rounds(site: LapseSite, run: PolicyRun, settings: Settings) -> list[RoundResult]:
    """Crawl round 0 with hound, then go through the later rounds with a budget each."""
    generator = np.random.default_rng(run.seed)
    history = PageHistory()
    inner = make_strategy("hound", settings.strategy, seed=run.seed)
    strategy = RefreshStrategy(
        inner,
        settings.refresh,
        Random(run.seed),
        history=history,
        values=run.make(history, settings.refresh, generator),
    )
    strategy.begin_first(site.dates[0])
    crawl = Crawl(site.seed, strategy, settings=settings.crawl, watch=(TargetFound,))
    results = []
    dead: dict[str, DeadLink] = {}
    for number, truth in enumerate(site.truths):
        budget = None
        if number:
            strategy.begin_round(plan_round(site.dates, number), dead=dead.values())
            crawl.begin_round()
            budget = max(1, round(run.share * len(truth.links)))
        requests, found = _replay_round(crawl, site, number, strategy, dead, budget)
        if number:
            late = len(found - truth.new)
            counts = (len(truth.new), len(found & truth.new), late)
            what = (number, truth.date, len(truth.links), budget or 0, requests)
            results.append(RoundResult(*what, *counts))
    return results


def plan_round(dates: list[float], number: int) -> RoundPlan:
    """The plan of a round that reads pages and checks no files."""
    year = datetime.fromtimestamp(dates[number], UTC).year
    # The mean time between rounds so far: a real refresh knows no future dates either.
    unit = (dates[number] - dates[0]) / number
    return RoundPlan(dates[number], unit, year, checks=False)


def count_checks(site: LapseSite, seed: int, share: float, settings: RefreshSettings) -> list[int]:
    """Changes, and those found in their round, where a share of the files is checked each round.

    All files of earlier rounds are known, but only the changes that a check has found.
    """
    checks = FileChecks(settings, np.random.default_rng(seed))
    seen: dict[str, str] = {}
    _note_files(checks, seen, site.truths[0])
    changes, caught = 0, 0
    for number, truth in enumerate(site.truths):
        if number == 0:
            continue
        plan = plan_round(site.dates, number)
        checks.begin_round(plan.unit)
        caught += len(_check_files(checks, seen, truth, plan, share) & truth.changed)
        changes += len(truth.changed)
        _note_files(checks, seen, truth)
    return [changes, caught]


def _check_files(
    checks: FileChecks, seen: dict[str, str], truth: RoundTruth, plan: RoundPlan, share: float
) -> set[str]:
    """Check the most promising files one by one; returns those that have changed."""
    left = np.ones(len(checks), np.bool_)
    found = set()
    for _ in range(round(share * len(checks))):
        place = int(np.where(left, checks.expect(plan.now, plan.year), -1.0).argmax())
        left[place] = False
        url = checks.urls[place]
        tag = truth.files.get(url)
        changed = tag is not None and tag != seen[url]
        checks.learn(url, plan.now, plan.year, changed=changed)
        if changed and tag is not None:
            seen[url] = tag
            found.add(url)
    return found


def _note_files(checks: FileChecks, seen: dict[str, str], truth: RoundTruth) -> None:
    for url, tag in truth.files.items():
        if url not in checks:
            checks.add(url, truth.date)
            seen[url] = tag


def _replay_round(
    crawl: Crawl, site: LapseSite, number: int, strategy: RefreshStrategy,
    dead: dict[str, DeadLink], budget: int | None,
) -> tuple[int, set[str]]:  # fmt: skip
    """The requests of a round that brought no file, and the files that were found.

    `dead` gets the URLs with errors, as the database of a crawl has them.
    """
    # Each round asks for robots.txt first.
    requests, found = 1, set()
    sitemaps = site.find_sitemaps(number)
    asked: deque[Fetch] = deque()
    while True:
        while (fetch := crawl.next_fetch()) is not None:
            asked.append(fetch)
        if not asked:
            break
        fetch = asked.popleft()
        answer = replace(site.get(fetch, number), sitemaps=sitemaps)
        sitemaps = ()
        crawl.answer(fetch, answer)
        _note_dead(dead, fetch, answer, site.dates[number])
        # New files must be fetched by any policy; only what it takes to find them is counted.
        requests += kind_of(answer) is not Kind.TARGET
        found |= {e.link.url for e in crawl.take_events() if isinstance(e, TargetFound)}
        if budget is not None and requests >= budget:
            strategy.close()
    return requests, found


def _note_dead(dead: dict[str, DeadLink], fetch: Fetch, answer: Response, now: float) -> None:
    if fetch.purpose is Purpose.LIST:
        return
    if kind_of(answer) is Kind.OTHER and answer.status >= _REDIRECTS:
        dead[fetch.url] = DeadLink(fetch.url, now)
    else:
        dead.pop(fetch.url, None)
