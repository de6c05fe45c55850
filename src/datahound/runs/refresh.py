"""A later round of a crawl: what it may do, how it begins, and what became of the files."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from datahound.crawl.crawl import Crawl
from datahound.crawl.strategy import SmallStrategy
from datahound.errors import UserError
from datahound.refresh.history import PageVisit
from datahound.refresh.strategy import DeadLink, RefreshStrategy, RoundPlan
from datahound.report.phrases import CAUSES, Cause, cause_of
from datahound.runs import outcome
from datahound.runs.options import Options, options_of
from datahound.runs.outcome import Ended
from datahound.runs.session import RECEIVED
from datahound.settings import Settings
from datahound.store.queries import rounds
from datahound.store.writer import Store

_DAY = 86_400.0
_OVER = (
    Cause.EXHAUSTED,
    Cause.SPENT_REQUESTS,
    Cause.SPENT_BYTES,
    Cause.BARREN,
    Cause.ROUND_SPENT,
    Cause.ROUND_EMPTY,
    Cause.ROUND_SILENT,
    Cause.ROUND_SAME_PAGE,
    Cause.FINISHED_BEFORE,
)
_LEAST_VALUE = 0.01
"""With `--until-empty`: new or changed files that a request must promise."""
# 95 % of a normal distribution.
_SPREAD = 1.96


@dataclass(frozen=True, slots=True)
class RoundRequest:
    """What a user allows a round: all that is known, unless a limit is given."""

    budget: int | None = None
    """Requests."""
    share: float | None = None
    """Requests, as a share of the pages and files that are known."""
    until_empty: bool = False
    number: int | None = None
    """The round that is wanted: one that has begun is only completed; None for the next one."""

    def __post_init__(self) -> None:
        if self.budget is not None and self.share is not None:
            raise UserError("give --budget or --share, not both")
        if self.budget is not None and self.budget < 1:
            raise UserError(f"--budget: {self.budget} is not a number of requests: give 1 or more")
        if self.share is not None and not 0 < self.share <= 1:
            raise UserError(f"--share: {self.share:g} is not a share: give a number up to 1")


def options_of_each(folders: Sequence[Path], given: Mapping[str, Any]) -> list[Options]:
    """The options of the crawls in several folders; a folder that is given twice is refused."""
    seen: set[Path] = set()
    for folder in folders:
        # Two crawls can't write into one folder: the second would fail after the first has begun.
        if folder.resolve() in seen:
            raise UserError(f"{folder}: give each folder once")
        seen.add(folder.resolve())
    return [options_of(folder, given) for folder in folders]


def is_over(store: Store) -> bool:
    """Whether the crawl or the round in a folder has ended as planned."""
    return cause_of(store.fact("ended")) in _OVER


def may_begin(store: Store, request: RoundRequest) -> bool:
    """Whether to begin a round: the last one has ended, and is not the one that is wanted."""
    return is_over(store) and (request.number is None or store.round < request.number)


def wrap_if_later(crawl: Crawl, store: Store, options: Options) -> None:
    """Give a crawl that is restored into a later round the strategy of later rounds."""
    if store.round:
        wrap_crawl(crawl, options)


def wrap_crawl(crawl: Crawl, options: Options) -> RefreshStrategy:
    """Put the strategy of later rounds around that of a crawl."""

    def wrap(inner: SmallStrategy) -> SmallStrategy:
        return RefreshStrategy(inner, options.settings().refresh, Random(options.seed))

    crawl.wrap_strategy(wrap)
    return strategy_of(crawl)


def strategy_of(crawl: Crawl) -> RefreshStrategy:
    """The strategy of a crawl in a later round."""
    assert isinstance(crawl.strategy, RefreshStrategy)
    return crawl.strategy


def begin_round(
    crawl: Crawl, store: Store, options: Options, request: RoundRequest, journal: int
) -> None:
    """Begin the next round of a crawl that was restored to the end of its last one."""
    # Asking for the next fetch ends the last page; there is no further fetch.
    crawl.next_fetch()
    store.observe(crawl.take_events())
    store.flush()
    if store.round:
        strategy = strategy_of(crawl)
    else:
        strategy = wrap_crawl(crawl, options)
        _recall(strategy, store, crawl.site.seed)
    plan = _plan(store, request, strategy)
    plan |= {"received": store.fact(RECEIVED) or 0, "kept": store.ledger().kept_bytes()}
    same = rounds.read_same(store.connection, store.round)
    dead = (DeadLink(*row) for row in rounds.read_dead(store.connection))
    strategy.begin_round(_read_plan(plan), same, dead)
    crawl.begin_round(plan["budget"])
    plan["limit"] = crawl.settings.max_requests
    plan["first"] = crawl.tally.requests
    store.begin_round(crawl, journal, plan)


def resume_round(crawl: Crawl, store: Store) -> None:
    """Apply the plan of the round under way to a crawl that was restored into it."""
    if not store.round:
        return
    plan = store.fact("rounds")[-1]
    strategy_of(crawl).plan = _read_plan(plan)
    crawl.limit_requests(plan["limit"])


def _plan(store: Store, request: RoundRequest, strategy: RefreshStrategy) -> dict[str, Any]:
    now = store.clock()
    times = [rounds.read_first_time(store.connection), *(r["now"] for r in _rounds(store)), now]
    # A clock that was set back must not make intervals negative.
    now = max(times)
    # The mean interval between rounds; two runs in a minute must not make rates explode.
    unit = max((now - times[0]) / (len(times) - 1), _DAY / 24)
    budget = request.budget
    if request.share is not None:
        budget = max(1, math.ceil(request.share * (len(strategy.history) + len(strategy.checks))))
    least = _LEAST_VALUE if request.until_empty else 0.0
    year = datetime.fromtimestamp(now, UTC).year
    has_limit = budget is not None or request.until_empty
    plan = RoundPlan(now, unit, year, has_limit=has_limit, least_value=least)
    return {**asdict(plan), "budget": budget}


def _read_plan(plan: dict[str, Any]) -> RoundPlan:
    # A round that an older version began has no lists to read.
    names = ("now", "unit", "year", "checks", "least_value")
    return RoundPlan(**{name: plan[name] for name in names}, has_limit=plan.get("has_limit", False))


def _rounds(store: Store) -> list[dict[str, Any]]:
    return store.fact("rounds") or []


def _recall(strategy: RefreshStrategy, store: Store, seed: str) -> None:
    """Give a strategy the visits, lists and files of the first round."""
    for row in rounds.read_page_visits(store.connection):
        number = 0 if row.url == seed else -1
        files = max(row.file_links, row.reward)
        strategy.recall_visit(PageVisit(row.url, row.at, files, row.reward, row.depth, number))
    for url, platform, question in rounds.read_lists(store.connection):
        strategy.add_endpoint(url, platform, question)
    strategy.checks.add_all(rounds.read_file_times(store.connection))


def end_round(crawl: Crawl, store: Store) -> None:
    """Note which files are gone, and what the round has left to find."""
    if not store.round or crawl.stopped is None:
        return
    strategy = strategy_of(crawl)
    if strategy.is_silent or strategy.is_same_page:
        # Files of a site that is down for a night are not gone.
        _note_silent(store)
    else:
        rounds.mark_gone(store, _find_unlinked(strategy, store), _list_silent(store))
    rest = strategy.expect_left(rounds.read_same(store.connection, store.round))
    low, high = _interval(rest.expected, rest.variance)
    left: dict[str, Any] = {"expected": round(rest.expected, 1), "low": low, "high": high}
    left |= {"requests": rest.requests}
    left |= {"round": store.round, "redesigned": strategy.is_redesigned}
    left |= {"silent": strategy.is_silent, "limited": _has_limit(strategy)}
    left |= {"same_page": strategy.is_same_page}
    store.note("left", left)


def _has_limit(strategy: RefreshStrategy) -> bool:
    return strategy.plan is None or strategy.plan.has_limit


def _note_silent(store: Store) -> None:
    *before, last = _rounds(store)
    store.note("rounds", [*before, {**last, "silent": True}])


def _list_silent(store: Store) -> list[int]:
    """The rounds in which the site had nothing: what was missing then may have been there."""
    return [plan["round"] for plan in _rounds(store) if plan.get("silent")]


def judge_end(crawl: Crawl, store: Store) -> Ended:
    """Why an uninterrupted crawl or round ended."""
    ended = outcome.judge_end(store, crawl.stopped)
    cause = ended.cause
    if store.round and (trouble := _find_trouble(strategy_of(crawl))) is not None:
        return Ended(trouble, CAUSES[trouble].phrase, outcome.TROUBLE)
    if store.round and cause is Cause.SPENT_REQUESTS:
        cause = Cause.ROUND_SPENT
    elif store.round and cause is Cause.EXHAUSTED and strategy_of(crawl).expect_left().requests:
        cause = Cause.ROUND_EMPTY
    return ended if cause is ended.cause else Ended(cause, CAUSES[cause].phrase)


def _find_trouble(strategy: RefreshStrategy) -> Cause | None:
    if strategy.is_same_page:
        return Cause.ROUND_SAME_PAGE
    return Cause.ROUND_SILENT if strategy.is_silent else None


def allow_bytes(settings: Settings, store: Store) -> Settings:
    """The settings of a round: its limit of bytes comes on top of what was kept before."""
    most = settings.downloads.max_total_bytes
    if most is None or not store.round:
        return settings
    most += store.fact("rounds")[-1].get("kept", 0)
    return replace(settings, downloads=replace(settings.downloads, max_total_bytes=most))


def _find_unlinked(strategy: RefreshStrategy, store: Store) -> list[str]:
    """Files that were missing, and that the page they were found on does not link to any more."""
    missing = rounds.read_missing(store.connection, store.round)
    return [url for url, page in missing if strategy.graph.has_dropped(page, url)]


def _interval(expected: float, variance: float) -> tuple[int, int]:
    """An interval of 95 % for a count with this mean and variance."""
    spread = _SPREAD * math.sqrt(variance)
    # Above, one more: a mean near 0 has a spread near 0, and one file is always possible.
    return max(0, math.floor(expected - spread)), math.ceil(expected + spread + 1)


def exit_status(changes: Sequence[dict[str, Any]], fail_on: Sequence[str]) -> int:
    """0 for something new, 3 for nothing new, 4 if something happened that `--fail-on` names."""
    counts = {kind: sum(len(one[kind]) for one in changes) for kind in ("new", "changed", "gone")}
    failures = {"gone": counts["gone"], "schema": sum(len(one["schema"]) for one in changes)}
    if any(failures[name] for name in fail_on):
        # Before anything new: new files do not make up for one that is gone.
        return 4
    return 0 if any(counts.values()) else 3
