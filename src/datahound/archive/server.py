"""A server that answers HTTP requests from a recorded or synthetic website."""

import asyncio
import contextlib
import re
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from aiohttp import web
from selectolax.lexbor import LexborHTMLParser

from datahound.archive.archive import Archive
from datahound.machine import start_listening
from datahound.model import Answer, Fetch, Purpose, Response
from datahound.readers.html_bytes import to_utf8
from datahound.readers.markup_limits import limit_markup
from datahound.web.messages import SCHEME_HEADER, content_length, parse_content_type
from datahound.web.site import Site
from datahound.web.urls import Joiner, host_of, join

_ADDRESSES = ("href", "src", "action")
_HTML = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True, slots=True)
class HostRewriter:
    """Rewrites the URLs of a site to a local address and back; other URLs stay as they are."""

    site: Site
    address: str
    joiner: Joiner = field(default_factory=Joiner, compare=False, repr=False)

    def to_local(self, url: str) -> str:
        """The local URL of a canonical URL."""
        if not self.site.admits(url):
            return url
        scheme, _, rest = url.partition("://")
        return f"{self.address}/{scheme}/{rest}"

    def to_original(self, target: str) -> str | None:
        """The original URL of a request target, or None."""
        scheme, _, rest = target.removeprefix("/").partition("/")
        return f"{scheme}://{rest}" if scheme in ("http", "https") and rest else None

    def rewrite_location(self, page: str, location: str) -> str:
        url = join(page, location)
        return location if url is None else self.to_local(url)

    def rewrite_page(self, response: Response) -> bytes:
        """An HTML body whose addresses lead to the local site, in UTF-8."""
        tree = LexborHTMLParser(limit_markup(to_utf8(response.body, response.headers)))
        node = tree.css_first("base[href]")
        said = node.attributes.get("href") if node is not None else None
        base = (said and join(response.url, said)) or response.url
        for name in _ADDRESSES:
            for node in tree.css(f"[{name}]"):
                reference = (node.attributes.get(name) or "").strip()
                node.attrs[name] = self._rewrite_reference(base, reference)
        return (tree.html or "").encode("utf-8", "replace")

    def _rewrite_reference(self, base: str, reference: str) -> str:
        # A fragment leads to the same page; resolved against a <base> it would leave it.
        if reference.startswith("#"):
            return reference
        url = self.joiner.join(base, reference)
        if url is None:
            return reference
        _, mark, fragment = reference.partition("#")
        return self.to_local(url) + mark + fragment


def is_html(response: Response) -> bool:
    """Whether a response is a page whose addresses can be rewritten."""
    content_type = parse_content_type(response.headers.get("content-type", ""))
    return content_type is not None and content_type.essence in _HTML


_RECORDED = web.RequestKey("recorded headers", dict[str, str])
_PIECE = b" " * 65536
# Larger bodies that were not recorded are streamed: a terabyte may be announced.
_PADDED_AT_ONCE = 256 << 10
_LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]", "0.0.0.0")
# What belongs to the recorded connection, to an encoding that is gone, or to HTTPS.
_DROPPED = frozenset(
    "alt-svc connection content-encoding content-length content-md5 keep-alive proxy-authenticate"
    " proxy-connection strict-transport-security te trailer transfer-encoding upgrade".split()
)
# They hold addresses or rules of the original hosts that are not rewritten.
_DROPPED_WHEN_REWRITTEN = frozenset({"content-security-policy", "link", "refresh"})
_BODILESS = (204, 304)
_PORT = re.compile(r":\d*\Z")
_NAME = re.compile(r"[-!#$%&'*+.^_`|~A-Za-z0-9]+")
_VALUE = re.compile("[\t\x20-\x7e\x80-\ud7ff\ue000-\U0010ffff]*")


@dataclass(frozen=True, slots=True)
class Served:
    """Where a site is served: its address, and where to start."""

    address: str
    start: str


@contextlib.asynccontextmanager
async def serve_archive(
    archive: Archive, host: str = "127.0.0.1", port: int = 0, *, rewrite: bool = False
) -> AsyncIterator[Served]:
    """Serve a site while the context lasts; port 0 takes a free one.

    Every recorded host answers by its Host header, or through the address as an HTTP proxy. With
    `rewrite` all hosts of the site are folded into one local address instead.
    """
    server = ArchiveServer(archive)
    runner = web.ServerRunner(
        web.Server(server.handle, access_log=None, request_factory=_make_request),
        handle_signals=False,
        shutdown_timeout=1,
    )
    await runner.setup()
    try:
        address = await start_listening(runner, host, port)
        start = archive.seed
        if rewrite:
            server.rewriter = HostRewriter(Site(archive.seed), address)
            start = server.rewriter.to_local(archive.seed)
        yield Served(address, start)
    finally:
        await runner.cleanup()


def run_server(
    archive: Archive,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    rewrite: bool = False,
    announce: Callable[[Served], None],
) -> None:
    """Serve a site until Ctrl-C or a request to end."""

    async def until_stopped() -> None:
        stopped = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
        async with serve_archive(archive, host, port, rewrite=rewrite) as served:
            announce(served)
            await stopped.wait()

    asyncio.run(until_stopped())


