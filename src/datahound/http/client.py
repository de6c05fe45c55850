"""The HTTP client of a crawl: fetches in, answers out."""

import math
import random
import ssl
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Self

from datahound.http.adaptive_limit import LimitChange
from datahound.http.addresses import AddressGuard, is_private_seed
from datahound.http.bodies import Bodies, BodyKeeper, HeldReply, drop_unused_body
from datahound.http.host_pace import HostPace
from datahound.http.politeness import Clock, HostClocks, Outage, Politeness, Turn, Waiting
from datahound.http.request_headers import Identity, check_connect_to
from datahound.http.robots import MAX_ROBOTS_BYTES, Robots, RobotsFile, Verdict
from datahound.http.wire import Received, Reply, WebStats, Wire
from datahound.model import (
    Answer,
    Failure,
    Fetch,
    Kind,
    Postponed,
    Purpose,
    Response,
    Skip,
    split_query,
)
from datahound.readers import may_have_links
from datahound.readers.job import BodyReader, InlineReader, ReadingJob
from datahound.settings import PageSettings, WebSettings
from datahound.web.messages import NoAnswer
from datahound.web.targets import ACCEPTED, drop_body, find_wanted, is_shown, kind_of
from datahound.web.urls import host_of, origin_and_path

_BUSY = frozenset({429, 503})
_REFUSALS = {Verdict.FORBIDDEN: Skip.ROBOTS, Verdict.UNKNOWN: Skip.ROBOTS_UNAVAILABLE}
_TRANSIENT = frozenset({408, 425, 429, 502, 503, 504})
"""Statuses worth a retry. Not 500: it mostly stays, and a replay has it once."""


class _Resting(Exception):
    """The host rests for longer than the request may wait."""


