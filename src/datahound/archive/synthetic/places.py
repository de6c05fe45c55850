"""What a URL of the website can name, and what pages are called."""

from typing import NamedTuple

from datahound.archive.synthetic.numbers import mix
from datahound.archive.synthetic.sections import Section, Spine
from datahound.archive.synthetic.targets import Target
from datahound.archive.synthetic.words import Title, words_of


class Hub(NamedTuple):
    """A hub, or a page of its list."""

    section: Section
    spine: Spine


class Article(NamedTuple):
    """A page that leads on only across the site, and perhaps holds files."""

    section: Section
    number: int


class Moved(NamedTuple):
    """A URL that is redirected."""

    location: str
    status: int = 301


class Picture(NamedTuple):
    """An image."""

    number: int


class Broken(NamedTuple):
    """A URL at which the server fails."""


class Month(NamedTuple):
    """A page of the calendar that has no end."""

    year: int
    month: int


Place = Hub | Article | Target | Moved | Picture | Broken | Month


def hub_title(section: Section, number: int) -> tuple[str, str]:
    """Name and slug of a hub."""
    words = words_of(section.language)
    if not number:
        if section.kind == "theme":
            return words.themes[section.theme]
        label = "home" if section.kind == "root" else section.kind
        return words.labels[label], words.label_slugs[label]
    chance = mix(section.salt ^ 1, number)
    theme = section.theme if section.kind == "theme" else (chance >> 40) % len(words.themes)
    return words.topic(theme, chance)


def article_title(section: Section, number: int) -> Title:
    """What an article is called."""
    words = words_of(section.language)
    if section.kind == "root" and number < len(words.root_pages):
        return Title(*words.root_pages[number], 2024)
    chance = mix(section.salt, number)
    theme = section.theme if section.kind == "theme" else (chance >> 40) % len(words.themes)
    return words.title(theme, chance)
