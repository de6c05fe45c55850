"""Websites to test with: written as a dict, answering from memory or over loopback HTTP.

    site = Website({"/": page("a.csv"), "/a.csv": data(b"1,2"), "/bad": manners.drop})

A path's value is a `Response`, or a bad manner: a coroutine that does as it likes with the
connection. Keys may begin with a host (`"data.site.example/x.csv"`).
"""

import asyncio
import contextlib
import selectors
import threading
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

from datahound.archive import MemoryArchive, Recorded
from datahound.http.politeness import Clock
from datahound.model import Fetch, Response, Unfinished

SEED = "http://www.site.example/"
HOST = "www.site.example"


@dataclass
class Exchange:
    """A request that was read, and the connection to answer it on."""

    method: str
    host: str
    path: str
    headers: dict[str, str]
    times: int
    """How often this path has been asked for, this time included."""
    writer: asyncio.StreamWriter
    reader: asyncio.StreamReader

    async def send(self, *parts: bytes | str) -> None:
        for part in parts:
            self.writer.write(part.encode("latin-1") if isinstance(part, str) else part)
            await self.writer.drain()

    async def hang(self) -> None:
        """Say nothing more, until the client hangs up."""
        while await self.reader.read(1 << 16):
            pass

    def reset(self) -> None:
        """Hang up without good-bye (RST)."""
        import socket
        import struct

        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


Manner = Callable[[Exchange], Awaitable[None]]


def page(*links: str, text: str = "") -> Response:
    """A page that links to these."""
    items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    body = f"<!doctype html><title>A page</title><p>{text}</p><ul>{items}</ul>".encode()
    return _response(200, "text/html; charset=utf-8", body)


def data(body: bytes, mime_type: str = "text/csv", **headers: str) -> Response:
    """A file."""
    more = {name.replace("_", "-"): value for name, value in headers.items()}
    return _response(200, mime_type, body, more)


def redirect(location: str, status: int = 302) -> Response:
    return _response(status, "text/html", b"<p>moved", {"location": location})


def error(status: int, **headers: str) -> Response:
    more = {name.replace("_", "-"): value for name, value in headers.items()}
    return _response(status, "text/html", b"<p>sorry", more)


def _response(status, mime_type, body, more=None):
    headers = {"content-type": mime_type, "content-length": str(len(body)), **(more or {})}
    return Response("", status, headers, body, len(body))


@dataclass
class Website:
    """A site, and who asked for what."""

    paths: dict[str, Response | Manner]
    seed: str = SEED
    asked: list[Exchange] = field(default_factory=list)
    _times: Counter[tuple[str, str]] = field(default_factory=Counter)

    def archive(self) -> MemoryArchive:
        """The well-behaved part of the site, from memory."""
        good = ((p, a) for p, a in self.paths.items() if isinstance(a, Response))
        return MemoryArchive(self.seed, [self._recorded(path, answer) for path, answer in good])

    @contextlib.asynccontextmanager
    async def served(self, tls=None) -> AsyncIterator[str]:
        """The site on loopback; gives `host:port`."""
        server = await asyncio.start_server(self._talk, "127.0.0.1", 0, ssl=tls, limit=1 << 20)
        try:
            yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        finally:
            server.close()
            for writer in list(self._writers):
                writer.transport.abort()
            while self._writers:
                await asyncio.sleep(0.01)

    @property
    def open_connections(self) -> int:
        return len(self._writers)

    def requests(self, path: str) -> list[Exchange]:
        return [exchange for exchange in self.asked if exchange.path == path]

    def __post_init__(self):
        self._writers: set[asyncio.StreamWriter] = set()
        self.tasks: set[asyncio.Task] = set()

    def _recorded(self, path, answer):
        url = self.seed.rstrip("/") + path if path.startswith("/") else f"http://{path}"
        return Recorded(
            Fetch(url), Response(url, answer.status, answer.headers, answer.body, answer.size)
        )

    async def _talk(self, reader, writer):
        self._writers.add(writer)
        self.tasks.add(asyncio.current_task())
        try:
            while await self._answer(reader, writer):
                pass
        except (OSError, EOFError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
            self._writers.discard(writer)

    async def _answer(self, reader, writer) -> bool:
        """Answer one request; whether the connection goes on."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.rstrip().split("\r\n")
        method, path, _ = first.split(" ")
        headers = {n.lower(): v for n, _, v in (line.partition(": ") for line in lines)}
        host = headers.get("host", "")
        self._times[host, path] += 1
        exchange = Exchange(method, host, path, headers, self._times[host, path], writer, reader)
        self.asked.append(exchange)
        answer = self.paths.get(f"{host}{path}", self.paths.get(path, error(404)))
        if not isinstance(answer, Response):
            await answer(exchange)
            return False
        await send_response(exchange, answer)
        return True


async def send_response(exchange: Exchange, answer: Response) -> None:
    """Answer as a good server does."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in answer.headers.items())
    body = b"" if exchange.method == "HEAD" else answer.body
    await exchange.send(f"HTTP/1.1 {answer.status} OK\r\n{lines}\r\n", body)


class PretendTime:
    """A clock that waits for nobody: who sleeps wakes up at once, and it is later."""

    def __init__(self):
        self.now = 1000.0
        self.slept = []

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.now, self._sleep, lambda: self.now)

    async def _sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


