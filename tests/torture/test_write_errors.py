"""Every call that writes to the disk fails once: nothing is lost, and the user gets one line.

A sample in every test run; all of them with `DATAHOUND_WRITES=1` (make torture).
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import disk

STEP = int(os.environ.get("DATAHOUND_WRITES", "61"))
DRIVER = Path(__file__).with_name("write_errors.py")


def test_every_write_may_fail_once(tmp_path):
    """The same command then ends the crawl with every file whole and nothing left over."""
    library, folder = disk.build(tmp_path), tmp_path / "crawls"
    folder.mkdir()
    command = [sys.executable, str(DRIVER), str(folder), str(1 + STEP // 2), str(STEP), "0"]
    ended = subprocess.run(
        command, env=disk.environment(library, folder), capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    whole, *rows = map(json.loads, ended.stdout.splitlines())
    assert whole["calls"] > 300
    assert not whole["faults"]
    assert len(rows) >= whole["calls"] // STEP
    for row in rows:
        assert row["cause"] != "fault", row
        assert "\n" not in row["ended"], row
        assert not row["faults"], row
    assert sum(row["failed"] for row in rows) > len(rows) / 2
