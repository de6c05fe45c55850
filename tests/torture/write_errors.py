"""Crawls of one small site, in each of which another write to the disk fails once.

usage: LD_PRELOAD=disk.so DISK_FOLDER=FOLDER write_errors.py FOLDER FIRST STEP LAST

The k-th call that writes, flushes, makes, moves or removes something fails, for k from FIRST in
steps; LAST 0 means all. Then the same crawl goes on without an error. Prints a line of JSON per k.
"""

import asyncio
import ctypes
import errno
import gzip
import json
import sqlite3
import sys
from pathlib import Path
from shutil import rmtree

sys.path.insert(0, str(Path(__file__).parents[1]))

from websites import SEED, Website, data, page

from datahound.engines.reading_pool import ReadingPool
from datahound.errors import DatahoundError
from datahound.report.phrases import Cause
from datahound.runs.finish import report_crawl
from datahound.runs.options import make_options
from datahound.runs.outcome import describe_error
from datahound.runs.run import Run

WAYS = ((0, errno.ENOSPC), (0, errno.EIO), (1, 0), (0, errno.EROFS), (0, errno.EDQUOT))
"""Fail with an error; or write half, which is no error."""
FILES = {
    **{f"/{number}.csv": data(b"a,%d\n" % number * (number + 1) * 40) for number in range(4)},
    "/twin.csv": data(b"a,1\n" * 2 * 40),
    "/large.csv": data(b"abcdefgh\n" * 90_000),
    "/packed.csv": data(gzip.compress(b"x,y\n" * 5000), content_encoding="gzip"),
    "/sub/0.csv": data(b"sub,0\n"),
}
PAGES = {
    "/": page("/p0", "/p1", "/gone"),
    "/p0": page(*list(FILES)[:4]),
    "/p1": page(*list(FILES)[4:]),
}
CONTENT = {
    path: gzip.decompress(file.body) if "content-encoding" in file.headers else file.body
    for path, file in FILES.items()
}


async def crawl(folder, address, reader):
    """How a crawl ended, as the command would say it."""
    given = {"output": str(folder), "delay": 0, "connect-to": address, "seed": 1}
    given["set"] = ["downloads.retry_seconds=0.001", "web.retry_seconds=0.001"]
    try:
        ended = await Run(make_options(SEED, given), reader=reader, checkpoint_seconds=0.0).go()
    except Exception as error:  # noqa: BLE001 as the command catches all
        ended = describe_error(error)
    return ended


def find_faults(folder):
    """What is wrong with the folder of a crawl that has ended; '' if nothing is."""
    with sqlite3.connect(folder / "crawl.db") as connection:
        rows = connection.execute("SELECT url, state, path FROM file").fetchall()
        (whole,) = connection.execute("PRAGMA integrity_check").fetchone()
    paths = {"/" + url.split("/", 3)[3]: path for url, _, path in rows}
    if whole != "ok" or paths.keys() != CONTENT.keys():
        return f"{whole}, {sorted(CONTENT.keys() - paths.keys())} not in the ledger"
    wrong = [path for path, kept in paths.items()
             if not kept or (folder / "files" / kept).read_bytes() != CONTENT[path]]  # fmt: skip
    parts = [part.name for part in (folder / "files" / ".parts").glob("*")]
    listed = (folder / "datasets.csv").read_text("utf-8").count("\n") - 1
    return f"wrong {wrong}, left {parts}, listed {listed}" if wrong or parts or listed != 8 else ""


async def torture(folder, first, step, last):
    disk = ctypes.CDLL(None)
    disk.disk_calls.restype = ctypes.c_long
    disk.disk_last.restype = ctypes.c_char_p
    site = Website({**PAGES, **FILES})
    async with site.served() as address, ReadingPool(1) as reader:
        begun = disk.disk_calls()
        await crawl(folder / "whole", address, reader)
        calls = disk.disk_calls() - begun
        print(json.dumps({"calls": calls, "faults": find_faults(folder / "whole")}), flush=True)
        for number in range(first, (last or calls) + 1, step):
            own = folder / f"{number}"
            how, error = WAYS[number % len(WAYS)]
            disk.disk_arm(ctypes.c_long(number), how, error)
            ended = await crawl(own, address, reader)
            failed, call = disk.disk_failed(), disk.disk_last().decode().replace(str(folder), "")
            disk.disk_disarm()
            again = await crawl(own, address, reader)
            found = {"number": number, "failed": failed, "call": call, "error": error, "how": how}
            said = {"ended": ended.reason, "cause": ended.cause.value, "again": again.reason}
            whole = again.cause in (Cause.EXHAUSTED, Cause.FINISHED_BEFORE)
            faults = find_faults(own) if whole else "not whole"
            if whole:
                try:
                    report_crawl(own)
                except DatahoundError as trouble:
                    faults += f" report: {trouble}"
            print(json.dumps({**found, **said, "faults": faults}), flush=True)
            rmtree(own)


if __name__ == "__main__":
    asyncio.run(torture(Path(sys.argv[1]), *map(int, sys.argv[2:])))
