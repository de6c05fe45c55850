"""Workers that look into files with limits: whatever a file does to one, the next is fresh."""

import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from datahound.catalog.readers.limits import Limits

_ANSWER_BYTES = 256 << 20
_GRACE = 1.5
_GRACE_SECONDS = 5.0
_LIFE = 300
"""Files that a worker looks into before a fresh one takes its place."""
_DEATHS: dict[int, str] = {
    signal.SIGABRT: "needs more memory than is allowed, or breaks its reader",
    signal.SIGSEGV: "breaks its reader (it crashed)",
    signal.SIGBUS: "breaks its reader (it crashed)",
    signal.SIGKILL: "its reader was killed, as if out of memory",
    signal.SIGXFSZ: "unpacks to more than is allowed",
}


@dataclass(frozen=True, slots=True)
class Job:
    """A file to look into."""

    key: int
    path: Path
    name: str


@dataclass(slots=True)
class _Worker:
    process: "subprocess.Popen[bytes]"
    scratch: Path
    job: Job | None = None
    deadline: float = 0.0
    done: int = 0
    buffer: bytearray = field(default_factory=bytearray)


class Workers:
    """A few processes; use it as a context, at the end of which none is left."""

    def __init__(self, scratch: Path, limits: Limits, count: int | None = None) -> None:
        self._scratch = scratch
        self._limits = limits
        self._count = max(1, count or min(4, os.cpu_count() or 1))
        self._workers: list[_Worker] = []
        self._made = 0
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in list(self._workers):
            self._end(worker)
        self._selector.close()

    def look_all(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, dict[str, Any]]]:
        """Look into all files; answers come as they are ready."""
        waiting = iter(jobs)
        more = True
        while True:
            while more and self._idle():
                job = next(waiting, None)
                if job is None:
                    more = False
                else:
                    self._give(job)
            if not any(worker.job for worker in self._workers):
                return
            yield from self._wait()

    def _idle(self) -> bool:
        return len(self._workers) < self._count or any(w.job is None for w in self._workers)

    def _give(self, job: Job) -> None:
        worker = next((w for w in self._workers if w.job is None), None) or self._start()
        worker.job = job
        worker.deadline = time.monotonic() + self._limits.seconds * _GRACE + _GRACE_SECONDS
        line = json.dumps({"path": str(job.path), "name": job.name}) + "\n"
        try:
            assert worker.process.stdin is not None
            worker.process.stdin.write(line.encode())
            worker.process.stdin.flush()
        except BrokenPipeError:
            worker.deadline = 0.0

    def _start(self) -> _Worker:
        self._made += 1
        scratch = self._scratch / f"worker-{self._made}"
        settings = json.dumps({"limits": self._limits.plain(), "scratch": str(scratch)})
        threads = max(1, (os.cpu_count() or 1) // self._count)
        process = subprocess.Popen(
            [sys.executable, "-m", "datahound.catalog.worker", settings],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Away from the terminal's signals: an interrupted catalogue ends its workers itself.
            start_new_session=True,
            env={**os.environ, "POLARS_MAX_THREADS": str(threads), "MALLOC_ARENA_MAX": "2"},
        )
        worker = _Worker(process, scratch)
        self._workers.append(worker)
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        self._selector.register(process.stdout, selectors.EVENT_READ, worker)
        return worker

    def _wait(self) -> Iterator[tuple[Job, dict[str, Any]]]:
        now = time.monotonic()
        deadline = min(worker.deadline for worker in self._workers if worker.job)
        for key, _ in self._selector.select(max(0.0, deadline - now)):
            yield from self._hear(key.data)
        now = time.monotonic()
        for worker in [w for w in self._workers if w.job and w.deadline <= now]:
            job = worker.job
            self._end(worker)
            if job:
                yield job, _failure(self._too_slow)

    def _hear(self, worker: _Worker) -> Iterator[tuple[Job, dict[str, Any]]]:
        assert worker.process.stdout is not None
        piece = os.read(worker.process.stdout.fileno(), 1 << 20)
        job = worker.job
        worker.buffer += piece
        if piece and not piece.endswith(b"\n"):
            if len(worker.buffer) > _ANSWER_BYTES:
                self._end(worker)
                if job:
                    yield job, _failure("has more to say than there is room for")
            return
        answer = _decoded(bytes(worker.buffer)) if piece else None
        if answer is None:
            with suppress(subprocess.TimeoutExpired):
                worker.process.wait(_GRACE_SECONDS if not piece else 0.0)
            self._end(worker)
            code = worker.process.returncode
            answer = _failure(self._too_slow if code == -signal.SIGALRM else _death(code))
        else:
            worker.buffer.clear()
            worker.job = None
            worker.done += 1
            if worker.done >= _LIFE:
                self._end(worker)
        if job:
            yield job, answer

    @property
    def _too_slow(self) -> str:
        return f"took longer than {self._limits.seconds:.0f} s"

    def _end(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        process = worker.process
        assert process.stdout is not None
        assert process.stdin is not None
        self._selector.unregister(process.stdout)
        process.kill()
        process.wait()
        process.stdout.close()
        with suppress(BrokenPipeError):
            process.stdin.close()
        shutil.rmtree(worker.scratch, ignore_errors=True)


def _decoded(line: bytes) -> dict[str, Any] | None:
    try:
        answer = json.loads(line)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def _failure(reason: str) -> dict[str, Any]:
    return {"format": "unknown", "encoding": "", "delimiter": "", "title": "", "tables": [],
            "error": reason}  # fmt: skip


def _death(code: int | None) -> str:
    return _DEATHS.get(-(code or 0), "breaks its reader")
