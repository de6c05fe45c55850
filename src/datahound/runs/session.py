"""A crawl while it runs: pause and stop, the heartbeat, periodic work and what observers see."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from datahound.engines.live import WebGetter
from datahound.errors import DatahoundError
from datahound.http.politeness import Waiting
from datahound.model import Answer, Fetch, Response
from datahound.runs.progress import Progress
from datahound.store.folder import PAUSE, STOP, clear_command, read_command
from datahound.store.writer import Store
from datahound.web.urls import host_of

_T = TypeVar("_T")
RECEIVED = "received"
"""The fact that keeps the bytes received."""
_READ_CONTROL_SECONDS = 0.25
_HEARTBEAT_SECONDS = 1.0
_CHECKPOINT_SHARE = 0.01
_ANSWERS_PER_SECOND = 4
"""Crawls that get fewer write fewer checkpoints: a resumed one replays its journal from there."""
_QUIET_SECONDS = 0.1
_SHOWN_HOSTS = 200
_LARGE_BODY = 1 << 20
"""Larger bodies are compressed for the journal in a thread, beside the event loop."""
_SHOWN_FETCHES = 20
_LIST_SECONDS = 60.0
_TIDY_SECONDS = 30.0
_SYNC_SECONDS = 2.0


class Gate:
    """Holds back every new request while the crawl is paused; calls `stop` when asked to stop."""

    def __init__(
        self,
        control: Path,
        stop: Callable[[], None],
        may_ask: Callable[[], bool] | None = None,
    ) -> None:
        self._control = control
        self._stop = stop
        self._may_ask = may_ask
        self.paused = False

    def reset(self) -> None:
        """Remove a command that an earlier crawl in the folder left behind."""
        # A `stop` that nobody read would end the next run at once.
        clear_command(self._control)
        self.paused = False

    def read_control(self) -> None:
        """Obey the command in the control file, if there is one."""
        if self._may_ask is not None and not self._may_ask():
            # Another process may have taken the crawl over: make no further request.
            self.paused = True
            self._stop()
            return
        word = read_command(self._control)
        self.paused = word == PAUSE
        # Only `stop` is removed: `pause` holds until `continue` takes its place.
        if word == STOP:
            clear_command(self._control)
            self._stop()

    async def hold(self) -> None:
        """Return if the crawl belongs to this process; else stop it, and wait for its end.

        A machine that was frozen while it connected must not send what it was about to send.
        """
        if self._may_ask is not None and not self._may_ask():
            self.read_control()
            await asyncio.get_running_loop().create_future()

    async def wait_open(self) -> None:
        """Return once the crawl is not paused."""
        self.read_control()
        while self.paused:
            await asyncio.sleep(_READ_CONTROL_SECONDS)
            self.read_control()

    async def sleep(self, seconds: float) -> None:
        """Sleep for the time given, and longer if the crawl is paused at its end."""
        await asyncio.sleep(seconds)
        await self.wait_open()


class NoWeb:
    """Answers nothing; sets `needed` once the crawl makes no progress without the web."""

    def __init__(self, count_answers: Callable[[], int]) -> None:
        self.needed = asyncio.Event()
        self._count_answers = count_answers

    async def get(self, _fetch: Fetch) -> Answer:
        # Other answers may still come from the journal: only when none did is the web needed.
        before = -1
        while (now := self._count_answers()) != before:
            before = now
            await asyncio.sleep(_QUIET_SECONDS)
        self.needed.set()
        forever: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        return await forever


class ObservedWeb:
    """Passes fetches on to the web, and lists those under way in the progress."""

    def __init__(
        self,
        web: WebGetter,
        progress: Progress,
        gate: Gate | None = None,
        pack: Callable[[Fetch, Answer], None] | None = None,
    ) -> None:
        self._web = web
        self._progress = progress
        self._gate = gate
        self._pack = pack

    async def get(self, fetch: Fetch) -> Answer:
        if self._gate:
            await self._pass_gate(self._gate)
        self._progress.begin_fetch(fetch, time.time())
        try:
            answer = await self._web.get(fetch)
            if self._pack and isinstance(answer, Response) and len(answer.body) > _LARGE_BODY:
                await asyncio.to_thread(self._pack, fetch, answer)
            return answer
        finally:
            self._progress.end_fetch(fetch)

    async def _pass_gate(self, gate: Gate) -> None:
        gate.read_control()
        if gate.paused:
            self._progress.paused = True
            await gate.wait_open()
            self._progress.forget_pace()
        self._progress.paused = False


class ByteBudget:
    """The bytes that a crawl has received, in earlier processes too, and may receive."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._before = self._earlier = 0

    def recall(self, store: Store) -> None:
        """Take up the count of earlier processes."""
        self._before = store.fact(RECEIVED) or 0
        rounds = store.fact("rounds")
        # A round has the whole budget: what earlier ones received does not count.
        self._earlier = rounds[-1].get("received", 0) if rounds else 0

    def keep(self, store: Store, received: int) -> None:
        store.note(RECEIVED, self._before + received)

    def is_spent(self, received: int) -> bool:
        spent = self._before + received - self._earlier
        return self._most is not None and spent >= self._most


