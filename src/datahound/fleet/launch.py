"""Start workers: as processes of this machine, or as actors of Ray."""

import asyncio
import logging
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from datahound.errors import UserError
from datahound.fleet.work_folder import open_work
from datahound.fleet.worker import Worker, WorkerSettings, run_worker
from datahound.runs import INTERRUPTED, TROUBLE, terminated_as_interrupted
from datahound.units import parse_duration

__all__ = ["WorkerSettings", "make_settings", "run_on_ray", "run_processes", "run_worker"]
# A part of the keys of objects.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_LOOK_SECONDS = 0.5
_RESTART_SECONDS = 2.0
# A worker that dies at once would otherwise be started for ever.
_MOST_RESTARTS = 100
# What a last shipment may take.
_STOP_SECONDS = 60.0

_log = logging.getLogger(__name__)


def run_processes(place: str, settings: WorkerSettings, workers: int) -> int:
    """Run worker processes until all have ended; those that were killed are started again."""
    words = ["fleet", "worker", "--store", place, "--at-once", str(settings.at_once)]
    words += ["--term", f"{settings.term}s", "--ship-every", f"{settings.ship_seconds}s"]
    words += ["--work", str(settings.work)]
    running: dict[int, subprocess.Popen[bytes]] = {}
    try:
        with terminated_as_interrupted():
            running.update({number: _start(words) for number in range(workers)})
            return _keep_running(running, words)
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        for process in running.values():
            process.send_signal(signal.SIGTERM)
        for process in running.values():
            process.wait()


def _keep_running(running: dict[int, subprocess.Popen[bytes]], words: list[str]) -> int:
    """Watch over workers until none is left; returns the worst exit status."""
    restarts, status = 0, 0
    while running:
        time.sleep(_LOOK_SECONDS)
        for number, process in list(running.items()):
            code = process.poll()
            if code is None:
                continue
            del running[number]
            # Below 0: killed by a signal, such as that of a full memory. Other endings are meant.
            if code < 0 and restarts < _MOST_RESTARTS:
                restarts += 1
                time.sleep(_RESTART_SECONDS)
                running[number] = _start(words)
            else:
                status = max(status, abs(code))
    return status


def run_on_ray(place: str, settings: WorkerSettings, address: str, workers: int) -> int:
    """Run workers as actors over the nodes of a Ray cluster, until every site is finished.

    Ray starts an actor again whose process or node has died. Returns the exit status.
    """
    ray = _connect(address)
    actor = ray.remote(
        # -1 is "without limit": sites are kept in the store, so a worker may begin again anywhere.
        num_cpus=1,
        max_restarts=-1,
        max_task_retries=-1,
        # One call works, another one stops it.
        max_concurrency=2,
        scheduling_strategy="SPREAD",
    )(_Actor)
    actors = [actor.remote() for _ in range(workers)]
    working = [each.work.remote(place, settings) for each in actors]
    try:
        with terminated_as_interrupted():
            # All of them: what ends one worker, such as a full disk, does not end the others.
            return max(_wait_for(ray, each) for each in working)
    except KeyboardInterrupt:
        _stop_actors(ray, actors, working)
        return INTERRUPTED
    finally:
        ray.shutdown()


def _connect(address: str) -> Any:
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise UserError("Ray needs an extra: pip install 'datahound[fleet]'") from None
    try:
        if address == "local":  # of this machine alone: nobody else can reach it
            ray.init(_node_ip_address="127.0.0.1", include_dashboard=False, log_to_driver=False)
        else:
            ray.init(address=address, log_to_driver=False)
    except ConnectionError:
        raise UserError(f"--ray {address}: no Ray is there: start it with `ray start`") from None
    except Exception as error:  # noqa: BLE001 Ray raises nothing narrower
        why = str(error).partition("\n")[0]
        raise UserError(f"--ray {address}: Ray does not start: {why}") from None
    return ray


def _stop_actors(ray: Any, actors: Sequence[Any], working: Sequence[Any]) -> None:
    """Let actors ship what they have; those that do not answer are left to their cluster."""
    for each in actors:
        each.stop.remote()
    with suppress(KeyboardInterrupt):
        ray.wait(list(working), num_returns=len(working), timeout=_STOP_SECONDS)


def _wait_for(ray: Any, working: Any) -> int:
    """Wait until one actor has ended; its exit status."""
    try:
        ray.get(working)
    except ray.exceptions.RayError as error:
        # Ours is said without the traceback that Ray adds.
        _log.warning("a worker ended: %s", getattr(error, "cause", None) or error)
        return TROUBLE
    return 0


class _Actor:
    """A worker as an actor of Ray: one process somewhere in the cluster."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._is_stopped = False
        self._working = threading.Lock()

    def work(self, place: str, settings: WorkerSettings) -> None:
        """Work until every site is finished."""
        # Ray repeats a call whose answer it lost, although the first one may still be working.
        with self._working:
            if self._is_stopped:
                return
            with open_work(settings.work) as work:
                self._worker = Worker(place, replace(settings, work=work))
                asyncio.run(self._worker.go())

    def stop(self) -> None:
        """Ship what is under way, and end."""
        self._is_stopped = True
        if self._worker is not None:
            self._worker.stop()


def _start(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    # A session of its own: Ctrl-C reaches the workers once, from here.
    return subprocess.Popen([sys.executable, "-m", "datahound", *command], start_new_session=True)


def make_settings(
    at_once: int, term: str, ship_every: str, work: Path | None, name: str = ""
) -> WorkerSettings:
    """Make the settings of a worker from what a user wrote."""
    seconds, shipping = parse_duration(term), parse_duration(ship_every)
    if seconds < 1 or shipping <= 0:
        raise UserError("--term is at least 1s, and --ship-every more than 0")
    if name and not _NAME.fullmatch(name):
        raise UserError(f"--name: {name!r} has other signs than letters, digits, dots and hyphens")
    folder = work or Path("fleet-work")
    settings = WorkerSettings(folder, at_once, seconds, shipping)
    return replace(settings, name=name) if name else settings
