"""Crawls a portal that is served here, and counts what it asked for."""

import asyncio
import contextlib
import math
import sqlite3
from dataclasses import dataclass

from datahound.runs import Run
from datahound.runs.options import make_options

from .portal import serving


@dataclass(frozen=True)
class Measure:
    """What a crawl asked of a portal; requests other than those for files are overhead."""

    wanted: frozenset
    """Paths of the files that the portal has."""
    asked: tuple
    """Paths of all requests that reached the portal, robots.txt among them."""
    found: tuple
    """Paths of the data files of the crawl."""

    @property
    def missed(self):
        return self.wanted - set(self.found)

    @property
    def overhead(self):
        return sum(path not in self.wanted for path in self.asked)

    def overhead_to(self, share):
        """Requests other than those for files, until a share of the files was asked for."""
        left, seen = math.ceil(share * len(self.wanted)), set()
        for count, path in enumerate(self.asked, 1):
            if path in self.wanted:
                seen.add(path)
            if len(seen) >= left:
                return count - sum(path in self.wanted for path in self.asked[:count])
        return None


def crawl_portal(portal, folder, **options):
    """A crawl without delays, to its end, which downloads nothing unless it is told to."""
    given = {"delay": 0.0, "early-stop": False, "list-only": True, "output": folder, **options}
    with serving(portal) as base:
        wanted = frozenset(portal.own_paths())
        asyncio.run(Run(make_options(f"{base}/", given)).go())
        asked = tuple(map(portal.same_file, portal.requests))
    with contextlib.closing(sqlite3.connect(folder / "crawl.db")) as database:
        found = database.execute("SELECT url FROM target ORDER BY id").fetchall()
    return Measure(
        wanted, asked, tuple(portal.same_file(url.removeprefix(base)) for (url,) in found)
    )
