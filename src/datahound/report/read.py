"""Read the figures of a report from the crawl's database."""

import heapq
import re
import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from datahound.model import Skip
from datahound.report.estimate import VisitColumns
from datahound.report.format import describe_error
from datahound.report.missed import list_missed
from datahound.report.phrases import (
    Cause,
    cause_of,
    find_section,
    name_group,
    name_type,
)
from datahound.report.portals import describe_portals
from datahound.report.status import read_unfollowed
from datahound.store import queries, queries_counts
from datahound.store.queries import BestPage, TargetRow
from datahound.store.queries_counts import RequestOutcomes
from datahound.web.urls import host_of

# Data files name no years before 1950; 2050 and later are mostly numbers.
_YEAR = re.compile(r"(?<!\d)(19[5-9]\d|20[0-4]\d)(?!\d)")
_LARGEST = 10
_BY_DATE = 0
"""Key of the count of files whose year is from the server's date."""
_BEST_GROUPS = 8


@dataclass(slots=True)
class Files:
    """The targets, counted."""

    count: int = 0
    bytes: int = 0
    types: Counter[str] = field(default_factory=Counter)
    type_bytes: Counter[str] = field(default_factory=Counter)
    sections: Counter[str] = field(default_factory=Counter)
    section_bytes: Counter[str] = field(default_factory=Counter)
    years: Counter[int] = field(default_factory=Counter)
    years_by_date: int = 0
    """Files whose year is from the server's date, not from a name."""
    states: Counter[str] = field(default_factory=Counter)
    state_bytes: Counter[str] = field(default_factory=Counter)
    found_at: list[int] = field(default_factory=list)
    largest: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class BestGroup:
    """A group of links with the targets of its pages."""

    tag_path: str
    pages: int
    targets: int
    rich: int
    """Pages with at least one new target."""
    place: str
    """The folder that they lead to, '' if it is not known."""
    examples: list[BestPage]


@dataclass(frozen=True, slots=True)
class HostErrors:
    """Failed requests to one host."""

    host: str
    count: int
    kinds: list[tuple[str, int]]
    example: str


@dataclass(frozen=True, slots=True)
class Findings:
    """All figures of the report except estimates."""

    seed: str
    identity: dict[str, Any]
    cause: Cause | None
    """Why it ended; None if it runs or was cut off."""
    ended: str
    """The cause in words, with its details."""
    requests: int
    bytes: int
    pages: int
    began_at: float | None
    last_at: float | None
    files: Files
    spent: dict[str, int]
    """Requests by outcome."""
    groups: list[BestGroup]
    other_groups: int
    troubles: list[HostErrors]
    skipped: list[tuple[Skip, int, str]]
    """Reasons, their counts and an example."""
    missed: list[str]
    """What was probably missed: a sentence for each reason."""
    portals: list[str]


def read_findings(connection: sqlite3.Connection, visits: VisitColumns) -> Findings:
    """Read all figures; the visits were read before."""
    facts = queries.read_facts(connection, ("identity", "ended"))
    identity = facts.get("identity", {})
    ended = facts.get("ended", {})
    seed = str(identity.get("URL", ""))
    requests = queries_counts.count_request_outcomes(connection)
    best = _rank_groups(visits)
    return Findings(
        seed,
        identity,
        cause_of(ended),
        ended.get("reason", ""),
        requests.last_number,
        requests.bytes,
        int(visits.were_read.sum()),
        requests.began_at,
        requests.last_at,
        _count_files(connection, seed),
        _count_outcomes(requests),
        [_read_group(connection, seed, *group) for group in best[:_BEST_GROUPS]],
        max(0, len(best) - _BEST_GROUPS),
        _read_troubles(connection),
        [
            (Skip(skip.reason), skip.links, skip.example)
            for skip in queries_counts.count_skip_reasons(connection)
        ],
        list_missed(connection, read_unfollowed(connection)),
        describe_portals(connection),
    )


