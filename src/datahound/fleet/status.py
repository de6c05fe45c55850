"""The status of a fleet: its sites and workers, for people, programs and Prometheus."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from datahound.fleet.board import Board
from datahound.fleet.control import read_figures
from datahound.fleet.records import MOST_FAILURES, WORKERS, FleetSite, Group
from datahound.remote.objects import Objects

_READERS = 16
KINDS = ("new", "changed", "gone")
STATES = ("running", "waiting", "paused", "finished", "failed")


@dataclass(frozen=True, slots=True)
class SiteStatus:
    """One site, its state, and what its crawl has asked for and found so far."""

    site: FleetSite
    state: str
    worker: str = ""
    requests: int = 0
    files: int = 0


@dataclass(frozen=True, slots=True)
class FleetStatus:
    """All sites and workers of a fleet."""

    sites: list[SiteStatus]
    workers: list[str]
    """The sessions that live."""
    groups: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def requests(self) -> int:
        return sum(status.requests for status in self.sites)

    @property
    def files(self) -> int:
        return sum(status.files for status in self.sites)

    @property
    def news(self) -> Counter[str]:
        """New, changed and gone files that the last refresh of each site found."""
        found = Counter(dict.fromkeys(KINDS, 0))
        for status in self.sites:
            found.update({kind: status.site.news.get(kind, 0) for kind in KINDS})
        return found

    @property
    def is_finished(self) -> bool:
        return all(status.site.is_finished for status in self.sites)

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "workers": self.workers,
            "groups": self.groups,
            "states": {state: self.counts[state] for state in STATES},
            "requests": self.requests,
            "files": self.files,
            "news": dict(self.news),
            "sites": [_plain_site(status) for status in self.sites],
        }


def read_groups(objects: Objects) -> list[Group]:
    """Read the records of all groups."""
    board = Board(objects)
    with ThreadPoolExecutor(_READERS) as threads:
        return [seen.group for seen in threads.map(board.read, board.list_groups()) if seen]


def read_fleet(objects: Objects) -> FleetStatus:
    """Read the status of a fleet."""
    groups = read_groups(objects)
    workers = [key.removeprefix(WORKERS) for key, _ in objects.list(WORKERS)]
    running = {
        slug: (figures["session"], counts)
        for figures in read_figures(objects)
        if figures["session"] in workers
        for slug, counts in figures["running"].items()
    }
    now = time.time()
    sites = [_judge(site, group, running, now) for group in groups for site in group.sites]
    sites.sort(key=lambda status: (STATES.index(status.state), status.site.order(now)))
    return FleetStatus(sites, sorted(workers), len(groups), Counter(s.state for s in sites))


def _judge(
    site: FleetSite, group: Group, running: dict[str, tuple[str, dict[str, int]]], now: float
) -> SiteStatus:
    session, counts = running.get(site.slug, ("", {}))
    requests = max(site.requests, counts.get("requests", 0))
    files = max(site.files, counts.get("files", 0))
    if site.due is None:
        state = "failed" if site.failures >= MOST_FAILURES or _is_refused(site) else "finished"
        return SiteStatus(site, state, "", site.requests, site.files)
    if session and group.holder == session:
        return SiteStatus(site, "running", session, requests, files)
    return SiteStatus(site, "paused" if site.due > now else "waiting", "", requests, files)


def _is_refused(site: FleetSite) -> bool:
    return site.ended == "bad input"


def write_prometheus(status: FleetStatus) -> str:
    """The figures of a fleet in the text format of Prometheus."""
    figures = [
        ("workers", "gauge", "Workers whose session lives.", [("", len(status.workers))]),
        ("requests_total", "counter", "Requests of all sites.", [("", status.requests)]),
        ("files_total", "counter", "Data files found on all sites.", [("", status.files)]),
        (
            "sites", "gauge", "Sites by state.",
            [(f'{{state="{state}"}}', status.counts[state]) for state in STATES],
        ),
        (
            "news", "gauge", "Files that the last refresh of each site found new, changed or gone.",
            [(f'{{kind="{kind}"}}', count) for kind, count in status.news.items()],
        ),
    ]  # fmt: skip
    lines = []
    for name, kind, text, samples in figures:
        metric = f"datahound_fleet_{name}"
        lines += [f"# HELP {metric} {text}", f"# TYPE {metric} {kind}"]
        lines += [f"{metric}{labels} {value}" for labels, value in samples]
    return "\n".join(lines) + "\n"


def _plain_site(status: SiteStatus) -> dict[str, Any]:
    site = status.site
    return {
        "url": site.url, "slug": site.slug, "state": status.state, "worker": status.worker,
        "requests": status.requests, "files": status.files, "priority": site.priority,
        "deadline": site.deadline, "due": site.due, "failures": site.failures,
        "ended": site.ended, "reason": site.reason, "round": site.round, "news": dict(site.news),
        "left": dict(site.left),
    }  # fmt: skip
