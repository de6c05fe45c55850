"""Files: bodies of targets streamed to disk in the background, whole or not at all."""

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from datahound.downloads.file_names import name_for
from datahound.downloads.finish import Kept, keep, place, storing
from datahound.downloads.partial_file import Part, TooLarge
from datahound.downloads.placement import Shelf
from datahound.downloads.transfer import Body, Job, OpenBody, length_of, receive
from datahound.errors import Unreachable
from datahound.http.wire import NoAnswer
from datahound.settings import DownloadSettings
from datahound.web import mime
from datahound.web.urls import host_of

_PROGRESS = 1 << 20
"""Bytes that an attempt must bring to count as one that brought something."""


@dataclass(frozen=True, slots=True)
class FileRecord:
    """What became of a target's body."""

    url: str
    file: str
    """Where it is, relative to the folder of files; '' if it was not kept."""
    bytes: int
    sha256: str
    mime_type: str
    last_modified: str
    status: str
    """`complete`, `duplicate` (the bytes of another URL), `suspicious` or `too large`."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A body that was begun, or only listed, and not ended."""

    url: str
    part: str = ""


class Ledger(Protocol):
    """Remembers what became of every body. Called from the event loop's thread only."""

    def started(self, url: str, part: str) -> None:
        """A body is on its way; once this returns, that outlives the process."""
        ...

    def finished(self, record: FileRecord) -> None: ...

    def failed(self, url: str, reason: str, final: bool) -> None:  # noqa: FBT001 as agreed
        """An attempt failed; a final one is not followed by another in this run."""
        ...

    def file_with(self, sha256: str) -> str | None:
        """The file that holds these bytes already."""
        ...

    def unfinished(self) -> list[Unfinished]: ...


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
        self._shelf = Shelf(folder)
        self._sleep = sleep
        self._open: OpenBody = _unattached
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._freed = asyncio.Event()
        self._turns = asyncio.Semaphore(self._settings.at_once)
        per_host = self._settings.per_host
        self._host_turns: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(per_host)
        )
        self._placing = asyncio.Lock()
        self._trouble: BaseException | None = None

    def attach(self, opener: OpenBody) -> None:
        """Where bodies are opened again from."""
        self._open = opener

    @property
    def under_way(self) -> int:
        """Bodies that are not yet files."""
        return len(self._tasks)

    async def take(self, url: str, headers: Mapping[str, str], stream: Body) -> None:
        """Keep an open body in the background; waits while too many others are under way."""
        limit, length = self._settings.max_file_size, length_of(headers)
        if limit is not None and length is not None and length > limit:
            stream.close()
            self._ledger.finished(_unkept(url, headers, length))
            return
        await self._wait_for_room()
        if url in self._tasks:
            stream.close()
            return
        part = Part(self._part_of(url), url)
        part.begin(headers)
        self._start(part, stream)

    async def resume(self, entries: Iterable[Unfinished]) -> None:
        """Go on with bodies that a crash or a stop cut short, or begin those that were listed."""
        for entry in entries:
            await self._wait_for_room()
            if entry.url not in self._tasks:
                part = Part(self._part_of(entry.url), entry.url)
                await storing(part.recover)
                self._start(part, None)

    async def close(self, wait: bool) -> None:  # noqa: FBT001 as agreed
        """End: once all is done, or now, so that it can be resumed."""
        while tasks := list(self._tasks.values()):
            if not wait:
                for task in tasks:
                    task.cancel()
            await asyncio.wait(tasks)
        if wait and self._trouble:
            raise self._trouble

    async def _wait_for_room(self) -> None:
        most = self._settings.at_once + self._settings.max_waiting
        while not self._trouble and len(self._tasks) >= most:
            self._freed.clear()
            await self._freed.wait()
        if self._trouble:
            raise self._trouble

    def _part_of(self, url: str) -> Path:
        return self._parts / (hashlib.sha256(url.encode()).hexdigest()[:20] + ".part")

    def _start(self, part: Part, body: Body | None) -> None:
        self._ledger.started(part.url, part.path.name)
        job = Job(part, body)
        task = self._tasks[part.url] = asyncio.create_task(self._run(job))
        # Not in the task itself: one that is cancelled before its first step does nothing at all.
        task.add_done_callback(partial(self._ended, job))

    def _ended(self, job: Job, task: "asyncio.Task[None]") -> None:
        job.hang_up()
        job.part.close()
        del self._tasks[job.part.url]
        if not task.cancelled() and (trouble := task.exception()):
            self._trouble = trouble
        self._freed.set()

    async def _run(self, job: Job) -> None:
        """One body in its turn, from beginning to end."""
        url = job.part.url
        try:
            async with self._host_turns[host_of(url)], self._turns:
                async with asyncio.timeout(self._settings.max_seconds):
                    await self._persist(job)
        except TimeoutError:
            self._ledger.failed(url, "took too long", final=True)
        except Unreachable as error:
            self._ledger.failed(url, str(error), final=False)

    async def _persist(self, job: Job) -> None:
        """Try until the body is kept, or it is clear that it won't be."""
        barren, part = 0, job.part
        while True:
            before = part.size
            trouble = await self._attempt(job)
            if trouble is None:
                return
            barren = 0 if part.size >= before + _PROGRESS else barren + 1
            final = not trouble.again or barren > self._settings.max_retries
            self._ledger.failed(part.url, trouble.reason, final=final)
            if final:
                return
            await self._sleep(self._settings.retry_seconds * 2 ** min(barren, 8))

    async def _attempt(self, job: Job) -> NoAnswer | None:
        """Receive and keep the body; what came between, if that can be mended."""
        try:
            await receive(job, self._open, self._settings.max_file_size, self._count)
            await self._keep(job)
        except NoAnswer as trouble:
            return trouble
        except TooLarge:
            self._ledger.finished(_unkept(job.part.url, job.part.headers, job.part.size))
            await storing(job.part.remove)
        finally:
            job.hang_up()
        return None

    def _count(self, received: int) -> None:
        self.bytes_received += received

    async def _keep(self, job: Job) -> None:
        """Make the finished part a file, unless its bytes are one already."""
        job.hang_up()
        part = job.part
        kept: Kept = await keep(part, self._settings.max_file_size)
        async with self._placing:
            name = name_for(part.url, part.headers, part.beginning)
            file = self._ledger.file_with(kept.sha256)
            # A file of this very name is this one, from before a crash.
            status = "complete" if file in (None, name) else "duplicate"
            if file is None:
                file = await place(self._shelf, part, name, kept.sha256)
            status = "suspicious" if kept.suspicion else status
            note = kept.suspicion or kept.note
            self._ledger.finished(_record(part, file, status, note, kept))
        await storing(part.remove)


async def _unattached(_url: str, _start: int, _validator: str) -> Body:
    raise NoAnswer("no connection to go on with", again=False)


def _record(part: Part, file: str, status: str, note: str, kept: Kept) -> FileRecord:
    return FileRecord(
        part.url,
        file,
        kept.size,
        kept.sha256,
        _mime_type(part.headers),
        part.headers.get("last-modified", ""),
        status,
        note,
    )


def _unkept(url: str, headers: Mapping[str, str], size: int) -> FileRecord:
    modified = headers.get("last-modified", "")
    return FileRecord(url, "", size, "", _mime_type(headers), modified, "too large")


def _mime_type(headers: Mapping[str, str]) -> str:
    found = mime.of_header(headers.get("content-type", ""))
    return found.essence if found else ""