def _count_files(connection: sqlite3.Connection, seed: str) -> Files:
    files = Files()
    kinds: dict[tuple[str | None, str], list[int]] = {}
    largest: list[tuple[int, int, TargetRow]] = []
    floor = -1
    for place, target in enumerate(queries.iterate_targets(connection)):
        url, anchor, mime_type, size, modified, state, _, number = target
        kinds.setdefault((mime_type, state), []).append(size)
        files.found_at.append(number)
        _count_year(files.years, url, anchor, modified)
        # Once ten files are kept, all but a few are passed over by one comparison.
        if size > floor:
            heapq.heappush(largest, (size, -place, target))
            if len(largest) > _LARGEST:
                heapq.heappop(largest)
                floor = largest[0][0]
    for (mime_type, state), sizes in kinds.items():
        name, size = name_type(mime_type or ""), sum(sizes)
        files.count += len(sizes)
        files.bytes += size
        files.types[name] += len(sizes)
        files.type_bytes[name] += size
        files.states[state] += len(sizes)
        files.state_bytes[state] += size
    files.found_at.sort()
    files.years_by_date = files.years.pop(_BY_DATE, 0)
    files.largest = [_describe_file(target) for *_, target in sorted(largest, reverse=True)]
    _count_sections(files, connection, seed)
    return files


def _describe_file(target: TargetRow) -> dict[str, Any]:
    name = target.url.partition("?")[0].rstrip("/").rpartition("/")[2]
    return {
        "url": target.url,
        "title": (target.anchor or "").strip() or name or target.url,
        "type": name_type(target.mime_type or ""),
        "bytes": target.bytes,
        "path": target.path,
    }


def _count_year(years: Counter[int], url: str, anchor: str, modified: str | None) -> None:
    if named := _YEAR.findall(f"{url.rpartition('/')[2]} {anchor}"):
        years[int(max(named))] += 1
    elif modified and (dated := _YEAR.search(modified)):
        years[int(dated[1])] += 1
        years[_BY_DATE] += 1


def _count_sections(files: Files, connection: sqlite3.Connection, seed: str) -> None:
    home = host_of(seed) if seed else ""
    for page, count, size in queries_counts.iterate_pages_with_targets(connection):
        name = find_section(page or seed, home)
        files.sections[name] += count
        files.section_bytes[name] += size


def _count_outcomes(requests: RequestOutcomes) -> dict[str, int]:
    known = {
        "trouble": requests.errors,
        "redirect": requests.redirects,
        "probe": requests.probes,
        "target": requests.targets,
        "page": requests.pages,
    }
    return {**known, "other": requests.total - sum(known.values())}


def _rank_groups(visits: VisitColumns) -> list[tuple[int, int, int, int]]:
    """Number, pages, targets and rich pages of each group with targets, the best first."""
    # `bincount` takes no negative numbers; visits without a group have -1.
    mine = visits.were_pages & (visits.groups >= 0)
    groups, rewards = visits.groups[mine], visits.rewards[mine]
    pages = np.bincount(groups)
    targets = np.bincount(groups, weights=rewards).astype(int)
    rich = np.bincount(groups, weights=rewards > 0).astype(int)
    found = [
        (int(g), int(pages[g]), int(targets[g]), int(rich[g])) for g in np.flatnonzero(targets)
    ]
    return sorted(found, key=lambda group: (-group[2], group[0]))


def _read_group(
    connection: sqlite3.Connection, seed: str, action: int, pages: int, targets: int, rich: int
) -> BestGroup:
    name = name_group(connection, seed, action)
    examples = queries.best_pages(connection, action)
    return BestGroup(name.tag_path, pages, targets, rich, name.place, examples)


def _read_troubles(connection: sqlite3.Connection) -> list[HostErrors]:
    kinds: dict[str, Counter[str]] = {}
    examples: dict[str, str] = {}
    for host, status, failure, count, url in queries_counts.count_errors(connection):
        what = describe_error(status, failure)
        kinds.setdefault(host, Counter())[what] += count
        examples.setdefault(host, url)
    found = [
        HostErrors(host, counts.total(), counts.most_common(), examples[host])
        for host, counts in kinds.items()
    ]
    return sorted(found, key=lambda trouble: (-trouble.count, trouble.host))
