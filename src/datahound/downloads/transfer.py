"""Receiving one body: all of it, from where it broke off, or from the start."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Protocol

from datahound.downloads.finish import storing
from datahound.downloads.partial_file import Part, TooLarge
from datahound.http.wire import NoAnswer

_PARTIAL = 206
_NO_SUCH_RANGE = 416
_FLUSH = 256 << 10


class Body(Protocol):
    """An open body."""

    status: int
    headers: dict[str, str]

    def chunks(self) -> AsyncIterator[bytes]:
        """Its bytes, piece by piece; `NoAnswer` if it breaks off."""
        ...

    def close(self) -> None: ...


OpenBody = Callable[[str, int, str], Awaitable[Body]]
"""Opens the body of a URL once more, from a byte on where the validator still holds."""


class Job:
    """A part, and the open body that fills it if there is one."""

    def __init__(self, part: Part, body: Body | None) -> None:
        self.part = part
        self.body = body
        if body is not None and body.status == _PARTIAL:
            # Nobody asked for a part: it will be asked for again, all of it.
            self.hang_up()

    @property
    def expected(self) -> int | None:
        """The length that the body as a whole is said to have."""
        return length_of(self.part.headers)

    def hang_up(self) -> None:
        if self.body is not None:
            self.body.close()
            self.body = None


async def receive(
    job: Job, opened: OpenBody, limit: int | None, on_bytes: Callable[[int], None]
) -> None:
    """Stream the rest of a body into its part; `NoAnswer` if not all of it came."""
    part = job.part
    body = job.body or await _reopen(job, opened)
    if body is None:
        return
    waiting = bytearray()
    try:
        async for chunk in body.chunks():
            waiting += chunk
            on_bytes(len(chunk))
            if limit is not None and part.size + len(waiting) > limit:
                raise TooLarge
            if len(waiting) >= _FLUSH:
                await storing(part.append, bytes(waiting))
                waiting.clear()
    finally:
        if waiting:
            await storing(part.append, bytes(waiting))
    if job.expected is not None and part.size != job.expected:
        raise NoAnswer(f"cut short: {part.size} of {job.expected} bytes")


async def _reopen(job: Job, opened: OpenBody) -> Body | None:
    """The body from where it broke off, or from the start; None if nothing is missing."""
    part = job.part
    if part.size and part.size == job.expected:
        return None
    validator = _validator(part.headers)
    job.body = body = await opened(part.url, part.size if validator else 0, validator)
    if body.status == _PARTIAL and part.size and _continues(body.headers, part):
        return body
    if body.status == _NO_SUCH_RANGE and _range_total(body.headers) == part.size:
        return None
    await storing(part.begin, body.headers)
    if body.status in (_PARTIAL, _NO_SUCH_RANGE):
        raise NoAnswer("can't be continued")
    return body


def length_of(headers: Mapping[str, str]) -> int | None:
    """What a Content-Length says; None if there is none that can be."""
    said = headers.get("content-length", "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 19 else None


def _validator(headers: Mapping[str, str]) -> str:
    """What tells whether a body is still the same, or ''; a weak tag does not."""
    tag = headers.get("etag", "")
    return tag if tag.startswith('"') else headers.get("last-modified", "")


def _continues(headers: Mapping[str, str], part: Part) -> bool:
    """Whether a partial body begins where the part ends, and is of the same file."""
    said = headers.get("content-range", "").removeprefix("bytes ")
    same_tag = headers.get("etag", "") in ("", part.headers.get("etag", ""))
    packed = headers.get("content-encoding", "") == part.headers.get("content-encoding", "")
    return said.startswith(f"{part.size}-") and same_tag and packed


def _range_total(headers: Mapping[str, str]) -> int | None:
    total = headers.get("content-range", "").rpartition("/")[2]
    return int(total) if total.isascii() and total.isdigit() else None
