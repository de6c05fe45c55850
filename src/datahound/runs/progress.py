"""The figures of a running crawl, kept up to date from its events; for displays and Prometheus."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from datahound.crawl.crawl import Crawl
from datahound.crawl.stopping import Tally
from datahound.events import (
    Chosen,
    Discovered,
    Event,
    Fetched,
    GroupCreated,
    SiteMoved,
    Skipped,
    TargetFound,
    Visited,
    VisitOutcome,
)
from datahound.model import Fetch, FileRecord, Kind, Skip
from datahound.report.status import Estimate, LiveFigures, classify_error
from datahound.store import queries, queries_counts
from datahound.store.writer import Store
from datahound.units import show_count
from datahound.web.urls import host_of

# Enough for a steady mean, few enough to notice a host that slows down.
_LATELY = 100
_TARGETS_LATELY = 500
_NEWEST_WEIGHT = 0.2
# The width of the curve on the terminal.
_CURVE_STEPS = 32


@dataclass(slots=True)
class ActionProgress:
    """Visits of one group of links, and the targets that they brought."""

    tag_path: str
    visits: int = 0
    reward: int = 0
    lately: float = 0.0
    """Targets per visit, where each visit counts four fifths of the next one."""

    def credit(self, reward: int) -> None:
        """Count a visit."""
        self.visits += 1
        self.reward += reward
        # The mean of all, until there are enough visits to forget some.
        self.lately += (reward - self.lately) * max(_NEWEST_WEIGHT, 1 / self.visits)

    @property
    def mean(self) -> float:
        return self.reward / self.visits if self.visits else 0.0


@dataclass(slots=True)
class FoundCurve:
    """Targets found per stretch of requests; stretches double when there are too many of them."""

    counts: list[int] = field(default_factory=lambda: [0])
    step: int = 1
    """Requests per stretch."""
    requests: int = 0

    def count_request(self) -> None:
        """Count a request that was answered."""
        # Constant memory for a crawl of any length: when it is full, neighbours are added up.
        if self.requests == len(self.counts) * self.step:
            if len(self.counts) == _CURVE_STEPS:
                pairs = zip(self.counts[::2], self.counts[1::2], strict=True)
                self.counts, self.step = [a + b for a, b in pairs], self.step * 2
            self.counts.append(0)
        self.requests += 1

    def count_target(self) -> None:
        """Count a target that the latest request found."""
        self.counts[-1] += 1


@dataclass(frozen=True, slots=True)
class UnderWay:
    """A fetch that waits for its answer, since a time in seconds since 1970."""

    fetch: Fetch
    since: float


@dataclass(frozen=True, slots=True)
class Wait:
    """What the fetches of a host wait for, and until when by the clock of the progress."""

    reason: str
    until: float


@dataclass(slots=True)
class Progress:
    """The figures that a display shows of one crawl."""

    crawl: Crawl | None = None
    """The crawl, from when it is made until nothing of it but its figures is needed."""
    now: Callable[[], float] = time.monotonic
    waiting: int = 0
    """Links that wait for a visit."""
    fetching: dict[str, UnderWay] = field(default_factory=dict)
    """The fetches under way by URL, the oldest first."""
    waits: dict[str, Wait] = field(default_factory=dict)
    """By host, what its fetches waited for last."""
    links: int = 0
    """The highest number of a link that was met."""
    paused: bool = False
    """Whether a fetch waits for the user to continue the crawl."""
    remaining: Estimate | None = None
    """The latest estimate of the targets that are left; None if none was made."""
    found: FoundCurve = field(default_factory=FoundCurve)
    chosen: Chosen | None = None
    phase: str = ""
    files: int = 0
    file_bytes: int = 0
    new_files: int = 0
    """Files that this process has kept."""
    failed: int = 0
    """Downloads that failed for good."""
    errors: dict[str, int] = field(default_factory=dict)
    """Requests that failed, by the class of their error."""
    answered_at: float | None = None
    """When this process got its last answer, in seconds since 1970."""
    succeeded_at: float = 0.0
    """When a run of the crawl last ended as planned, in seconds since 1970."""
    actions: dict[int, ActionProgress] = field(default_factory=dict)
    skipped: dict[Skip, int] = field(default_factory=dict)
    mended: list[str] = field(default_factory=list)
    """What was found damaged or lost when the crawl was resumed."""
    news: deque[str] = field(default_factory=lambda: deque(maxlen=5))
    _tally: Tally = field(default_factory=Tally)
    _fetch_times: deque[float] = field(default_factory=lambda: deque(maxlen=_LATELY))
    _hits: deque[int] = field(default_factory=lambda: deque(maxlen=_TARGETS_LATELY))
    _firsts: deque[int] = field(default_factory=lambda: deque(maxlen=_LATELY))
    """For each of the latest requests, the links that were chosen after it for the first time."""
    _foreseen: str = ""
    """The last page whose files were collected without reading it."""
    _again: set[int] = field(default_factory=set)
    """Numbers of the links to such pages, which wait again, to be read."""

    @property
    def tally(self) -> Tally:
        """What the crawl has cost and brought."""
        return self.crawl.tally if self.crawl else self._tally

    def release_crawl(self) -> None:
        """Keep the figures of a crawl that has ended, and free what it has learned."""
        self._tally, self.crawl = self.tally, None
        for held in (self.actions, self.fetching, self.waits):
            held.clear()
        for lately in (self._fetch_times, self._hits, self._firsts, self._again):
            lately.clear()
        self.chosen = None

    def recall(self, store: Store) -> None:
        """Continue from what the store holds of the crawl."""
        self.waiting = sum(1 for _ in self.crawl.waiting()) if self.crawl else 0
        connection = store.connection
        for number, tag_path, visits, reward in queries.read_group_rewards(connection):
            self.actions[number] = ActionProgress(tag_path, visits, reward, reward / max(1, visits))
        self.skipped = queries_counts.read_skips(connection)
        for status, failure, count in queries_counts.count_error_kinds(connection):
            name = classify_error(status, failure)
            self.errors[name] = self.errors.get(name, 0) + count
        self.links = queries_counts.read_quick_counts(connection).links
        self.succeeded_at = store.fact("succeeded_at") or 0.0
        self.files, self.file_bytes, self.failed = queries_counts.read_file_totals(connection)

    def keep(self, record: FileRecord) -> None:
        """Count a download that has ended."""
        if record.file:
            self.files += 1
            self.new_files += 1
            # The bytes of a copy are kept once.
            self.file_bytes += 0 if record.status == "duplicate" else record.bytes
        elif record.status == "failed":
            self.failed += 1

    def forget_pace(self) -> None:
        """Restart the measurement of the pace: a pause says nothing about the site."""
        self._fetch_times.clear()

    def wait(self, reason: str, host: str, seconds: float) -> None:
        """Note what the fetches of a host wait for."""
        self.waits[host] = Wait(reason, self.now() + seconds)

    def find_wait(self, host: str) -> tuple[str, float] | None:
        """What the fetches of a host wait for at this moment, and the seconds that are left."""
        wait = self.waits.get(host)
        left = wait.until - self.now() if wait else 0.0
        return (wait.reason, left) if wait and left > 0 else None

    def waiting_for(self, host: str) -> str:
        """What the fetches of a host wait for at this moment, in words, or ''."""
        reason, left = self.find_wait(host) or ("", 0.0)
        return f"{reason} ({left:.0f}s)" if left >= 1 else reason

    def begin_fetch(self, fetch: Fetch, at: float) -> None:
        self.fetching[fetch.url] = UnderWay(fetch, at)

    def end_fetch(self, fetch: Fetch) -> None:
        self.answered_at = time.time()
        self.fetching.pop(fetch.url, None)
        # A wait is of a host, and lasts as long as one of its fetches does.
        if not any(host_of(url) == host_of(fetch.url) for url in self.fetching):
            self.waits.pop(host_of(fetch.url), None)

    def observe(self, events: list[Event]) -> None:
        for event in events:
            match event:
                case Fetched():
                    self._count_request(event)
                case TargetFound():
                    self.found.count_target()
                    if self._hits:
                        self._hits[-1] = 1
                case Discovered(link=link, expected=expected):
                    self.links = max(self.links, link.number)
                    self.waiting += expected is Kind.PAGE
                    if link.url == self._foreseen:
                        self._again.add(link.number)
                case Chosen():
                    # Pages that a later round reads again did not wait.
                    self.waiting = max(0, self.waiting - 1)
                    self._count_choice(event.choice.link.number)
                    self.chosen = event
                case GroupCreated(number, tag_path):
                    self.actions[number] = ActionProgress(tag_path)
                case Visited():
                    self._credit(event)
                    if event.outcome is VisitOutcome.FORESEEN_ONLY:
                        self._foreseen = event.choice.link.url
                case Skipped(reason=reason):
                    self.skipped[reason] = self.skipped.get(reason, 0) + 1
                case SiteMoved(seed):
                    self.news.append(f"the site has moved to {seed}")

    def _count_request(self, event: Fetched) -> None:
        self._fetch_times.append(self.now())
        self._hits.append(0)
        self._firsts.append(0)
        self.found.count_request()
        self._count_error(classify_error(event.status, event.failure))

    @property
    def targets_per_100(self) -> float:
        """Targets per 100 requests, lately."""
        return 100 * sum(self._hits) / len(self._hits) if self._hits else 0.0

    @property
    def seconds_per_request(self) -> float | None:
        times = self._fetch_times
        if len(times) < 2:
            return None
        # To now and not to the last answer: a crawl that hangs slows down on the display.
        return (self.now() - times[0]) / len(times)

    @property
    def requests_per_link(self) -> float:
        """Requests that a link costs lately, with those for the files behind it."""
        firsts = sum(self._firsts)
        return max(1.0, len(self._firsts) / firsts) if firsts else 1.0

    @property
    def seconds_left(self) -> float | None:
        """An estimate: to the end of the budget, or of the links that wait, whichever is nearer."""
        pace, budget = self.seconds_per_request, self._budget_left
        if pace is None:
            return None
        return pace * (self._requests_left if budget is None else min(self._requests_left, budget))

    @property
    def is_bounded(self) -> bool:
        """Whether the budget of requests ends the crawl before the links that wait do."""
        return self._budget_left is not None and self._budget_left <= self._requests_left

    @property
    def _requests_left(self) -> float:
        """What the links that wait will probably cost."""
        again = min(len(self._again), self.waiting)
        return again + (self.waiting - again) * self.requests_per_link

    @property
    def _budget_left(self) -> int | None:
        budget = self.crawl.settings.max_requests if self.crawl else None
        return None if budget is None else max(0, budget - self.tally.requests)

    @property
    def remarks(self) -> list[str]:
        """Remarks for the user."""
        trapped = sum(n for reason, n in self.skipped.items() if reason.is_trap)
        traps = [f"{show_links(trapped)} left out as traps; `skipped` in crawl.db lists them"]
        return [
            *self.mended,
            *self.news,
            *(traps if trapped else []),
        ]

    def best_actions(self, count: int) -> list[ActionProgress]:
        # Groups without a file say nothing to a user.
        tried = (action for action in self.actions.values() if action.reward)
        return sorted(tried, key=lambda action: -action.mean)[:count]

    @property
    def figures(self) -> LiveFigures:
        """What `crawl.db` stores about a running crawl, for other processes."""
        left = self.remaining
        return LiveFigures(
            waiting=self.waiting,
            bytes=self.tally.bytes,
            new_files=self.new_files,
            left=left.likely if left else None,
            left_low=left.low if left else None,
            left_high=left.high if left else None,
            errors=dict(self.errors),
        )

    def _count_error(self, name: str) -> None:
        if name:
            self.errors[name] = self.errors.get(name, 0) + 1

    def _count_choice(self, link: int) -> None:
        if link in self._again:
            self._again.remove(link)
        elif self._firsts:
            self._firsts[-1] += 1

    def _credit(self, event: Visited) -> None:
        group = event.choice.group
        action = None if group is None else self.actions.get(group)
        if action is not None:
            action.credit(event.reward)


def show_links(count: int) -> str:
    """A number of links with its verb.

    >>> show_links(1), show_links(2_000)
    ('1 link was', '2,000 links were')
    """
    return f"{show_count(count, 'link')} {'was' if count == 1 else 'were'}"