class _Skipping(selectors.SelectSelector):
    """Where a loop would wait for its next timer, it is later at once."""

    now = 1000.0

    def select(self, timeout=None):
        if timeout is None:
            raise RuntimeError("everybody waits for somebody else")
        self.now += max(0.0, timeout)
        return super().select(0)


def skipping_time(main):
    """Run `main(clock)` in a loop whose timers need no time, in their order; without sockets."""
    selector = _Skipping()

    def make_loop():
        loop = asyncio.SelectorEventLoop(selector)
        loop.time = lambda: selector.now
        return loop

    with asyncio.Runner(loop_factory=make_loop) as runner:
        return runner.run(main(Clock(lambda: selector.now, today=lambda: selector.now)))


class MemoryLedger:
    """What became of every body, in memory."""

    def __init__(self):
        self.files = {}
        self.failures = []
        self.parts = {}

    def started(self, url, part):
        self.parts[url] = part

    def finished(self, record):
        self.parts.pop(record.url, None)
        self.files[record.url] = record

    def failed(self, url, reason, final):
        self.failures.append((url, reason, final))
        if final:
            self.parts.pop(url, None)

    def has_file(self, url):
        return url in self.files

    def file_with(self, sha256):
        same = (r.file for r in self.files.values() if r.sha256 == sha256 and r.file)
        return next(same, None)

    def kept_bytes(self):
        return sum(record.bytes for record in self.files.values() if record.file)

    def unfinished(self):
        return [Unfinished(url, part) for url, part in self.parts.items()]


def site_with_companions(count: int = 30) -> Website:
    """Lists of ten pages each, and beside each page a file of its name."""
    numbers = range(1, count + 1)
    lists = {
        f"/list-{first}.html": page(*(f"/d/{n}.html" for n in numbers[first : first + 10]))
        for first in range(0, count, 10)
    }
    pages = {f"/d/{n}.html": page(f"/d/{n}.csv", text=f"Table {n}") for n in numbers}
    files = {f"/d/{n}.csv": data(f"year,value\n2001,{n}\n".encode()) for n in numbers}
    return Website({"/": page(*lists), **lists, **pages, **files})


@contextlib.contextmanager
def served_in_thread(site):
    """A website in a thread of its own; gives `host:port`."""
    address, ready, loops = [], threading.Event(), []

    async def serve():
        stopped = asyncio.Event()
        loops.append((asyncio.get_running_loop(), stopped))
        async with site.served() as place:
            address.append(place)
            ready.set()
            await stopped.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert ready.wait(10)
    yield address[0]
    loop, stopped = loops[0]
    loop.call_soon_threadsafe(stopped.set)
    thread.join(10)
