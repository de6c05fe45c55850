"""A process that reads tables and writes them: whatever a file does to it, the rest goes on."""

import multiprocessing
import os
import resource
import shutil
import signal
import tempfile
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Self

from datahound.catalog.exports.tables import Exported, Unreadable
from datahound.catalog.readers.limits import Limits
from datahound.errors import StorageError

_LEAST_SECONDS = 300.0
_BYTES_A_SECOND = 100_000
_THREADS = "4"


class TableWorker:
    """Writes tables in another process, with limits; use it as a context."""

    def __init__(self, module: str, scratch: Path, limits: Limits | None = None) -> None:
        self._module = module
        """The one whose `write_table` is called."""
        self._scratch = scratch
        self._limits = limits or Limits()
        self._process: BaseProcess | None = None
        self._pipe: Connection[Any, Any] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def write(self, exported: Exported, draft: Path) -> None:
        """Write a table as the draft of its file."""
        pipe = self._pipe or self._start()
        seconds = _seconds_for(exported)
        try:
            pipe.send((exported, draft))
            answered = pipe.poll(seconds)
            kind, said = pipe.recv() if answered else ("unreadable", "took too long to read again")
        except (EOFError, OSError):
            answered, kind, said = (
                False,
                "unreadable",
                "breaks its reader, or needs too much memory",
            )
        except BaseException:
            self._end()
            raise
        if not answered:
            self._end()
        if kind == "unreadable":
            raise Unreadable(said)
        if kind == "storage":
            raise StorageError(said)

    def _start(self) -> "Connection[Any, Any]":
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._scratch.mkdir(parents=True, exist_ok=True)
        arguments = (theirs, self._module, str(self._scratch), self._limits.memory_bytes)
        self._process = context.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()
        theirs.close()
        return self._pipe

    def _end(self) -> None:
        # Whoever interrupts us may do so here, too: the folder goes all the same.
        try:
            if self._process is not None:
                self._process.kill()
                self._process.join()
                self._process.close()
            if self._pipe is not None:
                self._pipe.close()
            self._process = self._pipe = None
        finally:
            shutil.rmtree(self._scratch, ignore_errors=True)


def _seconds_for(exported: Exported) -> float:
    return _LEAST_SECONDS + exported.entry.bytes / _BYTES_A_SECOND


def _serve(pipe: "Connection[Any, Any]", module: str, scratch: str, memory: int) -> None:
    """Answer each table with how it went, until there are none."""
    # The one who started us is told of an interruption, and ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ.setdefault("POLARS_MAX_THREADS", _THREADS)
    tempfile.tempdir = scratch
    write = import_module(module).write_table
    with suppress(EOFError, OSError):
        while True:
            exported, draft = pipe.recv()
            most = memory + exported.entry.bytes
            resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
            # Ends the process, should whoever started it be gone by then.
            signal.setitimer(signal.ITIMER_REAL, 2 * _seconds_for(exported))
            pipe.send(_outcome(write, exported, draft))


def _outcome(write: Any, exported: Exported, draft: Path) -> tuple[str, str]:
    try:
        write(exported, draft)
    except Unreadable as error:
        return "unreadable", str(error)
    except StorageError as error:
        return "storage", str(error)
    except MemoryError:
        return "unreadable", "needs more memory than is allowed"
    except Exception as error:  # noqa: BLE001 the outermost loop: told in one line
        return "unreadable", f"could not be written: {type(error).__name__}"
    return "written", ""
