"""One HTTP exchange over aiohttp; none of aiohttp's exceptions leaves this file."""

import asyncio
import contextlib
import ssl
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Self

import aiohttp
from yarl import URL

from datahound.errors import InternalError, UserError
from datahound.http.addresses import AddressGuard, Resolver
from datahound.http.connections import Attempt, Connector, Hold, hold_requests, trace_attempts
from datahound.http.cookies import parse_cookies
from datahound.http.failures import translate_error
from datahound.http.host_pace import Patience
from datahound.model import split_query
from datahound.settings import WebSettings
from datahound.web.messages import (
    SCHEME_HEADER,
    NoAnswer,
    Unpacked,
    clean_headers,
    content_length,
    header_size,
    unpack,
)
from datahound.web.site import is_public_suffix

CHUNK = 64 << 10
# Long enough for a crawl of one request per second, short enough to follow a site that moves.
_DNS_SECONDS = 300
_LEAST_SPEED, _SLOW_SECONDS = 100, 30.0
"""A page that brings fewer bytes per second, after these seconds, is read as far as it came."""
_TOO_SLOW = f"slower than {_LEAST_SPEED} bytes per second"
_TROUBLE = (aiohttp.ClientError, OSError, ValueError, EOFError, TimeoutError)


@dataclass(slots=True)
class WebStats:
    """Requests that the answers do not count, and the pauses that robots.txt asked for."""

    requests: int = 0
    """All of them: for fetches, for robots.txt and for bodies that were opened again."""
    robots_requests: int = 0
    crawl_delays: dict[str, tuple[float, float]] = field(default_factory=dict)
    """By host, the Crawl-delay that robots.txt asks for and the pause that is kept."""


class Received(NamedTuple):
    """The part of a payload that was received; the problem that cut it short, or ''."""

    payload: bytes
    whole: bool
    problem: str = ""
    again: bool = False
    """Whether another try may bring more."""

    def decode(self, headers: Mapping[str, str], limit: int) -> Unpacked:
        """Undo the Content-Encoding of the payload, up to a limit."""
        return unpack(self.payload, headers.get("content-encoding", ""), limit)


class Wire:
    """A pool of connections to all hosts of a crawl."""

    def __init__(
        self,
        settings: WebSettings,
        guard: AddressGuard,
        tls: ssl.SSLContext | None = None,
        on_found: Callable[[str, list[str]], None] | None = None,
        hold: Hold | None = None,
    ) -> None:
        self._settings = settings
        self._hold = hold
        self._guard = guard
        self._tls = tls
        self._cookies: aiohttp.CookieJar | None = None
        self._session: aiohttp.ClientSession | None = None
        self.received = 0
        """Bytes of all payloads received, whatever their headers announced."""
        self._timeout = aiohttp.ClientTimeout(
            connect=settings.connect_seconds, sock_read=settings.idle_seconds
        )
        self._proxy = _check_proxy(settings.proxy)
        self.resolver = Resolver(on_found)

    async def __aenter__(self) -> Self:
        settings = self._settings
        unguarded = settings.connect_to or settings.proxy
        connector = Connector(
            # No limit of aiohttp's: politeness bounds the requests of each host.
            limit=0,
            ssl=self._tls or True,
            resolver=self.resolver,
            ttl_dns_cache=_DNS_SECONDS,
            socket_factory=None if unguarded else self._guard.open_socket,
        )
        # "unsafe" takes cookies of hosts without a name, such as 127.0.0.1.
        self._cookies = aiohttp.CookieJar(unsafe=True)
        for cookie in parse_cookies(settings.cookies):
            self._cookies.update_cookies_from_headers([cookie.header], URL(cookie.url))
        self._session = aiohttp.ClientSession(
            connector=connector,
            # Its own jar would give cookies to the address of `connect_to`.
            cookie_jar=aiohttp.DummyCookieJar(),
            # Decoded in a process of its own, where a bomb does no harm.
            auto_decompress=False,
            timeout=self._timeout,
            max_line_size=settings.max_header_bytes,
            max_field_size=settings.max_header_bytes,
            read_bufsize=CHUNK,
            trace_configs=[trace_attempts()],
            request_class=hold_requests(self._hold) if self._hold else aiohttp.ClientRequest,
        )
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._session is not None:
            await self._session.close()
            # Sockets are closed by callbacks that the loop has yet to run.
            await asyncio.sleep(0)

    async def send(
        self, method: str, url: str, headers: Mapping[str, str], patience: Patience | None = None
    ) -> "Reply":
        """Send a request and wait for the headers of its answer."""
        if self._session is None or self._cookies is None:
            raise InternalError("a request was made before the connections were opened")
        where_to, query = split_query(url)
        address = URL(where_to, encoded=True)
        where, sent = self._route(address, headers)
        if cookies := self._cookies.filter_cookies(address):
            own = [sent["Cookie"]] if "Cookie" in sent else []
            named = (f"{cookie.key}={cookie.coded_value}" for cookie in cookies.values())
            sent["Cookie"] = "; ".join([*own, *named])
        patience = patience or Patience()
        attempt = Attempt(patience.limit(self._settings.headers_seconds))
        seconds = self._settings.connect_seconds + self._settings.headers_seconds
        try:
            # In all: a server that sends a byte of a header per second never idles.
            async with asyncio.timeout(seconds) as attempt.timeout:
                response = await self._request(self._session, method, where, sent, query, attempt)
        except _TROUBLE as error:
            raise patience.judge(translate_error(error)) from None
        return self._accept_response(response, url, address, patience)

    async def _request(
        self,
        session: aiohttp.ClientSession,
        method: str,
        where: URL,
        headers: dict[str, str],
        query: str,
        attempt: Attempt,
    ) -> aiohttp.ClientResponse:
        if query:
            headers["Content-Type"] = "application/json"
        return await session.request(
            method,
            where,
            headers=headers,
            data=query.encode() or None,
            # Each hop is a request that must wait for its turn, and may leave the site.
            allow_redirects=False,
            proxy=self._proxy,
            middlewares=(attempt.once,),
            trace_request_ctx=attempt,
        )

    def _route(self, address: URL, headers: Mapping[str, str]) -> tuple[URL, dict[str, str]]:
        """The URL to connect to, and headers that name the requested host and scheme."""
        sent = dict(headers)
        if self._settings.connect_to is None:
            return address, sent
        sent["Host"] = address.raw_authority.rpartition("@")[2]
        sent[SCHEME_HEADER] = address.scheme
        path = address.raw_path_qs
        return URL(f"http://{self._settings.connect_to}{path}", encoded=True), sent

    def _accept_response(
        self, response: aiohttp.ClientResponse, url: str, address: URL, patience: Patience
    ) -> "Reply":
        limit = self._settings.max_header_bytes
        # Four for ": " and the line break.
        if sum(len(name) + len(value) + 4 for name, value in response.raw_headers) > limit:
            response.close()
            raise NoAnswer("headers too large", again=False)
        if self._cookies is not None and "Set-Cookie" in response.headers:
            # A malformed cookie is dropped; the answer itself is fine.
            with contextlib.suppress(ValueError):
                host = address.raw_host or ""
                lines = [
                    line
                    for line in response.headers.getall("Set-Cookie")
                    if not _is_for_strangers(line, host)
                ]
                self._cookies.update_cookies_from_headers(lines, address)
        return Reply(url, response, self._count, self._settings.idle_seconds, patience)

    def _count(self, received: int) -> None:
        self.received += received


