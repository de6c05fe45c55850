"""The blocks that articles and lists are made of: texts, items, files, links across."""

from collections.abc import Sequence

from datahound.archive.synthetic.layout import Layout
from datahound.archive.synthetic.numbers import mix
from datahound.archive.synthetic.sections import Article, Section, name_article
from datahound.archive.synthetic.targets import Target
from datahound.archive.synthetic.words import load_words

# From here on an editor would use a table.
_MANY = 25


class Blocks:
    """Makes blocks of HTML."""

    def __init__(self, layout: Layout, flavour: str) -> None:
        self._layout = layout
        self._flavour = flavour

    def sentence(self, language: str, chance: int) -> str:
        """Something that such a page would say."""
        sentences = load_words(language).sentences
        return sentences[chance % len(sentences)]

    def text(self, place: Article) -> str:
        """Two to six paragraphs."""
        section, number = place
        words = load_words(section.language)
        chance = self._layout.chance(place)
        year, month = name_article(section, number).year, 1 + chance % 12
        parts = [f'<p class="date">{words.labels["released"]} {year}-{month:02}</p>\n']
        for turn in range(2 + (chance >> 4) % 5):
            # Each paragraph takes bits of its own, so that texts do not repeat in step.
            bits = chance >> (8 + 8 * turn)
            first, second = bits % len(words.sentences), (bits >> 4) % len(words.sentences)
            parts.append(f"<p>{words.sentences[first]} {words.sentences[second]}</p>\n")
        return f'<div class="{self._flavour}body">\n{"".join(parts)}</div>\n'

    def items(self, section: Section, items: Sequence[Article]) -> str:
        """A list of articles, as this kind of section shows it."""
        if not items:
            return ""
        if section.kind == "theme":
            return self._theme_items(section, items)
        before, row, after = _LISTS[section.kind]
        rows = []
        for place, item in enumerate(items, 1):
            url, title = self._named(item)
            parity = "odd" if place % 2 else "even"
            more = load_words(section.language).labels["more"]
            rows.append(row.format(url=url, title=title, n=item.number, parity=parity, more=more))
        return before + "".join(rows) + after

    def _theme_items(self, section: Section, items: Sequence[Article]) -> str:
        """Data and articles apart, as far as editors are careful."""
        labels = load_words(section.language).labels
        data, articles = [], []
        for place, item in enumerate(items, 1):
            url, title = self._named(item)
            # Editors misfile: a learner must cope with exceptions.
            slip = mix(section.salt, ~item.number) % 100
            if slip < (80 if section.files_of(item.number) else 12):
                data.append(f'<li class="dataset"><h3><a href="{url}">{title}</a></h3></li>\n')
            else:
                parity = "odd" if place % 2 else "even"
                articles.append(
                    f'<div class="views-row views-row-{place} views-row-{parity}"><span '
                    f'class="field-title"><a href="{url}">{title}</a></span></div>\n'
                )
        return (
            f'<section class="block block-data"><h2>{labels["datasets"]}</h2>\n'
            f'<ul class="datasets">\n{"".join(data)}</ul></section>\n'
            f'<section class="block block-articles"><h2>{labels["articles"]}</h2>\n'
            f'<div class="view-content">\n{"".join(articles)}</div></section>\n'
        )

    def files(self, place: Article) -> str:
        """The files of an article: a button, a list or a table."""
        numbers = list(place.section.files_of(place.number))
        if not numbers:
            return ""
        also = self._layout.also(place)
        # Some files are linked from two articles: the second link brings nothing new.
        if also is not None and also not in numbers:
            numbers.append(also)
        targets = [self._layout.targets[number] for number in numbers]
        if len(targets) > _MANY:
            return self._table(targets)
        if place.section.kind == "portal":
            return self._resources(targets)
        if len(targets) == 1:
            return self._button(targets[0])
        return self._file_list(targets)

    def _button(self, target: Target) -> str:
        label = load_words(target.language).labels["download"]
        return (
            f'<div class="download-box"><a class="{self._flavour}btn btn-download" '
            f'href="{self._link(target)}">{label}: {_describe_file(target)}</a></div>\n'
        )

    def _file_list(self, targets: Sequence[Target]) -> str:
        label = load_words(targets[0].language).labels["files"]
        rows = "".join(
            f'<li class="file file-{t.format}"><a href="{self._link(t)}">'
            f"{_describe_file(t)}</a></li>\n"
            for t in targets
        )
        return (
            f'<section class="attachments"><h2>{label}</h2>\n'
            f'<ul class="file-list">\n{rows}</ul></section>\n'
        )

    def _resources(self, targets: Sequence[Target]) -> str:
        label = load_words(targets[0].language).labels["download"]
        rows = "".join(
            f'<li class="resource-item"><span class="heading">{t.title}</span> '
            f'<span class="format-label">{t.format.upper()}</span><div class="btn-group">'
            f'<a class="resource-url-analytics" href="{self._link(t)}">{label} '
            f"({t.format.upper()}, {_format_size(t.size)})</a></div></li>\n"
            for t in targets
        )
        return (
            '<section id="dataset-resources" class="resources">\n'
            f'<ul class="resource-list">\n{rows}</ul></section>\n'
        )

    def _table(self, targets: Sequence[Target]) -> str:
        rows = "".join(
            f'<tr class="{"odd" if i % 2 else "even"}"><td class="name"><a href="{self._link(t)}">'
            f'{t.title}</a></td><td class="type">{t.format.upper()}</td>'
            f'<td class="size">{_format_size(t.size)}</td></tr>\n'
            for i, t in enumerate(targets, 1)
        )
        return f'<table class="files"><tbody>\n{rows}</tbody></table>\n'

    def related(self, place: Article) -> str:
        """Links across the website."""
        found = self._layout.related(place)
        if not found:
            return ""
        label = load_words(place.section.language).labels["related"]
        named = map(self._named, found)
        rows = "".join(f'<li><a href="{url}">{title}</a></li>\n' for url, title in named)
        return f'<aside class="related"><h2>{label}</h2>\n<ul>\n{rows}</ul></aside>\n'

    def oddities(self, place: Article) -> str:
        """A dead link, a redirected one, a picture: some articles have them."""
        odd = self._layout.oddities(place)
        labels = load_words(place.section.language).labels
        parts = []
        if odd.picture:
            parts.append(
                f'<figure><a class="zoom" href="{odd.picture}">{labels["photo"]}</a></figure>\n'
            )
        if odd.redirected:
            url = escape_url(odd.redirected)
            parts.append(f'<p><a class="see-also" href="{url}">{labels["also"]}</a></p>\n')
        if odd.dead:
            url = escape_url(odd.dead)
            parts.append(f'<p><a class="archived" href="{url}">{labels["archived"]}</a></p>\n')
        return "".join(parts)

    def _named(self, article: Article) -> tuple[str, str]:
        title = name_article(*article)
        return escape_url(self._layout.addresses.article(*article, title)), title.text

    def _link(self, target: Target) -> str:
        return escape_url(self._layout.addresses.link_to(target))


