"""Worker processes of one machine: which are started again, and how the command ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from datahound.errors import UserError
from datahound.fleet import launch
from datahound.fleet.launch import WorkerSettings, make_settings, run_processes

KILLED = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
WAITS = "import time; time.sleep(60)"


@pytest.fixture
def started(monkeypatch):
    """Run scripts in place of workers, one after the other; notes the commands."""
    commands = []

    def use(*scripts):
        rest = list(scripts)

        def start(command):
            commands.append(command)
            script = rest.pop(0) if len(rest) > 1 else rest[0]
            return subprocess.Popen([sys.executable, "-c", script], start_new_session=True)

        monkeypatch.setattr(launch, "_start", start)
        monkeypatch.setattr(launch, "_LOOK_SECONDS", 0.01)
        monkeypatch.setattr(launch, "_RESTART_SECONDS", 0.0)
        return commands

    return use


def run(workers=1):
    return run_processes("store", WorkerSettings(Path("work")), workers)


def test_all_workers_get_the_same_command_and_end_well(started):
    commands = started("pass")
    assert run(workers=3) == 0
    assert len(commands) == 3
    assert commands[0] == commands[1] == commands[2]
    assert commands[0][:4] == ["fleet", "worker", "--store", "store"]


def test_a_worker_that_was_killed_is_started_again(started):
    commands = started(KILLED, KILLED, "pass")
    assert run() == 0
    assert len(commands) == 3


def test_a_worker_that_ends_with_an_error_is_not_started_again(started):
    """Bad input or a store that is gone: it would end so again."""
    commands = started("raise SystemExit(2)")
    assert run() == 2
    assert len(commands) == 1


def test_the_worst_ending_is_that_of_the_command(started):
    started("raise SystemExit(1)", "raise SystemExit(3)", "pass")
    assert run(workers=3) == 3


def test_a_worker_that_dies_at_once_is_not_started_for_ever(started, monkeypatch):
    monkeypatch.setattr(launch, "_MOST_RESTARTS", 3)
    commands = started(KILLED)
    assert run() == signal.SIGKILL
    assert len(commands) == 4


@pytest.fixture
def waiting(started, monkeypatch):
    """Workers that wait; the processes that were started."""
    processes = []
    started(WAITS)
    start = launch._start

    def note(command):
        processes.append(start(command))
        return processes[-1]

    monkeypatch.setattr(launch, "_start", note)
    return processes


def test_ctrl_c_ends_all_workers(waiting, monkeypatch):
    """None is left behind, and the exit status says what happened."""

    def interrupt(_seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", interrupt)
    assert run(workers=2) == 130
    assert [process.poll() for process in waiting] == [-signal.SIGTERM] * 2


@pytest.mark.parametrize(("term", "ship"), [("0.5s", "30s"), ("60s", "0s")])
def test_terms_that_make_no_sense_are_refused(term, ship):
    with pytest.raises(UserError, match="--term is at least 1s"):
        make_settings(5, term, ship, None)


@pytest.mark.parametrize("name", ["../other", "a/b", "two words", ".hidden"])
def test_a_name_is_a_part_of_a_key(name):
    """Elsewhere in the store nobody would watch its session."""
    with pytest.raises(UserError, match="--name"):
        make_settings(5, "60s", "30s", None, name)


def test_settings_are_those_that_were_written():
    settings = make_settings(5, "2m", "10s", Path("here"), "first")
    assert (settings.at_once, settings.term, settings.ship_seconds) == (5, 120, 10)
    assert (settings.work, settings.name) == (Path("here"), "first")
    assert make_settings(5, "60s", "30s", None).work == Path("fleet-work")
    assert make_settings(5, "60s", "30s", None).name, "each worker has a name of its own"


def test_sigterm_ends_all_workers_too(waiting, monkeypatch):
    """As systemd, Kubernetes and `kill` end a command."""
    monkeypatch.setattr(time, "sleep", lambda _: os.kill(os.getpid(), signal.SIGTERM))
    assert run(workers=2) == 130
    assert [process.poll() for process in waiting] == [-signal.SIGTERM] * 2
