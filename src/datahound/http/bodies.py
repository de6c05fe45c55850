"""Bodies of answers: peek at their first bytes; decode and read pages."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from datahound.http.wire import Received, Reply
from datahound.model import Failure, Response
from datahound.readers import MAX_LIST_BYTES, may_have_links, may_name_files, names_no_files
from datahound.readers.job import BodyReader, ReadBody, ReadingJob
from datahound.settings import PageSettings, WebSettings
from datahound.web.messages import Body, NoAnswer, OpenBody
from datahound.web.targets import LEADING, Wanted, drop_body, is_shown
from datahound.web.types import looks_like_html

_PEEK_SECONDS = 10.0
"""A file that takes longer to arrive is kept without its links being read."""


class BodyKeeper(Protocol):
    """Keeps the bodies of targets, and may have them opened again."""

    def attach(self, opener: OpenBody) -> None: ...

    async def take(self, url: str, headers: Mapping[str, str], stream: Body) -> None: ...


@dataclass(frozen=True, slots=True)
class Bodies:
    """Decodes bodies, and reads those of pages, with a reader that hostile bytes can't harm."""

    reader: BodyReader
    pages: PageSettings
    settings: WebSettings

    def limit_for(self, *, is_list: bool) -> int:
        """The most bytes that are read of a list, or of a page."""
        return self.settings.max_list_bytes if is_list else self.settings.max_page_bytes

    async def peek(self, response: Response, reply: Reply) -> bytes:
        """The beginning of a body, decoded; the body itself is still to be read."""
        beginning = await reply.peek(LEADING, self.settings.idle_seconds)
        if not response.headers.get("content-encoding"):
            return beginning
        job = ReadingJob(response.url, response.headers, beginning, LEADING)
        # A body that is not encoded as announced is judged by its raw bytes.
        return (await self.reader.read(job)).body or beginning

    async def measure(self, response: Response, reply: Reply) -> tuple[Response, bool]:
        """Wait for a short file that may have links; its size, and whether all of it has arrived.

        A file that arrives slowly, or never, must not hold up the crawl: its links are not read.
        """
        is_large = response.size > MAX_LIST_BYTES
        if is_large or not may_name_files(response) or response.status != 200:
            return response, True
        beginning = await reply.peek(
            MAX_LIST_BYTES + 1, min(_PEEK_SECONDS, self.settings.idle_seconds)
        )
        if not reply.is_whole:
            return response, False
        return replace(response, size=response.size or len(beginning)), True

    async def read(self, response: Response, came: Received, *, is_list: bool = False) -> ReadBody:
        """Decode a payload, and read it if it is the body of a page or a list."""
        limit, headers = self.limit_for(is_list=is_list), response.headers
        if not is_list and may_name_files(response):
            # What unpacks to more is data, and is not read.
            limit = min(limit, MAX_LIST_BYTES + 1)
        has_links = is_shown(response.status, headers) and (is_list or may_have_links(response))
        if not has_links and not headers.get("content-encoding"):
            return ReadBody(came.payload)
        settings = self.pages if has_links else None
        job = ReadingJob(response.url, headers, came.payload, limit, settings, is_list)
        read = await self.reader.read(job)
        # A page that is announced as encoded and is not: browsers show it, so it is read.
        if read.problem and not read.body and looks_like_html(came.payload):
            plain = {name: headers[name] for name in headers if name != "content-encoding"}
            read = await self.reader.read(replace(job, headers=plain))
        return read


def drop_unused_body(answer: Response | Failure, wanted: Wanted, hint: str) -> Response | Failure:
    """An answer without the body of a file that names no others: a journal would double it."""
    if isinstance(answer, Failure) or not names_no_files(answer):
        return answer
    return drop_body(answer, wanted, hint)


class HeldReply:
    """A body that was read into memory, with the interface of an open one."""

    def __init__(self, reply: Reply, came: Received) -> None:
        self.status = reply.status
        self.headers = reply.headers
        self._came = came

    async def chunks(self) -> AsyncIterator[bytes]:
        """The payload at once; raises `NoAnswer` if it was cut short."""
        yield self._came.payload
        if not self._came.whole:
            raise NoAnswer(self._came.problem or "cut short")

    def close(self) -> None:
        """Nothing to close: the connection was released before."""