_LISTS = {
    "publications": (
        '<table class="catalogue"><tbody>\n',
        '<tr class="{parity}"><td class="field-title"><a href="{url}">{title}</a></td></tr>\n',
        "</tbody></table>\n",
    ),
    "portal": (
        '<div class="module-content"><ul class="dataset-list unstyled">\n',
        '<li class="dataset-item"><h2 class="heading"><a href="{url}">{title}</a></h2></li>\n',
        "</ul></div>\n",
    ),
    "news": (
        '<div class="news-list">\n',
        """<div class="news-item" id="news-{n}">
<h2><a href="{url}">{title}</a></h2>
<a class="more" href="{url}">{more}</a>
</div>
""",
        "</div>\n",
    ),
    "about": (
        '<div class="content-list"><ul class="simple">\n',
        '<li><a href="{url}">{title}</a></li>\n',
        "</ul></div>\n",
    ),
    "search": (
        '<ol class="search-results">\n',
        '<li class="result"><h3 class="title"><a href="{url}">{title}</a></h3></li>\n',
        "</ol>\n",
    ),
}


def _describe_file(target: Target) -> str:
    return f"{target.title} ({target.format.upper()}, {_format_size(target.size)})"


def _format_size(size: int) -> str:
    """The size as a page shows it.

    >>> _format_size(34_000), _format_size(2_340_000)
    ('34 KB', '2.3 MB')
    """
    return f"{size / 1e6:.1f} MB" if size >= 1_000_000 else f"{max(1, size // 1000)} KB"


def escape_url(url: str) -> str:
    """The URL as an attribute's value."""
    return url.replace("&", "&amp;")
