"""How fast a host is asked: its own pace, and one pace for all sites on the same address."""

import math
import statistics
from collections import deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from enum import Enum

from datahound.http.failures import TIMED_OUT
from datahound.web.messages import NoAnswer


@dataclass(slots=True)
class _Address:
    crawls: set[Hashable] = field(default_factory=set)
    free_at: float = 0.0


class AddressClocks:
    """When each address may be asked again, for all crawls of a process.

    The hosts of one site do not wait for one another: only crawls of different sites do.
    """

    def __init__(self) -> None:
        self._addresses: dict[str, _Address] = {}
        self._address_of: dict[str, _Address] = {}

    def note(self, crawl: Hashable, host: str, addresses: Iterable[str]) -> None:
        """A crawl has looked up a host; of several addresses the first in order counts."""
        # Round-robin DNS gives the addresses in changing order; the smallest is the same for all.
        first = min(addresses, default=None)
        if first is None:
            return
        address = self._addresses.setdefault(first, _Address())
        address.crawls.add(crawl)
        self._address_of[host] = address

    def reserve(self, host: str, start: float, delay: float) -> float:
        """Reserve the next start of a request to a host: `start`, or later where others are first.

        >>> clocks = AddressClocks()
        >>> clocks.note("crawl 1", "a.example", ["192.0.2.1"])
        >>> clocks.note("crawl 2", "b.example", ["192.0.2.1"])
        >>> clocks.reserve("a.example", 10.0, 1.0), clocks.reserve("b.example", 10.0, 1.0)
        (10.0, 11.0)
        """
        address = self._address_of.get(host)
        if address is None:
            return start
        # One crawl alone has its own pace per host, which may be several at a time.
        begun = max(start, address.free_at) if len(address.crawls) > 1 else start
        address.free_at = begun + delay
        return begun


_WINDOW = 32
# Answers before a suggestion: the first ones still set up connections and caches.
_ENOUGH = 20
# A suggestion that saves less than a third of the time is not worth a line.
_WORTH_SAYING = 1.5
_SHORT_SECONDS = 0.1
_MOST_SUGGESTED = 8


class Bound(Enum):
    """What sets the pace of a host."""

    DELAY = "delay"
    LATENCY = "latency"


@dataclass(frozen=True, slots=True)
class HostPace:
    """The measured pace of one host."""

    delay: float
    """Seconds between the starts of two requests."""
    latency: float
    """Median of the seconds from a request to its answer, of the last 32; 0 before the first."""
    concurrency: int
    """Requests that may be under way now."""
    most: int
    """Requests that may be under way when the host is well."""
    answers: int
    """Answers so far."""
    refusals: int = 0
    """Answers 429 and 503."""

    @property
    def allowed_per_second(self) -> float:
        """What delay, latency and concurrency allow together."""
        by_delay = 1 / self.delay if self.delay else math.inf
        by_latency = self.concurrency / self.latency if self.latency else math.inf
        return min(by_delay, by_latency)

    @property
    def bound_by(self) -> Bound:
        return Bound.LATENCY if self.latency > self.delay * self.concurrency else Bound.DELAY

    def suggest(self) -> tuple[int, float] | None:
        """A higher concurrency and how many times as fast it would be; None if it would not help.

        A host that refused requests gets no more of them, and the latency of a host that answers
        at once is mostly the crawler's own work.
        """
        if (
            self.bound_by is Bound.DELAY
            or self.concurrency < self.most
            or self.refusals
            or self.answers < _ENOUGH
            or self.latency < _SHORT_SECONDS
        ):
            return None
        enough = math.ceil(self.latency / self.delay) if self.delay else _MOST_SUGGESTED
        suggested = min(enough, _MOST_SUGGESTED)
        by_delay = 1 / self.delay if self.delay else math.inf
        times = min(by_delay, suggested / self.latency) / self.allowed_per_second
        return (suggested, times) if times >= _WORTH_SAYING else None


class PaceMeter:
    """Measures the pace of one host."""

    def __init__(self) -> None:
        self._seconds: deque[float] = deque(maxlen=_WINDOW)
        self._answers = 0

    def finish(self, seconds: float) -> None:
        """An answer was given after this time."""
        self._seconds.append(seconds)
        self._answers += 1

    def read(self, delay: float, concurrency: int, most: int, refusals: int) -> HostPace:
        latency = statistics.median(self._seconds) if self._seconds else 0.0
        return HostPace(delay, latency, concurrency, most, self._answers, refusals)


_LATE = 2
"""Timeouts after which a host gets less time..."""
_FORGIVEN = 500
"""... unless this many answers came in time since the first of them."""
_TIMES_USUAL = 20
_LEAST_SECONDS = 10.0


class Patience:
    """How long to wait for a host: after several timeouts, at most 20 times its median latency.

    A server that never answers some requests would otherwise stall a whole crawl.
    """

    def __init__(self) -> None:
        self._seconds: deque[float] = deque(maxlen=_WINDOW)
        self._in_time = 0
        self._late: deque[int] = deque(maxlen=_LATE)
        """For each of the last timeouts, how many answers had come in time before it."""

    def note(self, seconds: float) -> None:
        """An answer came after this time."""
        self._in_time += 1
        self._seconds.append(seconds)

    def limit(self, seconds: float) -> float:
        """Seconds to wait for an answer, at most the seconds given."""
        if not self._is_often_late:
            return seconds
        return min(seconds, max(_LEAST_SECONDS, _TIMES_USUAL * statistics.median(self._seconds)))

    def judge(self, trouble: NoAnswer) -> NoAnswer:
        """The same trouble, without a retry if the host has timed out too often."""
        if trouble.reason == TIMED_OUT:
            self._late.append(self._in_time)
            trouble.again &= not self._is_often_late
        return trouble

    @property
    def _is_often_late(self) -> bool:
        """Whether a host that mostly answers in time has timed out several times lately."""
        if len(self._late) < _LATE or not self._seconds:
            return False
        return self._in_time - self._late[0] <= _FORGIVEN
