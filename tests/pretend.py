"""A web that answers from memory, for runs without a network."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import ClassVar

from datahound.archive.synthetic import open_synthetic
from datahound.model import FileRecord, Kind, Response
from datahound.web.targets import find_wanted, kind_of

SMALL = "synthetic:demo?pages=150&targets=40"


class PretendWeb:
    """Answers from an archive; counts what it is asked, and can do something before each answer."""

    def __init__(self, archive, before=None):
        self.archive = archive
        self.asked = []
        self.bodies = []
        self._before = before

    @asynccontextmanager
    async def going_online(self, needs):
        self.ledger, self.files = needs.ledger, needs.files
        self.wanted = find_wanted(needs.settings.web.targets)
        yield self

    async def get(self, fetch):
        await asyncio.sleep(0)
        if self._before:
            self._before(self)
        self.asked.append((fetch.method, fetch.url))
        answer = self.archive.get(fetch) or Response(fetch.url, 404)
        if isinstance(answer, Response) and fetch.method == "GET" and self._is_target(answer):
            self._keep(fetch.url)
            answer = replace(answer, body=b"", truncated=True)
        return answer

    def moved(self, site):
        self.site = site

    def complete(self, bodies):
        for body in bodies:
            self._keep(body.url)

    async def finish(self):
        pass

    files_under_way = 0
    bytes_received = 0
    remarks = ()
    paces: ClassVar = {}
    measured_paces: ClassVar = {}
    limit_changes: ClassVar = {}

    def _is_target(self, answer):
        return kind_of(answer, self.wanted) is Kind.TARGET

    def _keep(self, url):
        if self.files is None:
            return
        self.bodies.append(url)
        name = f"host/{len(url)}"
        self.ledger.started(url, "x.part")
        # A run looks for its files on the disk, and fetches again what it does not find.
        (self.files / name).parent.mkdir(parents=True, exist_ok=True)
        (self.files / name).write_bytes(b"x")
        self.ledger.finished(FileRecord(url, name, 1, url, "text/csv", "", "complete"))


def is_target(answer):
    return kind_of(answer) is Kind.TARGET


def small_site(spec=SMALL):
    return open_synthetic(spec)
