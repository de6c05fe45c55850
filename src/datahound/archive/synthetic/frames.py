"""What every page of the website has around its content: head, menu, breadcrumbs, footer."""

from datahound.archive.synthetic.layout import Layout
from datahound.archive.synthetic.numbers import mix
from datahound.archive.synthetic.places import Article, Hub, article_title, hub_title
from datahound.archive.synthetic.sections import Section, Spine
from datahound.archive.synthetic.words import words_of

_FLAVOURS = ("", "gov-", "stat-", "ds-", "o-")
_ELSEWHERE = ("social.example", "video.example", "photos.example", "union.example")
_LOCAL = 12


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
            f"<title>{title} | {words_of(language).labels['site']}</title>\n{self._heads[language]}"
            f'</head>\n<body class="{template} lang-{language}">\n{self._menus[language]}'
            f'<div class="{self.flavour}container" id="page">\n{self._breadcrumb(place, title)}'
            f'<div class="{self.flavour}row">\n<main id="main" class="{template}-main">\n'
            f"<h1>{title}</h1>\n{content}</main>\n{self._locals[section.number]}</div>\n</div>\n"
            f"{self._footers[language]}</body>\n</html>\n"
        )
        return html.encode()

    def _head(self, language: str) -> str:
        labels = words_of(language).labels
        return (
            '<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta name="description" content="{labels["site"]}">\n'
            '<link rel="stylesheet" href="/assets/css/site.css?v=3.2.1">\n'
            '<link rel="icon" type="image/png" href="/assets/favicon.png">\n'
            '<script src="/assets/js/site.js" defer></script>\n'
        )

    def _menu(self, language: str) -> str:
        labels, f = words_of(language).labels, self.flavour
        sections = [s for s in self._layout.sections if s.language == language]
        items = "".join(
            f'<li class="menu-item menu-item-{s.number}"><a class="{f}nav-link" '
            f'href="{self._front(s)}">{hub_title(s, 0)[0]}</a></li>\n'
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
            f"{words_of(s.language).labels['language']}</a></li>\n"
            for s in roots
        )
        return f'<ul class="{self.flavour}languages">\n{items}</ul>\n'

    def _footer(self, language: str) -> str:
        f, layout = self.flavour, self._layout
        root = self._roots[language]
        pages = range(min(root.articles, 14))
        items = "".join(
            f'<li><a href="{layout.addresses.article(root, n)}">'
            f"{article_title(root, n).text}</a></li>\n"
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
            f"{hub_title(section, section.hub_number(spine))[0]}</a></li>\n"
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
            crumbs.append((url, hub_title(section, number)[0]))
            spine = section.parent(spine)
        if section.kind != "root":
            crumbs.append((self._front(section), hub_title(section, 0)[0]))
        root = self._roots[section.language]
        crumbs.append((self._front(root), hub_title(root, 0)[0]))
        items = "".join(
            f'<li class="breadcrumb-item"><a href="{escaped(url)}">{name}</a></li>'
            for url, name in reversed(crumbs)
        )
        return (
            f'<nav class="{self.flavour}breadcrumb"><ol class="breadcrumb">{items}'
            f'<li class="breadcrumb-item active">{title}</li></ol></nav>\n'
        )

    def _front(self, section: Section) -> str:
        return self._layout.addresses.hub(Hub(section, Spine(0, 0)))


def escaped(url: str) -> str:
    """The URL as an attribute's value."""
    return url.replace("&", "&amp;")
