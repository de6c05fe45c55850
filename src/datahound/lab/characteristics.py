"""What a recorded website is like: the figures of the paper's table of websites, measured."""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt

from datahound.archive.archive import Archive
from datahound.archive.synthetic.presets import paper_sites
from datahound.errors import ArchiveError
from datahound.model import Fetch, Kind, Page, Response
from datahound.web.kinds import DEFAULT_TARGETS, has_blocked_extension, kind_of, mime_type_of
from datahound.web.pages import PageReader
from datahound.web.site import Site
from datahound.web.urls import canonical, join

_MEGABYTE = 1_000_000
_MOST_HOPS = 10
_REPORT_EVERY = 200


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean, its standard deviation and the highest value."""

    mean: float = 0.0
    std: float = 0.0
    max: float = 0.0


@dataclass(frozen=True, slots=True)
class Characteristics:
    """What an exhaustive breadth-first walk from the seed finds.

    Available is what answers with success; redirects are counted where they lead. A page links to
    a target if one of its links on the site is a target, or is redirected to one. Depth is the
    least number of links from the seed. Pictures, sounds and films are left out, by extension.
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

    @property
    def density(self) -> float:
        """The share of what is available that is a target."""
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


def characteristics(
    archive: Archive,
    targets: frozenset[str] = DEFAULT_TARGETS,
    read: Callable[[Response], Page] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Characteristics:
    """Measure a website by visiting everything that its seed leads to.

    `progress` is told now and then how many URLs were asked for and how many are known.
    """
    walk = _Walk(archive, targets, read or PageReader().read)
    walk.run(progress or (lambda _done, _known: None))
    return walk.result()


def paper_characteristics(preset: str) -> PaperCharacteristics | None:
    """What the paper says of the website that a preset is in the likeness of, or None."""
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
    archive: Archive
    targets: frozenset[str]
    read: Callable[[Response], Page]
    depths: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    leads_to: dict[str, str] = field(default_factory=dict)
    links: dict[str, tuple[str, ...]] = field(default_factory=dict)
    sizes: list[int] = field(default_factory=list)
    types: Counter[str] = field(default_factory=Counter)
    target_depths: list[int] = field(default_factory=list)
    others: int = 0
    errors: int = 0

    def run(self, progress: Callable[[int, int], None]) -> None:
        seed = canonical(self.archive.seed) or self.archive.seed
        self.depths[seed] = 0
        waiting = deque([seed])
        site = Site(seed)
        while waiting:
            url = waiting.popleft()
            self._visit(url, site, waiting)
            done = len(self.depths) - len(waiting)
            if done % _REPORT_EVERY == 0:
                progress(done, len(self.depths))
        progress(len(self.depths), len(self.depths))
        if self.kinds.get(self._end(seed)) is not Kind.HTML:
            raise ArchiveError(f"{self.archive.name}: the start page {seed} is not a recorded page")

    def _visit(self, url: str, site: Site, waiting: deque[str]) -> None:
        answer = self.archive.get(Fetch(url))
        if not isinstance(answer, Response) or answer.status >= 400:
            self.errors += 1
            return
        depth = self.depths[url]
        if 300 <= answer.status < 400:
            self._follow(url, answer, depth, site, waiting)
            return
        kind = self.kinds[url] = kind_of(answer, self.targets)
        self.types[mime_type_of(answer)] += 1
        if kind is Kind.TARGET:
            self.sizes.append(answer.size)
            self.target_depths.append(depth)
        elif kind is Kind.HTML:
            self._read(url, answer, depth, site, waiting)
        else:
            self.others += 1

    def _follow(
        self, url: str, answer: Response, depth: int, site: Site, waiting: deque[str]
    ) -> None:
        location = join(url, answer.headers.get("location", ""))
        if location is None or not site.admits(location):
            return
        self.leads_to[url] = location
        if location not in self.depths:
            # A redirect is no link: what it leads to is as deep, and so next in line.
            self.depths[location] = depth
            waiting.appendleft(location)

    def _read(
        self, url: str, answer: Response, depth: int, site: Site, waiting: deque[str]
    ) -> None:
        page = self.read(answer)
        found = dict.fromkeys(link.url for link in page.links)
        on_site = tuple(u for u in found if site.admits(u) and not has_blocked_extension(u))
        self.links[url] = on_site
        for link in on_site:
            if link not in self.depths:
                self.depths[link] = depth + 1
                waiting.append(link)

    def _end(self, url: str) -> str:
        for _ in range(_MOST_HOPS):
            if url not in self.leads_to:
                break
            url = self.leads_to[url]
        return url

    def _links_to_target(self, links: tuple[str, ...]) -> bool:
        return any(self.kinds.get(self._end(link)) is Kind.TARGET for link in links)

    def result(self) -> Characteristics:
        pages = len(self.links)
        return Characteristics(
            self.archive.name,
            pages,
            len(self.sizes),
            pages + len(self.sizes) + self.others,
            sum(map(self._links_to_target, self.links.values())),
            _spread(self.sizes),
            _spread(self.target_depths),
            self.errors,
            len(self.leads_to),
            dict(self.types.most_common()),
        )


def _spread(values: list[int]) -> Spread:
    if not values:
        return Spread()
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / len(values)
    return Spread(mean, sqrt(variance), max(values))
