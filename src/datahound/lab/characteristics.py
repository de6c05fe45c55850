"""Measure a recorded website: the figures of the paper's table of websites."""

import math
import re
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from datahound.archive import Archive
from datahound.archive.synthetic import paper_sites
from datahound.errors import ArchiveError
from datahound.model import Fetch, Kind, Page, Response
from datahound.readers import Readers
from datahound.web.messages import is_redirect
from datahound.web.site import Site
from datahound.web.targets import (
    DEFAULT_TARGETS,
    Wanted,
    has_blocked_extension,
    kind_of,
    mime_type_of,
)
from datahound.web.urls import canonical, join

_MEGABYTE = 1_000_000
# Redirects of a recording may form a circle.
_MAX_HOPS = 10
_REPORT_EVERY = 200
_LANGUAGE = re.compile(
    rb"""<html\b[^>]*?\s(?:xml:)?lang\s*=\s*["']?\s*([a-z]{2,3})(?![a-z])""", re.IGNORECASE
)
# The element `html` comes first; comments and a doctype may precede it.
_HEAD_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean, its standard deviation and the highest value."""

    mean: float = 0.0
    std: float = 0.0
    max: float = 0.0


@dataclass(frozen=True, slots=True)
class Characteristics:
    """What an exhaustive breadth-first walk from the seed finds.

    Available are URLs that answer with success; a redirect counts as what it leads to. A page
    links to a target if one of its links on the site is a target, or redirects to one. Depth is the
    least number of links from the seed. Pictures, sound and video are left out, by extension.
    """

    site: str
    pages: int
    targets: int
    available: int
    linking_pages: int
    target_size: Spread
    """In bytes."""
    target_depth: Spread
    errors: int
    redirects: int
    mime_types: dict[str, int]
    complete: bool = True
    """Whether everything was visited."""
    start: str = ""
    """The URL of the seed."""
    languages: dict[str, int] = field(default_factory=dict)
    """Pages by the language that their element `html` names, the most frequent first."""

    @property
    def density(self) -> float:
        """The share of targets among what is available."""
        return self.targets / self.available if self.available else 0.0

    @property
    def linking(self) -> float:
        """The share of pages that link to a target."""
        return self.linking_pages / self.pages if self.pages else 0.0


@dataclass(frozen=True, slots=True)
class PaperCharacteristics:
    """The same figures as the paper prints them."""

    site: str
    available: int
    targets: int
    density: float
    linking: float
    target_size: Spread
    target_depth: Spread


def measure_site(
    archive: Archive,
    targets: Wanted = DEFAULT_TARGETS,
    read: Callable[[Response], Page | None] | None = None,
    progress: Callable[[int, int], None] | None = None,
    max_urls: int | None = None,
) -> Characteristics:
    """Measure a website by visiting everything that its seed leads to.

    `progress` gets the numbers of URLs visited and known, every 200 URLs. A site without end, such
    as one with traps, is measured on its first `max_urls`.
    """
    seed = canonical(archive.seed) or archive.seed
    walk = _Walk(archive, targets, read or Readers().read, Site(seed))
    walk.run(seed, max_urls or math.inf, progress or (lambda _done, _known: None))
    return walk.summarize()


def find_language(body: bytes) -> str:
    """Return the language that a page says it is in, without its country; empty if it says none.

    >>> find_language(b'<!DOCTYPE html><html class="a" lang="pt-BR">')
    'pt'
    """
    match = _LANGUAGE.search(body[:_HEAD_BYTES])
    return match[1].decode().lower() if match else ""


def find_paper_site(preset: str) -> PaperCharacteristics | None:
    """Return the paper's figures of the website that a preset imitates; None for any other."""
    site = paper_sites().get(preset)
    if site is None:
        return None
    return PaperCharacteristics(
        site.name,
        site.available,
        site.targets,
        site.targets / site.available,
        site.linking,
        Spread(site.size_mb * _MEGABYTE, site.size_std_mb * _MEGABYTE),
        Spread(site.depth, site.depth_std),
    )


