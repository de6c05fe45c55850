"""What robots.txt allows, by RFC 9309."""

import asyncio
import re
import zlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeVar

from protego import Protego

from datahound.model import split_query
from datahound.readers import find_sitemaps
from datahound.settings import WebSettings
from datahound.web.messages import is_redirect
from datahound.web.urls import host_of, join, origin_and_path

T = TypeVar("T")

# RFC 9309, 2.5: a crawler parses at least 500 KiB; what is beyond may be ignored.
MAX_ROBOTS_BYTES = 500_000
# RFC 9309, 2.3.1.2: at least five consecutive redirects are followed.
_MAX_REDIRECTS = 5
_MAX_TRIES = 3
_MAX_PAUSE_SECONDS = 3600.0
_TOO_MANY = 429
_MAX_PARSED_BYTES = 4 << 20
"""Text of the robots.txt whose parsed rules are kept."""
_MAX_PACKED_BYTES = 32 << 20
_MAX_ORIGINS = 100_000
_LARGE_BYTES = 16 << 10
"""Rules of a larger text are parsed and looked through in a thread, beside the event loop."""
_MANY_AGENTS = 50
# RFC 9309, 2.2.1: a product token has only these characters.
_PRODUCT = re.compile(r"[A-Za-z_-]+")
_AGENT_LINE = re.compile(r"\s*+user(?:-|\s++)?agent(?:\s*+:|\s)([^#]*)", re.IGNORECASE)


class Verdict(Enum):
    """Whether a URL may be fetched."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden by robots.txt"
    UNKNOWN = "robots.txt unavailable"


class RobotsFile(NamedTuple):
    """What a server answered when it was asked for its robots.txt; status 0 for no answer."""

    status: int
    body: bytes = b""
    location: str = ""


@dataclass(slots=True)
class _Rules:
    """What is known of one origin's robots.txt; without a text, everything is allowed."""

    packed: bytes = b""
    """The text, compressed: parsed rules take up to twenty times as much memory as the text."""
    size: int = 0
    known: bool = False
    ask_at: float = 0.0
    tries: int = 0
    sitemaps_given: bool = False


@dataclass(slots=True)
class _Asking:
    """A request for a robots.txt, and how many wait for it."""

    task: "asyncio.Task[_Rules]"
    waiting: int = 0


