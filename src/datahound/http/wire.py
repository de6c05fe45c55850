"""One HTTP exchange over aiohttp; none of aiohttp's exceptions leaves this file."""

import asyncio
import contextlib
import re
import ssl
from collections.abc import AsyncIterator, Mapping
from types import SimpleNamespace
from typing import NamedTuple, Self

import aiohttp
from yarl import URL

from datahound.errors import InternalError, UserError
from datahound.http.addresses import NOT_PUBLIC, Guard
from datahound.http.resolver import Resolver
from datahound.http.response_headers import clean_headers
from datahound.settings import WebSettings
from datahound.web.headers import SCHEME_HEADER

CHUNK = 64 << 10
_DNS_SECONDS = 300
_TOO_MUCH = re.compile("more than|too many", re.IGNORECASE)
_TROUBLE = (aiohttp.ClientError, OSError, ValueError, EOFError, TimeoutError)


class NoAnswer(Exception):
    """A server gave no answer, or not all of it."""

    def __init__(
        self, reason: str, *, again: bool = True, reached: bool = True, asked: bool = True
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.again = again
        """Whether asking once more may help."""
        self.reached = reached
        """Whether there was a connection at all."""
        self.asked = asked
        """Whether it was tried, or a rule of ours forbade it."""


class Received(NamedTuple):
    """A payload as far as it came; the problem that cut it short, or ''."""

    payload: bytes
    whole: bool
    problem: str = ""


class Wire:
    """A pool of connections to whatever hosts a crawl needs."""

    def __init__(
        self, settings: WebSettings, guard: Guard, tls: ssl.SSLContext | None = None
    ) -> None:
        self._settings = settings
        self._guard = guard
        self._tls = tls
        self._cookies: aiohttp.CookieJar | None = None
        self._session: aiohttp.ClientSession | None = None
        self._timeout = aiohttp.ClientTimeout(
            connect=settings.connect_seconds, sock_read=settings.idle_seconds
        )
        self._proxy = _proxy_url(settings.proxy)
        self.resolver = Resolver()

    async def __aenter__(self) -> Self:
        settings = self._settings
        unguarded = settings.connect_to or settings.proxy
        connector = aiohttp.TCPConnector(
            limit=0,
            ssl=self._tls or True,
            resolver=self.resolver,
            ttl_dns_cache=_DNS_SECONDS,
            socket_factory=None if unguarded else self._guard.open_socket,
        )
        self._cookies = aiohttp.CookieJar(unsafe=True)
        self._session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            timeout=self._timeout,
            max_line_size=settings.max_header_bytes,
            max_field_size=settings.max_header_bytes,
            read_bufsize=CHUNK,
            trace_configs=[_noting_reuse()],
        )
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._session is not None:
            await self._session.close()
            # Sockets are closed by callbacks that the loop has yet to run.
            await asyncio.sleep(0)

    async def send(self, method: str, url: str, headers: Mapping[str, str]) -> "Reply":
        """Send a request and wait for the headers of its answer."""
        if self._session is None or self._cookies is None:
            raise InternalError("a request was made before the connections were opened")
        address = URL(url, encoded=True)
        where, sent = self._route(address, headers)
        if cookies := self._cookies.filter_cookies(address):
            own = [sent["Cookie"]] if "Cookie" in sent else []
            named = (f"{cookie.key}={cookie.coded_value}" for cookie in cookies.values())
            sent["Cookie"] = "; ".join([*own, *named])
        settings = self._settings
        try:
            async with asyncio.timeout(settings.connect_seconds + settings.headers_seconds):
                response = await self._request(self._session, method, where, sent)
        except _TROUBLE as error:
            raise _no_answer(error) from None
        return self._received(response, url, address)

    async def _request(
        self, session: aiohttp.ClientSession, method: str, where: URL, headers: dict[str, str]
    ) -> aiohttp.ClientResponse:
        attempt = _Attempt()
        return await session.request(
            method,
            where,
            headers=headers,
            allow_redirects=False,
            proxy=self._proxy,
            middlewares=(attempt.once,),
            trace_request_ctx=attempt,
        )

    def _route(self, address: URL, headers: Mapping[str, str]) -> tuple[URL, dict[str, str]]:
        """Where a request goes in truth, and the headers that keep its URL what it is."""
        sent = dict(headers)
        if self._settings.connect_to is None:
            return address, sent
        sent["Host"] = address.raw_authority.rpartition("@")[2]
        sent[SCHEME_HEADER] = address.scheme
        path = address.raw_path_qs
        return URL(f"http://{self._settings.connect_to}{path}", encoded=True), sent

    def _received(self, response: aiohttp.ClientResponse, url: str, address: URL) -> "Reply":
        limit = self._settings.max_header_bytes
        if sum(len(name) + len(value) + 4 for name, value in response.raw_headers) > limit:
            response.close()
            raise NoAnswer("headers too large", again=False)
        if self._cookies is not None and "Set-Cookie" in response.headers:
            # A cookie that can't be read is a cookie that is not kept.
            with contextlib.suppress(ValueError):
                lines = response.headers.getall("Set-Cookie")
                self._cookies.update_cookies_from_headers(lines, address)
        return Reply(url, response)


