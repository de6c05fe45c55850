"""Sandboxed worker processes: input that crashes, hangs or exhausts memory costs one job.

A worker reads pickled jobs from its standard input and answers each with one line of JSON, or with
several where a job has a list of answers: then the last of them has the key `end`. Answers are JSON
because hostile input may have taken over the worker, and unpickling can run code.
"""

import json
import os
import pickle
import resource
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn, Self

# A new interpreter, not a fork, so that a worker shares no memory, sockets or locks with us.
_SERVE = "import sys; from datahound.sandbox import serve; serve(*sys.argv[1:])"
# The answer is held in our memory, and the worker may be hostile.
_MAX_ANSWER_BYTES = 256 << 20
_KILL_FACTOR = 1.25
"""A worker kills itself after this multiple of a job's seconds, even if its parent is gone."""
_PARENT_FACTOR, _PARENT_SECONDS = 1.5, 5.0
_JOBS_PER_WORKER = 300
_DEATHS: dict[int, str] = {
    signal.SIGABRT: "needs more memory than is allowed, or breaks its reader",
    signal.SIGSEGV: "breaks its reader (it crashed)",
    signal.SIGBUS: "breaks its reader (it crashed)",
    signal.SIGKILL: "its reader was killed, as if out of memory",
    signal.SIGXFSZ: "unpacks to more than is allowed",
}

Handler = Callable[[Any, Path], "dict[str, Any] | list[dict[str, Any]]"]
"""Takes a job's payload and a scratch folder; what it returns is sent back as JSON."""


class OutOfTime(BaseException):
    """The seconds of a job are over; raised by a signal, in whatever code is running."""


@dataclass(frozen=True, slots=True)
class Job:
    """A payload for the handler, and what the worker may spend on it."""

    key: int
    payload: Any
    seconds: float
    memory_bytes: int
    """Address space of the worker."""
    file_bytes: int | None = None
    """Largest file that the worker may write."""
    needs_scratch: bool = True
    """Whether the handler gets a scratch folder of its own."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a job has no answer: it took too long, or its worker died."""

    reason: str
    too_slow: bool = False


@dataclass(slots=True)
class _Worker:
    process: "subprocess.Popen[bytes]"
    scratch: Path
    job: Job | None = None
    deadline: float = 0.0
    done: int = 0
    buffer: bytearray = field(default_factory=bytearray)


def worker_command(handler: str, scratch: Path) -> list[str]:
    """The command that starts a worker; `handler` is `module:function`."""
    return [sys.executable, "-c", _SERVE, handler, str(scratch)]


def worker_environment() -> dict[str, str]:
    # glibc reserves address space per thread, which the limit of it counts.
    return {**os.environ, "MALLOC_ARENA_MAX": "2"}


def explain_death(code: int | None, job: Job | None) -> Failure:
    """Why a worker ended, by its exit status."""
    if code == -signal.SIGALRM and job:
        return _too_slow(job)
    return Failure(_DEATHS.get(-(code or 0), "breaks its reader"))