def _is_for_strangers(cookie: str, host: str) -> bool:
    """Whether a cookie names a public suffix as its domain, so that strangers would get it."""
    fields = (field.partition("=") for field in cookie.split(";")[1:])
    domains = [value for name, _, value in fields if name.strip().lower() == "domain"]
    domain = domains[-1].strip().strip(".").lower() if domains else host
    return domain != host and is_public_suffix(domain)


class Reply:
    """An answer whose headers were received and whose body is still to be read."""

    def __init__(
        self,
        url: str,
        response: aiohttp.ClientResponse,
        count: Callable[[int], None],
        idle_seconds: float,
        patience: Patience,
    ) -> None:
        self.url = url
        self.status = response.status
        self.headers = clean_headers(response.raw_headers)
        self._response = response
        self._peeked = bytearray()
        self._count = count
        self._idle_seconds = idle_seconds
        self._patience = patience
        self.is_whole = False
        """Whether a peek has come to the end of the payload."""

    @property
    def content_length(self) -> int | None:
        """The length that the server promises; None without a valid promise."""
        return content_length(self.headers)

    @property
    def header_size(self) -> int:
        """The bytes of the header block."""
        return header_size(self.status, self.headers)

    async def peek(self, limit: int, seconds: float) -> bytes:
        """The beginning of the payload, which is still to be read; never raises."""
        with contextlib.suppress(*_TROUBLE):
            async with asyncio.timeout(seconds):
                while len(self._peeked) < limit:
                    part = await self._response.content.readany()
                    if not part:
                        self.is_whole = True
                        break
                    self._peeked += part
                    self._count(len(part))
        return bytes(self._peeked[:limit])

    def _take_peeked(self) -> bytearray:
        peeked, self._peeked = self._peeked, bytearray()
        return peeked

    async def read(self, limit: int, seconds: float) -> Received:
        """Read the payload up to a limit of bytes and seconds; never raises."""
        payload = self._take_peeked()
        begun = time.monotonic()
        try:
            async with asyncio.timeout(seconds):
                while len(payload) <= limit:
                    part = await self._response.content.readany()
                    if not part:
                        return Received(bytes(payload), whole=True)
                    payload += part
                    self._count(len(part))
                    if len(payload) < _LEAST_SPEED * (time.monotonic() - begun - _SLOW_SECONDS):
                        return Received(bytes(payload), whole=False, problem=_TOO_SLOW)
        except _TROUBLE as error:
            trouble = self._patience.judge(translate_error(error))
            return Received(bytes(payload), False, trouble.reason, trouble.again)
        return Received(bytes(payload[:limit]), whole=False)

    async def chunks(self) -> AsyncIterator[bytes]:
        """The payload in pieces; raises `NoAnswer` if the connection breaks."""
        if self._peeked:
            yield bytes(self._take_peeked())
        while True:
            try:
                # The timeout of the socket is not enough: bytes may come that bring no body, such
                # as extensions of chunks without end.
                async with asyncio.timeout(self._idle_seconds):
                    part = await self._response.content.read(CHUNK)
            except _TROUBLE as error:
                raise translate_error(error) from None
            if not part:
                return
            self._count(len(part))
            yield part

    def release(self) -> None:
        """Keep the connection for other requests if the answer was read whole; else close it."""
        self._response.release()

    def close(self) -> None:
        """Close the connection."""
        self._response.close()


def _check_proxy(proxy: str | None) -> str | None:
    if proxy is not None and not proxy.startswith(("http://", "https://")):
        raise UserError("a proxy is given as http://host:port or https://host:port")
    return proxy
