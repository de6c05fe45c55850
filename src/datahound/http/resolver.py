"""Looking up names without ever being held up by it."""

import asyncio
import socket
import threading
from contextlib import suppress
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

_NUMERIC = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV


class Resolver(AbstractResolver):
    """Asks the system in a thread of its own: one that hangs does not keep the process alive."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[Any]] = loop.create_future()

        def ask() -> None:
            result: list[Any] | OSError
            try:
                result = socket.getaddrinfo(host, port, family, socket.SOCK_STREAM)
            except OSError as error:
                result = error
            except UnicodeError as error:
                result = OSError(str(error))
            # The loop may be gone by the time that the system gives up.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_settle, answer, result)

        threading.Thread(target=ask, name="resolver", daemon=True).start()
        return [_result(host, port, info) for info in await answer]

    async def close(self) -> None:
        """Nothing to give back."""


def _settle(answer: "asyncio.Future[list[Any]]", result: list[Any] | OSError) -> None:
    if answer.done():
        return
    if isinstance(result, OSError):
        answer.set_exception(result)
    else:
        answer.set_result(result)


def _result(host: str, port: int, info: tuple[Any, ...]) -> ResolveResult:
    family, _, protocol, _, where = info
    return ResolveResult(
        hostname=host, host=where[0], port=port, family=family, proto=protocol, flags=_NUMERIC
    )
