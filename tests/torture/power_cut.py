"""A crawl that takes some seconds, whose writes are noted; and what a power cut leaves of them.

usage: LD_PRELOAD=disk.so DISK_FOLDER=FOLDER DISK_TRACE=FILE power_cut.py FOLDER
"""

import asyncio
import json
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from websites import SEED, Website, data, page

from datahound.events import Fetched
from datahound.runs.options import make_options
from datahound.runs.run import Run

SECTOR = 512
FILES = {f"/{number}.csv": data(b"a,%d\n" % number * (20 + number)) for number in range(40)}
NAMES = list(FILES)
PATHS = {
    "/": page(*(f"/p{number}" for number in range(40))),
    **{f"/p{number}": page(NAMES[number], text="x" * 3000) for number in range(40)},
    **FILES,
}


async def crawl(folder, watch=None, delay=0.0):
    """Crawl the site into a folder; how it ended, and the site."""
    site = Website(PATHS)
    async with site.served() as address:
        given = {"output": str(folder), "delay": delay, "connect-to": address, "seed": 1}
        run = Run(make_options(SEED, given), watch=watch, checkpoint_seconds=1.0)
        return await run.go(), site


@dataclass
class Written:
    """A file: what is on the disk for sure, and the writes that may be lost."""

    durable: bytearray = field(default_factory=bytearray)
    pending: list = field(default_factory=list)

    def apply(self, at, piece):
        """Write a piece; None cuts the file there."""
        if piece is None:
            del self.durable[at:]
            piece = b""
        self.durable.extend(bytes(max(0, at + len(piece) - len(self.durable))))
        self.durable[at : at + len(piece)] = piece

    def sync(self):
        for write in self.pending:
            self.apply(*write)
        self.pending.clear()

    def lose(self, rng):
        """Some writes were made, in any order, and some of these in part."""
        kept = [write for write in self.pending if rng.random() < rng.choice((0.0, 0.5, 1.0))]
        if rng.random() < 0.5:
            rng.shuffle(kept)
        for at, piece in kept:
            if piece and rng.random() < 0.2:
                sectors = range(0, len(piece), SECTOR)
                for start in rng.sample(sectors, rng.randrange(len(sectors) + 1)):
                    self.apply(at + start, piece[start : start + SECTOR])
            else:
                self.apply(at, piece)


class Disk:
    """Files and folders as a list of writes makes them."""

    def __init__(self, root):
        self.root = str(root)
        self._files = {}
        self._names = {}
        self._folders = {self.root}
        self._changes = defaultdict(list)

    def take(self, op, inode, at, path, other, piece):
        if op == "create":
            self._files[inode] = Written()
        if op in ("write", "truncate") and inode in self._files:
            self._files[inode].pending.append((at, piece if op == "write" else None))
        elif op == "sync":
            if inode in self._files:
                self._files[inode].sync()
            else:
                self._sync_folder(path)
        elif op in ("create", "mkdir", "link", "rename", "unlink", "rmdir"):
            file = self._files.get(inode) if op in ("create", "link", "rename") else None
            self._changes[str(Path(other or path).parent)].append((op, path, other, file))

    def _sync_folder(self, path):
        for change in self._changes.pop(path, ()):
            self._change(*change)

    def _change(self, op, path, other, file):
        if op in ("unlink", "rename"):
            self._names.pop(path, None)
        if op == "mkdir":
            self._folders.add(path)
        elif op == "rmdir":
            self._folders.discard(path)
        elif op != "unlink" and file is not None:
            self._names[other or path] = file

    def cut(self, rng, to):
        """Lose what was not flushed, and write what is left into a folder."""
        for changes in self._changes.values():
            for change in changes[: rng.randrange(len(changes) + 1)]:
                self._change(*change)
        for file in self._files.values():
            file.lose(rng)
        for folder in sorted(self._folders):
            if all(str(above) in self._folders or len(str(above)) < len(self.root)
                   for above in Path(folder).parents):  # fmt: skip
                (to / Path(folder).relative_to(self.root)).mkdir(parents=True, exist_ok=True)
        for path, file in self._names.items():
            place = to / Path(path).relative_to(self.root)
            # The index in shared memory does not outlive the machine.
            if place.parent.is_dir() and not path.endswith("-shm"):
                place.write_bytes(bytes(file.durable))


def read_trace(path):
    """The writes in their order: when, and what."""
    with path.open("rb") as trace:
        while line := trace.readline():
            op, when, inode, at, size, name, other = line[:-1].decode().split("\t")
            piece = trace.read(int(size))
            yield float(when), (op, int(inode), int(at), name, other, piece)


async def main(folder):
    answers = []

    def watch(_run, events):
        answers.extend(
            (time.time(), event.fetch.url) for event in events if isinstance(event, Fetched)
        )

    ended, _ = await crawl(folder, watch, delay=0.1)
    print(json.dumps({"ended": ended.reason, "answers": answers}))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
