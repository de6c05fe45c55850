"""Serve the dashboard on a port until a signal ends it."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from datahound.dashboard.app import make_app
from datahound.dashboard.guard import AccessRules
from datahound.dashboard.request import CRAWLS
from datahound.errors import UserError


@dataclass(frozen=True, slots=True)
class RunningDashboard:
    """A dashboard that accepts requests."""

    address: str
    token: str
    crawls: int

    @property
    def link(self) -> str:
        """The address, with the token if there is one."""
        return f"{self.address}/?token={self.token}" if self.token else f"{self.address}/"


@asynccontextmanager
async def serve_dashboard(
    roots: Sequence[Path], host: str = "127.0.0.1", port: int = 0, token: str | None = None
) -> AsyncIterator[RunningDashboard]:
    """Serve the crawls in some folders while the context lasts."""
    for root in roots:
        if not root.is_dir():
            raise UserError(f"{root}: there is no such folder")
    guard = AccessRules.create(host, token)
    app = make_app(roots, guard)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        address = await _listen(runner, host, port)
        crawls = await asyncio.to_thread(app[CRAWLS].all)
        yield RunningDashboard(address, guard.token, len(crawls))
    finally:
        await runner.cleanup()


def serve_until_stopped(
    roots: Sequence[Path],
    host: str,
    port: int,
    token: str | None,
    announce: Callable[[RunningDashboard], None],
) -> None:
    """Serve until SIGINT or SIGTERM."""

    async def until_stopped() -> None:
        stopped = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
        async with serve_dashboard(roots, host, port, token) as serving:
            announce(serving)
            await stopped.wait()

    asyncio.run(until_stopped())


async def _listen(runner: web.AppRunner, host: str, port: int) -> str:
    try:
        await web.TCPSite(runner, host, port).start()
    except (OSError, OverflowError) as error:
        raise UserError(f"can't serve at {host}:{port}: {error}") from None
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{runner.addresses[0][1]}"