class ArchiveServer:
    """Turns requests into fetches, and answers into HTTP."""

    def __init__(self, archive: Archive, rewriter: HostRewriter | None = None) -> None:
        self.rewriter = rewriter
        self._archive = archive
        self._home = host_of(archive.seed)

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        if self.rewriter is not None and request.raw_path == "/":
            start = self.rewriter.to_local(self._archive.seed)
            return web.Response(status=302, headers={"Location": start})
        answer = self._answer(request)
        if answer is None:
            return web.Response(status=404, text="not archived\n")
        if not isinstance(answer, Response) or not 200 <= answer.status <= 599:
            return _hang_up(request)
        return await self._send(request, answer)

    def _answer(self, request: web.BaseRequest) -> Answer | None:
        if request.method not in ("GET", "HEAD"):
            return Response("", 405, {"allow": "GET, HEAD"})
        for url in self._urls(request):
            answer = self._archive.get(Fetch(url))
            if request.method == "HEAD":
                answer = _choose_head(self._archive.get(Fetch(url, Purpose.PROBE)), answer)
            if answer is not None:
                return answer
        return None

    def _urls(self, request: web.BaseRequest) -> list[str]:
        target = request.raw_path
        if self.rewriter is not None:
            url = self.rewriter.to_original(target)
            return [] if url is None else [url]
        if not target.startswith("/"):
            return _both_schemes(target.partition("://")[2])
        host = request.headers.get("Host", "").lower()
        if (scheme := request.headers.get(SCHEME_HEADER)) in ("http", "https"):
            return [f"{scheme}://{host}{target}"]
        bare = _PORT.sub("", host)
        # Browsers send no other name when a user just opens the printed address.
        if bare in _LOCAL_NAMES:
            return _both_schemes(self._home + target)
        # A client that is not a proxy client adds the port of this server to the Host header.
        urls = _both_schemes(bare + target)
        return urls if bare == host else [*_both_schemes(host + target), *urls]

    async def _send(self, request: web.BaseRequest, answer: Response) -> web.StreamResponse:
        body, headers = answer.body, filter_headers(answer.headers)
        request[_RECORDED] = headers
        if self.rewriter is not None:
            body, headers = _rewrite_answer(self.rewriter, answer, headers)
        total = _choose_length(answer, body)
        if request.method == "HEAD":
            return web.Response(
                status=answer.status, headers={**headers, "Content-Length": str(total)}
            )
        if answer.status in _BODILESS:
            return web.Response(status=answer.status, headers=headers)
        missing = total - len(body)
        # Blanks replace bytes that were not recorded, so that the length is as announced.
        if missing <= _PADDED_AT_ONCE:
            return web.Response(status=answer.status, headers=headers, body=body + b" " * missing)
        response = web.StreamResponse(status=answer.status, headers=headers)
        response.content_length = total
        await response.prepare(request)
        await _write_padded(response, body, missing)
        return response


class _Request(web.BaseRequest):
    """A request whose answer has the headers that were recorded, and not aiohttp's own."""

    async def _prepare_hook(self, response: web.StreamResponse) -> None:
        for name in ("Date", "Server"):
            if _RECORDED in self and name.lower() not in self[_RECORDED]:
                response.headers.popall(name, None)


def _make_request(message: Any, payload: Any, protocol: Any, writer: Any, task: Any) -> _Request:
    return _Request(message, payload, protocol, writer, task, task.get_loop())


def filter_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers that also apply to another connection and a decoded body, if they are valid."""
    return {
        name: value
        for name, value in headers.items()
        if name not in _DROPPED and _NAME.fullmatch(name) and _VALUE.fullmatch(value)
    }


def _rewrite_answer(
    rewriter: HostRewriter, answer: Response, headers: dict[str, str]
) -> tuple[bytes, dict[str, str]]:
    """Body and headers whose addresses lead to the local site."""
    headers = {
        name: value for name, value in headers.items() if name not in _DROPPED_WHEN_REWRITTEN
    }
    if "location" in headers:
        headers["location"] = rewriter.rewrite_location(answer.url, headers["location"])
    if not is_html(answer) or not answer.body:
        return answer.body, headers
    return rewriter.rewrite_page(answer), {**headers, "content-type": "text/html; charset=utf-8"}


def _choose_head(probed: Answer | None, full: Answer | None) -> Answer | None:
    """The answer to a HEAD: with the length of the recorded GET, or else its own."""
    if not isinstance(probed, Response):
        return probed
    if isinstance(full, Response) and full.status == probed.status:
        return full
    length = content_length(probed.headers) or 0
    return replace(probed, body=b"", size=length, truncated=True)


def _choose_length(answer: Response, body: bytes) -> int:
    """The length to send: of the body, or of what was recorded where the body is not all of it."""
    return max(answer.size, len(body)) if answer.truncated else len(body)


def _both_schemes(rest: str) -> list[str]:
    return [f"https://{rest}", f"http://{rest}"]


def _hang_up(request: web.BaseRequest) -> web.Response:
    """Hang up: the site gave no answer when it was recorded, and gives none now."""
    # Aborted, not closed: the client sees a broken connection, as the recording had it.
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=502)


async def _write_padded(response: web.StreamResponse, body: bytes, missing: int) -> None:
    # A crawler that wants the headers only hangs up on the body.
    with contextlib.suppress(ConnectionError):
        await response.write(body)
        for _ in range(missing // len(_PIECE)):
            await response.write(_PIECE)
        await response.write(_PIECE[: missing % len(_PIECE)])
        await response.write_eof()
