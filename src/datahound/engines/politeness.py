"""When each host may be asked again."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from datahound.settings import WebSettings

_EASING = 0.8


@dataclass(frozen=True, slots=True)
class Clock:
    """Time, as engines know it: handed in, so that tests need not wait."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    today: Callable[[], float] = time.time
    """Seconds since 1970, for the dates that servers send."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a crawl waits for, and for how long."""

    host: str
    seconds: float
    reason: str


@dataclass(slots=True)
class _Host:
    floor: float
    delay: float
    free_at: float = 0.0
    rest_until: float = 0.0
    why: str = ""


class Politeness:
    """A clock for each host: a pause between requests, and rests where a host asks for them."""

    def __init__(
        self,
        settings: WebSettings,
        clock: Clock | None = None,
        on_wait: Callable[[Waiting], None] | None = None,
    ) -> None:
        self._settings = settings
        self._clock = clock or Clock()
        self._on_wait = on_wait
        self._hosts: dict[str, _Host] = {}

    async def turn(self, host: str) -> None:
        """Wait until a request to the host may start, and take that turn."""
        known = self._host(host)
        now = self._clock.now()
        start = max(now, known.free_at, known.rest_until)
        known.free_at = start + known.delay
        while start > now:
            resting = known.rest_until > now
            await self.wait(host, start - now, known.why if resting else "politeness")
            now = self._clock.now()
            start = max(start, known.rest_until)

    async def wait(self, host: str, seconds: float, reason: str) -> None:
        """Wait, and say for what."""
        if self._on_wait:
            self._on_wait(Waiting(host, seconds, reason))
        await self._clock.sleep(seconds)

    def rest_of(self, host: str) -> float:
        """Seconds that the host still rests, its ordinary pause aside."""
        known = self._hosts.get(host)
        return max(0.0, known.rest_until - self._clock.now()) if known else 0.0

    def paces(self) -> dict[str, Waiting]:
        """By host, its pause between requests, or how long it still rests and why."""
        now = self._clock.now()
        return {
            name: Waiting(name, host.rest_until - now, host.why)
            if host.rest_until > now
            else Waiting(name, host.delay, "")
            for name, host in self._hosts.items()
        }

    def delay_of(self, host: str) -> float:
        return self._host(host).delay

    def rest(self, host: str, seconds: float, reason: str) -> None:
        """Leave the host alone for so long, at least."""
        known = self._host(host)
        until = self._clock.now() + seconds
        if until > known.rest_until:
            known.rest_until, known.why = until, reason

    def slow_down(self, host: str, retry_after: str | None = None) -> None:
        """The host said that it is too much: double its pause, and rest as long as it asks for."""
        known, settings = self._host(host), self._settings
        doubled = max(known.delay * 2, settings.retry_seconds)
        known.delay = max(known.floor, min(doubled, settings.max_delay_seconds))
        known.free_at = max(known.free_at, self._clock.now() + known.delay)
        asked = seconds_in(retry_after or "", self._clock.today())
        if asked is not None:
            self.rest(host, min(asked, settings.retry_after_cap), "Retry-After")
        else:
            self.rest(host, known.delay, "too many requests")

    def ease(self, host: str) -> None:
        """The host answered well: return to its ordinary pause by and by."""
        known = self._host(host)
        if known.delay > known.floor:
            known.delay = max(known.floor, known.delay * _EASING)

    def set_crawl_delay(self, host: str, seconds: float) -> float:
        """Pause as long as robots.txt asks for, up to the cap; the pause from now on."""
        known = self._host(host)
        capped = min(seconds, self._settings.crawl_delay_cap)
        known.floor = max(self._settings.delay_seconds, capped)
        known.delay = max(known.floor, known.delay)
        # The request for robots.txt itself had only the old pause after it.
        known.free_at = (
            max(known.free_at, self._clock.now() + known.floor) if capped else known.free_at
        )
        return known.floor

    def _host(self, host: str) -> _Host:
        known = self._hosts.get(host)
        if known is None:
            delay = self._settings.delay_seconds
            known = self._hosts[host] = _Host(delay, delay)
        return known


def seconds_in(retry_after: str, today: float) -> float | None:
    """The seconds that a Retry-After asks for, in either of its forms; None if it is neither.

    >>> seconds_in("120", 0), seconds_in("Thu, 01 Jan 1970 00:01:00 GMT", 50), seconds_in("soon", 0)
    (120.0, 10.0, None)
    """
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - today)
    except (ValueError, OverflowError, OSError):
        return None
