"""The pages of the website: one template for each kind of section, and their contents."""

from datahound.archive.synthetic.blocks import Blocks
from datahound.archive.synthetic.frames import Frames, escaped
from datahound.archive.synthetic.layout import Layout
from datahound.archive.synthetic.numbers import mix
from datahound.archive.synthetic.places import Article, Hub, Month, article_title, hub_title
from datahound.archive.synthetic.sections import Section, Spine
from datahound.archive.synthetic.words import words_of

_RESULTS = 24
_NUMBERED = ("theme", "news")


class Pages:
    """Makes the HTML of any page."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._frames = Frames(layout)
        self._blocks = Blocks(layout, self._frames.flavour)

    def hub(self, place: Hub, session: str = "") -> bytes:
        """A hub, a page of a list, or home."""
        section, spine = place
        words = words_of(section.language)
        title = hub_title(section, section.hub_number(spine))[0]
        page = spine.step - section.shape.branch
        if page > 0:
            title = f"{title}, {words.page.format(number=page + 1)}"
        content = self._home(section) if section.kind == "root" else self._listing(place)
        content += self._trap(self._layout.addresses.hub(place), session)
        return self._frames.page(place, f"{section.kind}-list", title, content)

    def article(self, place: Article, session: str = "") -> bytes:
        """An article with its files."""
        section, number = place
        title = article_title(section, number)
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
        labels = words_of(root.language).labels
        year, number = divmod(month.year * 12 + month.month, 12)
        after = f"{self._layout.addresses.www}/calendar/{year}/{number + 1:02}"
        content = (
            f'<table class="calendar"><caption>{month.year}-{month.month:02}</caption></table>\n'
            f'<a class="calendar-next" href="{after}">{labels["next"]}</a>\n'
        )
        place = Hub(root, Spine(0, 0))
        return self._frames.page(place, "calendar", labels["calendar"], content)

    def _home(self, section: Section) -> str:
        layout, labels = self._layout, words_of(section.language).labels
        cards = "".join(
            f'<div class="card card-{s.kind}">\n<h2><a href="{self._front(s)}">'
            f"{hub_title(s, 0)[0]}</a></h2>\n"
            f"<p>{self._blocks.sentence(s.language, s.salt)}</p>\n</div>\n"
            for s in layout.sections
            if s.language == section.language and s.kind != "root"
        )
        quick = "".join(
            f'<li class="quick"><a href="{layout.addresses.article(section, number)}">'
            f"{article_title(section, number).text}</a></li>\n"
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
            items = [Article(section, n) for n in section.articles_under(spine)]
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
            f'<li class="topic"><a href="{escaped(hub(Hub(section, s)))}">'
            f"{hub_title(section, section.hub_number(s))[0]}</a></li>\n"
            for s in under
        )
        label = words_of(section.language).labels["topics"]
        return (
            f'<section class="topics"><h2>{label}</h2>\n'
            f'<ul class="topic-list">\n{items}</ul></section>\n'
        )

    def _pager(self, place: Hub) -> str:
        section, spine = place
        labels, branch = words_of(section.language).labels, section.shape.branch
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
            f'href="{escaped(hub(Hub(section, to)))}">{text}</a></li>\n'
            for name, to, text in links
        )
        return f'<nav class="pagination"><ul class="pager">\n{items}</ul></nav>\n'

    def _trap(self, url: str, session: str) -> str:
        """Where traps are on: this very page under a session of its own, and the calendar."""
        if not self._layout.settings.traps:
            return ""
        fresh = mix(self._layout.salt, int(session or "0", 16) + len(url))
        printed = escaped(f"{url}{'&' if '?' in url else '?'}sid={fresh:016x}")
        www = self._layout.addresses.www
        return (
            f'<p class="tools"><a class="print" href="{printed}">Print</a> '
            f'<a class="calendar" href="{www}/calendar/2024/01">2024</a></p>\n'
        )

    def _front(self, section: Section) -> str:
        return self._layout.addresses.hub(Hub(section, Spine(0, 0)))
