"""Download the bodies of targets in the background, a few at a time; keep whole files only."""

import asyncio
import hashlib
import re
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Protocol

from datahound.downloads.file_names import name_for
from datahound.downloads.finish import FilePlacer, FinishedFile, finish_file
from datahound.downloads.transfer import (
    LeastSpeed,
    PartialFile,
    TooLarge,
    Transfer,
    receive_body,
    run_in_thread,
)
from datahound.errors import UNFORESEEN, Unreachable
from datahound.machine import read_free_disk
from datahound.model import FileRecord, Unfinished
from datahound.settings import DownloadSettings
from datahound.web.messages import Body, NoAnswer, OpenBody, content_length, parse_content_type
from datahound.web.urls import host_of

_LONG_SECONDS = 300.0
"""A download that lasts longer gives its slot to the next one, and continues without a slot."""
_MAX_WITHOUT_SLOT = 16
_PART = re.compile(r"[0-9a-f]{20}\.(?:part|json|unpacked)")
_PROGRESS = 1 << 20
"""Bytes that an attempt must receive to reset the count of failed attempts."""


class Ledger(Protocol):
    """Records the state of every download. Called from the event loop's thread only."""

    def started(self, url: str, part: str) -> None:
        """A download starts; once this returns, the record survives a crash."""
        ...

    def finished(self, record: FileRecord) -> None: ...

    def failed(self, url: str, reason: str, final: bool) -> None:  # noqa: FBT001 as agreed
        """An attempt failed; a final one is not followed by another in this run."""
        ...

    def has_file(self, url: str) -> bool:
        """Whether a version of a URL's file was kept before."""
        ...

    def file_with(self, sha256: str) -> str | None:
        """The file that holds these bytes already."""
        ...

    def unfinished(self) -> list[Unfinished]: ...

    def kept_bytes(self) -> int:
        """Bytes of all files that are kept."""
        ...


