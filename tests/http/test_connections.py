"""Kept connections: what a server sends behind an answer belongs to no request."""

import asyncio

import pytest

from datahound.http.addresses import AddressGuard
from datahound.http.wire import Wire
from datahound.settings import WebSettings

BEHIND = {
    "an answer": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother",
    "answers without end": b"HTTP/1.1 204 N\r\n\r\n" * 5000,
    "half an answer": b"HTTP/1.1 200 OK\r\nContent-Le",
    "a body": b"<p>hello",
    "a line break": b"\r\n",
}
ANSWERS = {
    "/length": b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n/length",
    "/chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n/chunks\r\n0\r\n\r\n",
    "/empty": b"HTTP/1.1 204 N\r\n\r\n",
    "/hints": b"HTTP/1.1 103 E\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n/hints",
}


class Talkative:
    """Sends more behind the answer to a path, again and again; each other path is its own body."""

    def __init__(self, path, behind):
        self.path, self.behind = path, behind
        self.connections = self.pieces = 0
        self.has_sent_more = asyncio.Event()

    async def __call__(self, reader, writer):
        self.connections += 1
        sending = []
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                path = head.split(" ")[1]
                if path == self.path:
                    writer.write(ANSWERS[path])
                    sending.append(asyncio.create_task(self._send_more(writer)))
                else:
                    writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{path}".encode())
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            for task in sending:
                task.cancel()
            writer.close()

    async def _send_more(self, writer):
        await asyncio.sleep(0.02)
        while not writer.is_closing() and self.pieces < 200:
            writer.write(self.behind)
            self.pieces += 1
            self.has_sent_more.set()
            await writer.drain()
            if len(self.behind) < 100:
                break


def ask(server, *paths):
    """The bodies of paths that are asked for one after the other, with pauses."""

    async def main():
        listening = await asyncio.start_server(server, "127.0.0.1", 0)
        base = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        bodies = []
        async with Wire(WebSettings(), AddressGuard(allow_private=True)) as wire:
            for path in paths:
                reply = await wire.send("GET", base + path, {})
                bodies.append((await reply.read(1000, 5.0)).payload.decode())
                reply.release()
                # What comes once the next request was sent can't be told from its answer.
                await server.has_sent_more.wait()
                await asyncio.sleep(0.1)
        listening.close()
        return bodies

    return asyncio.run(main())


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("path", ANSWERS)
def test_what_comes_behind_an_answer_is_no_other_answer(path, behind):
    """The next request has its own; and nobody listens to an endless sender meanwhile."""
    server = Talkative(path, BEHIND[behind])
    body = "" if path == "/empty" else path
    assert ask(server, path, "/2", "/3") == [body, "/2", "/3"]
    assert server.connections == (1 if behind == "a line break" else 2)
    assert server.pieces < 100
