"""One HTTP exchange, against a loopback server that sends prepared bytes."""

import asyncio
import gzip
import time

import pytest

from datahound.errors import InternalError, UserError
from datahound.http.addresses import AddressGuard
from datahound.http.bodies import HeldReply
from datahound.http.failures import TIMED_OUT
from datahound.http.host_pace import Patience
from datahound.http.wire import Received, Wire
from datahound.settings import WebSettings
from datahound.web.messages import NoAnswer

OK = b"HTTP/1.1 200 OK\r\n"


class Raw:
    """Answers each connection's requests with the next prepared bytes, and keeps the requests."""

    def __init__(self, *answers, close=True):
        self.answers = list(answers)
        self.requests = []
        self._close = close

    async def __call__(self, reader, writer):
        while self.answers:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError:
                break
            self.requests.append(head.decode())
            writer.write(self.answers.pop(0))
            await writer.drain()
            if self._close:
                break
        writer.close()


def talk(raw, conversation, *, private=True, **settings):
    """Run a conversation(wire, base URL) with a server."""

    async def main():
        server = await asyncio.start_server(raw, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        settings.setdefault("idle_seconds", 5.0)
        guard = AddressGuard(allow_private=private)
        try:
            async with Wire(WebSettings(**settings), guard) as wire:
                return await conversation(wire, f"http://127.0.0.1:{port}")
        finally:
            server.close()

    return asyncio.run(main())


def fetch(raw, *, limit=1000, **options):
    async def conversation(wire, base):
        reply = await wire.send("GET", f"{base}/a%2Fb?q=%20", {})
        received = await reply.read(limit, 5.0)
        reply.release()
        return reply, received

    return talk(raw, conversation, **options)


def refusal(raw, **options):
    with pytest.raises(NoAnswer) as caught:
        fetch(raw, **options)
    return caught.value


def test_an_answer():
    """Status, cleaned headers and payload; the URL is sent as it is written."""
    raw = Raw(OK + b"Content-Length: 3\r\nX: 1\r\nx: 2\r\n\r\nabc")
    reply, received = fetch(raw)
    assert received == Received(b"abc", whole=True)
    assert (reply.status, reply.content_length, reply.headers["x"]) == (200, 3, "1, 2")
    assert raw.requests[0].startswith("GET /a%2Fb?q=%20 HTTP/1.1\r\n")


def test_redirects_are_not_followed():
    """The crawl follows them, hop by hop."""
    raw = Raw(b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
    reply, _ = fetch(raw)
    assert (reply.status, reply.headers["location"], len(raw.requests)) == (302, "/b", 1)


def test_payloads_stay_encoded_until_they_are_decoded():
    """A file must be kept as it was sent; a page is decoded up to a limit."""
    payload = gzip.compress(b"x" * 1000)
    head = OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(payload)
    reply, received = fetch(Raw(head + payload))
    assert received.payload == payload
    assert received.decode(reply.headers, 5000).body == b"x" * 1000
    assert received.decode(reply.headers, 10) == (b"x" * 10, False, "")


def test_a_payload_beyond_the_limit_is_cut():
    """Without a problem: the limit is ours."""
    _, received = fetch(Raw(OK + b"\r\n" + b"x" * 500), limit=100)
    assert received == Received(b"x" * 100, whole=False)


def test_a_payload_that_breaks_off():
    """The received part is returned with the problem."""
    _, received = fetch(Raw(OK + b"Content-Length: 10\r\n\r\nabc"))
    assert (received.payload, received.whole) == (b"abc", False)
    assert received.problem


def test_a_stream_that_breaks_off_raises():
    """A download must not take a cut body for a whole one."""

    async def conversation(wire, base):
        reply = await wire.send("GET", f"{base}/", {})
        try:
            return [chunk async for chunk in reply.chunks()]
        finally:
            reply.close()

    with pytest.raises(NoAnswer, match="cut short"):
        talk(Raw(OK + b"Content-Length: 10\r\n\r\nabc"), conversation)


@pytest.mark.parametrize(
    ("answer", "reason", "again"),
    [
        (b"", "connection lost", True),
        (b"SSH-2.0-OpenSSH\r\n\r\n", "not HTTP", False),
        (OK + b"X: " + b"x" * 5000 + b"\r\n\r\n", "headers too large", False),
    ],
)
def test_troubles(answer, reason, again):
    """What a retry may mend is marked; reasons are words of ours."""
    trouble = refusal(Raw(answer), max_header_bytes=4096)
    assert reason in trouble.reason
    assert (trouble.again, trouble.reached, trouble.asked) == (again, True, True)


def test_nobody_listens():
    """Not reached: the host may be in an outage."""

    async def conversation(wire, _base):
        await wire.send("GET", "http://127.0.0.1:1/", {})

    with pytest.raises(NoAnswer, match="can't connect") as caught:
        talk(Raw(), conversation)
    assert not caught.value.reached


def test_private_addresses_are_refused_before_a_connection():
    """No request is counted, and no retry helps."""
    raw = Raw(OK + b"\r\n")
    trouble = refusal(raw, private=False)
    assert (trouble.again, trouble.asked) == (False, False)
    assert not raw.requests


def test_cookies_are_sent_back():
    """To the same host, behind a cookie of the user's own."""
    cookie = OK + b"Set-Cookie: s=1; Path=/\r\nContent-Length: 0\r\n\r\n"
    raw = Raw(cookie, OK + b"Content-Length: 0\r\n\r\n", close=False)

    async def conversation(wire, base):
        for headers in ({}, {"Cookie": "own=2"}):
            reply = await wire.send("GET", f"{base}/", headers)
            await reply.read(10, 5.0)
            reply.release()

    talk(raw, conversation)
    assert "Cookie" not in raw.requests[0]
    assert "Cookie: own=2; s=1\r\n" in raw.requests[1]


def test_one_address_for_all_hosts():
    """With `connect_to`, the host and the scheme of the URL travel in headers."""
    raw = Raw(OK + b"Content-Length: 0\r\n\r\n")

    async def conversation(_wire, base):
        settings = WebSettings(connect_to=base.removeprefix("http://"))
        async with Wire(settings, AddressGuard()) as wire:
            (await wire.send("GET", "https://data.example:8443/x", {})).release()

    talk(raw, conversation)
    assert raw.requests[0].startswith("GET /x HTTP/1.1\r\n")
    assert "Host: data.example:8443\r\n" in raw.requests[0]
    assert "X-Forwarded-Proto: https\r\n" in raw.requests[0]


def test_a_request_is_held_back_when_its_connection_is_open():
    """What happens while it connects can still stop a request."""
    raw = Raw(OK + b"Content-Length: 0\r\n\r\n")
    waiting = asyncio.Event()

    async def hold():
        waiting.set()
        await asyncio.get_running_loop().create_future()

    async def conversation(_wire, base):
        async with Wire(WebSettings(), AddressGuard(allow_private=True), hold=hold) as wire:
            request = asyncio.ensure_future(wire.send("GET", f"{base}/x", {}))
            await asyncio.wait_for(waiting.wait(), 10)
            request.cancel()
            await asyncio.gather(request, return_exceptions=True)

    talk(raw, conversation)
    assert raw.requests == []


def test_a_host_that_was_late_keeps_its_time_to_connect(monkeypatch):
    """Else an outage would look like late answers, and each URL would be given up."""
    monkeypatch.setattr("datahound.http.host_pace._LEAST_SECONDS", 1.0)
    patience = Patience()
    patience.note(0.001)
    for _ in range(2):
        patience.judge(NoAnswer(TIMED_OUT))

    async def conversation(_wire, base):
        slow = AddressGuard(allow_private=True)
        async with Wire(WebSettings(), slow, hold=lambda: asyncio.sleep(1.3)) as wire:
            return (await wire.send("GET", f"{base}/x", {}, patience)).status

    assert talk(Raw(OK + b"Content-Length: 0\r\n\r\n"), conversation) == 200

    async def late(wire, base):
        await wire.send("GET", f"{base}/x", {}, patience)

    begun = time.monotonic()
    with pytest.raises(NoAnswer, match=TIMED_OUT):
        talk(Raw(b"", b"", close=False), late, idle_seconds=30.0)
    assert time.monotonic() - begun < 20  # of 80


def test_misuse():
    """A proxy must be a URL, and connections must be open."""
    with pytest.raises(UserError, match="proxy"):
        Wire(WebSettings(proxy="localhost:8080"), AddressGuard())
    with pytest.raises(InternalError):
        asyncio.run(Wire(WebSettings(), AddressGuard()).send("GET", "http://a.example/", {}))


def test_a_held_reply_reads_like_an_open_one():
    """Whole or cut short, as it was received."""

    class Head:
        status, headers = 200, {"etag": '"1"'}

    async def read(received):
        return [chunk async for chunk in HeldReply(Head, received).chunks()]

    assert asyncio.run(read(Received(b"abc", whole=True))) == [b"abc"]
    with pytest.raises(NoAnswer, match="timed out"):
        asyncio.run(read(Received(b"abc", whole=False, problem="timed out")))
