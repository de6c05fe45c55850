"""What only a recording knows, and the least requests that a crawler could need on its site.

`ArchiveOracle` has the kinds of all URLs. `CrawlGraph` is the crawling problem as a graph, which is
solved exactly where it is small, and by a greedy bound elsewhere.
"""

import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, Protocol

from datahound.archive import Archive, MemoryArchive, glance, import_archive
from datahound.errors import UserError
from datahound.model import Fetch, Kind, Page, Response
from datahound.readers import Readers, read_text
from datahound.web.messages import is_redirect
from datahound.web.targets import Wanted, kind_of
from datahound.web.urls import join

# Redirects of a recording may form a circle.
_MAX_REDIRECTS = 10


class ArchiveOracle:
    """Answers from a recording: the kind of every URL, and the targets that can be reached."""

    def __init__(
        self,
        archive: Archive,
        wanted: Wanted,
        reachable: Iterable[str],
        pages: Mapping[str, Page] | None = None,
    ) -> None:
        self._archive = archive
        self._wanted = wanted
        self._reachable = reachable
        self._kinds: dict[str, Kind] = {}
        self._pages = pages
        self._made: dict[str, Any] = {}

    def kind_of(self, url: str) -> Kind:
        """Return the kind of what a GET of the URL ends at, redirects followed."""
        kind = self._kinds.get(url)
        if kind is None:
            kind = self._kinds[url] = self._find_kind(url)
        return kind

    def find_redirect(self, url: str) -> str | None:
        """Return where a GET of the URL is redirected to, if it is."""
        seen = glance(self._archive, url)
        if seen is None or not seen.location or not is_redirect(seen.status):
            return None
        return join(url, seen.location)

    def targets(self) -> Iterable[str]:
        return self._reachable

    def page_text(self, url: str) -> str:
        """Return the visible text of a page; empty for other answers."""
        answer = self._archive.get(Fetch(url))
        return read_text(answer) if isinstance(answer, Response) else ""

    def page_urls(self) -> Sequence[str]:
        """Return the URLs of all pages."""
        return list(self._read_pages())

    def links_to_target(self, url: str) -> bool:
        """Return whether a page links to a target."""
        return any(self.kind_of(link.url) is Kind.TARGET for link in self._read_pages()[url].links)

    def make_once(self, key: str, make: Callable[[], Any]) -> Any:
        """Return what is the same for each crawl of this recording; made at the first call."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def _read_pages(self) -> Mapping[str, Page]:
        """Read all pages, unless they were read before."""
        # Only now, since few strategies need them, and to read a whole recording takes long.
        if self._pages is None:
            reader, found = Readers(), {}
            for recorded in self._archive:
                answer = recorded.answer
                if isinstance(answer, Response) and 200 <= answer.status < 300:
                    page = reader.read(answer)
                    if page is not None:
                        found[answer.url] = page
            self._pages = found
        return self._pages

    def _find_kind(self, url: str) -> Kind:
        for _ in range(_MAX_REDIRECTS):
            seen = glance(self._archive, url)
            if seen is None:
                return Kind.OTHER
            if not seen.location or not is_redirect(seen.status):
                answer = Response(url, seen.status, {"content-type": seen.content_type})
                return kind_of(answer, self._wanted)
            url = join(url, seen.location) or ""
        return Kind.OTHER


# 20 pages have a million sets, each tried with a walk over the graph.
_MAX_EXACT_PAGES = 20
_MAX_SETS = 10_000


@dataclass(frozen=True, slots=True)
class CrawlGraph:
    """Pages with the nodes that they link to, and which nodes are targets."""

    root: str
    links: Mapping[str, tuple[str, ...]]
    targets: frozenset[str]


def set_cover_graph(sets: Sequence[Iterable[int]]) -> CrawlGraph:
    """Make the graph of a set-cover instance: a page per set, a target per element."""
    names = [f"set{number}" for number in range(len(sets))]
    links = {"root": tuple(names)}
    for name, elements in zip(names, sets, strict=True):
        links[name] = tuple(f"element{element}" for element in sorted(set(elements)))
    found = frozenset(node for name in names for node in links[name])
    return CrawlGraph("root", links, found)


def make_hard_sets(rng: Random, elements: int, cover: int, decoys: int) -> list[list[int]]:
    """Make sets with a hidden cover of `cover` sets, among decoys as large as the hidden ones."""
    order = list(range(elements))
    rng.shuffle(order)
    size = math.ceil(elements / cover)
    hidden = [order[i : i + size] for i in range(0, elements, size)]
    sets = [*hidden, *(rng.sample(order, min(size, elements)) for _ in range(decoys))]
    rng.shuffle(sets)
    return sets


def write_hard_site(path: Path, seed: int, elements: int, cover: int, decoys: int) -> CrawlGraph:
    """Record the site of a hard set-cover instance into a new WARC file, and return its graph."""
    if elements < cover:
        raise UserError(f"{elements} elements can't be covered by {cover} sets without overlap")
    if cover + decoys > _MAX_SETS or elements > _MAX_SETS:
        raise UserError(f"a hard site has at most {_MAX_SETS:,} sets and as many elements")
    graph = set_cover_graph(make_hard_sets(Random(seed), elements, cover, decoys))
    import_archive(to_archive(graph), path)
    return graph


def to_archive(graph: CrawlGraph, site: str = "https://hard.example/") -> MemoryArchive:
    """Make a website of a graph, on which every crawler can run."""
    archive = MemoryArchive(site)
    names = {graph.root: site}
    for node in {*graph.links, *graph.targets} - {graph.root}:
        names[node] = f"{site}{node}{'.csv' if node in graph.targets else ''}"
    for node, url in names.items():
        if node in graph.targets:
            # The smallest file that is a table.
            body, kind = b"a\n1\n", "text/csv"
        else:
            anchors = "".join(f'<a href="{names[n]}">{n}</a>' for n in graph.links.get(node, ()))
            body, kind = f"<html><body>{anchors}</body></html>".encode(), "text/html"
        archive.put(Fetch(url), Response(url, 200, {"content-type": kind}, body, len(body)))
    return archive


def find_optimum(graph: CrawlGraph) -> int | None:
    """Find the cost of the cheapest crawl with all targets; None for a graph that is too large.

    Tries sets of pages, the smallest first, until one leads from the root to every target.
    """
    inner = sorted(_reach(graph) - graph.targets - {graph.root})
    if len(inner) > _MAX_EXACT_PAGES:
        return None
    for size in range(len(inner) + 1):
        for chosen in combinations(inner, size):
            if graph.targets <= _reach(graph, {graph.root, *chosen}):
                # The root, the pages, and one request per target.
                return 1 + size + len(graph.targets)
    return None


def find_greedy_cost(graph: CrawlGraph, share: float = 1.0) -> int | None:
    """Find a cost that suffices for a share of the targets: an upper bound of the optimum.

    Visits, over the shortest paths from the root, the page that brings most new targets per
    request, itself and the pages on the way included. A page is valued again when it comes up, so
    that one whose way has become shorter meanwhile may come late.
    """
    parents = _find_parents(graph)
    found: set[str] = set()
    visited = {graph.root}
    needed = math.ceil(share * len(graph.targets & (parents.keys() | {graph.root})))
    found.update(node for node in graph.links.get(graph.root, ()) if node in graph.targets)
    waiting = [(-math.inf, page) for page in sorted(parents.keys() - graph.targets)]
    while len(found) < needed and waiting:
        _, page = heappop(waiting)
        way = _find_way(page, parents, visited)
        new = {node for node in graph.links.get(page, ()) if node in graph.targets} - found
        if not new:
            continue
        value = -len(new) / (len(way) + len(new))
        # Values were computed before other pages were visited: the best must still be the best.
        if waiting and value > waiting[0][0]:
            heappush(waiting, (value, page))
            continue
        visited.update(way)
        for step in way:
            found.update(node for node in graph.links.get(step, ()) if node in graph.targets)
    # The last page may bring more than is needed: the surplus costs no request.
    return len(visited) + needed if len(found) >= needed > 0 else None


class Answers(Protocol):
    """What a recording answers."""

    def kind_of(self, url: str) -> Kind: ...
    def find_redirect(self, url: str) -> str | None: ...


def read_graph(root: str, pages: Mapping[str, Page], answers: Answers) -> CrawlGraph:
    """Make the graph of a recorded site: pages, targets, and redirects, which lead to one node.

    Links to anything else are left out.
    """
    links = {
        url: tuple(dict.fromkeys(link.url for link in page.links)) for url, page in pages.items()
    }
    waiting = [root, *(node for nodes in links.values() for node in nodes)]
    targets: set[str] = set()
    seen = set(pages)
    while waiting:
        url = waiting.pop()
        if url in seen:
            continue
        seen.add(url)
        if (end := answers.find_redirect(url)) is not None:
            links[url] = (end,)
            waiting.append(end)
        elif answers.kind_of(url) is Kind.TARGET:
            targets.add(url)
    known = links.keys() | targets
    kept = {url: tuple(node for node in nodes if node in known) for url, nodes in links.items()}
    return CrawlGraph(root, kept, frozenset(targets))


def _reach(graph: CrawlGraph, allowed: set[str] | None = None) -> set[str]:
    """Find what can be reached over the allowed pages; targets lead nowhere."""
    seen, waiting = {graph.root}, [graph.root]
    while waiting:
        for node in graph.links.get(waiting.pop(), ()):
            if node in seen:
                continue
            if node in graph.targets:
                seen.add(node)
            elif allowed is None or node in allowed:
                seen.add(node)
                waiting.append(node)
    return seen


def _find_parents(graph: CrawlGraph) -> dict[str, str]:
    """Find the page before each node on a shortest path from the root."""
    parents: dict[str, str] = {}
    waiting = deque([graph.root])
    while waiting:
        page = waiting.popleft()
        for node in graph.links.get(page, ()):
            if node not in parents and node != graph.root:
                parents[node] = page
                if node not in graph.targets:
                    waiting.append(node)
    return parents


def _find_way(page: str, parents: Mapping[str, str], visited: set[str]) -> list[str]:
    """List the pages on the way to a page that were not visited yet, itself included."""
    way = []
    while page not in visited:
        way.append(page)
        page = parents[page]
    return way
