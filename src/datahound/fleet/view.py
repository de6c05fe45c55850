"""What the dashboard shows of a fleet: its state, and copies of what workers have shipped."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from datahound.catalog.catalog import Catalog
from datahound.catalog.merge import MergedCatalog
from datahound.errors import DatahoundError, UserError
from datahound.files import storage_errors
from datahound.fleet.merged import fetch_catalog
from datahound.fleet.records import CRAWLS, FleetSite
from datahound.fleet.status import FleetStatus, read_fleet, write_prometheus
from datahound.remote.local_copy import find_cache_folder
from datahound.remote.objects import RemoteError, join_place, open_objects
from datahound.remote.pull import pull_folder
from datahound.web.urls import host_of

_LEAST_PAUSE = 3.0
_SHARE = 0.05
"""The most of the time that goes into reading the store: a large fleet is read less often."""
_MERGE_PAUSE = 20.0

_log = logging.getLogger(__name__)


class FleetView:
    """A fleet as a person looks at it: read from its store, never written to it."""

    def __init__(self, place: str, copies: Path | None = None) -> None:
        self._place = place
        self._objects = open_objects(place)
        self._copies = copies or find_cache_folder(join_place(place, "fleet"))
        self.crawls = self._copies / "crawls"
        """Where the crawls are that somebody has opened."""
        with storage_errors(self.crawls):
            self.crawls.mkdir(parents=True, exist_ok=True)
        self._merged = self._copies / "all"
        self._reading = threading.Lock()
        self._pulling = threading.Lock()
        self._status: FleetStatus | None = None
        self._plain: dict[str, Any] = {}
        self._again = 0.0
        self._asked: tuple[float, int] | None = None
        self._over = threading.Event()
        self._complaints: dict[str, str] = {}

    def describe(self) -> dict[str, Any]:
        """Its sites, workers and totals, as plain data."""
        self._read()
        return self._plain

    def write_metrics(self) -> str:
        """The figures for Prometheus."""
        return write_prometheus(self._read())

    def find_catalog(self) -> Path | None:
        """The folder of the catalogue of all sites; None while there is none."""
        return self._merged if Catalog.exists(self._merged) else None

    def fetch_crawl(self, name: str) -> Path:
        """Bring the databases of one crawl here, if they have changed since."""
        # The name comes from a URL: only names of the store reach the disk.
        if name not in {status.site.slug for status in self._read().sites}:
            raise UserError(f"there is no site called {name!r} in this fleet")
        folder = self.crawls / name
        with self._pulling:
            if not pull_folder(open_objects(self._locate(name)), folder, files=False):
                raise UserError(f"{name}: nothing was shipped yet")
        return folder

    def fetch_file(self, name: str, path: str) -> None:
        """Bring one data file of a crawl here."""
        target = self.crawls / name / "files" / path
        if target.is_file() or ".." in Path(path).parts or Path(path).is_absolute():
            return
        with storage_errors(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            open_objects(self._locate(name)).fetch(f"files/{path}", target)

    @contextmanager
    def keep_catalog_current(self) -> Iterator[None]:
        """Merge the catalogues of sites as they are shipped, in a thread, while this lasts."""
        # A daemon: a merge that waits for a store must not keep the process alive.
        thread = threading.Thread(target=self._keep_merging, daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join(10)

    def merge_catalogs(self) -> int:
        """Merge the catalogues that have changed; how many."""
        merged, changed = MergedCatalog(self._merged), 0
        try:
            marks = merged.read_marks()
            sites = {status.site.slug: status.site for status in self._read().sites}
            for name in marks.keys() - sites.keys():
                merged.remove_crawl(name)
            for name, site in sites.items():
                if self._over.is_set():
                    break
                # The record of a site changes when its crawl ends: only then the store is asked.
                mark = f"{site.round} {site.requests} {site.files} {site.ended}"
                if marks.get(name) != mark and site.requests:
                    changed += self._merge_site(merged, site, mark)
        finally:
            merged.close()
        return changed

    def _merge_site(self, merged: MergedCatalog, site: FleetSite, mark: str) -> bool:
        with TemporaryDirectory(dir=self._copies) as scratch:
            try:
                if not fetch_catalog(self._objects, site, Path(scratch)):
                    return False
                merged.replace_crawl(site.slug, host_of(site.url), mark, Path(scratch))
            except RemoteError:
                raise
            except DatahoundError as error:  # damaged, or of another version of Datahound
                self._complain(site.slug, f"{site.url}: its catalogue can't be searched: {error}")
                return False
        return True

    def _complain(self, name: str, message: str) -> None:
        # It is tried again every few seconds, and said once.
        if self._complaints.get(name) != message:
            self._complaints[name] = message
            _log.warning("%s", message)

    def _keep_merging(self) -> None:
        while not self._over.is_set():
            try:
                self.merge_catalogs()
            except DatahoundError as error:
                _log.warning("catalogues were not merged, tried again: %s", error)
            self._over.wait(_MERGE_PAUSE)

    def _read(self) -> FleetStatus:
        """The state of the fleet, a few seconds old at most where that is cheap."""
        with self._reading:
            begun = time.monotonic()
            if self._status is None or begun >= self._again:
                self._status = read_fleet(self._objects)
                self._plain = self._describe(self._status)
                taken = time.monotonic() - begun
                self._again = begun + max(_LEAST_PAUSE, taken / _SHARE)
            return self._status

    def _describe(self, status: FleetStatus) -> dict[str, Any]:
        figures = status.figures
        rows = [
            {
                "name": name,
                "running": len(row["running"]),
                "requests": row["requests"],
                "at": row["at"],
            }
            for name in status.workers
            if (row := figures.get(name))
        ]
        return {
            **status.plain(),
            "worker_rows": rows,
            "per_second": self._measure_rate(figures),
            "in_rounds": any(one.site.round for one in status.sites),
            "read_at": time.time(),
        }

    def _measure_rate(self, figures: dict[str, dict[str, Any]]) -> float | None:
        """Requests per second of all workers, between the last two times that they wrote."""
        newest = max((float(row["at"]) for row in figures.values()), default=0.0)
        asked = sum(int(row["requests"]) for row in figures.values())
        before, rate = self._asked, self._plain.get("per_second")
        if before is None:
            self._asked = newest, asked
        # Figures of one moment would be divided by almost nothing.
        elif newest > before[0] + 1:
            # Figures of workers that have ended are removed when a round begins.
            rate = max(0, asked - before[1]) / (newest - before[0])
            self._asked = newest, asked
        return rate

    def _locate(self, name: str) -> str:
        return join_place(self._place, f"{CRAWLS}/{name}")