class Downloads:
    """Keeps the bodies of targets as files, a few at a time."""

    def __init__(
        self,
        folder: Path,
        ledger: Ledger,
        settings: DownloadSettings | None = None,
        *,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.bytes_received = 0
        self._settings = settings or DownloadSettings()
        self._parts = folder / ".parts"
        self._ledger = ledger
        self._placer = FilePlacer(folder)
        self._sleep = sleep
        self._open: OpenBody = _unattached
        self._tasks: dict[str, asyncio.Task[None]] = {}
        # Between two attempts a download has no open body, and takes no room from others.
        self._between_attempts: set[str] = set()
        self._without_slot = 0
        self._freed = asyncio.Event()
        self._turns = asyncio.Semaphore(self._settings.at_once)
        per_host = self._settings.per_host
        self._host_turns: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(per_host)
        )
        self._placing = asyncio.Lock()
        self._unpacking = asyncio.Lock()
        self._trouble: BaseException | None = None

    def attach(self, opener: OpenBody) -> None:
        """Set the function that opens a body again."""
        self._open = opener

    @property
    def under_way(self) -> int:
        """The number of unfinished downloads."""
        return len(self._tasks)

    async def take(self, url: str, headers: Mapping[str, str], stream: Body) -> None:
        """Keep an open body in the background; waits while too many others are under way."""
        limit, length = self._settings.max_file_size, content_length(headers)
        if limit is not None and length is not None and length > limit:
            stream.close()
            self._ledger.finished(_unkept(url, headers, length))
            return
        await self._wait_for_room()
        if url in self._tasks:
            stream.close()
            return
        part = PartialFile(self._part_of(url), url)
        part.begin(headers)
        self._start(part, stream)

    async def resume(self, entries: Iterable[Unfinished]) -> None:
        """Resume downloads that a crash or a stop interrupted; start those that were listed."""
        for entry in entries:
            await self._wait_for_room()
            if entry.url not in self._tasks:
                part = PartialFile(self._part_of(entry.url), entry.url)
                await run_in_thread(part.recover)
                self._start(part, None)

    async def close(self, wait: bool) -> None:  # noqa: FBT001 as agreed
        """Wait for all downloads, or cancel them so that they can be resumed."""
        while tasks := list(self._tasks.values()):
            if not wait:
                for task in tasks:
                    task.cancel()
            await asyncio.wait(tasks)
        if wait and self._trouble:
            raise self._trouble
        if wait:
            await run_in_thread(self._remove_leftovers, self._ledger.unfinished())

    async def _wait_for_room(self) -> None:
        most = self._settings.at_once + self._settings.max_waiting
        while not self._trouble and self._counted >= most:
            self._freed.clear()
            await self._freed.wait()
        if self._trouble:
            raise self._trouble

    @property
    def _counted(self) -> int:
        return len(self._tasks) - len(self._between_attempts) - self._without_slot

    def _remove_leftovers(self, unfinished: Iterable[Unfinished]) -> None:
        """Remove what a crash left of files that were kept; the others can be resumed."""
        resumable = {self._part_of(entry.url).stem for entry in unfinished}
        for path in self._parts.glob("*"):
            # By its name: somebody may have put a link to another folder in place of this one.
            if _PART.fullmatch(path.name) and path.stem not in resumable:
                path.unlink(missing_ok=True)

    def _part_of(self, url: str) -> Path:
        # 80 bits: URLs can be longer than a file name, and a collision would be noticed by the note
        # beside the bytes.
        return self._parts / (hashlib.sha256(url.encode()).hexdigest()[:20] + ".part")

    def _start(self, part: PartialFile, body: Body | None) -> None:
        # Before the task exists: a crash from here on finds the partial file by its row.
        self._ledger.started(part.url, part.path.name)
        transfer = Transfer(part, body)
        task = self._tasks[part.url] = asyncio.create_task(self._run(transfer))
        # Not in the task itself: a task that is cancelled before its first step runs no code.
        task.add_done_callback(partial(self._ended, transfer))

    def _ended(self, transfer: Transfer, task: "asyncio.Task[None]") -> None:
        transfer.close_body()
        transfer.part.close()
        del self._tasks[transfer.part.url]
        self._between_attempts.discard(transfer.part.url)
        # Kept for `close` and `take`: nobody awaits this task, so its exception would be lost.
        if not task.cancelled() and (trouble := task.exception()):
            self._trouble = trouble
        self._freed.set()

    async def _run(self, transfer: Transfer) -> None:
        """Run one download, and report how it ended if it did not succeed."""
        url = transfer.part.url
        try:
            await self._retry(transfer)
        except TimeoutError:
            self._ledger.failed(url, "took too long", final=True)
        except UNFORESEEN as error:
            self._ledger.failed(url, f"internal error: {type(error).__name__}", final=True)
        except Unreachable as error:
            self._ledger.failed(url, str(error), final=False)

    async def _retry(self, transfer: Transfer) -> None:
        """Retry until the file is kept or no retry is left."""
        failed, part, left = 0, transfer.part, self._settings.max_seconds
        loop = asyncio.get_running_loop()
        while True:
            before = part.size
            # Between two attempts the slot is free: a slow file must not hold up the others.
            async with self._take_slot(host_of(part.url)):
                self._between_attempts.discard(part.url)
                begun = loop.time()
                # Only the attempts count against the time of a file, not the waiting for a turn.
                async with asyncio.timeout(left):
                    trouble = await self._attempt(transfer)
                left = max(0.0, left - (loop.time() - begun))
            if trouble is None:
                return
            failed = 0 if part.size >= before + _PROGRESS else failed + 1
            final = not trouble.again or failed > self._settings.max_retries
            self._ledger.failed(part.url, trouble.reason, final=final)
            if final:
                return
            self._between_attempts.add(part.url)
            self._freed.set()
            # Exponential backoff; the exponent is bounded so that a long outage does not put a file
            # off for days.
            await self._sleep(self._settings.retry_seconds * 2 ** min(failed, 8))

    @asynccontextmanager
    async def _take_slot(self, host: str) -> AsyncIterator[None]:
        """Hold a slot while the block runs; a long download gives it to the next one early."""
        with ExitStack() as held:
            for turns in (self._host_turns[host], self._turns):
                await turns.acquire()
                held.callback(turns.release)
            timer = asyncio.get_running_loop().call_later(_LONG_SECONDS, self._free_slot, held)
            held.callback(timer.cancel)
            yield

    def _free_slot(self, held: ExitStack) -> None:
        if self._without_slot < _MAX_WITHOUT_SLOT:
            held.close()
            self._without_slot += 1
            held.callback(self._end_without_slot)
            self._freed.set()

    def _end_without_slot(self) -> None:
        self._without_slot -= 1

    async def _attempt(self, transfer: Transfer) -> NoAnswer | None:
        """Receive and keep the body; returns the trouble if a retry may help."""
        try:
            speed = LeastSpeed(self._settings, asyncio.get_running_loop().time)
            await receive_body(
                transfer, self._open, self._settings.max_file_size, partial(self._count, speed)
            )
            await self._keep(transfer)
        except NoAnswer as trouble:
            return trouble
        except TooLarge:
            self._ledger.finished(
                _unkept(transfer.part.url, transfer.part.headers, transfer.part.size)
            )
            await run_in_thread(transfer.part.remove)
        finally:
            transfer.close_body()
        return None

    def _count(self, speed: LeastSpeed, received: int) -> None:
        self.bytes_received += received
        speed.count(received)

    async def _finish(self, part: PartialFile) -> FinishedFile:
        """Finish a file within the limit of a file, the limit of all files and the free disk."""
        largest, total = self._settings.max_file_size, self._settings.max_total_bytes
        if "content-encoding" not in part.headers:
            return await finish_file(part, largest)
        # One at a time: each must know what those before it have left.
        async with self._unpacking:
            packed = part.size
            room = read_free_disk(self._parts.parent) - self._settings.min_free_disk
            if total is not None:
                room = min(room, max(packed, total - self._ledger.kept_bytes()))
            try:
                return await finish_file(part, min(room, largest or room))
            except TooLarge:
                if largest is not None and part.size > largest:
                    raise
                await run_in_thread(part.remove)
                part.begin(part.headers)
                raise NoAnswer("unpacks to more than the bytes left", again=False) from None

    async def _keep(self, transfer: Transfer) -> None:
        """Place the finished file, unless a file with the same bytes exists."""
        transfer.close_body()
        part = transfer.part
        finished = await self._finish(part)
        # A login page served in place of a file must not replace the version that is kept.
        if finished.suspicion and self._ledger.has_file(part.url):
            await run_in_thread(part.remove)
            raise NoAnswer(finished.suspicion, again=False)
        # One at a time: of two equal files that end together, the second must find the first.
        async with self._placing:
            name = name_for(part.url, part.headers, part.beginning)
            file = self._ledger.file_with(finished.sha256)
            # A file with this name is this one, placed before a crash.
            status = "complete" if file in (None, name) else "duplicate"
            if file is None:
                file = await run_in_thread(
                    self._placer.place, part.result, name, part.url, finished.sha256
                )
            status = "suspicious" if finished.suspicion else status
            note = finished.suspicion or finished.note
            self._ledger.finished(_record(part, file, status, note, finished))
        await run_in_thread(part.remove)


async def _unattached(_url: str, _start: int, _validator: str) -> Body:
    raise NoAnswer("no connection to continue with", again=False)


def _record(
    part: PartialFile, file: str, status: str, note: str, finished: FinishedFile
) -> FileRecord:
    return FileRecord(
        part.url,
        file,
        finished.size,
        finished.sha256,
        _mime_type(part.headers),
        part.headers.get("last-modified", ""),
        status,
        note,
        part.headers.get("etag", ""),
    )


def _unkept(url: str, headers: Mapping[str, str], size: int) -> FileRecord:
    modified = headers.get("last-modified", "")
    return FileRecord(url, "", size, "", _mime_type(headers), modified, "too large")


def _mime_type(headers: Mapping[str, str]) -> str:
    found = parse_content_type(headers.get("content-type", ""))
    return found.essence if found else ""
