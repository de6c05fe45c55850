"""When each host may be asked again: pauses, rests, limits and outages."""

import asyncio
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from datahound.errors import Unreachable, UserError
from datahound.http.adaptive_limit import AdaptiveLimit, LimitCause, LimitChange
from datahound.http.host_pace import AddressClocks, HostPace, PaceMeter, Patience
from datahound.settings import MAX_CONCURRENCY, WebSettings

OUT_OF_REACH = "network"
ADDRESS_SHARED = "another site at the same address"

# After a refusal doubled the pause, four good answers bring it back (0.8^4 is about 0.4).
_EASING = 0.8
_REFUSALS = {429: LimitCause.TOO_MANY, 503: LimitCause.UNAVAILABLE}
# A host that is back is noticed within a minute.
_MAX_OUTAGE_PAUSE = 60.0


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a client; tests pass one that does not wait."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    today: Callable[[], float] = time.time
    """Seconds since 1970, for the dates that servers send."""
    hold: Callable[[], Awaitable[None]] | None = None
    """Awaited just before a request is sent: returns once it may be sent."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a crawl waits for, and for how long."""

    host: str
    seconds: float
    reason: str


class _Host:
    """The state of one host: its clock, its limit, and the queue of requests."""

    def __init__(self, name: str, settings: WebSettings) -> None:
        self.name = name
        self.delay = settings.delay_seconds
        """The pause between two requests now."""
        self.floor = self.least = settings.delay_seconds
        """The shortest pause, with the Crawl-delay of robots.txt, and without."""
        self.most = settings.concurrency
        self.free_at = 0.0
        self.rest_until = 0.0
        self.why = ""
        self.shut_until: float | None = None
        """While the host is out of reach, when to try again; one request at a time does."""
        self.under_way = 0
        self.limit = AdaptiveLimit(name, settings.concurrency)
        self.meter = PaceMeter()
        self.patience = Patience()
        self.refusals = 0
        self.line: deque[asyncio.Event] = deque()
        """An event for each request that waits, first come first served."""

    @property
    def is_full(self) -> bool:
        return self.under_way >= (self.limit.now if self.shut_until is None else 1)

    @property
    def due(self) -> float:
        """When the next request may start."""
        return max(self.free_at, self.rest_until, self.shut_until or 0.0)

    def join(self, settings: WebSettings) -> None:
        """Another crawl asks this host, too: the longer pause and the lower limit hold for all."""
        self.least = max(self.least, settings.delay_seconds)
        self.floor = max(self.floor, self.least)
        self.delay = max(self.delay, self.floor)
        if settings.concurrency < self.most:
            self.most = settings.concurrency
            self.limit = AdaptiveLimit(self.name, self.most)

    def wake_first(self) -> None:
        """Something changed: the first request that waits may be able to start."""
        if self.line:
            self.line[0].set()

    def wake_all(self) -> None:
        for waiting in self.line:
            waiting.set()

    def reason_at(self, now: float) -> str:
        """What a request waits for."""
        # An outage is the reason that matters to people, even if a rest is asked for as well.
        if self.shut_until is not None and self.shut_until > now:
            return OUT_OF_REACH
        return self.why if self.rest_until > now else "politeness"


class HostClocks:
    """The hosts that the crawls of a process ask: one clock per host for all of them."""

    def __init__(self) -> None:
        self._hosts: dict[str, _Host] = {}
        self.addresses = AddressClocks()

    def join(self, name: str, settings: WebSettings) -> _Host:
        """The state of a host, shared with every other crawl that asks it."""
        state = self._hosts.get(name)
        if state is None:
            state = self._hosts[name] = _Host(name, settings)
        else:
            state.join(settings)
        return state


class Turn:
    """A request under way: it occupies one of its host's slots until it ends."""

    def __init__(self, politeness: "Politeness", host: str, state: _Host, now: float) -> None:
        self.begun = now
        self.patience = state.patience
        self._politeness = politeness
        self._host = host
        self._state = state
        self._under_way = state.under_way
        self._generation = state.limit.generation
        self._measured = False
        self._ended = False

    def answer(self, status: int, retry_after: str | None) -> None:
        """The status is here: a refusal slows the host down, anything else eases it.

        One fall of the limit is answer enough to all requests that were under way before it, but
        each Retry-After is kept.
        """
        limit, politeness = self._state.limit, self._politeness
        is_new = self._generation == limit.generation
        refusal = _REFUSALS.get(status)
        if refusal is None:
            if is_new:
                politeness.ease(self._host)
            politeness.report_change(limit.accept(self._generation), self._state)
        elif is_new:
            politeness.slow_down(self._host, retry_after)
            politeness.report_change(limit.refuse(refusal, self._generation), self._state)
        else:
            politeness.rest_as_asked(self._host, retry_after)

    def measure(self) -> None:
        """The headers are here, and how long they took counts."""
        self._measured = True
        seconds = self._politeness.now() - self.begun
        self.patience.note(seconds)
        change = self._state.limit.measure(seconds, self._under_way, self._generation)
        self._politeness.report_change(change, self._state)

    def end(self) -> None:
        """The answer was given, or there is none: the place is free. May be called again."""
        if self._ended:
            return
        self._ended = True
        if self._measured:
            self._state.meter.finish(self._politeness.now() - self.begun)
        self._state.under_way -= 1
        self._state.wake_first()


