"""A watchdog of the event loop: how long it was kept from everything else, and by what."""

import asyncio
import gc
import time


class LoopWatch:
    """Times each callback that an event loop runs inside the context.

    In CPU time of the thread, so that other processes of the machine do not count; `wall` has the
    seconds on the clock, as waiting for a disk takes none of the CPU.
    """

    def __init__(self) -> None:
        self.longest = 0.0
        self.wall = 0.0
        self.culprit = ""

    def __enter__(self):
        # What earlier tests left behind is no work of this loop: the collector passes it over.
        gc.collect()
        gc.freeze()
        self._run = asyncio.Handle._run
        asyncio.Handle._run = self._timed(self._run)
        return self

    def __exit__(self, *_):
        asyncio.Handle._run = self._run
        gc.unfreeze()

    def _timed(self, run):
        def timed(handle):
            cpu, wall = time.thread_time(), time.perf_counter()
            run(handle)
            took = time.thread_time() - cpu
            self.wall = max(self.wall, time.perf_counter() - wall)
            if took > self.longest:
                self.longest, self.culprit = took, repr(handle)

        return timed
