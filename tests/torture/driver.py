"""One life of a crawl, for the kill test: dies at a given state write, or is killed from outside.

usage: driver.py URL FOLDER ADDRESS DIE_AT CONCURRENCY

A state write is a record of the journal, a transaction of crawl.db, or a step of a file on its way
to its name. DIE_AT 0 lives on. An odd one dies before the write, an even one after it; a third of
the deaths in the journal leave half a record.
"""

import asyncio
import hashlib
import json
import os
import signal
import sys
from array import array
from contextlib import contextmanager

from datahound.archive.warc import recorder as warc_recorder
from datahound.downloads.finish import FilePlacer
from datahound.downloads.transfer import PartialFile
from datahound.runs.options import make_options
from datahound.runs.run import Run
from datahound.store.writer import Store


class Death:
    """Counts writes, and kills the process at the one that was foretold."""

    def __init__(self, at):
        self.at = at
        self.writes = 0

    def before(self):
        self.writes += 1
        if self.writes == self.at and self.at % 2:
            self.die()

    def after(self):
        if self.writes == self.at:
            self.die()

    def die(self):
        os.kill(os.getpid(), signal.SIGKILL)


def doom(death):
    """Let each state write count."""
    _doom_journal(death)
    _doom_database(death)
    for owner, name in (
        (PartialFile, "append"),
        (PartialFile, "seal"),
        (FilePlacer, "place"),
        (PartialFile, "remove"),
    ):
        _doom_method(death, owner, name)


def _doom_journal(death):
    write = warc_recorder._write

    def doomed(fd, data, at, path):
        death.writes += 1
        if death.writes == death.at:
            if death.at % 3 == 0:
                os.pwrite(fd, data[: len(data) // 2], at)
            elif death.at % 2 == 0:
                write(fd, data, at, path)
            death.die()
        write(fd, data, at, path)

    warc_recorder._write = doomed


def _doom_database(death):
    transaction = Store.transaction

    @contextmanager
    def doomed(self):
        death.before()
        with transaction(self):
            yield
            if death.writes == death.at and death.at % 3 == 0:
                death.die()
        death.after()

    Store.transaction = doomed


def _doom_method(death, owner, name):
    method = getattr(owner, name)

    def doomed(self, *arguments):
        death.before()
        result = method(self, *arguments)
        death.after()
        return result

    setattr(owner, name, doomed)


def digest(state):
    """A sum over all that was learned."""

    def plain(value):
        if isinstance(value, array):
            return [value.typecode, hashlib.sha256(value.tobytes()).hexdigest()]
        return value

    text = json.dumps(state, default=plain, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def main():
    url, folder, address, die_at, concurrency = sys.argv[1:]
    death = Death(int(die_at))
    doom(death)
    given = {"output": folder, "delay": 0, "connect-to": address, "seed": 7}
    # With one host and one fetch at a time, the order of the answers is always the same.
    given |= {"concurrency": concurrency, "subdomains": int(concurrency) > 1}
    run = Run(make_options(url, given), checkpoint_seconds=0.05)
    print("alive", flush=True)
    ended = asyncio.run(run.go())
    said = {"reason": ended.reason, "writes": death.writes}
    if run.crawl.stopped:
        said["learned"] = digest(run.crawl.strategy.snapshot())
    print(json.dumps(said))


main()
