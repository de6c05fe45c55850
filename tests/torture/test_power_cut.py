"""After a power cut at any instant, only the last seconds are asked for again.

Writes since the last flush are lost, reordered or torn, as a disk may leave them. Few instants in
every test run; `DATAHOUND_CUTS=200` (make torture) for many.
"""

import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random

import disk
import pytest
from power_cut import FILES, Disk, crawl, read_trace

from datahound.report.phrases import Cause

CUTS = int(os.environ.get("DATAHOUND_CUTS", "8"))
DRIVER = Path(__file__).with_name("power_cut.py")
LAST_SECONDS = 5.0
"""The journal is flushed every two seconds; a loaded machine may be late."""


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    """The root of a crawl, its writes, and when each URL was answered."""
    home = tmp_path_factory.mktemp("power")
    library, root, trace = disk.build(home), home / "root", home / "trace"
    root.mkdir()
    environment = disk.environment(library, root, DISK_TRACE=str(trace))
    command = [sys.executable, str(DRIVER), str(root)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    answers = json.loads(ended.stdout)["answers"]
    assert len(answers) > 80
    return root, list(read_trace(trace)), answers


def cut_at(root, writes, count, rng, to):
    """The folder as it is when the power is cut after so many writes."""
    state = Disk(root)
    for _, write in writes[:count]:
        state.take(*write)
    to.mkdir()
    state.cut(rng, to)


def test_a_power_cut_loses_the_last_seconds_at_most(crawled, tmp_path):
    root, writes, answers = crawled
    rng = Random(6)
    for number in range(CUTS):
        count = rng.randrange(20, len(writes))
        folder = tmp_path / f"cut-{number}"
        cut_at(root, writes, count, rng, folder)
        ended, site = asyncio.run(crawl(folder))
        assert ended.cause in (Cause.EXHAUSTED, Cause.FINISHED_BEFORE), (count, ended)
        when = writes[count][0]
        settled = {url for answered, url in answers if answered < when - LAST_SECONDS}
        asked = {f"http://{exchange.host}{exchange.path}" for exchange in site.asked}
        assert not asked & settled, (count, sorted(asked & settled))
        check_files(folder)
        shutil.rmtree(folder)


def check_files(folder):
    with sqlite3.connect(folder / "crawl.db") as connection:
        rows = connection.execute("SELECT url, path FROM file").fetchall()
    assert len(rows) == len(FILES)
    for url, path in rows:
        assert (folder / "files" / path).read_bytes() == FILES["/" + url.rpartition("/")[2]].body
