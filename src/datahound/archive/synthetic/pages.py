"""The HTML pages of the website: a template per kind of section, within a common frame."""

from datahound.archive.synthetic.addresses import Month
from datahound.archive.synthetic.blocks import Blocks, escape_url
from datahound.archive.synthetic.layout import Layout
from datahound.archive.synthetic.numbers import mix
from datahound.archive.synthetic.sections import (
    Article,
    Hub,
    Section,
    Spine,
    name_article,
    name_hub,
)
from datahound.archive.synthetic.words import load_words

# Results per page: more than the items of a listing, so that searches look rewarding.
_RESULTS = 24
_NUMBERED = ("theme", "news")
_FLAVOURS = ("", "gov-", "stat-", "ds-", "o-")
_ELSEWHERE = ("social.example", "video.example", "photos.example", "union.example")
# A menu stays short however many hubs there are.
_LOCAL = 12


class Pages:
    """Makes the HTML of any page."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._frames = Frames(layout)
        self._blocks = Blocks(layout, self._frames.flavour)

    def hub(self, place: Hub, session: str = "") -> bytes:
        """A hub, a page of a list, or home."""
        section, spine = place
        words = load_words(section.language)
        title = name_hub(section, section.hub_number(spine))[0]
        page = spine.step - section.shape.branch
        if page > 0:
            title = f"{title}, {words.page.format(number=page + 1)}"
        content = self._home(section) if section.kind == "root" else self._listing(place)
        content += self._trap(self._layout.addresses.hub(place), session)
        return self._frames.page(place, f"{section.kind}-list", title, content)

    def article(self, place: Article, session: str = "") -> bytes:
        """An article with its files."""
        section, number = place
        title = name_article(section, number)
        template = f"{section.kind}-page"
        content = self._blocks.text(place) + self._blocks.files(place)
        content += self._blocks.oddities(place) + self._blocks.related(place)
        content += self._trap(self._layout.addresses.article(section, number, title), session)
        node = f' id="node-{number}"' if section.kind in _NUMBERED else ""
        body = f'<article class="{section.kind}"{node}>\n{content}</article>\n'
        return self._frames.page(place, template, title.text, body)

    def month(self, month: Month) -> bytes:
        """A page of the calendar, which leads to the next one for ever."""
        root = self._layout.sections[0]
        labels = load_words(root.language).labels
        year, number = divmod(month.year * 12 + month.month, 12)
        after = f"{self._layout.addresses.www}/calendar/{year}/{number + 1:02}"
        content = (
            f'<table class="calendar"><caption>{month.year}-{month.month:02}</caption></table>\n'
            f'<a class="calendar-next" href="{after}">{labels["next"]}</a>\n'
        )
        place = Hub(root, Spine(0, 0))
        return self._frames.page(place, "calendar", labels["calendar"], content)

    def _home(self, section: Section) -> str:
        layout, labels = self._layout, load_words(section.language).labels
        cards = "".join(
            f'<div class="card card-{s.kind}">\n<h2><a href="{self._front(s)}">'
            f"{name_hub(s, 0)[0]}</a></h2>\n"
            f"<p>{self._blocks.sentence(s.language, s.salt)}</p>\n</div>\n"
            for s in layout.sections
            if s.language == section.language and s.kind != "root"
        )
        quick = "".join(
            f'<li class="quick"><a href="{layout.addresses.article(section, number)}">'
            f"{name_article(section, number).text}</a></li>\n"
            for number in range(section.articles)
        )
        return (
            f'<div class="cards">\n{cards}</div>\n<section class="quick-links">\n'
            f"<h2>{labels['also']}</h2>\n<ul>\n{quick}</ul>\n</section>\n"
        )

    def _listing(self, place: Hub) -> str:
        section, spine = place
        if section.kind == "search":
            items = self._layout.related(place, _RESULTS)
        else:
            is_out = self._layout.clock.is_out
            numbers = section.articles_under(spine)
            items = [Article(section, n) for n in numbers if is_out(section, n)]
        return (
            f"<p>{self._blocks.sentence(section.language, self._layout.chance(place))}</p>\n"
            f"{self._topics(place)}{self._blocks.items(section, items)}{self._pager(place)}"
        )

    def _topics(self, place: Hub) -> str:
        section, spine = place
        under = [Spine(spine.step + 1, column) for column in section.hubs_under(spine)]
        if not under:
            return ""
        hub = self._layout.addresses.hub
        items = "".join(
            f'<li class="topic"><a href="{escape_url(hub(Hub(section, s)))}">'
            f"{name_hub(section, section.hub_number(s))[0]}</a></li>\n"
            for s in under
        )
        label = load_words(section.language).labels["topics"]
        return (
            f'<section class="topics"><h2>{label}</h2>\n'
            f'<ul class="topic-list">\n{items}</ul></section>\n'
        )

    def _pager(self, place: Hub) -> str:
        section, spine = place
        labels, branch = load_words(section.language).labels, section.shape.branch
        links = []
        if spine.step > branch:
            links.append(("first", Spine(branch, spine.column), labels["first"]))
            links.append(("previous", Spine(spine.step - 1, spine.column), labels["previous"]))
            links += [
                ("number", Spine(step, spine.column), str(step - branch + 1))
                for step in range(max(branch, spine.step - 3), spine.step)
            ]
        if (after := section.next_page(spine)) is not None:
            links.append(("next", after, labels["next"]))
        if not links:
            return ""
        hub = self._layout.addresses.hub
        items = "".join(
            f'<li class="pager-item pager-{name}"><a rel="{name}" '
            f'href="{escape_url(hub(Hub(section, to)))}">{text}</a></li>\n'
            for name, to, text in links
        )
        return f'<nav class="pagination"><ul class="pager">\n{items}</ul></nav>\n'

    def _trap(self, url: str, session: str) -> str:
        """Where traps are on: this very page under a session of its own, and the calendar."""
        if not self._layout.settings.traps:
            return ""
        # A new id on every page: a crawler that does not see through it never ends.
        fresh = mix(self._layout.salt, int(session or "0", 16) + len(url))
        printed = escape_url(f"{url}{'&' if '?' in url else '?'}sid={fresh:016x}")
        www = self._layout.addresses.www
        return (
            f'<p class="tools"><a class="print" href="{printed}">Print</a> '
            f'<a class="calendar" href="{www}/calendar/2024/01">2024</a></p>\n'
        )

    def _front(self, section: Section) -> str:
        return self._layout.addresses.hub(Hub(section, Spine(0, 0)))


class Frames:
    """Makes the frame of a page; what all pages of a language or section share is made once."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.flavour = _FLAVOURS[mix(layout.salt, 5) % len(_FLAVOURS)]
        languages = layout.settings.languages
        self._roots = {s.language: s for s in layout.sections if s.kind == "root"}
        self._heads = {language: self._head(language) for language in languages}
        self._menus = {language: self._menu(language) for language in languages}
        self._footers = {language: self._footer(language) for language in languages}
        self._locals = [self._local(section) for section in layout.sections]

    def page(self, place: Hub | Article, template: str, title: str, content: str) -> bytes:
        """A whole document."""
        section = place.section
        language = section.language
        direction = ' dir="rtl"' if language == "ar" else ""
        html = (
            f'<!DOCTYPE html>\n<html lang="{language}"{direction}>\n<head>\n'
            f"<title>{title} | {load_words(language).labels['site']}</title>\n"
            f"{self._heads[language]}"
            f'</head>\n<body class="{template} lang-{language}">\n{self._menus[language]}'
            f'<div class="{self.flavour}container" id="page">\n{self._breadcrumb(place, title)}'
            f'<div class="{self.flavour}row">\n<main id="main" class="{template}-main">\n'
            f"<h1>{title}</h1>\n{content}</main>\n{self._locals[section.number]}</div>\n</div>\n"
            f"{self._footers[language]}</body>\n</html>\n"
        )
        return html.encode()

    def _head(self, language: str) -> str:
        labels = load_words(language).labels
        return (
            '<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta name="description" content="{labels["site"]}">\n'
            '<link rel="stylesheet" href="/assets/css/site.css?v=3.2.1">\n'
            '<link rel="icon" type="image/png" href="/assets/favicon.png">\n'
            '<script src="/assets/js/site.js" defer></script>\n'
        )

    def _menu(self, language: str) -> str:
        labels, f = load_words(language).labels, self.flavour
        sections = [s for s in self._layout.sections if s.language == language]
        items = "".join(
            f'<li class="menu-item menu-item-{s.number}"><a class="{f}nav-link" '
            f'href="{self._front(s)}">{name_hub(s, 0)[0]}</a></li>\n'
            for s in sections
        )
        return (
            f'<a class="sr-only" href="#main">{labels["more"]}</a>\n'
            f'<header id="header" class="{f}header">\n<div class="{f}header-top">\n'
            f'<a class="{f}logo" href="{self._front(sections[0])}" title="{labels["home"]}">'
            f'<img src="/assets/logo.png" alt="{labels["site"]}"></a>\n{self._switch(language)}'
            f'</div>\n<nav id="navigation" class="{f}navbar" aria-label="{labels["menu"]}">\n'
            f'<ul class="{f}menu nav">\n{items}</ul>\n</nav>\n</header>\n'
        )

    def _switch(self, language: str) -> str:
        roots = [s for s in self._layout.sections if s.kind == "root" and s.language != language]
        if not roots:
            return ""
        items = "".join(
            f'<li><a hreflang="{s.language}" href="{self._front(s)}">'
            f"{load_words(s.language).labels['language']}</a></li>\n"
            for s in roots
        )
        return f'<ul class="{self.flavour}languages">\n{items}</ul>\n'

    def _footer(self, language: str) -> str:
        f, layout = self.flavour, self._layout
        root = self._roots[language]
        pages = range(min(root.articles, 14))
        items = "".join(
            f'<li><a href="{layout.addresses.article(root, n)}">'
            f"{name_article(root, n).text}</a></li>\n"
            for n in pages
        )
        others = "".join(
            f'<a class="{f}social" rel="noopener" href="https://{host}/statistics">{host}</a>\n'
            for host in _ELSEWHERE
        )
        mail = f'<a href="mailto:info@{layout.settings.host}">info@{layout.settings.host}</a>'
        return (
            f'<footer id="footer" class="{f}footer">\n<div class="{f}footer-inner">\n'
            f'<ul class="{f}footer-links">\n{items}</ul>\n<div class="{f}footer-social">\n{others}'
            f"</div>\n<p>{mail}</p>\n</div>\n</footer>\n"
        )

    def _local(self, section: Section) -> str:
        """The section's own menu, beside the content of all its pages."""
        front = Spine(0, 0)
        under = section.hubs_under(front)[:_LOCAL]
        if not under:
            return ""
        items = "".join(
            f'<li class="leaf"><a href="{self._layout.addresses.hub(Hub(section, spine))}">'
            f"{name_hub(section, section.hub_number(spine))[0]}</a></li>\n"
            for spine in (Spine(1, column) for column in under)
        )
        f = self.flavour
        return (
            f'<aside class="{f}sidebar">\n<nav class="{f}local-nav" id="section-nav">\n'
            f"<ul>\n{items}</ul>\n</nav>\n</aside>\n"
        )

    def _breadcrumb(self, place: Hub | Article, title: str) -> str:
        section = place.section
        crumbs: list[tuple[str, str]] = []
        spine = section.article_parent(place.number) if isinstance(place, Article) else place.spine
        branch = section.shape.branch
        spine = Spine(min(spine.step, branch), spine.column)
        if isinstance(place, Hub) and spine == place.spine and spine.step:
            spine = section.parent(spine)
        while spine.step:
            number = section.hub_number(spine)
            url = self._layout.addresses.hub(Hub(section, spine))
            crumbs.append((url, name_hub(section, number)[0]))
            spine = section.parent(spine)
        if section.kind != "root":
            crumbs.append((self._front(section), name_hub(section, 0)[0]))
        root = self._roots[section.language]
        crumbs.append((self._front(root), name_hub(root, 0)[0]))
        items = "".join(
            f'<li class="breadcrumb-item"><a href="{escape_url(url)}">{name}</a></li>'
            for url, name in reversed(crumbs)
        )
        return (
            f'<nav class="{self.flavour}breadcrumb"><ol class="breadcrumb">{items}'
            f'<li class="breadcrumb-item active">{title}</li></ol></nav>\n'
        )

    def _front(self, section: Section) -> str:
        return self._layout.addresses.hub(Hub(section, Spine(0, 0)))
