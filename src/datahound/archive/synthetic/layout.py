"""The website as a whole: its sections, its files, its URLs and who may link to whom."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from datahound.archive.synthetic.addresses import Addresses
from datahound.archive.synthetic.numbers import mix, salt_of
from datahound.archive.synthetic.places import Article, Hub
from datahound.archive.synthetic.planning import plan
from datahound.archive.synthetic.sections import Section, Spine
from datahound.archive.synthetic.settings import SyntheticSettings
from datahound.archive.synthetic.targets import Targets, targets_of

_RELATED = 5
_THOUSAND = 1000


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

    def level(self, place: Hub | Article) -> int:
        """How many links the page is from the seed."""
        if isinstance(place, Hub):
            return place.section.base + place.spine.step
        return place.section.base + place.section.article_step(place.number)

    def related(self, place: Hub | Article, number: int = _RELATED) -> list[Article]:
        """Articles at most one level deeper, so that links across make no short cuts."""
        salt = self.chance(place)
        reach = self.level(place) + 1
        sections = self.by_language[place.section.language]
        found = []
        for turn in range(number):
            chance = mix(salt, turn)
            section = place.section if chance & 1 else sections[(chance >> 1) % len(sections)]
            within = section.articles_within(reach)
            if within:
                found.append(Article(section, (chance >> 16) % within))
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
        if number == 0:
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
        return cell.first_file + (chance >> 8) % cell.files if chance % 6 == 0 else None

    def pages(self) -> Iterator[Hub | Article]:
        """All pages, section by section."""
        for section in self.sections:
            for step, width in enumerate(section.shape.spine):
                for column in range(width):
                    yield Hub(section, Spine(step, column))
            for number in range(section.articles):
                yield Article(section, number)


def lay_out(settings: SyntheticSettings) -> Layout:
    """The website that the settings describe."""
    sections = plan(settings)
    targets = targets_of(settings, sections)
    addresses = Addresses(settings, sections, targets)
    by_language = {
        language: tuple(s for s in sections if s.language == language and s.articles)
        for language in settings.languages
    }
    salt = salt_of(settings.seed, settings.name, "pages")
    return Layout(settings, sections, targets, addresses, by_language, salt)