@dataclass(slots=True)
class _Walk:
    """A breadth-first walk over a site and what it has counted so far."""

    archive: Archive
    targets: Wanted
    read: Callable[[Response], Page | None]
    site: Site
    waiting: deque[str] = field(default_factory=deque)
    depths: dict[str, int] = field(default_factory=dict)
    visited: set[str] = field(default_factory=set)
    found: set[str] = field(default_factory=set)
    leads_to: dict[str, str] = field(default_factory=dict)
    pages: int = 0
    linking: int = 0
    undecided: list[tuple[str, ...]] = field(default_factory=list)
    """The links still unvisited of each page without a link to a known target when it was read."""
    sizes: list[int] = field(default_factory=list)
    types: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    target_depths: list[int] = field(default_factory=list)
    others: int = 0
    errors: int = 0

    def run(self, seed: str, max_urls: float, progress: Callable[[int, int], None]) -> None:
        self.depths[seed] = 0
        self.waiting.append(seed)
        while self.waiting and len(self.visited) < max_urls:
            url = self.waiting.popleft()
            if url in self.visited:
                continue
            self.visited.add(url)
            self._visit(url)
            if len(self.visited) % _REPORT_EVERY == 0:
                progress(len(self.visited), len(self.depths))
        progress(len(self.visited), len(self.depths))
        if not self.pages:
            raise ArchiveError(f"{self.archive.name}: the start page {seed} is not a recorded page")

    def _visit(self, url: str) -> None:
        answer = self.archive.get(Fetch(url))
        if not isinstance(answer, Response) or answer.status >= 400:
            self.errors += 1
            return
        depth = self.depths[url]
        if is_redirect(answer.status):
            self._follow_redirect(url, answer, depth)
            return
        kind = kind_of(answer, self.targets)
        self.types[mime_type_of(answer)] += 1
        if kind is Kind.TARGET:
            self.found.add(url)
            self.sizes.append(answer.size)
            self.target_depths.append(depth)
        elif kind is Kind.PAGE:
            self._read_page(answer, depth)
        else:
            self.others += 1

    def _follow_redirect(self, url: str, answer: Response, depth: int) -> None:
        location = join(url, answer.headers.get("location", ""))
        if location is None or not self.site.admits(location):
            return
        self.leads_to[url] = location
        if location not in self.visited:
            # A redirect is not a link: its end has the same depth, so it is visited next.
            self.depths[location] = depth
            self.waiting.appendleft(location)

    def _read_page(self, answer: Response, depth: int) -> None:
        page = self.read(answer)
        if language := find_language(answer.body):
            self.languages[language] += 1
        found = dict.fromkeys(link.url for link in page.links) if page else {}
        on_site = [u for u in found if self.site.admits(u) and not has_blocked_extension(u)]
        self.pages += 1
        if any(map(self._is_target, on_site)):
            self.linking += 1
        else:
            self.undecided.append(
                # A link to a visited URL is decided already: only the others can turn out to be
                # targets.
                tuple(u for u in on_site if self._resolve_redirects(u) not in self.visited)
            )
        for link in on_site:
            if link not in self.depths:
                self.depths[link] = depth + 1
                self.waiting.append(link)

    def _resolve_redirects(self, url: str) -> str:
        for _ in range(_MAX_HOPS):
            if url not in self.leads_to:
                break
            url = self.leads_to[url]
        return url

    def _is_target(self, url: str) -> bool:
        return self._resolve_redirects(url) in self.found

    def summarize(self) -> Characteristics:
        # Links that led to a target found later count for their pages only now.
        late = sum(any(map(self._is_target, links)) for links in self.undecided)
        return Characteristics(
            self.archive.name,
            self.pages,
            len(self.sizes),
            self.pages + len(self.sizes) + self.others,
            self.linking + late,
            _measure_spread(self.sizes),
            _measure_spread(self.target_depths),
            self.errors,
            len(self.leads_to),
            dict(self.types.most_common()),
            not self.waiting,
            self.site.seed,
            dict(self.languages.most_common()),
        )


def _measure_spread(values: list[int]) -> Spread:
    if not values:
        return Spread()
    mean = sum(values) / len(values)
    # Over the population, since all targets of the site are measured and not a sample.
    variance = sum((value - mean) ** 2 for value in values) / len(values)
    return Spread(mean, math.sqrt(variance), max(values))