class Politeness:
    """A clock per host: a pause between requests, and rests where a host asks for them.

    A host's limit is the number of its requests that may be under way at once; further requests
    wait in the order of their arrival. Hosts do not wait for one another.
    """

    def __init__(
        self,
        settings: WebSettings,
        clock: Clock | None = None,
        on_wait: Callable[[Waiting], None] | None = None,
        on_change: Callable[[LimitChange], None] | None = None,
        clocks: HostClocks | None = None,
    ) -> None:
        if not 1 <= settings.concurrency <= MAX_CONCURRENCY:
            raise UserError(f"the concurrency is a whole number from 1 to {MAX_CONCURRENCY}")
        self._settings = settings
        self._clock = clock or Clock()
        self._on_wait = on_wait
        self._on_change = on_change
        self._clocks = clocks or HostClocks()
        self._hosts: dict[str, _Host] = {}
        self.now = self._clock.now
        self.changes: dict[str, LimitChange] = {}
        """By host, the last change of its limit."""

    async def turn(self, host: str, longest_rest: float = math.inf) -> Turn | None:
        """Wait until a request to the host may start, and start it; None if that takes too long.

        It takes too long when the host rests longer than `longest_rest`, as it or another request
        was asked to meanwhile.
        """
        state, woken = self._host(host), asyncio.Event()
        state.line.append(woken)
        try:
            start = await self._wait_in_line(host, state, woken, longest_rest)
            if start is None:
                return None
            start = await self._wait_for_address(host, start, state.delay)
            # From when it was due, so that sleeps that last too long do not add up.
            now = self.now()
            state.free_at = max(start, now - state.delay / 2) + state.delay
            state.under_way += 1
            return Turn(self, host, state, now)
        finally:
            # Also when cancelled: a request that left must not block those behind it.
            state.line.remove(woken)
            state.wake_first()

    async def _wait_in_line(
        self, host: str, state: _Host, woken: asyncio.Event, longest_rest: float
    ) -> float | None:
        """Wait for the first place in line, a free place and the time; when the start was due."""
        start = now = self.now()
        while True:
            if state.rest_until - now > longest_rest:
                return None
            if state.line[0] is not woken or state.is_full:
                woken.clear()
                await woken.wait()
                # While a crawl is paused, its clock blocks here.
                await self._clock.sleep(0)
                start = now = self.now()
            elif state.due > now:
                start = state.due
                await self.wait(host, start - now, state.reason_at(now))
                now = self.now()
            else:
                return start

    def note_addresses(self, host: str, addresses: Iterable[str]) -> None:
        """The addresses of a host: crawls of other sites there share its pace."""
        self._clocks.addresses.note(self, host, addresses)

    async def _wait_for_address(self, host: str, start: float, delay: float) -> float:
        reserved = self._clocks.addresses.reserve(host, start, delay)
        if reserved > start:
            await self.wait(host, reserved - self.now(), ADDRESS_SHARED)
        return reserved

    async def wait(self, host: str, seconds: float, reason: str) -> None:
        """Wait, and report the reason."""
        if self._on_wait:
            self._on_wait(Waiting(host, seconds, reason))
        await self._clock.sleep(seconds)

    def rest_of(self, host: str) -> float:
        """Seconds that the host still rests, its ordinary pause aside."""
        state = self._hosts.get(host)
        return max(0.0, state.rest_until - self._clock.now()) if state else 0.0

    def paces(self) -> dict[str, Waiting]:
        """By host, its pause between requests, or how long it still rests and why."""
        now = self._clock.now()
        return {
            name: Waiting(name, host.rest_until - now, host.why)
            if host.rest_until > now
            else Waiting(name, host.delay, "")
            for name, host in self._hosts.items()
        }

    def rest(self, host: str, seconds: float, reason: str) -> None:
        """Send nothing to the host for at least this time."""
        state = self._host(host)
        until = self._clock.now() + seconds
        if until > state.rest_until:
            state.rest_until, state.why = until, reason
            # Requests that do not wait for a long rest leave the queue, wherever they are in it.
            state.wake_all()

    def slow_down(self, host: str, retry_after: str | None = None) -> None:
        """Slow down after a 429 or 503: double the pause, and rest for the Retry-After."""
        state, settings = self._host(host), self._settings
        state.refusals += 1
        doubled = max(state.delay * 2, settings.retry_seconds)
        state.delay = max(state.floor, min(doubled, settings.max_delay_seconds))
        state.free_at = max(state.free_at, self._clock.now() + state.delay)
        if not self.rest_as_asked(host, retry_after):
            self.rest(host, state.delay, "too many requests")

    def rest_as_asked(self, host: str, retry_after: str | None) -> bool:
        """Rest as long as a Retry-After asks for, up to the cap; whether it asks for anything."""
        asked = seconds_in(retry_after or "", self._clock.today())
        if asked is None:
            return False
        self.rest(host, min(asked, self._settings.retry_after_cap), "Retry-After")
        return True

    def shut(self, host: str, seconds: float) -> None:
        """The host is out of reach: try again after this time, one request at a time."""
        self._host(host).shut_until = self.now() + seconds

    def reopen(self, host: str) -> None:
        """The host can be reached."""
        state = self._host(host)
        if state.shut_until is not None:
            state.shut_until = None
            state.wake_first()

    def report_change(self, change: LimitChange | None, state: _Host) -> None:
        """Remember a change of a host's limit, and report it."""
        if change is None:
            return
        self.changes[change.host] = change
        state.wake_first()
        if self._on_change:
            self._on_change(change)

    def pace_of(self, host: str) -> HostPace:
        """How fast the host is asked, and what sets that pace."""
        state = self._host(host)
        return state.meter.read(
            state.delay, state.limit.now, self._settings.concurrency, state.refusals
        )

    def measured_paces(self) -> dict[str, HostPace]:
        return {host: self.pace_of(host) for host in self._hosts}

    def ease(self, host: str) -> None:
        """Shorten the pause after a good answer, step by step to the ordinary one."""
        state = self._host(host)
        if state.delay > state.floor:
            state.delay = max(state.floor, state.delay * _EASING)

    def set_crawl_delay(self, host: str, seconds: float) -> float:
        """Pause as long as robots.txt asks for, up to the cap; the pause from now on."""
        state = self._host(host)
        capped = min(seconds, self._settings.crawl_delay_cap)
        state.floor = max(state.least, capped)
        state.delay = max(state.floor, state.delay)
        # The request for robots.txt itself had only the old pause after it.
        state.free_at = (
            max(state.free_at, self._clock.now() + state.floor) if capped else state.free_at
        )
        return state.floor

    def _host(self, host: str) -> _Host:
        state = self._hosts.get(host)
        if state is None:
            state = self._hosts[host] = self._clocks.join(host, self._settings)
        return state