class Robots:
    """Asks each origin for its robots.txt when it is first needed, and then once a day."""

    def __init__(
        self,
        settings: WebSettings,
        user_agent: str,
        fetch: Callable[[str], Awaitable[RobotsFile]],
        now: Callable[[], float],
        on_crawl_delay: Callable[[str, float], None],
    ) -> None:
        found = _PRODUCT.match(user_agent)
        self._agent = found[0] if found else user_agent
        self._settings = settings
        self._fetch = fetch
        self._now = now
        self._on_crawl_delay = on_crawl_delay
        self._rules: dict[str, _Rules] = {}
        self._packed_bytes = 0
        self._parsed: OrderedDict[str, tuple[Protego, int]] = OrderedDict()
        self._parsed_bytes = 0
        self._asking: dict[str, _Asking] = {}

    async def verdict(self, url: str) -> Verdict:
        """Whether the URL may be fetched; unknown while its robots.txt can't be fetched."""
        origin = origin_and_path(url)[0]
        rules = self._rules.get(origin)
        if rules is None or self._now() >= rules.ask_at:
            rules = await self._share(origin)
        if not rules.known:
            return Verdict.UNKNOWN
        allows = await self._allows(origin, rules, split_query(url)[0])
        return Verdict.ALLOWED if allows else Verdict.FORBIDDEN

    def pause_of(self, url: str) -> float | None:
        """Seconds until an unavailable robots.txt is requested again; None after the last try."""
        rules = self._rules.get(origin_and_path(url)[0])
        if rules is None:
            return 0.0
        return None if rules.tries >= _MAX_TRIES else max(0.0, rules.ask_at - self._now())

    def sitemaps_of(self, url: str) -> tuple[str, ...]:
        """The sitemaps that the robots.txt of a URL's origin names, the first time."""
        origin = origin_and_path(url)[0]
        rules = self._rules.get(origin)
        if rules is None or not rules.known or rules.sitemaps_given:
            return ()
        rules.sitemaps_given = True
        if not rules.packed:
            return ()
        text = zlib.decompress(rules.packed).decode("utf-8-sig", "replace")
        return find_sitemaps(f"{origin}/robots.txt", text)

    async def _share(self, origin: str) -> _Rules:
        """Request a robots.txt once for all fetches that wait, even if some are cancelled."""
        asking = self._asking.get(origin)
        if asking is None:
            asking = self._asking[origin] = _Asking(asyncio.create_task(self._ask(origin)))
        asking.waiting += 1
        try:
            # Shielded: a fetch that is cancelled must not take the robots.txt from those that wait
            # with it.
            return await asyncio.shield(asking.task)
        finally:
            asking.waiting -= 1
            if not asking.waiting or asking.task.done():
                asking.task.cancel()
                if self._asking.get(origin) is asking:
                    del self._asking[origin]

    async def _ask(self, origin: str) -> _Rules:
        rules = self._rules.setdefault(origin, _Rules())
        answer = await self._follow(f"{origin}/robots.txt")
        if _is_unavailable(answer.status):
            self._retry_later(rules)
        else:
            self._take(origin, rules, answer)
            await self._report_delay(origin, rules)
        return rules

    async def _follow(self, url: str) -> RobotsFile:
        for _ in range(_MAX_REDIRECTS + 1):
            answer = await self._fetch(url)
            if not is_redirect(answer.status):
                return answer
            destination = join(url, answer.location)
            if destination is None:
                break
            url = destination
        # Too many redirects count as unavailable (4xx): everything is allowed, by RFC 9309,
        # 2.3.1.3.
        return RobotsFile(404)

    def _retry_later(self, rules: _Rules) -> None:
        """Schedule the next try; rules from an earlier answer still apply until then."""
        pause = self._settings.robots_retry_seconds * 2**rules.tries
        rules.tries = rules.tries + 1 if rules.tries < _MAX_TRIES else 1
        if rules.tries == _MAX_TRIES:
            pause = max(pause, min(_MAX_PAUSE_SECONDS, self._settings.robots_retry_seconds * 60))
        rules.ask_at = self._now() + min(pause, _MAX_PAUSE_SECONDS)

    def _take(self, origin: str, rules: _Rules, answer: RobotsFile) -> None:
        # By RFC 9309, a status of 4xx means no rules.
        body = answer.body[:MAX_ROBOTS_BYTES] if 200 <= answer.status < 300 else b""
        self._packed_bytes -= len(rules.packed)
        rules.packed, rules.size = zlib.compress(body) if body else b"", len(body)
        self._packed_bytes += len(rules.packed)
        self._drop_parsed(origin)
        self._forget_oldest(origin)
        rules.known, rules.tries = True, 0
        rules.ask_at = self._now() + self._settings.robots_cache_seconds

    async def _report_delay(self, origin: str, rules: _Rules) -> None:
        file = await self._parse(origin, rules)
        delay = file.crawl_delay(self._agent) if file is not None else None
        if delay is not None and delay > 0:
            self._on_crawl_delay(host_of(origin + "/"), float(delay))

    async def _allows(self, origin: str, rules: _Rules, url: str) -> bool:
        file = await self._parse(origin, rules)
        if file is None:
            return True
        return await _run(file.can_fetch, url, self._agent, size=rules.size)

    async def _parse(self, origin: str, rules: _Rules) -> Protego | None:
        """The parsed rules, of which those used last are kept."""
        if not rules.packed:
            return None
        if origin in self._parsed:
            self._parsed.move_to_end(origin)
            return self._parsed[origin][0]
        text, size = zlib.decompress(rules.packed), rules.size
        file = await _run(parse_robots, text, self._agent, size=size)
        self._drop_parsed(origin)
        self._parsed[origin] = file, size
        self._parsed_bytes += size
        while self._parsed_bytes > _MAX_PARSED_BYTES and len(self._parsed) > 1:
            self._drop_parsed(next(iter(self._parsed)))
        return file

    def _drop_parsed(self, origin: str) -> None:
        if origin in self._parsed:
            self._parsed_bytes -= self._parsed.pop(origin)[1]

    def _forget_oldest(self, newest: str) -> None:
        """Keep all texts within a bound; a robots.txt that is forgotten is requested again."""
        for origin in list(self._rules):
            if self._packed_bytes <= _MAX_PACKED_BYTES and len(self._rules) <= _MAX_ORIGINS:
                return
            if origin != newest and origin not in self._asking:
                self._packed_bytes -= len(self._rules.pop(origin).packed)
                self._drop_parsed(origin)


async def _run(work: Callable[..., T], *arguments: object, size: int) -> T:
    """Do work on the rules of a text of this size, in a thread if it may take a while."""
    if size > _LARGE_BYTES:
        return await asyncio.to_thread(work, *arguments)
    return work(*arguments)


def parse_robots(body: bytes, agent: str) -> Protego:
    """Parse the rules for an agent; lines that are not rules are ignored."""
    text = body[:MAX_ROBOTS_BYTES].decode("utf-8-sig", "replace")
    return Protego.parse(_join_other_agents(text, agent.lower()))


def _join_other_agents(text: str, agent: str) -> str:
    """The text with one name for all other agents.

    The parser keeps every rule for each agent that is named above it, so that the rules of a large
    text would be as many as its lines squared.
    """
    lines = text.splitlines()
    found = [(at, match[1]) for at, line in enumerate(lines) if (match := _AGENT_LINE.match(line))]
    if len(found) < _MANY_AGENTS:
        return text
    for at, named in found:
        name = named.replace("*", "").strip().lower()
        # The rules for a name also hold for agents whose name begins with it.
        if name and not agent.startswith(name):
            lines[at] = "User-agent: other/agent"
    return "\n".join(lines)


def _is_unavailable(status: int) -> bool:
    # Unreachable (RFC 9309, 2.3.1.4) means that nothing may be fetched. 429 says nothing about
    # rules, though it is a 4xx.
    return status < 200 or status >= 500 or status == _TOO_MANY
