"""The status of a fleet: its sites and workers, for people, programs and Prometheus."""

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from datahound.errors import UserError
from datahound.fleet.board import Board, Seen
from datahound.fleet.control import Control, read_control, read_figures
from datahound.fleet.records import WORKERS, FleetSite, Group
from datahound.remote.objects import Objects
from datahound.units import show_count

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
    control: Control = field(default_factory=Control)
    asked: int = 0
    """Requests of all workers so far, as budgets count them."""
    figures: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What each worker has written last, by session."""
    damaged: tuple[str, ...] = ()
    """Records that could not be read: why, for each."""

    @property
    def halt(self) -> str:
        """Why workers do not work though sites are left; '' if they do."""
        if self.is_finished:
            return ""
        if self.control.stop:
            return "stopped: `datahound fleet stop --undo` or `fleet run` lets workers go on"
        if self.control.is_spent(self.asked):
            return f"the budget of {show_count(self.control.budget or 0, 'request')} is spent"
        return ""

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
            "halt": self.halt,
            "damaged": list(self.damaged),
            "sites": [_plain_site(status) for status in self.sites],
        }


def read_groups(objects: Objects) -> list[Group]:
    """Read the records of all groups; damaged ones are said and left out."""
    board = Board(objects)
    return _read_all(board, board.read_sound)


def _read_all(board: Board, read: Callable[[str], Seen | None]) -> list[Group]:
    with ThreadPoolExecutor(_READERS) as threads:
        return [seen.group for seen in threads.map(read, board.list_groups()) if seen]


def list_workers(objects: Objects) -> list[str]:
    """List the sessions that live."""
    return sorted(key.removeprefix(WORKERS) for key, _ in objects.list(WORKERS))


def read_fleet(objects: Objects) -> FleetStatus:
    """Read the status of a fleet."""
    board, damaged = Board(objects), list[str]()

    def read(key: str) -> Seen | None:
        try:
            return board.read(key)
        except UserError as error:
            damaged.append(str(error))
            return None

    groups = _read_all(board, read)
    workers = list_workers(objects)
    figures = {row["session"]: row for row in read_figures(objects)}
    running = {
        slug: (name, counts)
        for name, row in figures.items()
        if name in workers
        for slug, counts in row["running"].items()
    }
    now = time.time()
    sites = [_judge(site, group, running, now) for group in groups for site in group.sites]
    sites.sort(key=lambda status: (STATES.index(status.state), status.site.order(now)))
    return FleetStatus(
        sites, workers, len(groups), Counter(s.state for s in sites),
        read_control(objects), sum(row["requests"] for row in figures.values()), figures,
        tuple(sorted(damaged)),
    )  # fmt: skip


def _judge(
    site: FleetSite, group: Group, running: dict[str, tuple[str, dict[str, int]]], now: float
) -> SiteStatus:
    session, counts = running.get(site.slug, ("", {}))
    requests = max(site.requests, counts.get("requests", 0))
    files = max(site.files, counts.get("files", 0))
    if site.due is None:
        state = "failed" if site.is_given_up else "finished"
        return SiteStatus(site, state, "", site.requests, site.files)
    if session and group.holder == session:
        return SiteStatus(site, "running", session, requests, files)
    return SiteStatus(site, "waiting" if site.is_due(now) else "paused", "", requests, files)


def write_prometheus(status: FleetStatus) -> str:
    """The figures of a fleet in the text format of Prometheus."""
    halted, damaged = int(bool(status.halt)), len(status.damaged)
    figures = [
        ("halted", "gauge", "Whether workers are to stop though sites are left.", [("", halted)]),
        ("damaged_records", "gauge", "Records that can't be read.", [("", damaged)]),
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
