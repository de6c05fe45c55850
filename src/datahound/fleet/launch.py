"""Start workers: as processes of this machine, or as actors of Ray."""

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from datahound.errors import UserError
from datahound.files import storage_errors
from datahound.fleet.worker import WorkerSettings, run_worker
from datahound.units import parse_duration

__all__ = ["WorkerSettings", "make_settings", "run_on_ray", "run_one", "run_processes"]
_LOOK_SECONDS = 0.5
_RESTART_SECONDS = 2.0
# A worker that dies at once would otherwise be started for ever.
_MOST_RESTARTS = 100


def run_processes(place: str, settings: WorkerSettings, workers: int) -> int:
    """Run worker processes until all have ended; those that were killed are started again."""
    words = ["fleet", "worker", "--store", place, "--at-once", str(settings.at_once)]
    words += ["--term", f"{settings.term}s", "--ship-every", f"{settings.ship_seconds}s"]
    words += ["--work", str(settings.work)]
    running = {number: _start(words) for number in range(workers)}
    try:
        return _keep_running(running, words)
    except KeyboardInterrupt:
        return 130
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


def run_on_ray(place: str, settings: WorkerSettings, address: str, workers: int) -> None:
    """Run workers as actors over the nodes of a Ray cluster, until every site is finished.

    Ray starts an actor again whose process or node has died.
    """
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise UserError("Ray needs an extra: pip install 'datahound[fleet]'") from None
    try:
        if address == "local":  # of this machine alone: nobody else can reach it
            ray.init(_node_ip_address="127.0.0.1", include_dashboard=False, log_to_driver=False)
        else:
            ray.init(address=address, log_to_driver=False)
    except ConnectionError as error:
        raise UserError(f"{address}: no Ray there: {error}") from None
    actor = ray.remote(
        # -1 is "without limit": sites are kept in the store, so a worker may begin again anywhere.
        num_cpus=1,
        max_restarts=-1,
        max_task_retries=-1,
        scheduling_strategy="SPREAD",
    )(_Actor)
    actors = [actor.remote() for _ in range(workers)]
    try:
        ray.get([each.work.remote(place, settings) for each in actors])
    finally:
        ray.shutdown()


class _Actor:
    """A worker as an actor of Ray: one process somewhere in the cluster."""

    def work(self, place: str, settings: WorkerSettings) -> None:
        """Work until every site is finished."""
        run_one(place, settings)


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
    folder = work or Path("fleet-work")
    settings = WorkerSettings(folder, at_once, seconds, shipping)
    return replace(settings, name=name) if name else settings


def run_one(place: str, settings: WorkerSettings) -> None:
    """Be a worker, in a folder of its own, until every site is finished."""
    run_worker(place, replace(settings, work=_make_work(settings.work)))


def _make_work(parent: Path) -> Path:
    """A folder of this worker alone for the crawls of now."""
    with storage_errors(parent):
        parent.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="worker-", dir=parent))
