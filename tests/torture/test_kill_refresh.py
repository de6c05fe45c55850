"""After SIGKILL at any instant of a refresh, the same command goes on: no file, no version missing.

A few kills in every test run; `DATAHOUND_KILLS=40` for more.
"""

import csv
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from random import Random

from changing_site import ChangingSite, page, serve_site

from datahound.cli import run

KILLS = int(os.environ.get("DATAHOUND_KILLS", "2"))
COUNT = 60


def make_state(number):
    """Sixty files on twelve pages; a third of the files is revised, and some come and go."""
    kept = [n for n in range(COUNT + 8 * number) if not number or n % 15]
    files = {f"/f{n}.csv": b"n,%d,%d\n" % (n, number if n % 3 == 0 else 0) * 300 for n in kept}
    pages = {
        f"/p{n}.html": page(*(name for name in files if int(name[2:-4]) % 12 == n))
        for n in range(12)
    }
    return {"/": page(*pages), **pages, **files}


def refresh_command(folder):
    command = [sys.executable, "-m", "datahound", "refresh", str(folder), "--plain"]
    return [*command, "--delay", "0.002", "--no-catalog"]


def read_outcome(folder):
    """The files with their hashes and what is gone, and every version that is kept."""
    with (folder / "datasets.csv").open(encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    listed = sorted((row["url"], row["sha256"], bool(row["gone"])) for row in rows)
    with closing(sqlite3.connect(folder / "crawl.db")) as database:
        versions = database.execute("SELECT url, sha256, path FROM version ORDER BY url").fetchall()
    assert all((folder / "files" / path).is_file() for _, _, path in versions)
    return listed, [version[:2] for version in versions]


def test_killed_refreshes_end_like_one_that_was_not(tmp_path):
    """Killed again and again until it is done; the site has changed in between."""
    random = Random(0)
    kills = trials = 0
    with serve_site(ChangingSite(make_state(0))) as site:
        crawled = tmp_path / "crawled"
        arguments = ["--output", str(crawled), "--delay", "0", "--no-catalog", "--plain"]
        assert run(["crawl", site.url, *arguments]) == 0
        site.bodies = make_state(1)
        whole = shutil.copytree(crawled, tmp_path / "whole")
        began = time.monotonic()
        assert subprocess.run(refresh_command(whole), check=False).returncode == 0
        lasts = time.monotonic() - began
        expected = read_outcome(whole)
        while kills < KILLS:
            trials += 1  # not every one is killed
            folder = shutil.copytree(crawled, tmp_path / f"killed{trials}")
            for _ in range(4):
                with subprocess.Popen(refresh_command(folder)) as process:
                    try:
                        process.wait(random.uniform(0.3, 1.0) * lasts)
                    except subprocess.TimeoutExpired:
                        process.kill()
                        kills += 1
                    else:
                        break
            last = subprocess.run(refresh_command(folder), check=False)
            assert last.returncode in (0, 3)
            assert read_outcome(folder) == expected