class Outage:
    """A host that used to answer and can't be reached; all requests to it share one outage."""

    def __init__(self, host: str, now: Callable[[], float], settings: WebSettings) -> None:
        self._host = host
        self._now = now
        self._settings = settings
        self._since: float | None = None
        self._noted = 0.0
        self._pause = settings.retry_seconds

    def choose_pause(self, reason: str, begun: float) -> float | None:
        """Seconds until the next try; raises `Unreachable` once the outage lasts too long.

        None if the request began before the last failure, whose pause still applies.
        """
        now = self._now()
        if self._since is None:
            self._since = now
        elif begun <= self._noted:
            return None
        if now - self._since >= self._settings.max_outage_seconds:
            raise Unreachable(f"{self._host} used to answer and no longer does: {reason}")
        self._noted = now
        self._pause = min(self._pause * 2, _MAX_OUTAGE_PAUSE)
        return self._pause


def seconds_in(retry_after: str, today: float) -> float | None:
    """The seconds that a Retry-After asks for, in either of its forms; None if it is neither.

    >>> seconds_in("120", 0), seconds_in("Thu, 01 Jan 1970 00:01:00 GMT", 50), seconds_in("soon", 0)
    (120.0, 10.0, None)
    """
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        # Nine digits are 31 years: enough, and no overflow later.
        return float(text[:9])
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - today)
    except (ValueError, OverflowError, OSError):
        return None
