"""URLs of everything on the website, and back: what a URL names, from its text alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from datahound.archive.synthetic.numbers import mix
from datahound.archive.synthetic.sections import (
    Article,
    Hub,
    Section,
    Spine,
    name_article,
    name_hub,
)
from datahound.archive.synthetic.settings import SyntheticSettings
from datahound.archive.synthetic.targets import Target, Targets
from datahound.archive.synthetic.words import Title, load_words


@dataclass(frozen=True, slots=True)
class Style:
    """How the URLs of one kind of section are written, after the section's own prefix."""

    hub: str
    page: str
    article: str


_STYLES = {
    "root": Style("", "", "{slug}-{n}.html"),
    "theme": Style("/{slug}-{n}/", "?page={p}", "/release/{slug}-{n}"),
    "publications": Style("/collection/{n}/", "?start={p}", "/{n}/{slug}.html"),
    "portal": Style("/group/{slug}-{n}/", "?page={p}", "/dataset/{slug}-{n}"),
    "news": Style("/topic/{slug}-{n}/", "page/{p}/", "/{year}/{month:02}/{slug}-{n}.html"),
    "about": Style("/{slug}-{n}/", "?p={p}", "/index.php?page={slug}&id={n}"),
    "search": Style("/?q={slug}&topic={n}", "&page={p}", "/result/{n}"),
}
_FILES = {
    "theme": "{www}/sites/default/files/{year}-{month:02}/{slug}-{n}.{format}",
    "publications": "{www}/documents/{n}/{slug}.{format}",
    "portal": "{data}/storage/f/{year}/{slug}-{n}.{format}",
}
_OTHER_FILES = "{www}/media/{n}/{slug}.{format}"
_HIDDEN_FILES = {
    "theme": "{www}/download/{n}",
    "publications": "{www}/file?id={n}&format={format}",
    "portal": "{data}/dataset/resource/{n}/download",
}
_OTHER_HIDDEN_FILES = "{www}/attachment/{n}"
_FIELDS = {
    "{n}": r"(?P<n>\d{1,9})",
    "{p}": r"(?P<p>\d{1,6})",
    "{slug}": "[a-z0-9-]*",
    "{year}": r"\d{4}",
    "{month:02}": r"\d\d",
    "{format}": "[a-z]+",
}
# Addresses from before a relaunch, as many sites keep them.
_OLD = re.compile(r"/(?P<what>node|go)/(?P<n>\d{1,9})$")
_PICTURE = re.compile(r"/images/photo-(?P<n>\d{1,9})\.png$")
_SESSION = re.compile(r"[?&]sid=([0-9a-f]{16})$")
_MONTH = re.compile(r"/calendar/(?P<year>\d{1,9})/(?P<month>\d\d)$")


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


