"""The website as a whole: sections planned to the settings, and which page links to which."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from datahound.archive.synthetic.addresses import Addresses
from datahound.archive.synthetic.clock import SiteClock
from datahound.archive.synthetic.numbers import make_salt, mix, share_out
from datahound.archive.synthetic.sections import Article, Holding, Hub, Section, Spine, make_section
from datahound.archive.synthetic.settings import SyntheticSettings
from datahound.archive.synthetic.shapes import (
    Plot,
    Shape,
    files_by_level,
    grow_shapes,
    holders_by_level,
    level_shares,
    mean_level,
)
from datahound.archive.synthetic.targets import Targets, make_targets

THEMES = 12
ROOT_PAGES = 14
# Home links to all of them, and no home page has hundreds of links of one kind.
_MAX_ROOT_HOLDERS = 60
# Tried in turn: wide pages allow shallow sites, but lists should stay short where they can.
_FANS = (20, 30, 45, 70, 100)
_CLOSE = 0.01
_CROWDED = 80
# Not every page of a rich section holds files, so that kinds of pages do not give them away.
_HELD = 0.85
# A few files lie outside of the rich sections, where a learner does not expect them.
_HELD_ELSEWHERE = 0.015
# Files per page of publications and portals, relative to other sections.
_GENEROUS = {"publications": 3.0, "portal": 1.5}
_DEEP = 20
_BARREN_WEIGHT = 0.15
_RELATED = 5
_THOUSAND = 1000


@dataclass(frozen=True, slots=True)
class Ground:
    """A section before it is planned. A rich one is where the files are."""

    kind: str
    language: str
    theme: int
    base: int
    weight: float
    rich: bool

    def room(self, articles: int) -> int:
        """How many of the articles may hold files."""
        if self.rich:
            return math.ceil(articles * _HELD)
        return int(articles * _HELD_ELSEWHERE)

    @property
    def plot(self) -> Plot:
        return Plot(self.weight, self.base, self.kind != "search")


def plan_sections(settings: SyntheticSettings) -> tuple[Section, ...]:
    """The sections of the website, home first."""
    grounds = list(_make_grounds(settings))
    shares = _shares(settings)
    best: tuple[float, list[Shape], list[int], list[int]] | None = None
    for fan in _FANS:
        shapes = _shapes(settings, grounds, shares, fan)
        holders, files = _fill_quotas(settings, grounds, shapes, shares)
        error = _error(settings, shares, holders, files)
        # Of equal plans the narrowest pages, which were tried first.
        if best is None or error < best[0] - 1e-9:
            best = (error, shapes, holders, files)
        if error < _CLOSE:
            break
    assert best is not None
    return tuple(_sections(settings, grounds, *best[1:]))


def _shares(settings: SyntheticSettings) -> list[float]:
    """The share of files held by pages of each level, less deep where the pages are too few."""
    mean, std = settings.depth - 1, settings.depth_std
    most = max(6, int(0.6 * settings.pages - 1.4 * settings.linking_pages))
    while len(shares := level_shares(mean, std)) > most:
        mean, std = 0.8 * mean, 0.8 * std
    return shares


def _make_grounds(settings: SyntheticSettings) -> Iterator[Ground]:
    salt = make_salt(settings.seed, settings.name, "grounds")
    themes = min(THEMES, max(3, int(math.log10(settings.pages) * 4) - 6))
    for place, language in enumerate(settings.languages):
        base = 1 if place == 0 else 2
        yield Ground("root", language, 0, base - 1, 1.0, rich=place == 0)
        kinds = ["theme"] * (themes if place == 0 else max(2, themes // 2))
        kinds += ["publications", "news", "about"]
        kinds += ["portal", "search"] if place == 0 else []
        for number, kind in enumerate(kinds):
            jitter = 0.6 + mix(salt, 100 * place + number) % 1000 / 1000
            weight = jitter / (1 + number % 4) ** 0.5 * (1.0 if place == 0 else 0.4)
            weight *= _BARREN_WEIGHT if kind == "search" else 1.0
            rich = kind in ("publications", "portal") or (kind == "theme" and number % 2 == 0)
            yield Ground(kind, language, number % THEMES, base, weight, rich)


def _shapes(
    settings: SyntheticSettings, grounds: Sequence[Ground], shares: Sequence[float], fan: int
) -> list[Shape]:
    """The pages of every section, at most `fan` articles under one page."""
    roots = [_root_shape(settings, ground, shares) for ground in grounds if ground.kind == "root"]
    rich = [g for g in grounds if g.rich and g.kind != "root"]
    poor = [g for g in grounds if not g.rich and g.kind != "root"]
    pages = settings.pages - sum(1 + sum(shape.leaves) for shape in roots)
    in_rich = min(pages - 2 * len(poor), max(2 * len(rich), _rich_pages(settings, shares, pages)))
    deep = min(6.0, settings.depth - 1)
    plain = level_shares(max(2.0, deep), min(1.5, settings.depth_std))
    made = {
        "rich": iter(grow_shapes([g.plot for g in rich], in_rich, shares, fan)),
        "poor": iter(grow_shapes([g.plot for g in poor], pages - in_rich, plain, fan)),
        "root": iter(roots),
    }
    return [
        next(made["root" if g.kind == "root" else "rich" if g.rich else "poor"]) for g in grounds
    ]


def _rich_pages(settings: SyntheticSettings, shares: Sequence[float], pages: int) -> int:
    usual = 0.6 if settings.depth > _DEEP else min(0.85, 0.12 + 1.6 * settings.linking)
    needed = 1.15 * len(shares) + 1.4 * settings.linking_pages
    return int(min(0.9 * pages, max(usual * pages, needed)))


def _root_shape(settings: SyntheticSettings, ground: Ground, shares: Sequence[float]) -> Shape:
    """Home and the pages that only home and the footer lead to."""
    pages = ROOT_PAGES if settings.pages >= 1000 else 6
    if ground.rich and settings.targets:
        on_top = settings.targets * shares[1]
        wanted = min(on_top / 25, settings.linking_pages * 0.5, _MAX_ROOT_HOLDERS)
        pages = max(pages, math.ceil(wanted / _HELD))
    return Shape(ground.base, (1,), (0, pages), 0)


def _fill_quotas(
    settings: SyntheticSettings,
    grounds: Sequence[Ground],
    shapes: Sequence[Shape],
    shares: Sequence[float],
) -> tuple[list[int], list[int]]:
    levels = max(shape.base + len(shape.leaves) for shape in shapes)
    room = [0] * levels
    for ground, shape in zip(grounds, shapes, strict=True):
        for step, articles in enumerate(shape.leaves):
            room[shape.base + step] += ground.room(articles)
    holders = holders_by_level(settings.linking_pages, shares, room)
    files = files_by_level(settings.targets, holders, shares, mean_level(shares))
    return holders, files


def _error(
    settings: SyntheticSettings,
    shares: Sequence[float],
    holders: Sequence[int],
    files: Sequence[int],
) -> float:
    """How far the plan is from what was asked: in depth, in pages that hold files, in crowding."""
    if not settings.targets:
        return 0.0
    wanted = mean_level(shares)
    depth = abs(mean_level(files) - wanted) / wanted
    missing = 1 - sum(holders) / settings.linking_pages
    crowded = max(f / h for f, h in zip(files, holders, strict=True) if h)
    return depth + missing + 0.02 * max(0.0, crowded / _CROWDED - 1)


def _sections(
    settings: SyntheticSettings,
    grounds: Sequence[Ground],
    shapes: Sequence[Shape],
    holders: Sequence[int],
    files: Sequence[int],
) -> Iterator[Section]:
    holdings = _share_holdings(grounds, shapes, holders, files)
    articles = [sum(shape.leaves) for shape in shapes]
    held = [sum(holding.files) for holding in holdings]
    before = zip(accumulate(articles, initial=0), accumulate(held, initial=0), strict=True)
    for number, (ground, shape, holding, start) in enumerate(
        zip(grounds, shapes, holdings, before, strict=False)
    ):
        place = (ground.kind, ground.language, ground.theme)
        salt = make_salt(settings.seed, settings.name, "section", number)
        yield make_section(number, place, salt, shape, holding, start)


def _share_holdings(
    grounds: Sequence[Ground],
    shapes: Sequence[Shape],
    holders: Sequence[int],
    files: Sequence[int],
) -> list[Holding]:
    """The quotas of each level, shared out among the sections."""
    by_section: list[tuple[list[int], list[int]]] = [
        ([0] * len(shape.leaves), [0] * len(shape.leaves)) for shape in shapes
    ]
    for level, number in enumerate(holders):
        if not number:
            continue
        caps = [_room(g, shape, level) for g, shape in zip(grounds, shapes, strict=True)]
        here = share_out(number, caps, caps)
        spread = [n * _GENEROUS.get(g.kind, 1.0) for n, g in zip(here, grounds, strict=True)]
        spare = files[level] - sum(here)
        extra = share_out(spare, spread, [spare if n else 0 for n in here])
        for i, shape in enumerate(shapes):
            if here[i]:
                by_section[i][0][level - shape.base] = here[i]
                by_section[i][1][level - shape.base] = here[i] + extra[i]
    return [Holding(tuple(h), tuple(f)) for h, f in by_section]


def _room(ground: Ground, shape: Shape, level: int) -> int:
    step = level - shape.base
    return ground.room(shape.leaves[step]) if 0 <= step < len(shape.leaves) else 0


class Oddities(NamedTuple):
    """URLs that only one page links to and that are neither pages nor targets."""

    dead: str | None
    redirected: str | None
    picture: str | None


@dataclass(frozen=True, slots=True)
class Layout:
    """Everything that is known of a website before a page is made."""

    settings: SyntheticSettings
    sections: tuple[Section, ...]
    targets: Targets
    addresses: Addresses
    by_language: dict[str, tuple[Section, ...]]
    salt: int

    @property
    def clock(self) -> SiteClock:
        """The day of which the website is."""
        return self.targets.clock

    def level(self, place: Hub | Article) -> int:
        """How many links the page is from the seed."""
        if isinstance(place, Hub):
            return place.section.base + place.spine.step
        return place.section.base + place.section.article_step(place.number)

    def related(self, place: Hub | Article, count: int = _RELATED) -> list[Article]:
        """Articles at most one level deeper, so that links across make no short cuts."""
        salt = self.chance(place)
        reach = self.level(place) + 1
        sections = self.by_language[place.section.language]
        found = []
        for turn in range(count):
            chance = mix(salt, turn)
            section = place.section if chance & 1 else sections[(chance >> 1) % len(sections)]
            within = section.articles_within(reach)
            number = (chance >> 16) % within if within else 0
            if within and self.clock.is_out(section, number):
                found.append(Article(section, number))
        return found

    def oddities(self, place: Article) -> Oddities:
        """The dead link, the redirected link and the picture of an article, where it has them."""
        chance = mix(self.chance(place), ~0)
        settings, own = self.settings, place.section.first_article + place.number
        www = self.addresses.www
        dead = redirected = picture = None
        if chance % _THOUSAND < settings.dead_links * _THOUSAND:
            broken = (chance >> 10) % 5 == 0
            dead = f"{www}/cgi-bin/table?id={own}" if broken else f"{www}/archive/{own}/index.html"
        if (chance >> 20) % _THOUSAND < settings.redirects * _THOUSAND:
            redirected = self._redirected(place, chance >> 30)
        if place.section.kind in ("news", "about") and (chance >> 40) % 4 == 0:
            picture = f"{www}/images/photo-{own}.png"
        return Oddities(dead, redirected, picture)

    def _redirected(self, place: Article, chance: int) -> str | None:
        """A former address of the article before this one, which no other page links to."""
        section, number = place
        if number == 0 or not self.clock.is_out(section, number - 1):
            return None
        if chance % 4 == 0:
            return self.addresses.article(section, number - 1).replace("https:", "http:", 1)
        return self.addresses.old_link_to(section, number - 1)

    def chance(self, place: Hub | Article) -> int:
        """64 bits that belong to one page."""
        if isinstance(place, Article):
            return mix(self.salt, place.section.first_article + place.number)
        step, column = place.spine
        return mix(place.section.salt ^ self.salt, (step << 32) + column)

    def also(self, place: Article) -> int | None:
        """The number of a file of another page of the same level, on some pages that hold files."""
        chance = mix(self.chance(place), 77)
        cell = place.section.cells[place.section.article_step(place.number)]
        file = cell.first_file + (chance >> 8) % cell.files if chance % 6 == 0 else None
        return file if file is not None and self.clock.has_file(file) else None

    def pages(self) -> Iterator[Hub | Article]:
        """All pages, section by section."""
        for section in self.sections:
            for step, width in enumerate(section.shape.spine):
                for column in range(width):
                    yield Hub(section, Spine(step, column))
            for number in range(section.articles):
                if self.clock.is_out(section, number):
                    yield Article(section, number)

    def files(self) -> Iterator[int]:
        """The numbers of all files."""
        return filter(self.clock.has_file, range(len(self.targets)))


def make_layout(settings: SyntheticSettings) -> Layout:
    """The website that the settings describe."""
    sections = plan_sections(settings)
    targets = make_targets(settings, sections)
    addresses = Addresses(settings, sections, targets)
    by_language = {
        language: tuple(s for s in sections if s.language == language and s.articles)
        for language in settings.languages
    }
    salt = make_salt(settings.seed, settings.name, "pages")
    return Layout(settings, sections, targets, addresses, by_language, salt)
