"""Sections of the website as arithmetic: which page leads to which, which holds which file."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from datahound.archive.synthetic.numbers import find_stride, mix, tail_exponent, tail_sum
from datahound.archive.synthetic.shapes import Shape
from datahound.archive.synthetic.words import Title, load_words

# A heavy tail without a bound would put most files of a level on one page.
_MAX_FILES = 400


class Cell(NamedTuple):
    """The articles of one section at one level, and the files they hold."""

    first: int
    """The number of its first article in the section."""
    articles: int
    holders: int
    files: int
    first_file: int
    """The number of its first file in the whole site."""
    stride: int
    offset: int
    exponent: float


class Spine(NamedTuple):
    """A page that leads on: its steps from the section's front, its column among its level."""

    step: int
    column: int


@dataclass(frozen=True, slots=True)
class Section:
    """Part of a website. Hubs, list pages and articles are numbers; nothing is stored for them."""

    number: int
    kind: str
    language: str
    theme: int
    salt: int
    shape: Shape
    cells: tuple[Cell, ...]
    """One per step; the first is always empty."""
    hub_firsts: tuple[int, ...]
    article_firsts: tuple[int, ...]
    first_article: int
    """How many articles the sections before this one have."""

    @property
    def hubs(self) -> int:
        return self.hub_firsts[-1]

    @property
    def articles(self) -> int:
        return self.cells[-1].first + self.cells[-1].articles

    @property
    def base(self) -> int:
        return self.shape.base

    def hub(self, number: int) -> Spine:
        step = bisect_right(self.hub_firsts, number) - 1
        return Spine(step, number - self.hub_firsts[step])

    def hub_number(self, spine: Spine) -> int:
        """The number of a hub, or of the hub whose list a list page belongs to."""
        return self.hub_firsts[min(spine.step, self.shape.branch)] + spine.column

    def parent(self, spine: Spine) -> Spine:
        """The page above; only the front has none."""
        step, column = spine
        if step > self.shape.branch:
            return Spine(step - 1, column)
        widths = self.shape.spine
        # Columns are spread evenly: the same fraction of the way along both levels.
        return Spine(step - 1, column * widths[step - 1] // widths[step])

    def hubs_under(self, spine: Spine) -> range:
        """The indices of the hubs one step below a hub."""
        step, column = spine
        if step >= self.shape.branch:
            return range(0)
        here, below = self.shape.spine[step], self.shape.spine[step + 1]
        return range(-(-column * below // here), -(-(column + 1) * below // here))

    def next_page(self, spine: Spine) -> Spine | None:
        """The following page of a list."""
        step, column = spine
        widths = self.shape.spine
        if step < self.shape.branch or step + 1 >= len(widths) or column >= widths[step + 1]:
            return None
        return Spine(step + 1, column)

    def has_list_page(self, step: int, column: int) -> bool:
        widths = self.shape.spine
        return self.shape.branch <= step < len(widths) and 0 <= column < widths[step]

    def articles_under(self, spine: Spine) -> range:
        """The numbers of the articles that a spine page lists."""
        step, column = spine
        if step + 1 >= len(self.cells):
            return range(0)
        first, articles = self.cells[step + 1][:2]
        width = self.shape.spine[step]
        # -(-a // b) rounds up.
        low = -(-column * articles // width)
        return range(first + low, first - (-(column + 1) * articles // width))

    def article_step(self, number: int) -> int:
        return bisect_right(self.article_firsts, number) - 1

    def article_parent(self, number: int) -> Spine:
        step = self.article_step(number)
        cell = self.cells[step]
        width = self.shape.spine[step - 1]
        return Spine(step - 1, (number - cell.first) * width // cell.articles)

    def files_of(self, number: int) -> range:
        """The numbers of the files that an article links to."""
        cell = self.cells[self.article_step(number)]
        if not cell.holders:
            return range(0)
        # The stride scatters the holders: neighbours in a list would be too easy to learn.
        rank = ((number - cell.first) * cell.stride + cell.offset) % cell.articles
        if rank >= cell.holders:
            return range(0)
        low = tail_sum(rank, cell.holders, cell.files, cell.exponent)
        high = tail_sum(rank + 1, cell.holders, cell.files, cell.exponent)
        return range(cell.first_file + low, cell.first_file + high)

    def holder_of(self, file: int) -> int:
        """The number of the article that a file of this section belongs to."""
        cell = next(c for c in self.cells if c.first_file <= file < c.first_file + c.files)

        def count_before(rank: int) -> int:
            return tail_sum(rank, cell.holders, cell.files, cell.exponent)

        rank = bisect_right(range(cell.holders), file - cell.first_file, key=count_before) - 1
        # The order of the holders, backwards: see `files_of`.
        turned = (rank - cell.offset) * pow(cell.stride, -1, cell.articles)
        return cell.first + turned % cell.articles

    def articles_within(self, level: int) -> int:
        """How many articles lie at this level of the site or above: those with lower numbers."""
        step = level - self.base
        if step < 1:
            return 0
        return self.article_firsts[step + 1] if step + 1 < len(self.cells) else self.articles


class Holding(NamedTuple):
    """How many articles of each step hold files, and how many files in all."""

    holders: tuple[int, ...]
    files: tuple[int, ...]


def make_section(
    number: int,
    place: tuple[str, str, int],
    salt: int,
    shape: Shape,
    holding: Holding,
    before: tuple[int, int],
) -> Section:
    """A section with its numbering; `before` counts the articles and files of earlier sections."""
    kind, language, theme = place
    cells = tuple(_make_cells(kind, salt, shape, holding, first_file=before[1]))
    hub_firsts = tuple(accumulate(shape.spine[: shape.branch + 1], initial=0))
    article_firsts = tuple(cell.first for cell in cells)
    return Section(
        number,
        kind,
        language,
        theme,
        salt,
        shape,
        cells,
        hub_firsts,
        article_firsts,
        before[0],
    )


def _make_cells(
    kind: str, salt: int, shape: Shape, holding: Holding, first_file: int
) -> Iterator[Cell]:
    first = 0
    for step, articles in enumerate(shape.leaves):
        holders, files = holding.holders[step], holding.files[step]
        stride, offset = _order(kind, articles, mix(salt, step))
        exponent = tail_exponent(holders, files, _MAX_FILES)
        yield Cell(first, articles, holders, files, first_file, stride, offset, exponent)
        first += articles
        first_file += files


def _order(kind: str, articles: int, salt: int) -> tuple[int, int]:
    """The order in which articles are given files: home's first ones first, others in any order."""
    if kind == "root" or not articles:
        return 1, 0
    return find_stride(articles, salt), salt % articles


class Hub(NamedTuple):
    """A hub, or a page of its list."""

    section: Section
    spine: Spine


class Article(NamedTuple):
    """A page that leads on only across the site, and perhaps holds files."""

    section: Section
    number: int


def name_hub(section: Section, number: int) -> tuple[str, str]:
    """Name and slug of a hub."""
    words = load_words(section.language)
    if not number:
        if section.kind == "theme":
            return words.themes[section.theme]
        label = "home" if section.kind == "root" else section.kind
        return words.labels[label], words.label_slugs[label]
    chance = mix(section.salt ^ 1, number)
    theme = section.theme if section.kind == "theme" else (chance >> 40) % len(words.themes)
    return words.topic(theme, chance)


def name_article(section: Section, number: int) -> Title:
    """What an article is called."""
    words = load_words(section.language)
    if section.kind == "root" and number < len(words.root_pages):
        return Title(*words.root_pages[number], 2024)
    chance = mix(section.salt, number)
    theme = section.theme if section.kind == "theme" else (chance >> 40) % len(words.themes)
    return words.title(theme, chance)