class Addresses:
    """The URLs of one website."""

    def __init__(
        self, settings: SyntheticSettings, sections: Sequence[Section], targets: Targets
    ) -> None:
        self.www = f"https://{settings.host}"
        bare = settings.host.removeprefix("www.")
        self.data = f"https://data.{bare}"
        self._origins = (self.www, self.data)
        self._aliases = {f"http://{settings.host}": self.www, f"http://data.{bare}": self.data}
        self._aliases |= {f"{scheme}://{bare}": self.www for scheme in ("http", "https")}
        self._traps = settings.traps
        self._main = settings.languages[0]
        self._sections = sections
        self._targets = targets
        self.prefixes = [self._prefix(section) for section in sections]
        self._by_prefix = dict(zip(self.prefixes, sections, strict=True))
        self._files = [_pattern(p, self.www, self.data) for p in _file_styles()]
        self._articles = {kind: _pattern(style.article) for kind, style in _STYLES.items()}
        self._hubs = {kind: _hub_pattern(style) for kind, style in _STYLES.items()}

    def hub(self, place: Hub) -> str:
        """The URL of a hub or list page."""
        section, spine = place
        style = _STYLES[section.kind]
        prefix = self.prefixes[section.number]
        number = section.hub_number(spine)
        url = prefix
        if section.kind != "root":
            url += style.hub.format(slug=name_hub(section, number)[1], n=number) if number else "/"
        page = spine.step - section.shape.branch
        if page <= 0:
            return url
        listed = style.page.format(p=page + 1)
        return url + (listed if number or not listed.startswith("&") else "?" + listed[1:])

    def article(self, section: Section, number: int, title: Title | None = None) -> str:
        """The URL of an article."""
        title = title or name_article(section, number)
        month = 1 + mix(section.salt, ~number) % 12
        slug = self._targets.clock.rename(section, number, title.slug)
        tail = _STYLES[section.kind].article.format(
            slug=slug, n=number, year=title.year, month=month
        )
        return self.prefixes[section.number] + tail

    def target(self, target: Target) -> str:
        """The URL of a file."""
        if target.hidden:
            style = _HIDDEN_FILES.get(target.kind, _OTHER_HIDDEN_FILES)
        else:
            style = _FILES.get(target.kind, _OTHER_FILES)
        return style.format(
            www=self.www,
            data=self.data,
            n=target.number,
            slug=target.slug,
            year=target.year,
            month=target.month,
            format=target.format,
        )

    def link_to(self, target: Target) -> str:
        """The URL by which pages link to a file."""
        return f"{self.www}/go/{target.number}" if target.moved else self.target(target)

    def old_link_to(self, section: Section, number: int) -> str:
        """A URL that an article had before the site was rebuilt."""
        return f"{self.www}/node/{section.first_article + number}"

    def knows_host(self, url: str) -> bool:
        """Whether the URL is on one of the website's hosts."""
        return _origin(url) in self._origins or _origin(url) in self._aliases

    def find(self, url: str) -> Place | None:
        """What the URL names, or None."""
        origin = _origin(url)
        rest = url[len(origin) :]
        if origin in self._aliases:
            return Moved(self._aliases[origin] + rest)
        if origin == self.www and (place := self._oddity(rest)) is not None:
            return place
        return self._file(url) or self._page(url, origin, rest)

    def _oddity(self, rest: str) -> Place | None:
        if match := _OLD.match(rest):
            return self._old(match["what"], int(match["n"]))
        if match := _PICTURE.match(rest):
            return Picture(int(match["n"]))
        if rest.startswith("/cgi-bin/"):
            return Broken()
        match = _MONTH.match(rest) if self._traps else None
        if match and 1 <= int(match["month"]) <= 12:
            return Month(int(match["year"]), int(match["month"]))
        return None

    def _old(self, what: str, number: int) -> Place | None:
        if what == "go":
            known = number < len(self._targets) and self._targets.clock.has_file(number)
            return Moved(self.target(self._targets[number]), 302) if known else None
        for section in self._sections:
            if number < section.first_article + section.articles:
                article = self._released(section, number - section.first_article)
                return Moved(self.article(*article)) if article else None
        return None

    def _file(self, url: str) -> Place | None:
        for pattern in self._files:
            if match := pattern.fullmatch(url):
                number = int(match["n"])
                if number >= len(self._targets) or not self._targets.clock.has_file(number):
                    return None
                target = self._targets[number]
                location = self.target(target)
                return target if location == url else Moved(location)
        return None

    def _page(self, url: str, origin: str, rest: str) -> Place | None:
        parts = rest.partition("?")[0].strip("/").split("/")
        # The longest prefix wins: a section may lie inside the path of another.
        for length in (3, 2, 1, 0):
            prefix = "/".join([origin, *parts[:length]])
            section = self._by_prefix.get(prefix) or self._by_prefix.get(prefix + "/")
            if section is not None:
                place = self._within(section, url[len(self.prefixes[section.number]) :])
                return self._checked(place, url) if place is not None else None
        return None

    def _within(self, section: Section, tail: str) -> Hub | Article | None:
        if match := self._articles[section.kind].fullmatch(tail):
            number = int(match["n"])
            return self._released(section, number) if number < section.articles else None
        match = self._hubs[section.kind].fullmatch(tail)
        if not match:
            return None
        number, page = int(match["n"] or 0), int(match["p"] or 1)
        if number >= section.hubs:
            return None
        spine = section.hub(number)
        if page == 1:
            return Hub(section, spine)
        step = spine.step + page - 1
        listed = spine.step == section.shape.branch and section.has_list_page(step, spine.column)
        return Hub(section, Spine(step, spine.column)) if listed else None

    def _released(self, section: Section, number: int) -> Article | None:
        is_out = self._targets.clock.is_out(section, number)
        return Article(section, number) if is_out else None

    def _checked(self, place: Hub | Article, url: str) -> Place:
        location = self.hub(place) if isinstance(place, Hub) else self.article(*place)
        # As in content management systems, the number decides: a URL with another slug redirects to
        # the right one.
        return place if location == url else Moved(location)

    def _prefix(self, section: Section) -> str:
        words = load_words(section.language)
        home = self.www if section.language == self._main else f"{self.www}/{section.language}"
        if section.kind == "root":
            return home + "/"
        if section.kind == "portal":
            return self.data
        if section.kind == "theme":
            return f"{home}/{words.label_slugs['themes']}/{words.themes[section.theme][1]}"
        return f"{home}/{words.label_slugs[section.kind]}"


def _origin(url: str) -> str:
    return url[: url.find("/", 8)] if url.count("/") > 2 else url


def _file_styles() -> list[str]:
    return [*_FILES.values(), _OTHER_FILES, *_HIDDEN_FILES.values(), _OTHER_HIDDEN_FILES]


def _pattern(style: str, www: str = "", data: str = "") -> re.Pattern[str]:
    text = re.escape(style.replace("{www}", www).replace("{data}", data))
    for field, expression in _FIELDS.items():
        text = text.replace(re.escape(field), expression)
    return re.compile(text)


def _hub_pattern(style: Style) -> re.Pattern[str]:
    hub = _pattern(style.hub).pattern if style.hub else "(?P<n>(?!))?"
    page = _pattern(style.page.lstrip("&?")).pattern if style.page else "(?P<p>(?!))?"
    return re.compile(f"(?:{hub}|/)?[?&]?(?:{page})?")


def split_session(url: str) -> tuple[str, str]:
    """The URL without its session id, and the id or ''.

    >>> split_session("https://a.example/?q=x&sid=00000000000000ff")
    ('https://a.example/?q=x', '00000000000000ff')
    """
    match = _SESSION.search(url)
    return (url[: match.start()], match[1]) if match else (url, "")
