"""Workers of a fleet that take turns at random, over a store that fails, and answers late or never.

Sessions, stations, boards and shippers are the real ones. Each worker has two threads, of which one
runs at a time: they change places before and after every request to the store. So a worker can be
frozen or killed between any two requests, while its clock goes on and others take its sites.
"""

import hashlib
import heapq
import random
import threading
from dataclasses import replace
from pathlib import Path

from datahound.errors import DatahoundError
from datahound.fleet.board import Board
from datahound.fleet.records import FleetSite, Group
from datahound.fleet.sessions import Moment, Session, Watch, try_renewal
from datahound.fleet.station import Station
from datahound.remote.manifest import MANIFEST, TakenOver, read_manifest, take_over
from datahound.remote.objects import RemoteError
from datahound.remote.pull import pull_folder
from datahound.remote.ship import FolderShipper

TERM, STEPS = 10.0, 4
_QUIET = 3000
"""From this turn on nothing fails, so that all sites can be finished."""
_MOST_TURNS = 60_000
_LEDGER = "ledger.txt"
_CONDITIONAL = ("create", "replace")
_WRITES = (*_CONDITIONAL, "put", "delete")


class Killed(BaseException):
    """The process is gone."""


class Turns:
    """Lets one thread run at a time, and decides which, when, and what befalls it."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.now, self.turns = 0.0, 0
        self.faults: list[BaseException] = []
        self._ready = threading.Event()
        self._threads: list[Thread] = []
        self._late: list[tuple[float, int, object]] = []

    @property
    def is_quiet(self) -> bool:
        return self.turns > _QUIET

    def start(self, process: "Process", function) -> None:
        self._threads.append(Thread(self, process, function))

    def come_later(self, seconds: float, function) -> None:
        """A request that the network delivers once more, when its sender has long forgotten it."""
        heapq.heappush(self._late, (self.now + seconds, len(self._late), function))

    def go(self) -> None:
        while self._threads and self.turns < _MOST_TURNS:
            self.turns += 1
            self.now += self.draw.expovariate(15.0)
            while self._late and self._late[0][0] <= self.now:
                heapq.heappop(self._late)[2]()
            able = [each for each in self._threads if each.is_able(self.now)]
            if not able:
                self.now = min(max(t.wakes, t.process.frozen_until) for t in self._threads)
                continue
            chosen = self.draw.choice(able)
            self._trouble(chosen.process)
            self._ready.clear()
            chosen.turn.set()
            self._ready.wait()
            self._threads = [each for each in self._threads if not each.is_over]
        assert not self.faults, self.faults
        assert not self._threads, "not all sites were finished"

    def _trouble(self, process: "Process") -> None:
        if self.is_quiet:
            return
        if self.draw.random() < 0.012:
            process.frozen_until = self.now + self.draw.uniform(1, 4 * TERM)
        if self.draw.random() < 0.004:
            process.is_killed = True

    def leave(self) -> None:
        self._ready.set()


class Thread(threading.Thread):
    """One of the two threads of a worker."""

    def __init__(self, turns: Turns, process: "Process", function) -> None:
        super().__init__(daemon=True)
        self.turn = threading.Event()
        self.process, self.wakes, self.is_over = process, 0.0, False
        self._turns, self._function = turns, function
        self.start()

    def is_able(self, now: float) -> bool:
        return max(self.wakes, self.process.frozen_until) <= now

    def run(self) -> None:
        self.turn.wait()
        self.turn.clear()
        self.process.threads[threading.get_ident()] = self
        try:
            self._function()
        except Killed:
            pass
        except BaseException as error:  # noqa: BLE001 the test fails with it
            self._turns.faults.append(error)
        self.is_over = True
        self._turns.leave()

    def pause(self, seconds: float = 0.0) -> None:
        self.wakes = self._turns.now + seconds
        self._turns.leave()
        self.turn.wait()
        self.turn.clear()
        if self.process.is_killed:
            raise Killed


class Process:
    """A worker process: its clock, and what befalls it."""

    def __init__(self, turns: Turns, name: str) -> None:
        self.turns, self.name = turns, name
        self.frozen_until, self.is_killed = 0.0, False
        self.threads: dict[int, Thread] = {}
        self._ahead = turns.draw.uniform(-1e6, 1e6)

    def clock(self) -> Moment:
        # The clocks on the wall differ by days, and one is set now and then.
        return Moment(self.turns.now, 1e9 + self._ahead + self.turns.now)

    def pause(self, seconds: float = 0.0) -> None:
        self.threads[threading.get_ident()].pause(seconds)


class BadStore:
    """The way of a process to the store: each request may fail, come twice, or lose its answer."""

    def __init__(self, objects, process: Process) -> None:
        self._objects, self._process = objects, process

    def __getattr__(self, name):
        function = getattr(self._objects, name)
        return lambda *given: self._request(name, function, given)

    def _request(self, name, function, given):
        turns, chance = self._process.turns, self._process.turns.draw.random()
        if name in _WRITES:
            # The network repeats the bytes that were sent, not what the file has by then.
            given = [each.read_bytes() if isinstance(each, Path) else each for each in given]
        self._process.pause()
        if turns.is_quiet:
            chance = 1.0
        if chance < 0.02:
            raise RemoteError("refused")
        answer = list(function(*given)) if name.startswith("list") else function(*given)
        if name in _WRITES and chance < 0.06:
            if name in _CONDITIONAL:
                answer = function(*given)  # tried again by the client, whose answer got lost
            turns.come_later(turns.draw.uniform(0, 3 * TERM), lambda: function(*given))
        self._process.pause()
        if 0.06 < chance < 0.09:
            raise RemoteError("no answer")
        return answer


class Noted:
    """The store itself; notes every version of every manifest."""

    def __init__(self, objects) -> None:
        self._objects = objects
        self.manifests: dict[str, list[tuple[int, int]]] = {}

    def __getattr__(self, name):
        return getattr(self._objects, name)

    def create(self, key, data):
        return self._note(key, self._objects.create(key, data))

    def replace(self, key, data, mark):
        return self._note(key, self._objects.replace(key, data, mark))

    def put(self, key, data):
        self._objects.put(key, data)
        self._note(key, "")

    def _note(self, key, mark):
        if key.endswith(MANIFEST) and mark is not None:
            there = read_manifest(self._objects, key.removesuffix(MANIFEST)).manifest
            self.manifests.setdefault(key, []).append((there.epoch, there.lease))
        return mark


class Below:
    """The objects below a prefix, as a place of their own."""

    def __init__(self, objects, prefix: str) -> None:
        self._objects, self._prefix = objects, prefix

    def __getattr__(self, name):
        function = getattr(self._objects, name)
        return lambda key, *given: function(self._prefix + key, *given)

    def list(self, prefix):
        found = self._objects.list(self._prefix + prefix)
        return [(key.removeprefix(self._prefix), size) for key, size in found]


class Trial:
    """A fleet of a few workers and sites."""

    def __init__(self, objects, folder: Path, seed: int, *, sites=3, workers=3) -> None:
        self.objects, self.folder = Noted(objects), folder
        self.turns = Turns(seed)
        self.asked: dict[str, list[str]] = {}
        """By site, the sessions that asked it, in their order."""
        self.started = 0
        board = Board(self.objects)
        self.sites = [FleetSite(f"https://s{n}/", f"s{n}") for n in range(sites)]
        for site in self.sites:
            board.put(site.slug, lambda _, s=site: Group(s.slug, (), (s,)))
        for _ in range(workers):
            self.start_worker()

    def go(self) -> None:
        self.turns.go()

    def start_worker(self) -> None:
        self.started += 1
        process = Process(self.turns, f"w{self.started}")
        self.turns.start(process, lambda: self._live(process))

    def _live(self, process: Process) -> None:
        try:
            while not self._work(process):
                process.pause(1.0)
        except Killed:
            self.start_worker()  # as Ray does
            raise

    def _work(self, process: Process) -> bool:
        """Work under one session; whether all sites are finished."""
        objects = BadStore(self.objects, process)
        try:
            session = Session(objects, process.name, TERM, process.clock, self._number)
        except DatahoundError:
            return False
        over = threading.Event()
        self.turns.start(process, lambda: _keep_renewing(process, session, over))
        station = Station(
            Board(objects), session, Watch(objects, TERM, process.clock), process.clock
        )
        crawls: dict[str, Crawl] = {}
        finished = False
        while not session.is_lost and not finished:
            process.pause(self.turns.draw.uniform(0, TERM / 8))
            try:
                station.look_around()
                if session.is_valid and len(station.held) < 2 and station.take_next() is None:
                    finished = station.look_at_others() and not station.held
                self._advance(objects, station, crawls, process)
            except DatahoundError:
                continue
        over.set()
        return finished

    def _number(self) -> str:
        return f"{self.turns.draw.getrandbits(48):012x}"

    def _advance(self, objects, station: Station, crawls, process: Process) -> None:
        """One step of each crawl; crawls of groups that are held no longer are dropped."""
        for key in list(crawls.keys() - station.held.keys()):
            del crawls[key]
        for key in list(station.held):
            if not station.session.is_valid:
                crawls.clear()
                return
            site = station.held[key].group.find_due(process.clock().wall)
            if site is None:
                crawls.pop(key, None)
                station.write(key, lambda group: replace(group, holder=""))
                continue
            try:
                if key not in crawls:
                    crawls[key] = Crawl(self, objects, station, key)
                if not crawls[key].advance():
                    continue
            except TakenOver:
                crawls.pop(key, None)
                continue
            except DatahoundError:
                crawls.pop(key, None)
                raise
            del crawls[key]
            done = site.finish(cause="exhausted", reason="", requests=STEPS, files=STEPS)
            station.write(key, lambda group, done=done: group.put(done))


class Crawl:
    """A crawl of a site: each step asks, keeps a file, notes its hash, and ships now and then."""

    def __init__(self, trial: Trial, objects, station: Station, key: str) -> None:
        self._trial, self._key, self._session = trial, key, station.session
        self._below = Below(objects, f"crawls/{key}/")
        self._folder = trial.folder / f"{key}-{trial.turns.draw.getrandbits(48):012x}"
        epoch = station.held[key].group.epoch
        shipped = take_over(self._below, station.session.name, lease=epoch)
        pull_folder(self._below, self._folder)
        self._folder.mkdir(exist_ok=True)
        self._shipper = FolderShipper(self._folder, self._below, shipped)

    def advance(self) -> bool:
        """Whether the crawl has ended, and all of it was shipped."""
        lines = _read_ledger(self._folder)
        if not self._session.is_valid:
            raise TakenOver("the session is old")
        if len(lines) == STEPS:
            self._shipper.ship(ended=True)
            return True
        self._trial.asked.setdefault(self._key, []).append(self._session.name)
        # Other bytes of the same length with every answer, as of pages that are made when asked.
        data = f"{self._trial.turns.draw.getrandbits(128):032x}".encode()
        name = _keep_file(self._folder / "files", f"{len(lines)}.csv", data)
        lines.append(f"{name} {hashlib.sha256(data).hexdigest()}")
        (self._folder / _LEDGER).write_text("\n".join(lines))
        if self._trial.turns.draw.random() < 0.5:
            self._shipper.ship()
        return False


def _keep_file(folder: Path, name: str, data: bytes) -> str:
    """As downloads do: a name is never written twice."""
    folder.mkdir(exist_ok=True)
    while (folder / name).exists():
        name = "x" + name
    (folder / name).write_bytes(data)
    return name


def _read_ledger(folder: Path) -> list[str]:
    path = folder / _LEDGER
    return path.read_text().splitlines() if path.exists() else []


def _keep_renewing(process: Process, session: Session, over: threading.Event) -> None:
    while not over.is_set():
        process.pause(TERM / 4)
        if over.is_set() or not try_renewal(session):
            return


def find_wrong_files(trial: Trial, folder: Path) -> list[str]:
    """What a site's shipped ledger names that is not in the store as it was noted."""
    wrong = []
    for site in trial.sites:
        pulled = folder / site.slug
        pull_folder(Below(trial.objects, f"crawls/{site.slug}/"), pulled)
        lines = _read_ledger(pulled)
        wrong += [site.slug] if len(lines) != STEPS else []
        for line in lines:
            name, sha256 = line.split()
            data = (pulled / "files" / name).read_bytes()
            if hashlib.sha256(data).hexdigest() != sha256:
                wrong.append(f"{site.slug}/{name}")
    return wrong


def find_returns(asked: dict[str, list[str]]) -> list[str]:
    """Sites that one session asked again after another had begun with them."""
    found = []
    for site, sessions in asked.items():
        turns = [s for n, s in enumerate(sessions) if not n or sessions[n - 1] != s]
        found += [site] if len(turns) != len(set(turns)) else []
    return found