class Workers:
    """A pool of worker processes; leaving the context ends all of them.

    `handler` is the `module:function` that a worker calls with each job's payload.
    """

    def __init__(
        self, handler: str, scratch: Path, count: int | None = None, threads: int | None = None
    ) -> None:
        self._handler = handler
        self._scratch = scratch
        self._count = max(1, count or min(4, os.cpu_count() or 1))
        self._threads = threads or max(1, (os.cpu_count() or 1) // self._count)
        self._workers: list[_Worker] = []
        self._started = 0
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in list(self._workers):
            self._end(worker)
        self._selector.close()

    def run_all(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, dict[str, Any] | Failure]]:
        """Run all jobs; answers come in the order in which they are ready."""
        waiting = iter(jobs)
        more = True
        while True:
            while more and self._has_idle():
                job = next(waiting, None)
                if job is None:
                    more = False
                else:
                    self._send(job)
            if not any(worker.job for worker in self._workers):
                return
            yield from self._receive()

    def _has_idle(self) -> bool:
        return len(self._workers) < self._count or any(w.job is None for w in self._workers)

    def _send(self, job: Job) -> None:
        worker = next((w for w in self._workers if w.job is None), None) or self._start()
        worker.job = job
        worker.deadline = time.monotonic() + job.seconds * _PARENT_FACTOR + _PARENT_SECONDS
        try:
            assert worker.process.stdin is not None
            pickle.dump(job, worker.process.stdin)
            worker.process.stdin.flush()
        except BrokenPipeError:
            # It died between two jobs; with this deadline, `_receive` finds it overdue.
            worker.deadline = 0.0

    def _start(self) -> _Worker:
        self._started += 1
        scratch = self._scratch / f"worker-{self._started}"
        process = subprocess.Popen(
            worker_command(self._handler, scratch),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Ctrl-C must not reach the workers: the parent ends them itself.
            start_new_session=True,
            env={**worker_environment(), "POLARS_MAX_THREADS": str(self._threads)},
        )
        worker = _Worker(process, scratch)
        self._workers.append(worker)
        assert process.stdout is not None
        # A worker may send half a line and stop.
        os.set_blocking(process.stdout.fileno(), False)
        self._selector.register(process.stdout, selectors.EVENT_READ, worker)
        return worker

    def _receive(self) -> Iterator[tuple[Job, dict[str, Any] | Failure]]:
        deadline = min(worker.deadline for worker in self._workers if worker.job)
        for key, _ in self._selector.select(max(0.0, deadline - time.monotonic())):
            worker, job = key.data, key.data.job
            answer = self._read(worker)
            if job and answer is not None:
                yield job, answer
        now = time.monotonic()
        for worker in [w for w in self._workers if w.job and w.deadline <= now]:
            job = worker.job
            self._end(worker)
            if job:
                yield job, _too_slow(job)

    def _read(self, worker: _Worker) -> dict[str, Any] | Failure | None:
        """Read what a worker has written; None as long as its answer is not complete."""
        assert worker.process.stdout is not None
        piece = os.read(worker.process.stdout.fileno(), 1 << 20)
        worker.buffer += piece
        if piece and not piece.endswith(b"\n"):
            if len(worker.buffer) <= _MAX_ANSWER_BYTES:
                return None
            self._end(worker)
            return Failure("the answer of its reader is too large")
        answer = _parse_answer(bytes(worker.buffer)) if piece else None
        if answer is None:
            return self._bury(worker, closed=not piece)
        worker.buffer.clear()
        worker.job = None
        worker.done += 1
        # Libraries leak memory: a worker is replaced before that matters.
        if worker.done >= _JOBS_PER_WORKER:
            self._end(worker)
        return answer

    def _bury(self, worker: _Worker, *, closed: bool) -> Failure:
        """End a worker that died or sent an invalid answer; returns why."""
        job = worker.job
        with suppress(subprocess.TimeoutExpired):
            worker.process.wait(_PARENT_SECONDS if closed else 0.0)
        self._end(worker)
        return explain_death(worker.process.returncode, job)

    def _end(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        process = worker.process
        assert process.stdout is not None
        assert process.stdin is not None
        # Even if Ctrl-C interrupts this at any line, the scratch folder is removed.
        try:
            self._selector.unregister(process.stdout)
            process.kill()
            process.wait()
            process.stdout.close()
            with suppress(BrokenPipeError):
                process.stdin.close()
        finally:
            shutil.rmtree(worker.scratch, ignore_errors=True)


def serve(handler: str, scratch: str) -> None:
    """Answer jobs from standard input until it is closed. The main function of a worker."""
    # Libraries print to standard output, which must not mix with the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    tempfile.tempdir = scratch
    module, _, function = handler.partition(":")
    handle: Handler = getattr(import_module(module), function)
    # Without core dumps, since thousands of workers may crash.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(EOFError):
        while True:
            answer = _run(pickle.load(sys.stdin.buffer), handle, Path(scratch))
            for line in answer if isinstance(answer, list) else [answer]:
                answers.write(json.dumps(line, ensure_ascii=True, allow_nan=False) + "\n")
            answers.flush()


def _run(job: Job, handle: Handler, scratch: Path) -> dict[str, Any] | list[dict[str, Any]]:
    _limit(resource.RLIMIT_AS, job.memory_bytes)
    if job.file_bytes is not None:
        _limit(resource.RLIMIT_FSIZE, job.file_bytes)
    if job.needs_scratch:
        scratch.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGALRM, _raise_out_of_time)
    # The second alarm comes if the first was ignored.
    signal.setitimer(signal.ITIMER_REAL, job.seconds, job.seconds * (_KILL_FACTOR - 1))
    try:
        return handle(job.payload, scratch)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if job.needs_scratch:
            shutil.rmtree(scratch, ignore_errors=True)


def _limit(kind: int, most: int) -> None:
    # Only the soft limit, which the next job may raise again, up to the hard one of the user.
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (most if hard < 0 else min(most, hard), hard))


def _raise_out_of_time(_signal: int, _frame: FrameType | None) -> NoReturn:
    # The next alarm ends the process: some libraries never return to Python.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    raise OutOfTime


def _parse_answer(line: bytes) -> dict[str, Any] | None:
    try:
        answer = json.loads(line)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def _too_slow(job: Job) -> Failure:
    return Failure(f"took longer than {job.seconds:.0f} s", too_slow=True)
