"""Connections of aiohttp: a request is sent once, when it may be, and gets the one answer to it."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
from aiohttp.client_proto import ResponseHandler

from datahound.http.failures import translate_error

Hold = Callable[[], Awaitable[None]]
"""Returns once a request may be sent."""


class Attempt:
    """Stops aiohttp from retrying a request: retries must wait for their turn and be counted.

    A request on a kept connection that the server had closed is retried: it was never received.
    """

    def __init__(self, headers_seconds: float) -> None:
        self.reused = False
        self.timeout: asyncio.Timeout | None = None
        self._headers_seconds = headers_seconds

    def limit_headers(self) -> None:
        """Restart the timeout once the request is sent: now the server has its time to answer.

        Connecting has a timeout of its own: a failure to connect is an outage, not a late answer.
        """
        if self.timeout is not None and not self.timeout.expired():
            self.timeout.reschedule(asyncio.get_running_loop().time() + self._headers_seconds)

    async def once(
        self, request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        self.reused = False
        try:
            return await send(request)
        except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
            if self.reused:
                raise
            raise translate_error(error) from None


def trace_attempts() -> aiohttp.TraceConfig:
    """Notify an attempt when its connection is a reused one, and when its request is sent."""

    async def note_reuse(_: object, context: SimpleNamespace, __: object) -> None:
        context.trace_request_ctx.reused = True

    async def note_sent(_: object, context: SimpleNamespace, __: object) -> None:
        context.trace_request_ctx.limit_headers()

    config = aiohttp.TraceConfig()
    config.on_connection_reuseconn.append(note_reuse)
    config.on_request_headers_sent.append(note_sent)
    return config


def hold_requests(hold: Hold) -> type[aiohttp.ClientRequest]:
    """Requests that wait for `hold` when their connection is open, just before they are sent."""

    class HeldRequest(aiohttp.ClientRequest):
        async def send(self, conn: Any) -> aiohttp.ClientResponse:
            await hold()
            return await super().send(conn)

    return HeldRequest


class Connector(aiohttp.TCPConnector):
    """Makes connections that take one answer per request."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._factory = cast("partial[ResponseHandler]", partial(_OneAnswer, loop=self._loop))


class _OneAnswer(ResponseHandler):
    """Closes a connection on which more comes than the answer to its request.

    What servers send behind an answer would be the answer to the next request: a file would get the
    bytes of another one. And it would fill the memory as long as nobody asks.
    """

    _is_answered = False

    def set_response_params(self, **settings: Any) -> None:
        """A request is about to be sent."""
        self._is_answered = False
        super().set_response_params(**settings)

    def feed_data(self, data: Any, size: int = 0) -> None:
        """The head of an answer came; those of a status below 200 announce another one."""
        if self._is_answered:
            self._hang_up()
            return
        self._is_answered = data[0].code >= 200
        super().feed_data(data, size)

    def data_received(self, data: bytes) -> None:
        is_over = self._is_answered and self._payload is not None and self._payload.is_eof()
        # Some servers end a body with a line break that belongs to nothing.
        if is_over and data.strip(b"\r\n"):
            self._hang_up()
        elif not is_over:
            super().data_received(data)

    def _hang_up(self) -> None:
        self.force_close()
        if self.transport is not None:
            self.transport.close()
