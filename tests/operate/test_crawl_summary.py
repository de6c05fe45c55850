"""The figures of a crawl that has ended: read from its folder, right whatever happened before."""

import asyncio
import sqlite3
from contextlib import closing

from pretend import PretendWeb, small_site

from datahound.model import FileRecord
from datahound.operate.summary import summarize_crawl
from datahound.report.status import figures_of
from datahound.runs.options import make_options
from datahound.runs.progress import Progress
from datahound.runs.run import Run
from datahound.store.sqlite import open_to_read


def crawled(folder):
    options = make_options(small_site().seed, {"output": str(folder), "delay": 0})
    run = Run(options, going_online=PretendWeb(small_site()).going_online)
    return options, asyncio.run(run.go())


def test_the_days_between_two_runs_are_no_work(tmp_path):
    """A crawl that is refreshed every night has not taken weeks."""
    options, ended = crawled(tmp_path)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as connection:
        connection.execute("UPDATE request SET at = id + iif(id > 30, 7 * 86400, 0)")
        connection.commit()
    summary = summarize_crawl(options, ended)
    assert summary.requests > 60
    assert summary.seconds == summary.requests - 2


def test_copies_are_counted_and_their_bytes_are_not(tmp_path):
    """What a terminal says while a crawl runs and at its end is the same."""
    options, ended = crawled(tmp_path)
    with closing(sqlite3.connect(tmp_path / "crawl.db")) as connection:
        urls = "SELECT url FROM file ORDER BY url LIMIT 3"
        sizes = connection.execute(f"SELECT sum(size) FROM file WHERE url NOT IN ({urls})")
        (size,) = sizes.fetchone()
        connection.execute(f"UPDATE file SET state = 'duplicate' WHERE url IN ({urls})")
        connection.commit()
    summary = summarize_crawl(options, ended)
    assert (summary.files, summary.kept, summary.copies) == (40, 37, 3)
    assert summary.kept_bytes == size
    with closing(open_to_read(tmp_path / "crawl.db")) as connection:
        assert figures_of(connection, running=False).file_bytes == size
    progress = Progress()
    for state in ("complete", "duplicate"):
        progress.keep(FileRecord("https://a.example/1.csv", "1.csv", 100, "", "", "", state))
    assert (progress.files, progress.file_bytes) == (2, 100)
