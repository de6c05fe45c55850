"""A process that looks into files, one after the other, and may be killed at any time.

It reads one job a line from its standard input and answers each with one line of JSON.
"""

import json
import os
import resource
import shutil
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from datahound.catalog.inspect import Look, OutOfTime, look
from datahound.catalog.readers.limits import Limits
from datahound.catalog.readers.task import Task

_LARGE = 64 << 20
_GRACE = 1.25
"""By how much the time that ends the process is longer than the one that ends the looking."""


def main() -> None:
    """Answer jobs until there are none."""
    settings = json.loads(sys.argv[1])
    limits, scratch = Limits(**settings["limits"]), Path(settings["scratch"])
    # What libraries print must not get between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    signal.signal(signal.SIGALRM, _out_of_time)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.unpacked_bytes * 2,) * 2)
    for line in sys.stdin:
        job = json.loads(line)
        found = _answer(job, limits, scratch)
        answers.write(json.dumps(found.plain(), ensure_ascii=True, allow_nan=False) + "\n")
        answers.flush()


def _answer(job: dict[str, Any], limits: Limits, scratch: Path) -> Look:
    path = Path(job["path"])
    # Delimited files are mapped into memory, which counts as address space though it is none.
    mapped = size if (size := path.stat().st_size) > _LARGE else 0
    most = limits.memory_bytes + mapped
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
    scratch.mkdir(parents=True, exist_ok=True)
    signal.setitimer(signal.ITIMER_REAL, limits.seconds, limits.seconds * (_GRACE - 1))
    try:
        return look(path, Task(limits, scratch, name=job["name"]))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        shutil.rmtree(scratch, ignore_errors=True)


def _out_of_time(_signal: int, _frame: FrameType | None) -> NoReturn:
    # The next one ends the process: for a library that never comes back, though its parent is gone.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    raise OutOfTime


if __name__ == "__main__":
    main()
