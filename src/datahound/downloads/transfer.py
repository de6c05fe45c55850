"""Receive one body: from the start, or from the byte where it broke off."""

from collections.abc import Callable, Mapping

from datahound.downloads.partial_file import PartialFile, TooLarge, run_in_thread
from datahound.settings import DownloadSettings
from datahound.web.messages import Body, NoAnswer, OpenBody, content_length

_PARTIAL = 206
_NO_SUCH_RANGE = 416
_FLUSH = 256 << 10


class Transfer:
    """A partial file, and the open body that fills it, if any."""

    def __init__(self, part: PartialFile, body: Body | None) -> None:
        self.part = part
        self.body = body
        if body is not None and body.status == _PARTIAL:
            # No range was requested, so the range is arbitrary: request the whole body again.
            self.close_body()

    @property
    def expected(self) -> int | None:
        """The promised length of the whole body."""
        return content_length(self.part.headers)

    def close_body(self) -> None:
        if self.body is not None:
            self.body.close()
            self.body = None


class LeastSpeed:
    """Raises `NoAnswer` when a body comes in slower than a file may."""

    def __init__(self, settings: DownloadSettings, now: Callable[[], float]) -> None:
        self._least = settings.min_bytes_per_second
        self._seconds = settings.slow_seconds
        self._now = now
        self._since = now()
        self._received = 0

    def count(self, received: int) -> None:
        """Judge the speed each time that the measured seconds are over."""
        self._received += received
        elapsed = self._now() - self._since
        if elapsed < self._seconds:
            return
        if self._received < self._least * elapsed:
            raise NoAnswer(f"slower than {self._least:g} bytes per second")
        self._since, self._received = self._now(), 0


async def receive_body(
    transfer: Transfer, open_body: OpenBody, limit: int | None, on_bytes: Callable[[int], None]
) -> None:
    """Stream the rest of a body into its partial file; raises `NoAnswer` if it is cut short."""
    part = transfer.part
    body = transfer.body or await _reopen(transfer, open_body)
    if body is None:
        return
    waiting = bytearray()
    try:
        async for chunk in body.chunks():
            waiting += chunk
            on_bytes(len(chunk))
            if limit is not None and part.size + len(waiting) > limit:
                raise TooLarge
            # Chunks of the network are small, and each append costs a thread.
            if len(waiting) >= _FLUSH:
                await run_in_thread(part.append, bytes(waiting))
                waiting.clear()
    finally:
        # Also when cancelled or cut short: a resumed download continues from here.
        if waiting:
            await run_in_thread(part.append, bytes(waiting))
    if transfer.expected is not None and part.size != transfer.expected:
        raise NoAnswer(f"cut short: {part.size} of {transfer.expected} bytes")


async def _reopen(transfer: Transfer, open_body: OpenBody) -> Body | None:
    """Open the rest of the body, or all of it without range support; None if it is complete."""
    part = transfer.part
    if part.size and part.size == transfer.expected:
        return None
    # Without a validator a range may be of a newer file, and the result of both.
    validator = _choose_validator(part.headers)
    transfer.body = body = await open_body(part.url, part.size if validator else 0, validator)
    if body.status == _PARTIAL and part.size and _continues(body.headers, part):
        return body
    # The range would begin at the end: all bytes are here, only the length was never said.
    if body.status == _NO_SUCH_RANGE and _range_total(body.headers) == part.size:
        return None
    await run_in_thread(part.begin, body.headers)
    if body.status in (_PARTIAL, _NO_SUCH_RANGE):
        raise NoAnswer("can't be continued")
    return body


def _choose_validator(headers: Mapping[str, str]) -> str:
    """The validator for If-Range, or ''; a weak ETag is not allowed there."""
    tag = headers.get("etag", "")
    return tag if tag.startswith('"') else headers.get("last-modified", "")


def _continues(headers: Mapping[str, str], part: PartialFile) -> bool:
    """Whether a range begins where the partial file ends, and belongs to the same file."""
    content_range = headers.get("content-range", "").removeprefix("bytes ")
    same_tag = headers.get("etag", "") in ("", part.headers.get("etag", ""))
    same_encoding = headers.get("content-encoding", "") == part.headers.get("content-encoding", "")
    return content_range.startswith(f"{part.size}-") and same_tag and same_encoding


def _range_total(headers: Mapping[str, str]) -> int | None:
    total = headers.get("content-range", "").rpartition("/")[2]
    return int(total) if total.isascii() and total.isdigit() else None