class Reply:
    """An answer whose headers are here and whose body may still be on its way."""

    def __init__(self, url: str, response: aiohttp.ClientResponse) -> None:
        self.url = url
        self.status = response.status
        self.headers = clean_headers(response.raw_headers)
        self._response = response

    @property
    def content_length(self) -> int | None:
        """The length that the server promises; None if it promises none."""
        said = self.headers.get("content-length", "")
        return int(said) if said.isascii() and said.isdigit() and len(said) < 19 else None

    async def read(self, limit: int, seconds: float) -> Received:
        """The payload, up to a limit and for so long; never raises."""
        payload = bytearray()
        try:
            async with asyncio.timeout(seconds):
                while len(payload) <= limit:
                    part = await self._response.content.readany()
                    if not part:
                        return Received(bytes(payload), whole=True)
                    payload += part
        except _TROUBLE as error:
            return Received(bytes(payload), whole=False, problem=_no_answer(error).reason)
        return Received(bytes(payload[:limit]), whole=False)

    async def chunks(self) -> AsyncIterator[bytes]:
        """The payload piece by piece; `NoAnswer` if it breaks off."""
        while True:
            try:
                part = await self._response.content.read(CHUNK)
            except _TROUBLE as error:
                raise _no_answer(error) from None
            if not part:
                return
            yield part

    def release(self) -> None:
        """Done: the connection is kept if all of the answer has come, and closed otherwise."""
        self._response.release()

    def close(self) -> None:
        """Hang up."""
        self._response.close()


class HeldReply:
    """A body that was read already, to be taken like one that is on its way."""

    def __init__(self, reply: Reply, came: Received) -> None:
        self.status = reply.status
        self.headers = reply.headers
        self._came = came

    async def chunks(self) -> AsyncIterator[bytes]:
        """All that came; `NoAnswer` if that was not all there is."""
        yield self._came.payload
        if not self._came.whole:
            raise NoAnswer(self._came.problem or "cut short")

    def close(self) -> None:
        """There is nothing to hang up."""


class _Attempt:
    """Keeps aiohttp from repeating a request on its own: every one is waited for and counted.

    But for one on a kept connection that turns out to be closed: the server never saw that.
    """

    def __init__(self) -> None:
        self.reused = False

    async def once(
        self, request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        self.reused = False
        try:
            return await send(request)
        except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
            if self.reused:
                raise
            raise _no_answer(error) from None


def _noting_reuse() -> aiohttp.TraceConfig:
    """Tells each attempt when it gets a connection that was used before."""

    async def note(_: object, context: SimpleNamespace, __: object) -> None:
        context.trace_request_ctx.reused = True

    config = aiohttp.TraceConfig()
    config.on_connection_reuseconn.append(note)
    return config


def _proxy_url(proxy: str | None) -> str | None:
    if proxy is not None and not proxy.startswith(("http://", "https://")):
        raise UserError("a proxy is given as http://host:port or https://host:port")
    return proxy


def _no_answer(error: Exception) -> NoAnswer:
    """What a foreign exception means, in words for people."""
    match error:
        case aiohttp.ClientConnectorCertificateError():
            return NoAnswer(f"certificate: {_certificate(error)}", again=False)
        case aiohttp.ClientSSLError():
            return NoAnswer(f"TLS: {_words(error)}", again=False)
        case aiohttp.ClientConnectorDNSError():
            return NoAnswer("host not found", reached=False)
        case aiohttp.ClientConnectorError() if NOT_PUBLIC in str(error.os_error):
            return NoAnswer(NOT_PUBLIC, again=False, asked=False)
        case aiohttp.ClientConnectorError():
            return NoAnswer(f"can't connect: {error.os_error.strerror or 'refused'}", reached=False)
        case aiohttp.ConnectionTimeoutError():
            return NoAnswer("timed out while connecting", reached=False)
        case TimeoutError():
            return NoAnswer("timed out")
        case aiohttp.ServerDisconnectedError() | aiohttp.ClientOSError() | OSError():
            return NoAnswer("connection lost")
        case aiohttp.ClientPayloadError():
            return NoAnswer("body cut short or garbled")
        case aiohttp.ClientHttpProxyError():
            return NoAnswer(f"the proxy says {error.status}", reached=False)
        case aiohttp.ClientResponseError() if _TOO_MUCH.search(str(error)):
            return NoAnswer("headers too large", again=False)
        case aiohttp.ClientResponseError():
            return NoAnswer(f"not HTTP: {_words(error)}", again=False)
        case _:
            return NoAnswer(f"no answer: {_words(error)}", again=False)


def _certificate(error: aiohttp.ClientConnectorCertificateError) -> str:
    inner = error.certificate_error
    return str(getattr(inner, "verify_message", "") or inner)


def _words(error: Exception) -> str:
    text = getattr(error, "message", "") or str(error) or type(error).__name__
    # The bytes that were found wrong are of no use to people, and differ each time.
    return " ".join(str(text).partition(": b'")[0].partition("\n")[0].split())[:100].rstrip(":")