class CheckpointPace:
    """Spaces checkpoints so that they take at most about one percent of the time.

    A polite crawl has few answers to lose between two of them, and one checkpoint is half a
    megabyte: two hundred crawls that wrote one every five seconds would keep a disk busy.
    """

    def __init__(
        self, min_seconds: float = 5.0, now: Callable[[], float] = time.perf_counter
    ) -> None:
        self._min_seconds = min_seconds
        self._now = now
        self._next = now() + min_seconds
        self._answers = 0

    def write_if_due(self, write: Callable[[], None]) -> bool:
        """Write a checkpoint if it is due after one more answer; whether it was."""
        begun = self._now()
        self._answers += 1
        enough = self._answers >= _ANSWERS_PER_SECOND * self._min_seconds
        if begun < self._next or (not enough and begun < self._next + 5 * self._min_seconds):
            return False
        self._answers = 0
        write()
        ended = self._now()
        # Spaced by their own cost: a large crawl makes large checkpoints, and fewer of them.
        self._next = ended + max(self._min_seconds, (ended - begun) / _CHECKPOINT_SHARE)
        return True


async def write_backlog(store: Store) -> None:
    """Write the remaining rows of long lists, and let other crawls run in between."""
    while store.is_behind:
        await asyncio.sleep(0)
        store.write_some()


class Chore:
    """Periodic work, in a thread and never twice at a time."""

    def __init__(self, work: Callable[[], object], every_seconds: float) -> None:
        self._work = work
        self._every = every_seconds
        self._next = time.monotonic() + every_seconds
        self._task: asyncio.Task[object] | None = None

    def start_if_due(self) -> None:
        """Start the work if it is due; raises what the work before it raised."""
        if time.monotonic() < self._next or (self._task and not self._task.done()):
            return
        # An error of a thread, such as a full disk, is raised here, where the crawl can end.
        if self._task:
            self._task.result()
        self._next = time.monotonic() + self._every
        self._task = asyncio.create_task(asyncio.to_thread(self._work))

    async def wait_done(self) -> None:
        """Wait until the work under way has ended."""
        if self._task:
            await self._task
            self._task = None


def make_chores(store: Store, sync_journal: Callable[[], object], datasets: Path) -> list[Chore]:
    """The work that is done every few seconds while a crawl makes requests."""
    return [
        Chore(store.tidy, _TIDY_SECONDS),
        Chore(sync_journal, _SYNC_SECONDS),
        Chore(store.sync, _SYNC_SECONDS),
        Chore(lambda: store.write_datasets(datasets), _LIST_SECONDS),
    ]


@asynccontextmanager
async def held_in_thread(context: AbstractContextManager[_T]) -> AsyncIterator[_T]:
    """Enter and leave a context in a thread, since it waits for the disk.

    Other crawls in the event loop go on meanwhile.
    """
    entering = asyncio.ensure_future(asyncio.to_thread(context.__enter__))
    try:
        entered = await asyncio.shield(entering)
    except asyncio.CancelledError:
        # A thread goes on when its task is cancelled: what it opens must be closed.
        await asyncio.wait([entering])
        if entering.exception() is None:
            await asyncio.to_thread(context.__exit__, None, None, None)
        raise
    try:
        yield entered
    except BaseException as error:
        if not await _leave(context, error):
            raise
    else:
        await _leave(context, None)


async def _leave(context: AbstractContextManager[_T], error: BaseException | None) -> bool:
    """Leave a context in a thread, whatever happens; whether it swallows the error."""
    traceback = error.__traceback__ if error else None
    leaving = asyncio.ensure_future(
        asyncio.to_thread(context.__exit__, type(error) if error else None, error, traceback)
    )
    try:
        return bool(await asyncio.shield(leaving))
    except asyncio.CancelledError:
        await asyncio.wait([leaving])
        raise


@asynccontextmanager
async def run_heartbeat(
    beat: Callable[[], None], stop: asyncio.Event, every_seconds: float = _HEARTBEAT_SECONDS
) -> AsyncIterator[None]:
    """Call `beat` once per second during the block; an error of it sets `stop` and is raised."""
    errors: list[DatahoundError] = []

    async def go() -> None:
        while True:
            await asyncio.sleep(every_seconds)
            try:
                beat()
            except DatahoundError as error:
                # A full disk must end the crawl, and the block is where the caller waits.
                errors.append(error)
                stop.set()
                return

    task = asyncio.create_task(go())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    if errors:
        raise errors[0]


def describe_activity(
    progress: Progress, paces: Mapping[str, Waiting], *, paused: bool, files_under_way: int
) -> dict[str, Any]:
    """The oldest fetches under way, what each waits for, and the pace of each host, as JSON."""
    fetching = [
        {
            "url": under_way.fetch.url,
            "purpose": under_way.fetch.purpose.value,
            "since": round(under_way.since, 1),
            "waiting_for": progress.waiting_for(host_of(url)),
        }
        for url, under_way in islice(progress.fetching.items(), _SHOWN_FETCHES)
    ]
    hosts = {
        name: {"seconds": round(pace.seconds, 2), "why": pace.reason}
        for name, pace in islice(paces.items(), _SHOWN_HOSTS)
    }
    return {
        "fetching": fetching,
        "fetches": len(progress.fetching),
        "phase": progress.phase,
        "paused": paused,
        "waiting_links": progress.waiting,
        "files_under_way": files_under_way,
        "hosts": hosts,
        "figures": asdict(progress.figures),
    }
