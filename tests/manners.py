"""Bad manners of web servers, one per function; each is found on servers in the wild."""

import asyncio
import gzip
import os
import zlib

from websites import Exchange, error, page, send_response

OK = "HTTP/1.1 200 OK\r\n"
HTML = "Content-Type: text/html\r\n"
CSV = "Content-Type: text/csv\r\n"
LINKS = b'<!doctype html><a href="/good-1.csv">1</a>'
CHUNKED = "Transfer-Encoding: chunked\r\n"
FILE = os.urandom(300_000)


def raw(*parts):
    """Send these bytes and hang up."""

    async def manner(exchange: Exchange) -> None:
        await exchange.send(*parts)

    return manner


def then_hang(*parts):
    async def manner(exchange: Exchange) -> None:
        await exchange.send(*parts)
        await exchange.hang()

    return manner


def then_reset(*parts):
    async def manner(exchange: Exchange) -> None:
        await exchange.send(*parts)
        await asyncio.sleep(0.02)
        exchange.reset()

    return manner


def endless(*parts, piece, pause=0.0):
    """Send these, then a piece over and over, until the client has enough."""

    async def manner(exchange: Exchange) -> None:
        await exchange.send(*parts)
        while True:
            await exchange.send(piece)
            await asyncio.sleep(pause)

    return manner


def at_first(manner, times, then):
    """Behave badly the first few times, and well after that."""

    async def both(exchange: Exchange) -> None:
        if exchange.times > times:
            await send_response(exchange, then)
        else:
            await manner(exchange)

    return both


def sized(body, *headers):
    """A whole answer with these headers."""
    return raw(OK, *headers, f"Content-Length: {len(body)}\r\n\r\n", body)


def sized_wrongly(body, error):
    """An answer that is said to be longer or shorter than it is, in one piece."""
    return raw(f"{OK}{HTML}Content-Length: {len(body) + error}\r\n\r\n".encode() + body)


def slowly(*parts):
    """Send these bytes one after the other."""

    async def manner(exchange: Exchange) -> None:
        for part in parts:
            await exchange.send(part)
            await asyncio.sleep(0.05)

    return manner


def chunk(body):
    return b"%x\r\n%s\r\n" % (len(body), body)


async def head_with_a_body(exchange: Exchange) -> None:
    """Answers a HEAD as if it were a GET."""
    body = page().body
    await exchange.send(OK, HTML, f"Content-Length: {len(body)}\r\n\r\n", body)
    await exchange.hang()


async def says_keep_alive_and_closes(exchange: Exchange) -> None:
    await exchange.send(OK, HTML, "Connection: keep-alive\r\n")
    await exchange.send(f"Content-Length: {len(LINKS)}\r\n\r\n", LINKS)


async def sends_more_than_it_said(exchange: Exchange) -> None:
    await exchange.send(OK, HTML, f"Content-Length: {len(LINKS)}\r\n\r\n", LINKS)
    await exchange.send(OK, HTML, "Content-Length: 5\r\n\r\nother")
    await exchange.hang()


async def says_close_and_stays(exchange: Exchange) -> None:
    await exchange.send(OK, HTML, "Connection: close\r\n")
    await exchange.send(f"Content-Length: {len(LINKS)}\r\n\r\n", LINKS)
    await exchange.hang()


def file_that_breaks(*, ranges=True, tag='"1"', body=FILE, times=1, cut=100_000):
    """A file that breaks off the first few times; it can be continued, or not."""

    async def manner(exchange: Exchange) -> None:
        said = exchange.headers.get("range", "")
        same = ranges and exchange.headers.get("if-range") == tag
        start = int(said.removeprefix("bytes=").rstrip("-")) if said and same else 0
        status = "206 Partial Content" if start else "200 OK"
        await exchange.send(f"HTTP/1.1 {status}\r\n", CSV, f"ETag: {tag}\r\n")
        if start:
            await exchange.send(f"Content-Range: bytes {start}-{len(body) - 1}/{len(body)}\r\n")
        await exchange.send(f"Content-Length: {len(body) - start}\r\n\r\n")
        end = start + cut if exchange.times <= times else len(body)
        await exchange.send(body[start:end])

    return manner


def zeros(size):
    """A file of zeros, as large as that."""
    piece = bytes(1 << 16)

    async def manner(exchange: Exchange) -> None:
        await exchange.send(OK, CSV, f"Content-Length: {size}\r\n\r\n")
        for _ in range(size // len(piece)):
            await exchange.send(piece)
        await exchange.send(piece[: size % len(piece)])

    return manner


def packed_zeros(size):
    """The same, packed for the way."""
    packer = zlib.compressobj(wbits=31)
    piece = bytes(1 << 20)

    async def manner(exchange: Exchange) -> None:
        await exchange.send(OK, CSV, "Content-Encoding: gzip\r\n", "\r\n")
        for _ in range(size >> 20):
            await exchange.send(packer.compress(piece))
        await exchange.send(packer.compress(piece[: size % len(piece)]), packer.flush())

    return manner


def packed(body: bytes) -> bytes:
    return gzip.compress(body)


async def storm(exchange: Exchange) -> None:
    """Too many requests, every time."""
    await send_response(exchange, error(429, retry_after="0"))
