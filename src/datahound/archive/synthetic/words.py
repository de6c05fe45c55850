"""The words of a language: themes, topics, labels and sentences."""

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

FIRST_YEAR, YEARS = 1998, 27


class Title(NamedTuple):
    """What something is called: for people and for URLs."""

    text: str
    slug: str
    year: int


class Subject(NamedTuple):
    """A title that waits for its year."""

    before: str
    after: str
    slug: str


@dataclass(frozen=True, slots=True)
class Words:
    """All that is said in one language."""

    language: str
    labels: dict[str, str]
    label_slugs: dict[str, str]
    themes: tuple[tuple[str, str], ...]
    topics: tuple[tuple[tuple[str, str], ...], ...]
    subjects: tuple[tuple[Subject, ...], ...]
    root_pages: tuple[tuple[str, str], ...]
    places: tuple[str, ...]
    sentences: tuple[str, ...]
    page: str

    def title(self, theme: int, chance: int) -> Title:
        """A title on a theme, picked by a number that looks like chance."""
        subjects = self.subjects[theme]
        before, after, slug = subjects[chance % len(subjects)]
        year = FIRST_YEAR + (chance >> 16) % YEARS
        return Title(f"{before}{year}{after}", f"{slug}-{year}", year)

    def topic(self, theme: int, chance: int) -> tuple[str, str]:
        """Name and slug of a topic of a theme."""
        topics = self.topics[theme]
        return topics[chance % len(topics)]


@cache
def load_words(language: str) -> Words:
    """The words of a language; where its script has no ASCII, slugs are English."""
    raw = _load(language)
    plain = raw if _slug(raw["labels"]["news"]) else _load("en")
    return Words(
        language,
        raw["labels"],
        {key: _slug(text) for key, text in plain["labels"].items()},
        tuple((t["name"], _slug(p["name"])) for t, p in _themes(raw, plain)),
        tuple(_named(t["topics"], p["topics"]) for t, p in _themes(raw, plain)),
        tuple(_subjects(raw, plain, i) for i in range(len(raw["themes"]))),
        _named(raw["pages"]["root"], plain["pages"]["root"]),
        tuple(raw["places"]),
        tuple(raw["text"]["sentences"]),
        raw["page"],
    )


def _load(language: str) -> dict[str, Any]:
    path = files(__package__) / "words" / f"{language}.toml"
    return tomllib.loads(path.read_text("utf-8"))


def _themes(raw: dict[str, Any], plain: dict[str, Any]) -> list[tuple[Any, Any]]:
    return list(zip(raw["themes"], plain["themes"], strict=True))


def _named(names: list[str], plain: list[str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, _slug(text)) for name, text in zip(names, plain, strict=True))


def _subjects(raw: dict[str, Any], plain: dict[str, Any], theme: int) -> tuple[Subject, ...]:
    found = []
    pairs = zip(raw["themes"][theme]["topics"], plain["themes"][theme]["topics"], strict=True)
    for topic, plain_topic in pairs:
        for by, plain_by in zip(raw["by"], plain["by"], strict=True):
            # NUL marks where the year goes: languages put it in different places.
            text = raw["title"].format(topic=topic, by=by, year="\0")
            before, after = text.split("\0")
            found.append(Subject(before, after, _slug(f"{plain_topic} {plain_by}")))
    return tuple(found)


def _slug(text: str) -> str:
    ascii_ = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_.lower()).strip("-")
