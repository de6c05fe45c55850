"""The folder of a worker: its own, gone with it, and removed by others if it was killed."""

import subprocess
import sys

from datahound.fleet.work_folder import open_work

KILLED = """
import os, signal, sys
from pathlib import Path
from datahound.fleet.work_folder import open_work
with open_work(Path(sys.argv[1])) as work:
    (work / "crawl.db").write_text("x")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def list_folders(parent):
    return sorted(path for path in parent.iterdir() if path.is_dir())


def test_each_worker_has_a_folder_of_its_own(tmp_path):
    """Side by side below one folder; none is left at the end."""
    parent = tmp_path / "work"
    with open_work(parent) as first, open_work(parent) as second:
        (first / "site").mkdir()
        assert list_folders(parent) == sorted([first, second])
        assert (first / "site").is_dir()
    assert list_folders(parent) == []


def test_what_a_killed_worker_left_is_removed(tmp_path):
    """By the next worker there; otherwise each kill would cost the room of all its crawls."""
    parent = tmp_path / "work"
    subprocess.run([sys.executable, "-c", KILLED, str(parent)], check=False)
    (left,) = list_folders(parent)
    assert (left / "crawl.db").exists()
    with open_work(parent) as work:
        assert list_folders(parent) == [work]
