"""Read bodies of answers in sandboxed worker processes, without blocking the event loop.

If a body takes too long, needs too much memory or crashes its reader, only its answer is lost.
"""

import asyncio
import json
import os
import pickle
import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Self

from datahound.errors import StorageError
from datahound.model import Answer, Fetch, Purpose, ReadingFailure, Response
from datahound.readers import is_readable
from datahound.readers.job import (
    BodyReading,
    ReadBody,
    ReadingJob,
    ResultReader,
    pack_result,
    unreadable,
)
from datahound.sandbox import Job, OutOfTime, explain_death, worker_command, worker_environment
from datahound.settings import PageSettings

SECONDS = 10.0
"""Time for one body."""
MEMORY_BYTES = 1 << 30
"""Address space of a worker."""
_GRACE_SECONDS = 60.0
"""A worker ends itself when its time is over, and is killed this long after. On a busy machine a
worker may take many seconds to start, and no page should be lost for that."""
_DEATH_SECONDS = 5.0
"""A worker that closed its output ends within this time."""
_SMALL_BYTES = 64 << 10
"""Recorded pages up to this size are read on the event loop, in a few milliseconds."""
_MAX_WORKERS = 4
_JOBS_PER_WORKER = 2000
"""Parsers leak memory, so a worker is replaced after this many."""
# The default of asyncio is 64 KiB per line.
_MAX_LINE = 64 << 20
_HANDLER = "datahound.engines.reading_pool:handle_job"


@dataclass(slots=True)
class _Worker:
    process: asyncio.subprocess.Process
    done: int = 0


class ReadingPool:
    """A few worker processes, started when needed, and ended when the context is left."""

    def __init__(
        self,
        count: int | None = None,
        *,
        seconds: float = SECONDS,
        memory_bytes: int = MEMORY_BYTES,
    ) -> None:
        self._count = count or min(_MAX_WORKERS, os.cpu_count() or 1)
        self._seconds = seconds
        self._memory = memory_bytes
        self._turns = asyncio.Semaphore(self._count)
        self._idle: list[_Worker] = []
        self._all: list[_Worker] = []
        self._jobs = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for worker in list(self._all):
            await self._end(worker)

    async def read(self, job: ReadingJob) -> ReadBody:
        """Decode and read a body; no content of a body makes it raise an error."""
        async with self._turns:
            worker = self._idle.pop() if self._idle else await self._start()
            try:
                result = await self._ask(worker, job)
            except BaseException:
                # Cancelled while the worker answers: the next job must not get the rest of that.
                await self._end(worker)
                raise
            if worker in self._all:
                self._idle.append(worker)
            return result

    async def _ask(self, worker: _Worker, job: ReadingJob) -> ReadBody:
        self._jobs += 1
        order = Job(self._jobs, job, self._seconds, self._memory, needs_scratch=False)
        try:
            async with asyncio.timeout(self._seconds + _GRACE_SECONDS):
                result = await self._exchange(worker, order)
        except TimeoutError:
            await self._end(worker)
            return unreadable(ReadingFailure.TOO_SLOW)
        except (OSError, EOFError, ValueError, LookupError, TypeError):
            with suppress(TimeoutError):
                await asyncio.wait_for(worker.process.wait(), _DEATH_SECONDS)
            failure = explain_death(worker.process.returncode, order)
            await self._end(worker)
            return unreadable(
                ReadingFailure.TOO_SLOW if failure.too_slow else ReadingFailure.BREAKS_READER
            )
        worker.done += 1
        if worker.done >= _JOBS_PER_WORKER or result.unreadable:
            await self._end(worker)
        return result

    async def _exchange(self, worker: _Worker, order: Job) -> ReadBody:
        stdin, stdout = worker.process.stdin, worker.process.stdout
        assert stdin is not None
        assert stdout is not None
        # Pickle goes to the worker only; what comes back is JSON, since a hostile page may have
        # taken the worker over.
        stdin.write(pickle.dumps(order))
        await stdin.drain()
        answer = ResultReader(order.payload)
        while answer.result is None:
            line = await stdout.readline()
            if not line:
                raise EOFError
            if answer.take(json.loads(line)):
                break
            # `readline` does not wait for lines that have come already, so let other tasks run.
            await asyncio.sleep(0)
        assert answer.result is not None
        return answer.result

    async def _start(self) -> _Worker:
        command = worker_command(_HANDLER, Path(tempfile.gettempdir()) / "datahound-reading")
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_MAX_LINE,
                # Ctrl-C must not reach the workers: the parent ends them itself.
                start_new_session=True,
                env=worker_environment(),
            )
        except OSError as error:
            raise StorageError(f"no process to read pages can be started: {error}") from None
        worker = _Worker(process)
        self._all.append(worker)
        return worker

    async def _end(self, worker: _Worker) -> None:
        if worker not in self._all:
            return
        self._all.remove(worker)
        with suppress(ProcessLookupError):
            worker.process.kill()
        await worker.process.wait()


def handle_job(job: ReadingJob, _scratch: Path) -> list[dict[str, Any]]:
    """Do one job in a worker."""
    try:
        return pack_result(job, _make_reading().read(job))
    except OutOfTime:
        reason = ReadingFailure.TOO_SLOW
    except MemoryError:
        reason = ReadingFailure.TOO_LARGE
    return [{"unreadable": reason.value, "end": True}]


@cache
def _make_reading() -> BodyReading:
    """One for all jobs of a worker, because it caches the URLs that it has joined."""
    return BodyReading()


async def read_recorded(
    pool: ReadingPool, fetch: Fetch, answer: Answer, settings: PageSettings
) -> Answer:
    """Read a recorded page in the pool, if it is large enough to block the event loop."""
    if not isinstance(answer, Response) or len(answer.body) <= _SMALL_BYTES or answer.unreadable:
        return answer
    is_list = fetch.purpose is Purpose.LIST
    if not (200 <= answer.status < 300 and (is_list or is_readable(answer))):
        return answer
    # Recorded bodies are decoded already.
    headers = {name: answer.headers[name] for name in answer.headers if name != "content-encoding"}
    job = ReadingJob(answer.url, headers, answer.body, len(answer.body), settings, is_list)
    read = await pool.read(job)
    return replace(answer, page=read.page, unreadable=read.unreadable)