class Web:
    """Answers fetches over HTTP, within the limits of politeness and robots.txt.

    A failure of one URL is an answer, never an exception. `Unreachable` is raised when a host that
    used to answer stays out of reach, and errors of a full disk pass through: the fetch then has
    no answer, and the crawl can be resumed.
    """

    def __init__(
        self,
        site_seed: str,
        settings: WebSettings,
        downloads: BodyKeeper | None = None,
        on_wait: Callable[[Waiting], None] | None = None,
        *,
        on_change: Callable[[LimitChange], None] | None = None,
        clock: Clock | None = None,
        clocks: HostClocks | None = None,
        rng: random.Random | None = None,
        tls: ssl.SSLContext | None = None,
        reader: BodyReader | None = None,
        pages: PageSettings | None = None,
        conditions: Callable[[str], Mapping[str, str]] | None = None,
    ) -> None:
        check_connect_to(settings.connect_to)
        self.stats = WebStats()
        self._seed = site_seed
        self._settings = settings
        self._wanted = find_wanted(settings.targets)
        self._downloads = downloads
        self._reader = reader or InlineReader()
        self._conditions = conditions
        self._bodies = Bodies(self._reader, pages or PageSettings(), settings)
        self._clock = clock = clock or Clock()
        self._random = rng or random.Random()
        self._identity = Identity(site_seed, settings)
        self._politeness = Politeness(settings, self._clock, on_wait, on_change, clocks)
        self._guard = AddressGuard(allow_private=bool(settings.allow_private))
        self._wire = Wire(settings, self._guard, tls, self._politeness.note_addresses, clock.hold)
        agent = self._identity.user_agent
        self._robots = Robots(settings, agent, self._get_robots, clock.now, self._heed_crawl_delay)
        # By origin: a link to a closed port of a host that answers is a failure, not an outage.
        self._answered: set[str] = set()
        self._outages: dict[str, Outage] = {}
        # Requests that were made for a URL before it was postponed: its answer will count them.
        self._owed: dict[str, int] = {}
        if downloads is not None:
            downloads.attach(self.reopen)

    async def __aenter__(self) -> Self:
        if self._settings.allow_private is None:
            self._guard.allow_private = await is_private_seed(
                self._seed, self._settings, self._wire.resolver
            )
        await self._wire.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._wire.__aexit__(*error)

    def keeps_headers_from(self, url: str) -> bool:
        """Whether the user gave headers, and a request for this URL would not have them."""
        return self._identity.has_own and not self._identity.is_trusted(url)

    @property
    def bytes_received(self) -> int:
        """Bytes of all payloads received, whatever their headers announced."""
        return self._wire.received

    @property
    def paces(self) -> dict[str, Waiting]:
        """By host, its pause between requests; with a reason, the rest that it asked for."""
        return self._politeness.paces()

    @property
    def measured_paces(self) -> dict[str, HostPace]:
        """By host, how fast it is asked and what sets that pace."""
        return self._politeness.measured_paces()

    @property
    def limit_changes(self) -> dict[str, LimitChange]:
        """By host whose concurrency fell or recovered, the last change of it."""
        return self._politeness.changes

    def recall(self, origins: Iterable[str]) -> None:
        """Note origins that answered in an earlier process: their outages are waited out."""
        self._answered.update(origins)

    async def get(self, fetch: Fetch) -> Answer:
        """Answer a fetch; redirects are not followed."""
        url = fetch.url
        if refusal := self._refusal(url):
            return Failure(url, refusal.value, requests=0, refusal=refusal)
        return await self._ask(fetch)

    async def reopen(self, url: str, start: int, validator: str) -> Reply:
        """Open the body of a target again, from a byte on if the validator still holds."""
        if refusal := self._refusal(url):
            raise NoAnswer(refusal.value, again=False)
        # robots.txt may have changed since the download began.
        verdict = await self._permission(url, patient=True)
        if verdict is not Verdict.ALLOWED:
            raise NoAnswer(verdict.value, again=False)
        fetch = Fetch(url, Purpose.COLLECT)
        is_range = start and fetch.method == "GET"  # what a query yields is asked for as a whole
        more = {"Range": f"bytes={start}-", "If-Range": validator} if is_range else {}
        reply, turn = await self._send(fetch.method, url, fetch.purpose, more)
        turn.end()
        if reply.status not in (200, 206, 416):
            reply.release()
            raise NoAnswer(f"status {reply.status}", again=reply.status in _TRANSIENT)
        return reply

    def _refusal(self, url: str) -> Skip | None:
        """The rule that forbids a request for this URL, or None."""
        if len(split_query(url)[0]) > self._settings.max_url_length:
            return Skip.TOO_LONG
        return Skip.NOT_PUBLIC if self._guard.refuses(url) else None

    async def _permission(self, url: str, *, patient: bool) -> Verdict:
        """The robots.txt verdict; a patient fetch retries until robots.txt can be read."""
        if self._settings.ignore_robots:
            return Verdict.ALLOWED
        verdict = await self._robots.verdict(url)
        while patient and verdict is Verdict.UNKNOWN:
            pause = self._robots.pause_of(url)
            if pause is None:
                break
            await self._politeness.wait(host_of(url), pause, Verdict.UNKNOWN.value)
            verdict = await self._robots.verdict(url)
        return verdict

    async def _check_robots(self, fetch: Fetch) -> Failure | Postponed | None:
        """The answer to a fetch that robots.txt does not allow, or not yet; None if it does."""
        verdict = await self._permission(fetch.url, patient=fetch.patient)
        if verdict is Verdict.ALLOWED:
            return None
        if verdict is Verdict.UNKNOWN and not fetch.patient:
            return Postponed(fetch.url)
        return Failure(fetch.url, verdict.value, requests=0, refusal=_REFUSALS[verdict])

    async def _ask(self, fetch: Fetch) -> Answer:
        """Retry until there is an answer or no retry is left; the answer counts all requests."""
        url, host = fetch.url, host_of(fetch.url)
        asked = self._owed.pop(url, 0)
        retries = 0
        while fetch.patient or self._politeness.rest_of(host) <= self._settings.long_rest_seconds:
            answer, again = await self._try(fetch)
            if isinstance(answer, Postponed):
                break
            asked += answer.requests
            is_busy = isinstance(answer, Response) and answer.status in _BUSY
            may_postpone = is_busy and not fetch.patient  # other hosts can go first
            if not again or (retries == self._settings.max_retries and not may_postpone):
                return replace(answer, requests=asked)
            if retries == self._settings.max_retries:
                break
            # The host rests, not this request alone: others would meet the same trouble.
            self._politeness.rest(host, self._backoff(retries), "retry")
            retries += 1
        if asked:
            self._owed[url] = self._owed.get(url, 0) + asked
        return Postponed(url)

    def _backoff(self, retries: int) -> float:
        return float(2**retries) * self._settings.retry_seconds * self._random.uniform(0.5, 1.5)

    async def _try(self, fetch: Fetch) -> tuple[Answer, bool]:
        """One request; its answer, and whether another try may give a better one."""
        try:
            if (refused := await self._check_robots(fetch)) is not None:
                return refused, False
            longest_rest = math.inf if fetch.patient else self._settings.long_rest_seconds
            conditions = self._conditions if fetch.purpose is Purpose.CHECK else None
            more = conditions(fetch.url) if conditions else None
            reply, turn = await self._send(
                fetch.method, fetch.url, fetch.purpose, more, longest_rest=longest_rest
            )
        except _Resting:
            return Postponed(fetch.url), False
        except NoAnswer as trouble:
            # The lookup of the host name returned a private address.
            private = None if trouble.asked else Skip.NOT_PUBLIC
            failure = Failure(fetch.url, trouble.reason, 0, int(trouble.asked), private)
            return failure, trouble.again
        try:
            # A refusal is often quicker than an answer, and would pass for a fast host.
            if reply.status not in _BUSY:
                turn.measure()
            return await self._respond(fetch, reply, turn)
        except BaseException:
            reply.close()
            raise
        finally:
            turn.end()

    async def _respond(
        self, fetch: Fetch, reply: Reply, turn: Turn
    ) -> tuple[Response | Failure, bool]:
        url, status, headers = fetch.url, reply.status, reply.headers
        # At the end of a crawl there is time to wait for a file that is being made.
        again = status in _TRANSIENT or (status == ACCEPTED and fetch.again)
        if fetch.purpose is Purpose.PROBE:
            reply.release()
            return Response(url, status, headers, b"", reply.header_size), again
        response = Response(url, status, headers, b"", reply.content_length or 0)
        if fetch.purpose is Purpose.LIST:
            answer, broke_off = await self._read_page(response, reply, is_list=True)
            return answer, broke_off or again
        response = replace(response, sitemaps=self._robots.sitemaps_of(url))
        if self._wanted.needs_bytes(response, fetch.hint):
            response = replace(response, body=await self._bodies.peek(response, reply))
        kind = kind_of(response, self._wanted, fetch.hint)
        response = drop_body(response, self._wanted, fetch.hint)
        if kind is Kind.TARGET:
            turn.end()  # the body may wait for downloads that need a turn on this host
        if kind is not Kind.PAGE:
            response, is_here = await self._bodies.measure(response, reply)
        if kind is Kind.PAGE or (kind is Kind.OTHER and is_here and may_have_links(response)):
            answer, broke_off = await self._read_page(response, reply, None if fetch.hint else turn)
            return drop_unused_body(answer, self._wanted, fetch.hint), broke_off or again
        if kind is Kind.TARGET:
            if is_here and may_have_links(response):
                read = await self._read_target(response, reply)
                return drop_unused_body(read, self._wanted, fetch.hint), False
            await self._hand_over(url, reply)
            return response, False
        reply.release()
        return replace(response, truncated=bool(response.size or response.body)), again

    async def _read_target(self, response: Response, reply: Reply) -> Response:
        """Read a target that may have links into memory, and keep it as a file, too."""
        limit = self._settings.max_page_bytes
        came = await reply.read(limit, self._settings.page_seconds)
        reply.release()
        await self._keep(response.url, reply, came)
        read = await self._bodies.read(response, came)
        size = max(response.size, len(came.payload))
        return read.add_to(response, size, whole=came.whole)

    async def _read_page(
        self, response: Response, reply: Reply, turn: Turn | None = None, *, is_list: bool = False
    ) -> tuple[Response | Failure, bool]:
        """Read the body of a page; also whether it broke off, so that a retry may bring more.

        Part of a page is better than none; redirects and errors need no body.
        """
        came = await reply.read(
            self._bodies.limit_for(is_list=is_list), self._settings.page_seconds
        )
        reply.release()
        read = await self._bodies.read(response, came, is_list=is_list)
        found, size = is_shown(response.status, response.headers), len(came.payload)
        broke_off = found and came.again
        reason = came.problem or read.problem
        if reason and not read.body and found and not read.unreadable:
            return Failure(response.url, reason, size), broke_off
        answer = read.add_to(response, size, whole=came.whole)
        # A file may be announced as a page, and its URL have no extension: only its bytes show it.
        if turn is not None and kind_of(answer, self._wanted) is Kind.TARGET:
            turn.end()
            await self._keep(response.url, reply, came)
        return answer, broke_off

    async def _keep(self, url: str, reply: Reply, came: Received) -> None:
        """Keep a file whose body was read into memory."""
        if self._downloads is not None:
            await self._downloads.take(url, reply.headers, HeldReply(reply, came))

    async def _hand_over(self, url: str, reply: Reply) -> None:
        if self._downloads is None:
            reply.release()
        else:
            await self._downloads.take(url, reply.headers, reply)

    async def _get_robots(self, url: str) -> RobotsFile:
        if self._refusal(url):
            return RobotsFile(404)
        self.stats.robots_requests += 1
        try:
            reply, turn = await self._send("GET", url, None)
        except NoAnswer as trouble:
            if not trouble.connected:
                raise  # the fetch itself then fails for the same reason
            return RobotsFile(0)
        try:
            came = await reply.read(MAX_ROBOTS_BYTES, self._settings.page_seconds)
        finally:
            reply.release()
            turn.end()
        job = ReadingJob(url, reply.headers, came.payload, MAX_ROBOTS_BYTES)
        packed = bool(reply.headers.get("content-encoding"))
        body = (await self._reader.read(job)).body if packed else came.payload
        status = 0 if came.problem and 200 <= reply.status < 300 else reply.status
        return RobotsFile(status, body, reply.headers.get("location", ""))

    def _heed_crawl_delay(self, host: str, seconds: float) -> None:
        kept = self._politeness.set_crawl_delay(host, seconds)
        self.stats.crawl_delays[host] = (seconds, kept)

    async def _send(
        self,
        method: str,
        url: str,
        purpose: Purpose | None,
        more: Mapping[str, str] | None = None,
        longest_rest: float = math.inf,
    ) -> tuple[Reply, Turn]:
        """Send a request in its host's turn; waits for the end of an outage.

        The caller must end the turn. Raises `_Resting` if the host rests too long.
        """
        host, origin = host_of(url), origin_and_path(url)[0]
        while True:
            headers = {**self._identity.headers_for(url, purpose), **(more or {})}
            turn = await self._politeness.turn(host, longest_rest)
            if turn is None:
                raise _Resting
            self.stats.requests += 1
            try:
                reply = await self._wire.send(method, url, headers, turn.patience)
            except NoAnswer as trouble:
                turn.end()
                self._wait_out(origin, trouble, turn)
            except BaseException:
                turn.end()
                raise
            else:
                self._answered.add(origin)
                self._end_outage(origin)
                # The host asks for signatures: the same request again, signed.
                if self._identity.will_sign(url, reply.status, reply.headers):
                    reply.release()
                    turn.end()
                    continue
                turn.answer(reply.status, reply.headers.get("retry-after"))
                return reply, turn

    def _wait_out(self, origin: str, trouble: NoAnswer, turn: Turn) -> None:
        """Close a host in an outage for a pause; re-raises any other trouble."""
        # A host that never answered does not count as an outage: the URL fails.
        if trouble.reached or origin not in self._answered:
            self._end_outage(origin)
            raise trouble
        host = host_of(origin + "/")
        if origin not in self._outages:
            self._outages[origin] = Outage(host, self._clock.now, self._settings)
        pause = self._outages[origin].choose_pause(trouble.reason, turn.begun)
        if pause is not None:
            self._politeness.shut(host, pause)

    def _end_outage(self, origin: str) -> None:
        if self._outages.pop(origin, None) is not None:
            self._politeness.reopen(host_of(origin + "/"))
